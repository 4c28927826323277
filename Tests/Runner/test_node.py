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
