// A library of any size, made through the same changes as a real one: for measurements.

import Model
import SampleSong
import Storage

/// Fills libraries with made-up routines on one synthesized track.
public struct LibraryFiller {
  private let library: Library
  private let runner: JobRunner

  /// How much there is to be, in all.
  public struct Counts: Sendable {
    public var routines: Int
    public var parts: Int
    public var moves: Int

    /// Makes the counts.
    public init(routines: Int, parts: Int, moves: Int) {
      self.routines = routines
      self.parts = parts
      self.moves = moves
    }
  }

  /// Prepares to fill `library`, which no server has open.
  public init(library: Library) {
    self.library = library
    runner = JobRunner(library: library, leavesBackgroundJobs: true)
  }

  /// Adds `counts` records, parts and moves spread evenly, in transactions of some thousand edits.
  public func fill(_ counts: Counts) throws {
    let track = try library.addTrack(
      fileName: "\(SampleSong.title).wav",
      staged: library.blobs.stage(contentsOf: SampleRoutine.wav()))
    if let job = track.job { try runner.enqueue(id: job) }
    runner.waitUntilIdle()
    var edits = SampleRoutine.moveTypes.map { type in
      Library.Edit(
        .moveType, newId(),
        [
          "name": .text(type.name), "abbreviation": .text(type.abbreviation),
          "colour": .text(type.colour),
        ])
    }
    let types = edits.map(\.record)
    for routine in 0..<counts.routines {
      let parts = share(of: routine, counts.parts, counts.routines)
      try append(routine, parts, counts, track.id, types, to: &edits)
      if edits.count >= 4_000 {
        try library.commit(edits)
        edits = []
      }
    }
    try library.commit(edits)
  }

  private func append(
    _ number: Int, _ parts: Range<Int>, _ counts: Counts, _ track: String, _ types: [String],
    to edits: inout [Library.Edit]
  ) throws {
    let routine = newId()
    let title = "\(Words.pick(Words.qualities, number)) \(Words.pick(Words.things, number / 7))"
    edits.append(
      Library.Edit(
        .routine, routine,
        ["title": .text("\(title) \(number + 1)"), "subtitle": "A performance to measure with"]))
    for (part, position) in zip(parts, Position.between(nil, nil, count: parts.count)) {
      let id = newId()
      let start = part % 50 * Timeline.framesPerSecond
      edits.append(
        Library.Edit(
          .part, id,
          [
            "routine": .text(routine), "track": .text(track), "position": .text(position),
            "title": .text("\(Words.pick(Words.sections, part)) \(part - parts.lowerBound + 1)"),
            "startFrame": .integer(start),
            "endFrame": .integer(start + 8 * Timeline.framesPerSecond),
          ]))
      let moves = share(of: part, counts.moves, counts.parts)
      for (move, position) in zip(moves, Position.between(nil, nil, count: moves.count)) {
        edits.append(
          Library.Edit(
            .move, newId(),
            [
              "part": .text(id), "position": .text(position),
              "title": .text("\(Words.pick(Words.steps, move)) \(move - moves.lowerBound + 1)"),
              "moveType": .text(types[move % types.count]),
              "notes": move % 3 == 0 ? "Eight slow counts, eyes on the far corner." : nil,
            ]))
      }
    }
  }

  /// Which of `total` things belong to the one of this index among `owners`.
  private func share(of index: Int, _ total: Int, _ owners: Int) -> Range<Int> {
    index * total / owners..<(index + 1) * total / owners
  }

  private func newId() -> String { Identifier.make(milliseconds: Library.now()) }
}

private enum Words {
  static let qualities = ["Quiet", "Silver", "Burning", "Paper", "Early", "Northern", "Hidden"]
  static let things = [
    "Lantern", "River", "Swan", "Harbour", "Winter", "Parade", "Garden", "Clock",
  ]
  static let sections = ["Intro", "Verse", "Chorus", "Bridge", "Finale"]
  static let steps = ["Side step", "Half turn", "Slide", "Look back", "Jump", "Walk the circle"]

  static func pick(_ words: [String], _ number: Int) -> String { words[number % words.count] }
}
