// Reads zip files from the specification (PKWARE's APPNOTE, 4.3), independently of the library that
// writes them.

/// The files of a zip without compression, in the order of its central directory.
public struct ZipReader {
  /// One member.
  public struct Member {
    public let name: String
    public let isMarkedUTF8: Bool
    /// The compression method; 0 is stored.
    public let method: Int
    /// The local time in MS-DOS format.
    public let date: Int
    public let checksum: UInt32
    public let bytes: [UInt8]
  }

  public let members: [Member]

  /// Reads a file of up to 4 GB; nil if it is not a zip.
  public init?(_ file: [UInt8]) {
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(file[offset + $1]) << ($1 * 8) }
    }
    guard file.count >= 22, number(file.count - 22, 4) == 0x0605_4b50 else { return nil }
    var position = number(file.count - 6, 4)
    var members: [Member] = []
    for _ in 0..<number(file.count - 12, 2) {
      guard number(position, 4) == 0x0201_4b50 else { return nil }
      let nameLength = number(position + 28, 2)
      let size = number(position + 24, 4)
      let local = number(position + 42, 4)
      guard number(local, 4) == 0x0403_4b50 else { return nil }
      let start = local + 30 + number(local + 26, 2) + number(local + 28, 2)
      members.append(
        Member(
          name: String(decoding: file[position + 46..<position + 46 + nameLength], as: UTF8.self),
          isMarkedUTF8: number(position + 8, 2) & 0x800 != 0, method: number(position + 10, 2),
          date: number(position + 12, 4), checksum: UInt32(number(position + 16, 4)),
          bytes: Array(file[start..<start + size])))
      position += 46 + nameLength + number(position + 30, 2) + number(position + 32, 2)
    }
    self.members = members
  }
}
