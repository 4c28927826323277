// Analyses and corrections for the tests of grids, by hand and at random.

import Counts
import TestSupport

/// The frames of a second.
let second = 48_000

/// Returns an analysis with steady beats of `period` frames from `first` on, for `beats` beats. The
/// first downbeat is beat `pickUp`; eights follow from there.
func steadyAnalysis(
  period: Int = 24_000, beats: Int = 64, first: Int = 12_000, metre: Int = 4, pickUp: Int = 0
) -> BeatAnalysis {
  let frames = (0..<beats).map { first + $0 * period }
  let places = (0..<beats).map { (($0 - pickUp) % metre + metre) % metre + 1 }
  let length = Metre.countsPerEight(metre)
  let eights = stride(from: pickUp, to: beats, by: length).map { frames[$0] }
  return BeatAnalysis(
    tempo: 2_880_000 / Double(period), metre: metre, confidence: 0.9, frames: frames,
    places: places, eights: eights)
}

/// Returns a correction whose order is its number; also its id, unless another is given.
func correction(
  _ kind: Correction.Kind, _ order: Int = 0, id: UInt64? = nil, at frame: Int = 0, to end: Int = 0,
  value: Double = 0, taps: [Int] = []
) -> Correction {
  Correction(
    id: Correction.ID(high: 0, low: id ?? UInt64(order)), order: Int64(order), kind: kind,
    frame: frame, end: end, value: value, taps: taps)
}

/// Returns a correction of taps, from the first to the last of them.
func taps(_ frames: [Int], _ order: Int = 0) -> Correction {
  correction(
    .taps, order, at: frames.min() ?? 0, to: frames.max() ?? 0, taps: frames)
}

extension SeededGenerator {
  /// Returns true once in `number` times.
  mutating func chance(in number: Int) -> Bool { Int.random(in: 0..<number, using: &self) == 0 }

  /// Returns an analysis with jitter, a change of tempo and an irregular phrase, or nil.
  mutating func analysis(lengthFrames: Int) -> BeatAnalysis? {
    if chance(in: 8) { return nil }
    let metre = Int.random(in: 2...7, using: &self)
    var period = Double.random(in: 12_000...50_000, using: &self)
    var frame = Double.random(in: 0...Double(lengthFrames) / 4, using: &self)
    var frames: [Int] = []
    while frame < Double(lengthFrames), frames.count < 400 {
      frames.append(Int(frame))
      frame += period * Double.random(in: 0.97...1.03, using: &self)
      if chance(in: 100) { period = Double.random(in: 12_000...50_000, using: &self) }
    }
    var eights: [Int] = []
    var places: [Int] = []
    var place = Int.random(in: 0..<metre, using: &self)
    for index in frames.indices {
      if chance(in: 60) { place = 0 }
      places.append(place % metre + 1)
      if place % metre == 0, chance(in: 3) { eights.append(frames[index]) }
      place += 1
    }
    return BeatAnalysis(
      tempo: 2_880_000 / period, metre: metre, confidence: 0.7, frames: frames, places: places,
      eights: eights)
  }

  /// Returns a correction as a person could make it.
  mutating func correction(_ order: Int, lengthFrames: Int) -> Correction {
    let kind = Correction.Kind.allCases.randomElement(using: &self) ?? .one
    let frame = Int.random(in: 0...lengthFrames, using: &self)
    var made = Correction(
      id: Correction.ID(high: next(), low: next()), order: Int64(order), kind: kind, frame: frame)
    switch kind {
    case .taps:
      let period = Double.random(in: 10_000...60_000, using: &self)
      made.taps = (0..<Int.random(in: 2...16, using: &self)).map {
        frame + Int(Double($0) * period + Double.random(in: -1_500...1_500, using: &self))
      }
      made.end = (made.taps.max() ?? 0) + 1
    case .nudgeBeats: made.value = Double(Int.random(in: -4...4, using: &self))
    case .nudgeFrames: made.value = Double(Int.random(in: -5_000...5_000, using: &self))
    case .metre: made.value = Double(Int.random(in: 2...7, using: &self))
    case .tempo: made.value = Double.random(in: 40...220, using: &self)
    case .noCounts: made.end = frame + Int.random(in: 1...500_000, using: &self)
    case .one, .halve, .double: break
    }
    return made
  }

  /// Returns corrections with orders that two devices may both have given.
  mutating func corrections(lengthFrames: Int, most: Int = 8) -> [Correction] {
    (0..<Int.random(in: 0...most, using: &self)).map { _ in
      correction(Int.random(in: 0...5, using: &self), lengthFrames: lengthFrames)
    }
  }

  /// Returns a number that nobody would choose.
  mutating func hostileInteger() -> Int {
    let numbers = [
      0, 1, -1, 7_199, .max, .min, Int(Int32.max), Int(Int32.min), 2_073_600_000, 1 << 53,
    ]
    return chance(in: 2)
      ? numbers.randomElement(using: &self) ?? 0
      : Int.random(in: -100_000...3_000_000, using: &self)
  }

  /// Returns a number that nobody would choose.
  mutating func hostileNumber() -> Double {
    let numbers = [
      0, -0.0, 1, -1, .nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude, 3.5, 400,
      20, 1e-9,
    ]
    return numbers.randomElement(using: &self) ?? 0
  }

  /// Returns a correction with values that nobody would choose.
  mutating func hostileCorrection() -> Correction {
    Correction(
      id: Correction.ID(high: 0, low: next()), order: Int64.random(in: .min ... .max, using: &self),
      kind: Correction.Kind.allCases.randomElement(using: &self) ?? .one, frame: hostileInteger(),
      end: hostileInteger(), value: hostileNumber(),
      taps: (0..<Int.random(in: 0...6, using: &self)).map { _ in hostileInteger() })
  }

  /// Returns an analysis with values that no analysis would give.
  mutating func hostileAnalysis() -> BeatAnalysis {
    func integers(_ generator: inout SeededGenerator) -> [Int] {
      (0..<Int.random(in: 0...40, using: &generator)).map { _ in generator.hostileInteger() }
    }
    let frames = integers(&self)
    return BeatAnalysis(
      tempo: hostileNumber(), metre: hostileInteger(), confidence: hostileNumber(),
      frames: chance(in: 2) ? frames.sorted() : frames, places: integers(&self),
      eights: integers(&self))
  }
}
