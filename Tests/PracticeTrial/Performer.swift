// A simulated performer, whose learning and forgetting are known.

import Foundation
import Practice
import TestSupport

/// What a kind of performer is like.
struct PerformerKind {
  var name: String
  /// The median of how slow a skill is; each part has its own.
  var slowness: Double
  /// The spread of it among parts: the standard deviation of its logarithm.
  var spread: Double
  /// α of the forgetting, see `Skill`.
  var forgetting: Double
  /// The share of mistakes that are tapped in a run-through.
  var tapped: Double

  static let all = [
    PerformerKind(name: "typical", slowness: 0.16, spread: 0.4, forgetting: 0.177, tapped: 0.9),
    PerformerKind(name: "slow", slowness: 0.21, spread: 0.4, forgetting: 0.177, tapped: 0.9),
    PerformerKind(name: "forgetful", slowness: 0.15, spread: 0.4, forgetting: 0.24, tapped: 0.9),
    PerformerKind(name: "uneven", slowness: 0.16, spread: 0.7, forgetting: 0.177, tapped: 0.9),
    PerformerKind(name: "careless", slowness: 0.16, spread: 0.4, forgetting: 0.177, tapped: 0.4),
  ]
}

/// A part, or the transition from one into the next, in a performer's memory.
///
/// It is ACT-R's declarative memory with the decay of Pavlik and Anderson ("Practice and forgetting effects on
/// vocabulary memory", Cognitive Science 29, 2005): every pass leaves a trace that decays as t^-d, and d is
/// c e^m + α with the activation m at that moment, so that massed passes are forgotten sooner. Between days,
/// time passes slower by their factor h. The speed that can be danced follows ACT-R's latency, F e^-m, on
/// top of what the movement itself takes: a power law of practice. None of it is in the scheduler.
struct Skill {
  /// F: how much an unpractised memory slows down.
  var slowness: Double
  var forgetting: Double
  private var traces: [(time: Double, decay: Double, weight: Double)] = []
  /// Traces of earlier days, one for each.
  private var days = 0

  private static let c = 0.217
  /// The time of a movement that is fully known, as a share of the time at the target speed.
  private static let movement = 0.8
  /// How fuzzy the border of what can be danced is, as a share of the target speed.
  private static let fuzziness = 0.05

  init(slowness: Double, forgetting: Double) {
    self.slowness = slowness
    self.forgetting = forgetting
    // It was shown once or twice, about a week before.
    traces = [(time: -15_000, decay: forgetting, weight: 1.5)]
    days = 1
  }

  func activation(at time: Double) -> Double {
    var sum = 0.0
    for trace in traces { sum += trace.weight * pow(max(time - trace.time, 1), -trace.decay) }
    return log(sum)
  }

  /// The speed that can be danced, as a share of the target.
  func speed(at time: Double) -> Double {
    1 / (Skill.movement + slowness * exp(-activation(at: time)))
  }

  func successProbability(at time: Double, speed: Double) -> Double {
    1 / (1 + exp((speed - self.speed(at: time)) / Skill.fuzziness))
  }

  /// Practises once. A mistake teaches less; so does what is too easy, and what is too hard: Guadagnoli and
  /// Lee, "Challenge point", Journal of Motor Behavior 36, 2004.
  mutating func practise(at time: Double, speed: Double, succeeds: Bool) {
    let challenge = (speed / self.speed(at: time) - 1) / 0.25
    let decay = min(Skill.c * exp(activation(at: time)) + forgetting, 1.5)
    traces.append((time, decay, (succeeds ? 1 : 0.5) * exp(-challenge * challenge / 2)))
  }

  /// Joins the traces of a day into one, which is nearly the same from the next day on.
  mutating func sleep() {
    guard traces.count > days else { return }
    let today = traces[days...]
    let weight = max(today.reduce(0) { $0 + $1.weight }, 1e-30)
    let time = today.reduce(0) { $0 + $1.weight * $1.time } / weight
    let decay = today.reduce(0) { $0 + $1.weight * $1.decay } / weight
    traces[days...] = [(time, decay, weight)]
    days += 1
  }
}

