// A grid in the making: beats with the marks from which the counts follow.

/// One beat of a grid in the making.
struct DraftBeat {
  enum Origin: UInt8 {
    /// Found by the analysis.
    case analysed
    /// Set by a person's taps or tempo.
    case steady
    /// Added towards an end of the track.
    case extended
  }

  /// The frame; it may lie outside the track, and between two frames.
  var frame: Double
  var origin: Origin
  /// The place in the bar by the analysis; 0 if it says none.
  var place = 0
  /// The lengths of eights (bit 5…8) for which one begins here, unless a person said otherwise.
  var phrases: UInt16 = 0
  /// Whether a person said that this is count 1.
  var isOne = false
  /// The metre that a person set from here on; 0 if none.
  var metre = 0
  /// Whether a person set a tempo from here on.
  var startsTempo = false

  /// In `phrases`: an eight begins here whatever its length.
  static let anyLength: UInt16 = 0b1_1110_0000

  /// Whether a person's mark is on it, which must not get lost.
  var isMarked: Bool { isOne || metre > 0 }

  /// Takes over a person's marks from a beat that is dropped, and the eights that begin there.
  mutating func takeMarks(of other: DraftBeat, withPhrases: Bool = false) {
    isOne = isOne || other.isOne
    if other.metre > 0 { metre = other.metre }
    if withPhrases { phrases |= other.phrases }
  }
}

/// A grid in the making. Its beats are rising, at least `Tempo.shortestPeriod` apart, and reach beyond
/// both ends of the track, so that each frame of the track lies between two; or there are none.
struct GridDraft {
  var beats: [DraftBeat] = []
  /// The stretches without counts, in the order in which they were said.
  var silences: [Range<Int>] = []
  /// The metre where no person set one.
  let metre: Int
  let lengthFrames: Int

  /// Makes a draft of what the analysis found. Beats outside the track or too near to the one before
  /// are ignored; so are places and a metre that can't be.
  init(analysis: BeatAnalysis?, lengthFrames: Int) {
    self.lengthFrames = lengthFrames
    let found = analysis?.metre ?? Metre.common
    metre = Metre.all.contains(found) ? found : Metre.common
    guard let analysis else { return }
    for (index, frame) in analysis.frames.enumerated() {
      guard frame >= 0, frame < lengthFrames else { continue }
      if let last = beats.last, Double(frame) - last.frame < Tempo.shortestPeriod { continue }
      let place = index < analysis.places.count ? analysis.places[index] : 0
      beats.append(
        DraftBeat(
          frame: Double(frame), origin: .analysed, place: (1...metre).contains(place) ? place : 0))
    }
    guard !beats.isEmpty else { return }
    bridgeGaps()
    markPhrases(analysis.eights)
    extend(period: Tempo.period(beatsPerMinute: analysis.tempo))
  }

  /// The bit of an eight's length in `DraftBeat.phrases`.
  static func bit(_ metre: Int) -> UInt16 { 1 << UInt16(Metre.countsPerEight(metre)) }

  /// Fills gaps that are longer than any tempo allows with beats as long as the one before.
  private mutating func bridgeGaps() {
    var bridged: [DraftBeat] = []
    bridged.reserveCapacity(beats.count)
    for beat in beats {
      if let last = bridged.last, beat.frame - last.frame > Tempo.longestPeriod {
        let before =
          bridged.count > 1 ? last.frame - bridged[bridged.count - 2].frame : Tempo.longestPeriod
        let gap = beat.frame - last.frame
        let number = max(rounded(gap / before), 2)
        var step = 1.0
        while step < number {
          bridged.append(
            DraftBeat(frame: last.frame + gap * step / number, origin: .extended))
          step += 1
        }
      }
      bridged.append(beat)
    }
    beats = bridged
  }

  /// Marks the beats at which the analysis found phrases; without any, the first downbeat.
  private mutating func markPhrases(_ eights: [Int]) {
    var hasPhrase = false
    for eight in eights where eight >= 0 && eight < lengthFrames {
      guard let index = nearest(to: Double(eight)) else { continue }
      beats[index].phrases = GridDraft.bit(metre)
      hasPhrase = true
    }
    if !hasPhrase {
      beats[beats.firstIndex { $0.place == 1 } ?? 0].phrases = GridDraft.bit(metre)
    }
  }

  /// Returns the index of the first beat at or after `frame`; the number of beats if there is none.
  func firstIndex(from frame: Double) -> Int {
    var low = 0
    var high = beats.count
    while low < high {
      let middle = (low + high) / 2
      if beats[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the index of the beat nearest to `frame`, the earlier of two; nil without beats.
  func nearest(to frame: Double) -> Int? {
    guard !beats.isEmpty else { return nil }
    let next = firstIndex(from: frame)
    if next == 0 { return 0 }
    if next == beats.count { return next - 1 }
    return frame - beats[next - 1].frame <= beats[next].frame - frame ? next - 1 : next
  }

  /// Returns the index of the beat nearest to `frame` among those that lie in the track, if any do.
  func nearestShown(to frame: Double) -> Int? {
    guard let index = nearest(to: frame) else { return nil }
    let shown = firstIndex(from: 0)..<firstIndex(from: Double(lengthFrames))
    return shown.isEmpty ? index : min(max(index, shown.lowerBound), shown.upperBound - 1)
  }

  // MARK: Reaching the ends

  /// Adds beats to both ends until they reach beyond the track, by the tempo that is nearest.
  mutating func extend(period given: Double? = nil) {
    guard let first = beats.first, let last = beats.last else { return }
    if first.frame >= 0 {
      let period = endPeriod(of: beats.prefix(9)) ?? given ?? Tempo.framesPerMinute / 120
      prepend(Int((first.frame / period).rounded(.down)) + 1, period: period)
    }
    if last.frame < Double(lengthFrames) {
      let period = endPeriod(of: beats.suffix(9)) ?? given ?? Tempo.framesPerMinute / 120
      append(
        Int(((Double(lengthFrames) - last.frame) / period).rounded(.up)), period: period)
    }
  }

  /// Adds `number` beats to each end.
  mutating func extend(by number: Int) {
    prepend(number, period: endPeriod(of: beats.prefix(9)) ?? Tempo.framesPerMinute / 120)
    append(number, period: endPeriod(of: beats.suffix(9)) ?? Tempo.framesPerMinute / 120)
  }

  /// The median distance of a few beats, clamped; nil for less than two beats.
  private func endPeriod(of beats: ArraySlice<DraftBeat>) -> Double? {
    guard beats.count > 1 else { return nil }
    let gaps = zip(beats.dropFirst(), beats).map { $0.frame - $1.frame }.sorted()
    return Tempo.clamped(gaps[gaps.count / 2])
  }

  private mutating func prepend(_ number: Int, period: Double) {
    guard let first = beats.first?.frame, number > 0 else { return }
    let added = (1...number).map { step in
      DraftBeat(frame: first - Double(number + 1 - step) * period, origin: .extended)
    }
    beats = added + beats
  }

  private mutating func append(_ number: Int, period: Double) {
    guard let last = beats.last?.frame, number > 0 else { return }
    beats.reserveCapacity(beats.count + number)
    for step in 1...number {
      beats.append(DraftBeat(frame: last + Double(step) * period, origin: .extended))
    }
  }
}
