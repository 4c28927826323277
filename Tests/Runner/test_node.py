"""The runner with Node: files of tests that fail always and once, and that leave things behind."""

import io
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "testing"))

import run  # noqa: E402
from families import Family  # noqa: E402
from tools import Node  # noqa: E402

FIRST = """import { test } from 'node:test';
import { existsSync, writeFileSync } from 'node:fs';
import { state } from '../state';
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: 'planted' });
globalThis.left = true;
state.count += 1;
test('holds', () => undefined);
test('fails always', () => { throw new Error('always'); });
test('fails once', async () => {
  const marker = process.env['MARKER'] ?? '';
  const wasThere = existsSync(marker);
  writeFileSync(marker, '');
  if (!wasThere) throw new Error('the first time');
});
"""
SECOND = """import { test } from 'node:test';
import { state } from '../state';
test('nothing is left of another file', () => {
  if ('left' in globalThis || globalThis.navigator === 'planted') throw new Error('the global scope');
  if (state.count !== 0) throw new Error('a module');
});
"""
ERRING = """import { test } from 'node:test';
test('errs beside its body', async () => {
  process.nextTick(() => { throw new Error('beside'); });
  await new Promise((resolve) => setImmediate(resolve));
});
test('errs when it has ended', () => { setImmediate(() => { throw new Error('afterwards'); }); });
test('does not err', () => new Promise((resolve) => setImmediate(resolve)));
"""
TICKING = """import { test } from 'node:test';
test('leaves what ticks', () => { setInterval(() => undefined, 1_000); });
test('clears what it sets', () => { clearTimeout(setTimeout(() => undefined, 1_000)); });
"""
HANGING = """import { test } from 'node:test';
test('never ends', () => new Promise(() => undefined));
"""


@pytest.fixture
def programme(tmp_path, monkeypatch):
    """Makes a programme of planted files, and what it prints."""
    monkeypatch.setenv("MARKER", str(tmp_path / "marker"))

    def make(files, part=None):
        for name, text in files.items():
            (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "tests" / name).write_text(text)
        (tmp_path / "tests" / "state.ts").write_text("export const state = { count: 0 };\n")
        printed = io.StringIO()
        screen = run.Screen(lambda *words, **_: print(*words, file=printed))
        family = Family("planted", Node("client", (), below=str(tmp_path / "tests")))
        return run.Programme([(family, part)], folder=tmp_path, room=1, screen=screen), printed
    return make


def test_a_test_that_fails_once_is_unsteady_and_files_do_not_disturb_each_other(programme):
    planted, printed = programme({"a/first.test.ts": FIRST, "a/second.test.ts": SECOND})
    assert planted.run() == 1
    planted.close()
    text = printed.getvalue()
    assert text.endswith("\n3 passed, 1 failed, 0 skipped\n")
    assert "UNSTEADY  planted: a/first › fails once" in text and "the first time" in text
    assert "FAILED    planted: a/first › fails always" in text
    assert "first.test.ts:8" in text


def test_a_part_of_the_name_chooses(programme):
    planted, _ = programme({"a/first.test.ts": FIRST, "a/second.test.ts": SECOND}, part="first › holds")
    assert planted.run() == 0
    assert list(planted.runs["planted"].account.results) == ["a/first › holds"]


def test_a_file_that_cannot_be_loaded_fails_and_the_others_run(programme):
    planted, printed = programme({"a/broken.test.ts": "throw new Error('not loaded');\n", "a/second.test.ts": SECOND})
    assert planted.run() == 1
    planted.close()
    assert "a/broken › the file is loaded" in printed.getvalue()
    assert printed.getvalue().endswith("\n1 passed, 1 failed, 0 skipped\n")


def test_a_file_that_cannot_be_loaded_fails_where_a_part_of_a_name_chooses_other_tests(programme):
    planted, printed = programme({"a/broken.test.ts": "throw new Error('not loaded');\n", "a/second.test.ts": SECOND},
                                 part="nothing is left")
    assert planted.run() == 1
    planted.close()
    assert "a/broken › the file is loaded" in printed.getvalue()


def test_a_test_fails_by_an_error_that_its_body_does_not_see(programme):
    planted, printed = programme({"a/erring.test.ts": ERRING})
    assert planted.run() == 1
    planted.close()
    text = printed.getvalue()
    assert "FAILED    planted: a/erring › errs beside its body" in text and "beside" in text
    assert "FAILED    planted: a/erring › errs when it has ended" in text and "afterwards" in text
    assert text.endswith("\n1 passed, 2 failed, 0 skipped\n")


def test_what_a_file_leaves_ticking_is_stopped_and_fails(programme):
    planted, printed = programme({"a/first.test.ts": TICKING, "a/second.test.ts": SECOND})
    assert planted.run() == 1
    planted.close()
    text = printed.getvalue()
    assert "FAILED    planted: a/first › no timer runs on" in text and "first.test.ts:2" in text
    assert text.endswith("\n3 passed, 1 failed, 0 skipped\n")


def test_a_test_that_never_ends_fails_and_the_next_file_runs(programme, monkeypatch):
    monkeypatch.setenv("SEGMANCE_TEST_SECONDS", "1")
    planted, printed = programme({"a/first.test.ts": HANGING, "a/second.test.ts": SECOND})
    assert planted.run() == 1
    planted.close()
    assert "FAILED    planted: a/first › never ends" in printed.getvalue()
    assert printed.getvalue().endswith("\n1 passed, 1 failed, 0 skipped\n")


def test_a_run_that_ends_in_the_middle_does_not_pass(programme):
    planted, _ = programme({"a/first.test.ts": SECOND, "a/second.test.ts": "process.exit(0);\n"})
    assert planted.run() == 1
    planted.close()
