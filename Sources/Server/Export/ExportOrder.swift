// The order of a clip export: the body of POST /api/exports, which the job's row holds.

import Media

/// The clips to export to one zip.
struct ExportOrder: JobParameters {
  /// One clip.
  struct Clip: Codable, Sendable {
    /// The track's id.
    var track: String
    /// Frames of the track; `end` is exclusive.
    var start: Int
    var end: Int
    var title: String?
  }

  static let clipLimit = 500
  /// The maximum fade, one minute.
  static let longestFadeFrames = 60 * 48_000

  var clips: [Clip]
  var format: String
  /// In frames. A fade longer than the clip covers all of it.
  var fadeIn: Int?
  var fadeOut: Int?

  var record: JobRecord? { nil }
  var words: [String] { [] }

  init(clips: [Clip], format: String, fadeIn: Int? = nil, fadeOut: Int? = nil) {
    self.clips = clips
    self.format = format
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }

  /// Earlier versions stored the order in a file.
  init?(words: [String]) { nil }

  /// The style of the clips; throws `unusable` if the order is inconsistent.
  func style() throws(LibraryError) -> ClipStyle {
    guard let format = ClipFormat(rawValue: format) else {
      throw LibraryError(.unusable, "format must be one of wav, flac, mp3, m4a, opus.")
    }
    guard (1...Self.clipLimit).contains(clips.count) else {
      throw LibraryError(
        .unusable, "One export holds 1 to \(Self.clipLimit) clips, not \(clips.count).")
    }
    let style = ClipStyle(format, fadeInFrames: fadeIn ?? 0, fadeOutFrames: fadeOut ?? 0)
    for fade in [style.fadeInFrames, style.fadeOutFrames] {
      guard (0...Self.longestFadeFrames).contains(fade) else {
        throw LibraryError(
          .unusable, "A fade lasts at most a minute, \(Self.longestFadeFrames) frames.")
      }
    }
    return style
  }
}
