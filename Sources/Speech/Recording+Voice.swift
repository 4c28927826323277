// From what a microphone heard to a recording: the room before and after the voice is cut off.

import Glibc

extension Recording {
  /// Why sound of a microphone is no recording.
  public enum Refusal: Error, Sendable {
    /// Nothing was louder than a quiet room, or no longer than a click.
    case silence
    /// It is as loud from its beginning to its end as noise is, and no word.
    case noise
  }

  /// Below this, as a root of the mean square of a tenth of a second, nothing was said: −50 dB.
  private static let quietest = 0.003
  /// The parts of the voice: below its loudest moment by this factor, and above the room by that.
  private static let belowLoudest = 0.03
  private static let aboveRoom = 2.5
  /// But what is above this share of the loudest moment is never taken for the room.
  private static let surelyVoice = 0.1
  /// Syllables that are not further apart belong together.
  private static let longestPause = framesPerSecond * 3 / 10
  /// What is shorter is the click of a button.
  private static let shortestWord = framesPerSecond * 6 / 100
  /// What is kept of the room, for consonants that are as quiet.
  private static let before = framesPerSecond * 3 / 100
  private static let after = framesPerSecond * 8 / 100

  /// Makes a recording of a name as a microphone heard it, −1 to 1.
  public init(heard: [Double]) throws(Refusal) {
    let sound = Self.withoutRumble(heard)
    guard Self.loudest(of: sound) > Self.quietest else { throw .silence }
    let loudness = Self.smoothed(sound.map(abs), frames: Self.framesPerSecond / 20)
    let loudest = loudness.max() ?? 0
    let room = loudness.sorted()[loudness.count / 20]
    guard room * 2 < loudest else { throw .noise }
    let threshold = min(
      loudest * Self.surelyVoice, max(loudest * Self.belowLoudest, room * Self.aboveRoom))
    // A click at the press of the button stands apart from the voice, and is short.
    let words = Self.groups(of: Self.loudness(of: sound), above: threshold).filter {
      $0.loudFrames >= Self.shortestWord
    }
    guard let first = words.first, let last = words.last else { throw .silence }
    let start = max(0, first.range.lowerBound - Self.before)
    let end = min(sound.count - 1, last.range.upperBound + Self.after)
    self.init(trimmed: Array(sound[start...end]))
  }

  private typealias Group = (range: ClosedRange<Int>, loudFrames: Int)

  /// Returns the stretches that are louder than `threshold`, those with short pauses between them as one.
  private static func groups(of loudness: [Double], above threshold: Double) -> [Group] {
    var groups: [Group] = []
    for frame in loudness.indices where loudness[frame] > threshold {
      if let last = groups.last, frame - last.range.upperBound <= longestPause {
        groups[groups.count - 1] = (last.range.lowerBound...frame, last.loudFrames + 1)
      } else {
        groups.append((frame...frame, 1))
      }
    }
    return groups
  }

  /// Returns sound without what is below any voice, as steps, wind and a microphone's offset.
  private static func withoutRumble(_ sound: [Double]) -> [Double] {
    let share = 1 - exp(-2 * .pi * 70 / Double(framesPerSecond))
    var states = [sound.first ?? 0, 0]
    return sound.map { value in
      var rest = value
      for index in states.indices {
        states[index] += share * (rest - states[index])
        rest -= states[index]
      }
      return rest
    }
  }
}
