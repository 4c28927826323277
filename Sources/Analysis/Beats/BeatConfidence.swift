// How sure the tracker is of a track's beats.

#if canImport(Glibc)
  import Glibc
#endif

/// Estimates the chance that a track can be counted to: that nearly every beat is right, at the right
/// tempo or at twice or half of it, and the bars with them.
///
/// A logistic regression on 72 pieces of the training's styles that were not trained on; hardly any
/// track reaches 0.9. `make bench BENCH=beats` measures how right it is.
struct BeatConfidence {
  /// The activation of each beat.
  let beats: [Float]
  /// How likely each beat is a downbeat.
  let downbeats: [Float]
  let places: [MetricBeat]
  let frames: [Int]
  /// In beats a minute.
  let tempo: Double
  let metre: Int

  /// The chance: 0–1, in hundredths.
  var value: Double {
    let (first, best) = clarity
    let octaves = abs(log2(tempo / 110))
    let sum =
      -76.7 + 72.35 * evenness + 3.7 * share(of: beats, above: 0.3) + 3.22 * first
      - 1.45 * (first - best) - 0.76 * octaves - (metre == 4 ? 0 : 1.1)
    return (100 / (1 + exp(-sum))).rounded() / 100
  }

  /// The mean chance of a downbeat at the first place of bars, and the largest of the other places'.
  private var clarity: (first: Double, best: Double) {
    var sums = [Double](repeating: 0, count: 8)
    var counts = sums
    for (chance, place) in zip(downbeats, places) {
      sums[place.place] += Double(chance)
      counts[place.place] += 1
    }
    let means = zip(sums, counts).map { $1 > 0 ? $0 / $1 : 0 }
    return (means[1], means[2...metre].max() ?? 0)
  }

  /// The share of intervals that differ by less than an eighth from the one before.
  private var evenness: Double {
    let intervals = zip(frames, frames.dropFirst()).map { Double($1 - $0) }
    let even = zip(intervals, intervals.dropFirst()).count { abs($0 - $1) < $0 / 8 }
    return Double(even) / Double(max(1, intervals.count - 1))
  }

  private func share(of values: [Float], above limit: Float) -> Double {
    Double(values.count { $0 > limit }) / Double(max(1, values.count))
  }
}
