"""Runs the tests: `make test`, `make test ONLY=NAME` and `make test-long`.

Everything is compiled first. Then the families run, as many at once as the machine has room for. What failed is run
once more, alone, when all else has ended: what passes then is printed as UNSTEADY and kept in .build/unsteady.txt,
and the run passes; what fails twice fails. A family says a line when it begins, each minute, and when it ends; all
else is in .build/test-FAMILY.log.

Use: run.py [--long] [FAMILY…]     ONLY in the environment: see families.chosen
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import families
import watched
from results import Account, Lines, Result
from tools import Call

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: A family that tells nothing for so long hangs.
SILENT_SECONDS = 600
#: When more tests of a family fail, it is broken rather than unsteady.
MOST_TRIED_AGAIN = 20
#: How often progress is said, and looked for.
PROGRESS_SECONDS = 60
LOOK_SECONDS = 0.2
GATHERED = pathlib.Path(__file__).with_name("gathered.py")


def duration(seconds):
    """Minutes and seconds in words."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class Screen:
    """Lines for a person: when, which family, what."""

    def __init__(self, write=print):
        self.write = write
        self.began = time.monotonic()

    def say(self, who, what):
        """Prints a line about a family."""
        minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
        self.write(f"{minutes:3}:{seconds:02}  {who:<18} {what}", flush=True)


class Child:
    """A process, what it wrote and what it told. A build tells nothing."""

    def __init__(self, call, log, events, reader=None, root=ROOT):
        self.log = log
        self.account = Account()
        self.reader = reader
        self.lines = Lines(events)
        self.began = self.told = time.monotonic()
        self.ended = None
        self.status = None
        self.hangs = False
        log.parent.mkdir(parents=True, exist_ok=True)
        with open(log, "ab") as output:
            output.write(f"$ {shlex.join(map(str, call.command))}\n".encode())
            output.flush()
            gathered = [sys.executable, GATHERED, events]
            self.process = subprocess.Popen(
                [str(word) for word in (*gathered, *call.command)], cwd=root, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True, env={**os.environ, **call.environment})

    @property
    def seconds(self):
        return (self.ended or time.monotonic()) - self.began

    def look(self):
        """Takes what was told since; returns whether the process has ended."""
        has_ended = self.process.poll() is not None
        for line in self.lines.read():
            self.told = time.monotonic()
            for event in [line] if line["kind"] == "processor" else self.reader.read(line):
                self.account.take(event)
        if has_ended:
            self.ended = time.monotonic()
            self.status = self.process.returncode
        elif self.reader and is_silent(self):
            self.hangs = True
            self.end()
        return has_ended

    def end(self):
        """Ends the process and all that it started."""
        self.process.terminate()


def is_silent(child):
    """Whether a process has told nothing for so long that it hangs."""
    return time.monotonic() - child.told > SILENT_SECONDS


class Run:
    """One run of a family, or of one of its tests alone."""

    def __init__(self, family, folder, root=ROOT, **chosen):
        descriptor, events = tempfile.mkstemp(".events", f"test-{family.name}-", folder)
        os.close(descriptor)
        self.child = Child(
            family.tool.call(events, **chosen), folder / f"test-{family.name}.log", events, family.tool.reader(), root)

    @property
    def account(self):
        return self.child.account

    def progress(self):
        """How far it is."""
        done, planned = len(self.account.results), self.account.planned
        failed = len(self.account.of("failed"))
        return (f"{done:,}" + (f" of {planned:,}" if planned else "") + f", {duration(self.child.seconds)}"
                + (f", {failed} failed" if failed else ""))

    def failures(self):
        """What failed. A run that ended in the middle, or said nothing, is a failure of its own."""
        failed = self.account.of("failed")
        done, planned = len(self.account.results), self.account.planned
        if self.child.hangs:
            reason = f"it told nothing for {SILENT_SECONDS // 60} minutes"
        elif planned is not None and done < planned:
            reason = f"it ended with {self.child.status} after {done:,} of {planned:,} tests"
        elif self.child.status != 0 and not failed:
            reason = f"it ended with {self.child.status}"
        elif done == 0 and not self.account.left:
            reason = "it ran no test"
        else:
            return failed
        running = f"; running: {', '.join(sorted(self.account.running)[:5])}" if self.account.running else ""
        last = "\n".join(self.child.log.read_text(errors="replace").splitlines()[-25:])
        return [*failed, Result("", "failed", message=f"{reason}{running}\n{last}")]


