// The typed views read the stored fields; a missing field or one of another kind reads as nil.

import Counts
import Testing

@testable import Model

@Suite struct RecordViewsTests {
  private func record(
    _ type: RecordType, _ fields: [String: Value] = [:], id: String = "1"
  ) -> Record {
    let stamp = Stamp(milliseconds: 1, counter: 0, device: 1)
    return Record(
      type: type, id: id, createdAt: 1,
      cells: fields.mapValues { Record.Cell(value: $0, stamp: stamp) })
  }

  @Test func `a routine has its texts`() {
    let routine = Routine(record(.routine, ["title": "Swan", "subtitle": "Act 2"]))
    #expect(routine.title == "Swan")
    #expect(routine.subtitle == "Act 2")
    #expect(routine.isComplete)
    #expect(routine.id == "1")
  }

  @Test func `a part has its borders, offset and references`() {
    let part = Part(
      record(
        .part,
        [
          "routine": "r", "track": "t", "title": "Entry", "position": "a",
          "startFrame": 10, "endFrame": 20,
        ]))
    #expect(part.routine == "r")
    #expect(part.track == "t")
    #expect(part.title == "Entry")
    #expect(part.position == "a")
    #expect(part.startFrame == 10)
    #expect(part.endFrame == 20)
    #expect(part.range == 10..<20)
  }

  @Test func `a part without two borders in order has no range`() {
    #expect(Part(record(.part, ["startFrame": 10])).range == nil)
    #expect(Part(record(.part, ["endFrame": 10])).range == nil)
    #expect(Part(record(.part, ["startFrame": 10, "endFrame": 10])).range == nil)
    #expect(Part(record(.part, ["startFrame": 11, "endFrame": 10])).range == nil)
  }

  @Test func `a move has its part, type, texts and position`() {
    let move = Move(
      record(
        .move, ["part": "p", "moveType": "m", "title": "Turn", "notes": "a\nb", "position": "b"]))
    #expect(move.part == "p")
    #expect(move.moveType == "m")
    #expect(move.title == "Turn")
    #expect(move.notes == "a\nb")
    #expect(move.position == "b")
  }

  @Test func `a move type has its name, abbreviation and colour`() {
    let type = MoveType(
      record(.moveType, ["name": "Turn", "abbreviation": "TU", "colour": "#248f36"]))
    #expect(type.name == "Turn")
    #expect(type.abbreviation == "TU")
    #expect(type.colour == "#248f36")
  }

  @Test func `a track and a video keep their length in different fields`() {
    let fields: [String: Value] = ["lengthFrames": 100, "length": 200]
    #expect(Track(record(.track, fields)).lengthFrames == 100)
    #expect(Video(record(.video, fields)).lengthFrames == 200)
    #expect(Medium(record(.track, fields)).lengthFrames == 100)
    #expect(Medium(record(.video, fields)).lengthFrames == 200)
  }

  @Test func `a track has the properties of its file`() {
    let track = Track(
      record(
        .track,
        [
          "title": "Swan", "fileName": "swan.wav", "sha256": "abc", "state": "failed",
          "problem": "No sound.", "size": 1_000,
        ]))
    #expect(track.title == "Swan")
    #expect(track.fileName == "swan.wav")
    #expect(track.sha256 == "abc")
    #expect(track.state == .failed)
    #expect(track.problem == "No sound.")
    #expect(track.size == 1_000)
  }

  @Test func `an unknown or missing state is nil`() {
    #expect(Track(record(.track)).state == nil)
    #expect(Track(record(.track, ["state": "waiting"])).state == nil)
    #expect(Track(record(.track, ["state": 1])).state == nil)
    for state in MediaState.allCases {
      #expect(Video(record(.video, ["state": state.value])).state == state)
    }
  }

  @Test func `the words of states and played files stay as they are stored`() {
    #expect(MediaState.allCases.map(\.rawValue) == ["importing", "ready", "failed"])
    #expect(PlayedFile.allCases.map(\.rawValue) == ["original", "conversion"])
  }

  @Test func `a video has sound unless the server found none`() {
    #expect(Video(record(.video)).hasSound)
    #expect(Video(record(.video, ["hasSound": 1])).hasSound)
    #expect(!Video(record(.video, ["hasSound": 0])).hasSound)
  }

  @Test func `a video names the file that is played`() {
    #expect(Video(record(.video)).plays == nil)
    #expect(Video(record(.video, ["plays": "original"])).plays == .original)
    #expect(Video(record(.video, ["plays": "conversion"])).plays == .conversion)
    #expect(Video(record(.video, ["plays": "other"])).plays == nil)
  }

  @Test func `a correction is what a grid applies`() throws {
    let fields: [String: Value] = [
      "track": "t", "kind": "taps", "order": 12, "startFrame": 5, "endFrame": 90_000,
      "taps": "5  24005 x 9999999999 7y 48007", "value": 3,
    ]
    let id = "0193a5b0-0000-7000-8000-000000000001"
    let view = GridCorrection(record(.gridCorrection, fields, id: id))
    let correction = try #require(view.correction)
    #expect(view.track == "t")
    #expect(correction.id == Correction.ID(utf8: id.utf8))
    #expect(correction.kind == .taps && correction.order == 12 && correction.value == 3)
    #expect(correction.frame == 5 && correction.end == 90_000)
    #expect(correction.taps == [5, 24_005, 48_007])
    for (name, value) in [("kind", "other"), ("deletedAt", 5), ("order", nil)] as [(String, Value)]
    {
      let other = fields.merging([name: value]) { $1 }
      #expect(GridCorrection(record(.gridCorrection, other, id: id)).correction == nil, "\(name)")
    }
  }

  @Test func `fields that are missing, null or of another kind are nil`() {
    for value: Value? in [nil, .null, .bool(true)] {
      func fields(_ type: RecordType) -> Record {
        let names = type.fields.map(\.name)
        return record(
          type,
          value.map { value in Dictionary(uniqueKeysWithValues: names.map { ($0, value) }) }
            ?? [:])
      }
      let part = Part(fields(.part))
      #expect([part.routine, part.track, part.title, part.position] == [nil, nil, nil, nil])
      #expect([part.startFrame, part.endFrame] == [nil, nil])
      let move = Move(fields(.move))
      #expect(
        [move.part, move.moveType, move.title, move.notes, move.position] == [
          nil, nil, nil, nil, nil,
        ])
      let type = MoveType(fields(.moveType))
      #expect([type.name, type.abbreviation, type.colour] == [nil, nil, nil])
      let routine = Routine(fields(.routine))
      #expect([routine.title, routine.subtitle] == [nil, nil])
      let track = Track(fields(.track))
      #expect([track.title, track.fileName, track.sha256, track.problem] == [nil, nil, nil, nil])
      #expect(
        [track.size, track.lengthFrames, Video(fields(.video)).lengthFrames] == [nil, nil, nil])
    }
  }
}
