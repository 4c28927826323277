// From beats to bars: the most likely metre and place of each beat.

#if canImport(Glibc)
  import Glibc
#endif

/// A beat of which is known where in its bar it lies.
struct MetricBeat: Sendable, Equatable {
  /// The place in the bar, from 1.
  var place: Int
  /// Beats a bar.
  var metre: Int
}

/// Finds the most likely bars for beats whose chance to be a downbeat is known: a hidden Markov
/// model whose states are the places in bars of two to seven beats.
struct BarDecoder: Sendable {
  struct Rule: Sendable {
    /// What a bar costs: of two, three, … seven beats.
    var metres: [Float] = [1.4, 0.4, 0, 1.2, 1.2, 2]
    /// What another metre costs, from one bar to the next.
    var change: Float = 30
    /// What a bar costs that ends too early.
    var cut: Float = 30
  }

  private let rule: Rule

  init(rule: Rule = Rule()) { self.rule = rule }

  private struct State {
    var place: Int
    var metre: Int
  }

  /// Returns the place of each beat; `downbeats` says how likely each one is a downbeat, 0–1.
  func places(downbeats: [Float]) -> [MetricBeat] {
    let states = (2...7).flatMap { metre in (1...metre).map { State(place: $0, metre: metre) } }
    guard !downbeats.isEmpty else { return [] }
    var scores = states.map { -rule.metres[$0.metre - 2] }
    var origins = [UInt8](repeating: 0, count: downbeats.count * states.count)
    for (beat, chance) in downbeats.enumerated() {
      let value = min(max(chance, 0.01), 0.99)
      let (one, other) = (logf(value), logf(1 - value))
      if beat > 0 {
        let ends = states.indices.filter { states[$0].place == states[$0].metre }
        let end = ends.max { scores[$0] < scores[$1] }!  // There are six.
        let any = states.indices.max { scores[$0] < scores[$1] }!  // There are 27.
        var next = scores
        for (index, state) in states.enumerated() {
          // The state before lies beside it, or is the end of its metre's bar.
          var origin = state.place > 1 ? index - 1 : index + state.metre - 1
          var score = scores[origin]
          if state.place == 1 {
            if scores[end] - rule.change > score {
              (score, origin) = (scores[end] - rule.change, end)
            }
            if scores[any] - rule.cut > score { (score, origin) = (scores[any] - rule.cut, any) }
          }
          if state.place == 1 { score -= rule.metres[state.metre - 2] }
          next[index] = score
          origins[beat * states.count + index] = UInt8(origin)
        }
        scores = next
      }
      for index in states.indices { scores[index] += states[index].place == 1 ? one : other }
    }
    var state = states.indices.max { scores[$0] < scores[$1] }!  // There are 27.
    var result: [MetricBeat] = []
    for beat in downbeats.indices.reversed() {
      result.append(MetricBeat(place: states[state].place, metre: states[state].metre))
      state = Int(origins[beat * states.count + state])
    }
    return result.reversed()
  }
}
