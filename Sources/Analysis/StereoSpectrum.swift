// Windows of a stereo stream, and how much power there is at each frequency.

#if canImport(Glibc)
  import Glibc
#endif

/// Cuts a stream of samples into overlapping windows and transforms them.
///
/// Both channels go through one complex transform: half the powers at k and at size − k together is
/// that of left and right, so that nothing cancels out, wherever in the stereo picture it plays.
struct StereoSpectrum: Sendable {
  let windowFrames: Int
  let hopFrames: Int
  /// The samples of the window that is being filled (full scale: 1).
  private(set) var left: [Float]
  private(set) var right: [Float]

  private var filled: Int
  private let shape: [Float]
  private var fourier: ComplexFFT
  private var real: [Float]
  private var imaginary: [Float]

  /// Prepares for windows every `hopFrames`, of which the first begins with `leadFrames` of silence.
  init(windowFrames: Int, hopFrames: Int, leadFrames: Int) {
    self.windowFrames = windowFrames
    self.hopFrames = hopFrames
    filled = leadFrames
    // Hann's window, scaled so that a full-scale sine has magnitude 1.
    shape = (0..<windowFrames).map {
      Float(2 * (1 - cos(2 * Double.pi * Double($0) / Double(windowFrames)))) / Float(windowFrames)
    }
    fourier = ComplexFFT(size: windowFrames)
    left = [Float](repeating: 0, count: windowFrames)
    right = left
    real = left
    imaginary = left
  }

  /// Whether a whole window is there.
  var isFull: Bool { filled == windowFrames }

  /// Takes what `sample` gives for the frames from `start` to `end`, as far as there is room, and
  /// returns how many there were.
  @inline(__always)
  mutating func fill(from start: Int, to end: Int, _ sample: (Int) -> (Float, Float)) -> Int {
    let count = min(windowFrames - filled, end - start)
    for offset in 0..<count {
      (left[filled + offset], right[filled + offset]) = sample(start + offset)
    }
    filled += count
    return count
  }

  /// Transforms the window, for `power(at:)`.
  mutating func transform() {
    for index in 0..<windowFrames {
      real[index] = left[index] * shape[index]
      imaginary[index] = right[index] * shape[index]
    }
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        fourier.transform(real, imaginary)
      }
    }
  }

  /// The mean power of both channels at line `bin` of the window transformed last, which is neither
  /// the first nor the middle one.
  @inline(__always)
  func power(at bin: Int) -> Float {
    let mirror = windowFrames - bin
    let (a, b, c, d) = (real[bin], imaginary[bin], real[mirror], imaginary[mirror])
    return (a * a + b * b + c * c + d * d) / 4
  }

  /// Moves on by one hop.
  mutating func advance() {
    filled = windowFrames - hopFrames
    for index in 0..<filled {
      left[index] = left[index + hopFrames]
      right[index] = right[index + hopFrames]
    }
  }
}
