// Backup and restore of a whole library, over the routes and on the disk.

import Dispatch
import FoundationEssentials
import Glibc
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import Media
@testable import Network
@testable import Server
@testable import Storage

@Suite(.serialized) struct BackupTests {
  /// The folder of the backups.
  private let written: TemporaryFolder
  private let wav = WAV.impulses([1, 480_001], frames: 600_000)

  init() throws { written = try TemporaryFolder() }

  private func id(_ number: Int) -> String {
    let digits = String(number)
    return "0193a5b0-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private func change(
    _ type: String, _ record: Int, _ fields: String, at milliseconds: Int = 1
  ) -> String {
    """
    {"id":"\(id(900_000 + record))","type":"\(type)","record":"\(id(record))","fields":\(fields),\
    "at":"\(1_700_000_000_000 + milliseconds)-0000-0000abcd"}
    """
  }

  private struct Synced: Decodable {
    var seq: Int
    var records: [[String: Value]]
    var library: String
  }

  @discardableResult
  private func sync(_ studio: TestStudio, _ changes: [String] = []) throws -> Synced {
    try studio.post(
      "/api/sync", "{\"since\":0,\"changes\":[\(changes.joined(separator: ","))]}"
    ).json()
  }

  /// A library with a track, a routine of two parts, a move, and a routine that was deleted.
  private func fill(_ studio: TestStudio) throws -> TestStudio.AddedTrack {
    let track = try studio.importTrack(wav)
    try sync(
      studio,
      [
        change("routine", 1, #"{"title":"Swan \"and\" more ✨"}"#),
        change(
          "part", 2,
          """
          {"routine":"\(id(1))","track":"\(track.id)","startFrame":0,"endFrame":480000,\
          "title":"One","position":"a"}
          """),
        change("part", 3, #"{"routine":"\#(id(1))","title":"Two","position":"b"}"#),
        change("move", 4, #"{"part":"\#(id(2))","title":"Spin","notes":"left","position":"a"}"#),
        change("routine", 5, #"{"title":"Gone","deletedAt":1700000000500}"#),
      ])
    return track
  }

  private func backup(_ studio: TestStudio) throws -> String {
    let answer = studio.send(.get, "/api/backup")
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Length"] == "\(answer.body.count)")
    return try written.write("\(UUID().uuidString).tar", answer.body)
  }

  /// Writes the backup of a library whose database was modified with `sql`.
  private func backup(changedBy sql: String) throws -> String {
    let studio = try TestStudio()
    _ = try fill(studio)
    try studio.library.database.write { connection throws(DatabaseError) in
      try connection.execute(sql)
    }
    let prepared = try BackupSnapshot(
      database: studio.library.database, blobs: studio.library.blobs, isCancelled: { false })
    let backup = written.path + "/hostile.tar"
    #expect(try prepared.write(to: backup).isEmpty)
    try prepared.remove()
    return backup
  }

  /// What a client can read from a library, except states that change during a restore.
  private func contents(_ studio: TestStudio) throws -> Set<String> {
    Set(
      try sync(studio).records.map { record in
        record.filter { $0.key != "seq" }.sorted { $0.key < $1.key }
          .map { "\($0.key)=\($0.value)" }.joined(separator: ";")
      })
  }

  private func files(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test func `a restore brings all records back and derived files are prepared again`() throws {
    let studio = try TestStudio()
    let track = try fill(studio)
    let before = try contents(studio)
    let chunk = studio.send(.get, "/api/tracks/\(track.id)/chunks/1").body
    let file = try backup(studio)
    #expect(try files(in: studio.library.folder.tmp) == [])

    let folder = try TemporaryFolder()
    let summary = try LibraryRestore.run(root: folder.path, backup: file)
    #expect(summary.routines == 1 && summary.tracks == 1)
    #expect(summary.lost == [] && summary.aside == nil)
    let restored = try TestStudio(in: folder)
    #expect(restored.send(.get, "/api/tracks/\(track.id)/chunks/1").status >= 400)
    try restored.library.renewals.addMissing()
    try restored.runner.resume()
    restored.runner.waitUntilIdle()
    #expect(try contents(restored) == before)
    #expect(restored.send(.get, "/api/tracks/\(track.id)/chunks/1").body == chunk)
    #expect(restored.send(.get, "/api/tracks/\(track.id)/original").body == wav)
    #expect(try LibraryCheck(root: folder.path).problems(deep: true) == [])
    let others = (try sync(studio).library, try sync(restored).library)
    #expect(others.0 != others.1, "clients must see that it is another life")
  }

  @Test func `each backup made while eight clients edit is a consistent snapshot`() throws {
    let studio = try TestStudio()
    try fill(studio)
    let isDone = Atomic(false)
    let acknowledged = Mutex(0)
    let group = DispatchGroup()
    defer {
      isDone.store(true, ordering: .relaxed)
      group.wait()
    }
    for client in 0..<8 {
      // A separate queue has its own thread; the shared queues have only one per processor.
      DispatchQueue(label: "client").async(group: group) {
        var round = 0
        while !isDone.load(ordering: .relaxed) {
          let first = 1_000_000 * (client + 1) + round * 2
          let pair = [first, first + 1].map { change("routine", $0, #"{"title":"Pair"}"#) }
          do {
            try sync(studio, pair)
          } catch {
            Issue.record(error)
          }
          acknowledged.withLock { $0 += 1 }
          round += 1
        }
      }
    }
    for round in 0..<6 {
      while acknowledged.withLock({ $0 }) < 20 * (round + 1) { sched_yield() }
      let known = acknowledged.withLock { $0 }
      let file = try backup(studio)
      let folder = try TemporaryFolder()
      _ = try LibraryRestore.run(root: folder.path, backup: file)
      let records = RecordStore(
        database: try LibraryDatabase(readingAt: folder.path + "/segmance.sqlite"))
      let pairs = try records.records(.routine).filter { $0["title"] == "Pair" }
      #expect(pairs.count.isMultiple(of: 2))
      #expect(pairs.count / 2 >= known, "what was acknowledged before is in it")
    }
  }

  @Test func `a restore over a used library keeps the old library beside it`() throws {
    let studio = try TestStudio()
    let track = try fill(studio)
    let file = try backup(studio)
    let folder = try TemporaryFolder()
    do {
      let used = try TestStudio(in: folder)
      try sync(used, [change("routine", 77, #"{"title":"Mine"}"#)])
    }
    let aside = try #require(try LibraryRestore.run(root: folder.path, backup: file).aside)
    let kept = RecordStore(
      database: try LibraryDatabase(readingAt: aside + "/segmance.sqlite"))
    #expect(try kept.records(.routine).map { $0["title"] } == ["Mine"])
    let restored = try TestStudio(in: folder)
    #expect(try restored.library.records.record(.track, track.id) != nil)
    #expect(try restored.library.records.record(.routine, id(77)) == nil)
  }

  @Test func `a device that is revoked while a restore is prepared stays revoked`() throws {
    let studio = try TestStudio()
    let (kept, _) = try studio.library.devices.pair(name: "Phone", replacing: nil)
    let (revoked, _) = try studio.library.devices.pair(name: "Lost", replacing: nil)
    let (restore, summary) = try prepare(studio)
    _ = try studio.library.devices.remove(revoked.id)
    studio.library.database.setReadOnly()
    try restore.commit(summary)
    _ = try RestoreTransaction(studio.library.folder).finish()
    let restored = try LibraryDatabase(readingAt: studio.library.folder.database)
    #expect(try DeviceStore(database: restored).all().map(\.id) == [kept.id])
  }

  @Test func `a restore ends pairing and signing in that were under way`() throws {
    let studio = try TestStudio()
    let pairings = Pairings(
      store: PairingStore(database: studio.library.database), devices: studio.library.devices,
      now: Library.now)
    let code = try pairings.make(by: nil).token
    let challenge = try SignInChallenges(store: studio.library.secrets, now: Library.now)
      .make(for: "x")
    let (restore, summary) = try prepare(studio)
    studio.library.database.setReadOnly()
    try restore.commit(summary)
    _ = try RestoreTransaction(studio.library.folder).finish()
    let restored = try LibraryDatabase(path: studio.library.folder.database)
    let challenges = SignInChallenges(store: SecretStore(database: restored), now: Library.now)
    #expect(try !challenges.take(challenge, for: "x"))
    #expect(try PairingStore(database: restored).pairing(Token.hash(code)) == nil)
  }

  @Test
  func `a restore keeps the subscriptions and the key of the installation, and notifies nobody`()
    throws
  {
    let troupe = try NotifiedTroupe()
    let library = troupe.library
    let device = try troupe.device(of: troupe.ben, "ben", .all)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["ben"])
    let (restore, summary) = try prepare(troupe.studio)
    // All of this happens after the backup.
    let later = try troupe.device(of: troupe.eva, "eva", .all)
    try library.devices.forget(of: device)
    library.database.setReadOnly()
    try restore.commit(summary)
    _ = try RestoreTransaction(library.folder).finish()
    let restored = try LibraryDatabase(readingAt: library.folder.database)
    let devices = try DeviceStore(database: restored).all()
    #expect(devices.filter { $0.push != nil }.map(\.id) == [later])
    #expect(
      try PushKeyStore.key(in: SecretStore(database: restored)).publicKey
        == Base64URL.decode(troupe.notifier.publicKey))
    #expect(troupe.sent().isEmpty)
  }

  @Test func `a device that was revoked, but not removed, is not restored`() throws {
    let studio = try TestStudio()
    let (lost, _) = try studio.library.devices.pair(name: "Lost", replacing: nil)
    let (restore, summary) = try prepare(studio)
    studio.library.database.setReadOnly()
    #expect(throws: DatabaseError.self) { try studio.library.devices.remove(lost.id) }
    try restore.commit(summary, shutOut: studio.library.devices.unremoved)
    _ = try RestoreTransaction(studio.library.folder).finish()
    let restored = try LibraryDatabase(readingAt: studio.library.folder.database)
    #expect(try DeviceStore(database: restored).all() == [])
  }

  @Test func `a restore keeps the links of the installation, and brings none back`() throws {
    let studio = try TestStudio()
    _ = try fill(studio)
    let routine = try #require(try studio.library.records.present(.routine).first).id
    func make(to routine: String) throws -> LinkRow {
      try studio.makeLink(to: routine, expiresAt: Library.now() + 86_400_000)
    }
    let (revoked, lost) = (try make(to: routine), try make(to: routine))
    let (restore, summary) = try prepare(studio)
    // All of this happens after the backup.
    try studio.library.revokeLink(revoked.id, by: .owner)
    let made = try make(to: routine)
    studio.library.links.countOpening(of: made.id)
    try studio.library.links.save()
    try studio.library.commit([Library.Edit(.routine, id(88), ["title": "Later"])])
    let later = try make(to: id(88))
    studio.library.database.setReadOnly()
    #expect(throws: DatabaseError.self) { try studio.library.links.revoke(lost.id) }
    try restore.commit(summary, revoked: studio.library.links.unremoved)
    _ = try RestoreTransaction(studio.library.folder).finish()
    let restored = try LibraryDatabase(readingAt: studio.library.folder.database)
    let links = try LinkStore(database: restored).all()
    #expect(links.map(\.id) == [made.id], "not \(later.id): its routine is not there")
    #expect(links.first?.openings == 1)
    #expect(links.first?.secret == made.secret)
  }

  /// Prepares the restore of a library's own backup.
  private func prepare(_ studio: TestStudio) throws -> (LibraryRestore, RestoreSummary) {
    let restore = LibraryRestore(folder: studio.library.folder)
    let summary = try restore.prepare(
      backup: try backup(studio), job: id(1), progress: { _ in }, isCancelled: { false })
    return (restore, summary)
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func `a restored database that can't become one file replaces nothing`() throws {
    let studio = try TestStudio()
    let (device, _) = try studio.library.devices.pair(name: "Lost", replacing: nil)
    let swap = RestoreTransaction(studio.library.folder)
    let (restore, summary) = try prepare(studio)
    _ = try studio.library.devices.remove(device.id)
    studio.library.database.setReadOnly()
    // A reader of an earlier snapshot prevents a WAL checkpoint from emptying the WAL.
    let reader = try SQLiteConnection(path: swap.building.database, .reader)
    try reader.run("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM record")
    #expect { try restore.commit(summary) } throws: { ($0 as? DatabaseError)?.code == .busy }
    #expect(!swap.isPending)
    #expect(try swap.finish() == nil)
    let kept = try LibraryDatabase(readingAt: studio.library.folder.database)
    #expect(try DeviceStore(database: kept).all() == [])
  }

  @Test func `a restored database with a file beside it replaces nothing`() throws {
    let studio = try TestStudio()
    let swap = RestoreTransaction(studio.library.folder)
    _ = try prepare(studio)
    let log = swap.building.database + "-wal"
    try Files.remove(log)
    try Files.writeNew(log, [1])
    #expect { try swap.commit(aside: "aside", staleDerived: []) } throws: {
      ($0 as? StorageError)?.code == .fileSystem
    }
    #expect(!swap.isPending)
    // A reader leaves an empty WAL.
    try Files.remove(log)
    try Files.writeNew(log, [])
    try swap.commit(aside: "aside", staleDerived: [])
    #expect(swap.isPending)
  }

  /// Commands run by root do it too, in another user's folder.
  @Test func `a restore moves nothing out of its folder and removes nothing behind a link`() throws
  {
    let studio = try TestStudio()
    let (folder, root) = (studio.library.folder, studio.library.folder.root)
    let swap = RestoreTransaction(folder)
    let elsewhere = try TemporaryFolder()
    for aside in [
      "../\(UUID().uuidString)", "/before-restore-x", "before-restore-x/../..", "blobs",
    ] {
      _ = try prepare(studio)
      try swap.commit(aside: aside, staleDerived: [])
      #expect(throws: StorageError.self) { try swap.finish() }
      #expect(folder.hasLibrary)
      try Files.removeTree(root + "/restored")
    }
    _ = try prepare(studio)
    try swap.commit(aside: swap.asideName(at: 0), staleDerived: ["precious"])
    _ = try elsewhere.write("precious", [1])
    try Files.makeFolder(root + "/" + swap.asideName(at: 0))
    for path in [folder.derived, folder.tmp, root + "/before-restore-1970-01-01T00-00-00Z"] {
      try Files.move(path, to: path + "-away")
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: elsewhere.path)
      #expect(throws: StorageError.self) { try swap.finish() }
      if !path.contains("before") {
        #expect(throws: StorageError.self) { try folder.prepare() }
      }
      try Files.remove(path)
      try Files.move(path + "-away", to: path)
    }
    #expect(try Files.names(in: elsewhere.path) == ["precious"])
    #expect(try swap.finish()?.hasSuffix("before-restore-1970-01-01T00-00-00Z") == true)
  }

  @Test func `a restore of the same library keeps its derived files`() throws {
    let folder = try TemporaryFolder()
    var file = ""
    var track = ""
    do {
      let studio = try TestStudio(in: folder)
      track = try fill(studio).id
      file = try backup(studio)
    }
    _ = try LibraryRestore.run(root: folder.path, backup: file)
    let again = try TestStudio(in: folder)
    try again.library.renewals.addMissing()
    #expect(try again.library.jobs.unfinished() == [])
    #expect(again.send(.get, "/api/tracks/\(track)/chunks/0").status == 200)
  }

  @Test func `a restore interrupted anywhere leaves the old or the new library complete`() throws {
    let source = try TestStudio()
    try fill(source)
    let file = try backup(source)
    let folder = try TemporaryFolder()
    let parent = try TemporaryFolder()
    do { try sync(try TestStudio(in: folder), [change("routine", 77, #"{"title":"Mine"}"#)]) }
    // Before every call that changes files, the folder is copied, as a crash would leave it.
    let moments = Mutex<[String]>([])
    try FileJournal.$note.withValue({ _, _ in
      moments.withLock { moments in
        let copy = parent.path + "/\(moments.count)"
        do {
          try FileManager.default.copyItem(atPath: folder.path, toPath: copy)
          moments.append(copy)
        } catch {
          Issue.record(error)
        }
      }
    }) { _ = try LibraryRestore.run(root: folder.path, backup: file) }
    let tools = try MediaTools.locate(sandbox: .required)
    var titles: [String] = []
    for moment in moments.withLock({ $0 }) {
      // Opened twice, because the next start must also complete an interrupted finish.
      for _ in 0..<2 { _ = try Library(root: moment, tools: tools) }
      let records = RecordStore(
        database: try LibraryDatabase(readingAt: moment + "/segmance.sqlite"))
      let live = try records.records(.routine).filter { $0.deletedAt == nil }
      titles.append(live.compactMap { $0["title"].text }.joined(separator: ","))
      #expect(
        try LibraryCheck(root: moment).problems().allSatisfy {
          $0.contains("rendition") || $0.contains("waveform")
        })
      #expect(!Files.exists(moment + "/restoring") && !Files.exists(moment + "/restored"))
    }
    let new = "Swan \"and\" more ✨"
    #expect(Set(titles) == ["Mine", new])
    // A committed swap stays committed.
    #expect(titles == titles.sorted { $0 == "Mine" && $1 != "Mine" })
    #expect(titles.count > 10)
  }

  @Test func `a library opens even if the remains of a backup cannot be removed`()
    throws
  {
    let folder = try TemporaryFolder()
    let track = try fill(try TestStudio(in: folder))
    for name in [
      "tmp/backup-a/segmance.sqlite", "tmp/backup-b/segmance.sqlite", "tmp/file-c",
      "restoring/segmance.sqlite",
    ] {
      _ = try folder.write(name, [0])
    }
    // The folder is treated like another user's.
    let studio = try FileJournal.$note.withValue({ call, path in
      guard call == "unlink", path.contains("/tmp/backup-a/") || path.contains("/restoring/") else {
        return
      }
      throw StorageError.system("unlink", path, number: EACCES)
    }) { try TestStudio(in: folder) }
    #expect(try studio.library.records.record(.track, track.id) != nil)
    #expect(try Files.names(in: studio.library.folder.tmp) == ["backup-a"])
    #expect(Files.exists(studio.library.folder.restoring))
    #expect(studio.log.faults.count == 1)
    #expect(studio.log.faults.first?.contains("scrap.unremoved") == true)
  }

  @Test func `a backup download that is aborted leaves nothing`() throws {
    let studio = try TestStudio()
    let tmp = studio.library.folder.tmp
    do {
      let sink = try studio.library.restores.begin(length: nil)
      try [1, 2, 3].withUnsafeBytes { try sink.write($0) }
      #expect(try Files.names(in: tmp).count == 1)
      withExtendedLifetime(sink) {}
    }
    #expect(try Files.names(in: tmp) == [])
  }

  /// Only root can change a file's owner, so the test needs root.
  @Test(.enabled(if: geteuid() == 0))
  func `files that root creates in a user's library belong to the user`() throws {
    let source = try TestStudio()
    try fill(source)
    let file = try backup(source)
    let folder = try TemporaryFolder()
    try fill(try TestStudio(in: folder))
    let service = (user: uid_t(65_534), group: gid_t(65_533))
    try own(folder.path, by: service)
    _ = try LibraryRestore.run(root: folder.path, backup: file)
    #expect(try strangers(to: service, in: folder.path) == [])

    let empty = try TemporaryFolder()
    #expect(chown(empty.path, service.user, service.group) == 0)
    try fill(try TestStudio(in: empty))
    #expect(try strangers(to: service, in: empty.path) == [])
  }

  /// Changes the owner of a folder and its contents.
  private func own(_ root: String, by owner: (user: uid_t, group: gid_t)) throws {
    for path in try paths(in: root) { #expect(chown(path, owner.user, owner.group) == 0) }
  }

  /// The paths in a folder with another owner.
  private func strangers(to owner: (user: uid_t, group: gid_t), in root: String) throws -> [String]
  {
    try paths(in: root).filter { path in
      var status = stat()
      #expect(lstat(path, &status) == 0)
      return status.st_uid != owner.user || status.st_gid != owner.group
    }
  }

  private func paths(in root: String) throws -> [String] {
    [root] + (try FileManager.default.subpathsOfDirectory(atPath: root)).map { root + "/" + $0 }
  }

  @Test func `a committed restore is completed even if the disk fails after that`() throws {
    let source = try TestStudio()
    try fill(source)
    let file = try backup(source)
    let folder = try TemporaryFolder()
    do { try sync(try TestStudio(in: folder), [change("routine", 77, #"{"title":"Mine"}"#)]) }
    let isDecided = Mutex(false)
    let failures = Mutex(0)
    try FileJournal.$note.withValue({ call, path in
      if call == "rename", path.hasSuffix("/restored") { isDecided.withLock { $0 = true } }
      guard call == "fsync", path == folder.path, isDecided.withLock(\.self) else { return }
      isDecided.withLock { $0 = false }
      failures.withLock { $0 += 1 }
      throw StorageError(.fileSystem, "failed")
    }) { _ = try LibraryRestore.run(root: folder.path, backup: file) }
    #expect(failures.withLock(\.self) == 1)
    let records = RecordStore(
      database: try LibraryDatabase(readingAt: folder.path + "/segmance.sqlite"))
    let titles = try records.present(.routine).compactMap { $0["title"].text }
    #expect(titles == ["Swan \"and\" more ✨"])
  }

  @Test func `a refused backup changes nothing and leaves nothing`() throws {
    let studio = try TestStudio()
    try fill(studio)
    let file = try backup(studio)
    var bytes = try Files.read(file)
    bytes[bytes.count / 2] ^= 1
    let broken = try written.write("\(UUID().uuidString).tar", bytes)
    let folder = try TemporaryFolder()
    do { try sync(try TestStudio(in: folder), [change("routine", 77, #"{"title":"Mine"}"#)]) }
    let before = try files(in: folder.path)
    #expect(throws: StorageError.self) { try LibraryRestore.run(root: folder.path, backup: broken) }
    #expect(try files(in: folder.path) == before)
  }

  @Test func `a library that a killed server's child briefly holds can be opened`() throws {
    let root = written.path
    let held = open(root + "/segmance.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
    #expect(throws: LibraryError.self) { try LibraryLock(root: root, isPatient: false) }
    var pauses = 0
    _ = try LibraryLock(
      root: root,
      pause: { _ in
        pauses += 1
        guard pauses == 8 else { return }
        flock(held, LOCK_UN)
        close(held)
      })
    #expect(pauses == 8)
  }

  @Test func `a restore is refused while a server uses the library`() throws {
    let studio = try TestStudio()
    let file = try backup(studio)
    #expect(throws: LibraryError.self) {
      try LibraryRestore.run(root: studio.folder.path, backup: file)
    }
  }

  @Test func `files that were lost before are reported by name and the rest is restored`() throws {
    let studio = try TestStudio()
    let track = try fill(studio)
    let sha256 = try #require(
      try studio.library.records.record(.track, track.id)?["sha256"].text)
    try studio.library.blobs.remove(sha256)
    let file = try backup(studio)
    let folder = try TemporaryFolder()
    let summary = try LibraryRestore.run(root: folder.path, backup: file)
    #expect(summary.lost == ["song"])
    #expect(summary.sentence.contains("“song”"))
    let restored = try TestStudio(in: folder)
    try restored.library.renewals.addMissing()
    #expect(try restored.library.records.record(.routine, id(1)) != nil)
  }

  @Test func `an unfinished import continues in the restored library`() throws {
    let studio = try TestStudio()
    let upload = studio.upload(wav)
    // This library's runner never starts the job: the backup is taken first.
    let added = try studio.library.tracks.add(fromUpload: upload)
    let file = try backup(studio)
    let folder = try TemporaryFolder()
    _ = try LibraryRestore.run(root: folder.path, backup: file)
    let restored = try TestStudio(in: folder)
    try restored.library.renewals.addMissing()
    try restored.runner.resume()
    restored.runner.waitUntilIdle()
    #expect(try restored.library.records.record(.track, added.id)?["state"] == "ready")
  }

  @Test func `an unfinished conversion also waits in the restored library`() throws {
    let studio = try TestStudio()
    let upload = studio.upload(try VideoFixtures.bytes("hevc.mov"), name: "hevc.mov")
    let added = try studio.library.videos.add(fromUpload: upload)
    let file = try backup(studio)
    let folder = try TemporaryFolder()
    _ = try LibraryRestore.run(root: folder.path, backup: file)
    let restored = try TestStudio(in: folder)
    let library = restored.library
    func video() throws -> Record { try #require(try library.records.record(.video, added.id)) }
    let sha256 = try #require(try video()["sha256"].text)
    let blob = library.folder.blob(sha256)
    try FileManager.default.moveItem(atPath: blob, toPath: blob + "-away")
    // The blob is replaced by a file that opens but fails to read with an I/O error.
    try FileManager.default.createSymbolicLink(atPath: blob, withDestinationPath: "/proc/self/mem")
    try library.renewals.addMissing()
    try restored.runner.resume()
    restored.runner.waitUntilIdle()
    try library.cleaning.sweep()
    #expect(try video()["state"] == "importing")
    #expect(library.blobs.contains(sha256), "it is the only original")
    try Files.move(blob + "-away", to: blob)
    for job in try library.jobs.unfinished() { restored.runner.enqueue(job) }
    restored.runner.waitUntilIdle()
    #expect(try video()["state"] == "ready")
  }

  @Test func `an unreadable original is reported by the check and prevents no backup`()
    throws
  {
    let studio = try TestStudio()
    let track = try fill(studio)
    let sha256 = try #require(
      try studio.library.records.record(.track, track.id)?["sha256"].text)
    let blob = studio.library.folder.blob(sha256)
    try Files.remove(blob)
    try FileManager.default.createSymbolicLink(atPath: blob, withDestinationPath: "/proc/self/mem")
    let problems = try LibraryCheck(root: studio.folder.path).problems()
    #expect(problems.count == 1)
    #expect(problems.first?.contains("\(sha256) of “song” can't be read") == true)
    let folder = try TemporaryFolder()
    let summary = try LibraryRestore.run(root: folder.path, backup: try backup(studio))
    #expect(summary.lost == ["song"] && summary.routines == 1)
    #expect(studio.library.health.has(.download))
  }

  @Test func `a track that can't be prepared again keeps its file and has a reason`() throws {
    let studio = try TestStudio()
    let blob = try studio.library.blobs.add(contentsOf: Array("no music".utf8))
    try studio.library.commit([
      .init(
        .track, id(8),
        [
          "title": "Song", "sha256": .text(blob.sha256), "size": .integer(blob.size),
          "state": "ready", "lengthFrames": 480_000,
        ])
    ])
    try studio.library.renewals.addMissing()
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    let track = try #require(try studio.library.records.record(.track, id(8)))
    #expect(track["state"] == "failed" && track.deletedAt == nil)
    #expect(track["problem"].text?.isEmpty == false)
    #expect(studio.library.health.all.count == 1)
    try studio.library.cleaning.sweep()
    try studio.library.media.discard(.track, id(8))
    #expect(studio.library.blobs.contains(blob.sha256))
    // Uploaded again, it is the same track, and another failure removes nothing.
    let again = try studio.library.tracks.add(
      fromUpload: studio.upload(Array("no music".utf8)), title: nil)
    #expect(again.id == id(8) && !again.wasKnown)
    try studio.runner.enqueue(id: try #require(again.job))
    studio.runner.waitUntilIdle()
    let still = try #require(try studio.library.records.record(.track, id(8)))
    #expect(still["state"] == "failed" && still.deletedAt == nil)
    #expect(studio.library.blobs.contains(blob.sha256))
    try studio.library.renewals.addMissing()
    #expect(try studio.library.jobs.unfinished().count == 1, "the next start tries again")
  }

  @Test func `a failed preparation is in health until success or deletion`() throws {
    let studio = try TestStudio()
    let library = studio.library
    let track = try studio.importTrack(wav)
    let sha256 = try #require(try library.records.record(.track, track.id)?["sha256"].text)
    func failToRenew() throws {
      try Files.remove(library.folder.blob(sha256))
      try Files.writeNew(library.folder.blob(sha256), Array("no music".utf8))
      try library.folder.removeDerived(track.id)
      try library.renewals.addMissing()
      for job in try library.jobs.unfinished() { try studio.runner.enqueue(id: job.id) }
      studio.runner.waitUntilIdle()
    }
    try failToRenew()
    #expect(library.health.has(.renewal))
    // The same song again.
    #expect(try studio.importTrack(wav).id == track.id)
    #expect(try library.records.record(.track, track.id)?["state"] == "ready")
    #expect(!library.health.has(.renewal))
    try failToRenew()
    #expect(library.health.has(.renewal))
    try library.commit([.init(.track, track.id, ["deletedAt": .integer(Library.now())])])
    library.renewals.updateHealth()
    #expect(!library.health.has(.renewal))
  }

  @Test(
    .enabled(if: !TestDatabase.isServer, "the family swift runs it"),
    arguments: [
      "UPDATE counter SET value = 9223372036854775807 WHERE name = 'seq'",
      "UPDATE counter SET value = 0 WHERE name = 'seq'",
      "UPDATE counter SET value = 9223372036854775807 WHERE name = 'purged'",
      "UPDATE record SET seq = 9223372036854775807 WHERE type = 'routine' AND deletedAt IS NULL",
      "UPDATE counter SET value = 9223372036854775807 WHERE name = 'clock'",
      "UPDATE record SET fields = json_set(fields, '$.startFrame', -40000) WHERE type = 'part'",
      "UPDATE record SET fields = json_set(fields, '$.endFrame', 9223372036854775807) WHERE type = 'part'",
      "UPDATE record SET fields = json_set(fields, '$.size', 9223372036854775807) WHERE type = 'track'",
      // Above the maximum of a stamp, the clock could not advance.
      "UPDATE counter SET value = 655359999999999999 WHERE name = 'clock'",
      "UPDATE record SET id = 'a\"b' WHERE type = 'routine' AND deletedAt IS NULL",
      "UPDATE record SET id = substr(id, 2) WHERE type = 'part'",
      """
      INSERT INTO record SELECT 'setting', 'a b', -1, createdAt, NULL, '{}', '{}', 'owner' FROM record
      WHERE type = 'move'
      """,
      "UPDATE record SET space = 'a\"b' WHERE type = 'part'",
      "INSERT INTO personal VALUES ('a\"b', 'setting', 'theme', 1, 1, NULL, '{}', '{}')",
      "INSERT INTO personal VALUES ('owner', 'zzz', 'theme', 1, 1, NULL, '{}', '{}')",
      "INSERT INTO person VALUES ('a\"b', 'Ana', '#000000', 1, 0)",
      "UPDATE person SET colour = 'red'",
      "UPDATE person SET anewFrom = 9223372036854775807",
      "DELETE FROM person",
      "INSERT INTO troupe VALUES ('a\"b', 'Class', 1)",
      // Nobody leads this one.
      "INSERT INTO troupe VALUES ('0193a5b0-0000-7000-8000-00000000f007', 'Class', 1)",
      "UPDATE record SET type = 'zzz' WHERE type = 'routine' AND deletedAt IS NULL",
    ])
  func `a backup with unusable values or names is refused`(sql: String) throws {
    let backup = try backup(changedBy: sql)
    let root = written.path + "/new"
    let error = #expect(throws: StorageError.self) {
      _ = try LibraryRestore.run(root: root, backup: backup)
    }
    #expect(error?.code == .unusableBackup)
    #expect(!Files.exists(root + "/segmance.sqlite"))
  }

  @Test(
    .enabled(if: !TestDatabase.isServer, "the family swift runs it"),
    arguments: [
      #"json_insert(fields, '$.deletedAt', 5)"#, #"'{ }'"#,
      #"replace(fields, '{', '{"title":"other",')"#,
    ])
  func `values that only some readers accept are rewritten in a restore`(fields: String) throws {
    let backup = try backup(
      changedBy: "UPDATE record SET fields = \(fields) WHERE type = 'routine' AND deletedAt IS NULL"
    )
    let root = written.path + "/new"
    _ = try LibraryRestore.run(root: root, backup: backup)
    let records = RecordStore(database: try LibraryDatabase(path: root + "/segmance.sqlite"))
    let all = try records.page(since: 0, limit: 1_000).records
    let sent = try #require(all.first { $0.contains(id(1)) })
    #expect(!sent.contains(" }") && !sent.contains("null,}"))
    #expect(sent.ranges(of: "\"deletedAt\":").count == 1)
    #expect(sent.ranges(of: "\"title\":").count == (fields == "'{ }'" ? 0 : 1))
  }

  @Test func `a video that could not be converted does not count as a lost file`() throws {
    let studio = try TestStudio()
    let sha256 = String(repeating: "ab", count: 32)
    try studio.library.commit([
      .init(.video, id(9), ["title": "Film", "sha256": .text(sha256), "state": "failed"])
    ])
    let prepared = try BackupSnapshot(
      database: studio.library.database, blobs: studio.library.blobs, isCancelled: { false })
    #expect(prepared.missing == [])
    try prepared.remove()
  }
}
