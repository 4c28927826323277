// Where dancers count one: phrases of eight counts.

/// Finds the beats at which phrases begin: eights, in three and six of six counts, in five and seven
/// of one bar.
struct PhraseFinder: Sendable {
  struct Rule: Sendable {
    /// What it costs that a phrase is shorter than the others.
    var cut = 1.2
    /// What a phrase gains that begins where the first whole bar does.
    var first = 0.2
    /// How near to a bar's first beat a change of the music counts, in beats.
    var nearBeats = 1.2
  }

  private let rule: Rule

  init(rule: Rule = Rule()) { self.rule = rule }

  /// Counts a phrase has in a metre of two to seven beats.
  static func counts(metre: Int) -> Int {
    switch metre {
    case 2, 4: 8
    case 3, 6: 6
    default: metre
    }
  }

  /// Returns the indices of the beats at which phrases begin, for beats at `frames` with their
  /// places, and the changes of the music. A change says that a phrase begins there; between changes
  /// phrases follow each other. Complexity: O(beats + changes).
  func phrases(frames: [Int], beats: [MetricBeat], changes: [SuggestedCut]) -> [Int] {
    let bars = beats.indices.filter { beats[$0].place == 1 }
    guard !bars.isEmpty else { return [] }
    let gains = self.gains(bars: bars, frames: frames, changes: changes)
    // Scores of "this bar is number p of its phrase", by p; four at most.
    var scores = [Double](repeating: 0, count: 4)
    var origins: [[Int]] = []
    for (index, bar) in bars.enumerated() {
      let size = max(1, Self.counts(metre: beats[bar].metre) / beats[bar].metre)
      var next = [Double](repeating: -.infinity, count: 4)
      var origin = [Int](repeating: 0, count: 4)
      let before = index > 0 ? beats[bars[index - 1]].metre : 0
      let sizeBefore = index > 0 ? max(1, Self.counts(metre: before) / before) : 0
      for place in 0..<size {
        if index == 0 {
          next[place] = place == 0 ? rule.first : 0
        } else if place > 0 {
          next[place] = scores[place - 1]
          origin[place] = place - 1
        } else {
          for last in 0..<sizeBefore {
            let score = scores[last] - (last == sizeBefore - 1 ? 0 : rule.cut)
            if score > next[0] { (next[0], origin[0]) = (score, last) }
          }
        }
      }
      next[0] += gains[index]
      scores = next
      origins.append(origin)
    }
    var place = scores.indices.max { scores[$0] < scores[$1] }!  // There are four.
    var result: [Int] = []
    for index in bars.indices.reversed() {
      if place == 0 { result.append(bars[index]) }
      place = origins[index][place]
    }
    return result.reversed()
  }

  /// How much each bar gains by changes near its first beat, 0–1.
  private func gains(bars: [Int], frames: [Int], changes: [SuggestedCut]) -> [Double] {
    var gains = [Double](repeating: 0, count: bars.count)
    var index = 0
    for change in changes {
      while index + 1 < bars.count,
        abs(frames[bars[index + 1]] - change.frame) <= abs(frames[bars[index]] - change.frame)
      { index += 1 }
      let bar = bars[index]
      let beatFrames =
        bar + 1 < frames.count
        ? frames[bar + 1] - frames[bar] : frames[bar] - frames[max(0, bar - 1)]
      let distance = Double(abs(frames[bar] - change.frame)) / Double(max(1, beatFrames))
      if distance <= rule.nearBeats { gains[index] += change.strength }
    }
    return gains
  }
}
