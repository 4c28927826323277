// Makes a standalone FLAC file from each piece that ffmpeg's segment muxer cuts.
//
// The muxer counts the frame numbers through all pieces and leaves the length in the header empty
// or, in the last piece, wrong. A player that relies on either would start a piece late. So every
// frame is renumbered from 0 and gets new checksums, and the header gets the exact number of
// frames. Every byte of the piece is checked on the way. (Format: RFC 9639.)

/// Rewrites one piece of a FLAC stream as a standalone file.
struct FLACChunk {
  /// A piece that does not have the expected format.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// The block size that the importer sets in the encoder; the last frame of a track may be
  /// shorter.
  static let blockSize = 4_800

  private static let headerBytes = 42

  /// Returns the piece as a standalone FLAC file, and its number of audio frames: zero if the muxer
  /// began a piece without any data.
  static func standalone(_ piece: [UInt8]) throws(Malformed) -> (file: [UInt8], frames: Int) {
    var position = try endOfMetadata(piece)
    if position == piece.count { return ([], 0) }
    var file = [UInt8](repeating: 0, count: headerBytes)
    file.reserveCapacity(piece.count)
    var number = 0
    var total = 0
    var smallest = Int.max
    var largest = 0
    guard var header = FrameHeader(piece, at: position) else {
      throw Malformed(reason: "no frame at the start")
    }
    while true {
      guard number < FrameHeader.numberLimit else { throw Malformed(reason: "too many frames") }
      let next = try endOfFrame(piece, header)
      let start = file.count
      header.append(to: &file, number: number)
      let headerCRC = checksum(file, start..<file.count)
      let body = header.end..<next - 2
      let bodyCRC = checksum(piece, body)
      file.append(contentsOf: piece[body])
      let crc = CRC16.extended(headerCRC, by: body.count) ^ bodyCRC
      file.append(UInt8(crc >> 8))
      file.append(UInt8(crc & 0xff))

      total += header.blockSize
      smallest = min(smallest, file.count - start)
      largest = max(largest, file.count - start)
      number += 1
      position = next
      if position == piece.count { break }
      guard let following = FrameHeader(piece, at: position) else {
        throw Malformed(reason: "no frame at byte \(position)")
      }
      header = following
    }
    let info = streamInfo(smallest: smallest, largest: largest, frames: total)
    file.replaceSubrange(0..<headerBytes, with: info)
    return (file, total)
  }

  /// The bytes before the first frame: the `fLaC` marker and one STREAMINFO block. The MD5 of the
  /// sound is left out (all zero), since each frame has its own checksum.
  private static func streamInfo(smallest: Int, largest: Int, frames: Int) -> [UInt8] {
    func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let rateChannelsBits = 48_000 << 44 | (2 - 1) << 41 | (16 - 1) << 36 | frames
    return Array("fLaC".utf8) + [0x80] + bigEndian(34, 3) + bigEndian(blockSize, 2)
      + bigEndian(blockSize, 2) + bigEndian(smallest, 3) + bigEndian(largest, 3)
      + bigEndian(rateChannelsBits, 8) + [UInt8](repeating: 0, count: 16)
  }

  private static func endOfMetadata(_ piece: [UInt8]) throws(Malformed) -> Int {
    guard piece.starts(with: Array("fLaC".utf8)) else { throw Malformed(reason: "no FLAC mark") }
    var position = 4
    while position + 4 <= piece.count {
      let isLast = piece[position] & 0x80 != 0
      let length =
        Int(piece[position + 1]) << 16 | Int(piece[position + 2]) << 8 | Int(piece[position + 3])
      position += 4 + length
      if isLast { return position }
    }
    throw Malformed(reason: "metadata without end")
  }

  /// Finds the end of the frame: the start of the next frame, or the end of the piece, preceded by
  /// a correct checksum.
  private static func endOfFrame(
    _ piece: [UInt8], _ header: FrameHeader
  ) throws(Malformed) -> Int {
    var search = header.end + 2
    while let candidate = nextSync(piece, from: search) {
      if let next = FrameHeader(piece, at: candidate), next.number == header.number + 1,
        hasRightChecksum(piece, header.start..<candidate)
      {
        return candidate
      }
      search = candidate + 1
    }
    guard piece.count >= header.end + 2, hasRightChecksum(piece, header.start..<piece.count) else {
      throw Malformed(reason: "wrong checksum in the frame at byte \(header.start)")
    }
    return piece.count
  }

  private static func nextSync(_ piece: [UInt8], from start: Int) -> Int? {
    piece.withUnsafeBufferPointer { bytes in
      var index = start
      while index + 1 < bytes.count {
        if bytes[index] == 0xff && bytes[index + 1] == 0xf8 { return index }
        index += 1
      }
      return nil
    }
  }

  private static func hasRightChecksum(_ piece: [UInt8], _ range: Range<Int>) -> Bool {
    // The checksum over data followed by its own checksum is zero.
    range.count > 2 && checksum(piece, range) == 0
  }

  private static func checksum(_ bytes: [UInt8], _ range: Range<Int>) -> UInt16 {
    bytes.withUnsafeBytes { CRC16.of(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

/// The header of a FLAC frame in a stream with a fixed block size (RFC 9639, 9.1).
private struct FrameHeader {
  let start: Int
  /// The first byte after the header and its checksum.
  let end: Int
  let number: Int
  let blockSize: Int
  private let fixedBytes: [UInt8]
  private let sizeBytes: [UInt8]

  /// Parses a header; nil if there is none at this position or its checksum is wrong.
  init?(_ bytes: [UInt8], at start: Int) {
    // A block of one sample is shorter than the longest header, so every step checks for the end.
    guard start + 5 <= bytes.count, bytes[start] == 0xff, bytes[start + 1] == 0xf8 else {
      return nil
    }
    let sizeCode = bytes[start + 2] >> 4
    let first = bytes[start + 4]
    let length = first < 0x80 ? 1 : (~first).leadingZeroBitCount
    guard (1...6).contains(length), length != 1 || first < 0x80,
      start + 4 + length <= bytes.count
    else { return nil }
    var number = length == 1 ? Int(first) : Int(first) & (0x7f >> length)
    for byte in bytes[(start + 5)..<(start + 4 + length)] {
      guard byte & 0xc0 == 0x80 else { return nil }
      number = number << 6 | Int(byte & 0x3f)
    }
    var position = start + 4 + length
    let extra = sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0
    guard position + extra < bytes.count else { return nil }
    sizeBytes = Array(bytes[position..<position + extra])
    position += extra
    switch sizeCode {
    case 1: blockSize = 192
    case 2...5: blockSize = 576 << (Int(sizeCode) - 2)
    case 6, 7: blockSize = sizeBytes.reduce(0) { $0 << 8 | Int($1) } + 1
    case 8...15: blockSize = 256 << (Int(sizeCode) - 8)
    default: return nil
    }
    // 48 kHz has its own code; no other rate is valid here.
    guard bytes[start + 2] & 0x0f == 0x0a, CRC8.of(bytes[start..<position]) == bytes[position]
    else { return nil }
    self.start = start
    self.number = number
    fixedBytes = Array(bytes[start..<start + 4])
    end = position + 1
  }

  /// Numbers below it take one byte. A chunk of ten seconds has a hundred frames.
  static let numberLimit = 128

  /// Writes the header with a new frame number.
  func append(to file: inout [UInt8], number: Int) {
    precondition((0..<Self.numberLimit).contains(number))
    let header = fixedBytes + [UInt8(number)] + sizeBytes
    file.append(contentsOf: header)
    file.append(CRC8.of(header))
  }
}