class Programme:
    """All families of one `make test`, from the first line to the last."""

    def __init__(self, chosen, folder=ROOT / ".build", root=ROOT, room=families.LANES, screen=None, left_out=()):
        """`chosen` are families, each with the part of names that is looked for, None for all of its tests."""
        self.families = [family for family, _ in chosen]
        self.parts = {family.name: part for family, part in chosen}
        self.folder = folder
        self.root = root
        self.room = room
        self.screen = screen or Screen()
        self.left_out = left_out
        self.compiled = None
        self.runs = {}
        self.failed = []
        self.unsteady = []
        self.sum = ""

    def run(self):
        """Runs everything; returns the exit status."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("test-*"):
            if old.suffix in (".events", ".log"):
                old.unlink()
        if not self.compile():
            return self.end(compiled=False)
        self.run_families()
        self.try_again()
        return self.end()

    def compile(self):
        """Builds what the families need; returns whether it could be built."""
        if not self.targets():
            return True
        self.screen.say("compile", "begins")
        log = self.folder / "test-compile.log"
        # Two at once: a build that links leaves a core to the other.
        make = ["make", "--no-print-directory", "--jobs=2", "--output-sync=target", *self.targets()]
        # Its own variables must not reach what is built.
        call = Call(make, {"MAKEFLAGS": "", "MAKELEVEL": ""})
        child = Child(call, log, self.folder / "test-compile.events", root=self.root)
        self.wait({"compile": child})
        self.compiled = child
        self.screen.say("compile", f"{duration(child.seconds)}" + (", FAILED" if child.status else ""))
        if child.status:
            self.failed.append(("compile", Result("", "failed", message=errors_of(log))))
        return child.status == 0

    def targets(self):
        """What of the Makefile the families need."""
        return list(dict.fromkeys(target for family in self.families for target in family.builds))

    def wait(self, children):
        """Waits until a child has ended; returns the names of those that have."""
        try:
            while not (ended := [name for name, child in children.items() if child.look()]):
                time.sleep(LOOK_SECONDS)
            return ended
        except BaseException:
            # Whoever interrupts the run means what it started, too.
            for child in children.values():
                child.end()
            raise

    def run_families(self):
        """Runs each family, as many at once as there is room for."""
        waiting, running = list(self.families), {}
        said = {}
        try:
            while waiting or running:
                taken = sum(family.seats for family, _ in running.values())
                for family in list(waiting):
                    # In their order, so that a large one is not passed by for ever.
                    if running and taken + family.seats > self.room:
                        break
                    waiting.remove(family)
                    taken += family.seats
                    running[family.name] = (family, self.begin(family))
                    said[family.name] = time.monotonic()
                for name, (family, run) in list(running.items()):
                    if run.child.look():
                        del running[name]
                        self.runs[name] = run
                        self.screen.say(name, run.progress())
                    elif time.monotonic() - said[name] >= PROGRESS_SECONDS:
                        said[name] = time.monotonic()
                        self.screen.say(name, run.progress())
                time.sleep(LOOK_SECONDS)
        finally:
            for _, run in running.values():
                run.child.end()

    def begin(self, family):
        self.screen.say(family.name, "begins")
        return Run(family, self.folder, self.root, **self.choice(family))

    def choice(self, family):
        """What of a family runs."""
        if part := self.parts[family.name]:
            return {"containing": part}
        if not self.left_out:
            return {}
        file = self.folder / "left-out.json"
        file.write_text(json.dumps(self.left_out))
        return {"left_out": file}

    def try_again(self):
        """Runs what failed once more, each alone."""
        for family in self.families:
            failures = self.runs[family.name].failures()
            if len(failures) > MOST_TRIED_AGAIN:
                self.screen.say(family.name, f"{len(failures)} failed: too many to try each again")
                self.failed += [(family.name, failure) for failure in failures]
                continue
            for failure in failures:
                what = failure.name or "all of it"
                self.screen.say(family.name, f"once more, alone: {what}")
                # A run that broke off is run whole again.
                choice = {"name": failure.name} if failure.name else self.choice(family)
                run = Run(family, self.folder, self.root, **choice)
                self.wait({family.name: run.child})
                if run.failures():
                    self.failed.append((family.name, failure))
                else:
                    self.unsteady.append((family.name, failure))
                if not failure.name:
                    self.runs[family.name] = run

    def end(self, compiled=True):
        """Prints the account of the run; returns the exit status."""
        write = self.screen.write
        if compiled:
            self.table()
        for name, key in self.left_by_family():
            write(f"Left out of {name}: {key}")
        skipped = [(family, result) for family, run in self.runs.items() for result in run.account.of("skipped")]
        for (family, reason), count in collections.Counter((name, result.message) for name, result in skipped).items():
            first = next(result.name for name, result in skipped if (name, result.message) == (family, reason))
            others = f" and {count - 1} more" if count > 1 else ""
            write(f"SKIPPED   {family}: {first}{others}: {reason}")
        if self.unsteady:
            keep(self.folder / "unsteady.txt", self.unsteady)
        for family, failure in self.unsteady:
            write(f"\nUNSTEADY  {family}: {failure.name or 'the run'}  {failure.place}\n{indented(failure.message)}")
        for family, failure in self.failed:
            write(f"\nFAILED    {family}: {failure.name or 'the run'}  {failure.place}\n{indented(failure.message)}")
            write(f"          alone: {self.alone(family, failure)}    log: .build/test-{family}.log")
        passed = sum(len(run.account.of("passed")) for run in self.runs.values())
        passed += sum(1 for name, failure in self.unsteady if failure.name and not self.was_run_again(name))
        self.sum = f"\n{passed} passed, {len(self.failed)} failed, {len(skipped)} skipped"
        return 1 if self.failed else 0

    def close(self):
        """Prints the sum of all families, alone on the last line."""
        self.screen.write(self.sum, flush=True)

    def alone(self, family, failure):
        """The command that runs what failed alone."""
        if family == "compile":
            return f"make {' '.join(self.targets())}"
        name = f"{family}: {failure.name}" if failure.name else family
        return f"make test ONLY={shlex.quote(name.replace('$', '$$'))}"

    def was_run_again(self, family):
        """Whether the whole family was run again, so that its account holds the second results."""
        return any(name == family and not failure.name for name, failure in [*self.unsteady, *self.failed])

    def left_by_family(self):
        """What was left out on purpose, in words."""
        if not self.left_out:
            return
        gone = [key for key in self.left_out if "/" not in key]
        for family, run in self.runs.items():
            if run.account.left:
                yield family, f"{run.account.left} tests that watch nothing that has changed since the last long run"
        if gone:
            yield "the families", f"{', '.join(gone)}, which watch nothing that has changed since the last long run"

    def table(self):
        """Prints what each family took."""
        write = self.screen.write
        write(f"\n{'family':<18} {'tests':>6} {'time':>13} {'processor':>10}   slowest")
        rows = [("compile", None, self.compiled)] if self.compiled else []
        rows += [(name, run.account, run.child) for name, run in self.runs.items()]
        for name, account, child in rows:
            slowest = sorted(account.results.values(), key=lambda result: -result.seconds)[:3] if account else []
            said = "; ".join(f"{result.seconds:.1f} s {brief(result.name)}" for result in slowest)
            count = f"{len(account.results):,}" if account else ""
            write(f"{name:<18} {count:>6} {duration(child.seconds):>13} {child.account.processor:>8.0f} s   {said}")
        total = sum(child.account.processor for _, _, child in rows)
        write(f"{'all':<18} {'':>6} {duration(time.monotonic() - self.screen.began):>13} {total:>8.0f} s\n")


def brief(name):
    """The last part of a test's name."""
    return name.rpartition("::")[2].rpartition("/")[2].rpartition(" › ")[2][:48]


