// How sure the tracker is of a track's beats.

#if canImport(Glibc)
  import Glibc
#endif

/// Estimates the chance that a track can be counted to: that nearly every beat is right, at the right
/// tempo or at twice or half of it, and the bars with them, where two bars of two beats may be one of
/// four.
///
/// A logistic regression on 217 pieces, most of them in styles that were not trained on. All of them have
/// a pulse; where none is heard at the beats, the tracker is no surer than the share at which one is.
/// `make bench BENCH=beats` measures how right it is.
struct BeatConfidence {
  let traits: MetricalLevel.Traits
  let frames: [Int]

  /// The chance: 0–1, in hundredths.
  var value: Double {
    let sum = -133.1 + 106.6 * evenness + 21.4 * traits.regularity + 8.4 * traits.first
    return (100 * min(1 / (1 + exp(-sum)), traits.heard)).rounded() / 100
  }

  /// The share of intervals that differ by less than an eighth from the one before.
  private var evenness: Double {
    let intervals = zip(frames, frames.dropFirst()).map { Double($1 - $0) }
    let even = zip(intervals, intervals.dropFirst()).count { abs($0 - $1) < $0 / 8 }
    return Double(even) / Double(max(1, intervals.count - 1))
  }
}
