"""The short form of each trial, in every `make test`."""

import pytest

import torture


@pytest.mark.parametrize("trial", torture.TRIALS, ids=lambda trial: trial.name)
def test_the_promise_holds(trial):
    """What the trial promises, tried a few times; `make torture` tries it often."""
    said = torture.attempt(trial, torture.PROGRAM, trial.short)
    print(said)
    assert said
