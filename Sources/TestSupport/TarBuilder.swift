// Writes tar files from the specification (POSIX ustar), including malformed ones.

/// Builds a tar file byte by byte.
public struct TarBuilder {
  /// One member, possibly malformed.
  public struct Member: Sendable {
    public var name: String
    public var bytes: [UInt8]
    /// The type flag. 0: file, 1: hard link, 2: symbolic link, 3: device, 5: folder, S: sparse, x:
    /// pax.
    public var kind: Character
    public var link: String
    /// The size in the header; nil for the true size.
    public var claimedSize: Int?

    /// Describes a member.
    public init(
      _ name: String, _ bytes: [UInt8] = [], kind: Character = "0", link: String = "",
      claimedSize: Int? = nil
    ) {
      self.name = name
      self.bytes = bytes
      self.kind = kind
      self.link = link
      self.claimedSize = claimedSize
    }
  }

  /// Returns the archive of `members`.
  public static func archive(_ members: [Member]) -> [UInt8] {
    var file: [UInt8] = []
    for member in members {
      file += header(member) + member.bytes
      file += [UInt8](repeating: 0, count: (512 - member.bytes.count % 512) % 512)
    }
    return file + [UInt8](repeating: 0, count: 1024)
  }

  /// Returns the members of an archive of plain files.
  public static func members(_ archive: [UInt8]) -> [Member] {
    var found: [Member] = []
    var position = 0
    while position + 512 <= archive.count, archive[position] != 0 {
      func text(_ offset: Int, _ count: Int) -> String {
        let field = archive[(position + offset)..<(position + offset + count)]
        return String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
      }
      // Like tar programs, skips spaces and reads octal digits as far as they go.
      let digits = text(124, 12).drop { $0 == " " }.prefix { "0"..."7" ~= $0 }
      let size = Int(digits, radix: 8) ?? 0
      let start = position + 512
      // pax headers (POSIX.1-2001) are not members; they describe the following member.
      if !["g", "x"].contains(text(156, 1)) {
        found.append(Member(text(0, 100), Array(archive[start..<(start + size)])))
      }
      position = start + (size + 511) / 512 * 512
    }
    return found
  }

  private static func header(_ member: Member) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
    }
    func octal(_ value: Int, _ digits: Int) -> String {
      let text = String(value, radix: 8)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    put(String(member.name.prefix(100)), at: 0)
    put(octal(0o600, 7), at: 100)
    put(octal(0, 7), at: 108)
    put(octal(0, 7), at: 116)
    put(octal(member.claimedSize ?? member.bytes.count, 11), at: 124)
    put(octal(1_700_000_000, 11), at: 136)
    put("        ", at: 148)
    put(String(member.kind), at: 156)
    put(member.link, at: 157)
    put("ustar", at: 257)
    put("00", at: 263)
    put(octal(block.reduce(0) { $0 + Int($1) }, 6), at: 148)
    block[154] = 0
    return block
  }
}
