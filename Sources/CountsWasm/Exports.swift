// The grid of counts as flat functions for WebAssembly: numbers and addresses, nothing else.
// `grid_create` gives the handle that every other function takes. Frames are Doubles here, so that
// what no Int32 holds is clamped in Swift. NaN or 0 stands for nil, as each function says.

import Counts

// Unsafe: a handle is an address that the page got from `grid_create` and gives back unchanged, until
// it calls `grid_destroy`; one thread has the module's instance.
public typealias Handle = UnsafeMutableRawPointer

/// A grid, what it is derived from, and the numbers of the last answer.
struct GridHolder {
  var analysis: BeatAnalysis?
  var corrections: [Correction] = []
  var grid = Grid(analysis: nil, lengthFrames: 0, corrections: [])
  let answer = UnsafeMutablePointer<Double>.allocate(capacity: answerCapacity)

  /// The numbers of the longest answer: three for each of 64 numbers of a count-in.
  static let answerCapacity = 192
}

extension Handle {
  fileprivate var holder: UnsafeMutablePointer<GridHolder> {
    assumingMemoryBound(to: GridHolder.self)
  }

  fileprivate var grid: Grid { holder.pointee.grid }

  /// Writes the numbers of an answer; nothing if it is nil. Returns 1 if it was there.
  fileprivate func answer(_ numbers: [Double]?) -> Int32 {
    guard let numbers else { return 0 }
    for (index, number) in numbers.enumerated() { holder.pointee.answer[index] = number }
    return 1
  }
}

private func optional(_ frame: Int?) -> Double { frame.map { Double($0) } ?? .nan }

// MARK: Making

/// Returns the address of so many bytes.
@_expose(wasm) @c(counts_allocate)
public func countsAllocate(_ bytes: Int32) -> Handle {
  Handle.allocate(byteCount: max(Int(bytes), 1), alignment: 8)
}

@_expose(wasm) @c(counts_free)
public func countsFree(_ address: Handle) { address.deallocate() }

@_expose(wasm) @c(grid_create)
public func gridCreate() -> Handle {
  let holder = UnsafeMutablePointer<GridHolder>.allocate(capacity: 1)
  holder.initialize(to: GridHolder())
  return Handle(holder)
}

@_expose(wasm) @c(grid_destroy)
public func gridDestroy(_ handle: Handle) {
  handle.holder.pointee.answer.deallocate()
  handle.holder.deinitialize(count: 1)
  handle.holder.deallocate()
}

/// Takes what the analysis found: so many beats with frame and place, and so many eights.
@_expose(wasm) @c(grid_set_analysis)
public func gridSetAnalysis(
  _ handle: Handle, _ tempo: Double, _ metre: Double, _ frames: UnsafePointer<Double>,
  _ beats: Int32, _ places: UnsafePointer<Double>, _ placed: Int32,
  _ eights: UnsafePointer<Double>, _ eightCount: Int32
) {
  func integers(_ start: UnsafePointer<Double>, _ count: Int32) -> [Int] {
    UnsafeBufferPointer(start: start, count: Int(count)).map { Int(bounding: $0) }
  }
  handle.holder.pointee.analysis = BeatAnalysis(
    tempo: tempo, metre: Int(bounding: metre), confidence: 1, frames: integers(frames, beats),
    places: integers(places, placed), eights: integers(eights, eightCount))
}

/// Adds a correction. The id is the 36 bytes of a UUID, the taps are text as in the record.
///
/// Returns 0 if id or kind are none; it is left out then.
@_expose(wasm) @c(grid_add_correction)
public func gridAddCorrection(
  _ handle: Handle, _ id: UnsafePointer<UInt8>, _ order: Double, _ kind: Int32, _ frame: Double,
  _ end: Double, _ value: Double, _ taps: UnsafePointer<UInt8>, _ tapBytes: Int32
) -> Int32 {
  guard let id = Correction.ID(utf8: UnsafeBufferPointer(start: id, count: 36)),
    let kind = Correction.Kind(rawValue: kind)
  else { return 0 }
  handle.holder.pointee.corrections.append(
    Correction(
      id: id, order: Int64(bounding: order), kind: kind, frame: Int(bounding: frame),
      end: Int(bounding: end), value: value,
      taps: Correction.taps(utf8: UnsafeBufferPointer(start: taps, count: Int(tapBytes)))))
  return 1
}

/// Derives the grid of a track of this length, and forgets analysis and corrections.
@_expose(wasm) @c(grid_derive)
public func gridDerive(_ handle: Handle, _ lengthFrames: Double) {
  let holder = handle.holder
  holder.pointee.grid = Grid(
    analysis: holder.pointee.analysis, lengthFrames: Int(bounding: lengthFrames),
    corrections: holder.pointee.corrections)
  holder.pointee.analysis = nil
  holder.pointee.corrections = []
}

// MARK: Reading

