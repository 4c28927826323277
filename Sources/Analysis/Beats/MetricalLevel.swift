// The beats of a track at one tempo of several, and what speaks for counting at it.

#if canImport(Glibc)
  import Glibc
#endif

/// The beats and bars of a track at one metrical level: people may tap a song at its tempo, or twice
/// or half as fast.
struct MetricalLevel: Sendable {
  let beats: [BeatDecoder.Beat]
  /// How likely each beat is a downbeat.
  let downbeats: [Float]
  let places: [MetricBeat]
  let traits: Traits

  /// What the network's activations say about the beats, as means over the track.
  struct Traits: Sendable {
    /// How likely the beats are, and the share of those that are not quite unlikely.
    var beat = 0.0
    var heard = 0.0
    /// By how much every second beat is more likely than the others, within eight beats.
    var alternation = 0.0
    /// How likely the first beats of bars are downbeats.
    var first = 0.0
    /// How likely the likeliest other beat of a bar is a downbeat.
    var other = 0.0
    /// The share of bars that are as long as most.
    var regularity = 0.0
    /// How much faster than 110 beats a minute, in octaves.
    var octaves = 0.0
    /// The beats of most bars.
    var metre = 0
  }

  /// Takes two beats or more.
  init(beats: [BeatDecoder.Beat], activations: BeatActivations) {
    self.beats = beats
    downbeats = beats.map { activations.downbeat(near: $0.step / 2) }
    places = BarDecoder().places(downbeats: downbeats)
    traits =
      Measurement(
        steps: beats.map { Double($0.step) }, downbeats: downbeats, places: places,
        activations: activations
      ).traits
  }

  /// How much speaks for this level: the one with the most is chosen. The weights are those of a
  /// conditional logistic regression on pieces of the training's styles that were not trained on.
  var merit: Double {
    10.9 * traits.beat + 10.8 * traits.first - 4.1 * traits.alternation
      + 1.5 * traits.octaves - 1.5 * traits.octaves * traits.octaves
  }
}

/// Measures a level's traits.
private struct Measurement {
  let steps: [Double]
  let downbeats: [Float]
  let places: [MetricBeat]
  let activations: BeatActivations

  var traits: MetricalLevel.Traits {
    var traits = MetricalLevel.Traits()
    let likely = steps.map(activation)
    traits.beat = mean(likely)
    traits.heard = mean(likely.map { $0 > 0.3 ? 1 : 0 })
    traits.alternation = alternation(of: likely)
    traits.metre = mostFrequent(places.map(\.metre))
    let bars = places.indices.filter { places[$0].place == 1 }
    traits.first = mean(bars.map { Double(downbeats[$0]) })
    traits.other = traits.metre > 1 ? (2...traits.metre).map(likelihood(ofPlace:)).max() ?? 0 : 0
    let lengths = zip(bars, bars.dropFirst()).map { $1 - $0 }
    traits.regularity = mean(lengths.map { $0 == traits.metre ? 1 : 0 })
    let intervals = zip(steps, steps.dropFirst()).map { $1 - $0 }.sorted()
    traits.octaves = log2(
      Double(60 * BeatDecoder.stepsPerSecond) / intervals[intervals.count / 2] / 110)
    return traits
  }

  /// How likely the beats at a place of their bars are downbeats.
  private func likelihood(ofPlace place: Int) -> Double {
    mean(zip(downbeats, places).filter { $0.1.place == place }.map { Double($0.0) })
  }

  /// The frame nearest to a step.
  private func frame(_ step: Double) -> Int {
    min(max(Int((step / 2).rounded()), 0), activations.count - 1)
  }

  /// The largest chance of a beat beside a step.
  private func activation(_ step: Double) -> Double {
    let frame = frame(step)
    return (frame - 1..<frame + 2).clamped(to: 0..<activations.count).reduce(0) {
      max($0, Double(activations.beat($1)))
    }
  }

  private func alternation(of values: [Double]) -> Double {
    let groups = (0..<values.count / 8).map { group in
      let eight = values[8 * group..<8 * group + 8]
      let difference = zip(eight, 0...).reduce(0.0) { $0 + ($1.1.isMultiple(of: 2) ? $1.0 : -$1.0) }
      return abs(difference) / 4
    }
    return mean(groups)
  }

  private func mostFrequent(_ values: [Int]) -> Int {
    var counts = [Int](repeating: 0, count: 8)
    for value in values { counts[value] += 1 }
    return counts.indices.max { counts[$0] < counts[$1] }!  // There are eight.
  }

  private func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }
}
