"""The short form of each trial, in every `make test`."""

import concurrent.futures

import pytest

import torture

# They wait for disks and jobs more than they compute.
AT_ONCE = 4


@pytest.fixture(scope="module")
def attempts():
    """All trials, under way, by name."""
    with concurrent.futures.ProcessPoolExecutor(AT_ONCE) as pool:
        yield {
            trial.name: pool.submit(torture.attempt, trial, torture.PROGRAM, trial.short)
            for trial in torture.TRIALS}


@pytest.mark.parametrize("name", [trial.name for trial in torture.TRIALS])
def test_the_promise_holds(name, attempts):
    """What the trial promises, tried a few times; `make torture` tries it often."""
    said = attempts[name].result()
    print(said)
    assert said
