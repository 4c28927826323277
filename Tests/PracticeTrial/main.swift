// Lets simulated performers practise by the plan and by simple rules, and prints how they perform.
// Use: PracticeTrial PERFORMERS FIRST_SEED
// Prints a line for each kind and policy: kind, policy, share at tempo, its spread, misses, their spread, and
// by how much the plan is better in both, with the standard errors of the differences.

import Foundation

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count == 2 else {
  print("Use: PracticeTrial PERFORMERS FIRST_SEED")
  exit(2)
}
let seeds = arguments[1]..<(arguments[1] + arguments[0])
for kind in PerformerKind.all {
  var byPlan: [Outcome] = []
  for policy in Policy.allCases {
    let outcomes = seeds.map { seed in
      var trial = Trial(kind, policy: policy, seed: seed)
      return trial.outcome()
    }
    if policy == .plan { byPlan = outcomes }
    let tempo = Spread(outcomes.map(\.atTempo))
    let misses = Spread(outcomes.map(\.misses))
    let better = Spread(zip(byPlan, outcomes).map { $0.atTempo - $1.atTempo })
    let fewer = Spread(zip(byPlan, outcomes).map { $1.misses - $0.misses })
    let root = Double(outcomes.count).squareRoot()
    let numbers = [
      tempo.mean, tempo.deviation, misses.mean, misses.deviation, better.mean,
      better.deviation / root, fewer.mean, fewer.deviation / root,
    ]
    let line = numbers.map { String(format: "%.3f", $0) }.joined(separator: "\t")
    print("\(kind.name)\t\(policy.rawValue)\t\(line)")
  }
}
