"""Repeats tests beside busy processes, and counts what fails: `make flake`.

Which: ONLY=NAME, a family or a part of tests' names or files; or with BASE=COMMIT the files of tests that differ from
it; otherwise what .build/unsteady.txt lists. COUNT times (50), beside LOAD processes (6) that compute all the time,
at the same priority. Two repetitions run at once: tests also have to bear each other.
"""

import concurrent.futures
import contextlib
import os
import re
import subprocess
import sys

import families
import watched
from run import ROOT, Programme, Run, duration, indented

FOLDER = ROOT / ".build" / "flake"
UNSTEADY = ROOT / ".build" / "unsteady.txt"


def listed():
    """What the list of unsteady tests names: family and choice of each."""
    if not UNSTEADY.exists():
        return []
    rows = [line.split("\t") for line in UNSTEADY.read_text().splitlines()]
    return list(dict.fromkeys((family, ("name", name) if name else ()) for _, family, name in rows))


def changed(base):
    """The files of tests that differ from where `base` and HEAD parted."""
    parted = watched.git(ROOT, "merge-base", base, "HEAD")
    if parted is None:
        sys.exit(f"There is no commit {base!r}.")
    files = watched.changed_since(parted.strip())
    return [choice for file in sorted(files) if (ROOT / file).exists() for choice in named(file)]


def named(only):
    """Families and choices for what ONLY may be."""
    return [(family.name, ("containing", part) if part else ()) for family, part in families.chosen(only)]


@contextlib.contextmanager
def load(count):
    """So many processes that compute all the time."""
    # They end with this process, however it ends.
    burn = [
        sys.executable, "-c",
        "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"]
    burning = [subprocess.Popen(burn) for _ in range(count)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def repeat(programme, family, choice, count):
    """Runs tests so often; returns the failures."""
    what = f"{family.name}: {choice[1] if choice else 'all'}"
    folder = FOLDER / re.sub(r"[^A-Za-z0-9]+", "-", what)[:100]
    folder.mkdir(parents=True, exist_ok=True)
    failed, longest = [], 0
    for turn in range(1, count + 1):
        run = Run(family, folder, **dict([choice] if choice else []))
        programme.wait({what: run.child})
        longest = max(longest, run.child.seconds)
        if failures := run.failures():
            failed.append(failures)
            for failure in failures:
                print(f"FAILED: {what}, turn {turn}: {failure.name} {failure.place}\n{indented(failure.message)}", flush=True)
        elif turn % 10 == 0:
            print(f"{what}: {turn} of {count}", flush=True)
    verdict = f"{len(failed)} FAILED" if failed else "all passed"
    print(f"{what}: {count} runs, {verdict}, the longest {duration(longest)}", flush=True)
    return failed


def main():
    count, busy = int(os.environ.get("COUNT") or 50), int(os.environ.get("LOAD") or 6)
    only, base = os.environ.get("ONLY"), os.environ.get("BASE")
    chosen = named(only) if only else changed(base) if base else listed()
    if not chosen:
        sys.exit(f"No test has {only!r} in its name." if only else "No test differs." if base else "No test is listed as unsteady.")
    everything = {family.name: family for family in families.FAMILIES + families.LONG}
    FOLDER.mkdir(parents=True, exist_ok=True)
    programme = Programme([(everything[name], None) for name, _ in chosen], folder=FOLDER)
    if not programme.compile():
        programme.end(compiled=False)
        sys.exit("It can't be built.")
    print(f"{len(chosen)} tests or files, {count} times, beside {busy} busy processes", flush=True)
    with load(busy), concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = [pool.submit(repeat, programme, everything[name], choice, count) for name, choice in chosen]
        failed = [each for each in running if each.result()]
    if failed:
        sys.exit(f"Flaky: {len(failed)} of {len(chosen)}.")
    print("None failed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
