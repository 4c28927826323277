// What a leader plays: the state that followers' pages play along with.

/// The state of a leader's player at a moment of the server's clock. Frames are those of the part's track.
struct LeadState: Codable, Equatable, Sendable {
  /// What the player does.
  enum Playback: String, Codable, CaseIterable {
    case still, playing, countdown, resting
  }
  enum LoopMode: String, Codable, CaseIterable {
    case off, whole, section
  }
  enum CountdownRepeats: String, Codable, CaseIterable {
    case every, first
  }
  enum CountIn: String, Codable, CaseIterable {
    case seconds, four, eight, bar, fourFromOne
  }

  /// The id of the part.
  var part: String
  /// Whether the whole routine is played, part after part.
  var isRun: Bool
  var state: Playback
  /// The frame that is heard at `at`, or that is heard next.
  var frame: Int
  /// The time of `ServerClock` in milliseconds.
  var at: Double
  /// The frames left of a countdown or rest, at 48 kHz of the audio clock; else 0.
  var framesLeft: Int
  var percent: Int
  var loopMode: LoopMode
  var markerA: Int?
  var markerB: Int?
  var countIn: CountIn
  var countdownSeconds: Double
  var countdownRepeats: CountdownRepeats
  var restSeconds: Double
}

extension LeadState {
  private static let longestFrames = 48_000 * 86_400
  private static let longestSeconds = 86_400.0

  /// Returns what is wrong with a value, as a sentence; nil if nothing is.
  var problem: String? {
    func lies(_ value: Int?, _ name: String) -> String? {
      guard let value, !(0...LeadState.longestFrames).contains(value) else { return nil }
      return "The field \(name) must be a number of frames from 0 to \(LeadState.longestFrames)."
    }
    func lasts(_ value: Double, _ name: String) -> String? {
      (0...LeadState.longestSeconds).contains(value)
        ? nil : "The field \(name) must be a number of seconds from 0 to a day."
    }
    if !(25...200).contains(percent) { return "The field percent must be from 25 to 200." }
    if !at.isFinite { return "The field at must be a time in milliseconds." }
    return lies(frame, "frame") ?? lies(framesLeft, "framesLeft") ?? lies(markerA, "markerA")
      ?? lies(markerB, "markerB") ?? lasts(countdownSeconds, "countdownSeconds")
      ?? lasts(restSeconds, "restSeconds")
  }
}
