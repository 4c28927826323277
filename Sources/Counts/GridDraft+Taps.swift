// What a person's taps do to a grid in the making.

extension GridDraft {
  /// Applies taps: keeps the analysed beats where they fit, else sets steady ones.
  mutating func applyTaps(_ correction: Correction) {
    let end = min(max(correction.end, 0), lengthFrames)
    let used = correction.taps.prefix(Correction.mostTaps).filter {
      $0 >= correction.frame && $0 <= end && $0 >= 0
    }
    guard let fit = TapFit(used.map { Double($0) }) else { return }
    guard let range = analysedBeats(around: fit), let step = ratio(of: fit, around: range) else {
      replace(from: fit.start, period: fit.period, startsEight: true)
      return
    }
    let bounds = tempoStretch(around: range.lowerBound)
    switch step {
    case .half: keepTapped(fit, in: bounds)
    case .twice: double(bounds)
    case .same: break
    }
    move(tempoStretch(around: nearest(to: fit.start) ?? 0), onto: fit)
  }

  private enum Ratio { case half, same, twice }

  /// The beats among which the taps lie; nil unless there are three or more, all found by the analysis.
  private func analysedBeats(around fit: TapFit) -> Range<Int>? {
    guard let firstTap = fit.taps.first, let lastTap = fit.taps.last else { return nil }
    let low = firstIndex(from: firstTap - fit.period)
    let high = firstIndex(from: lastTap + fit.period)
    guard high - low >= 3, beats[low..<high].allSatisfy({ $0.origin == .analysed }) else {
      return nil
    }
    return low..<high
  }

  /// Whether the taps have the tempo of these beats, or half or twice of it; nil if none of these.
  private func ratio(of fit: TapFit, around range: Range<Int>) -> Ratio? {
    guard let period = meanPeriod(of: range) else { return nil }
    let ratio = fit.period / period
    if abs(ratio - 1) <= 0.04 { return .same }
    if abs(ratio - 2) <= 0.08 { return .half }
    return abs(ratio - 0.5) <= 0.02 ? .twice : nil
  }

  /// The beats around one, up to where a person set a tempo.
  private func tempoStretch(around index: Int) -> Range<Int> {
    let start = beats[...index].lastIndex { $0.startsTempo } ?? 0
    return start..<(beats[(index + 1)...].firstIndex { $0.startsTempo } ?? beats.count)
  }

  /// Drops every second beat of `bounds`, so that the tapped ones stay.
  private mutating func keepTapped(_ fit: TapFit, in bounds: Range<Int>) {
    let even = fit.taps.reduce(0) { sum, tap in
      sum + (remainder(nearest(to: tap) ?? 0, 2) == 0 ? 1 : -1)
    }
    var index = bounds.lowerBound
    thin(bounds) { _ in
      defer { index += 1 }
      return (remainder(index, 2) == 0) == (even >= 0)
    }
  }

  /// Moves the beats of `bounds` onto the taps, if these lie beside them; half a beat or a part of one.
  private mutating func move(_ bounds: Range<Int>, onto fit: TapFit) {
    let phases = fit.taps.compactMap { tap -> Double? in
      let next = firstIndex(from: tap + 0.5)
      guard next > 0, next < beats.count else { return nil }
      return (tap - beats[next - 1].frame) / (beats[next].frame - beats[next - 1].frame)
    }
    guard !phases.isEmpty else { return }
    // Phases go round, so the median is taken around one of them.
    let reference = phases[phases.count / 2]
    let around = phases.map { $0 - reference - rounded($0 - reference) }.sorted()
    var phase = reference + around[around.count / 2]
    phase -= rounded(phase)
    guard abs(phase) > 0.2 else { return }
    if abs(phase) >= 0.3 { phase = phase < 0 ? -0.5 : 0.5 }
    let old = beats
    for index in bounds {
      let other = phase > 0 ? index + 1 : index - 1
      let gap =
        old.indices.contains(other)
        ? abs(old[other].frame - old[index].frame) : meanPeriod(of: bounds) ?? 0
      beats[index].frame += phase * gap
    }
    // What has come too near to the next tempo, is dropped.
    if bounds.upperBound < beats.count, bounds.count > 1 {
      let last = bounds.upperBound - 1
      let gap = beats[last + 1].frame - beats[last].frame
      if gap < max(0.6 * (old[last].frame - old[last - 1].frame), Tempo.shortestPeriod) {
        beats[last + 1].takeMarks(of: beats[last])
        beats.remove(at: last)
      }
    }
    extend()
  }
}
