"""The short form of each trial, in every `make test`."""

import concurrent.futures
import sys

import pytest

import planted
import torture
from rig import ROOT

sys.path.insert(0, str(ROOT / "Tests" / "Fuzz"))

import bugs  # noqa: E402

# They wait for disks and jobs more than they compute.
AT_ONCE = 4
# Promises an answer within a second, so nothing runs beside it.
TIMED = "slow_clients"
SHARED = [trial for trial in torture.TRIALS if trial.name != TIMED]


@pytest.mark.timed
def test_the_promise_of_time_holds():
    """As below, before the others are under way."""
    (trial,) = (trial for trial in torture.TRIALS if trial.name == TIMED)
    said = torture.attempt(trial, torture.PROGRAM, trial.short)
    print(said)
    assert said


@pytest.fixture(scope="module")
def attempts():
    """All others, under way, by name."""
    with concurrent.futures.ProcessPoolExecutor(AT_ONCE) as pool:
        yield {
            trial.name: pool.submit(torture.attempt, trial, torture.PROGRAM, trial.short)
            for trial in SHARED}


@pytest.mark.parametrize("name", [trial.name for trial in SHARED])
def test_the_promise_holds(name, attempts):
    """What the trial promises, tried a few times; `make torture` tries it often."""
    said = attempts[name].result()
    print(said)
    assert said


@pytest.mark.parametrize("name", [*planted.BUGS, *bugs.BUGS])
def test_a_planted_bug_has_its_place(name):
    """Code that moves would leave a trial without what it has to catch."""
    changes = planted.BUGS.get(name) or [bugs.BUGS[name]]
    for file, sound, _ in changes:
        assert (ROOT / file).read_text().count(sound) == 1, f"{file}: {sound!r}"