/// Returns the address of the Doubles of an answer.
@_expose(wasm) @c(grid_answer)
public func gridAnswer(_ handle: Handle) -> UnsafeMutablePointer<Double> {
  handle.holder.pointee.answer
}

@_expose(wasm) @c(grid_beat_count)
public func gridBeatCount(_ handle: Handle) -> Int32 { Int32(handle.grid.beats.count) }

@_expose(wasm) @c(grid_stretch_count)
public func gridStretchCount(_ handle: Handle) -> Int32 { Int32(handle.grid.stretches.count) }

/// Returns the index of the first beat at or after a frame; the number of beats if there is none.
@_expose(wasm) @c(grid_first_beat)
public func gridFirstBeat(_ handle: Handle, _ frame: Double) -> Int32 {
  Int32(handle.grid.firstIndex(from: Int(bounding: frame)))
}

/// Answers frame, place, count, eight and metre of a beat; returns 0 if there is none.
@_expose(wasm) @c(grid_beat)
public func gridBeat(_ handle: Handle, _ index: Int32) -> Int32 {
  guard handle.grid.beats.indices.contains(Int(index)) else { return 0 }
  let beat = handle.grid.beats[Int(index)]
  return handle.answer(
    [beat.frame, beat.place, beat.count, beat.eight, beat.metre].map { Double($0) })
}

/// Answers first beat, end of the beats, start frame and end frame; returns 0 if there is none.
@_expose(wasm) @c(grid_stretch)
public func gridStretch(_ handle: Handle, _ index: Int32) -> Int32 {
  guard handle.grid.stretches.indices.contains(Int(index)) else { return 0 }
  let stretch = handle.grid.stretches[Int(index)]
  return handle.answer(
    [
      stretch.beats.lowerBound, stretch.beats.upperBound, stretch.frames.lowerBound,
      stretch.frames.upperBound,
    ].map { Double($0) })
}

/// Answers eight, count and fraction of a frame; returns 0 where there are no counts.
@_expose(wasm) @c(grid_position)
public func gridPosition(_ handle: Handle, _ frame: Double) -> Int32 {
  handle.answer(
    handle.grid.position(of: Int(bounding: frame)).map {
      [Double($0.eight), Double($0.count), $0.fraction]
    })
}

/// Answers eight, count and fraction of a frame, with the eights of a part; returns 0 where there are no
/// counts.
@_expose(wasm) @c(grid_position_in)
public func gridPositionIn(
  _ handle: Handle, _ frame: Double, _ start: Double, _ end: Double
) -> Int32 {
  handle.answer(
    handle.grid.position(of: Int(bounding: frame), in: Range(clamping: start, end)).map {
      [Double($0.eight), Double($0.count), $0.fraction]
    })
}

/// Returns a frame stepped by an eight inside a part, back if `direction` is negative; NaN for nil.
@_expose(wasm) @c(grid_step)
public func gridStep(
  _ handle: Handle, _ frame: Double, _ direction: Double, _ start: Double, _ end: Double
) -> Double {
  optional(
    handle.grid.frame(
      Int(bounding: frame), steppedForward: direction > 0, in: Range(clamping: start, end)))
}

/// Returns the frame of the nearest count or border of a part; NaN for nil.
@_expose(wasm) @c(grid_nearest_stop)
public func gridNearestStop(
  _ handle: Handle, _ frame: Double, _ start: Double, _ end: Double
) -> Double {
  optional(handle.grid.nearestStop(to: Int(bounding: frame), in: Range(clamping: start, end)))
}

/// Returns the frame of the next count or border of a part, back if `direction` is negative; NaN for nil.
@_expose(wasm) @c(grid_next_stop)
public func gridNextStop(
  _ handle: Handle, _ frame: Double, _ direction: Double, _ start: Double, _ end: Double
) -> Double {
  optional(
    handle.grid.nextStop(
      from: Int(bounding: frame), forward: direction > 0, in: Range(clamping: start, end)))
}

/// Returns the frame of a position; NaN for nil.
@_expose(wasm) @c(grid_frame)
public func gridFrame(
  _ handle: Handle, _ eight: Double, _ count: Double, _ fraction: Double
) -> Double {
  optional(
    handle.grid.frame(
      of: CountPosition(
        eight: Int(bounding: eight), count: Int(bounding: count), fraction: fraction)))
}

/// Returns a frame moved by counts; NaN for nil.
@_expose(wasm) @c(grid_move_by_counts)
public func gridMoveByCounts(_ handle: Handle, _ frame: Double, _ counts: Double) -> Double {
  optional(handle.grid.frame(Int(bounding: frame), movedByCounts: Int(bounding: counts)))
}

/// Returns a frame moved by eights; NaN for nil.
@_expose(wasm) @c(grid_move_by_eights)
public func gridMoveByEights(_ handle: Handle, _ frame: Double, _ eights: Double) -> Double {
  optional(handle.grid.frame(Int(bounding: frame), movedByEights: Int(bounding: eights)))
}

