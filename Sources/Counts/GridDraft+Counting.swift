// From a grid in the making to the grid: counts, eights, and what is left out.

extension GridDraft {
  /// Returns the beats in the track that have counts, and their stretches.
  func finished() -> (beats: [Beat], stretches: [Grid.Stretch]) {
    let counted = counted()
    let silences = mergedSilences()
    var kept: [Beat] = []
    var stretches: [Grid.Stretch] = []
    var silence = 0
    /// Whether beats were left out since the last kept one, or none was met yet.
    var isApart = true
    var eights = EightNumbers()
    for index in counted.indices {
      var beat = counted[index]
      while silence < silences.count, silences[silence].upperBound <= beat.frame { silence += 1 }
      let isSilent = silence < silences.count && silences[silence].contains(beat.frame)
      guard !isSilent, beat.frame >= 0, beat.frame < lengthFrames else {
        if isSilent, !isApart {
          stretches[stretches.count - 1].frames =
            stretches[stretches.count - 1].frames.lowerBound..<silences[silence].lowerBound
        }
        if isSilent { isApart = true }
        continue
      }
      beat.eight = eights.number(of: beat)
      let following =
        index + 1 < counted.count ? counted[index + 1].frame : beat.frame + Int(Tempo.longestPeriod)
      if isApart {
        let before = index > 0 ? counted[index - 1].frame : -1
        let isFirst = before < 0 && !silences.contains { $0.lowerBound <= beat.frame }
        stretches.append(
          Grid.Stretch(
            beats: kept.count..<kept.count, frames: (isFirst ? 0 : beat.frame)..<beat.frame,
            preceding: before, following: following))
        isApart = false
      }
      let last = stretches.count - 1
      kept.append(beat)
      stretches[last].beats = stretches[last].beats.lowerBound..<kept.count
      stretches[last].frames =
        stretches[last].frames.lowerBound..<max(beat.frame + 1, min(following, lengthFrames))
      stretches[last].following = following
    }
    return (kept, stretches)
  }

  /// Numbers the eights of which a beat is kept.
  private struct EightNumbers {
    private var number = -1
    private var lastEight = -1

    mutating func number(of beat: Beat) -> Int {
      if number < 0 {
        number = beat.count == 1 ? 1 : 0
      } else if beat.eight != lastEight {
        number += 1
      }
      lastEight = beat.eight
      return number
    }
  }

  /// Returns all beats with their counts, also those outside the track; `eight` counts from 0.
  private func counted() -> [Beat] {
    var counted: [Beat] = []
    counted.reserveCapacity(beats.count)
    var eight = 0
    var start = 0
    while start < beats.count {
      let metre = beats[start].metre > 0 ? beats[start].metre : self.metre
      let end =
        beats[(start + 1)...].firstIndex { $0.metre > 0 && $0.metre != metre } ?? beats.count
      count(start..<end, metre: metre, eight: &eight, into: &counted)
      start = end
    }
    return counted
  }

  /// Counts the beats from one change of metre to the next.
  private func count(_ range: Range<Int>, metre: Int, eight: inout Int, into counted: inout [Beat])
  {
    // Far outside the track a frame doesn't matter, and has to fit into 32 bits.
    let nearTrack = -1e6...Double(lengthFrames) + 1e6
    let length = Metre.countsPerEight(metre)
    let bit = GridDraft.bit(metre)
    let hasOnes = beats[range].contains { $0.isOne }
    func startsEight(_ index: Int) -> Bool {
      hasOnes ? beats[index].isOne : beats[index].phrases & bit != 0
    }
    // A stretch in which nothing starts an eight counts up to the next metre, or from where it is set.
    var anchor =
      range.first(where: startsEight)
      ?? (beats[range.lowerBound].metre == 0 && range.upperBound < beats.count
        ? range.upperBound : range.lowerBound)
    for index in range {
      if startsEight(index) { anchor = index }
      let count = remainder(index - anchor, length)
      // Where the metre changes in front of a `one`, its eight has but its last counts.
      if count == 0 || (index == range.lowerBound && index > 0) { eight += 1 }
      let beat = beats[index]
      let isAnalysed = !hasOnes && metre == self.metre && beat.place > 0
      counted.append(
        Beat(
          frame: Int(rounded(min(max(beat.frame, nearTrack.lowerBound), nearTrack.upperBound))),
          place: isAnalysed ? beat.place : count % metre + 1,
          count: count + 1, eight: eight, metre: metre))
    }
  }

  /// Returns the stretches without counts, rising, without overlaps.
  private func mergedSilences() -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in silences.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