def indented(text):
    """The first lines of a message. A long one has its reason at the end, so that is shown, too."""
    lines = text.strip().splitlines()
    if len(lines) > 30:
        lines = [*lines[:8], "…", *lines[-21:]]
    return "\n".join(f"          {line}" for line in lines)


def errors_of(log):
    """What a build says of its errors, or its end."""
    lines = log.read_text(errors="replace").splitlines()
    errors = [line for line in lines if "error:" in line]
    return "\n".join([*errors[:10], *lines[-12:]])


def keep(path, unsteady):
    """Adds to the list of unsteady tests: date, family and name in columns."""
    today = datetime.date.today().isoformat()
    known = path.read_text().splitlines() if path.exists() else []
    lines = [f"{today}\t{family}\t{failure.name}" for family, failure in unsteady]
    path.write_text("\n".join(dict.fromkeys([*known, *lines])) + "\n")


def commit_under_test():
    """Returns the commit that this tree is, None if something in it is not committed."""
    commit = watched.git(ROOT, "rev-parse", "HEAD")
    changed = watched.git(ROOT, "status", "--porcelain", "--untracked-files=no")
    return commit.strip() if commit and not changed.strip() else None


def note_long_run(commit):
    """Names a commit as the one at which all tests have passed."""
    if commit is None:
        print(f"{watched.LAST_LONG_RUN} stays as it is: what was tested is not committed.")
        return
    (ROOT / watched.LAST_LONG_RUN).write_text(f"{commit} {datetime.date.today()}\n")
    print(f"{watched.LAST_LONG_RUN} names {commit}: commit that file.")


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--long", action="store_true", help="all that `make test` leaves out, too")
    words.add_argument("families", nargs="*")
    asked = words.parse_args()
    only, left_out = os.environ.get("ONLY"), []
    if only or asked.families:
        chosen = [each for name in asked.families or [only] for each in families.chosen(name)]
        if not chosen:
            sys.exit(f"No test has {only or asked.families} in its name, and no family is called so: "
                     f"{', '.join(family.name for family in families.FAMILIES + families.LONG)}")
    elif asked.long:
        chosen = [(family, None) for family in families.FAMILIES + families.LONG]
    else:
        left_out = watched.left_out()
        chosen = [(family, None) for family in families.FAMILIES if family.name not in left_out]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    commit = commit_under_test()
    programme = Programme(chosen, left_out=left_out)
    status = programme.run()
    if status == 0 and asked.long and not only:
        note_long_run(commit)
    programme.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
