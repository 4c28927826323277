// Reads the file length that some containers store in their first bytes. ffmpeg plays a truncated
// file without an error, but a user should be told that a part is missing.

import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// Reads the length in bytes that a file declares.
enum ContainerLength {
  /// Returns the missing share of the file, from 0 to 1, or nil if the file declares no length.
  static func missingShare(of path: String) throws -> Double? {
    let file = try OpenFile(path, O_RDONLY)
    let size = try file.size()
    if try bytes(of: file, at: 0, count: 4) == Array("OggS".utf8) {
      // A page declares only its own end. If that is beyond the end of the file, more pages may be
      // missing.
      return try oggBytes(file, size: size).map { $0 > size ? 1 : 0 }
    }
    guard let declared = try declaredBytes(file, size: size), declared > 0 else { return nil }
    return max(0, Double(declared - size) / Double(declared))
  }

  private static func declaredBytes(_ file: borrowing OpenFile, size: Int) throws -> Int? {
    let start = try bytes(of: file, at: 0, count: 64)
    if start.starts(with: Array("RIFF".utf8)) {
      // Programs that stream write a huge length or none, since they do not know it yet.
      let length = number(start, at: 4, count: 4)
      return length == 0 || length >= 0x7fff_0000 ? nil : length + 8
    }
    if start.starts(with: Array("riff".utf8)) { return number(start, at: 16, count: 8) }
    if start.starts(with: Array("caff".utf8)) { return try cafBytes(file, size: size) }
    if start.starts(with: [0x30, 0x26, 0xb2, 0x75]) { return try asfBytes(file, header: start) }
    return nil
  }

  /// Walks the chunks of a Core Audio Format file to the sound chunk.
  private static func cafBytes(_ file: borrowing OpenFile, size: Int) throws -> Int? {
    var offset = 8
    for _ in 0..<1_000 where offset + 12 <= size {
      let header = try bytes(of: file, at: offset, count: 12)
      guard header.count == 12 else { return nil }
      let length = number(header.reversed(), at: 0, count: 8)
      if header.starts(with: Array("data".utf8)) {
        return (0..<(1 << 50)).contains(length) ? offset + 12 + length : nil
      }
      guard length >= 0, length < 1 << 40 else { return nil }
      offset += 12 + length
    }
    return nil
  }

  /// Finds the file properties in the header of a WMA file: GUID 8CABDCA1-….
  private static func asfBytes(_ file: borrowing OpenFile, header: [UInt8]) throws -> Int? {
    let end = min(number(header, at: 16, count: 8), 1 << 20)
    var offset = 30
    while offset + 48 <= end {
      let object = try bytes(of: file, at: offset, count: 48)
      guard object.count == 48 else { return nil }
      if object.starts(with: [0xa1, 0xdc, 0xab, 0x8c]) {
        let length = number(object, at: 40, count: 8)
        return length <= 0 ? nil : length
      }
      let length = number(object, at: 16, count: 8)
      guard length >= 24, length < 1 << 20 else { return nil }
      offset += length
    }
    return nil
  }

  /// Finds the last page that begins in an Ogg file and returns its declared end.
  private static func oggBytes(_ file: borrowing OpenFile, size: Int) throws -> Int? {
    let from = max(0, size - 140_000)
    let tail = try bytes(of: file, at: from, count: size - from)
    let mark = Array("OggS".utf8)
    var start = tail.count - 27
    while start >= 0 {
      defer { start -= 1 }
      guard tail[start] == mark[0], Array(tail[start..<start + 5]) == mark + [0] else { continue }
      let segments = Int(tail[start + 26])
      guard start + 27 + segments <= tail.count else { return from + start + 27 + segments }
      let body = tail[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
      return from + start + 27 + segments + body
    }
    return nil
  }

  private static func bytes(
    of file: borrowing OpenFile, at offset: Int, count: Int
  ) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(file.descriptor, &bytes, count, offset)
    guard read >= 0 else { throw StorageError.system("pread", file.path) }
    return Array(bytes.prefix(read))
  }

  /// Reads a little-endian number; it is negative if the highest bit is set.
  private static func number(_ bytes: [UInt8], at offset: Int, count: Int) -> Int {
    guard offset + count <= bytes.count else { return 0 }
    return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
  }
}
