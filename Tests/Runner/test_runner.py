"""The runner of `make test`: what fails once, fails always, breaks off or hangs, and what it prints of that."""

import io
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "testing"))

import families  # noqa: E402
import run  # noqa: E402
from families import Family  # noqa: E402
from tools import Pytest  # noqa: E402

#: Tests that are planted. A marker in the folder tells the second try from the first.
ONCE = """
import os, pathlib, pytest
def is_first(name):
    marker = pathlib.Path(__file__).with_name(name)
    was_there = marker.exists()
    marker.touch()
    return not was_there
"""
HOLDS = "def test_holds(): pass\n"
FAILS_ONCE = "def test_fails_once(): assert not is_first('once'), 'the first time'\n"
FAILS_ALWAYS = "def test_fails_always(): assert 1 == 2, 'always'\n"
SKIPPED = "@pytest.mark.skip(reason='no piano')\ndef test_is_skipped(): pass\n"
DIES_ONCE = "def test_dies_once():\n    if is_first('died'): os._exit(9)\n"
HANGS_ONCE = "def test_hangs_once():\n    if is_first('hung'): __import__('threading').Event().wait()\n"


@pytest.fixture
def outcome(tmp_path):
    """Runs planted tests; returns the exit status, what was printed, and the list of unsteady tests."""
    def play(*planted, lanes=0, builds=()):
        tests = tmp_path / "tests"
        tests.mkdir()
        (tests / "test_planted.py").write_text(ONCE + "".join(planted))
        family = Family("planted", Pytest((str(tests),), root=tests, lanes=lanes), builds)
        printed = io.StringIO()
        screen = run.Screen(lambda *words, **_: print(*words, file=printed))
        programme = run.Programme([(family, None)], folder=tmp_path / "build", root=tests, room=1, screen=screen)
        status = programme.run()
        programme.close()
        unsteady = tmp_path / "build" / "unsteady.txt"
        return status, printed.getvalue(), unsteady.read_text() if unsteady.exists() else ""
    return play


def test_what_fails_twice_fails_with_its_message_its_place_and_the_command_that_runs_it_alone(outcome):
    status, printed, unsteady = outcome(HOLDS, FAILS_ALWAYS)
    assert status == 1
    assert printed.endswith("\n1 passed, 1 failed, 0 skipped\n")
    assert "FAILED    planted: test_planted.py::test_fails_always  test_planted.py:9" in printed
    assert "AssertionError: always" in printed
    assert "make test ONLY='planted: test_planted.py::test_fails_always'" in printed
    assert unsteady == ""


def test_what_fails_once_passes_alone_and_is_kept_as_unsteady(outcome):
    status, printed, unsteady = outcome(HOLDS, FAILS_ONCE, SKIPPED)
    assert status == 0
    assert printed.endswith("\n2 passed, 0 failed, 1 skipped\n")
    assert "UNSTEADY  planted: test_planted.py::test_fails_once" in printed
    assert "the first time" in printed
    assert "SKIPPED   planted: test_planted.py::test_is_skipped: Skipped: no piano" in printed
    assert unsteady.endswith("\tplanted\ttest_planted.py::test_fails_once\n")


def test_each_failure_is_judged_by_itself(outcome):
    status, printed, unsteady = outcome(FAILS_ONCE, FAILS_ALWAYS, HOLDS)
    assert status == 1
    assert printed.endswith("\n2 passed, 1 failed, 0 skipped\n")
    assert "test_fails_once" in unsteady and "test_fails_always" not in unsteady


def test_a_family_that_breaks_off_runs_again_as_a_whole(outcome):
    status, printed, unsteady = outcome(HOLDS, DIES_ONCE)
    assert status == 0
    assert "ended with 9 after 1 of 2 tests; running: test_planted.py::test_dies_once" in printed
    assert printed.endswith("\n2 passed, 0 failed, 0 skipped\n")
    assert unsteady.endswith("\tplanted\t\n")


def test_a_family_that_hangs_is_ended_and_runs_again(outcome, monkeypatch):
    first = []

    def is_silent(child):
        """Whether it is the first process, and its test has begun."""
        if child.account.running:
            first.append(child)
        return bool(child.account.running) and child is first[0]

    monkeypatch.setattr(run, "is_silent", is_silent)
    status, printed, _ = outcome(HANGS_ONCE)
    assert status == 0
    assert "told nothing for" in printed
    assert "running: test_planted.py::test_hangs_once" in printed


def test_the_process_of_one_lane_that_dies_fails_its_test(outcome):
    status, printed, unsteady = outcome(HOLDS, DIES_ONCE, lanes=2)
    assert status == 0
    assert printed.endswith("\n2 passed, 0 failed, 0 skipped\n")
    assert "test_dies_once" in unsteady


def test_tests_that_cannot_be_read_fail(outcome):
    status, printed, _ = outcome("import nothing_of_that_name\n")
    assert status == 1
    assert "nothing_of_that_name" in printed
    assert printed.endswith(" failed, 0 skipped\n")


def test_no_test_at_all_is_a_failure(outcome):
    status, printed, _ = outcome("")
    assert status == 1
    assert "it ran no test" in printed or "it ended with 5" in printed


def test_a_build_that_fails_is_the_failure_and_nothing_runs(outcome):
    status, printed, _ = outcome(HOLDS, builds=("no-such-target",))
    assert status == 1
    assert "no-such-target" in printed
    assert printed.endswith("\n0 passed, 1 failed, 0 skipped\n")


def test_each_family_says_when_it_begins_and_how_it_ended(outcome):
    _, printed, _ = outcome(HOLDS)
    lines = [line.split(None, 2)[1:] for line in printed.splitlines() if ":" in line[:6]]
    assert lines[0] == ["planted", "begins"]
    assert lines[1][0] == "planted" and lines[1][1].startswith("1 of 1, ")


def test_only_names_a_family_a_part_of_names_or_both():
    def chosen(*words):
        # In pieces, as this file is searched, too.
        return {family.name: part for family, part in families.chosen("".join(words))}
    assert chosen("client") == {"client": None}
    assert chosen("postgresql: SharedServersTests") == {"postgresql": "SharedServersTests"}
    assert chosen("Tests/ServerTests/", "RoomTests.swift") == {"swift": "RoomTests.swift"}
    assert chosen("client/tests/sync/", "model.test.ts") == {"client": "sync/model"}
    test = ("Tests/Browser/", "test_practice.py", "::test_no")
    assert chosen(*test) == {"browser": "".join(test)}
    assert chosen("no test is called", " like this") == {}
