// Backups from anywhere: the manifest, and the archive around it.

import FoundationEssentials
import TestSupport

@testable import Media
@testable import Storage

extension Harness {
  private static let hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
  private static let manifestText =
    #"{"createdAt":1,"files":[{"path":"segmance.sqlite","sha256":"\#(hash)","size":5},"#
    + #"{"path":"blobs/2c/\#(hash)","sha256":"\#(hash)","size":5}],"format":"segmance-backup","#
    + #""library":"l","missing":[],"schema":1,"segmance":"0","version":1}"#
  private static let words = [
    "../", "/etc/passwd", "blobs/", hash, "9223372036854775807", "-1", "\"size\":", "\"version\":2",
    "{\"path\":", "manifest.json", "end.json", "segmance.sqlite", "{\"intact\":\"1\"}", "\u{301}",
  ]

  /// A manifest.
  static let manifest = Harness(
    "manifest", "an accepted manifest names files of a library alone, each once, of possible sizes",
    texts: [
      manifestText, manifestText.replacing("\"missing\":[]", with: "\"missing\":[\"\(hash)\"]"),
    ],
    words: words, shortRounds: 800
  ) {
    { bytes in
      let manifest: BackupManifest
      do {
        manifest = try BackupManifest(decoding: bytes)
      } catch {
        try holds((error as? StorageError)?.code == .unusableBackup, "refused with \(error)")
        return
      }
      try check(manifest)
      try holds(
        try BackupManifest(decoding: manifest.encoded()) == manifest, "it is written as another")
    }
  }

  /// An archive; or, when it begins with `b`, names and contents with zeros between them, of which
  /// one is put together.
  static let backup = Harness(
    "backup", "an accepted archive holds what its manifest lists and writes nothing else",
    seeds: [
      TarBuilder.archive(members), TarBuilder.archive(Array(members.dropLast())),
      members.reduce(into: Array("b".utf8)) { $0 += Array($1.name.utf8) + [0] + $1.bytes + [0] },
      // A header of pax in its end, for all that follows: which is nothing.
      TarBuilder.archive(members).dropLast(1024)
        + TarBuilder.archive([.init("pax", kind: "g")]).dropLast(512),
    ], words: words, shortRounds: 150
  ) {
    let scratch = try Scratch()
    return { bytes in
      let isBuilt = bytes.first == UInt8(ascii: "b")
      let candidates = isBuilt ? [built(bytes.dropFirst())] : [bytes, repaired(bytes)]
      for archive in candidates { try tryArchive(archive, scratch) }
    }
  }

  private static let members: [TarBuilder.Member] = [
    .init("manifest.json", Array(manifestText.utf8)), .init("segmance.sqlite", Array("hello".utf8)),
    .init("blobs/2c/" + hash, Array("hello".utf8)),
    .init("end.json", Array(#"{"intact":"1"}"#.utf8)),
  ]

  private static func tryArchive(_ archive: [UInt8], _ scratch: Scratch) throws {
    let path = try scratch.file(archive)
    let target = DataDirectory(root: scratch.path + "/target")
    try Files.makeFolder(target.root)
    try Files.makeFolder(target.blobs)
    defer {
      // The next trial meets what could not be removed, and fails.
      try? Files.removeTree(target.root)
    }
    let contents: BackupReader.Contents
    do {
      contents = try BackupReader(path: path).read(database: target.database, blobs: target)
    } catch {
      let code = (error as? StorageError)?.code
      try holds(code == .unusableBackup || code == .noSpace, "refused with \(error)")
      return
    }
    try check(contents.manifest)
    let found = TarBuilder.members(archive)
    try holds(
      found.map(\.name) == ["manifest.json"] + contents.manifest.files.map(\.path) + ["end.json"],
      "\(found.map(\.name)) was accepted")
    let whole = contents.manifest.files.dropFirst().map(\.sha256)
      .filter { !contents.damaged.contains($0) }
    try holds(
      try FolderBlobStore(folder: target).all().map(\.sha256).sorted() == whole,
      "other blobs lie there")
    try holds(
      try Files.names(in: target.root).sorted() == ["blobs", "segmance.sqlite"],
      "other files lie there")
    for name in whole {
      let stored = try Files.read(target.blob(name))
      var hasher = SHA256Hasher()
      stored.withUnsafeBytes { hasher.update($0) }
      try holds(hasher.digest() == name, "a blob has another hash")
    }
  }

  private static func check(_ manifest: BackupManifest) throws {
    try holds(manifest.files.first?.path == "segmance.sqlite", "no database comes first")
    var last = ""
    for file in manifest.files {
      try holds(file.size >= 0 && file.size <= 1 << 60, "a size of \(file.size)")
      try holds(isHash(file.sha256), "\(file.sha256.debugDescription) is no hash")
      guard file.path != "segmance.sqlite" else { continue }
      try holds(
        Array(file.path.utf8) == Array("blobs/\(file.sha256.prefix(2))/\(file.sha256)".utf8),
        "\(file.path.debugDescription) leads elsewhere")
      try holds(last < file.sha256, "\(file.sha256) comes twice or late")
      last = file.sha256
    }
    try holds(manifest.missing.allSatisfy(isHash), "what is missing has no hash")
  }

  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
  }

  private static func built(_ plan: ArraySlice<UInt8>) -> [UInt8] {
    let parts = plan.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    var members: [TarBuilder.Member] = []
    for index in stride(from: 0, to: parts.count - 1, by: 2).prefix(20) {
      // A header has room for a hundred bytes of a name.
      let name = String(decoding: parts[index].prefix(90).map { $0 & 0x7f }, as: UTF8.self)
      members.append(.init(name, parts[index + 1]))
    }
    return TarBuilder.archive(members)
  }

  /// The archive with right checksums in its headers.
  private static func repaired(_ archive: [UInt8]) -> [UInt8] {
    var archive = archive
    var position = 0
    while position + 512 <= archive.count, archive[position] != 0 {
      archive.replaceSubrange(
        position + 148..<position + 156, with: [UInt8](repeating: 0x20, count: 8))
      let sum = archive[position..<position + 512].reduce(0) { $0 + Int($1) }
      let text = String(sum, radix: 8)
      let digits = Array((String(repeating: "0", count: max(0, 6 - text.count)) + text).utf8)
      archive.replaceSubrange(position + 148..<position + 156, with: digits.prefix(6) + [0, 0x20])
      let size = String(decoding: archive[position + 124..<position + 135], as: UTF8.self)
      guard let size = Int(size, radix: 8), size >= 0, size < archive.count else { break }
      position += 512 + (size + 511) / 512 * 512
    }
    return archive
  }
}
