"""Repeats the changed tests beside a load generator, and counts what fails: `make flake`.

The tests are those of the files that differ from BASE, uncommitted and untracked ones too; or the named
files. Python files below Tests are run by pytest, a change of a support file by the tests beside it.
Swift files are run suite by suite, client files by Node.

Use: flake.py [--count N] [--base COMMIT] [--load PROCESSES] [TEST…]
"""

import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / ".build" / "flake"
# How pytest ends when every test of a file was deselected.
NO_TESTS = 5


def git(*words):
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")


def changed(base):
    """The files below Tests and client/tests that differ from where `base` and HEAD parted."""
    (parted, *_) = git("merge-base", base, "HEAD")
    folders = ["Tests", "client/tests"]
    differing = git("diff", "--name-only", "--diff-filter=d", parted, "--", *folders)
    return sorted({*differing, *git("ls-files", "--others", "--exclude-standard", "--", *folders)} - {""})


def is_python_test(path):
    return path.suffix == ".py" and path.name.startswith("test_")


def tests_of(name):
    """The tests that a file holds, or, for a support file, the tests beside it."""
    path = ROOT / name.partition("::")[0]
    if path.suffix == ".py" and not is_python_test(path):
        return [str(each.relative_to(ROOT)) for each in sorted(path.parent.glob("test_*.py"))]
    return [name]


def suites(path):
    """The suites that a Swift file declares."""
    return re.findall(r"@Suite[^\n]*(?:\n *)?\b(?:struct|class|enum) (\w+)", path.read_text())


def commands(names):
    """What runs each of the tests once, by a name for the summary, and the files that hold no tests."""
    runs, untested = {}, []
    python = sorted({test for name in names if name.partition("::")[0].endswith(".py")
                     for test in tests_of(name)})
    for test in python:
        # Timed tests want the machine for themselves.
        runs[test] = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not timed", test]
    for name in names:
        path = ROOT / name.partition("::")[0]
        if path.suffix == ".py":
            continue
        if path.suffix == ".swift" and (found := suites(path)):
            for suite in found:
                runs[suite] = [
                    os.environ.get("SWIFT", "swift"), "test", "--skip-build", "--filter", rf"\.{suite}/"]
        elif name.endswith(".test.ts"):
            built = LOGS / path.with_suffix(".mjs").name
            subprocess.run([
                "esbuild", str(path), "--bundle", "--platform=node", "--format=esm",
                "--log-level=warning", f"--outfile={built}"], check=True)
            runs[name] = ["node", "--test", str(built)]
        else:
            untested.append(name)
    return runs, untested


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


def repeat(name, command, count):
    """Runs a command so often; returns the logs of the runs that failed and the longest run's seconds."""
    failed, longest = [], 0
    for turn in range(1, count + 1):
        began = time.monotonic()
        run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        longest = max(longest, time.monotonic() - began)
        if run.returncode == NO_TESTS:
            print(f"{name} has timed tests only, which are not repeated under load.", flush=True)
            break
        # A filter that matches nothing is a success for SwiftPM.
        if run.returncode != 0 or b"Test run with 0 tests" in run.stdout:
            log = LOGS / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}-{turn}.log"
            log.write_bytes(run.stdout)
            failed.append(log.relative_to(ROOT))
            print(f"FAILED: {name}, turn {turn}: {failed[-1]}", flush=True)
        elif turn % 10 == 0:
            print(f"{name}: {turn} of {count}", flush=True)
    return failed, longest


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--count", type=int, default=50)
    words.add_argument("--base", default="main")
    words.add_argument("--load", type=int, default=2 * (os.cpu_count() or 1), help="busy processes")
    words.add_argument("tests", nargs="*", help="instead of the changed ones")
    chosen = words.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    runs, untested = commands(chosen.tests or changed(chosen.base))
    if untested:
        print("Without tests of their own:", *untested)
    if not runs:
        print(f"No test differs from {chosen.base}.")
        return
    if any("--skip-build" in run for run in runs.values()):
        subprocess.run([os.environ.get("SWIFT", "swift"), "build", "--build-tests"], cwd=ROOT, check=True)
    print(f"{len(runs)} files or suites, {chosen.count} times, beside {chosen.load} busy processes",
          flush=True)
    flaky = 0
    # Two at once: tests also have to bear each other.
    with load(chosen.load), concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = [(name, pool.submit(repeat, name, run, chosen.count)) for name, run in runs.items()]
        for name, result in running:
            failed, longest = result.result()
            flaky += bool(failed)
            verdict = f"{len(failed)} FAILED" if failed else "all passed"
            print(f"{name}: {chosen.count} runs, {verdict}, the longest {longest:.1f} s", flush=True)
    if flaky:
        sys.exit(f"Flaky: {flaky} of {len(runs)}.")
    print("None failed.")


if __name__ == "__main__":
    main()
