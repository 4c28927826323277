// What is counted before the music: ticks at offsets before its first frame.

import Counts

/// What is counted before the start; the raw values are those of the wire.
public enum CountIn: Int32, CaseIterable, Sendable {
  /// The countdown's seconds.
  case seconds
  /// Four counts with their numbers in the eight, in the song's tempo.
  case four
  /// As many counts as an eight has.
  case eight
  /// One bar, with the places in it.
  case bar
  /// Four counts with the numbers 1 to 4, wherever the start lies in its eight.
  case fourFromOne
}

/// The ticks of one countdown. Tick 0 is the last, nearest to the music.
enum Countdown {
  /// Ticks on the whole seconds before the start: N seconds have N of them.
  case seconds(frames: Int)
  /// Numbers in the song's tempo. Before the first come `leadFrames`, in which a voice begins to say it, and
  /// before those `introductionFrames`, in which names are said.
  case counts(CountInSteps, leadFrames: Int, introductionFrames: Int)

  /// The frames to the first frame of the music.
  var frames: Int {
    switch self {
    case .seconds(let frames): frames
    case .counts(let steps, let leadFrames, let introductionFrames):
      steps.framesBefore(steps.count - 1) + leadFrames + introductionFrames
    }
  }

  /// The number of its tick if one is due so many frames before the music, else 0.
  func number(ofTickAt framesLeft: Int) -> Int {
    switch self {
    case .seconds:
      return framesLeft % EngineTimeline.framesPerSecond == 0
        ? framesLeft / EngineTimeline.framesPerSecond : 0
    case .counts(let steps, _, _):
      for step in 0..<steps.count where steps.framesBefore(step) == framesLeft {
        return steps.number(step)
      }
      return 0
    }
  }

  /// The frames from there to the next tick, or to the music.
  func framesToNextTick(from framesLeft: Int) -> Int {
    switch self {
    case .seconds:
      let rest = framesLeft % EngineTimeline.framesPerSecond
      return rest == 0 ? EngineTimeline.framesPerSecond : rest
    case .counts:
      return nextCount(from: framesLeft)?.frames ?? framesLeft
    }
  }

  /// The next number of a count-in, and the frames from there to its count; nil after the last, and in
  /// seconds.
  func nextCount(from framesLeft: Int) -> (number: Int, frames: Int)? {
    guard case .counts(let steps, _, _) = self else { return nil }
    for step in (0..<steps.count).reversed() where steps.framesBefore(step) < framesLeft {
      return (steps.number(step), framesLeft - steps.framesBefore(step))
    }
    return nil
  }

  /// The number of a count-in that was counted last, or that its countdown begins with; 0 in seconds.
  func numberCounted(at framesLeft: Int) -> Int {
    guard case .counts(let steps, _, _) = self else { return 0 }
    for step in 0..<steps.count where steps.framesBefore(step) >= framesLeft {
      return steps.number(step)
    }
    return steps.number(steps.count - 1)
  }

  /// The frames left of the names, from there to where the first number may begin.
  func introductionFramesLeft(from framesLeft: Int) -> Int {
    guard case .counts(_, _, let introductionFrames) = self else { return 0 }
    return max(0, framesLeft - (frames - introductionFrames))
  }
}
