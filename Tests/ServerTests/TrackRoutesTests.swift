// Tracks over the routes: upload, playback, waveform, clips and deletion.

import Analysis
import Dispatch
import FoundationEssentials
import Glibc
import Model
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import Server
@testable import Storage

@Suite struct TrackRoutesTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      var isFolder = false
      return FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
        && !isFolder
    }
  }

  @Test func `an impulse is at its frame in the chunks, the peaks and the clips`() throws {
    let impulses = [0, 12_345, 479_999, 485_000, 700_001]
    let track = try studio.importTrack(WAV.impulses(impulses, frames: 720_000))
    let record = try #require(try studio.library.records.record(.track, track.id))
    #expect(record["state"] == "ready")
    #expect(record["lengthFrames"] == 720_000)

    let peaks = studio.send(.get, "/api/tracks/\(track.id)/peaks?framesPerPixel=64")
    let waveform = try Waveform(dat: peaks.body)
    #expect(waveform.framesPerPixel == 64)
    let loud = (0..<waveform.pairs.count / 2).filter { waveform.pairs[$0 * 2 + 1] > 40 }
    #expect(loud == impulses.map { $0 / 64 })

    let odd = try Waveform(
      dat: studio.send(.get, "/api/tracks/\(track.id)/peaks?framesPerPixel=13").body)
    let oddLoud = (0..<odd.pairs.count / 2).filter { odd.pairs[$0 * 2 + 1] > 40 }
    #expect(oddLoud == impulses.map { $0 / 13 })

    for impulse in impulses {
      let start = max(0, impulse - 1_000)
      for format in ["wav", "flac"] {
        let answer = studio.send(
          .get, "/api/tracks/\(track.id)/audio?start=\(start)&end=\(impulse + 500)&format=\(format)"
        )
        #expect(answer.status == 200)
        if format == "wav" {
          let samples = WAV.samples(answer.body)
          #expect(samples.count == (impulse + 500 - start) * 2)
          #expect(
            samples.indices.filter { abs(Int(samples[$0])) > 100 }.first == (impulse - start) * 2)
        } else {
          #expect(answer.body.starts(with: Array("fLaC".utf8)))
        }
      }
    }
    let first = studio.send(.get, "/api/tracks/\(track.id)/chunks/0")
    #expect(Array(first.body.prefix(4)) == Array("fLaC".utf8))
    #expect(first.headers["Cache-Control"] == "private, max-age=31536000, immutable")
    #expect(studio.send(.get, "/api/tracks/\(track.id)/chunks/2").status == 404)
    #expect(try files(in: studio.library.folder.tmp).isEmpty)
  }

  @Test func `the same bytes again are the same track`() throws {
    let bytes = WAV.impulses([5], frames: 48_000)
    let first = try studio.importTrack(bytes, name: "one.wav")
    let again = studio.post(
      "/api/tracks", "{\"upload\":\"\(studio.upload(bytes, name: "two.wav"))\"}")
    #expect(again.status == 200)
    #expect(try again.json(TestStudio.AddedTrack.self).id == first.id)
    #expect(try studio.library.blobs.all().count == 1)
    #expect(try files(in: studio.library.folder.uploads).isEmpty)
  }

  /// Damage to a file derived from a song.
  struct Harm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let change: @Sendable (inout [UInt8]) -> Void

    static let all = [
      Harm(testDescription: "a byte of a frame", file: "00001.flac") { $0[$0.count / 2] ^= 1 },
      Harm(testDescription: "the header of a chunk", file: "00001.flac") { $0[20] ^= 1 },
      Harm(testDescription: "a chunk cut off", file: "00000.flac") { $0.removeLast(5) },
      Harm(testDescription: "the waveform", file: "peaks.dat") { $0[0] ^= 1 },
    ]
  }

  /// Two chunks and their waveform, with a part from 7 to 700,000 that its performer called "Solo".
  private func practisedSong() throws -> (bytes: [UInt8], track: String, part: Record) {
    let bytes = WAV.impulses([5, 600_000], frames: 720_000)
    let track = try studio.importTrack(bytes).id
    _ = try studio.library.addRoutine(
      title: "Swan", parts: [.init(title: "All", track: track, range: 7..<700_000)])
    try studio.library.commit([.init(.track, track, ["title": "Solo"])])
    return (bytes, track, try #require(try studio.library.records.records(.part).first))
  }

  @Test(arguments: Harm.all)
  func `a song with a damaged rendition is prepared again when it is added again`(
    harm: Harm
  ) throws {
    let (bytes, track, part) = try practisedSong()
    let file = studio.library.folder.derived(track) + "/" + harm.file
    let before = try Files.read(file)
    var damaged = before
    harm.change(&damaged)
    try Files.remove(file)
    try Files.writeNew(file, damaged)
    let request = "{\"upload\":\"\(studio.upload(bytes, name: "again.wav"))\"}"
    let again = try studio.post("/api/tracks", request).json(TestStudio.AddedTrack.self)
    let job = try #require(again.job)
    #expect(again.id == track)
    #expect(try studio.library.jobs.job(job)?.kind == RenewJob.kind)
    #expect(try studio.post("/api/tracks", request).json(TestStudio.AddedTrack.self) == again)
    studio.runner.waitUntilIdle()
    let isMended = try Files.read(file) == before
    #expect(isMended)
    let record = try #require(try studio.library.records.record(.track, track))
    #expect(record["state"] == "ready" && record["title"] == "Solo")
    #expect(try studio.library.records.record(.part, part.id) == part)
    #expect(try studio.importTrack(bytes).job == nil)
  }

  @Test func `a song that lacks a chunk is prepared again at the next start`() throws {
    let (_, track, part) = try practisedSong()
    let file = studio.library.folder.chunk(track: track, 1)
    let before = try Files.read(file)
    try Files.remove(file)
    try studio.library.renewals.addMissing()
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    #expect(FileManager.default.contents(atPath: file).map { [UInt8]($0) == before } == true)
    #expect(try studio.library.records.record(.part, part.id) == part)
    try studio.library.renewals.addMissing()
    #expect(try studio.library.jobs.unfinished().isEmpty)
  }

  @Test func `a lost rendition is made again while the song waits for its analysis`() throws {
    let added = try studio.library.tracks.add(
      fromUpload: studio.upload(WAV.impulses([5], frames: 48_000)))
    // A server that stops before its background jobs.
    let stopped = JobRunner(library: studio.library, leavesBackgroundJobs: true)
    try stopped.enqueue(id: try #require(added.job))
    stopped.waitUntilIdle()
    #expect(try studio.library.jobs.unfinished().map(\.kind) == [AnalysisJob.kind])
    try studio.library.folder.removeDerived(added.id)
    try studio.library.renewals.addMissing()
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    #expect(studio.library.folder.hasRendition(track: added.id, lengthFrames: 48_000))
    #expect(studio.library.folder.analysis(track: added.id) != nil)
    #expect(try studio.library.jobs.latest(on: .track, added.id)?.state == .done)
  }

  @Test func `a request whose response was lost can be repeated`() throws {
    let upload = studio.upload(WAV.impulses([5], frames: 48_000))
    let request = "{\"upload\":\"\(upload)\"}"
    let first = try studio.post("/api/tracks", request).json(TestStudio.AddedTrack.self)
    let again = studio.post("/api/tracks", request)
    #expect(again.status == 202)
    #expect(try again.json(TestStudio.AddedTrack.self) == first)
    studio.runner.waitUntilIdle()
    #expect(try studio.post("/api/tracks", request).json(TestStudio.AddedTrack.self) == first)
  }

  @Test func `the same bytes from four simultaneous clients are one track`() async throws {
    let bytes = WAV.impulses([7], frames: 48_000)
    let uploads = (0..<4).map { _ in studio.upload(bytes) }
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for upload in uploads {
        group.addTask { [studio] in
          try studio.post("/api/tracks", "{\"upload\":\"\(upload)\"}")
            .json(TestStudio.AddedTrack.self).id
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    studio.runner.waitUntilIdle()
    #expect(ids.count == 1)
    #expect(try studio.library.records.records(.track).count == 1)
  }

  @Test func `a file without audio is refused with a message and leaves no files`() throws {
    let noise = Array("This is a shopping list, not a song.\n".utf8)
    let playlist = Array("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8)
    for (bytes, name) in [(noise, "list.mp3"), (playlist, "leak.mp3"), ([0], "byte.wav")] {
      let track = try studio.importTrack(bytes, name: name)
      let id = try #require(track.job)
      let job = try #require(try studio.runner.status(id))
      #expect(job.state == .failed)
      #expect(job.message?.hasSuffix(".") == true)
      #expect(try studio.library.records.record(.track, track.id)?.deletedAt != nil)
    }
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(try files(in: studio.library.folder.derived).isEmpty)
    #expect(try files(in: studio.library.folder.tmp).isEmpty)
    #expect(studio.post("/api/tracks", "{\"upload\":\"\(studio.upload([]))\"}").status == 422)
    #expect(try files(in: studio.library.folder.uploads).isEmpty)
  }

  @Test func `bytes that the disk refuses are no track and the reason is reported`() throws {
    let upload = studio.upload(WAV.impulses([5], frames: 48_000))
    let error = #expect(throws: StorageError.self) {
      try FileJournal.$note.withValue({ call, path in
        if (call, path) == ("fsync", studio.library.folder.blobs) {
          throw StorageError(.noSpace, "There is no room.")
        }
      }) { _ = try studio.library.tracks.add(fromUpload: upload) }
    }
    #expect(error?.code == .noSpace)
    #expect(try studio.library.records.records(.track).isEmpty)
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(try files(in: studio.library.folder.tmp).isEmpty)
  }

  @Test func `bytes that were refused once are tried again when added again`() throws {
    let noise = Array("nothing to hear".utf8)
    let first = try studio.importTrack(noise)
    let second = try studio.importTrack(noise)
    #expect(first.id == second.id)
    #expect(second.job != nil)
    #expect(first.job != second.job)
  }

  @Test func `an unused track can be deleted with its bytes and a used one can't`() throws {
    let track = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let routine = try studio.library.addRoutine(
      title: "Swan", parts: [.init(title: "All", track: track.id, range: 0..<48_000)])
    #expect(studio.send(.delete, "/api/tracks/\(track.id)").status == 409)
    let part = try #require(try studio.library.records.users(ofTrack: track.id).first)
    try studio.library.commit([.init(.part, part.id, ["deletedAt": 5])])
    #expect(studio.send(.delete, "/api/tracks/\(track.id)").status == 204)
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(try files(in: studio.library.folder.derived).isEmpty)
    #expect(studio.send(.get, "/api/tracks/\(track.id)/peaks?framesPerPixel=64").status == 404)
    #expect(try studio.library.records.record(.routine, routine)?.isComplete == true)
  }

  @Test func `corrections of a track's counts go with it, and are purged after 90 days`() throws {
    let track = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let id = "0193a5b0-0000-7000-8000-000000000001"
    try studio.library.commit([
      .init(.gridCorrection, id, ["track": .text(track.id), "kind": "double", "order": 1])
    ])
    #expect(studio.send(.delete, "/api/tracks/\(track.id)").status == 204)
    let records = studio.library.records
    #expect(try records.record(.gridCorrection, id).map(records.isDeleted) == true)
    try studio.library.cleaning.sweep(now: Library.now() + 91 * 86_400_000)
    #expect(try records.record(.gridCorrection, id) == nil)
  }

  @Test func `a deleted routine does not keep its song and is purged after 90 days`()
    throws
  {
    let track = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let routine = try studio.library.addRoutine(
      title: "Swan",
      parts: [
        .init(title: "All", track: track.id, range: 0..<48_000, moves: [.init(title: "Leap")])
      ])
    let deletedAt = Value.integer(Library.now())
    try studio.library.commit([.init(.routine, routine, ["deletedAt": deletedAt])])
    #expect(studio.send(.delete, "/api/tracks/\(track.id)").status == 204)
    #expect(try studio.library.blobs.all().isEmpty)
    let records = studio.library.records
    try studio.library.cleaning.sweep(now: Library.now() + 89 * 86_400_000)
    #expect(try records.records(.part).count == 1)
    try studio.library.cleaning.sweep(now: Library.now() + 91 * 86_400_000)
    for type in [RecordType.routine, .part, .move] {
      #expect(try records.records(type).isEmpty)
    }
  }

  @Test func `a part whose routine has not arrived yet uses its song`() throws {
    let track = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let ids = (0..<2).map { _ in Identifier.make(milliseconds: Library.now()) }
    try studio.library.commit([
      .init(.part, ids[0], ["routine": .text(ids[1]), "track": .text(track.id)])
    ])
    #expect(studio.send(.delete, "/api/tracks/\(track.id)").status == 409)
  }

  @Test func `external ids and numbers never reach the disk`() throws {
    for id in ["..", "%2e%2e", "x", "..%2f..", "0193a5b0-0000-7000-8000-000000000001"] {
      #expect([400, 404].contains(studio.send(.get, "/api/tracks/\(id)/chunks/0").status), "\(id)")
      #expect([400, 404].contains(studio.send(.get, "/api/tracks/\(id)/original").status), "\(id)")
    }
    let track = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    for n in ["-1", "x", "99999999999999999999", "01", "0.flac"] {
      #expect(studio.send(.get, "/api/tracks/\(track.id)/chunks/\(n)").status == 404, "\(n)")
    }
    for query in [
      "", "?framesPerPixel=0", "?framesPerPixel=-64", "?framesPerPixel=x",
      "?framesPerPixel=99999999999",
    ] {
      #expect(studio.send(.get, "/api/tracks/\(track.id)/peaks\(query)").status == 400, "\(query)")
    }
    for query in [
      "start=5&end=5", "start=-1", "end=48001", "format=exe", "fadeIn=48001", "fadeIn=-1",
    ] {
      #expect(studio.send(.get, "/api/tracks/\(track.id)/audio?\(query)").status == 400, "\(query)")
    }
  }

  @Test func `the original is returned unchanged with its own name`() throws {
    let bytes = WAV.impulses([5], frames: 4_800)
    let track = try studio.importTrack(bytes, name: "Été \"live\".wav")
    let answer = studio.send(.get, "/api/tracks/\(track.id)/original")
    #expect(answer.body == bytes)
    #expect(answer.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
    let record = try #require(try studio.library.records.record(.track, track.id))
    #expect(record["title"] == "Été \"live\"")
    #expect(record["fileName"] == "Été \"live\".wav")
  }

  @Test func `an import that a restart interrupted is done at the next start`() throws {
    let folder = studio.folder
    let upload = studio.upload(WAV.impulses([5], frames: 48_000))
    let added = try studio.library.tracks.add(fromUpload: upload)
    studio.runner.stop()
    #expect(try studio.library.records.record(.track, added.id)?["state"] == "importing")
    _ = folder
    let next = JobRunner(library: studio.library)
    try next.resume()
    next.waitUntilIdle()
    #expect(try studio.library.records.record(.track, added.id)?["state"] == "ready")
  }

  @Test func `a cancelled import leaves nothing`() throws {
    let upload = studio.upload(WAV.impulses([5], frames: 48_000))
    let added = try studio.library.tracks.add(fromUpload: upload)
    let job = try #require(added.job)
    let stopped = JobRunner(library: studio.library)
    stopped.stop()
    try stopped.enqueue(id: job)
    try stopped.cancel(job)
    #expect(try studio.library.jobs.job(job)?.state == .cancelled)
    #expect(try studio.library.records.record(.track, added.id)?.deletedAt != nil)
    #expect(try studio.library.blobs.all().isEmpty)
  }

  @Test
  func `a song added again within a day keeps its bytes if the import fails`()
    throws
  {
    let song = WAV.impulses([5], frames: 48_000)
    let track = try studio.importTrack(song)
    _ = try studio.library.addRoutine(
      title: "Swan", parts: [.init(title: "All", track: track.id, range: 0..<48_000)])
    try studio.library.commit([
      .init(.track, track.id, ["deletedAt": .integer(Library.now())])
    ])
    let request = "{\"upload\":\"\(studio.upload(song))\"}"
    let stopped = JobRunner(library: studio.library)
    stopped.stop()
    studio.runner.halt()
    let again = try studio.post("/api/tracks", request).json(TestStudio.AddedTrack.self)
    #expect(again.id == track.id)
    #expect(try studio.post("/api/tracks", request).json(TestStudio.AddedTrack.self) == again)
    try stopped.cancel(try #require(again.job))
    let record = try #require(try studio.library.records.record(.track, track.id))
    #expect(record.deletedAt == nil && record["lengthFrames"] == 48_000)
    let isWhole = studio.send(.get, "/api/tracks/\(track.id)/original").body == song
    #expect(isWhole)
    #expect(studio.library.folder.hasRendition(track: track.id, lengthFrames: 48_000))
    // The next start prepares it.
    try studio.library.renewals.addMissing()
    let next = JobRunner(library: studio.library)
    try next.resume()
    next.waitUntilIdle()
    #expect(try studio.library.records.record(.track, track.id)?["state"] == "ready")
  }

  @Test func `a song that is deleted during its import leaves nothing`() throws {
    // Importing ten minutes takes longer than answering a request.
    let song = WAV.impulses([1], frames: 48_000 * 600)
    let answer = studio.post("/api/tracks", "{\"upload\":\"\(studio.upload(song))\"}")
    let added = try answer.json(TestStudio.AddedTrack.self)
    #expect(studio.send(.delete, "/api/tracks/\(added.id)").status == 204)
    studio.runner.waitUntilIdle()
    let job = try #require(added.job)
    #expect(try studio.library.jobs.job(job)?.state == .cancelled)
    try expectGone(added.id)
  }

  @Test
  func `a song deleted right before the end of its import stays deleted`()
    throws
  {
    let library = studio.library
    let added = try library.tracks.add(fromUpload: studio.upload(WAV.impulses([5], frames: 48_000)))
    let id = try #require(added.job)
    let job = try #require(try library.jobs.job(id))
    let edits = try ImportJob(library: library).run(job, JobContext { _ in })
    #expect(library.folder.hasRendition(track: added.id, lengthFrames: 48_000))
    try library.tracks.remove(added.id)
    studio.runner.end(job, .done, message: nil, edits: edits)
    #expect(try library.jobs.job(job.id)?.state == .cancelled)
    try expectGone(added.id)
    // Publishing after the removal detects it by itself.
    let track = try #require(try library.records.track(added.id))
    #expect(throws: LibraryError.self) { try library.media.publish(track) {} }
  }

  private func expectGone(_ id: String) throws {
    let track = try #require(try studio.library.records.record(.track, id))
    #expect(track["state"] == "failed" && track.deletedAt != nil)
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(try files(in: studio.library.folder.derived).isEmpty)
    #expect(try files(in: studio.library.folder.tmp).isEmpty)
  }

  @Test func `a deleted song is a new track when it is added again`() throws {
    let song = WAV.impulses([5], frames: 48_000)
    let track = try studio.importTrack(song)
    #expect(studio.send(.delete, "/api/tracks/\(track.id)").status == 204)
    let again = try studio.library.tracks.add(fromUpload: studio.upload(song))
    #expect(again.id == track.id)
    let stopped = JobRunner(library: studio.library)
    stopped.stop()
    try stopped.cancel(try #require(again.job))
    #expect(try studio.library.records.record(.track, track.id)?.deletedAt != nil)
    #expect(try studio.library.blobs.all().isEmpty)
  }

  @Test func `an upload is hashed before the media lock is taken`() throws {
    let library = studio.library
    // A complete upload that this run does not know, as after a restart.
    let (upload, song) = ("0b7a1c9e", WAV.impulses([5], frames: 48_000))
    let description = Array("{\"length\":\(song.count),\"fileName\":\"song.wav\"}".utf8)
    try Files.writeNew(library.folder.uploads + "/\(upload).part", song)
    try Files.writeNew(library.folder.uploads + "/\(upload).json", description)
    let done = DispatchGroup()
    let added = Mutex<AddedMedia?>(nil)
    try library.mediaLock.withLock {
      DispatchQueue.global().async(group: done) {
        do {
          let track = try library.tracks.add(fromUpload: upload)
          added.withLock { $0 = track }
        } catch {
          Issue.record(error)
        }
      }
      let uploads = library.uploads as? FolderUploadStore
      #expect(eventually { (try? uploads?.isHashed(upload)) == true })
    }
    done.wait()
    #expect(added.withLock { $0?.isNew } == true)
  }

  @Test func `the media lock is free while a track that is added again is read`() throws {
    let song = WAV.impulses([5], frames: 720_000)
    let track = try studio.importTrack(song)
    let library = studio.library
    // Two named pipes replace the chunks; a thread that reads them blocks until the test opens
    // them.
    let chunks = (0...1).map { library.folder.chunk(track: track.id, $0) }
    for chunk in chunks {
      try Files.remove(chunk)
      #expect(mkfifo(chunk, 0o600) == 0)
    }
    let upload = studio.upload(song)
    let done = DispatchGroup()
    let added = Mutex<AddedMedia?>(nil)
    DispatchQueue.global().async(group: done) {
      do {
        let again = try library.tracks.add(fromUpload: upload)
        added.withLock { $0 = again }
      } catch {
        Issue.record(error)
      }
    }
    // Returns when the other thread reads the first chunk. That thread cannot pass the second one.
    close(open(chunks[0], O_WRONLY))
    #expect(library.mediaLock.isFree)
    close(open(chunks[1], O_WRONLY))
    done.wait()
    let again = try #require(added.withLock { $0 })
    #expect(again.wasKnown && again.id == track.id && again.job != nil, "it is prepared again")
  }

  @Test func `the sample routine has four parts with moves and is made once`() throws {
    struct Sample: Decodable {
      var routine: String
      var track: String
    }
    let first = studio.send(.post, "/api/sample")
    #expect(first.status == 202)
    studio.runner.waitUntilIdle()
    let sample = try first.json(Sample.self)
    let parts = try studio.library.records.users(ofTrack: sample.track)
    #expect(parts.count == 4)
    let lengthFrames = try #require(
      try studio.library.records.record(.track, sample.track)?["lengthFrames"].integer)
    #expect(parts.compactMap { $0["endFrame"].integer }.max() ?? 0 <= lengthFrames)
    let moves = try studio.library.records.records(.move)
    #expect(moves.count == 13)
    for part in parts {
      // On counts that lie in the part, one after the other.
      let laid = moves.filter { $0["part"].text == part.id }.compactMap { move in
        move["startCount"].integer.map { ($0, move["countLength"].integer ?? 0) }
      }.sorted { $0.0 < $1.0 }
      let frames = (part["endFrame"].integer ?? 0) - (part["startFrame"].integer ?? 0)
      #expect(laid.count >= 2)
      #expect(laid.first?.0 == 0)
      #expect(zip(laid, laid.dropFirst()).allSatisfy { $0.0 + $0.1 <= $1.0 })
      #expect((laid.last.map { $0.0 + $0.1 } ?? 0) * 25_600 <= frames)
    }
    #expect(try studio.library.records.record(.setting, "caller")?["value"] == .bool(true))
    #expect(try studio.send(.post, "/api/sample").json(Sample.self).routine == sample.routine)
    #expect(try studio.library.records.records(.routine).count == 1)
  }

  @Test func `garbage collection deletes unused files and keeps the rest`() throws {
    let kept = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let gone = try studio.importTrack(WAV.impulses([6], frames: 48_000))
    _ = try studio.library.blobs.add(contentsOf: Array("orphan".utf8))
    let day = 86_400_000
    let deletedAt = Library.now()
    try studio.library.commit([.init(.track, gone.id, ["deletedAt": .integer(deletedAt)])])
    try studio.library.cleaning.sweep(now: deletedAt + day - 1)
    #expect(try studio.library.blobs.all().count == 2)
    #expect(try studio.library.folder.derivedIds().sorted() == [kept.id, gone.id].sorted())
    try studio.library.cleaning.sweep(now: Library.now() + day)
    #expect(try studio.library.blobs.all().count == 1)
    #expect(try studio.library.folder.derivedIds() == [kept.id])
  }

  @Test func `a song deleted by a clock ahead is removed as soon as any other`() throws {
    let song = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let day = 86_400_000
    let ahead = Value.integer(Library.now() + 5 * 365 * day)
    try studio.library.commit([.init(.track, song.id, ["deletedAt": ahead])])
    try studio.library.cleaning.sweep(now: Library.now() + 2 * day)
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(try studio.library.folder.derivedIds().isEmpty)
    #expect(try studio.library.records.record(.track, song.id) != nil)
    // A clock this far ahead is trusted only after it has advanced.
    try studio.library.cleaning.sweep(now: Library.now() + 91 * day)
    try studio.library.cleaning.sweep(now: Library.now() + 92 * day)
    #expect(try studio.library.records.record(.track, song.id) == nil)
  }

  @Test func `a server's clock ahead deletes no restorable files`() throws {
    let library = studio.library
    let song = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let (now, day) = (Library.now(), 86_400_000)
    try library.cleaning.sweep(now: now)
    try library.commit([.init(.track, song.id, ["deletedAt": .integer(now)])])
    // At one start, and at another.
    try library.cleaning.sweep(now: now + 365 * day)
    try library.cleaning.sweep(now: now + 365 * day + 3_600_000)
    #expect(studio.log.all.filter { $0.contains("sweep.putOff") }.count == 2)
    // The clock is corrected.
    try library.cleaning.sweep(now: now + 1_000)
    #expect(try library.blobs.all().count == 1)
    // The server was unused for a year.
    try library.cleaning.sweep(now: now + 366 * day)
    #expect(try library.blobs.all().count == 1)
    try library.cleaning.sweep(now: now + 366 * day + day / 2)
    #expect(try library.blobs.all().isEmpty)
  }

  @Test func `uploads do not expire by an untrusted clock`() throws {
    let library = studio.library
    let id = studio.upload(WAV.impulses([5], frames: 48_000))
    let long = Date(timeIntervalSinceNow: -3 * 86_400)
    for name in try Files.names(in: library.folder.uploads) {
      try FileManager.default.setAttributes(
        [.modificationDate: long], ofItemAtPath: library.folder.uploads + "/" + name)
    }
    let (now, day) = (Library.now(), 86_400_000)
    #expect(try library.database.isClockTrusted(at: now - 8 * day))
    try library.cleaning.expireUploads(now: now)
    #expect(try library.uploads.all().map(\.id) == [id])
    try library.cleaning.expireUploads(now: now + day / 2)
    #expect(try library.uploads.all().isEmpty)
  }

  @Test func `a song deleted after a clock was ahead is removed as soon as any other`() throws {
    let song = try studio.importTrack(WAV.impulses([5], frames: 48_000))
    let (now, day) = (Library.now(), 86_400_000)
    // All stamps continue from the latest one.
    let deletion = Change(
      id: Identifier.make(milliseconds: now), type: .track, record: song.id,
      fields: ["deletedAt": .integer(now)],
      at: Stamp(milliseconds: now + 365 * day, counter: 0, device: 1))
    _ = try studio.library.records.apply([deletion])
    try studio.library.cleaning.sweep(now: now + day - 1)
    #expect(try studio.library.blobs.all().count == 1)
    try studio.library.cleaning.sweep(now: now + day)
    #expect(try studio.library.blobs.all().isEmpty)
  }

  @Test func `the check finds missing, damaged and left over files`() throws {
    let track = try studio.importTrack(WAV.impulses([5], frames: 480_001))
    let check = LibraryCheck(root: studio.folder.path)
    #expect(try check.problems().isEmpty)
    let folder = studio.library.folder
    try FileManager.default.removeItem(atPath: folder.chunk(track: track.id, 1))
    #expect(try check.problems().count == 1)
    let orphan = try studio.library.blobs.add(contentsOf: Array("orphan".utf8))
    #expect(try check.problems().count == 2)
    try Data("changed".utf8).write(to: URL(filePath: folder.blob(orphan.sha256)))
    #expect(try check.problems().count == 3)
    let sha256 = try #require(
      try studio.library.records.record(.track, track.id)?["sha256"].text)
    try FileManager.default.removeItem(atPath: folder.blob(sha256))
    #expect(try check.problems().count == 4)
    let stray = UUID().uuidString.lowercased()
    try FileManager.default.createDirectory(
      atPath: folder.derived(stray), withIntermediateDirectories: true)
    #expect(try check.problems().filter { $0.contains(stray) }.count == 1)
  }

  @Test func `a check beside a server that adds and deletes songs finds nothing wrong`() throws {
    let held = try studio.importTrack(WAV.impulses([0], frames: 480_001), name: "held.wav")
    let deleted = try studio.importTrack(WAV.impulses([1], frames: 48_000))
    let chunks = (0..<2).map { studio.library.folder.chunk(track: held.id, $0) }
    for chunk in chunks {
      try Files.remove(chunk)
      // Opening a named pipe for reading blocks until it is opened for writing, and vice versa.
      #expect(mkfifo(chunk, 0o600) == 0)
    }
    let found = Mutex<[String]>(["nothing was found"])
    let checking = DispatchGroup()
    DispatchQueue(label: "check").async(group: checking) { [folder = studio.folder] in
      do {
        let problems = try LibraryCheck(root: folder.path).problems(deep: true)
        found.withLock { $0 = problems }
      } catch {
        Issue.record(error)
      }
    }
    let first = open(chunks[0], O_WRONLY)
    _ = try studio.importTrack(WAV.impulses([2], frames: 48_000))
    #expect(studio.send(.delete, "/api/tracks/\(deleted.id)").status == 204)
    let second = open(chunks[1], O_WRONLY)
    checking.wait()
    for pipe in [first, second] { close(pipe) }
    let problems = found.withLock { $0 }
    #expect(problems.allSatisfy { $0.contains("“held” is damaged") }, "\(problems)")
  }
}
