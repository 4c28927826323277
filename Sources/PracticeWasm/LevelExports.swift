// Levels as flat functions for WebAssembly.

import Counts
import Practice

/// Answers the loudness in LUFS, NaN for nil, and the true peak in dBTP of stretches together. `steps` are the
/// loudness of each step and then its peak, in hundredths; a stretch is two Doubles, its start and its end.
@_expose(wasm) @c(practice_level)
public func practiceLevel(
  _ handle: Handle, _ stepFrames: Int32, _ steps: UnsafePointer<Int16>, _ count: Int32,
  _ ranges: UnsafePointer<Double>, _ rangeCount: Int32
) {
  let count = max(Int(count), 0)
  let levels = LevelSteps(
    stepFrames: Int(stepFrames),
    loudness: Array(UnsafeBufferPointer(start: steps, count: count)),
    peaks: Array(UnsafeBufferPointer(start: steps + count, count: count)))
  let level = levels.level(
    of: (0..<max(Int(rangeCount), 0)).map { index in
      LevelRange(
        startFrame: Int(bounding: ranges[2 * index]), endFrame: Int(bounding: ranges[2 * index + 1])
      )
    })
  handle.holder.pointee.numbers = [level.loudness ?? .nan, level.truePeak]
}

/// Answers the factor of each recording that makes them equally loud. `levels` are two Doubles each, as
/// `practice_level` answers them.
@_expose(wasm) @c(practice_even_gains)
public func practiceEvenGains(_ handle: Handle, _ levels: UnsafePointer<Double>, _ count: Int32) {
  let gains = EvenLoudness.gains(
    of: (0..<max(Int(count), 0)).map { index in
      let loudness = levels[2 * index]
      return Level(
        loudness: loudness.isNaN ? nil : loudness, truePeak: levels[2 * index + 1])
    })
  handle.holder.pointee.numbers = gains.map { EvenLoudness.factor(decibels: $0) }
}
