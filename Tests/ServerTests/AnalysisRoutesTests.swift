// GET /api/tracks/{id}/analysis over the routes, and the job behind it.

import Analysis
import Database
import FoundationEssentials
import Media
import Model
import Storage
import TestSupport
import Testing

@testable import Server

@Suite struct AnalysisRoutesTests {
  private struct ConcurrencyLimit: Decodable {
    var job: String
  }

  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private func get(_ track: String, _ query: String = "") -> TestStudio.Answer {
    studio.send(.get, "/api/tracks/\(track)/analysis\(query)")
  }

  /// Imports a track like the command line, which leaves the analysis to the next server.
  private func addUnanalysed() throws -> String {
    let upload = studio.upload(WAV.impulses([24_000], frames: 48_000))
    let added = try studio.library.tracks.add(fromUpload: upload)
    let runner = JobRunner(library: studio.library, leavesBackgroundJobs: true)
    try runner.enqueue(id: try #require(added.job))
    runner.waitUntilIdle()
    return added.id
  }

  private func isStored(_ track: String) -> Bool {
    studio.library.folder.analysis(track: track) != nil
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: studio.library.folder.tmp)
  }

  @Test func `an import is followed by the analysis`() throws {
    let impulses = [9_600, 24_000, 38_400]
    let track = try studio.importTrack(WAV.impulses(impulses, frames: 48_000))
    let answer = get(track.id)
    #expect(answer.status == 200)
    let analysis = try answer.json(TrackAnalysis.self)
    #expect(analysis.attacks.count == impulses.count)
    for (attack, impulse) in zip(analysis.attacks, impulses) {
      #expect(abs(attack - impulse) <= 240)
    }
    #expect(analysis.changes.isEmpty)
    #expect(analysis.levels?.loudness.count == 10)
    #expect(answer.headers["Cache-Control"] == "no-cache")
    let versioned = get(track.id, "?version=\(DerivedVersions.current.analysis)")
    #expect(versioned.headers["Cache-Control"] == "private, max-age=31536000, immutable")
    #expect(get(track.id, "?version=999").headers["Cache-Control"] == "no-cache")
    #expect(get(track.id, "?version=new").status == 400)
    #expect(answer.headers["Content-Type"] == "application/json")
    #expect(answer.headers["ETag"] != nil)
    #expect(try leftovers().isEmpty)
  }

  @Test func `a track without an analysis gets one on request`() throws {
    let track = try studio.importTrack(WAV.impulses([24_000], frames: 48_000)).id
    // The state after an update from a version without analysis.
    let file = try #require(studio.library.folder.analysis(track: track))
    try FileManager.default.removeItem(atPath: file.path)
    let answer = get(track)
    #expect(answer.status == 202)
    #expect(answer.headers["Cache-Control"] == "no-store")
    let id = try answer.json(ConcurrencyLimit.self).job
    studio.runner.waitUntilIdle()
    let status = try #require(try studio.runner.status(id))
    #expect(status.kind == "analyse")
    #expect(status.state == .done)
    #expect(status.track == track)
    #expect(get(track).status == 200)
  }

  @Test func `a second request during an analysis gets the same job`() throws {
    let track = try addUnanalysed()
    studio.runner.stop()
    let first = try get(track).json(ConcurrencyLimit.self)
    #expect(try get(track).json(ConcurrencyLimit.self).job == first.job)
    #expect(try studio.library.jobs.unfinished().count == 1)
  }

  @Test func `an analysis that a restart interrupted is done at the next start`() throws {
    let track = try addUnanalysed()
    let waiting = try studio.library.jobs.unfinished()
    #expect(waiting.map(\.kind) == ["analyse"])
    #expect(waiting.map { $0.record?.id } == [track])
    #expect(!isStored(track))
    let next = JobRunner(library: studio.library)
    try next.resume()
    next.waitUntilIdle()
    #expect(get(track).status == 200)
    #expect(try studio.library.jobs.unfinished().isEmpty)
  }

