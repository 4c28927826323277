// What each correction does to a grid in the making. `Correction.Kind` defines it.

extension GridDraft {
  /// Applies one correction.
  mutating func apply(_ correction: Correction) {
    let frame = clamped(correction.frame)
    switch correction.kind {
    case .taps: applyTaps(correction)
    case .one: setOne(frame)
    case .nudgeBeats:
      guard let number = GridDraft.whole(correction.value, most: 64) else { return }
      nudge(beats: number)
    case .nudgeFrames:
      guard let number = GridDraft.whole(correction.value, most: 480_000) else { return }
      for index in beats.indices { beats[index].frame += Double(number) }
      extend()
    case .halve: halve()
    case .double: double(beats.indices)
    case .metre:
      guard let metre = GridDraft.whole(correction.value, most: 8) else { return }
      setMetre(metre, from: frame)
    case .tempo:
      guard let period = Tempo.period(beatsPerMinute: correction.value) else { return }
      let index = nearestShown(to: frame)
      replace(from: index.map { beats[$0].frame } ?? frame, period: period, startsEight: false)
    case .noCounts:
      let end = min(max(correction.end, 0), lengthFrames)
      let start = Int(frame)
      if start < end { silences.append(start..<end) }
    }
  }

  private func clamped(_ frame: Int) -> Double { Double(min(max(frame, 0), lengthFrames)) }

  /// Returns `value` as a whole number within ±`most`; nil if it is no number.
  private static func whole(_ value: Double, most: Double) -> Int? {
    value.isNaN ? nil : Int(rounded(min(max(value, -most), most)))
  }

  // MARK: Marks

  private mutating func setOne(_ frame: Double) {
    guard let index = nearestShown(to: frame) else { return }
    let bar = metre(at: index)
    for other in max(0, index - bar + 1)..<min(beats.count, index + bar) {
      beats[other].isOne = other == index
    }
  }

  private mutating func setMetre(_ metre: Int, from frame: Double) {
    guard Metre.all.contains(metre), let index = nearestShown(to: frame) else { return }
    beats[index].metre = metre
    if GridDraft.bit(metre) != GridDraft.bit(self.metre) {
      beats[index].phrases |= GridDraft.bit(metre)
    }
  }

  /// The metre of the bar that holds a beat.
  private func metre(at index: Int) -> Int {
    beats[...index].last { $0.metre > 0 }?.metre ?? metre
  }

  /// Moves the marks of each beat to another.
  private mutating func nudge(beats number: Int) {
    guard !beats.isEmpty, number != 0 else { return }
    extend(by: abs(number))
    let marked = beats
    for index in beats.indices {
      let source = index - number
      let isInside = marked.indices.contains(source)
      beats[index].place = isInside ? marked[source].place : 0
      beats[index].phrases = isInside ? marked[source].phrases : 0
      beats[index].isOne = isInside && marked[source].isOne
      beats[index].metre = isInside ? marked[source].metre : 0
    }
  }

  // MARK: Half and double time

  private mutating func halve() {
    let hasOnes = beats.contains { $0.isOne }
    guard let first = beats.firstIndex(where: { hasOnes ? $0.isOne : $0.phrases != 0 }) else {
      return
    }
    var isKept = remainder(first, 2) == 0
    thin(beats.indices) { beat in
      // A mark is kept, so the beats around it are told from there.
      if hasOnes ? beat.isOne : beat.phrases != 0 { isKept = true }
      defer { isKept.toggle() }
      return isKept
    }
  }

