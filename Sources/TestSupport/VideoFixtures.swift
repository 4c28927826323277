// The test videos.

import Glibc

/// The files that `Tests/Fixtures/make-video-fixtures.sh` makes, once per version of the script.
public enum VideoFixtures {
  /// The error for a missing fixture.
  public struct Missing: Error { public let name: String }

  /// Returns the path of a fixture.
  public static func path(_ name: String) throws -> String {
    let path = try folder.get() + "/" + name
    guard access(path, R_OK) == 0 else { throw Missing(name: name) }
    return path
  }

  /// Returns the bytes of a fixture.
  public static func bytes(_ name: String) throws -> [UInt8] {
    guard let bytes = try read(path(name)) else { throw Missing(name: name) }
    return bytes
  }

  private static let folder = Result<String, Missing> { () throws(Missing) in
    let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    let script =
      here.dropLast(3).joined(separator: "/") + "/Tests/Fixtures/make-video-fixtures.sh"
    guard let text = read(script) else { throw Missing(name: script) }
    // An FNV-1a hash names the folder, so that each version of the script has its own.
    let hash = text.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let folder = "/tmp/segmance-videos-\(getuid())-" + String(hash, radix: 16)
    guard system("sh '\(script)' '\(folder)'") == 0 else { throw Missing(name: script) }
    return folder
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 {
      bytes.append(contentsOf: piece[..<count])
    }
    return bytes
  }
}
