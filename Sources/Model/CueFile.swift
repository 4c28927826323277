// `.cue` files: where the pieces of one sound file begin, for players and disc writers.

import Text

/// The text of a `.cue` file for one sound file. It is not the printed cue sheet.
public struct CueFile: Sendable {
  /// How many tracks the format can number.
  public static let trackLimit = 99

  /// The name of the sound file in the same folder.
  public var fileName: String
  public var title: String
  /// Each piece; it ends where the next begins.
  public var tracks: [Track]

  /// One piece.
  public struct Track: Sendable, Hashable {
    public var title: String
    public var startFrame: Int

    /// Makes a piece that begins at `startFrame`.
    public init(title: String, startFrame: Int) {
      self.title = title
      self.startFrame = startFrame
    }
  }

  /// Makes a file; nil for more pieces than the format can number. They are put in order of time.
  public init?(fileName: String, title: String, tracks: [Track]) {
    guard tracks.count <= Self.trackLimit else { return nil }
    self.fileName = fileName
    self.title = title
    self.tracks = tracks.sorted { $0.startFrame < $1.startFrame }
  }

  /// The file's text. Its times are whole 75ths of a second, the nearest to the frame.
  public var text: String {
    var text = "TITLE \(Self.quoted(title))\nFILE \(Self.quoted(fileName)) \(kind)\n"
    for (index, track) in tracks.enumerated() {
      text += "  TRACK \((index + 1).padded(to: 2)) AUDIO\n    TITLE \(Self.quoted(track.title))\n"
      text += "    INDEX 01 \(Self.time(track.startFrame))\n"
    }
    return text
  }

  /// The format has few kinds. Players accept `WAVE` for everything that they can decode.
  private var kind: String {
    let name = fileName.lowercased()
    if name.hasSuffix(".mp3") { return "MP3" }
    return name.hasSuffix(".aiff") || name.hasSuffix(".aif") ? "AIFF" : "WAVE"
  }

  /// `frame` as minutes, seconds and 75ths of a second; minutes go beyond 99.
  static func time(_ frame: Int) -> String {
    let parts = (frame * 75 + Timeline.framesPerSecond / 2) / Timeline.framesPerSecond
    return [parts / 75 / 60, parts / 75 % 60, parts % 75].map { $0.padded(to: 2) }
      .joined(separator: ":")
  }

  /// `text` in quotation marks. The format has no escape, so a quotation mark inside becomes two
  /// apostrophes.
  private static func quoted(_ text: String) -> String {
    let safe = LabelFile.line(text).unicodeScalars
      .split(separator: "\"", omittingEmptySubsequences: false)
      .map { String($0) }.joined(separator: "''")
    return "\"\(safe)\""
  }
}
