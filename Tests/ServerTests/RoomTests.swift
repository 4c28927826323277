// Storage limits: per file, in total, and with unfinished uploads.

import Dispatch
import FoundationEssentials
import Glibc
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite struct RoomTests {
  private struct Health: Decodable {
    var status: String
    var problems: [String]
  }

  private let tus = [("Tus-Resumable", "1.0.0")]

  private func create(_ studio: TestStudio, _ length: Int) -> TestStudio.Answer {
    studio.send(.post, "/api/uploads", headers: tus + [("Upload-Length", "\(length)")])
  }

  private func health(_ studio: TestStudio) throws -> Health {
    try studio.send(.get, "/api/health").json()
  }

  @Test func `a file above the size limit is refused with a message`() throws {
    let studio = try TestStudio(limits: LibraryLimits(fileBytes: 1_500_000))
    #expect(create(studio, 1_500_000).status == 201)
    let refused = create(studio, 1_500_001)
    #expect(refused.status == 413)
    #expect(refused.text.contains("larger than 1.5 MB"))
    #expect(studio.send(.options, "/api/uploads").headers["Tus-Max-Size"] == "1500000")
  }

  @Test func `reserved upload space counts towards the limit until it is released`() throws {
    let studio = try TestStudio(limits: LibraryLimits(libraryBytes: 1_000_000))
    let first = create(studio, 600_000)
    #expect(first.status == 201)
    let refused = create(studio, 400_001)
    #expect(refused.status == 507)
    #expect(refused.text.contains("may take 1 MB") && refused.text.contains("Delete"))
    #expect(create(studio, 400_000).status == 201)
    #expect(try health(studio).status == "degraded")
    #expect(try health(studio).problems.first?.contains("takes 1 MB of the 1 MB") == true)
    #expect(create(studio, 1).status == 507)
    let location = try #require(first.headers["Location"])
    #expect(studio.send(.delete, location, headers: tus).status == 204)
    #expect(create(studio, 1).status == 201)
    #expect(try health(studio).status == "ok")
  }

  @Test func `concurrent uploads do not exceed the limit`() throws {
    let studio = try TestStudio(limits: LibraryLimits(libraryBytes: 1_000_000))
    for _ in 0..<5 {
      let locations = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 24) { _ in
        let answer = create(studio, 100_000)
        if answer.status == 201, let location = answer.headers["Location"] {
          locations.withLock { $0.append(location) }
        } else {
          #expect(answer.status == 507)
        }
      }
      let all = locations.withLock { $0 }
      #expect(all.count == 10)
      for location in all { #expect(studio.send(.delete, location, headers: tus).status == 204) }
    }
  }

  @Test func `an upload that becomes a track always counts, with its derived files`() throws {
    let song = WAV.impulses([1], frames: 200_000)
    let limit = 2 * song.count + song.count / 2
    let studio = try TestStudio(limits: LibraryLimits(libraryBytes: limit))
    let id = studio.upload(song)
    // Checked repeatedly while the upload becomes an original: there is never room for two more.
    let isDone = Mutex(false)
    let asked = DispatchGroup()
    let hasBegun = DispatchSemaphore(value: 0)
    DispatchQueue(label: "asks").async(group: asked) {
      while !isDone.withLock({ $0 }) {
        #expect(create(studio, 2 * song.count).status == 507)
        hasBegun.signal()
      }
    }
    hasBegun.wait()
    let added = studio.post("/api/tracks", "{\"upload\":\"\(id)\"}")
    #expect(added.status == 202)
    studio.runner.waitUntilIdle()
    isDone.withLock { $0 = true }
    asked.wait()
    let stored = try studio.library.quota.storedBytes()
    #expect(stored.originals == song.count && stored.derived > 0)
    #expect(create(studio, limit - stored.total + 1).status == 507)
    #expect(create(studio, limit - stored.total).status == 201)
    // A deleted track does not count, and a new measurement gives the same result.
    let track = try added.json(TestStudio.AddedTrack.self).id
    #expect(studio.send(.delete, "/api/tracks/\(track)").status == 204)
    #expect(try studio.library.quota.storedBytes() == StoredBytes(originals: 0, derived: 0))
  }

  /// A library above its limit, with one waiting import.
  private func crowded() throws -> (
    folder: TemporaryFolder, studio: TestStudio, song: [UInt8], added: TestStudio.AddedTrack
  ) {
    let folder = try TemporaryFolder()
    let song = WAV.impulses([1], frames: 200_000)
    let upload: String
    do {
      let studio = try TestStudio(in: folder)
      upload = studio.upload(song)
    }
    let studio = try TestStudio(
      in: folder, limits: LibraryLimits(libraryBytes: song.count - 1))
    let added = try studio.post("/api/tracks", "{\"upload\":\"\(upload)\"}")
      .json(TestStudio.AddedTrack.self)
    studio.runner.waitUntilIdle()
    return (folder, studio, song, added)
  }

  @Test func `an import waits while the library is above its limit and loses nothing`()
    throws
  {
    let (folder, track) = try {
      let (folder, studio, song, added) = try crowded()
      let job = try #require(added.job)
      let status = try #require(try studio.runner.status(job))
      #expect(status.state == .queued)
      #expect(status.message?.contains("Delete songs or videos") == true)
      #expect(status.message?.hasSuffix("goes on by itself then.") == true)
      #expect(studio.runner.counts.waiting == [ImportJob.kind: 1])
      #expect(try studio.library.records.record(.track, added.id)?["state"] == "importing")
      #expect(
        try studio.library.quota.storedBytes() == StoredBytes(originals: song.count, derived: 0))
      studio.runner.stop()
      return (folder, added.id)
    }()
    // The state after a start with more room.
    let studio = try TestStudio(in: folder)
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    #expect(try studio.library.records.record(.track, track)?["state"] == "ready")
  }

  @Test func `an import that waits for space continues automatically`() throws {
    let songs = [WAV.impulses([1], frames: 200_000), WAV.impulses([7], frames: 48_000)]
    let limit = songs.map(\.count).reduce(0, +) + 100
    let studio = try TestStudio(limits: LibraryLimits(libraryBytes: limit))
    let added = try songs.map { studio.upload($0) }.map { upload in
      let answer = studio.post("/api/tracks", "{\"upload\":\"\(upload)\"}")
      studio.runner.waitUntilIdle()
      return try answer.json(TestStudio.AddedTrack.self)
    }
    let state = { try studio.library.records.record(.track, added[1].id)?["state"] }
    #expect(try state() == "importing", "what was made of the first took the room")
    #expect(studio.send(.delete, "/api/tracks/\(added[0].id)").status == 204)
    studio.timers.advance(RetryPolicy.delaySeconds(after: RetryPolicy.Attempts()) * 1_000)
    studio.runner.waitUntilIdle()
    #expect(try state() == "ready")
  }

  @Test func `an import that waits for space can be cancelled`() throws {
    let (_, studio, _, added) = try crowded()
    let job = try #require(added.job)
    #expect(studio.send(.delete, "/api/jobs/\(job)").status == 202)
    #expect(try studio.library.jobs.job(job)?.state == .cancelled)
    #expect(studio.runner.counts.waiting == [:])
    #expect(try studio.library.quota.storedBytes() == StoredBytes(originals: 0, derived: 0))
  }

  @Test func `an abandoned upload expires and has its expiry time`() throws {
    let studio = try TestStudio(limits: LibraryLimits(libraryBytes: 1_000_000))
    let first = create(studio, 1_000_000)
    let expires = try #require(first.headers["Upload-Expires"])
    #expect(expires.hasSuffix(" GMT") && expires.count == 29)
    #expect(create(studio, 1_000).status == 507)
    let id = try #require(first.headers["Location"]?.split(separator: "/").last)
    let old = Date(timeIntervalSinceNow: -Double(Upload.lifeSeconds) - 10)
    try FileManager.default.setAttributes(
      [.modificationDate: old], ofItemAtPath: studio.library.folder.uploads + "/\(id).part")
    #expect(create(studio, 1_000).status == 201)
    #expect(
      studio.send(.head, first.headers["Location"] ?? "", headers: tus).status == 404)
  }

  @Test func `the sample song also counts`() throws {
    let studio = try TestStudio(limits: LibraryLimits(libraryBytes: 1_000_000))
    #expect(studio.send(.post, "/api/sample").status == 507)
    #expect(try studio.library.records.records(.track).isEmpty)
  }
}
