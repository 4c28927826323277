// What a step of a session gains.

/// The gain of passes, for parts and transitions that are in need of practice.
///
/// A pass gains need × challenge × novelty. The need is the weakness on the day that counts. The challenge
/// falls off on both sides of the speed that can be danced (M. Guadagnoli and T. Lee, "Challenge point",
/// Journal of Motor Behavior 36, 2004). The novelty falls with each pass of the session, as massed practice is
/// forgotten sooner.
struct Gain {
  private let readies: [Double]
  private let targets: [Double]
  private let partNeeds: [Double]
  private let transitionNeeds: [Double]
  private let isNew: [Bool]
  /// What is left of the novelty, in this session.
  private var partNovelties: [Double]
  private var transitionNovelties: [Double]

  /// What a pass leaves of the novelty of the next one.
  private static let passLeaves = 0.5
  /// What was danced is not the most that can be: so much faster is tried next.
  private static let stretch = 1.1
  /// How far a speed may be from what can be danced, as a share of it.
  private static let width = 0.25
  /// A part at this share of its target is known.
  private static let knownShare = 0.75

  init(history: History, day: Int) {
    var readies: [Double] = []
    let indices = history.parts.indices
    targets = indices.map { Double(history.parts[$0].targetPercent) }
    for index in indices {
      let ready = history.readyPercent(of: index)
      readies.append(ready > 0 ? min(Gain.stretch * ready, targets[index]) : 0.6 * targets[index])
    }
    self.readies = readies
    isNew = indices.map { history.weakness(ofPart: $0) == nil }
    partNeeds = indices.map { history.weakness(ofPart: $0, on: day) ?? 1 }
    transitionNeeds = indices.map { history.weakness(ofTransition: $0, on: day) ?? 0.8 }
    partNovelties = Array(repeating: 1, count: history.parts.count)
    transitionNovelties = partNovelties
  }

  func ready(_ index: Int) -> Double { readies[index] }
  func target(_ index: Int) -> Double { targets[index] }
  func need(ofPart index: Int) -> Double { partNeeds[index] }
  func need(ofTransition index: Int) -> Double { transitionNeeds[index] }
  func isKnown(_ index: Int) -> Bool {
    !isNew[index] && readies[index] >= Gain.knownShare * targets[index]
  }

  /// Returns what a step gains.
  func of(_ step: PlanStep<Int>) -> Double {
    var copy = self
    return copy.take(step)
  }

  /// Takes a step into account; returns what it gains.
  @discardableResult
  mutating func take(_ step: PlanStep<Int>) -> Double {
    guard step.kind != .rest else { return 0 }
    var sum = 0.0
    for pass in 0..<step.passes {
      let percent = Double(step.percent(ofPass: pass))
      for index in step.firstPart...step.lastPart {
        if step.kind != .transition {
          sum += partNeeds[index] * partNovelties[index] * challenge(percent, readies[index])
          partNovelties[index] *= Gain.passLeaves
        }
        guard index < step.lastPart else { continue }
        let ready = min(readies[index], readies[index + 1])
        sum += transitionNeeds[index] * transitionNovelties[index] * challenge(percent, ready)
        transitionNovelties[index] *= Gain.passLeaves
      }
    }
    return sum
  }

  private func challenge(_ percent: Double, _ ready: Double) -> Double {
    let distance = (percent / ready - 1) / Gain.width
    return exponential(-distance * distance / 2)
  }
}
