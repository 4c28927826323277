// The sample routine: the project's own one-minute song, cut into parts with moves, so that every
// feature can be tried at once.

import Media
import Model
import SampleSong
import Storage

extension Library {
  /// The result of `POST /api/sample`, created or found.
  struct Sample: Encodable {
    var routine: String
    var track: String
    /// The job that imports the music; nil if it was imported before.
    var job: String?
  }

  /// Adds the sample routine to a person's space, or returns the one that is there.
  func addSample(in space: String = Person.owner) throws -> Sample {
    let song = SampleRoutine.wav()
    try quota.requireRoom(for: song.count)
    let added = try tracks.add(
      fileName: "Lantern Street.wav", staged: blobs.stage(contentsOf: song), space: space)
    if added.wasKnown, let routine = try routine(using: added.id) {
      return Sample(routine: routine, track: added.id, job: added.job)
    }
    let types = try addSampleMoveTypes(in: space)
    let parts = zip(SampleSong.sections, SampleRoutine.moves).map { section, moves in
      NewPart(
        title: section.title, track: added.id, range: section.startFrame..<section.endFrame,
        moves: moves.map {
          NewMove(
            title: $0.title, notes: $0.notes, moveType: types[$0.type], counts: $0.counts)
        })
    }
    let routine = try addRoutine(
      title: "Lantern Street", subtitle: "A sample routine to try everything with", parts: parts,
      space: space)
    if space == Person.owner { try switchCallerOn() }
    return Sample(routine: routine, track: added.id, job: added.job)
  }

  /// The moves of the sample are called, unless somebody has chosen otherwise.
  private func switchCallerOn() throws {
    if try records.record(.setting, "caller") == nil {
      try commit([Edit(.setting, "caller", ["value": .bool(true)])])
    }
  }

  /// The routine of a part that uses `track`.
  private func routine(using track: String) throws -> String? {
    for part in try records.users(ofTrack: track) where part.type == .part {
      if let id = Part(part).routine, try records.record(.routine, id)?.isComplete == true {
        return id
      }
    }
    return nil
  }

  /// The sample's move types by name: existing ones with these names, otherwise new ones.
  private func addSampleMoveTypes(in space: String) throws -> [String: String] {
    var ids: [String: String] = [:]
    for record in try records.records(.moveType) where record.space == space {
      let type = MoveType(record)
      if type.isComplete, let name = type.name { ids[name] = type.id }
    }
    let missing = SampleRoutine.moveTypes.filter { ids[$0.name] == nil }
    try commit(
      missing.map { type in
        let id = Identifier.make(milliseconds: Library.now())
        ids[type.name] = id
        return Edit(
          .moveType, id,
          [
            "name": .text(type.name), "abbreviation": .text(type.abbreviation),
            "colour": .text(type.colour),
          ], space: space)
      })
    return ids
  }
}

/// The choreography of the sample song.
enum SampleRoutine {
  /// The sample song as a WAV file.
  static func wav() -> [UInt8] {
    // One minute is far below the format's limit, so the result is never nil.
    WAVFile.file(interleaved: SampleSong.render()) ?? []
  }

  static let moveTypes = [
    (name: "Step", abbreviation: "ST", colour: "#a5730d"),
    (name: "Turn", abbreviation: "TU", colour: "#248f36"),
    (name: "Freeze", abbreviation: "FR", colour: "#8863de"),
  ]

  /// The moves of each section of the song, in order, on their counts.
  static let moves: [[(title: String, type: String, counts: Range<Int>, notes: String)]] = [
    [
      ("Walk in from the left", "Step", 0..<8, "Eight slow counts, eyes on the far corner."),
      ("Lift the lantern", "Freeze", 8..<16, "Hold until the bass comes in."),
    ],
    [
      ("Side step, side step", "Step", 0..<12, ""),
      ("Half turn to the back", "Turn", 12..<16, "Weight on the right foot before turning."),
      ("Three steps forward", "Step", 16..<28, ""),
      ("Look over the shoulder", "Freeze", 28..<29, "One count only."),
    ],
    [
      ("Big jump on the one", "Step", 0..<8, "Land softly, knees over the toes."),
      ("Double turn", "Turn", 8..<16, "Spot the lantern."),
      ("Slide to the right", "Step", 16..<24, ""),
      ("Double turn back", "Turn", 24..<32, ""),
    ],
    [
      ("Walk the circle", "Step", 0..<16, "Smaller with each bar."),
      ("Last turn", "Turn", 16..<24, ""),
      ("Put the lantern down", "Freeze", 24..<32, "Stay until the last chord has gone."),
    ],
  ]
}
