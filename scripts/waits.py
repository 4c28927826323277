"""Lists what sleeps, polls or ticks by a clock, in Swift, TypeScript and Python, and checks it against
docs/reliability/waits.md, which says why each is there: part of `make lint`.

A test that waits for a clock passes on one machine and fails on a slower one. So each such place has a row there:
its file, how many there are in it, and the reason. A new one needs a reason; one that went leaves no row behind.

Use: waits.py [--list]     with --list it prints each place
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
REASONS = ROOT / "docs" / "reliability" / "waits.md"

#: What waits by a clock, by the end of a file's name.
WAITS = {
    ".swift": r"asyncAfter\(|Task\.sleep|Thread\.sleep|\busleep\(|makeTimerSource|\.wait\((wallT|t)imeout|\.after\(",
    ".ts": r"\b(setTimeout|setInterval|requestIdleCallback)\(|setTimeout,|AbortSignal\.timeout",
    ".py": r"\btime\.sleep\(|wait_for_timeout\(|threading\.Timer\(|await asyncio\.sleep\(",
}
WAITS[".tsx"] = WAITS[".mjs"] = WAITS[".ts"]
FOLDERS = ("Sources", "client/src", "client/tests", "Tests", "scripts", "Benchmarks", "Training")


def places():
    """Yields path, line number and text of each place."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            pattern = WAITS.get(path.suffix)
            if pattern is None or "generated" in path.parts or path == pathlib.Path(__file__).resolve():
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                code = re.sub(r"^\s*(//|#|\*|///).*", "", line)
                if re.search(pattern, code):
                    yield str(path.relative_to(ROOT)), number, line.strip()


def reasons():
    """Returns the number of places of each file in the document."""
    rows = re.findall(r"^\| `([^`]+)` \| (\d+) \| (.+) \|$", REASONS.read_text(), re.MULTILINE)
    return {file: int(count) for file, count, _ in rows}


def main():
    found = list(places())
    if "--list" in sys.argv:
        for file, number, line in found:
            print(f"{file}:{number}: {line}")
    counts = collections.Counter(file for file, _, _ in found)
    known = reasons()
    wrong = [file for file in sorted({*counts, *known}) if counts[file] != known.get(file, 0)]
    for file in wrong:
        print(f"{file}: {counts[file]} places that wait, {known.get(file, 0)} with a reason in {REASONS.relative_to(ROOT)}")
        for _, number, line in (place for place in found if place[0] == file):
            print(f"  {number}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
