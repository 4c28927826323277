"""Fuzzes every parser of ours with libFuzzer and the address sanitizer: `make fuzz` (long).

Each harness first has to catch a planted bug; then it tries the real parser, and has to cover more of
it than the empty input does. What it learns stays in .build/fuzz/corpus for the next time.

Use: fuzz.py [--seconds N] [--only NAME…] [--without-planted]
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / ".build" / "fuzz"
sys.path.insert(0, str(HERE.parent / "Torture"))

import bugs  # noqa: E402
import planting  # noqa: E402

# How long a planted bug may stay hidden.
PLANTED_SECONDS = 120
# Bytes of the longest inputs, where less would hide what the parser does with much.
LONGEST = {"target": 16_384, "labels": 65_536, "mp4": 131_072, "container": 262_144}
COVERAGE = "edge,inline-8bit-counters,pc-table,trace-cmp"


@dataclass
class Run:
    """What libFuzzer said of one run."""
    status: int
    text: str
    processor_seconds: float

    @property
    def executions(self):
        found = re.findall(r"stat::number_of_executed_units: (\d+)", self.text)
        return int(found[-1]) if found else 0

    @property
    def coverage(self):
        """Edges covered, after each step that it tells of."""
        return [int(number) for number in re.findall(r"^#\d+\s.*? cov: (\d+)", self.text, re.M)]

    @property
    def reason(self):
        """Why it ended early: the first line that says so."""
        found = re.search(
            r"Broken promise: .*|Fatal error: .*|ERROR: .*Sanitizer: .*|ERROR: libFuzzer: .*"
            r"|SUMMARY: .*", self.text)
        return found.group(0)[:200] if found else f"status {self.status}"


def build(package, scratch):
    """Builds the fuzzer of a package; returns its path."""
    swift = pathlib.Path(shutil.which("swift")).resolve().parent.parent
    libraries = sorted(swift.glob("lib/clang/*/lib/linux/libclang_rt.fuzzer_no_main-*.a"))
    if not libraries:
        raise SystemExit("This toolchain has no libFuzzer.")
    done = subprocess.run(
        ["swift", "build", "--product", "fuzz", "--package-path", str(package), "--scratch-path",
         str(scratch), "--sanitize", "address", "-Xswiftc", "-O", "-Xswiftc",
         f"-sanitize-coverage={COVERAGE}", "-Xlinker", str(libraries[-1]), "-Xlinker", "-lstdc++"],
        capture_output=True, text=True, env={**os.environ, "SEGMANCE_FUZZ": "1"})
    if done.returncode:
        raise SystemExit(done.stdout[-4000:] + done.stderr[-1000:])
    return scratch / "debug" / "fuzz"


def run(program, words, folder):
    """Runs the fuzzer with its scratch files in memory, where syncing them costs nothing."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="segmance-fuzz-", dir=memory) as scratch:
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [str(program), *words], stdout=output, stderr=output, cwd=folder,
                env={**os.environ, "TMPDIR": scratch, "SWIFT_BACKTRACE": "enable=no",
                     "ASAN_OPTIONS": "detect_leaks=0"})
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            return Run(process.returncode, output.read().decode(errors="replace"),
                       usage.ru_utime + usage.ru_stime)


def fuzz(program, name, corpus, seconds, found):
    """Runs one harness for so many seconds; what breaks it goes to the folder `found`."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(program), "--seeds", name, folder], check=True)
        for path in (corpus, found):
            path.mkdir(parents=True, exist_ok=True)
        return run(
            program,
            [name, f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=2048",
             f"-max_len={LONGEST.get(name, 8192)}", "-print_final_stats=1", "-detect_leaks=0",
             f"-artifact_prefix={found}/{name}-"]
            + ([f"-dict={folder}/words"] if os.path.getsize(folder + "/words") else [])
            + [str(corpus), folder + "/seeds"], folder)


def catches(program, name):
    """Says how a harness noticed the planted bug, and whether its short form did; else None."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        caught = fuzz(program, name, folder / "corpus", PLANTED_SECONDS, folder / "found")
    if caught.status == 0:
        return None
    short = run(program, ["--short", name], folder=ROOT)
    return f"{caught.reason}{'' if short.status else ' (the short form does not notice)'}"


def coverage_of_nothing(program, name):
    """The edges that the empty input covers."""
    with tempfile.TemporaryDirectory() as folder:
        nothing = run(program, [name, "-runs=1", "-detect_leaks=0"], folder)
    return max(nothing.coverage, default=0)


def plant(names):
    """Builds the programs with bugs that harnesses need; returns each one's."""
    programs = {}
    for group, chosen in (("planted", set(bugs.BUGS) - bugs.APART), ("apart", bugs.APART)):
        if chosen.isdisjoint(names):
            continue
        tree = WORK / group / "tree"
        planting.plant(ROOT, tree, [bugs.BUGS[name] for name in sorted(chosen)])
        program = build(tree, WORK / group / "scratch")
        programs.update(dict.fromkeys(chosen, program))
    return programs


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--seconds", type=int, default=3600, help="for each harness")
    words.add_argument("--only", nargs="+")
    words.add_argument("--without-planted", action="store_true")
    chosen = words.parse_args()
    program = build(ROOT, WORK / "scratch")
    listed = subprocess.run([str(program), "--list"], check=True, capture_output=True, text=True)
    promises = dict(line.split("\t") for line in listed.stdout.splitlines())
    if set(promises) != set(bugs.BUGS):
        raise SystemExit(f"Not planted: {set(promises) ^ set(bugs.BUGS)}")
    names = [name for name in promises if not chosen.only or name in chosen.only]
    unknown = set(chosen.only or []) - set(names)
    if unknown:
        raise SystemExit(f"There is no harness {', '.join(sorted(unknown))}.")
    faulty = {} if chosen.without_planted else plant(names)
    failures = 0
    for name in names:
        print(f"{name}: {promises[name]}", flush=True)
        if faulty:
            caught = catches(faulty[name], name)
            print(f"  planted: {'caught: ' + caught if caught else 'NOT CAUGHT'}", flush=True)
            failures += caught is None
        result = fuzz(program, name, WORK / "corpus" / name, chosen.seconds, WORK / "found")
        failures += result.status != 0
        said = "nothing broken" if result.status == 0 else (
            f"BROKEN: {result.reason} (the input is in {WORK / 'found'})")
        nothing, covered = coverage_of_nothing(program, name), max(result.coverage, default=0)
        # A program that is not instrumented covers one edge, whatever it is given.
        is_guided = covered > nothing > 1
        failures += not is_guided
        print(f"  {result.executions:,} executions in {result.processor_seconds / 60:.1f} "
              f"processor-minutes, {covered} edges ({nothing} of nothing"
              f"{'' if is_guided else ': NOT GUIDED'}): {said}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