  @Test func `a cancelled analysis leaves nothing and can be requested again`() throws {
    let track = try addUnanalysed()
    let job = try #require(try studio.library.jobs.unfinished().first)
    let stopped = JobRunner(library: studio.library)
    stopped.stop()
    try stopped.enqueue(id: job.id)
    try stopped.cancel(job.id)
    #expect(try studio.library.jobs.job(job.id)?.state == .cancelled)
    #expect(!isStored(track))
    #expect(try leftovers().isEmpty)
    #expect(try studio.library.records.record(.track, track)?["state"] == "ready")
    #expect(try get(track).json(ConcurrencyLimit.self).job != job.id)
    studio.runner.waitUntilIdle()
    #expect(get(track).status == 200)
  }

  @Test func `an analysis that is cancelled while running writes nothing`() throws {
    let track = try addUnanalysed()
    let job = try #require(try studio.library.jobs.unfinished().first)
    let context = JobContext { _ in }
    context.cancel()
    #expect(throws: (any Error).self) {
      try AnalysisJob(library: studio.library).run(job, context)
    }
    #expect(!isStored(track))
    #expect(try leftovers().isEmpty)
  }

  @Test func `the analysis of a track that was deleted meanwhile fails with a message`() throws {
    let track = try addUnanalysed()
    let job = try #require(try studio.library.jobs.unfinished().first)
    try studio.library.tracks.remove(track)
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    let status = try #require(try studio.runner.status(job.id))
    #expect(status.state == .failed)
    #expect(status.message == "The track is gone.")
    #expect(get(track).status == 404)
    #expect(!isStored(track))
  }

  @Test func `a damaged rendition is reported and not retried at once`() throws {
    let track = try addUnanalysed()
    try Data("no music".utf8).write(
      to: URL(filePath: studio.library.folder.chunk(track: track, 0)))
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    let answer = get(track)
    #expect(answer.status == 409)
    #expect(answer.text.contains("damaged"))
    #expect(try studio.library.jobs.unfinished().isEmpty)
    #expect(!isStored(track))
    #expect(try leftovers().isEmpty)
  }

  @Test func `an analysis that failed while the clock was ahead is retried`() throws {
    let track = try addUnanalysed()
    let first = try #require(try studio.library.jobs.unfinished().first)
    let now = Library.now()
    let ahead = Identifier.make(milliseconds: now + 365 * 86_400_000)
    try studio.library.jobs.write { writer throws(DatabaseError) in
      try writer.update(first.id, to: .cancelled, now: now)
      try writer.add(JobRow(id: ahead, kind: AnalysisJob.kind, parameters: track), now: now + 1)
      try writer.update(ahead, to: .failed, message: "It is damaged.", now: now)
    }
    #expect(get(track).status == 202)
  }

  @Test func `an analysis that failed in the future is not retried at each request`()
    throws
  {
    let track = try addUnanalysed()
    let first = try #require(try studio.library.jobs.unfinished().first)
    let soon = Library.now() + 3_600_000
    let ahead = Identifier.make(milliseconds: soon)
    try studio.library.jobs.write { writer throws(DatabaseError) in
      try writer.update(first.id, to: .cancelled, now: soon)
      try writer.add(JobRow(id: ahead, kind: AnalysisJob.kind, parameters: track), now: soon)
      try writer.update(ahead, to: .failed, message: "It is damaged.", now: soon)
    }
    for _ in 0..<3 { #expect(get(track).status == 409) }
    #expect(try studio.library.jobs.unfinished().isEmpty)
  }

  @Test func `deleting a track deletes its analysis`() throws {
    let track = try studio.importTrack(WAV.impulses([24_000], frames: 48_000)).id
    #expect(isStored(track))
    #expect(studio.send(.delete, "/api/tracks/\(track)").status == 204)
    #expect(!isStored(track))
    #expect(get(track).status == 404)
  }

  @Test func `unknown tracks are 404, and unfinished ones 409`() throws {
    for id in ["x", "0193a5b0-0000-7000-8000-000000000001"] {
      #expect(get(id).status == 404, "\(id)")
    }
    let upload = studio.upload(WAV.impulses([24_000], frames: 48_000))
    let added = try studio.library.tracks.add(fromUpload: upload)
    #expect(get(added.id).status == 409)
  }

  @Test func `an import and an analysis that wait together both finish`() throws {
    let first = try addUnanalysed()
    let upload = studio.upload(WAV.impulses([5], frames: 48_000))
    let second = try studio.library.tracks.add(fromUpload: upload)
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    #expect(get(first).status == 200)
    #expect(get(second.id).status == 200)
  }

  /// A library with one analysed track, reopened by a program with newer versions of derived files.
  private func updated() throws -> (studio: TestStudio, track: String, analysis: [UInt8]) {
    let folder = try TemporaryFolder()
    let earlier: (track: String, analysis: [UInt8]) = try {
      let studio = try TestStudio(in: folder)
      let track = try studio.importTrack(WAV.impulses([24_000], frames: 48_000)).id
      return (track, studio.send(.get, "/api/tracks/\(track)/analysis").body)
    }()
    let next = DerivedVersions(
      analysis: DerivedVersions.current.analysis + 1, peaks: DerivedVersions.current.peaks + 1)
    return (try TestStudio(in: folder, versions: next), earlier.track, earlier.analysis)
  }

  @Test func `a newer program repeats the analysis and the waveform of a library`() throws {
    let (newer, track, analysis) = try updated()
    let versions = newer.library.folder.versions
    let addresses = [
      "analysis?version=\(versions.analysis)",
      "peaks?framesPerPixel=64&version=\(versions.peaks)",
    ].map { "/api/tracks/\(track)/\($0)" }
    // Until the renewal is done, the earlier versions are served and must not be cached.
    let before = addresses.reversed().map { newer.send(.get, $0) }
    for answer in before {
      #expect(answer.status == 200)
      #expect(answer.headers["Cache-Control"] == "no-store")
    }
    #expect(before[1].body == analysis)
    newer.runner.waitUntilIdle()
    let after = addresses.reversed().map { newer.send(.get, $0) }
    for (old, new) in zip(before, after) {
      #expect(new.headers["ETag"] != old.headers["ETag"])
      #expect(new.headers["Cache-Control"] == "private, max-age=31536000, immutable")
    }
    #expect(after[0].body == before[0].body)
    #expect(try after[1].json(TrackAnalysis.self) == before[1].json(TrackAnalysis.self))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: newer.library.folder.derived(track))
    #expect(
      names.sorted() == [
        "00000.flac", "analysis-\(versions.analysis).json", "peaks-\(versions.peaks).dat",
      ])
    #expect(try newer.library.records.record(.track, track)?["state"] == "ready")
  }

  @Test func `the start of a newer program queues outdated analyses once`() throws {
    let (newer, track, _) = try updated()
    for _ in 0..<2 { try newer.library.renewals.addMissing() }
    let jobs = try newer.library.jobs.unfinished()
    #expect(jobs.map(\.kind) == ["analyse"])
    #expect(jobs.map { $0.record?.id } == [track])
    try newer.runner.resume()
    newer.runner.waitUntilIdle()
    #expect(!newer.library.folder.isOutdated(track: track))
    try newer.library.renewals.addMissing()
    #expect(try newer.library.jobs.unfinished().isEmpty)
  }

  @Test func `the start of the same program repeats no analysis`() throws {
    _ = try studio.importTrack(WAV.impulses([9_600], frames: 48_000))
    let unanalysed = try addUnanalysed()
    let job = try #require(try studio.library.jobs.unfinished().first)
    try studio.library.jobs.write { writer throws(DatabaseError) in
      try writer.update(job.id, to: .failed, message: "It failed.", now: Library.now())
    }
    try studio.library.renewals.addMissing()
    #expect(try studio.library.jobs.unfinished().isEmpty)
    #expect(!isStored(unanalysed))
  }
}
