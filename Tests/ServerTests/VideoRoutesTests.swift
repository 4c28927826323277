// Reference videos over the routes: upload, conversion, playback and deletion.

import FoundationEssentials
import HTTP
import HTTPTesting
import Model
import Storage
import TestSupport
import Testing

@testable import Server

@Suite struct VideoRoutesTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  /// The data of a job event.
  private struct Told: Decodable {
    var id: String
    var state: String
    var video: String
  }

  private struct Added: Decodable, Equatable {
    var id: String
    var job: String?
  }

  /// Uploads a fixture and makes a video from it, without waiting for its conversion.
  private func offer(_ name: String) throws -> (status: Int, added: Added) {
    let upload = studio.upload(try VideoFixtures.bytes(name), name: name)
    let answer = studio.post("/api/videos", "{\"upload\":\"\(upload)\"}")
    return (answer.status, try answer.json())
  }

  private func add(_ name: String) throws -> Added {
    let added = try offer(name).added
    studio.runner.waitUntilIdle()
    return added
  }

  private func video(_ id: String) throws -> Record {
    try #require(try studio.library.records.record(.video, id))
  }

  private func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      var isFolder = false
      return FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
        && !isFolder
    }
  }

  private func expectNothingLeft() throws {
    #expect(try studio.library.blobs.all().isEmpty)
    for folder in [studio.library.folder.derived, studio.library.folder.tmp] {
      #expect(try files(in: folder).isEmpty)
    }
  }

  @Test func `a video that must be converted is played converted, and its original kept`() throws {
    let (status, added) = try offer("hevc.mov")
    #expect(status == 202)
    let waiting = studio.send(.get, "/api/videos/\(added.id)/file")
    #expect([200, 409].contains(waiting.status))
    studio.runner.waitUntilIdle()
    let record = try video(added.id)
    #expect(record["state"] == "ready" && record["plays"] == "conversion")
    #expect(record["title"] == "hevc" && record["fileName"] == "hevc.mov")
    #expect(record["width"] == 160 && record["height"] == 120)
    #expect(record["framesPerSecond"].number == 15 && record["hasSound"] == 1)
    #expect(abs((record["length"].integer ?? 0) - 96_000) < 1_000)

    let played = studio.send(.get, "/api/videos/\(added.id)/file")
    #expect(played.status == 200)
    #expect(played.headers["Content-Type"] == "video/mp4")
    #expect(played.headers["Cache-Control"] == "no-cache")
    #expect(played.headers["Accept-Ranges"] == "bytes")
    #expect(Array(played.body[4..<8]) == Array("ftyp".utf8))
    let some = studio.send(
      .get, "/api/videos/\(added.id)/file", headers: [("Range", "bytes=100-199")])
    #expect(some.status == 206)
    #expect(some.body == Array(played.body[100..<200]))
    let tag = try #require(played.headers["ETag"])
    let known = studio.send(
      .get, "/api/videos/\(added.id)/file", headers: [("If-None-Match", tag)])
    #expect(known.status == 304)
    let poster = studio.send(.get, "/api/videos/\(added.id)/poster")
    #expect(poster.status == 200 && poster.headers["Content-Type"] == "image/jpeg")
    let original = studio.send(.get, "/api/videos/\(added.id)/original")
    #expect(original.headers["Content-Disposition"]?.contains("hevc.mov") == true)
    #expect(original.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
    #expect(try original.body == VideoFixtures.bytes("hevc.mov"))
    let id = try #require(added.job)
    let job = try #require(try studio.runner.status(id))
    #expect(job.kind == "convert" && job.state == .done)
    #expect(job.video == added.id && job.track == nil)
    #expect(try LibraryCheck(root: studio.folder.path).problems().isEmpty)
  }

  @Test func `a video that every browser plays is not stored twice`() throws {
    let added = try add("plays-everywhere.mp4")
    let record = try video(added.id)
    #expect(record["plays"] == "original")
    #expect(try files(in: studio.library.folder.derived) == ["\(added.id)/poster.jpg"])
    #expect(studio.send(.get, "/api/videos/\(added.id)/file").status == 200)
    #expect(
      studio.library.videos.playedFile(of: Video(record))
        == record["sha256"].text.map { .blob($0) })
  }

  @Test func `the same bytes again are the same video, and may be a track besides`() throws {
    let first = try add("plays-everywhere.mp4")
    let (status, again) = try offer("plays-everywhere.mp4")
    #expect(status == 200 && again.id == first.id && again.job == nil)
    let track = try studio.importTrack(VideoFixtures.bytes("plays-everywhere.mp4"), name: "a.mp4")
    #expect(track.id != first.id)
    #expect(try studio.library.blobs.all().count == 1)
    #expect(studio.send(.delete, "/api/videos/\(first.id)").status == 204)
    #expect(try studio.library.blobs.all().count == 1)
    #expect(try studio.library.records.record(.track, track.id)?["state"] == "ready")
  }

  @Test func `a video's end leaves the bytes of a song that can still come back`() throws {
    let bytes = try VideoFixtures.bytes("plays-everywhere.mp4")
    let track = try studio.importTrack(bytes, name: "a.mp4")
    let removed = try add("plays-everywhere.mp4")
    try studio.library.commit([
      .init(.track, track.id, ["deletedAt": .integer(Library.now())])
    ])
    #expect(studio.send(.delete, "/api/videos/\(removed.id)").status == 204)
    #expect(try studio.library.blobs.all().count == 1)
    let upload = studio.upload(bytes, name: "plays-everywhere.mp4")
    let failed = try studio.library.videos.add(fromUpload: upload)
    let id = try #require(failed.job)
    let job = try #require(try studio.library.jobs.job(id))
    studio.runner.end(job, .failed, message: "It failed.")
    // Undo.
    try studio.library.commit([.init(.track, track.id, ["deletedAt": nil])])
    let isWhole = studio.send(.get, "/api/tracks/\(track.id)/original").body == bytes
    #expect(isWhole)
    // After permanent deletion, neither keeps its bytes.
    #expect(studio.send(.delete, "/api/videos/\(failed.id)").status == 204)
    #expect(studio.send(.delete, "/api/tracks/\(track.id)").status == 204)
    try expectNothingLeft()
  }

  @Test func `a lost answer can be asked for again, but not as a track`() throws {
    let upload = studio.upload(try VideoFixtures.bytes("silent.mp4"), name: "silent.mp4")
    let request = "{\"upload\":\"\(upload)\"}"
    let first = try studio.post("/api/videos", request).json(Added.self)
    let again = studio.post("/api/videos", request)
    #expect(again.status == 202)
    #expect(try again.json(Added.self) == first)
    studio.runner.waitUntilIdle()
    #expect(studio.post("/api/tracks", request).status == 404)
    #expect(try video(first.id)["hasSound"] == 0)
  }

  @Test(arguments: [
    "sound-only.m4a", "picture.jpg", "index-missing.mp4", "letter.mp4", "playlist-hls.mp4",
  ])
  func `what can't be converted says why, and nothing of it stays on the disk`(
    name: String
  ) throws {
    let added = try add(name)
    let record = try video(added.id)
    #expect(record["state"] == "failed" && record.deletedAt == nil)
    let problem = try #require(record["problem"].text)
    #expect(problem.hasSuffix("."))
    let id = try #require(added.job)
    let status = try #require(try studio.runner.status(id))
    #expect(status.state == .failed && status.message == problem)
    for part in ["file", "poster", "original"] {
      let answer = studio.send(.get, "/api/videos/\(added.id)/\(part)")
      #expect(answer.status == 409)
      #expect(answer.text.contains(problem))
    }
    try expectNothingLeft()
    #expect(try LibraryCheck(root: studio.folder.path).problems().isEmpty)
    // The same bytes are tried again under the same id.
    let again = try add(name)
    #expect(again.id == added.id && again.job != added.job)
    #expect(studio.send(.delete, "/api/videos/\(added.id)").status == 204)
    #expect(studio.send(.get, "/api/videos/\(added.id)/file").status == 404)
  }

  @Test func `an upload without bytes is no video`() throws {
    #expect(studio.post("/api/videos", "{\"upload\":\"\(studio.upload([]))\"}").status == 422)
    #expect(studio.post("/api/videos", "{\"upload\":\"nowhere\"}").status == 404)
    #expect(studio.post("/api/videos", "{}").status == 400)
    let upload = studio.upload([1])
    let long = String(repeating: "x", count: 201)
    let answer = studio.post("/api/videos", "{\"upload\":\"\(upload)\",\"title\":\"\(long)\"}")
    #expect(answer.status == 422)
    #expect(try studio.library.records.records(.video).isEmpty)
  }

  @Test func `a video that a part uses can't be deleted at once`() throws {
    let added = try add("silent.mp4")
    let track = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    _ = try studio.library.addRoutine(
      title: "Swan", parts: [.init(title: "All", track: track.id, range: 0..<48_000)])
    let part = try #require(try studio.library.records.records(.part).first)
    try studio.library.commit([
      .init(.part, part.id, ["video": .text(added.id), "videoOffset": -480, "videoMirrored": 1])
    ])
    #expect(studio.send(.delete, "/api/videos/\(added.id)").status == 409)
    try studio.library.commit([.init(.part, part.id, ["video": nil])])
    #expect(studio.send(.delete, "/api/videos/\(added.id)").status == 204)
    #expect(try files(in: studio.library.folder.derived).allSatisfy { !$0.contains(added.id) })
    #expect(try video(added.id).deletedAt != nil)
  }

  @Test func `a video that only a deleted routine uses can be deleted at once`() throws {
    let added = try add("silent.mp4")
    let ids = (0..<2).map { _ in Identifier.make(milliseconds: Library.now()) }
    try studio.library.commit([
      .init(.routine, ids[0], ["title": "Swan"]),
      .init(.part, ids[1], ["routine": .text(ids[0]), "video": .text(added.id)]),
    ])
    #expect(studio.send(.delete, "/api/videos/\(added.id)").status == 409)
    try studio.library.commit([.init(.routine, ids[0], ["deletedAt": 5])])
    #expect(studio.send(.delete, "/api/videos/\(added.id)").status == 204)
    try expectNothingLeft()
  }

  @Test func `deleting a video while it waits for its conversion leaves nothing`() throws {
    let upload = studio.upload(try VideoFixtures.bytes("hevc.mov"), name: "hevc.mov")
    let added = try studio.library.videos.add(fromUpload: upload)
    try studio.library.videos.remove(added.id)
    let job = try #require(added.job)
    try studio.runner.enqueue(id: job)
    studio.runner.waitUntilIdle()
    #expect(try studio.library.jobs.job(job)?.state == .failed)
    try expectNothingLeft()
  }

  @Test func `a cancelled conversion leaves nothing`() throws {
    let upload = studio.upload(try VideoFixtures.bytes("hevc.mov"), name: "hevc.mov")
    let added = try studio.library.videos.add(fromUpload: upload)
    let job = try #require(added.job)
    let stopped = JobRunner(library: studio.library)
    stopped.stop()
    try stopped.enqueue(id: job)
    try stopped.cancel(job)
    #expect(try studio.library.jobs.job(job)?.state == .cancelled)
    #expect(try video(added.id).deletedAt != nil)
    try expectNothingLeft()
  }

  @Test func `a conversion that a restart interrupted is done at the next start`() throws {
    let upload = studio.upload(try VideoFixtures.bytes("hevc.mov"), name: "hevc.mov")
    let added = try studio.library.videos.add(fromUpload: upload)
    studio.runner.stop()
    #expect(try video(added.id)["state"] == "importing")
    #expect(studio.send(.get, "/api/videos/\(added.id)/file").status == 409)
    let next = JobRunner(library: studio.library)
    try next.resume()
    next.waitUntilIdle()
    #expect(try video(added.id)["state"] == "ready")
  }

  @Test func `conversions take turns, imports don't wait for them`() throws {
    let events = try studio.library.hub.subscribe()
    let first = try offer("hevc.mov").added
    let second = try offer("vp9.webm").added
    let upload = studio.upload(WAV.impulses([5], frames: 48_000))
    #expect(studio.post("/api/tracks", "{\"upload\":\"\(upload)\"}").status == 202)
    studio.runner.waitUntilIdle()
    #expect(try video(first.id)["state"] == "ready")
    #expect(try video(second.id)["state"] == "ready")
    var atWork: Set<String> = []
    var steps: [String: Int] = [:]
    let lines = events.takePending().split(separator: "\n")
    let importing = try #require(
      lines.firstIndex { $0.contains("\"import\"") && $0.contains("running") })
    let converted = try #require(
      lines.lastIndex { $0.contains("\"convert\"") && $0.contains("done") })
    #expect(importing < converted)
    for line in lines where line.contains("\"convert\"") {
      let json = Data(line.dropFirst("data: ".count).utf8)
      let job = try JSONDecoder().decode(Told.self, from: json)
      if job.state == "running" { atWork.insert(job.id) } else { atWork.remove(job.id) }
      #expect(atWork.count <= 1)
      steps[job.video, default: 0] += 1
    }
    #expect(steps.keys.sorted() == [first.id, second.id].sorted())
    #expect(steps.values.allSatisfy { $0 >= 3 })
  }

  @Test func `the sweep takes a deleted video after a day, not before`() throws {
    let kept = try add("silent.mp4")
    let gone = try add("hevc.mov")
    let day = 86_400_000
    let deletedAt = Library.now()
    try studio.library.commit([.init(.video, gone.id, ["deletedAt": .integer(deletedAt)])])
    try studio.library.cleaning.sweep(now: deletedAt + day - 1)
    #expect(try studio.library.blobs.all().count == 2)
    #expect(try studio.library.folder.derivedIds().sorted() == [kept.id, gone.id].sorted())
    try studio.library.cleaning.sweep(now: Library.now() + day)
    #expect(try studio.library.blobs.all().count == 1)
    #expect(try studio.library.folder.derivedIds() == [kept.id])
  }

  @Test func `the check misses what should be played, its poster and its original`() throws {
    let added = try add("hevc.mov")
    let check = LibraryCheck(root: studio.folder.path)
    let folder = studio.library.folder
    let sha256 = try #require(try video(added.id)["sha256"].text)
    for (number, path) in [
      folder.video(added.id), folder.poster(video: added.id), folder.blob(sha256),
    ].enumerated() {
      try FileManager.default.removeItem(atPath: path)
      #expect(try check.problems().count == number + 1)
    }
    #expect(studio.send(.get, "/api/videos/\(added.id)/file").status == 404)
  }

  @Test func `ids from outside never reach the disk`() throws {
    for id in ["..", "%2e%2e", "x", "..%2f..", "0193a5b0-0000-7000-8000-000000000001"] {
      for part in ["file", "poster", "original"] {
        let answer = studio.send(.get, "/api/videos/\(id)/\(part)")
        #expect([400, 404].contains(answer.status), "\(id)")
      }
      #expect([400, 404].contains(studio.send(.delete, "/api/videos/\(id)").status), "\(id)")
    }
  }
}
