// Backups and health over the routes.

import FoundationEssentials
import Model
import Storage
import TestSupport
import Testing

@testable import Database
@testable import Media
@testable import Server

@Suite(.serialized) struct BackupRoutesTests {
  private struct Job: Decodable { var job: String }
  private struct Health: Decodable {
    var status: String
    var version: String
    var problems: [String]
  }
  private struct Status: Decodable {
    struct Scheduled: Decodable {
      var folder: String
      var keep: Int
      var count: Int
      var lastAt: Int?
      var lastBytes: Int?
      var problem: String?
    }
    var bytes: Int
    var scheduled: Scheduled?
  }

  private let tar = [("Content-Type", "application/x-tar")]

  private func plan(in folder: TemporaryFolder, keep: Int) throws -> BackupPlan {
    let path = folder.path + "/backups"
    try Files.makeFolder(path)
    return BackupPlan(path: path, everyHours: 24, keep: keep)
  }

  private func stored(_ studio: TestStudio) throws -> [BackupFolder.Stored] {
    try #require(studio.library.backups.destination).all()
  }

  private func health(_ studio: TestStudio) throws -> Health {
    try studio.send(.get, "/api/health").json()
  }

  private func runBackup(_ studio: TestStudio) throws -> String {
    let answer = studio.send(.post, "/api/backups")
    #expect(answer.status == 202)
    let job = try answer.json(Job.self).job
    try studio.runner.enqueue(id: job)
    studio.runner.waitUntilIdle()
    return job
  }

