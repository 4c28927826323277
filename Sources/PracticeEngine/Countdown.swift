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
}

/// The ticks of one countdown. Tick 0 is the last, nearest to the music.
enum Countdown {
  /// Ticks on the whole seconds before the start: N seconds have N of them.
  case seconds(frames: Int)
  /// Numbers in the song's tempo; the first begins the countdown.
  case counts(CountInSteps)

  /// The frames to the first frame of the music.
  var frames: Int {
    switch self {
    case .seconds(let frames): frames
    case .counts(let steps): steps.framesBefore(steps.count - 1)
    }
  }

  /// The number of its tick if one is due so many frames before the music, else 0.
  func number(ofTickAt framesLeft: Int) -> Int {
    switch self {
    case .seconds:
      return framesLeft % EngineTimeline.framesPerSecond == 0
        ? framesLeft / EngineTimeline.framesPerSecond : 0
    case .counts(let steps):
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
    case .counts(let steps):
      for step in (0..<steps.count).reversed() where steps.framesBefore(step) < framesLeft {
        return framesLeft - steps.framesBefore(step)
      }
      return framesLeft
    }
  }

  /// The number that was counted last, of a count-in; 0 in seconds.
  func numberCounted(at framesLeft: Int) -> Int {
    guard case .counts(let steps) = self else { return 0 }
    for step in 0..<steps.count where steps.framesBefore(step) >= framesLeft {
      return steps.number(step)
    }
    return 0
  }
}
