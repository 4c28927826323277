// The score: sections, chords, melodies and rhythms. Notes are MIDI numbers, times are sixteenths.

/// The score of the sample song, in F, with a finale in G.
enum Score {
  /// One note of a melody within its bar.
  struct Note {
    let step: Int
    let length: Int
    let key: Int
  }

  enum Arrangement { case intro, verse, chorus, finale }

  struct Section {
    let title: String
    let arrangement: Arrangement
    let bars: Int
    /// One chord per bar: the bass note, then the notes above.
    let chords: [[Int]]
    let tune: [[Note]]
    let transposition: Int
  }

  static let sections = [
    Section(
      title: "Intro", arrangement: .intro, bars: 4, chords: verseChords,
      tune: [[], [], [], bar((12, 4, 72))], transposition: 0),
    Section(
      title: "Verse", arrangement: .verse, bars: 8, chords: verseChords, tune: verseTune,
      transposition: 0),
    Section(
      title: "Chorus", arrangement: .chorus, bars: 8, chords: chorusChords, tune: chorusTune,
      transposition: 0),
    Section(
      title: "Finale", arrangement: .finale, bars: 8, chords: finaleChords, tune: finaleTune,
      transposition: 2),
  ]

  private static let dMinor = [38, 57, 60, 64, 65]
  private static let bFlat = [34, 58, 62, 65, 69]
  private static let f = [41, 57, 60, 65, 67]
  private static let c = [36, 55, 60, 64, 67]

  private static let verseChords = [dMinor, bFlat, f, c]
  private static let chorusChords = [f, c, dMinor, bFlat, f, c, bFlat, c]
  private static let finaleChords = [f, c, dMinor, bFlat, f, c, bFlat, f]

  private static let verseTune = [
    bar((2, 2, 65), (4, 4, 69), (8, 2, 67), (10, 6, 65)),
    bar((2, 2, 62), (4, 4, 65), (8, 8, 67)),
    bar((2, 2, 69), (4, 4, 72), (8, 2, 69), (10, 2, 67), (12, 4, 65)),
    bar((0, 6, 64), (6, 10, 67)),
    bar((2, 2, 65), (4, 4, 69), (8, 2, 72), (10, 6, 69)),
    bar((2, 2, 70), (4, 4, 69), (8, 2, 65), (10, 6, 62)),
    bar((2, 2, 60), (4, 4, 65), (8, 4, 67), (12, 4, 69)),
    bar((0, 4, 64), (4, 4, 67), (8, 4, 72), (12, 4, 76)),
  ]

  private static let chorusTune = [
    bar((0, 3, 69), (3, 3, 72), (6, 4, 77), (10, 2, 76), (12, 4, 72)),
    bar((0, 3, 67), (3, 3, 72), (6, 6, 76), (12, 4, 74)),
    bar((0, 3, 65), (3, 3, 69), (6, 4, 74), (10, 2, 76), (12, 4, 77)),
    bar((0, 6, 74), (6, 6, 70), (12, 4, 72)),
    bar((0, 3, 69), (3, 3, 72), (6, 4, 77), (10, 2, 76), (12, 4, 72)),
    bar((0, 3, 67), (3, 3, 72), (6, 4, 76), (10, 6, 79)),
    bar((0, 6, 77), (6, 4, 74), (10, 2, 70), (12, 4, 74)),
    bar((0, 8, 76), (8, 4, 79), (12, 4, 72)),
  ]

  private static let finaleTune =
    Array(chorusTune.prefix(6)) + [
      bar((0, 6, 77), (6, 4, 74), (10, 2, 76), (12, 4, 79)),
      bar((0, 16, 77)),
    ]

  private static func bar(_ notes: (step: Int, length: Int, key: Int)...) -> [Note] {
    notes.map { Note(step: $0.step, length: $0.length, key: $0.key) }
  }
}
