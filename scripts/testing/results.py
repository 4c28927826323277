"""What a family of tests tells while it runs: a file of JSON lines, to which its tool appends.

{"kind": "planned", "count": 12}
{"kind": "left", "count": 3}
{"kind": "started", "name": "…"}
{"kind": "processor", "seconds": 1.5}
{"kind": "test", "name": "…", "file": "Tests/…", "line": 12, "outcome": "passed", "seconds": 0.1, "message": ""}

`planned` is the number of tests that will run, `left` of those that were left out on purpose, `processor` the processor
time of the whole run. An outcome is `passed`, `failed` or `skipped`; the message is the failure, or the reason of the skip.
"""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What became of one test. `name` is unique in its family, and its tool runs it alone by it."""
    name: str
    outcome: str
    seconds: float = 0
    file: str = ""
    line: int = 0
    message: str = ""

    @property
    def place(self):
        """File and line, as editors and terminals read them."""
        return f"{self.file}:{self.line}" if self.line else self.file


class Lines:
    """The lines that were appended to a file since the last look. The file may not exist yet."""

    def __init__(self, path):
        self.path = path
        self.position = 0

    def read(self):
        """Returns the complete lines that are new, as parsed JSON."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self.position)
                text = file.read()
        except FileNotFoundError:
            return []
        complete = text[:text.rfind(b"\n") + 1]
        self.position += len(complete)
        return [json.loads(line) for line in complete.splitlines() if line.strip()]


class Account:
    """What one run of a family has told so far."""

    def __init__(self):
        self.planned = None
        self.left = 0
        self.processor = 0
        self.results = {}
        self.running = set()

    def take(self, event):
        """Notes one event."""
        match event["kind"]:
            case "planned":
                self.planned = event["count"]
            case "left":
                self.left = event["count"]
            case "processor":
                self.processor = event["seconds"]
            case "started":
                self.running.add(event["name"])
            case "test":
                fields = {key: value for key, value in event.items() if key != "kind"}
                result = Result(**fields)
                self.running.discard(result.name)
                self.results[result.name] = result

    def of(self, outcome):
        """Returns the results with one outcome."""
        return [result for result in self.results.values() if result.outcome == outcome]
