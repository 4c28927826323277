// How sure the tracker is of a track's beats.

#if canImport(Glibc)
  import Glibc
#endif

/// Estimates the chance that a track can be counted to: that nearly every beat is right, at the right
/// tempo or at twice or half of it, and the bars with them, where two bars of two beats may be one of
/// four.
///
/// A logistic regression on 281 pieces that were not trained on, most of them in other styles. All of
/// them have a pulse; where none is heard at the beats, the tracker is no surer than the share at which
/// one is. Bars of two beats mostly are halves of bars of four, whose first was not told from the other.
/// `make bench BENCH=beats` measures how right it is.
struct BeatConfidence {
  let traits: MetricalLevel.Traits
  let frames: [Int]

  /// The chance: 0–1, in hundredths.
  var value: Double {
    let halves = traits.metre == 2 ? 1.0 : 0
    let sum =
      -266.8 + 203.2 * evenness + 58.4 * traits.regularity + 9.8 * traits.first
      - 2.4 * traits.other - 5.1 * halves
    return (100 * min(1 / (1 + exp(-sum)), traits.heard)).rounded() / 100
  }

  /// The share of intervals that differ by less than an eighth from the one before.
  private var evenness: Double {
    let intervals = zip(frames, frames.dropFirst()).map { Double($1 - $0) }
    let even = zip(intervals, intervals.dropFirst()).count { abs($0 - $1) < $0 / 8 }
    return Double(even) / Double(max(1, intervals.count - 1))
  }
}