/// A performer with a routine.
struct Performer {
  let parts: [PracticePart]
  private(set) var skills: [Skill]
  /// Of each part into the next.
  private(set) var transitions: [Skill]
  private let tapped: Double
  private var generator: SeededGenerator
  /// Seconds of the memory's time.
  private(set) var clock = 0.0

  /// Between two sessions: 24 hours less 20 minutes, by Pavlik and Anderson's h of 0.025.
  private static let nightSeconds = 85_200 * 0.025
  static let framesPerSecond = 48_000

  init(_ kind: PerformerKind, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 6...12, using: &generator)
    parts = (0..<count).map { index in
      let seconds = Int.random(in: 12...40, using: &generator)
      return PracticePart(
        id: RecordID(high: 1, low: UInt64(index)), startFrame: 0,
        endFrame: seconds * Performer.framesPerSecond)
    }
    func skill(_ share: Double, _ generator: inout SeededGenerator) -> Skill {
      Skill(
        slowness: share * kind.slowness * exp(kind.spread * generator.normal()),
        forgetting: kind.forgetting)
    }
    skills = parts.map { _ in skill(1, &generator) }
    transitions = parts.dropLast().map { _ in skill(0.8, &generator) }
    tapped = kind.tapped
    self.generator = generator
  }

  /// Dances parts one after the other at a speed, in percent. Returns which succeeded, parts and transitions.
  mutating func dance(_ range: ClosedRange<Int>, percent: Int) -> (parts: [Bool], joins: [Bool]) {
    let speed = Double(percent) / 100
    var result: (parts: [Bool], joins: [Bool]) = ([], [])
    for index in range {
      if index > range.lowerBound {
        result.joins.append(generator.practise(&transitions[index - 1], at: clock, speed))
      }
      clock += Double(parts[index].frames.count / Performer.framesPerSecond) / speed
      result.parts.append(generator.practise(&skills[index], at: clock, speed))
    }
    return result
  }

  /// Dances the end of a part into the next one; returns whether it succeeded.
  mutating func join(_ index: Int, percent: Int) -> Bool {
    clock += 800 / Double(percent)
    return generator.practise(&transitions[index], at: clock, Double(percent) / 100)
  }

  /// Whether a mistake is tapped.
  mutating func taps() -> Bool { Double.random(in: 0..<1, using: &generator) < tapped }

  mutating func frame(of index: Int) -> Int {
    Int.random(in: parts[index].frames, using: &generator)
  }

  mutating func rest(seconds: Double) { clock += seconds }

  mutating func sleep() {
    clock += Performer.nightSeconds
    for index in skills.indices { skills[index].sleep() }
    for index in transitions.indices { transitions[index].sleep() }
  }

  /// The parts that are danced at the target speed more often than not, and the mistakes to be expected in a
  /// run-through at it.
  var performance: (atTempo: Int, misses: Double) {
    let chances = skills.map { $0.successProbability(at: clock, speed: 1) }
    let joins = transitions.map { $0.successProbability(at: clock, speed: 1) }
    return (
      chances.count { $0 >= 0.5 }, (chances + joins).reduce(0) { $0 + 1 - $1 }
    )
  }
}

extension SeededGenerator {
  /// A number of the standard normal distribution (Box and Muller 1958).
  mutating func normal() -> Double {
    let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude..<1, using: &self)))
      .squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }

  /// Practises a skill once at a speed; returns whether it succeeded.
  fileprivate mutating func practise(_ skill: inout Skill, at time: Double, _ speed: Double) -> Bool
  {
    let chance = skill.successProbability(at: time, speed: speed)
    let succeeds = Double.random(in: 0..<1, using: &self) < chance
    skill.practise(at: time, speed: speed, succeeds: succeeds)
    return succeeds
  }
}
