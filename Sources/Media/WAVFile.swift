// The WAV container: writes 16-bit stereo at 48 kHz, and parses the header of ffmpeg's streams.

/// Headers of WAV files.
package enum WAVFile {
  /// Returns the header of a WAV file, or nil if the length does not fit into 32 bits.
  static func header(frameCount: Int) -> [UInt8]? {
    let bytes = frameCount * 4
    guard frameCount >= 0, bytes <= Int(UInt32.max) - 36 else { return nil }
    return Array("RIFF".utf8) + number(bytes + 36, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
      + number(1, 2) + number(2, 2) + number(48_000, 4) + number(192_000, 4) + number(4, 2)
      + number(16, 2) + Array("data".utf8) + number(bytes, 4)
  }

  /// Returns a whole WAV file.
  package static func file(interleaved samples: [Int16]) -> [UInt8]? {
    guard var file = header(frameCount: samples.count / 2) else { return nil }
    file.reserveCapacity(file.count + samples.count * 2)
    samples.withUnsafeBytes { file.append(contentsOf: $0) }
    return file
  }

  /// The header of a 16-bit stereo stream.
  struct Header {
    let sampleRate: Int
    let byteCount: Int

    /// Parses the header at the start of a stream; nil if it is invalid or still incomplete.
    init?(_ bytes: [UInt8]) {
      func number(at offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
      }
      guard bytes.count >= 20, bytes.starts(with: Array("RIFF".utf8)) else { return nil }
      var rate = 0
      var offset = 12
      while offset + 8 <= bytes.count {
        let name = bytes[offset..<offset + 4]
        if name.elementsEqual("data".utf8) {
          guard rate > 0, (offset + 8).isMultiple(of: 4) else { return nil }
          sampleRate = rate
          byteCount = offset + 8
          return
        }
        if name.elementsEqual("fmt ".utf8), offset + 16 <= bytes.count {
          rate = number(at: offset + 12)
        }
        offset += 8 + number(at: offset + 4)
      }
      return nil
    }
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
