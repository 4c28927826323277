// POST and GET /api/videos/{id}/alignment over the routes, and the job behind them.

import Analysis
import Database
import FoundationEssentials
import Media
import Model
import Storage
import TestSupport
import Testing

@testable import Server

@Suite struct AlignmentRoutesTests {
  private struct ConcurrencyLimit: Decodable {
    var job: String
  }

  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private func addSong() throws -> String {
    try studio.importTrack(VideoFixtures.bytes("song.flac"), name: "song.flac").id
  }

  /// A ready video that plays its original, as an import leaves it.
  private func addVideo(_ name: String, fields: [String: Value] = [:]) throws -> String {
    let id = Identifier.make(milliseconds: Library.now())
    let blob = try studio.library.blobs.add(contentsOf: VideoFixtures.bytes(name))
    var values: [String: Value] = [
      "title": "Film", "fileName": "film.mp4", "sha256": .text(blob.sha256),
      "size": .integer(blob.size), "state": "ready", "hasSound": 1, "plays": "original",
    ]
    values.merge(fields) { $1 }
    try studio.library.commit([Library.Edit(.video, id, values)])
    return id
  }

  /// Uploads a video like a browser, and waits until it is ready.
  private func importVideo(_ name: String) throws -> String {
    let upload = try studio.upload(VideoFixtures.bytes(name), name: name)
    let answer = studio.post("/api/videos", "{\"upload\":\"\(upload)\"}")
    studio.runner.waitUntilIdle()
    return try answer.json(TestStudio.AddedTrack.self).id
  }

  private func ask(_ video: String, _ track: String, _ start: Int = 0, _ end: Int = 960_000)
    -> TestStudio.Answer
  {
    studio.post(
      "/api/videos/\(video)/alignment",
      "{\"track\":\"\(track)\",\"start\":\(start),\"end\":\(end)}")
  }

