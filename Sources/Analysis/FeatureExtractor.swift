// Features of timbre and harmony, four vectors a second.

#if canImport(Glibc)
  import Glibc
#endif

/// Turns samples into one vector for each quarter of a second: the levels of mel bands, smoothed by a
/// cosine transform, and how strong each of the twelve pitch classes is. Vectors are made to be
/// compared by their Euclidean distance: about 1 between different instruments or harmonies.
struct FeatureExtractor: Sendable {
  /// One vector describes so many frames.
  static let vectorFrames = 12_000
  /// How many numbers one vector holds.
  static let vectorSize = timbreCount + 12

  private static let windowFrames = 8_192
  private static let hopFrames = 6_000
  private static let bandCount = 36
  private static let timbreCount = 14

  /// How much a pitch class, a decibel of a mode of the spectrum, and one of loudness count.
  private static let chromaWeight: Float = 0.5
  private static let timbreWeight: Float = 0.1
  private static let loudnessWeight: Float = 0.065

  /// The features of one vector's frames.
  struct Moment: Sendable {
    var vector: [Float]
    /// The power of the sound itself.
    var power: Float
  }

  /// The complete moments; the user removes those that it has read.
  var ready: [Moment] = []

  private let cosines: [Float]
  private let bandOfBin: [Int]
  private let pitchClassOfBin: [Int]
  // The middle of the first window is that of the first hop.
  private var spectrum = StereoSpectrum(
    windowFrames: windowFrames, hopFrames: hopFrames, leadFrames: (windowFrames - hopFrames) / 2)
  private var powers = [Float](repeating: 0, count: bandCount)
  private var classes = [Float](repeating: 0, count: 12)
  private var hopCount = 0

  init() {
    let size = Self.windowFrames
    func mel(_ hertz: Double) -> Double { 1_127 * log(1 + hertz / 700) }
    let (low, high) = (mel(50), mel(16_000))
    let binHertz = 48_000 / Double(size)
    bandOfBin = (0..<size / 2).map { bin in
      let place = (mel(Double(bin) * binHertz) - low) / (high - low) * Double(Self.bandCount)
      return place < 0 || place >= Double(Self.bandCount) ? -1 : Int(place)
    }
    pitchClassOfBin = (0..<size / 2).map { bin in
      let hertz = Double(bin) * binHertz
      guard hertz >= 100, hertz <= 2_100 else { return -1 }
      let semitones = Int((12 * log2(hertz / 440)).rounded())
      return ((semitones % 12) + 12) % 12
    }
    cosines = (0..<Self.timbreCount).flatMap(Self.cosine(order:))
  }

  /// One row of an orthogonal cosine transform, scaled so that distances are means over the bands.
  private static func cosine(order: Int) -> [Float] {
    let count = Double(bandCount)
    let scale = (order == 0 ? 1 : 2.0.squareRoot()) / count
    return (0..<bandCount).map { band in
      Float(scale * cos(Double.pi * Double(order) * (Double(band) + 0.5) / count))
    }
  }

  /// Takes `count` frames that `sample` gives (full scale: 1).
  @inline(__always)
  mutating func take(_ count: Int, _ sample: (Int) -> (Float, Float)) {
    var index = 0
    while index < count {
      index += spectrum.fill(from: index, to: count, sample)
      if spectrum.isFull { listen() }
    }
  }

  private mutating func listen() {
    spectrum.transform()
    for bin in 1..<Self.windowFrames / 2 {
      let band = bandOfBin[bin]
      guard band >= 0 else { continue }
      let power = spectrum.power(at: bin)
      powers[band] += power
      let pitchClass = pitchClassOfBin[bin]
      if pitchClass >= 0 { classes[pitchClass] += power.squareRoot() }
    }
    spectrum.advance()
    hopCount += 1
    guard hopCount * Self.hopFrames % Self.vectorFrames == 0 else { return }
    ready.append(Moment(vector: vector(), power: powers.reduce(0, +)))
    for index in powers.indices { powers[index] = 0 }
    for index in classes.indices { classes[index] = 0 }
  }

  private func vector() -> [Float] {
    var vector = [Float](repeating: 0, count: Self.vectorSize)
    // Decibels, no lower than the noise of 16 bits.
    let levels = powers.map { 10 * log10f($0 + 1e-8) }
    for order in 0..<Self.timbreCount {
      var sum: Float = 0
      for band in 0..<Self.bandCount {
        sum += cosines[order * Self.bandCount + band] * levels[band]
      }
      vector[order] = sum * (order == 0 ? Self.loudnessWeight : Self.timbreWeight)
    }
    let mean = classes.reduce(0, +) / 12
    let norm = classes.reduce(Float(0)) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot() + 1e-4
    for index in 0..<12 {
      vector[Self.timbreCount + index] = (classes[index] - mean) / norm * Self.chromaWeight
    }
    return vector
  }
}