  @Test
  func `a damaged original is reported and the last complete backup is kept until it is repaired`()
    throws
  {
    let folder = try TemporaryFolder()
    let plan = try plan(in: folder, keep: 1)
    let studio = try TestStudio(backupPlan: plan)
    let song = WAV.impulses([1], frames: 100_000)
    let track = try studio.importTrack(song)
    _ = try runBackup(studio)
    let whole = try stored(studio)
    let sha256 = try #require(
      try studio.library.records.record(.track, track.id)?["sha256"].text)
    try Files.remove(studio.library.folder.blob(sha256))
    try Files.writeNew(studio.library.folder.blob(sha256), song.dropLast() + [song.last! ^ 1])
    _ = try runBackup(studio)
    #expect(
      try health(studio).problems.first?.contains("one file can’t be used") == true)
    let kept = FileTimestamp.shown(whole[0].createdAt)
    #expect(
      try health(studio).problems.first?.contains("restore the one of \(kept), which is kept")
        == true)
    _ = try runBackup(studio)
    #expect(try stored(studio).count == 2 && stored(studio).first == whole.first)
    #expect(try stored(studio).map(\.isIncomplete) == [false, true])
    // The same song again.
    #expect(
      try studio.library.tracks.add(fromUpload: studio.upload(song), title: nil).id == track.id)
    _ = try runBackup(studio)
    #expect(try health(studio).status == "ok")
    #expect(try stored(studio).count == 1)
    let target = try TemporaryFolder()
    let last = try #require(try stored(studio).last)
    _ = try LibraryRestore.run(
      root: target.path, backup: plan.path + "/" + last.name)
    #expect(try Files.read(DataDirectory(root: target.path).blob(sha256)) == song)
  }

  @Test func `a download reports missing files until a complete one is made`() throws {
    let studio = try TestStudio()
    let song = WAV.impulses([1], frames: 100_000)
    let track = try studio.importTrack(song)
    let sha256 = try #require(
      try studio.library.records.record(.track, track.id)?["sha256"].text)
    let blob = studio.library.folder.blob(sha256)
    #expect(studio.send(.get, "/api/backup").status == 200)
    #expect(try health(studio).status == "ok")
    try Files.remove(blob)
    #expect(studio.send(.get, "/api/backup").status == 200)
    #expect(try health(studio).problems.first?.contains("backup lacks one file") == true)
    #expect(studio.log.all.last { $0.contains("backup.sent") }?.contains("missing=1") == true)
    try Files.writeNew(blob, song.dropLast() + [song.last! ^ 1])
    #expect(studio.send(.get, "/api/backup").status == 200)
    #expect(try health(studio).problems.first?.contains("one file can’t be used") == true)
    #expect(studio.log.all.last { $0.contains("backup.sent") }?.contains("damaged=1") == true)
    #expect(
      try studio.library.tracks.add(fromUpload: studio.upload(song), title: nil).id == track.id)
    #expect(studio.send(.get, "/api/backup").status == 200)
    #expect(try health(studio).status == "ok")
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func `a library with a damaged database is not sent and leaves no files`() throws {
    let studio = try TestStudio()
    try studio.library.database.write { connection throws(DatabaseError) in
      try connection.execute("CREATE TABLE stray (x)")
    }
    let answer = studio.send(.get, "/api/backup")
    #expect(answer.status == 500)
    #expect(answer.text.contains("Run: segmance check"))
    #expect(try health(studio).problems.first?.contains("Run: segmance check") == true)
    #expect(studio.log.faults.contains { $0.contains("request.failed") })
    #expect(try Files.names(in: studio.library.folder.tmp) == [])
    // The download slot is free again.
    #expect(studio.library.streamedBackups.begin(limit: 1))
  }

  @Test func `a backup is written to its folder, verified and listed`() throws {
    let folder = try TemporaryFolder()
    let plan = try plan(in: folder, keep: 2)
    let studio = try TestStudio(backupPlan: plan)
    _ = try studio.importTrack(WAV.impulses([1], frames: 100_000))
    #expect(try studio.library.backups.isDue(secondsSinceAttempt: 4_000))
    let job = try runBackup(studio)
    #expect(try studio.library.jobs.job(job)?.state == .done)
    #expect(try !studio.library.backups.isDue(secondsSinceAttempt: 4_000))
    // A backup dated in the future by a wrong clock does not delay the next one for years.
    let plans = try TestStudio(
      backupPlan: BackupPlan(path: folder.path + "/ahead", everyHours: 24, keep: 2))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/ahead", withIntermediateDirectories: true)
    try Data().write(
      to: URL(filePath: try #require(plans.library.backups.destination).newPath(at: 7_226_582_400)))
    #expect(try plans.library.backups.isDue(secondsSinceAttempt: 4_000))
    let ahead = try plans.send(.get, "/api/backups").json(Status.self)
    #expect(ahead.scheduled?.count == 1)
    #expect(ahead.scheduled?.lastAt == nil && ahead.scheduled?.lastBytes == nil)
    var figures = MetricsText()
    try plans.library.writeFigures(to: &figures)
    #expect(!figures.text.contains("segmance_last_backup_timestamp_seconds"))
    try studio.library.writeFigures(to: &figures)
    #expect(figures.text.contains("segmance_last_backup_timestamp_seconds"))
    let status = try studio.send(.get, "/api/backups").json(Status.self)
    let scheduled = try #require(status.scheduled)
    #expect(scheduled.count == 1 && scheduled.keep == 2 && scheduled.problem == nil)
    let size = try #require(scheduled.lastBytes)
    // The log beside the database counts, and holds pages of it once more.
    #expect(abs(size - status.bytes) < 300_000, "what was announced is about right")
    let last = try #require(try stored(studio).last)
    let target = try TemporaryFolder()
    let summary = try LibraryRestore.run(
      root: target.path, backup: plan.path + "/" + last.name)
    #expect(summary.tracks == 1)
    #expect(try health(studio).status == "ok")
  }

  @Test func `two libraries with one folder delete only their own backups`() throws {
    let folder = try TemporaryFolder()
    let plan = try plan(in: folder, keep: 1)
    let (swan, duck) = (try TestStudio(backupPlan: plan), try TestStudio(backupPlan: plan))
    let download = plan.path + "/segmance-2026-11-21T18-20-00Z.tar"
    try Files.writeNew(download, [])
    _ = try runBackup(swan)
    let first = try stored(swan)
    #expect(try !swan.library.backups.isDue(secondsSinceAttempt: 4_000))
    #expect(try duck.library.backups.isDue(secondsSinceAttempt: 4_000))
    let status = try duck.send(.get, "/api/backups").json(Status.self)
    #expect(status.scheduled?.count == 0 && status.scheduled?.lastAt == nil)
    // The partial file of the other backup is not removed either.
    let partial = plan.path + "/." + first[0].name + ".partial"
    try Files.writeNew(partial, [])
    _ = try runBackup(duck)
    #expect(try stored(duck).count == 1)
    #expect(try stored(swan) == first)
    #expect(Files.exists(partial) && Files.exists(download))
    // A restored library continues the backups of its source.
    let target = try TemporaryFolder()
    _ = try LibraryRestore.run(root: target.path, backup: plan.path + "/" + first[0].name)
    let restored = try TestStudio(in: target, backupPlan: plan)
    #expect(try stored(restored) == first)
    _ = try runBackup(restored)
    #expect(try stored(restored).count == 1 && stored(restored) != first)
    #expect(try stored(duck).count == 1)
    #expect(!Files.exists(partial))
  }

  @Test func `a failed backup is in health until one succeeds and the old ones stay`() throws {
    let folder = try TemporaryFolder()
    let plan = try plan(in: folder, keep: 1)
    let studio = try TestStudio(backupPlan: plan)
    _ = try runBackup(studio)
    let kept = try stored(studio)
    #expect(kept.count == 1)
    // A file has replaced the folder.
    try FileManager.default.moveItem(atPath: plan.path, toPath: folder.path + "/away")
    _ = try folder.write("backups", [])
    let job = try runBackup(studio)
    #expect(try studio.library.jobs.job(job)?.state == .failed)
    let sick = try health(studio)
    #expect(sick.status == "degraded")
    #expect(sick.problems.first?.hasPrefix("The last backup failed: ") == true)
    let again = try TestStudio(in: try TemporaryFolder(), backupPlan: plan)
    #expect(try health(again).status == "ok")
    try FileManager.default.removeItem(atPath: plan.path)
    try FileManager.default.moveItem(atPath: folder.path + "/away", toPath: plan.path)
    #expect(try stored(studio) == kept)
    _ = try runBackup(studio)
    #expect(try health(studio).status == "ok")
  }

  @Test func `an unreadable folder is in health until it can be read`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("backups", [])
    let studio = try TestStudio(
      backupPlan: BackupPlan(path: file, everyHours: 24, keep: 1))
    #expect(studio.library.backups.addDue(secondsSinceAttempt: 4_000) == nil)
    #expect(try health(studio).problems.first?.contains("No backup can be begun") == true)
    try Files.remove(file)
    try Files.makeFolder(file)
    #expect(studio.library.backups.addDue(secondsSinceAttempt: 0) == nil)
    #expect(try health(studio).status == "ok")
    // A backup that is removed while the folder is listed is ignored without an error.
    try FileManager.default.createSymbolicLink(
      atPath: try #require(studio.library.backups.destination).newPath(at: 1_767_225_600),
      withDestinationPath: file + "/gone")
    #expect(studio.library.backups.addDue(secondsSinceAttempt: 4_000) != nil)
    #expect(try health(studio).status == "ok")
  }

  @Test func `backups wait for a missing disk and are not written to another one`() throws {
    let folder = try TemporaryFolder()
    let disk = folder.path + "/disk"
    let studio = try TestStudio(
      backupPlan: BackupPlan(path: disk + "/backups", everyHours: 24, keep: 1))
    studio.library.backups.makeFolder()
    for _ in 1...2 {
      #expect(studio.library.backups.addDue(secondsSinceAttempt: 4_000) == nil)
    }
    let sentence = "The folder for backups is not there. Is its disk connected?"
    #expect(try health(studio).problems == ["No backup can be begun: " + sentence])
    #expect(studio.log.faults.filter { $0.contains("backup.notBegun") }.count == 1)
    let status = try studio.send(.get, "/api/backups").json(Status.self)
    #expect(status.scheduled?.problem == sentence)
    // Neither does a requested backup, also if the disk disappears while the server runs.
    let job = try runBackup(studio)
    #expect(try studio.library.jobs.job(job)?.message == sentence)
    #expect(try Files.names(in: folder.path) == [])
    try Files.makeFolder(disk)
    #expect(studio.library.backups.addDue(secondsSinceAttempt: 4_000) == nil)
    #expect(try Files.names(in: disk) == [], "it may be the place of a disk")
    studio.library.backups.makeFolder()
    #expect(studio.library.backups.addDue(secondsSinceAttempt: 4_000) != nil)
    #expect(try !health(studio).problems.contains { $0.hasPrefix("No backup can be begun") })
  }

  @Test func `a failed backup is still reported after a restart`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("backups", [])
    let plan = BackupPlan(path: file, everyHours: 24, keep: 1)
    let library = try TemporaryFolder()
    do {
      let studio = try TestStudio(in: library, backupPlan: plan)
      _ = try runBackup(studio)
    }
    let studio = try TestStudio(in: library, backupPlan: plan)
    try studio.library.backups.recallLast()
    #expect(try health(studio).status == "degraded")
  }

  @Test func `without a folder a backup is refused with a message`() throws {
    let studio = try TestStudio()
    #expect(studio.send(.post, "/api/backups").status == 409)
    let status = try studio.send(.get, "/api/backups").json(Status.self)
    #expect(status.scheduled == nil && status.bytes > 0)
  }

  @Test func `a restore by the route prepares the library for the next start`() throws {
    let source = try TestStudio()
    _ = try source.importTrack(WAV.impulses([1], frames: 100_000))
    let backup = source.send(.get, "/api/backup").body
    let folder = try TemporaryFolder()
    var job = ""
    do {
      let studio = try TestStudio(in: folder)
      let answer = studio.send(.post, "/api/restore", headers: tar, body: backup)
      #expect(answer.status == 202)
      job = try answer.json(Job.self).job
      studio.runner.waitUntilIdle()
      #expect(studio.log.all.contains("replaced"))
      // From here on no change is acknowledged, because the next library would not have it.
      let refused = studio.post(
        "/api/sync",
        """
        {"since":0,"changes":[{"id":"0193a5b0-0000-7000-8000-000000000001","type":"routine",\
        "record":"0193a5b0-0000-7000-8000-000000000002","fields":{"title":"Late"},\
        "at":"1700000000000-0000-0000abcd"}]}
        """)
      #expect(refused.status == 503)
      #expect(studio.post("/api/sync", "{\"since\":0,\"changes\":[]}").status == 200)
    }
    let restored = try TestStudio(in: folder)
    #expect(restored.library.previousLibrary?.contains("before-restore-") == true)
    let ended = try #require(try restored.library.jobs.job(job))
    #expect(ended.state == .done)
    #expect(ended.message?.contains("1 track") == true)
    #expect(try restored.library.records.records(.track).count == 1)
    #expect(try Files.names(in: restored.library.folder.tmp) == [])
  }

  @Test func `a file that is no backup is refused at once and leaves nothing`() throws {
    let studio = try TestStudio()
    let tmp = studio.library.folder.tmp
    let refused = studio.send(.post, "/api/restore", headers: tar, body: Array("hello".utf8))
    #expect(refused.status == 422)
    #expect(refused.text.contains("no backup"))
    #expect(studio.send(.post, "/api/restore", headers: tar).status == 422)
    #expect(studio.send(.post, "/api/restore", body: [1]).status == 415)
    let other = [("Content-Type", "application/x-tar"), ("Sec-Fetch-Site", "cross-site")]
    #expect(studio.send(.post, "/api/restore", headers: other, body: [1]).status == 403)
    #expect(try Files.names(in: tmp) == [])
    #expect(try studio.library.jobs.unfinished() == [])
  }

  @Test func `a restore interrupted by a stop reports it and changes nothing`() throws {
    let folder = try TemporaryFolder()
    let job = "0193a5b0-0000-7000-8000-000000000009"
    do {
      let studio = try TestStudio(in: folder)
      try studio.library.restores.add(job)
    }
    let studio = try TestStudio(in: folder)
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    let ended = try #require(try studio.library.jobs.job(job))
    #expect(ended.state == .failed)
    #expect(ended.message?.contains("Nothing was changed") == true)
  }

  @Test func `two simultaneous restores run once`() throws {
    let studio = try TestStudio()
    try studio.library.restores.add("0193a5b0-0000-7000-8000-000000000001")
    #expect(throws: (any Error).self) {
      try studio.library.restores.add("0193a5b0-0000-7000-8000-000000000002")
    }
  }
}
