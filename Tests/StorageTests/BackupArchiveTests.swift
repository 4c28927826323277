// The backup file: writing, reading, and rejection of invalid files.

import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import Storage

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized)
struct BackupArchiveTests {
  private let workshop: Workshop
  private let database = [UInt8]("a database, or so it seems".utf8)
  private let blobs: [BlobReference]

  init() throws {
    workshop = try Workshop()
    let store = FolderBlobStore(folder: workshop.folder)
    let contents = [[UInt8](repeating: 7, count: 70_000), Array("hello".utf8), [1, 2, 3]]
    blobs = try contents.map { try store.add(contentsOf: $0) }.sorted { $0.sha256 < $1.sha256 }
  }

  /// A backup snapshot of the workshop; the blobs of `unreadable` can no longer be read.
  private func prepare(
    unreadable: Set<String> = []
  ) throws -> (writer: BackupWriter, scratch: BackupStaging) {
    let scratch = try BackupStaging(in: workshop.folder)
    try Files.writeNew(scratch.database, database)
    var (files, sources) = ([try scratch.databaseFile()], [scratch.database])
    for blob in blobs {
      let pinned = try #require(try scratch.hardLink(blob.sha256))
      files.append(pinned.file)
      // Their replacement opens but fails to read with an I/O error.
      sources.append(unreadable.contains(blob.sha256) ? "/proc/self/mem" : pinned.path)
    }
    let manifest = BackupManifest(
      schema: 1, segmance: "0", library: "l", createdAt: 1_700_000_000_000, files: files,
      missing: [])
    return (try BackupWriter(manifest, sources: sources), scratch)
  }

