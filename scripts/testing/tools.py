"""The programs that run tests: how each is called for a whole family, for what contains a text, and for one
test alone; and what it says, as the events of results.py."""

import json
import os
import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: The Python that has the tests' packages.
PYTHON = ROOT / ".venv" / "bin" / "python"


@dataclass(frozen=True)
class Call:
    """A command, and the environment variables that it needs besides."""
    command: list
    environment: dict = field(default_factory=dict)


def holds(text, *globs):
    """Whether the path or the content of a file contains a text."""
    files = [path for pattern in globs for path in ROOT.glob(pattern) if path.is_file()]
    return any(text in str(path.relative_to(ROOT)) or text in path.read_text(errors="replace") for path in files)


class Same:
    """Reads events that are in the common form already."""

    def read(self, line):
        """Returns the events of a line."""
        return [line]


@dataclass(frozen=True)
class Pytest:
    """Tests in Python. With `lanes` they share so many processes; with a screen they see an X server."""
    paths: tuple
    marks: str = ""
    lanes: int = 0
    has_screen: bool = False
    before: tuple = ()
    root: pathlib.Path = ROOT

    def call(self, events, containing=None, name=None, left_out=None):
        command = [PYTHON, "-m", "pytest", "-q", f"--rootdir={self.root}", "-p", "pytest_events",
                   f"--events={events}", "--durations=25"]
        if self.marks and not name:
            command += ["-m", self.marks]
        if containing:
            command += [f"--containing={containing}"]
        if left_out:
            command += [f"--leave-out={left_out}"]
        if self.lanes > 1 and not name:
            # A lane that has nothing left takes tests of another one.
            command += [f"--numprocesses={self.lanes}", "--dist=worksteal"]
        command += [name] if name else self.paths
        screen = ["xvfb-run", "--auto-servernum"] if self.has_screen else []
        here = str(pathlib.Path(__file__).parent)
        return Call([*screen, *self.before, *command], {"PYTHONPATH": here})

    def reader(self):
        """Returns what reads the lines of one run."""
        return Same()

    def part(self, text):
        """Returns what of a test's name is looked for, or None if no file of tests holds the text."""
        word = re.split(r"::|\[", text)[0]
        files = [f"{path}/**/test_*.py" if (ROOT / path).is_dir() else path for path in self.paths]
        return text if holds(word, *files) else None


@dataclass(frozen=True)
class Node:
    """Tests in Node, of a family that node.mjs knows."""
    family: str
    sources: tuple
    below: str = ""

    def call(self, events, containing=None, name=None, left_out=None):
        chosen = ["--name", name] if name else ["--containing", containing] if containing else []
        if self.below:
            chosen += ["--below", self.below]
        return Call(["node", ROOT / "scripts" / "testing" / "node.mjs", self.family, "--events", str(events), *chosen])

    def reader(self):
        """Returns what reads the lines of one run."""
        return Same()

    def part(self, text):
        """Returns what of a test's name is looked for, or None if no file of tests holds the text."""
        if not any(holds(word, *self.sources) for word in {text, text.rpartition(" › ")[2]}):
            return None
        return text.removeprefix("client/tests/").removesuffix(".test.ts")


@dataclass(frozen=True)
class SwiftTesting:
    """Tests of Swift Testing, in a program that is built. It is run as it is: SwiftPM would only wait for a lock."""
    build: str = ".build/debug"
    filter: str = ""
    before: tuple = ()
    environment: tuple = ()
    #: Where a part of a name is looked for. Without, only `FAMILY: NAME` chooses tests.
    sources: tuple = ()

    def call(self, events, containing=None, name=None, left_out=None):
        chosen = self.filter
        if containing or name:
            chosen = "^" + re.escape(name) if name else re.escape(containing)
        # Python escapes spaces, which the expressions of Swift would refuse.
        chosen = chosen.replace("\\ ", " ")
        program = ROOT / self.build / "segmancePackageTests.xctest"
        # One after the other: in parallel all begin at once, and each waits for all others between two of its lines.
        return Call(
            [*self.before, str(program), "--testing-library", "swift-testing", "--no-parallel",
             "--event-stream-version", "0", "--event-stream-output-path", str(events),
             *(["--filter", chosen] if chosen else [])],
            dict(self.environment))

    def reader(self):
        """Returns what reads the lines of one run."""
        return SwiftEvents()

    def part(self, text):
        """Returns what of a test's name is looked for, or None if no file of tests holds the text."""
        if not any(holds(word, *self.sources) for word in {text, text.rpartition("/")[2].strip("`()")}):
            return None
        # A test's name ends with its file.
        return text.rpartition("/")[2] if text.endswith(".swift") else text


class SwiftEvents:
    """Joins the records of Swift Testing's event stream to the events of results.py."""

    def __init__(self):
        self.places = {}
        self.began = {}
        self.messages = {}
        self.skips = {}
        self.is_planned = False

    def read(self, record):
        """Returns the events of a record. Suites are no tests, and the cases of a function are one test."""
        payload = record["payload"]
        if record["kind"] == "test":
            if payload["kind"] == "function":
                self.places[payload["id"]] = payload["sourceLocation"]
            return []
        events = []
        kind, test = payload["kind"], payload.get("testID")
        if kind == "runStarted":
            events.append({"kind": "planned", "count": len(self.places)})
        if test not in self.places:
            if kind == "issueRecorded" and counts(payload):
                # An issue of a suite, or of work that no test waited for.
                events.append(self.result(test or "no test", payload, "failed", said(payload)))
            return events
        if kind == "testStarted":
            self.began[test] = payload["instant"]["absolute"]
            events.append({"kind": "started", "name": shortened(test)})
        elif kind == "issueRecorded" and counts(payload):
            self.messages.setdefault(test, []).append((said(payload), place_of(payload)))
        elif kind == "testSkipped":
            reason = "; ".join(payload.get("_comments", []))
            events.append(self.result(test, payload, "skipped", reason or said(payload)))
        elif kind == "testEnded":
            problems = self.messages.get(test, [])
            message = "\n".join(text for text, _ in problems)
            events.append(self.result(
                test, payload, "failed" if problems else "passed", message, problems[0][1] if problems else None))
        return events

    def result(self, test, payload, outcome, message, place=None):
        place = place or self.places.get(test) or {}
        began = self.began.get(test)
        return {
            "kind": "test", "name": shortened(test), "outcome": outcome, "message": message,
            "file": file_of(place), "line": place.get("line", 0),
            "seconds": payload["instant"]["absolute"] - began if began else 0}


def counts(payload):
    """Whether an issue lets its test fail: not if it is a known one."""
    return not payload["issue"].get("isKnown")


def said(payload):
    """The messages of a record, and which of several cases they are about."""
    case = payload.get("_testCase", {}).get("displayName")
    text = "\n".join(each["text"] for each in payload.get("messages", []))
    return f"{case}: {text}" if case else text


def place_of(payload):
    return payload.get("issue", {}).get("sourceLocation")


def file_of(place):
    """The path of a source file in the tree."""
    full = place.get("filePath") or place.get("_filePath") or place.get("fileID", "")
    return os.path.relpath(full, ROOT) if full.startswith("/") else full


def shortened(test):
    """The identifier of a test without its place in the source: Module.Suite/`name`()."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test)
