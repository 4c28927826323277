// About a minute of original music, free of others' rights. It is synthesized whenever the sample
// routine is added, and never stored in the repository.

/// The song of the sample routine: 112.5 beats a minute, so that a beat is exactly 25,600 frames,
/// and four sections that differ in what plays.
public enum SampleSong {
  /// The song's title.
  public static let title = "First Light"
  /// One quarter note.
  public static let framesPerBeat = 25_600
  /// Four beats.
  public static let framesPerBar = 4 * framesPerBeat
  public static let lengthFrames = Score.sections.reduce(0) { $0 + $1.bars } * framesPerBar

  /// A range of the song between two bar lines.
  public struct Section: Sendable, Equatable {
    public let title: String
    public let startFrame: Int
    /// The end, exclusive.
    public let endFrame: Int
  }

  /// Intro, verse, chorus and finale, without gaps, in order.
  public static let sections: [Section] = {
    var start = 0
    return Score.sections.map { part in
      defer { start += part.bars * framesPerBar }
      return Section(
        title: part.title, startFrame: start, endFrame: start + part.bars * framesPerBar)
    }
  }()

  /// Renders the song: interleaved left and right samples at 48 kHz, identical every time.
  public static func render() -> [Int16] {
    var band = Band(frameCount: lengthFrames)
    var bar = 0
    for section in Score.sections {
      for index in 0..<section.bars {
        band.play(section, bar: index, startingAt: bar * framesPerBar)
        bar += 1
      }
    }
    return band.master()
  }
}
