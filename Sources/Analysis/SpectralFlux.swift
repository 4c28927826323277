// How much of the spectrum rises from one moment to the next.

#if canImport(Glibc)
  import Glibc
#endif

/// The onset function of S. Böck and G. Widmer, "Maximum Filter Vibrato Suppression for Onset
/// Detection" (2013): logarithmic magnitudes in quarter tones, each compared with the loudest of its
/// neighbours a moment before, so that vibrato and slides are no rises.
struct SpectralFlux: Sendable {
  /// Where logarithms begin: 72 dB below a full-scale sine a level counts as one octave.
  private static let compression: Float = 4_200

  private let filters: [Filter]
  private let weights: [Float]
  private let firstBin: Int
  private let endBin: Int
  private var magnitudes: [Float]
  private var bands: [Float]
  private var ceiling: [Float]
  /// The ceilings of the last windows, in a ring.
  private var past: [[Float]]
  private var oldest = 0

  /// One triangle over the spectral lines `start` ….
  private struct Filter {
    var start: Int
    var count: Int
    var firstWeight: Int
  }

  /// Prepares for spectra of windows of `windowFrames`, each compared with that `lag` windows before.
  init(windowFrames: Int, lag: Int) {
    let bins = Self.bins(windowFrames: windowFrames)
    var filters: [Filter] = []
    var weights: [Float] = []
    for index in 1..<bins.count - 1 {
      let (low, middle, high) = (bins[index - 1], bins[index], bins[index + 1])
      filters.append(Filter(start: low + 1, count: high - low - 1, firstWeight: weights.count))
      for bin in low + 1..<high {
        weights.append(
          bin <= middle
            ? Float(bin - low) / Float(middle - low) : Float(high - bin) / Float(high - middle))
      }
    }
    self.filters = filters
    self.weights = weights
    firstBin = bins[0]
    endBin = bins[bins.count - 1] + 1
    magnitudes = [Float](repeating: 0, count: windowFrames / 2)
    bands = [Float](repeating: 0, count: filters.count)
    ceiling = bands
    past = [[Float]](repeating: bands, count: lag)
  }

  /// Returns the mean rise of the bands, in octaves, between `lag` windows ago and the window that
  /// `spectrum` transformed last.
  mutating func rise(in spectrum: StereoSpectrum) -> Float {
    for bin in firstBin..<endBin { magnitudes[bin] = spectrum.power(at: bin).squareRoot() }
    var sum: Float = 0
    for (index, filter) in filters.enumerated() {
      var level: Float = 0
      for offset in 0..<filter.count {
        level += magnitudes[filter.start + offset] * weights[filter.firstWeight + offset]
      }
      let value = log2f(1 + Self.compression * level)
      bands[index] = value
      sum += max(0, value - past[oldest][index])
    }
    keepCeiling()
    return sum / Float(filters.count)
  }

  /// Keeps the bands, each raised to the loudest of its neighbours, for the window `lag` ahead.
  private mutating func keepCeiling() {
    let last = bands.count - 1
    for index in 0...last {
      ceiling[index] = max(bands[max(0, index - 1)], bands[index], bands[min(last, index + 1)])
    }
    swap(&past[oldest], &ceiling)
    oldest = (oldest + 1) % past.count
  }

  /// The spectral lines nearest to each quarter tone from 30 Hz to 17 kHz, each once.
  private static func bins(windowFrames: Int) -> [Int] {
    var bins: [Int] = []
    let binHertz = 48_000 / Double(windowFrames)
    for step in -93...126 {
      let bin = Int((440 * exp2(Double(step) / 24) / binHertz).rounded())
      if bin >= 1, bin < windowFrames / 2 - 1, bin != bins.last { bins.append(bin) }
    }
    return bins
  }
}