  private func get(_ video: String, _ track: String, _ start: Int = 0, _ end: Int = 960_000)
    -> TestStudio.Answer
  {
    studio.send(
      .get, "/api/videos/\(video)/alignment?track=\(track)&start=\(start)&end=\(end)")
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: studio.library.folder.tmp)
  }

  @Test func `a video is aligned once and the answer is stored`() throws {
    let (song, video) = (try addSong(), try importVideo("filmed.mp4"))
    #expect(get(video, song).status == 404)
    let asked = ask(video, song)
    #expect(asked.status == 202)
    #expect(asked.headers["Cache-Control"] == "no-store")
    let job = try asked.json(ConcurrencyLimit.self).job
    studio.runner.waitUntilIdle()
    let status = try #require(try studio.runner.status(job))
    #expect(status.kind == "align")
    #expect(status.state == .done)
    #expect(status.video == video)
    #expect(status.track == nil)
    for answer in [get(video, song), ask(video, song)] {
      #expect(answer.status == 200)
      let alignment = try answer.json(SoundAlignment.self)
      #expect(abs(alignment.offset + 168_000) <= 480)
      #expect(alignment.isCertain)
    }
    // A different stretch is a separate request with the same result.
    #expect(get(video, song, 240_000, 720_000).status == 404)
    #expect(ask(video, song, 240_000, 720_000).status == 202)
    studio.runner.waitUntilIdle()
    let other = try get(video, song, 240_000, 720_000).json(SoundAlignment.self)
    #expect(abs(other.offset + 168_000) <= 480)
    #expect(try leftovers().isEmpty)
    #expect(studio.send(.delete, "/api/videos/\(video)").status == 204)
    #expect(get(video, song).status == 404)
    let derived = studio.library.folder.derived(video)
    #expect(!FileManager.default.fileExists(atPath: derived))
  }

  @Test func `the alignment with another song is not certain`() throws {
    let (song, video) = (try addSong(), try addVideo("filmed-other-song.mp4"))
    _ = ask(video, song)
    studio.runner.waitUntilIdle()
    #expect(try !get(video, song).json(SoundAlignment.self).isCertain)
  }

  @Test func `a second request during an alignment gets the same job`() throws {
    let (song, video) = (try addSong(), try addVideo("filmed.mp4"))
    studio.runner.stop()
    let first = try ask(video, song).json(ConcurrencyLimit.self)
    #expect(try ask(video, song).json(ConcurrencyLimit.self).job == first.job)
    let seen = get(video, song)
    #expect(seen.status == 202)
    #expect(try seen.json(ConcurrencyLimit.self).job == first.job)
    #expect(try studio.library.jobs.unfinished().count == 1)
    // A second runner has the same state as after a restart.
    let next = JobRunner(library: studio.library)
    try next.resume()
    next.waitUntilIdle()
    #expect(get(video, song).status == 200)
  }

  @Test func `a cancelled alignment leaves nothing and can be requested again`() throws {
    let (song, video) = (try addSong(), try addVideo("filmed.mp4"))
    studio.runner.stop()
    let job = try ask(video, song).json(ConcurrencyLimit.self).job
    let stopped = JobRunner(library: studio.library)
    stopped.stop()
    try stopped.enqueue(id: job)
    try stopped.cancel(job)
    #expect(try studio.library.jobs.job(job)?.state == .cancelled)
    #expect(get(video, song).status == 404)
    #expect(try ask(video, song).json(ConcurrencyLimit.self).job != job)
  }

  @Test func `an alignment that is cancelled while running writes nothing`() throws {
    let (song, video) = (try addSong(), try addVideo("filmed.mp4"))
    studio.runner.stop()
    let id = try ask(video, song).json(ConcurrencyLimit.self).job
    let job = try #require(try studio.library.jobs.job(id))
    let context = JobContext { _ in }
    context.cancel()
    #expect(throws: MediaError.self) {
      try AlignmentJob(library: studio.library).run(job, context)
    }
    let derived = studio.library.folder.derived(video)
    #expect(!FileManager.default.fileExists(atPath: derived))
    #expect(try leftovers().isEmpty)
  }

  @Test func `the alignment of silence fails with a message and is retried on request`() throws {
    let (song, video) = (try addSong(), try addVideo("filmed-silence.mp4"))
    let first = try ask(video, song).json(ConcurrencyLimit.self).job
    studio.runner.waitUntilIdle()
    let answer = get(video, song)
    #expect(answer.status == 409)
    #expect(answer.text.contains("silent"))
    #expect(try ask(video, song).json(ConcurrencyLimit.self).job != first)
  }

  @Test func `a video without sound is refused at once`() throws {
    let song = try addSong()
    let known = try addVideo("filmed-without-sound.mp4", fields: ["hasSound": 0])
    #expect(ask(known, song).status == 409)
    #expect(ask(known, song).text.contains("no sound"))
    // The record claims a soundtrack; the job finds none.
    let unknown = try addVideo("filmed-without-sound.mp4")
    #expect(ask(unknown, song).status == 202)
    studio.runner.waitUntilIdle()
    #expect(get(unknown, song).status == 409)
    #expect(get(unknown, song).text.contains("no sound"))
  }

  @Test func `the alignment of a video that is deleted meanwhile fails with a message`() throws {
    let (song, video) = (try addSong(), try addVideo("filmed.mp4"))
    studio.runner.stop()
    let job = try ask(video, song).json(ConcurrencyLimit.self).job
    try studio.library.commit(
      [Library.Edit(.video, video, ["deletedAt": .integer(Library.now())])])
    let next = JobRunner(library: studio.library)
    try next.resume()
    next.waitUntilIdle()
    #expect(try studio.library.jobs.job(job)?.message == "The video is gone.")
    #expect(get(video, song).status == 404)
  }

  @Test func `unknown, unfinished and invalid requests are refused`() throws {
    let (song, video) = (try addSong(), try addVideo("filmed.mp4"))
    let nobody = "0193a5b0-0000-7000-8000-000000000001"
    #expect(ask("x", song).status == 404)
    #expect(ask(nobody, song).status == 404)
    #expect(ask(video, nobody).status == 422)
    #expect(get(video, "x%2F..").status == 422)
    for (start, end) in [(-1, 10), (10, 10), (20, 10), (0, 960_001), (0, Int.max)] {
      #expect(ask(video, song, start, end).status == 422, "\(start) \(end)")
      #expect(get(video, song, start, end).status == 422, "\(start) \(end)")
    }
    let target = "/api/videos/\(video)/alignment"
    for body in ["", "[]", "{\"track\":\"\(song)\",\"start\":0.5,\"end\":9}", "{\"start\":0}"] {
      #expect(studio.post(target, body).status == 400, "\(body)")
    }
    #expect(studio.send(.get, target).status == 400)
    #expect(studio.send(.get, target + "?track=\(song)&start=x&end=9").status == 400)
    let converting = try addVideo("filmed.mp4", fields: ["state": "importing"])
    #expect(ask(converting, song).status == 409)
    let failed = try addVideo(
      "filmed.mp4", fields: ["state": "failed", "problem": "The end is missing."])
    #expect(ask(failed, song).text.contains("The end is missing."))
    let upload = studio.upload(WAV.impulses([24_000], frames: 48_000))
    let importing = try studio.library.tracks.add(fromUpload: upload)
    #expect(ask(video, importing.id, 0, 10).status == 409)
    #expect(try studio.library.jobs.unfinished().filter { $0.kind == "align" }.isEmpty)
  }
}
