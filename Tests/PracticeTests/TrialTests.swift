// The plan against simple rules, tried by simulated performers: a short form of `make bench BENCH=practice`.

import Testing

@testable import PracticeTrial

@Suite struct TrialTests {
  @Test(arguments: [Policy.inOrder, .fromTheTop, .random])
  func `parts practised by the plan are better on the day than by`(_ policy: Policy) {
    var tempo: [Double] = []
    var misses: [Double] = []
    for kind in PerformerKind.all {
      for seed in UInt64(5_000)..<5_012 {
        var byPlan = Trial(kind, policy: .plan, seed: seed)
        var byRule = Trial(kind, policy: policy, seed: seed)
        let (plan, rule) = (byPlan.outcome(), byRule.outcome())
        tempo.append(plan.atTempo - rule.atTempo)
        misses.append(rule.misses - plan.misses)
      }
    }
    // 60 pairs; in the long form the means are several standard errors above these.
    #expect(Spread(tempo).mean > 0.01)
    #expect(Spread(misses).mean > 1)
  }

  @Test func `a performer is the same for each policy, and forgets`() {
    let performer = Performer(PerformerKind.all[0], seed: 9)
    var rested = performer
    #expect(performer.parts == Performer(PerformerKind.all[0], seed: 9).parts)
    _ = rested.dance(0...0, percent: 80)
    let practised = rested.skills[0].speed(at: rested.clock)
    for _ in 0..<20 { rested.sleep() }
    #expect(rested.skills[0].speed(at: rested.clock) < practised)
    #expect(practised > performer.skills[0].speed(at: performer.clock))
  }
}
