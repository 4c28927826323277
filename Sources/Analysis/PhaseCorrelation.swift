// Correlation of two short pieces of sound by phase.

#if canImport(Glibc)
  import Glibc
#endif

/// The generalised cross-correlation with phase transform of C. H. Knapp and G. C. Carter, "The
/// Generalized Correlation Method for Estimation of Time Delay" (1976): every frequency counts the
/// same, which is what makes a sharp peak out of sound from a room.
/// Threads: one at a time.
struct PhaseCorrelation {
  /// One window of the recording: 2 s.
  static let windowSamples = 16_384
  /// Lags are tried so far to both sides: 120 ms.
  static let reachSamples = 960

  private static let size = 32_768
  private static let bins = hertzToBin(150)..<hertzToBin(3_600)

  private let recording: [Int16]
  private let music: [Int16]
  private var transform = RealFFT(size: size)
  private let taper: [Float]
  private var padded = [Float](repeating: 0, count: size)
  private var real = [Float](repeating: 0, count: size / 2 + 1)
  private var imaginary = [Float](repeating: 0, count: size / 2 + 1)
  private var musicReal = [Float](repeating: 0, count: size / 2 + 1)
  private var musicImaginary = [Float](repeating: 0, count: size / 2 + 1)

  /// Prepares to compare stretches of two sounds.
  init(recording: [Int16], music: [Int16]) {
    self.recording = recording
    self.music = music
    let fade = 1_024
    taper = (0..<Self.windowSamples).map { index in
      let edge = min(index, Self.windowSamples - 1 - index)
      return edge >= fade
        ? 1 : Float(0.5 - 0.5 * cos(Double.pi * (Double(edge) + 0.5) / Double(fade)))
    }
  }

  /// Correlates the recording from `start` on with the music from `start + lag` on: a value for
  /// each lag from `lag − reachSamples` to `lag + reachSamples`, 1 for a perfect copy. Returns nil
  /// where one of them is silent.
  mutating func correlate(recordingFrom start: Int, lag: Int) -> [Float]? {
    let reach = Self.reachSamples
    guard fill(recording, from: start, count: Self.windowSamples) else { return nil }
    for index in taper.indices { padded[index] *= taper[index] }
    transform.forward(padded, real: &real, imaginary: &imaginary)
    guard fill(music, from: start + lag - reach, count: Self.windowSamples + 2 * reach) else {
      return nil
    }
    transform.forward(padded, real: &musicReal, imaginary: &musicImaginary)
    var used = 0
    for bin in 0...Self.size / 2 {
      let crossReal = real[bin] * musicReal[bin] + imaginary[bin] * musicImaginary[bin]
      let crossImaginary = real[bin] * musicImaginary[bin] - imaginary[bin] * musicReal[bin]
      let magnitude = (crossReal * crossReal + crossImaginary * crossImaginary).squareRoot()
      guard Self.bins.contains(bin), magnitude > 1e-6 else {
        (musicReal[bin], musicImaginary[bin]) = (0, 0)
        continue
      }
      used += 1
      (musicReal[bin], musicImaginary[bin]) = (crossReal / magnitude, crossImaginary / magnitude)
    }
    guard used > Self.bins.count / 2 else { return nil }
    transform.inverse(real: musicReal, imaginary: musicImaginary, &padded)
    let scale = Float(Self.size) / Float(2 * used)
    return (0...2 * reach).map { padded[$0] * scale }
  }

  /// Puts `count` samples into `padded`, silence outside of the sound; returns whether there is any
  /// sound among them.
  private mutating func fill(_ samples: [Int16], from start: Int, count: Int) -> Bool {
    var power: Float = 0
    for index in 0..<Self.size {
      let place = start + index
      let sample = index < count && samples.indices.contains(place) ? Float(samples[place]) : 0
      power += sample * sample
      padded[index] = sample / 32_768
    }
    // A mean below one step of 16 bits is silence.
    return power > Float(count)
  }

  private static func hertzToBin(_ hertz: Int) -> Int {
    hertz * size / DownsampledAudio.samplesPerSecond
  }
}
