// Parts, logs and ids for the tests of practice.

import Practice

/// The frames of a second.
let second = 48_000
/// 2026-03-02 at noon in UTC, a Monday.
let noon: Int64 = 1_772_452_800_000
/// The milliseconds of a day.
let dayMilliseconds: Int64 = 86_400_000

/// Returns an id by a number.
func id(_ number: UInt64) -> RecordID { RecordID(high: 0x0193_a5b0_0000_7000, low: number) }

/// Returns the canonical text of an id.
func name(_ number: UInt64) -> String {
  var text: [UInt8] = []
  id(number).write(to: &text)
  return String(decoding: text, as: UTF8.self)
}

/// Returns the bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Returns a part of 20 seconds on a track of its own, with moves of 4 seconds each. Its id is `number`,
/// those of its moves are 100 × `number` and the following.
func part(_ number: UInt64, seconds: Int = 20, target: Int = 100) -> PracticePart {
  let start = 10 * second
  return PracticePart(
    id: id(number), startFrame: start, endFrame: start + seconds * second, targetPercent: target,
    moves: (0..<(seconds / 4)).map {
      PracticeMove(id: id(100 * number + UInt64($0)), startFrame: start + 4 * second * $0)
    })
}
