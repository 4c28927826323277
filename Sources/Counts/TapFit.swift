// A steady tempo through a person's taps.

/// The line through taps: tap k lies near `start` + k × `period`.
///
/// A least-squares fit after rejecting outliers. It bears missed taps, doubled taps and stray ones, as
/// long as more than half of the taps are good.
struct TapFit: Equatable {
  /// The frame at which the line puts the first good tap.
  var start: Double
  /// The frames from one beat to the next.
  var period: Double
  /// The good taps, rising.
  var taps: [Double]

  /// Two taps closer than this, in frames, are one: 80 ms.
  private static let bounce = 3_840.0
  /// A tap farther from the line than this part of a beat is an outlier.
  private static let tolerance = 0.2
  private static let fewest = 3

  /// Makes the fit; nil with less than three good taps, or if less than half of them are good.
  init?(_ frames: [Double]) {
    var taps: [Double] = []
    for tap in frames.sorted() where taps.last.map({ tap - $0 >= TapFit.bounce }) ?? true {
      taps.append(tap)
    }
    guard taps.count >= TapFit.fewest else { return nil }
    let gaps = zip(taps.dropFirst(), taps).map { $0 - $1 }.sorted()
    period = gaps[(gaps.count - 1) / 2]
    start = taps[0]
    self.taps = taps
    // A line from few taps misses those far away, so places are found from tap to tap first.
    let walks = taps.indices.prefix(8).map { walk(taps, from: $0) }
    guard let longest = walks.max(by: { $0.taps.count < $1.taps.count }),
      fit(longest.taps, longest.places)
    else { return nil }
    for _ in 0..<6 {
      let kept = inliers(of: taps)
      guard kept.taps.count >= TapFit.fewest, fit(kept.taps, kept.places) else { return nil }
    }
    let kept = inliers(of: taps)
    guard kept.taps.count >= TapFit.fewest, 2 * kept.taps.count > taps.count,
      period >= Tempo.shortestPeriod, period <= Tempo.longestPeriod
    else { return nil }
    start += kept.places[0] * period
    self.taps = kept.taps
  }

  /// Goes from a tap to those that follow it by whole beats, and leaves out the others.
  private func walk(_ taps: [Double], from first: Int) -> (taps: [Double], places: [Double]) {
    var kept = (taps: [taps[first]], places: [0.0])
    for tap in taps[(first + 1)...] {
      let beats = (tap - kept.taps[kept.taps.count - 1]) / period
      let whole = rounded(beats)
      guard whole > 0, abs(beats - whole) <= 1.5 * TapFit.tolerance else { continue }
      kept.taps.append(tap)
      kept.places.append(kept.places[kept.places.count - 1] + whole)
    }
    return kept
  }

  /// Sets start and period by least squares; false if all places are the same.
  private mutating func fit(_ taps: [Double], _ places: [Double]) -> Bool {
    let number = Double(taps.count)
    let meanPlace = places.reduce(0, +) / number
    let meanTap = taps.reduce(0, +) / number
    var products = 0.0
    var squares = 0.0
    for (tap, place) in zip(taps, places) {
      products += (place - meanPlace) * (tap - meanTap)
      squares += (place - meanPlace) * (place - meanPlace)
    }
    guard squares > 0, products > 0 else { return false }
    period = products / squares
    start = meanTap - meanPlace * period
    return true
  }

  /// The taps near the line, with their places on it: at each place only the nearest.
  private func inliers(of taps: [Double]) -> (taps: [Double], places: [Double]) {
    var kept: (taps: [Double], places: [Double]) = ([], [])
    for tap in taps {
      let place = rounded((tap - start) / period)
      let distance = abs(tap - start - place * period)
      guard distance <= TapFit.tolerance * period else { continue }
      if let last = kept.places.last, last == place {
        if distance < abs(kept.taps[kept.taps.count - 1] - start - place * period) {
          kept.taps[kept.taps.count - 1] = tap
        }
      } else {
        kept.taps.append(tap)
        kept.places.append(place)
      }
    }
    return kept
  }
}
