// The arithmetic of practice as flat functions for WebAssembly: numbers and addresses, nothing else.
// `practice_create` gives the handle that the functions take. Times and frames are Doubles here, so that
// what no Int32 holds is clamped in Swift. NaN stands for nil. Texts are UTF-8, ids the 36 bytes of a UUID.

import Counts
import Practice

// Unsafe: a handle is an address that the page got from `practice_create` and gives back unchanged, until
// it calls `practice_destroy`; one thread has the module's instance.
public typealias Handle = UnsafeMutableRawPointer

/// What the page has passed, and the last answer.
struct PracticeHolder {
  var parts: [PracticePart] = []
  var covered: [CoveredRange] = []
  var misses: [Miss] = []
  var entries: [PracticeEntry] = []
  var runs: [RunThrough] = []
  var history = History(
    log: PracticeLog(entries: [], runs: []), parts: [],
    now: Moment(milliseconds: 0, utcOffset: 0))
  /// The numbers of the last answer.
  var numbers: [Double] = []
  /// Its text.
  var text: [UInt8] = []
}

extension Handle {
  var holder: UnsafeMutablePointer<PracticeHolder> { assumingMemoryBound(to: PracticeHolder.self) }
}

/// Copies a text that the page has written to an address of this module.
func bytes(_ start: UnsafePointer<UInt8>, _ count: Int32) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: max(Int(count), 0)))
}

/// Reads an id at an address; nil if the bytes there are none.
func identifier(_ start: UnsafePointer<UInt8>) -> RecordID? {
  RecordID(bytes(start, Int32(RecordID.textLength))[...])
}

/// Makes a frame or nil of a number.
func optionalFrame(_ value: Double) -> Int? { value.isNaN ? nil : Int(bounding: value) }

// MARK: Making

/// Returns the address of so many bytes.
@_expose(wasm) @c(practice_allocate)
public func practiceAllocate(_ bytes: Int32) -> Handle {
  Handle.allocate(byteCount: max(Int(bytes), 1), alignment: 8)
}

@_expose(wasm) @c(practice_free)
public func practiceFree(_ address: Handle) { address.deallocate() }

@_expose(wasm) @c(practice_create)
public func practiceCreate() -> Handle {
  let holder = UnsafeMutablePointer<PracticeHolder>.allocate(capacity: 1)
  holder.initialize(to: PracticeHolder())
  return Handle(holder)
}

@_expose(wasm) @c(practice_destroy)
public func practiceDestroy(_ handle: Handle) {
  handle.holder.deinitialize(count: 1)
  handle.holder.deallocate()
}

/// Returns the address of the Doubles of the last answer.
@_expose(wasm) @c(practice_numbers)
public func practiceNumbers(_ handle: Handle) -> UnsafePointer<Double>? {
  // Unsafe: the array keeps its elements there until the next answer, and the page reads them before.
  handle.holder.pointee.numbers.withUnsafeBufferPointer { $0.baseAddress }
}

/// Returns how many Doubles the last answer has.
@_expose(wasm) @c(practice_number_count)
public func practiceNumberCount(_ handle: Handle) -> Int32 {
  Int32(handle.holder.pointee.numbers.count)
}

/// Returns the address of the text of the last answer.
@_expose(wasm) @c(practice_text)
public func practiceText(_ handle: Handle) -> UnsafePointer<UInt8>? {
  // Unsafe: as `practice_numbers`.
  handle.holder.pointee.text.withUnsafeBufferPointer { $0.baseAddress }
}

/// Returns how many bytes the text of the last answer has.
@_expose(wasm) @c(practice_text_bytes)
public func practiceTextBytes(_ handle: Handle) -> Int32 {
  Int32(handle.holder.pointee.text.count)
}

/// Adds a part, in the order of the routine. Returns 0 if the id is none; it is left out then.
@_expose(wasm) @c(practice_add_part)
public func practiceAddPart(
  _ handle: Handle, _ id: UnsafePointer<UInt8>, _ start: Double, _ end: Double,
  _ targetPercent: Double
) -> Int32 {
  guard let id = identifier(id) else { return 0 }
  handle.holder.pointee.parts.append(
    PracticePart(
      id: id, startFrame: Int(bounding: start), endFrame: Int(bounding: end),
      targetPercent: Int(bounding: targetPercent)))
  return 1
}

/// Adds a move to the last part; NaN for one that does not lie on counts. Returns 0 if the id is none.
@_expose(wasm) @c(practice_add_move)
public func practiceAddMove(
  _ handle: Handle, _ id: UnsafePointer<UInt8>, _ start: Double
) -> Int32 {
  let holder = handle.holder
  guard let id = identifier(id), !holder.pointee.parts.isEmpty else { return 0 }
  let last = holder.pointee.parts.count - 1
  holder.pointee.parts[last].moves.append(
    PracticeMove(id: id, startFrame: optionalFrame(start)))
  return 1
}

// MARK: Misses

/// Takes what a run-through has covered, as its field says.
@_expose(wasm) @c(practice_set_covered)
public func practiceSetCovered(
  _ handle: Handle, _ text: UnsafePointer<UInt8>, _ count: Int32
) {
  handle.holder.pointee.covered = RunThrough.covered(text: bytes(text, count))
}

/// Takes the misses of a run-through, as its field says.
@_expose(wasm) @c(practice_set_misses)
public func practiceSetMisses(_ handle: Handle, _ text: UnsafePointer<UInt8>, _ count: Int32) {
  handle.holder.pointee.misses = RunThrough.misses(text: bytes(text, count))
}

/// Answers, as a line of text, what a tap means in what was covered. Returns 0 if it means nothing.
@_expose(wasm) @c(practice_missed)
public func practiceMissed(
  _ handle: Handle, _ part: UnsafePointer<UInt8>, _ frame: Double, _ percent: Double
) -> Int32 {
  let holder = handle.holder
  guard let part = identifier(part),
    let miss = RunThrough.miss(
      tappedAt: Int(bounding: frame), of: part, percent: Int(bounding: percent),
      covered: holder.pointee.covered, parts: holder.pointee.parts)
  else { return 0 }
  holder.pointee.text = RunThrough.text(of: [miss])
  return 1
}

/// Adds the first of the lines of `text` to the misses if `adds` is not 0, else takes it back; answers
/// all misses as text.
@_expose(wasm) @c(practice_change_miss)
public func practiceChangeMiss(
  _ handle: Handle, _ text: UnsafePointer<UInt8>, _ count: Int32, _ adds: Int32
) {
  let holder = handle.holder
  if let miss = RunThrough.misses(text: bytes(text, count)).first {
    let misses = holder.pointee.misses
    holder.pointee.misses =
      adds != 0
      ? RunThrough.adding(miss, to: misses, covered: holder.pointee.covered)
      : RunThrough.removing(miss, from: misses)
  }
  holder.pointee.text = RunThrough.text(of: holder.pointee.misses)
}

/// Answers what was covered as text, as far as it can be read.
@_expose(wasm) @c(practice_covered_text)
public func practiceCoveredText(_ handle: Handle) {
  handle.holder.pointee.text = RunThrough.text(of: handle.holder.pointee.covered)
}

/// Answers the misses as text, as far as they can be read.
@_expose(wasm) @c(practice_misses_text)
public func practiceMissesText(_ handle: Handle) {
  handle.holder.pointee.text = RunThrough.text(of: handle.holder.pointee.misses)
}
