"""Simulated performers practise 20 minutes a day for three weeks: by the plan, and by simple rules."""

import subprocess

from studio import ROOT

#: Seeds from here on were not looked at while the plan was made.
FIRST_SEED = 100_000
PLAN = "the plan"


def run(folder, table, short=False):
    built = ROOT / ".build" / "trial"
    subprocess.run(
        ["swift", "build", "-c", "release", "--scratch-path", built, "--product", "PracticeTrial"],
        cwd=ROOT, check=True, capture_output=True)
    output = subprocess.run(
        [built / "release" / "PracticeTrial", "2" if short else "200", str(FIRST_SEED)],
        check=True, capture_output=True, text=True).stdout
    results = {}
    for line in output.splitlines():
        kind, policy, *numbers = line.split("\t")
        results.setdefault(kind, {})[policy] = [float(number) for number in numbers]
    for kind, by_policy in results.items():
        tempo, spread, misses, missed_spread, *_ = by_policy[PLAN]
        for policy, (other, other_spread, others, others_spread, better, error, _, _) in by_policy.items():
            if policy == PLAN:
                continue
            table.add(
                f"{kind} performers, against {policy}: parts at tempo on the day; misses",
                f"{100 * tempo:.1f} ± {100 * spread:.1f} %; {misses:.2f} ± {missed_spread:.2f}",
                f"{100 * other:.1f} ± {100 * other_spread:.1f} % "
                f"(difference {100 * better:+.1f} ± {100 * error:.1f}); {others:.2f} ± {others_spread:.2f}",
                f"{tempo / other:.2f}; {misses / others:.2f}" if other and others else "")
