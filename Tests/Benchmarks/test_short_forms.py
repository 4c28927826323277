"""Each benchmark runs in its short form and fills its table. What the figures are is not looked at."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = [sys.executable, ROOT / "Benchmarks" / "bench.py"]

# By its path: `studio` is another module to the browser's tests than to the benchmarks.
_spec = importlib.util.spec_from_file_location("renew_docs", ROOT / "Benchmarks" / "renew_docs.py")
renew_docs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(renew_docs)

#: How many rows each benchmark's short form measures.
ROWS = {
    "media": 4, "exports": 3, "sync": 2, "database": 3, "federation": 7, "federation-largest": 7, "federation-servers": 11, "http": 3, "read": 43, "engine": 10, "worklet": 1,
    "start": 2, "visit": 2, "scale": 11, "log": 6, "wave": 2, "size": 5, "onsets": 4, "cuts": 3, "beats": 2, "practice": 20,
    "align": 6, "video": 2, "lead": 2,
}


def test_every_benchmark_has_a_short_form_here():
    refused = subprocess.run([*BENCH, "nothing"], capture_output=True, text=True)
    assert refused.returncode == 1
    names = refused.stderr.strip().rstrip(".").split("choose from ")[1].split(", ")
    assert names == list(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_short_form(name, tmp_path):
    output = tmp_path / "bench.md"
    ended = subprocess.run(
        [*BENCH, "--short", "--output", output, name],
        capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    [(title, text)] = renew_docs.sections(output.read_text())
    assert title == name
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    measured = [row for row in rows if row[1] != "not measured"]
    assert len(measured) == ROWS[name], text
    assert all(re.search(r"\d", row[1]) for row in measured), text


MEASURED = """## media

2026-12-01, Linux

| what | Segmance | peer | ratio | aim |
|---|---|---|---|---|
| import | 1 s | ffmpeg: 2 s | 0.50 | ≤ 1.15 |
"""


def test_documents_take_over_what_was_measured_and_keep_the_rest():
    figures = "# Figures\n\n## media\n\nold\n\n## sync\n\nkept\n"
    assert renew_docs.renewed_sections(figures, MEASURED) == f"# Figures\n\n{MEASURED}\n## sync\n\nkept\n"

    headline = (
        "| what | Segmance | peer | ratio | aim | measured |\n|---|---|---|---|---|---|\n"
        "| import | 9 s | ffmpeg: 9 s | 1.00 | ≤ 1.15 | 2026-11-20 |\n| other | 3 |  |  |  | 2026-11-20 |\n")
    assert renew_docs.renewed_rows(headline, MEASURED) == headline.replace(
        "| import | 9 s | ffmpeg: 9 s | 1.00 | ≤ 1.15 | 2026-11-20 |",
        "| import | 1 s | ffmpeg: 2 s | 0.50 | ≤ 1.15 | 2026-12-01 |")
