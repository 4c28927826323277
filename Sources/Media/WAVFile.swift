// The WAV container: 16-bit stereo at 48 kHz, and the rate of what ffmpeg streams.

enum WAVFile {
  static let headerBytes = 44

  /// Returns the header of a WAV file, or nil when its 32-bit lengths can't express so many frames.
  static func header(frameCount: Int) -> [UInt8]? {
    let bytes = frameCount * 4
    guard frameCount >= 0, bytes <= Int(UInt32.max) - 36 else { return nil }
    return Array("RIFF".utf8) + number(bytes + 36, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
      + number(1, 2) + number(2, 2) + number(48_000, 4) + number(192_000, 4) + number(4, 2)
      + number(16, 2) + Array("data".utf8) + number(bytes, 4)
  }

  /// Returns a whole WAV file.
  static func file(interleaved samples: [Int16]) -> [UInt8]? {
    guard var file = header(frameCount: samples.count / 2) else { return nil }
    file.reserveCapacity(file.count + samples.count * 2)
    samples.withUnsafeBytes { file.append(contentsOf: $0) }
    return file
  }

  /// Returns the sample rate that a header of 44 bytes names, or nil when it is another header.
  static func sampleRate(ofHeader bytes: [UInt8]) -> Int? {
    guard bytes.count == headerBytes, bytes.starts(with: Array("RIFF".utf8)),
      Array(bytes[36..<40]) == Array("data".utf8)
    else { return nil }
    let rate = (0..<4).reduce(0) { $0 | Int(bytes[24 + $1]) << ($1 * 8) }
    return rate > 0 ? rate : nil
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
