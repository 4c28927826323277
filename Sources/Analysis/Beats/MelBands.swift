// What the beat network hears: the logarithm of bands, 50 times a second.

#if canImport(Glibc)
  import Glibc
#endif

/// Turns a stream of samples at 48 kHz into bands. `Training/beats/features.py` computes the same.
///
/// Frame `i` is centred on sample `960 i`: a Hann window of 2,048 samples with silence beyond the
/// ends, the mean power of both channels, 80 triangles of equal height from 30 Hz to 16 kHz, and
/// `ln(1 + 100000 power)`, in which a full-scale sine has the power 1. The scale is that of mel with
/// its bend at 400 Hz instead of 700: a band for each line of the spectrum in the bass, and a semitone
/// wide at 1 kHz.
struct MelBands: Sendable {
  static let bandCount = 80
  static let hopFrames = 960

  static let windowFrames = 2_048

  private struct Band: Sendable {
    var firstBin: Int
    var weights: [Float]
  }

  private let bands = MelBands.triangles()
  private var spectrum = StereoSpectrum(
    windowFrames: windowFrames, hopFrames: hopFrames, leadFrames: windowFrames / 2)
  private var powers = [Float](repeating: 0, count: windowFrames / 2)
  private var levels = [Float](repeating: 0, count: bandCount)

  /// Takes `count` frames that `sample` gives (full scale: 1), and passes the bands of each frame
  /// that is complete to `body`.
  @inline(__always)
  mutating func take(
    _ count: Int, _ sample: (Int) -> (Float, Float), _ body: (UnsafePointer<Float>) -> Void
  ) {
    var index = 0
    while index < count {
      index += spectrum.fill(from: index, to: count, sample)
      if spectrum.isFull {
        listen()
        levels.withUnsafeBufferPointer { body($0.baseAddress!) }  // It has `bandCount` elements.
      }
    }
  }

  private mutating func listen() {
    spectrum.transform()
    for bin in 1..<powers.count { powers[bin] = spectrum.power(at: bin) }
    for (index, band) in bands.enumerated() {
      var sum: Float = 0
      for (offset, weight) in band.weights.enumerated() {
        sum += weight * powers[band.firstBin + offset]
      }
      levels[index] = log1pf(100_000 * sum)
    }
    spectrum.advance()
  }

  private static func triangles() -> [Band] {
    /// Below it bands are about equally wide, above it about equally high in pitch.
    let bend = 400.0
    let (low, high) = (log1p(30 / bend), log1p(16_000 / bend))
    let edges = (0..<bandCount + 2).map { index in
      let place = low + (high - low) * Double(index) / Double(bandCount + 1)
      return bend * expm1(place)
    }
    let binHertz = 48_000 / Double(windowFrames)
    return (0..<bandCount).map { band in
      let (from, centre, to) = (edges[band], edges[band + 1], edges[band + 2])
      let bins = Int(from / binHertz) + 1..<Int((to / binHertz).rounded(.up))
      // A band narrower than the distance of two lines holds the line nearest to its centre.
      guard !bins.isEmpty else {
        return Band(firstBin: Int((centre / binHertz).rounded(.toNearestOrEven)), weights: [1])
      }
      let weights = bins.map { bin in
        let hertz = Double(bin) * binHertz
        return Float(min((hertz - from) / (centre - from), (to - hertz) / (to - centre)))
      }
      return Band(firstBin: bins.lowerBound, weights: weights)
    }
  }
}
