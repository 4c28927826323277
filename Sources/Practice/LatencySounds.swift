// The sounds by which the latency of an output is measured, at 48,000 Hz.

/// Sounds that the page plays at known times.
public enum LatencySounds {
  static let framesPerSecond = 48_000.0

  /// Returns a click to tap with: it is loudest within a millisecond, and over after 40.
  public static func click(isStrong: Bool) -> [Float] {
    let pitch = isStrong ? 1_250.0 : 2_500.0
    let level = isStrong ? 0.7 : 0.09
    let frames = Int(0.04 * framesPerSecond)
    let rise = 0.0005 * framesPerSecond
    var decay = 1.0
    return (0..<frames).map { frame in
      let left = Double(frames - frame) / Double(frames)
      // A time constant of 6 ms.
      decay *= 1 - 1 / (0.006 * framesPerSecond)
      let envelope = min(1, Double(frame) / rise) * decay * min(1, 4 * left)
      return Float(
        level * envelope * Sinusoid.sine(turns: pitch * Double(frame) / framesPerSecond))
    }
  }

  /// Returns the chirp that the microphone listens for: 50 ms from 1,200 to 6,400 Hz. A sound that sweeps
  /// can be told from noise, and its moment is exact to a fraction of a millisecond once it is
  /// correlated. Small loudspeakers and wireless codecs pass this band.
  public static func chirp() -> [Float] {
    let wave = analyticChirp()
    return wave.real.map { Float(0.8 * $0) }
  }

  static let chirpFrames = 2_400

  /// The chirp and, as its imaginary part, the same a quarter turn later: the correlation with both has a
  /// size that does not swing.
  static func analyticChirp() -> (real: [Double], imaginary: [Double]) {
    let seconds = Double(chirpFrames) / framesPerSecond
    let lowest = 1_200.0
    let rise = (6_400.0 - lowest) / seconds
    var real: [Double] = []
    var imaginary: [Double] = []
    for frame in 0..<chirpFrames {
      let time = Double(frame) / framesPerSecond
      let turns = lowest * time + rise * time * time / 2
      let window = 0.5 - 0.5 * Sinusoid.cosine(turns: Double(frame) / Double(chirpFrames))
      real.append(window * Sinusoid.cosine(turns: turns))
      imaginary.append(window * Sinusoid.sine(turns: turns))
    }
    return (real, imaginary)
  }
}