/// Returns the frame of the nearest beat; NaN for nil.
@_expose(wasm) @c(grid_nearest_beat)
public func gridNearestBeat(_ handle: Handle, _ frame: Double) -> Double {
  optional(handle.grid.nearestBeat(to: Int(bounding: frame))?.frame)
}

/// Returns the frame of the nearest beat at which an eight begins; NaN for nil.
@_expose(wasm) @c(grid_nearest_eight)
public func gridNearestEight(_ handle: Handle, _ frame: Double) -> Double {
  optional(handle.grid.nearestEight(to: Int(bounding: frame))?.frame)
}

/// Returns the frames between two beats; NaN where there are no counts.
@_expose(wasm) @c(grid_period)
public func gridPeriod(_ handle: Handle, _ frame: Double) -> Double {
  optional(handle.grid.period(at: Int(bounding: frame)))
}

/// Returns the counts from one frame to another; 0 if they are not in order.
@_expose(wasm) @c(grid_counts)
public func gridCounts(_ handle: Handle, _ start: Double, _ end: Double) -> Double {
  handle.grid.counts(in: Range(clamping: start, end))
}

/// Answers eights, counts and counts of an eight; returns 0 for a length below half a count.
@_expose(wasm) @c(grid_length)
public func gridLength(_ handle: Handle, _ start: Double, _ end: Double) -> Int32 {
  handle.answer(
    handle.grid.length(of: Range(clamping: start, end)).map { length in
      [length.eights, length.counts, length.countsPerEight].map { Double($0) }
    })
}

// MARK: Moves

/// Returns how many counts a frame is after the first count 1 of a part; NaN where there are no counts.
@_expose(wasm) @c(grid_count)
public func gridCount(
  _ handle: Handle, _ frame: Double, _ start: Double, _ end: Double
) -> Double {
  handle.grid.count(of: Int(bounding: frame), in: Range(clamping: start, end)) ?? .nan
}

/// Returns the frame so many counts after the first count 1 of a part; NaN for nil.
@_expose(wasm) @c(grid_frame_of_count)
public func gridFrameOfCount(
  _ handle: Handle, _ count: Double, _ start: Double, _ end: Double
) -> Double {
  optional(handle.grid.frame(ofCount: count, in: Range(clamping: start, end)))
}

/// Answers eight, count and fraction of so many counts after the first count 1 of a part; returns 0 for nil.
@_expose(wasm) @c(grid_position_of_count)
public func gridPositionOfCount(
  _ handle: Handle, _ count: Double, _ start: Double, _ end: Double
) -> Int32 {
  handle.answer(
    handle.grid.position(ofCount: count, in: Range(clamping: start, end)).map {
      [Double($0.eight), Double($0.count), $0.fraction]
    })
}

/// Returns how many counts a position is after the first count 1 of a part; NaN for nil.
@_expose(wasm) @c(grid_count_of_position)
public func gridCountOfPosition(
  _ handle: Handle, _ eight: Double, _ count: Double, _ fraction: Double, _ start: Double,
  _ end: Double
) -> Double {
  handle.grid.count(
    of: CountPosition(
      eight: Int(bounding: eight), count: Int(bounding: count), fraction: fraction),
    in: Range(clamping: start, end)) ?? .nan
}

/// Replaces the frames of taps, rising, by the counts that were meant; returns 0 where there are no counts.
@_expose(wasm) @c(grid_counts_of_taps)
public func gridCountsOfTaps(
  _ handle: Handle, _ taps: UnsafeMutablePointer<Double>, _ count: Int32, _ start: Double,
  _ end: Double
) -> Int32 {
  let frames = UnsafeBufferPointer(start: taps, count: Int(count)).map { Int(bounding: $0) }
  guard let counts = handle.grid.counts(ofTaps: frames, in: Range(clamping: start, end)) else {
    return 0
  }
  for (index, count) in counts.enumerated() { taps[index] = Double(count) }
  return 1
}

// MARK: Counting in

/// Answers frames before the music, number, and 1 for a downbeat, of each number of a count-in; returns
/// how many there are. A `length` below 1 is an eight, and -1 a bar.
@_expose(wasm) @c(grid_count_in)
public func gridCountIn(
  _ handle: Handle, _ start: Double, _ speed: Double, _ length: Double
) -> Int32 {
  let counts = Int(bounding: length)
  let beats = handle.grid.countIn(
    to: Int(bounding: start), speed: speed,
    length: counts > 0 ? .counts(counts) : counts == -1 ? .bar : .eight)
  var numbers: [Double] = []
  for beat in beats {
    numbers += [Double(beat.framesBefore), Double(beat.number), beat.isDownbeat ? 1 : 0]
  }
  _ = handle.answer(numbers)
  return Int32(beats.count)
}

extension Range<Int> {
  /// Makes a range of two frames; an empty one if they are not in order.
  fileprivate init(clamping start: Double, _ end: Double) {
    let lower = Int(bounding: start)
    self = lower..<Swift.max(lower, Int(bounding: end))
  }
}
