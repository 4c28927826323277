"""The short form of each trial (scripts/testing/watched.py says which runs when)."""

import concurrent.futures
import sys

import pytest

import planted
import torture
from rig import ROOT

sys.path.insert(0, str(ROOT / "Tests" / "Fuzz"))

import bugs  # noqa: E402

# The number of parallel trials. They wait for disks and jobs more than they compute.
AT_ONCE = 4
# This trial checks a response time of one second, so nothing else may run.
TIMED = "slow_clients"
SHARED = [trial for trial in torture.TRIALS if trial.name != TIMED and trial.short > 0]


@pytest.mark.timed
def test_the_timed_trial_holds():
    """Like `test_a_trial_holds`, before the other trials start."""
    (trial,) = (trial for trial in torture.TRIALS if trial.name == TIMED)
    said = torture.attempt(trial, torture.PROGRAM, trial.short)
    print(said)
    assert said


@pytest.fixture(scope="module")
def attempts(request):
    """The other trials that this run asks for, started, by name."""
    asked = [
        item.callspec.params["name"] for item in request.session.items
        if getattr(item, "originalname", "") == test_a_trial_holds.__name__]
    with concurrent.futures.ProcessPoolExecutor(AT_ONCE) as pool:
        yield {
            trial.name: pool.submit(torture.attempt, trial, torture.PROGRAM, trial.short)
            for trial in SHARED if trial.name in asked}


@pytest.mark.parametrize("name", [trial.name for trial in SHARED])
def test_a_trial_holds(name, attempts):
    """Runs the short form of a trial; `make torture` runs the long form."""
    said = attempts[name].result()
    print(said)
    assert said


@pytest.mark.parametrize("name", [*planted.BUGS, *bugs.BUGS, "later"])
def test_the_code_of_a_planted_bug_exists_once(name):
    """A planted bug replaces a text, as does a later version. If the code changes, it must be updated."""
    changes = planted.LATER if name == "later" else planted.BUGS.get(name) or [bugs.BUGS[name]]
    for file, sound, _ in changes:
        assert (ROOT / file).read_text().count(sound) == 1, f"{file}: {sound!r}"
