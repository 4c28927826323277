// When jobs run, and what happens to the record of a failed job.

import FoundationEssentials
import Glibc
import Media
import Model
import Storage
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct JobRunnerTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  /// A track whose import job is not enqueued yet.
  private func add(_ song: [UInt8]) throws -> (track: String, job: JobRow) {
    let library = studio.library
    let added = try library.tracks.add(fromUpload: studio.upload(song), title: nil)
    let job = try #require(added.job)
    return (added.id, try #require(try library.jobs.job(job)))
  }

  /// The log lines about jobs, in order.
  private func told(_ names: [String]) -> [String] {
    studio.log.all.compactMap { line in names.first { line.contains(" \($0) ") } }
  }

  /// Lets the time pass after which a job is tried again, and waits until it has run.
  private func runPutOff() {
    studio.timers.advance(RetryPolicy.delaySeconds(after: RetryPolicy.Attempts()) * 1_000)
    studio.runner.waitUntilIdle()
  }

  @Test func `a job that has ended before its turn is not run`() throws {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    studio.runner.enqueue(job)
    studio.runner.waitUntilIdle()
    #expect(try studio.library.jobs.job(job.id)?.state == .done)
    // The row as it was read before the job ended.
    studio.runner.enqueue(job)
    studio.runner.waitUntilIdle()
    #expect(try studio.library.jobs.job(job.id)?.state == .done)
    #expect(try studio.library.records.record(.track, track)?["state"] == "ready")
    #expect(told(["job.started"]).count == 2, "the import, and the analysis after it")
  }

  @Test func `when a job's end is reported all its results are stored`() throws {
    for round in 1...8 {
      let (track, job) = try add(WAV.impulses([round], frames: 48_000))
      studio.runner.enqueue(job)
      // Without a pause, so that the end is seen as early as it is reported.
      let end = ContinuousClock.now + .seconds(Patience.seconds)
      while try studio.runner.status(job.id)?.state.isFinal != true {
        try #require(ContinuousClock.now < end)
      }
      #expect(studio.runner.counts.ended[ImportJob.kind]?[.done] == round)
      #expect(studio.runner.counts.running[ImportJob.kind, default: 0] == 0)
      #expect(try studio.library.records.record(.track, track)?["state"] == "ready")
      studio.runner.waitUntilIdle()
    }
  }

  @Test func `a cancelled job does not continue at the next start after a stop`()
    throws
  {
    // It runs as long as it is left to.
    let (_, running) = try add(WAV.impulses([1], frames: 48_000 * 600))
    let (_, waiting) = try add(WAV.impulses([2], frames: 48_000))
    studio.runner.enqueue(running)
    try studio.runner.cancel(running.id)
    studio.runner.halt()
    studio.runner.enqueue(waiting)
    try studio.runner.cancel(waiting.id)
    #expect(try studio.runner.status(waiting.id)?.state == .cancelled)
    studio.runner.stop()
    #expect(try studio.library.jobs.job(running.id)?.state == .cancelled)
    #expect(try studio.library.jobs.unfinished().isEmpty)
  }

  @Test func `two jobs on one record do not run at the same time`() throws {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    let again = try RenewJob.row(TrackParameters(track: track))
    try studio.library.jobs.write { writer throws(DatabaseError) in
      try writer.add(again, now: Library.now())
    }
    // No job can end while this lock is held.
    try studio.library.mediaLock.withLock {
      studio.runner.enqueue(job)
      studio.runner.enqueue(again)
      #expect(studio.runner.counts.running.values.reduce(0, +) == 1)
    }
    studio.runner.waitUntilIdle()
    #expect(studio.runner.counts.ended[RenewJob.kind]?[.done] == 1)
  }

  @Test(arguments: [false, true])
  func `a failed import keeps a track that was added again meanwhile`(
    clockWentBack: Bool
  ) throws {
    let song = WAV.impulses([1], frames: 48_000)
    let (track, job) = try add(song)
    if clockWentBack {
      try studio.library.database.write { connection throws(DatabaseError) in
        try connection.execute("UPDATE job SET createdAt = createdAt + 3600000")
      }
    }
    try studio.library.tracks.remove(track)
    let (same, later) = try add(song)
    #expect(same == track)
    studio.runner.end(job, .failed, message: "The track is gone.")
    #expect(try studio.library.jobs.job(job.id)?.state == .failed)
    studio.runner.enqueue(later)
    studio.runner.waitUntilIdle()
    let record = try #require(try studio.library.records.record(.track, track))
    #expect(record["state"] == "ready" && record.deletedAt == nil)
    let isWhole = studio.send(.get, "/api/tracks/\(track)/original").body == song
    #expect(isWhole)
  }

  @Test(arguments: [JobRow.State.cancelled, .failed])
  func `the end of an import that comes late keeps a track that was added again and is ready`(
    state: JobRow.State
  ) throws {
    let song = WAV.impulses([1], frames: 48_000)
    let (track, job) = try add(song)
    try studio.library.tracks.remove(track)
    let (_, later) = try add(song)
    studio.runner.enqueue(later)
    studio.runner.waitUntilIdle()
    studio.runner.end(job, state, message: nil)
    #expect(try studio.library.jobs.job(job.id)?.state == state)
    let record = try #require(try studio.library.records.record(.track, track))
    #expect(record["state"] == "ready" && record.deletedAt == nil)
    let isWhole = studio.send(.get, "/api/tracks/\(track)/original").body == song
    #expect(isWhole)
  }

  @Test(arguments: [false, true])
  func `of two failed imports of one song the last to end deletes the track`(
    laterFirst: Bool
  ) throws {
    let song = WAV.impulses([1], frames: 48_000)
    let (track, first) = try add(song)
    try studio.library.tracks.remove(track)
    let (_, later) = try add(song)
    let jobs = laterFirst ? [later, first] : [first, later]
    studio.runner.end(jobs[0], .failed, message: "It failed.")
    #expect(try studio.library.records.record(.track, track)?["state"] == "importing")
    studio.runner.end(jobs[1], .failed, message: "It failed.")
    #expect(try studio.library.records.record(.track, track)?.deletedAt != nil)
    #expect(try studio.library.jobs.unfinished().isEmpty)
    #expect(try studio.library.blobs.all().isEmpty)
  }

  @Test func `an analysis does not prevent a failed preparation from giving up`()
    throws
  {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    let analysis = try AnalysisJob.row(TrackParameters(track: track))
    try studio.library.jobs.write { writer throws(DatabaseError) in
      try writer.add(analysis, now: Library.now())
    }
    studio.runner.end(job, .failed, message: "It failed.")
    #expect(try studio.library.records.record(.track, track)?["state"] == "failed")
  }

  @Test func `a job whose end violates a rule fails with a message`() throws {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    let ended = studio.runner.end(
      job, .done, message: nil,
      edits: [.init(.track, track, ["state": "ready", "loudness": 1_000])])
    #expect(ended?.state == .failed)
    #expect(try studio.library.jobs.unfinished().isEmpty)
    let row = try #require(try studio.library.jobs.job(job.id))
    #expect(row.state == .failed && row.message?.hasSuffix(".") == true)
    let record = try #require(try studio.library.records.record(.track, track))
    #expect(record["state"] == "failed" && record.deletedAt != nil)
    #expect(record["problem"].text == row.message)
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(studio.log.faults.count == 1)
    // A message that cannot be stored does not restart the job either.
    let (other, second) = try add(WAV.impulses([2], frames: 48_000))
    #expect(studio.runner.end(second, .failed, message: "\u{1}")?.state == .failed)
    #expect(try studio.library.records.record(.track, other)?["state"] == "failed")
  }

  @Test func `an import with a disk error is retried and its song is kept`() throws {
    let derived = studio.library.folder.root + "/derived"
    try FileManager.default.moveItem(atPath: derived, toPath: derived + "-away")
    // A file replaces the folder, so nothing can be created in it.
    try Data().write(to: URL(filePath: derived))
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    studio.runner.enqueue(job)
    studio.runner.waitUntilIdle()
    #expect(!told(["job.putOff"]).isEmpty)
    let status = try #require(try studio.runner.status(job.id))
    #expect(status.state == .queued && status.message?.hasSuffix("It is tried again.") == true)
    #expect(try studio.library.records.record(.track, track)?["state"] == "importing")
    try FileManager.default.removeItem(atPath: derived)
    try FileManager.default.moveItem(atPath: derived + "-away", toPath: derived)
    studio.timers.advance(4_999)
    studio.runner.waitUntilIdle()
    #expect(try studio.runner.status(job.id)?.state == .queued)
    studio.timers.advance(1)
    studio.runner.waitUntilIdle()
    #expect(try studio.runner.status(job.id)?.state.isFinal == true)
    #expect(try studio.library.records.record(.track, track)?["state"] == "ready")
  }

  /// Makes the database refuse the end `state` of a job, until `allowEnds`.
  private func refuseEnds(_ state: JobRow.State, _ refusal: String = "SELECT RAISE(FAIL, 'no')")
    throws
  {
    try studio.library.database.write { connection throws(DatabaseError) in
      try connection.execute(
        """
        CREATE TABLE ballast (bytes BLOB);
        CREATE TRIGGER heavy AFTER UPDATE ON job WHEN NEW.state = '\(state.rawValue)' BEGIN
          \(refusal);
        END;
        PRAGMA max_page_count = 1;
        """)
    }
  }

  private func allowEnds() throws {
    try studio.library.database.write { connection throws(DatabaseError) in
      try connection.execute("DROP TRIGGER heavy; DROP TABLE ballast")
    }
  }

  @Test(
    .enabled(if: !TestDatabase.isServer, "the family swift runs it"),
    arguments: [
      // It needs more pages than the file may have.
      "INSERT INTO ballast VALUES (zeroblob(1000000))", "SELECT RAISE(FAIL, 'no')",
    ])
  func `a job whose end could not be written is run again later`(refusal: String) throws {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    try refuseEnds(.done, refusal)
    studio.runner.enqueue(job)
    studio.runner.waitUntilIdle()
    #expect(!told(["job.endUnwritten"]).isEmpty)
    #expect(try studio.library.jobs.job(job.id)?.state == .running)
    try allowEnds()
    runPutOff()
    #expect(try studio.runner.status(job.id)?.state.isFinal == true)
    #expect(try studio.library.jobs.job(job.id)?.state == .done)
    #expect(try studio.library.records.record(.track, track)?["state"] == "ready")
    #expect(try studio.library.jobs.unfinished().filter { $0.id == job.id }.isEmpty)
    studio.runner.waitUntilIdle()
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func
    `a restore whose failure can't be written gives its room back, and ends without another try`()
    throws
  {
    let library = studio.library
    let id = Identifier.make(milliseconds: Library.now())
    let upload = try library.folder.makeTemporary("restore-\(id).tar")
    try [UInt8](repeating: 0, count: 10_240).withUnsafeBytes { try upload.write($0) }
    try upload.finish()
    try library.restores.add(id)
    try refuseEnds(.failed)
    try studio.runner.enqueue(id: id)
    studio.runner.waitUntilIdle()
    #expect(!told(["job.endUnwritten"]).isEmpty)
    #expect(try studio.runner.status(id)?.state == .queued)
    #expect(!FileManager.default.fileExists(atPath: upload.path))
    try allowEnds()
    runPutOff()
    #expect(try studio.runner.status(id)?.state.isFinal == true)
    let job = try #require(try library.jobs.job(id))
    #expect(job.state == .failed && job.message?.contains("backup") == true)
    #expect(told(["job.started"]).count == 1)
    #expect(try library.jobs.unfinished().isEmpty)
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func `a cancelled job does not run if the cancellation could not be written`() throws {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    studio.runner.retryLater(job, "It waits.", after: StorageError(.noSpace, "The disk is full."))
    try refuseEnds(.cancelled)
    try studio.runner.cancel(job.id)
    #expect(try studio.library.jobs.job(job.id)?.state.isFinal == false)
    #expect(try studio.runner.status(job.id)?.message?.hasSuffix("It is tried again.") == true)
    try allowEnds()
    try studio.runner.enqueue(id: job.id)
    studio.runner.waitUntilIdle()
    #expect(try studio.library.jobs.job(job.id)?.state == .cancelled)
    #expect(try studio.library.records.record(.track, track)?.deletedAt != nil)
    #expect(told(["job.started"]).isEmpty)
  }

  @Test func `a job that is not queued can be cancelled`() throws {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    try studio.runner.cancel(job.id)
    #expect(try studio.library.jobs.job(job.id)?.state == .cancelled)
    #expect(try studio.library.records.record(.track, track)?.deletedAt != nil)
  }

  @Test func `a job that is added again while it is postponed is not lost`() throws {
    // It runs as long as it is left to.
    let (_, job) = try add(WAV.impulses([1], frames: 48_000 * 600))
    studio.runner.enqueue(job)
    studio.runner.retryLater(job, "It waits.", after: StorageError(.noSpace, "The disk is full."))
    try studio.runner.enqueue(id: job.id)
    #expect(studio.runner.counts.waiting[ImportJob.kind] == 1)
    try studio.runner.cancel(job.id)
    studio.runner.waitUntilIdle()
    #expect(try studio.library.jobs.job(job.id)?.state == .cancelled)
    #expect(studio.runner.counts.waiting.isEmpty)
  }

  @Test func `a job that the library adds is queued automatically`() throws {
    studio.library.jobQueue.connect(studio.runner)
    let other = try studio.library.tracks.add(
      fileName: "song.wav",
      staged: studio.library.blobs.stage(contentsOf: WAV.impulses([2], frames: 48_000)))
    studio.runner.waitUntilIdle()
    #expect(try studio.library.records.record(.track, other.id)?["state"] == "ready")
  }

  @Test func `deleting a track cancels the job that waits for it`() throws {
    let (track, job) = try add(WAV.impulses([1], frames: 48_000))
    studio.library.jobQueue.connect(studio.runner)
    try studio.library.tracks.remove(track)
    #expect(try studio.library.jobs.job(job.id)?.state == .cancelled)
  }
}