  /// Keeps the beats of `range` of which `keeps` says so. Ignored if the tempo fell below the slowest.
  mutating func thin(_ range: Range<Int>, keeps: (DraftBeat) -> Bool) {
    guard let period = meanPeriod(of: range), 2 * period <= Tempo.longestPeriod else { return }
    var kept: [DraftBeat] = []
    kept.reserveCapacity(beats.count)
    var sinceEight = [Int](repeating: beats.count, count: 9)
    var dropped: DraftBeat?
    for index in beats.indices {
      var beat = beats[index]
      if range.contains(index) {
        if !keeps(beat) {
          dropped = beat
          continue
        }
        beat.place = 0
      }
      if let dropped { beat.takeMarks(of: dropped, withPhrases: true) }
      dropped = nil
      // Every second eight ends where one ended before.
      for length in 5...8 {
        let bit: UInt16 = 1 << UInt16(length)
        if beat.phrases & bit != 0 {
          if sinceEight[length] < length { beat.phrases &= ~bit } else { sinceEight[length] = 0 }
        }
        sinceEight[length] += 1
      }
      kept.append(beat)
    }
    if let dropped { kept[kept.count - 1].takeMarks(of: dropped, withPhrases: true) }
    beats = kept
    extend()
  }

  /// Adds beats halfway. Ignored if the tempo rose above the fastest; single short beats stay whole.
  mutating func double(_ range: Range<Int>) {
    guard let period = meanPeriod(of: range), period >= 2 * Tempo.shortestPeriod else { return }
    var doubled: [DraftBeat] = []
    doubled.reserveCapacity(beats.count + range.count)
    for index in beats.indices {
      doubled.append(beats[index])
      guard range.contains(index) else { continue }
      doubled[doubled.count - 1].place = 0
      guard index + 1 < beats.count else { continue }
      let gap = beats[index + 1].frame - beats[index].frame
      if gap >= 2 * Tempo.shortestPeriod {
        doubled.append(
          DraftBeat(frame: beats[index].frame + gap / 2, origin: beats[index].origin))
      }
    }
    beats = doubled
  }

  /// Returns the mean distance of the beats of `range`; nil for less than two.
  func meanPeriod(of range: Range<Int>) -> Double? {
    guard range.count > 1, let first = range.first, let last = range.last else { return nil }
    return (beats[last].frame - beats[first].frame) / Double(range.count - 1)
  }

  // MARK: Tempo

  /// Replaces the beats from `start` to the next tempo that a person set by steady ones. A person's
  /// marks stay on the nearest of the new beats, and so does the first eight, if it is replaced.
  mutating func replace(from start: Double, period: Double, startsEight: Bool) {
    let margin = max(period / 2, Tempo.shortestPeriod)
    var kept = Array(beats[..<firstIndex(from: start - marginBefore(start, period: period))])
    let after = beats[firstIndex(from: start + margin)...]
    let next = after.firstIndex { $0.startsTempo } ?? beats.endIndex
    let end = next < beats.endIndex ? beats[next].frame - margin : Double(lengthFrames) + 1
    var replaced = beats[kept.count..<next].filter { $0.isMarked || $0.phrases != 0 }
    // Beats that only reach for the start of the track do so by the tempo that is nearest.
    if kept.allSatisfy({ $0.origin == .extended }) {
      replaced = kept.filter { $0.isMarked } + replaced
      kept = []
    }
    let hasEight = startsEight || kept.contains { $0.phrases != 0 }
    let rest = beats[next...]
    var first = DraftBeat(frame: start, origin: .steady)
    first.startsTempo = true
    if startsEight || beats.isEmpty { first.phrases = DraftBeat.anyLength }
    kept.append(first)
    var step = 1.0
    while start + step * period < end {
      kept.append(DraftBeat(frame: start + step * period, origin: .steady))
      step += 1
    }
    beats = kept + rest
    extend()
    var isFirst = true
    for beat in replaced {
      guard let index = nearest(to: beat.frame) else { continue }
      let keepsEight = beat.frame == start || (isFirst && !hasEight && beat.phrases != 0)
      if keepsEight { isFirst = false }
      beats[index].takeMarks(of: beat, withPhrases: keepsEight)
    }
  }

  /// How near to `start` a beat before it is dropped.
  private func marginBefore(_ start: Double, period: Double) -> Double {
    let next = firstIndex(from: start + 0.5)
    guard next > 0, next < beats.count else { return max(period / 2, Tempo.shortestPeriod) }
    let gap = beats[next].frame - beats[next - 1].frame
    return max(min(gap, period) / 2, Tempo.shortestPeriod)
  }
}
