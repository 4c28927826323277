// Recorded names over the routes: upload, preparation, sound, use and removal.

import Database
import FoundationEssentials
import HTTP
import HTTPTesting
import Model
import Storage
import TestSupport
import Testing

@testable import Server

@Suite struct RecordingRoutesTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private struct Added: Decodable, Equatable {
    var id: String
    var job: String?
  }

  private struct Problem: Decodable { var detail: String }

  /// A name: sound with silence around it. `level` makes the bytes differ.
  private func name(level: Double = 0.2, seconds: Double = 1) -> [UInt8] {
    let frames = Int(seconds * 48_000)
    var samples: [Int16] = []
    for frame in 0..<frames + 48_000 {
      let isLoud = (24_000..<24_000 + frames).contains(frame)
      // A square wave of 400 Hz.
      let value = isLoud ? (frame / 60 % 2 == 0 ? level : -level) : 0
      samples += [Int16(value * 32_767), Int16(value * 32_767)]
    }
    return WAV.file(samples)
  }

  private func offer(_ bytes: [UInt8], name: String = "Kick.wav") throws -> TestStudio.Answer {
    studio.post("/api/recordings", "{\"upload\":\"\(studio.upload(bytes, name: name))\"}")
  }

  private func add(_ bytes: [UInt8]) throws -> Added {
    let added = try offer(bytes).json(Added.self)
    studio.runner.waitUntilIdle()
    return added
  }

  private func recording(_ id: String) throws -> NameRecording {
    try #require(try studio.library.records.recording(id))
  }

  /// Adds a routine, its part and a move with a recording.
  private func addMove(_ recording: String?) throws -> (routine: String, part: String, move: String)
  {
    let ids = (0..<3).map { _ in Identifier.make(milliseconds: Library.now()) }
    try studio.library.commit([
      Library.Edit(.routine, ids[0], ["title": "Swan"]),
      Library.Edit(.part, ids[1], ["routine": .text(ids[0]), "title": "One", "position": "V"]),
      Library.Edit(
        .move, ids[2],
        [
          "part": .text(ids[1]), "title": "Kick", "position": "V",
          "recording": recording.map { .text($0) } ?? .null,
        ]),
    ])
    return (ids[0], ids[1], ids[2])
  }

  private func sweep(days: Int) throws {
    try studio.library.cleaning.sweep(now: Library.now() + days * Library.day)
  }

  private func hasBytes(_ id: String) throws -> Bool {
    let sha256 = try #require(try recording(id).sha256)
    return studio.library.blobs.contains(sha256)
      && FileManager.default.fileExists(atPath: studio.library.folder.voice(recording: id))
  }

  @Test func `an upload becomes a voice file with one recording`() throws {
    let bytes = name()
    let answer = try offer(bytes)
    #expect(answer.status == 202)
    let added = try answer.json(Added.self)
    studio.runner.waitUntilIdle()
    let record = try recording(added.id)
    #expect(record.state == .ready && record.title == "Kick" && record.fileName == "Kick.wav")
    #expect((48_000..<60_000).contains(try #require(record.lengthFrames)))
    let voice = studio.send(.get, "/api/recordings/\(added.id)/voice")
    #expect(voice.status == 200 && voice.headers["Content-Type"] == "audio/wav")
    #expect(voice.headers["Cache-Control"] == CacheControl.revalidate)
    #expect(voice.body.count == 44 + 8 + 4 + 48 + (record.lengthFrames ?? 0))
    #expect(studio.send(.get, "/api/recordings/\(added.id)/original").body == bytes)
    // The same bytes are the same recording.
    let again = try offer(bytes)
    #expect(again.status == 200)
    #expect(try again.json(Added.self).id == added.id)
  }

  @Test func `silence and too much are refused with a sentence, and nothing is left`() throws {
    for (bytes, words) in [
      (name(level: 0), "Nothing was heard"), (name(seconds: 12), "10 seconds"),
    ] {
      let added = try add(bytes)
      let job = studio.send(.get, "/api/jobs/\(added.job ?? "")")
      #expect(job.text.contains("failed") && job.text.contains(words))
      #expect(try recording(added.id).deletedAt != nil)
      #expect(studio.send(.get, "/api/recordings/\(added.id)/voice").status == 404)
    }
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(try studio.library.folder.derivedIds().isEmpty)
  }

  @Test func `a recording is deleted at once when no move uses it, and never before`() throws {
    let id = try add(name()).id
    let move = try addMove(id).move
    #expect(studio.send(.delete, "/api/recordings/\(id)").status == 409)
    try studio.library.commit([Library.Edit(.move, move, ["recording": nil])])
    #expect(studio.send(.delete, "/api/recordings/\(id)").status == 204)
    #expect(try studio.library.blobs.all().isEmpty)
    #expect(studio.send(.get, "/api/recordings/\(id)/voice").status == 404)
  }

  @Test func `cleaning deletes a recording that no move has, and its bytes a day later`() throws {
    let (kept, replaced) = (try add(name(level: 0.2)).id, try add(name(level: 0.3)).id)
    let move = try addMove(replaced).move
    _ = try addMove(kept)
    try studio.library.commit([Library.Edit(.move, move, ["recording": .text(kept)])])
    try sweep(days: 0)
    #expect(try recording(replaced).deletedAt == nil, "it may just have been uploaded")
    // The deletion has the time of the real clock, so the bytes would go at once in a sweep of that day.
    try studio.library.recordings.update(now: Library.now() + 2 * Library.day)
    try sweep(days: 0)
    #expect(try recording(replaced).deletedAt != nil && hasBytes(replaced), "an undo finds it")
    try sweep(days: 2)
    #expect(try !hasBytes(replaced))
    #expect(try recording(kept).deletedAt == nil && hasBytes(kept))
  }

  @Test func `a recording that a move uses again comes back`() throws {
    let id = try add(name()).id
    let move = try addMove(id).move
    try studio.library.commit([Library.Edit(.move, move, ["recording": nil])])
    try studio.library.recordings.update(now: Library.now() + 2 * Library.day)
    #expect(try recording(id).deletedAt != nil)
    try studio.library.commit([Library.Edit(.move, move, ["recording": .text(id)])])
    try sweep(days: 0)
    #expect(try recording(id).deletedAt == nil && hasBytes(id))
  }

  @Test func `a deleted move, part or routine keeps the recording for a day`() throws {
    for (index, level) in [0.2, 0.3, 0.4].enumerated() {
      let id = try add(name(level: level)).id
      let ids = try addMove(id)
      let edit =
        [(RecordType.move, ids.move), (.part, ids.part), (.routine, ids.routine)][index]
      let now = Library.now()
      try studio.library.commit([Library.Edit(edit.0, edit.1, ["deletedAt": .integer(now)])])
      try studio.library.recordings.update(now: now + Library.day - 60_000)
      #expect(try recording(id).deletedAt == nil)
      try studio.library.recordings.update(now: now + Library.day + 60_000)
      #expect(try recording(id).deletedAt != nil)
    }
  }

  @Test func `a lost voice file is reported by check and made again at the start`() throws {
    let id = try add(name()).id
    let path = studio.library.folder.voice(recording: id)
    let bytes = studio.send(.get, "/api/recordings/\(id)/voice").body
    let check = LibraryCheck(root: studio.folder.path)
    #expect(try check.problems() == [])
    try FileManager.default.removeItem(atPath: path)
    #expect(try check.problems() == ["The sound of the recording “Kick” is missing."])
    try studio.library.renewals.addMissing()
    try studio.runner.resume()
    studio.runner.waitUntilIdle()
    #expect(studio.send(.get, "/api/recordings/\(id)/voice").body == bytes)
    #expect(try check.problems() == [])
  }

  @Test func `a backup has the original of a recording`() throws {
    let sha256 = try #require(try recording(try add(name()).id).sha256)
    let backup = studio.send(.get, "/api/backup").body
    #expect(String(decoding: backup, as: UTF8.self).contains("blobs/\(sha256.prefix(2))/\(sha256)"))
  }

  @Test func `the JSON export leaves the reference out, as it has no bytes`() throws {
    let id = try add(name()).id
    _ = try addMove(id)
    let export = studio.send(.get, "/api/export?format=json").text
    #expect(export.contains("Kick") && !export.contains(id))
  }

  @Test func `a move takes a reference, and a client can't write what is the server's`() throws {
    #expect(RecordType.move.field("recording")?.kind == .reference)
    let id = Identifier.make(milliseconds: Library.now())
    let change = Change(
      id: id, type: .recording, record: id, fields: ["state": "ready"],
      at: Stamp(milliseconds: Library.now(), counter: 0, device: 1))
    #expect(throws: Rejection.self) {
      try change.validate(by: .person, stampedUntil: .max)
    }
  }
}
