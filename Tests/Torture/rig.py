"""Helpers of all trials: a program, a server in a folder, load on it, and a record of acknowledged
changes."""

import base64
import hashlib
import http.client
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

import studio  # noqa: E402


class Violation(AssertionError):
    """A violated invariant of a trial."""


class NotStarted(Violation):
    """A server that exited before it listened, with its exit code."""

    def __init__(self, code, said):
        super().__init__(f"The server did not start ({code}): {said}")
        self.code, self.said = code, said


def holds(condition, sentence):
    """Raises a violation unless the condition holds."""
    if not condition:
        raise Violation(sentence)


class Server(studio.Server):
    """A server that a trial can kill. `before` is a command prefix, and `flags` are extra options."""

    def __init__(self, program, folder, before=(), environment=None, flags=()):
        self.folder = folder
        self.process = subprocess.Popen(
            [*before, str(program), "serve", "--port", "0", "--data", str(folder), *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})}, start_new_session=True)
        self.complaints = []
        line = self.process.stdout.readline()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        if not line:
            self.listener.join(timeout=30)
            raise NotStarted(self.process.wait(timeout=30), "".join(self.complaints))
        holds(line.startswith("Segmance is at"), f"The server says: {line}")
        self.port = int(line.rsplit(":", 1)[1])
        self.origin = f"http://localhost:{self.port}"

    @property
    def fields(self):
        """The header fields of the owner's requests."""
        return {"Origin": self.origin}

    def _listen(self):
        for line in self.process.stderr:
            self.complaints.append(line)

    def faults(self):
        """Returns the errors in the log: faults of the server, not of requests.

        By the level alone, which is a line's second word: programs for media speak of errors, too.
        """
        return [line for line in self.complaints if line.split(" ", 2)[1:2] == ["error"]]

    def records(self, kind):
        """Returns the records of one type that are not deleted, from all pages."""
        return [
            record for (type_, _), record in everything(self).items()
            if type_ == kind and record["deletedAt"] is None]

    def kill(self):
        """Kills all processes of the server at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Stops the program, even behind a command prefix."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            holds(self.process.wait(timeout=30) == 0, "The server did not end in order.")
        # Waits until all its output was read.
        self.listener.join(timeout=30)
        holds(not self.listener.is_alive(), "Somebody still holds the log.")


class Acknowledged:
    """The edits and tracks that a server acknowledged."""

    def __init__(self):
        self.lock = threading.Lock()
        self.fields = {}
        self.tracks = {}

    def edit(self, kind, record, fields):
        with self.lock:
            for name, value in fields.items():
                self.fields[kind, record, name] = value

    def track(self, identifier, sha256):
        with self.lock:
            self.tracks[identifier] = sha256

    def __len__(self):
        return len(self.fields) + len(self.tracks)


def stamp(device):
    """Returns the time stamp of an edit made now on a device, given as a number."""
    stamp.counter = (getattr(stamp, "counter", 0) + 1) % 0x10000
    return f"{int(time.time() * 1000):013d}-{stamp.counter:04x}-{device:08x}"


def change(kind, record, fields, device=0xBEEF):
    """Returns a change in the form that a client sends."""
    return {
        "id": str(uuid.uuid4()), "type": kind, "record": record, "fields": fields,
        "at": stamp(device)}


# The errors of a request while its server is being killed or its disk fails.
BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError)


class Load(threading.Thread):
    """A client that edits or uploads songs until it is stopped or its server is gone."""

    def __init__(self, server, acknowledged, seed, uploads):
        super().__init__(daemon=True)
        self.server, self.acknowledged, self.uploads = server, acknowledged, uploads
        self.random = random.Random(seed)
        self.device = 0x1000_0000 + seed % 0x0FFF_FFFF
        self.halt = threading.Event()
        self.refusals = []
        # The error that ended the client before it was stopped.
        self.failure = None

    def run(self):
        try:
            while not self.halt.is_set():
                if self.uploads:
                    self.upload()
                else:
                    self.edit()
        except BROKEN as error:
            self.failure = error

    def edit(self):
        edits = []
        for _ in range(self.random.randint(1, 5)):
            routine = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
            fields = {"title": f"Routine {self.random.randint(0, 9999)}"}
            edits.append(change("routine", routine, fields, self.device))
        status, content = self.server.request("POST", "/api/sync", {"since": 0, "changes": edits})
        if status != 200:
            self.refusals.append((status, content))
            return
        rejected = {one["id"] for one in json.loads(content)["rejected"]}
        for one in edits:
            if one["id"] not in rejected:
                self.acknowledged.edit(one["type"], one["record"], one["fields"])

    def upload(self):
        seconds = self.random.uniform(0.2, 3)
        content = studio.song(seconds, self.random.randint(1, 1 << 20))
        status, answer = upload_track(self.server, "song.wav", content)
        if status in (200, 202):
            identifier = json.loads(answer)["id"]
            self.acknowledged.track(identifier, hashlib.sha256(content).hexdigest())
        else:
            self.refusals.append((status, answer))


def upload(server, name, content):
    """Uploads bytes with tus in two pieces; returns the status of the last request and the id."""
    connection = http.client.HTTPConnection("localhost", server.port, timeout=30)
    tus = {"Origin": server.origin, "Tus-Resumable": "1.0.0"}
    encoded = base64.b64encode(name.encode()).decode()
    connection.request("POST", "/api/uploads", headers={
        **tus, "Upload-Length": str(len(content)), "Upload-Metadata": f"filename {encoded}"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 201:
        return answer.status, None
    address = answer.headers["Location"]
    middle = len(content) // 2
    for start, end in ((0, middle), (middle, len(content))):
        connection.request("PATCH", address, body=content[start:end], headers={
            **tus, "Upload-Offset": str(start), "Content-Type": "application/offset+octet-stream"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 204:
            return answer.status, None
    connection.close()
    return 204, address.rsplit("/", 1)[1]


def upload_track(server, name, content):
    """Uploads bytes and makes a track of them; returns the last response's status and body."""
    status, identifier = upload(server, name, content)
    if status != 204:
        return status, b""
    return server.request("POST", "/api/tracks", {"upload": identifier})


