// A picture of sound: pairs of minimum and maximum, and its file format.

/// The minimum and maximum of every pixel of a stretch of audio, at 48 kHz.
public struct Waveform: Sendable, Equatable {
  /// How many frames one pixel covers; the last pixel may cover fewer.
  public let framesPerPixel: Int
  /// Minimum and maximum alternating, two values a pixel.
  public let pairs: [Int8]

  /// How many pixels there are.
  public var pixelCount: Int { pairs.count / 2 }

  /// Makes a waveform from pairs that a `PeakBuilder` collected.
  public init(framesPerPixel: Int, pairs: [Int8]) {
    precondition(framesPerPixel > 0 && pairs.count.isMultiple(of: 2))
    self.framesPerPixel = framesPerPixel
    self.pairs = pairs
  }

  /// Returns the same waveform with wider pixels. `newFramesPerPixel` is a multiple of the present
  /// value.
  public func downsampled(to newFramesPerPixel: Int) -> Waveform {
    precondition(newFramesPerPixel > 0 && newFramesPerPixel.isMultiple(of: framesPerPixel))
    let factor = newFramesPerPixel / framesPerPixel
    if factor == 1 { return self }
    var merged: [Int8] = []
    merged.reserveCapacity((pixelCount + factor - 1) / factor * 2)
    for start in stride(from: 0, to: pixelCount, by: factor) {
      var low = pairs[start * 2]
      var high = pairs[start * 2 + 1]
      for pixel in start + 1..<max(start + 1, min(start + factor, pixelCount)) {
        low = min(low, pairs[pixel * 2])
        high = max(high, pairs[pixel * 2 + 1])
      }
      merged.append(low)
      merged.append(high)
    }
    return Waveform(framesPerPixel: newFramesPerPixel, pairs: merged)
  }
}

/// Says why bytes are no waveform file that this project reads.
public enum WaveformFormatError: Error, Equatable {
  case tooShort
  case unsupportedVersion(Int)
  case notEightBit
  case notOneChannel
  case badResolution
  case lengthMismatch
}

extension Waveform {
  /// How many bytes stand before the pairs in a file of version 2.
  public static let headerByteCount = 24

  /// Returns the header of audiowaveform's binary format, version 2: 8 bit, one channel, 48 kHz.
  public static func header(framesPerPixel: Int, pixelCount: Int) -> [UInt8] {
    let words: [UInt32] = [
      2, 1, 48_000, UInt32(clamping: framesPerPixel), UInt32(clamping: pixelCount), 1,
    ]
    return words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }

  /// Returns the waveform as a file in audiowaveform's binary format.
  public func dat() -> [UInt8] {
    var file = Self.header(framesPerPixel: framesPerPixel, pixelCount: pixelCount)
    file.reserveCapacity(file.count + pairs.count)
    // The same bytes, signed or not, copied at once.
    pairs.withUnsafeBytes { file.append(contentsOf: $0) }
    return file
  }

  /// Reads a file in audiowaveform's binary format, version 2, 8 bit, one channel.
  public init(dat bytes: [UInt8]) throws(WaveformFormatError) {
    guard bytes.count >= Self.headerByteCount else { throw .tooShort }
    func word(_ index: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[index * 4 + $1]) << ($1 * 8) }
    }
    guard word(0) == 2 else { throw .unsupportedVersion(Int(word(0))) }
    guard word(1) == 1 else { throw .notEightBit }
    guard word(3) > 0 else { throw .badResolution }
    guard word(5) == 1 else { throw .notOneChannel }
    guard bytes.count - Self.headerByteCount == Int(word(4)) * 2 else { throw .lengthMismatch }
    let count = bytes.count - Self.headerByteCount
    let pairs = [Int8](unsafeUninitializedCapacity: count) { buffer, filled in
      // The same bytes, signed or not: exactly as many as the buffer was made for.
      bytes[Self.headerByteCount...].withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0)
      }
      filled = count
    }
    self.init(framesPerPixel: Int(word(3)), pairs: pairs)
  }
}
