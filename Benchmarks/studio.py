"""What the benchmarks share: a running server, requests to it, children timed, the table."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import socket
import statistics
import subprocess
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "dist" / "segmance"


class Table:
    """Rows of what was measured, the peer beside it, their ratio and the aim."""

    def __init__(self):
        self.rows = []
        self.missed = []

    def add(self, what, ours, peer="", ratio="", aim="", missed=False):
        """Adds a row. `missed`: what was measured misses the aim, and the bench has to say so."""
        if missed:
            self.missed.append(what)
            aim = f"{aim}: MISSED"
        self.rows.append((what, ours, peer, ratio, aim))
        print(" | ".join(str(cell) for cell in self.rows[-1]), flush=True)

    def __str__(self):
        lines = ["| what | Segmance | peer | ratio | aim |", "|---|---|---|---|---|"]
        lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in self.rows]
        return "\n".join(lines)


class Child:
    """A finished child: how long it took by the clock, and how much memory was resident at most, its own
    (`own_megabytes`) and that of all programs that it started, taken together at one moment
    (`children_megabytes`), looked at twenty times a second.

    Pages of libraries count for every process that has them, so that the figures do not depend on what
    else runs. The kernel's ru_maxrss would not do: it begins with the size of the process that starts
    the program, which is Python, and never hears of what runs inside a sandbox.
    """

    def __init__(self, command, cwd=None):
        started = time.monotonic()
        process = subprocess.Popen(
            [str(word) for word in command], cwd=cwd, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        own = others = 0
        while True:
            own = max(own, resident_bytes(process.pid, at_most=True))
            others = max(others, sum(map(resident_bytes, started_programs(process.pid))))
            try:
                _, message = process.communicate(timeout=0.05)
                break
            except subprocess.TimeoutExpired:
                pass
        if process.returncode != 0:
            raise SystemExit(f"{command[0]} failed: {message.decode(errors='replace')}")
        self.seconds = time.monotonic() - started
        self.own_megabytes = own / 1e6
        self.children_megabytes = others / 1e6


def started_programs(pid):
    """What descends from a process and runs another program than it; a fork of it is no program yet."""
    found = [pid]
    own = program(pid)
    for one in found:
        # Processes and threads may end at any moment, also while they are listed.
        with contextlib.suppress(OSError):
            for task in pathlib.Path(f"/proc/{one}/task").iterdir():
                with contextlib.suppress(OSError):
                    found += map(int, (task / "children").read_text().split())
    return [one for one in found if program(one) not in (None, own)]


def program(pid):
    """The path of what a process runs; None when it has ended."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/exe").readlink()
    return None


def resident_bytes(pid, at_most=False):
    """A process's resident memory, now or at most since it began; 0 when it has ended."""
    with contextlib.suppress(OSError):
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
        if found := re.search(rf"^{'VmHWM' if at_most else 'VmRSS'}:\s+(\d+) kB", text, re.M):
            return int(found.group(1)) * 1024
    return 0


class Timed:
    """A finished child: what it printed, and the processor time that it and its children took."""

    def __init__(self, command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.output = subprocess.run(
            [str(word) for word in command], check=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.processor_seconds = (
            after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


class Server:
    """A segmance server on a free port, with a library of its own. `environment`: variables besides those of
    the bench."""

    def __init__(self, data, *options, **environment):
        started = time.monotonic()
        self.process = subprocess.Popen(
            [str(PROGRAM), "serve", "--port", "0", "--data", str(data), *options],
            stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)$", line).group(1))
        self.request("GET", "/api/health")
        self.start_seconds = time.monotonic() - started

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    @property
    def origin(self):
        return f"http://localhost:{self.port}"

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("localhost", self.port)
        headers = {"Origin": self.origin, "Content-Type": "application/json"}
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.status} {content.decode()}")
        return content

    def json(self, method, path, value=None):
        body = None if value is None else json.dumps(value)
        return json.loads(self.request(method, path, body))

    def begin_upload(self, length):
        """Announces an upload of which nothing has come; returns its path."""
        connection = http.client.HTTPConnection("localhost", self.port)
        connection.request("POST", "/api/uploads", headers={
            "Origin": self.origin, "Tus-Resumable": "1.0.0", "Upload-Length": str(length)})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status != 201:
            raise SystemExit(f"POST /api/uploads: {answer.status} {content.decode()}")
        return answer.headers["Location"]

    def upload(self, content, name):
        """Uploads bytes in one piece; returns the upload's id."""
        connection = http.client.HTTPConnection("localhost", self.port)
        tus = {"Origin": self.origin, "Tus-Resumable": "1.0.0"}
        connection.request("POST", "/api/uploads", headers={
            **tus, "Upload-Length": str(len(content)), "Content-Length": "0",
            "Upload-Metadata": f"filename {base64.b64encode(name.encode()).decode()}"})
        answer = connection.getresponse()
        answer.read()
        place = answer.headers["Location"]
        connection.request("PATCH", place, body=content, headers={
            **tus, "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status != 204:
            raise SystemExit(f"PATCH {place}: {answer.status}")
        return place.rsplit("/", 1)[1]

    def wait_for_job(self, job):
        while True:
            state = self.json("GET", f"/api/jobs/{job}")["state"]
            if state not in ("queued", "running"):
                return state
            time.sleep(0.1)

    def resident_megabytes(self):
        return resident_bytes(self.process.pid) / 1e6


def sample_song(folder):
    """The project's own minute of music as a WAV file."""
    with Server(folder / "sample-library") as server:
        sample = server.json("POST", "/api/sample")
        server.wait_for_job(sample["job"])
        song = folder / "song.wav"
        song.write_bytes(server.request("GET", f"/api/tracks/{sample['track']}/original"))
    return song


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def alternately(rounds, ours, peer):
    """Medians of two measurements that take turns, so that both meet the same machine."""
    pairs = [(ours(), peer()) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def skip_welcome(server):
    """Makes the library one whose welcome and tips were seen."""
    settings = {"welcomeSeen": True, "tipsSeen": "routine-menu,swipe,moves,section,move-types"}
    changes = [
        {"id": str(uuid.uuid4()), "type": "setting", "record": name, "fields": {"value": value},
         "at": f"{int(time.time() * 1000):013d}-0000-0000beef"}
        for name, value in settings.items()
    ]
    server.json("POST", "/api/sync", {"since": 0, "changes": changes})


@contextlib.contextmanager
def open_chromium():
    """Debian's Chromium under Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        yield browser
        browser.close()


def launched(chromium):
    """One more process of Chromium, of a Playwright that runs."""
    return chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