def loads(server, acknowledged, seed, editors=3, uploaders=2):
    """Starts clients of a server."""
    threads = [
        Load(server, acknowledged, seed * 100 + number, number >= editors)
        for number in range(editors + uploaders)]
    for thread in threads:
        thread.start()
    return threads


def end(threads, is_killed=False):
    """Stops clients and waits for them. Every request must have a response, unless the server was
    killed."""
    for thread in threads:
        thread.halt.set()
    for thread in threads:
        thread.join(timeout=180)
        holds(not thread.is_alive(), f"A request of {type(thread).__name__} was never answered.")
        holds(is_killed or thread.failure is None, f"No answer, but {thread.failure!r}")


def everything(server):
    """Returns all records of the library, including deleted ones, by type and id."""
    records, since = {}, 0
    while True:
        status, content = server.request("POST", "/api/sync", {"since": since, "changes": []})
        holds(status == 200, f"Sync answered {status}: {content[:300]}")
        answer = json.loads(content)
        for record in answer["records"]:
            records[record["type"], record["id"]] = record
        since = answer["seq"]
        if not answer["more"]:
            return records


def check_acknowledged(server, acknowledged, failures=()):
    """Checks that nothing acknowledged is missing and that every record has its bytes. `failures` are
    parts of the allowed messages of failed imports."""
    records = everything(server)
    for (kind, record, name), value in acknowledged.fields.items():
        found = records.get((kind, record))
        holds(found is not None, f"Lost: {kind} {record} was acknowledged.")
        holds(
            found["fields"][name] == value if "fields" in found else found[name] == value,
            f"Lost: {name} of {kind} {record} was acknowledged as {value!r}.")
    for identifier, sha256 in acknowledged.tracks.items():
        found = records.get(("track", identifier))
        holds(found is not None, f"Lost: track {identifier} was acknowledged.")
        fields = found["fields"] if "fields" in found else found
        if failures and fields["state"] == "failed":
            # The import failed because of the trial's faults: the track is deleted and has a message.
            problem = fields.get("problem") or ""
            holds(
                any(words in problem for words in failures),
                f"Track {identifier} failed: {problem!r}")
            continue
        blob = pathlib.Path(server.folder) / "blobs" / sha256[:2] / sha256
        holds(blob.exists(), f"Track {identifier} has lost its file.")
        holds(
            hashlib.sha256(blob.read_bytes()).hexdigest() == sha256,
            f"The file of track {identifier} has other bytes.")


def check_library(program, folder, environment=None):
    """Checks that `segmance check` finds no problem and no missing derived file."""
    result = subprocess.run(
        [str(program), "check", "--data", str(folder), "--json"],
        capture_output=True, text=True, timeout=120, env={**os.environ, **(environment or {})})
    found = f"segmance check: {result.stdout}{result.stderr}"
    holds(result.returncode == 0, found)
    holds(json.loads(result.stdout) == {"problems": [], "unprepared": []}, found)


def check_after_sweep(program, folder, flags=(), environment=None):
    """Starts the server until its garbage collection is done, and checks the library."""
    def problem():
        try:
            check_library(program, folder, environment)
        except Violation as violation:
            return str(violation)
        return None
    with Server(program, folder, flags=flags, environment=environment) as server:
        left = studio.last_seen(problem, lambda problem: problem is None)
    holds(left is None, f"{left}\n{''.join(server.complaints)[-1000:]}")
    check_library(program, folder, environment)


def wait_for_jobs(server, seconds=120):
    """Waits until no import is running."""
    def importing():
        return [
            record for record in server.records("track")
            if (record["fields"] if "fields" in record else record).get("state") == "importing"]
    left = studio.last_seen(importing, lambda seen: not seen, seconds)
    holds(not left, f"{len(left)} imports never ended.")