  private func archive() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let (writer, scratch) = try prepare()
    try writer.write(to: { bytes += $0 })
    try scratch.remove()
    return bytes
  }

  /// Reads an archive into a new folder. Returns the result and the folder's contents.
  @discardableResult
  private func read(_ archive: [UInt8]) throws -> (BackupReader.Contents, [String]) {
    let target = DataDirectory(root: workshop.folder.tmp + "/target-" + Files.randomName())
    try target.prepare()
    let path = try workshop.file(archive)
    let contents = try BackupReader(path: path).read(database: target.database, blobs: target)
    return (contents, try FolderBlobStore(folder: target).all().map(\.sha256))
  }

  private func refuses(_ archive: [UInt8], _ what: Comment) {
    let error = #expect(throws: StorageError.self, what) { try read(archive) }
    #expect(error?.code == .unusableBackup, what)
  }

  @Test func `a written archive can be read and has the computed length`() throws {
    let (writer, _) = try prepare()
    let bytes = try archive()
    #expect(bytes.count == writer.length)
    let (contents, stored) = try read(bytes)
    #expect(contents.manifest == writer.manifest)
    #expect(contents.damaged.isEmpty)
    #expect(stored == blobs.map(\.sha256))
  }

  @Test func `other programs can read and write the archive`() throws {
    let bytes = try archive()
    let members = TarBuilder.members(bytes)
    #expect(members.map(\.name).first == "manifest.json")
    #expect(members.map(\.name).last == "end.json")
    #expect(members[1].bytes == database)
    #expect(try read(TarBuilder.archive(members)).1 == blobs.map(\.sha256))
  }

  @Test func `an archive that ends early is refused, wherever it ends`() throws {
    let bytes = try archive()
    for fiftieth in 0..<50 {
      refuses(Array(bytes[..<(bytes.count * fiftieth / 50)]), "\(fiftieth)/50")
    }
    refuses(Array(bytes.dropLast()), "all but a byte")
    refuses(bytes + [0], "a byte more")
  }

  @Test func `a changed byte is detected anywhere`() throws {
    let bytes = try archive()
    var generator = SeededGenerator(seed: 8)
    let members = TarBuilder.members(bytes)
    // The owner, mode and time in headers are ignored, and so is the padding of blocks.
    var starts: [Range<Int>] = []
    var position = 0
    for member in members {
      starts += [
        position..<position + 100, position + 124..<position + 136,
        position + 512..<position + 512 + member.bytes.count,
      ]
      position += 512 + (member.bytes.count + 511) / 512 * 512
    }
    for round in 0..<200 {
      var damaged = bytes
      let range = try #require(starts.randomElement(using: &generator))
      guard let index = range.randomElement(using: &generator) else { continue }
      damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
      refuses(damaged, "round \(round), byte \(index)")
    }
  }

  @Test func `archives with paths outside the folder or too much data are refused`() throws {
    let honest = TarBuilder.members(try archive())
    func changed(_ change: (inout [TarBuilder.Member]) throws -> Void) rethrows -> [UInt8] {
      var members = honest
      try change(&members)
      return TarBuilder.archive(members)
    }
    let hash = blobs[0].sha256
    let table: [(Comment, [UInt8])] = [
      ("nothing", []), ("zeros", [UInt8](repeating: 0, count: 10_240)),
      ("a wave file", WAVHeader.bytes),
      ("up and away", changed { $0[2].name = "../../etc/passwd" }),
      ("an absolute path", changed { $0[2].name = "/etc/passwd" }),
      ("inside, but not where blobs are", changed { $0[2].name = "blobs/ab/x" }),
      ("a detour", changed { $0[2].name = "blobs/\(hash.prefix(2))/../\(hash.prefix(2))/\(hash)" }),
      ("an unknown name", changed { $0.insert(.init("autorun.sh", [1]), at: 3) }),
      ("a name after the end", changed { $0.append(.init("more", [])) }),
      ("a blob twice", changed { $0.insert($0[2], at: 3) }),
      ("a blob missing", changed { $0.remove(at: 3) }),
      ("another order", changed { $0.swapAt(2, 3) }),
      ("no manifest", changed { $0.removeFirst() }),
      ("no end", changed { $0.removeLast() }),
      (
        "a symbolic link",
        changed {
          $0[2].kind = "2"; $0[2].link = "/etc/passwd"
        }
      ),
      (
        "a hard link",
        changed {
          $0[2].kind = "1"; $0[2].link = "manifest.json"
        }
      ),
      ("a device", changed { $0[2].kind = "3" }), ("a pipe", changed { $0[2].kind = "6" }),
      ("a folder", changed { $0[2].kind = "5" }),
      ("a size without bytes", changed { $0[2].claimedSize = 1 << 32 }),
      (
        "another name in a pax header",
        changed {
          $0.insert(.init("x", Array("24 path=../../etc/passwd\n".utf8), kind: "x"), at: 2)
        }
      ),
      ("an end that says otherwise", changed { $0[5].bytes[11] = UInt8(ascii: "0") }),
    ]
    for (what, archive) in table { refuses(archive, what) }
  }

  @Test(arguments: [
    (#""version":1"#, #""version":2"#), (#""format":"segmance-backup""#, #""format":"tar""#),
    (#""size":5"#, #""size":-5"#), (#""size":5"#, #""size":9223372036854775807"#),
    (#""size":5"#, #""size":6"#), (#""path":"segmance.sqlite""#, #""path":"../x""#),
    (#""path":"blobs/"#, #""path":"blobs/../"#), (#""files":["#, #""files":[],"x":["#),
    (#""missing":[]"#, #""missing":["../x"]"#), (#"{"#, #"["#),
  ])
  func `a wrong manifest is refused`(old: String, new: String) throws {
    var members = TarBuilder.members(try archive())
    let text = members[0].bytes
    let old = Array(old.utf8)
    let start = try #require(
      text.indices.first { text[$0...].starts(with: old) }, "the manifest has another form")
    members[0].bytes.replaceSubrange(start..<start + old.count, with: Array(new.utf8))
    refuses(TarBuilder.archive(members), "\(new)")
  }

  @Test func `a damaged blob is omitted and reported, and the others are complete`() throws {
    let damaged = blobs[1]
    let path = workshop.folder.blob(damaged.sha256)
    var bytes = try Files.read(path)
    bytes[0] ^= 1
    try Files.remove(path)
    try Files.writeNew(path, bytes)
    let (contents, stored) = try read(try archive())
    #expect(contents.damaged == [damaged.sha256])
    #expect(stored == [blobs[0].sha256, blobs[2].sha256])
  }

  @Test func `an unreadable blob is omitted and reported, and the others are complete`()
    throws
  {
    let (writer, _) = try prepare(unreadable: [blobs[1].sha256])
    var bytes: [UInt8] = []
    #expect(try writer.write(to: { bytes += $0 }) == [blobs[1].sha256])
    #expect(bytes.count == writer.length)
    let (contents, stored) = try read(bytes)
    #expect(contents.damaged == [blobs[1].sha256])
    #expect(stored == [blobs[0].sha256, blobs[2].sha256])
  }

  @Test func `an unreadable blob of zeros makes no backup unusable`() throws {
    let silence = [UInt8](repeating: 0, count: 300_000)
    let blob = try FolderBlobStore(folder: workshop.folder).add(contentsOf: silence)
    let scratch = try BackupStaging(in: workshop.folder)
    try Files.writeNew(scratch.database, database)
    let manifest = BackupManifest(
      schema: 1, segmance: "0", library: "l", createdAt: 1_700_000_000_000,
      files: [try scratch.databaseFile(), BackupManifest.File(blob: blob)], missing: [])
    let writer = try BackupWriter(manifest, sources: [scratch.database, "/proc/self/mem"])
    var bytes: [UInt8] = []
    // The zeros that replace it happen to be the right bytes.
    #expect(try writer.write(to: { bytes += $0 }) == [])
    #expect(try read(bytes).1 == [blob.sha256])
  }

  @Test func `a blob that is removed during the backup is in the backup`() throws {
    let (writer, _) = try prepare()
    for blob in blobs { try FolderBlobStore(folder: workshop.folder).remove(blob.sha256) }
    var bytes: [UInt8] = []
    try writer.write(to: { bytes += $0 })
    #expect(try read(bytes).1 == blobs.map(\.sha256))
  }

  @Test func `a backup is renamed only after it was read back and its database checked`() throws {
    let path = workshop.folder.root + "/backup.tar"
    let (writer, scratch) = try prepare()
    struct Unsound: Error {}
    #expect(throws: Unsound.self) {
      try BackupFile.write(writer, to: path, using: scratch) { _ in throw Unsound() }
    }
    #expect(try Files.names(in: workshop.folder.root).allSatisfy { !$0.contains("backup") })
    try Files.remove(scratch.verified)
    let calls = Mutex<[String]>([])
    try FileJournal.$note.withValue({ call, path in
      calls.withLock { $0.append("\(call) \(path.split(separator: "/").last ?? "")") }
    }) {
      try BackupFile.write(writer, to: path, using: scratch) { copy in
        let copied = try Files.read(copy)
        #expect(copied == database)
        calls.withLock { $0.append("checked") }
      }
    }
    let order = calls.withLock { $0 }.filter { !$0.hasSuffix("verified.sqlite") }
    let root = workshop.folder.root.split(separator: "/").last ?? ""
    #expect(
      order == [
        "unlink .backup.tar.partial", "fsync .backup.tar.partial", "checked",
        "rename backup.tar", "fsync \(root)",
      ])
  }

  @Test func `an existing file is not overwritten`() throws {
    let path = try workshop.file([1])
    let (writer, scratch) = try prepare()
    #expect(throws: StorageError.self) {
      try BackupFile.write(writer, to: path, using: scratch) { _ in }
    }
    #expect(try Files.read(path) == [1])
  }

  @Test func `the folder keeps the latest complete backups and deletes partial ones`() throws {
    let kept = BackupFolder(path: workshop.folder.root + "/kept", library: "swan")
    try kept.make()
    for seconds in [1_700_000_000, 1_700_086_400, 1_700_172_800] {
      try Files.writeNew(kept.newPath(at: seconds), [0])
    }
    for name in ["/.segmance-swan-2023.tar.partial", "/notes.txt", "/segmance-old.tar"] {
      try Files.writeNew(kept.path + name, [0])
    }
    try kept.prepare()
    try kept.keepLast(2, written: kept.newPath(at: 0), now: 1_700_172_801, spacing: 0)
    #expect(try kept.all().map(\.createdAt) == [1_700_172_800], "one, and the one just written")
    try Files.writeNew(kept.newPath(at: 1_700_086_400), [0])
    #expect(try kept.all().map(\.createdAt) == [1_700_086_400, 1_700_172_800])
    #expect(
      try Files.names(in: kept.path).sorted() == [
        "notes.txt", "segmance-old.tar", "segmance-swan-2023-11-15T22-13-20Z.tar",
        "segmance-swan-2023-11-16T22-13-20Z.tar",
      ])
    // With a clock that went back or was ahead: the backup just written counts as the latest.
    for (now, left) in [
      (1_600_000_000, [1_600_000_000, 1_700_172_800]),
      (1_700_100_000, [1_700_086_400, 1_700_100_000]),
    ] {
      let folder = BackupFolder(path: workshop.folder.root + "/clock-\(now)", library: "swan")
      try folder.make()
      for seconds in [1_700_086_400, 1_700_172_800, now] {
        try Files.writeNew(folder.newPath(at: seconds), [0])
      }
      let written = folder.path + "/segmance-swan-\(FileTimestamp.text(now)).tar"
      try folder.keepLast(2, written: written, now: now, spacing: 1_000)
      #expect(try folder.all().map(\.createdAt) == left, "\(now)")
    }
    #expect(FileTimestamp.shown(1_700_000_000) == "2023-11-14 22:13 UTC")
  }

  @Test func `the folder is created only by make and only if its parent exists`() throws {
    let disk = workshop.folder.root + "/disk"
    let folder = BackupFolder(path: disk + "/backups/", library: "swan")
    #expect(throws: StorageError.self) { try folder.make() }
    try Files.makeFolder(disk)
    #expect(throws: StorageError.self) { try folder.prepare() }
    #expect(!folder.isPresent)
    try folder.make()
    #expect(folder.isPresent)
    try folder.make()
  }

  @Test func `many backups of one day do not delete those of earlier days`() throws {
    let (day, minute) = (86_400, 60)
    let week = (0..<7).map { 1_700_000_000 + $0 * day }
    let lastNight = week[6]
    let trials: [(name: String, times: [Int], keep: Int, left: [Int])] = [
      // Seven requested backups in one evening: the last of the day stays.
      (
        "evening", (0..<7).map { lastNight + 17 * 3600 + $0 * minute }, 7,
        Array(week[1...]) + [lastNight + 17 * 3600 + 6 * minute]
      ),
      // Soon after the nightly backup, which is deleted to make room before any other day's.
      (
        "morning", (1...6).map { lastNight + $0 * minute }, 7,
        Array(week[..<6]) + [lastNight + 6 * minute]
      ),
      // While there is room, the first ones stay.
      (
        "room", (1...6).map { lastNight + $0 * minute }, 9,
        week + [lastNight + minute, lastNight + 6 * minute]
      ),
    ]
    for (name, times, keep, left) in trials {
      let folder = BackupFolder(path: workshop.folder.root + "/" + name, library: "swan")
      try folder.make()
      for seconds in week + times { try Files.writeNew(folder.newPath(at: seconds), [0]) }
      let now = times.last ?? 0
      try folder.keepLast(
        keep, written: folder.path + "/segmance-swan-\(FileTimestamp.text(now)).tar", now: now,
        spacing: day / 2)
      #expect(try folder.all().map(\.createdAt) == left, "\(name)")
    }
  }

  @Test func `the last complete backup keeps files that the library has lost`() throws {
    let day = 86_400
    let week = (0..<7).map { 1_700_000_000 + $0 * day }
    let trials: [(name: String, incomplete: [Int], kept: Int?, left: [Int])] = [
      ("long", [2, 3, 4, 5, 6], 1, [1, 5, 6]), ("first", [6], 5, [4, 5, 6]),
      ("mended", [3, 4, 5], nil, [5, 6]), ("never", [0, 1, 2, 3, 4, 5, 6], nil, [0, 5, 6]),
    ]
    for (name, incomplete, kept, left) in trials {
      let folder = BackupFolder(path: workshop.folder.root + "/" + name, library: "swan")
      try folder.make()
      var written = ""
      for (index, seconds) in week.enumerated() {
        written = folder.newPath(at: seconds)
        if incomplete.contains(index) { written = BackupFolder.incompletePath(written) }
        try Files.writeNew(written, [0])
      }
      let spared = try folder.keepLast(2, written: written, now: week[6], spacing: day / 2)
      #expect(spared?.createdAt == kept.map { week[$0] }, "\(name)")
      #expect(try folder.all().map(\.createdAt) == left.map { week[$0] }, "\(name)")
      #expect(folder.newPath(at: week[6]).hasSuffix("-21Z.tar"), "that moment has its backup")
    }
  }
}

private enum WAVHeader {
  static let bytes = Array("RIFF....WAVEfmt ".utf8) + [UInt8](repeating: 0, count: 2_000)
}
