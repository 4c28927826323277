"""Hours of mixed load: memory and latencies stay constant, and no files or descriptors are left.

Eight editors sync, a listener connects and disconnects, songs are uploaded, imported and deleted, and
other clients read ranges and export. Memory is the process's anonymous memory (RssAnon) without file
pages.
"""

import collections
import http.client
import json
import pathlib
import random
import statistics
import threading
import time
import uuid

import rig

ROUTINES, MOVES = 40, 15
TRACKS = 10
# The duration from which a run can tell growth from filling caches and a slow moment from a slow
# quarter. In a shorter run the last half may grow by this many bytes.
LONG_SECONDS = 600
FILLING_BYTES = 8 << 20
GROWTH = 0.05
# The allowed ratio of two quarters, and an allowance in milliseconds for very fast requests.
SLOWER, SLOWER_MILLISECONDS = 1.5, 25
# libdispatch keeps a varying number of idle threads.
IDLE_THREADS = 4
FORMATS = ("html", "markdown", "json")


def run(program, folder, seconds, seed=1):
    """Loads a server for `seconds`; raises if something grows, slows down or is left over."""
    with rig.Server(program, folder / f"soak-{seed}", flags=["--metrics"]) as server:
        studio = Studio(server)
        studio.fill()
        # Runs every kind of request once, so that permanently open files are open.
        studio.load(max(3, min(60, seconds * 0.1)), seed + 1)
        before = studio.quiet()
        studio.ledger.clear()
        samples = studio.load(seconds, seed)
        after = studio.quiet(before)
    faults = server.faults()
    rig.holds(not faults, f"Faults in the log: {faults[:3]}")
    rig.check_library(program, server.folder)
    broken = []
    growth = grown([(when, size) for when, size, _ in samples])
    middle, last = samples[len(samples) // 2], samples[-1]
    is_long = seconds >= LONG_SECONDS
    if growth >= GROWTH and (is_long or growth * last[1] >= FILLING_BYTES):
        broken.append(f"Memory grew by {growth:.1%} in the last half.")
    latencies = []
    for kind, (early, late) in sorted(quarters(studio.ledger, seconds).items()):
        latencies.append(f"{kind} {early:.0f} → {late:.0f}")
        if is_long and late >= early * SLOWER + SLOWER_MILLISECONDS:
            broken.append(f"The p95 of {kind} went from {early:.0f} to {late:.0f} ms.")
    peak = max(size for _, size, _ in samples)
    said = (
        f"{seconds} s, {len(studio.ledger):,} requests, {studio.imports} imports; memory "
        f"{growth:+.1%} in the last half (from {told(middle)} to {told(last)}, "
        f"peak {peak / 1e6:.1f} MB); "
        f"descriptors {before.total} → {after.total}, threads {before.threads} → {after.threads}; "
        f"p95 in ms, second → last quarter: {', '.join(latencies)}")
    rig.holds(not broken, " ".join([*broken, said]))
    return said


class Studio:
    """A library under load, and the times of its requests."""

    def __init__(self, server):
        self.server = server
        # Kind, time (seconds since the start of the load) and duration of each request.
        self.ledger = []
        self.began = 0.0
        self.imports = 0
        self.tracks = collections.deque()
        chance = random.Random(7)
        name = lambda: str(uuid.UUID(int=chance.getrandbits(128), version=4))  # noqa: E731
        self.routines = [name() for _ in range(ROUTINES)]
        self.parts = {name(): routine for routine in self.routines for _ in range(2)}
        self.moves = {
            name(): part for part in self.parts for _ in range(MOVES)}

    def fill(self):
        """Makes the routines that the editors edit."""
        changes = [rig.change("routine", one, {"title": "Swan"}) for one in self.routines]
        for part, routine in self.parts.items():
            changes.append(rig.change(
                "part", part, {"routine": routine, "title": "Part", "position": "V"}))
        for move, part in self.moves.items():
            changes.append(
                rig.change("move", move, {"part": part, "title": "Move", "position": "V"}))
        status, content = self.server.request(
            "POST", "/api/sync", {"since": 0, "changes": changes})
        rig.holds(
            status == 200 and not json.loads(content)["rejected"], f"The library: {content[:300]}")

    def load(self, seconds, seed):
        """Runs all clients; returns samples of (time, memory, database memory), in bytes."""
        kinds = [Editor] * 8 + [Listener, Uploader, Reader, Reader, Exporter]
        self.began = time.monotonic()
        clients = [kind(self, seed * 1000 + number) for number, kind in enumerate(kinds)]
        for client in clients:
            client.start()
        samples = []
        while (now := time.monotonic() - self.began) < seconds:
            samples.append((now, memory(self.server.process.pid), self.database_memory()))
            rig.holds(self.server.process.poll() is None, "The server ended.")
            for client in clients:
                if client.failure:
                    raise rig.Violation(f"{type(client).__name__}: {client.failure!r}")
            time.sleep(min(1.0, seconds / 20))
        rig.end(clients)
        for client in clients:
            rig.holds(not client.failure, f"{type(client).__name__}: {client.failure!r}")
        return samples

    def database_memory(self):
        """Returns the memory of the database, in bytes."""
        status, page = self.server.request("GET", "/metrics")
        rig.holds(status == 200, f"The figures were answered with {status}.")
        return next(
            float(line.split()[1]) for line in page.decode().splitlines()
            if line.startswith("segmance_database_memory_bytes "))

    def quiet(self, before=None):
        """Waits until the server is idle; raises if more is open or left over than before."""
        rig.wait_for_jobs(self.server)
        left, looks = Remains(self.server), 1
        deadline = time.monotonic() + 120
        # Three equal results, a second apart, because connections and threads end with a delay.
        while left.beyond(before) or looks < 3:
            rig.holds(time.monotonic() < deadline, f"Left over: {left.beyond(before)}")
            time.sleep(0.7)
            now = Remains(self.server)
            looks = looks + 1 if (now.total, now.threads) == (left.total, left.threads) else 1
            left = now
        return left


class Remains:
    """The open resources of an idle server."""

    def __init__(self, server):
        process = pathlib.Path("/proc") / str(server.process.pid)
        self.descriptors = collections.Counter()
        for link in (process / "fd").iterdir():
            try:
                self.descriptors[kind_of(link.readlink(), server.folder)] += 1
            except FileNotFoundError:
                pass
        self.total = sum(self.descriptors.values())
        self.threads = len(list((process / "task").iterdir()))
        self.children = [
            child for task in (process / "task").iterdir()
            for child in (task / "children").read_text().split()]
        self.files = [
            path.name for part in ("tmp", "uploads")
            for path in (pathlib.Path(server.folder) / part).iterdir()]

    def beyond(self, before):
        """Returns a description of the resources beyond `before`, or nothing if they are allowed."""
        more = []
        if self.children:
            more.append(f"children {self.children}")
        if self.files:
            more.append(f"files {self.files[:5]}")
        for kind, count in self.descriptors.items():
            known = before.descriptors[kind] if before else None
            # The database has one reader per concurrent request so far.
            if kind == "database":
                known = 3 * 20
            if known is not None and count > known:
                more.append(f"{count} descriptors of kind {kind}, {known} before")
        if before and self.threads > before.threads + IDLE_THREADS:
            more.append(f"{self.threads} threads, {before.threads} before")
        return "; ".join(more)


def kind_of(target, folder):
    """Returns the kind of a descriptor by its target."""
    text = str(target)
    if text.startswith(f"{folder}/segmance.sqlite"):
        return "database"
    if text.startswith(f"{folder}/"):
        return text.removeprefix(f"{folder}/").split("/")[0]
    return text.split(":")[0]


def memory(pid):
    """Returns the process's anonymous memory in bytes."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) << 10
    raise rig.Violation("The server ended.")


def told(sample):
    """Formats a sample."""
    _, size, database = sample
    return f"{size / 1e6:.1f} MB with the database's {database / 1e6:.1f}"


def grown(samples):
    """Returns the growth over the last half, by linear regression, relative to the mean."""
    half = samples[len(samples) // 2:]
    times, sizes = [when for when, _ in half], [size for _, size in half]
    if len(half) < 2:
        return 0.0
    slope, _ = statistics.linear_regression(times, sizes)
    return slope * (times[-1] - times[0]) / statistics.fmean(sizes)


def quarters(ledger, seconds):
    """Returns the p95 of each kind of request in the second and the last quarter, in milliseconds."""
    found = {}
    for kind in {kind for kind, _, _ in ledger}:
        early = [took for one, when, took in ledger
                 if one == kind and seconds * 0.25 <= when < seconds * 0.5]
        late = [took for one, when, took in ledger if one == kind and when >= seconds * 0.75]
        if len(early) >= 20 and len(late) >= 20:
            found[kind] = tuple(
                statistics.quantiles(times, n=20)[-1] * 1000 for times in (early, late))
    return found


class Client(threading.Thread):
    """A client that sends requests with pauses until it is stopped."""

    pause = 0.1

    def __init__(self, studio, seed):
        super().__init__(daemon=True)
        self.studio, self.server = studio, studio.server
        self.chance = random.Random(seed)
        self.halt = threading.Event()
        self.failure = None
        self.connection = None

    def run(self):
        try:
            while not self.halt.is_set():
                self.step()
                self.halt.wait(self.chance.uniform(0.5, 1.5) * self.pause)
        except Exception as error:
            self.failure = error
        finally:
            if self.connection:
                self.connection.close()

    def ask(self, kind, method, path, value=None, headers=None, expect=(200,)):
        """Sends a request on a connection that is reused for a while; returns status and body."""
        if self.connection is None or self.chance.random() < 0.05:
            if self.connection:
                self.connection.close()
            self.connection = http.client.HTTPConnection("localhost", self.server.port, timeout=60)
        began = time.monotonic()
        self.connection.request(
            method, path, body=None if value is None else json.dumps(value),
            headers={"Origin": self.server.origin, "Content-Type": "application/json",
                     **(headers or {})})
        answer = self.connection.getresponse()
        content = answer.read()
        self.studio.ledger.append((kind, began - self.studio.began, time.monotonic() - began))
        rig.holds(
            answer.status in expect,
            f"{method} {path} was answered with {answer.status}: {content[:200]}")
        return answer.status, content

    def wait_for(self, job):
        """Waits for a job's end; returns its state."""
        while True:
            _, content = self.ask("job", "GET", f"/api/jobs/{job}")
            state = json.loads(content)["state"]
            if state not in ("queued", "running"):
                return state
            time.sleep(0.1)


class Editor(Client):
    """A device that edits and syncs."""

    pause = 0.15

    def __init__(self, studio, seed):
        super().__init__(studio, seed)
        self.since, self.device = 0, 0x1000_0000 + seed

    def step(self):
        changes = []
        for _ in range(self.chance.randint(0, 3)):
            text = f"{self.chance.choice(('Jump', 'Turn', 'Rest'))} {self.chance.randint(0, 999)}"
            if self.chance.random() < 0.2:
                kind, record = "part", self.chance.choice(list(self.studio.parts))
                fields = {"title": text, "markerA": self.chance.randint(0, 99_999)}
            else:
                kind, record = "move", self.chance.choice(list(self.studio.moves))
                fields = {self.chance.choice(("title", "notes")): text}
            changes.append(rig.change(kind, record, fields, self.device))
        _, content = self.ask(
            "edit", "POST", "/api/sync", {"since": self.since, "changes": changes})
        answer = json.loads(content)
        rig.holds(not answer["rejected"], f"Rejected: {answer['rejected'][:1]}")
        self.since = answer["seq"]


class Listener(Client):
    """A page that is opened, receives events for a while, and is closed."""

    pause = 0.5

    def step(self):
        connection = http.client.HTTPConnection("localhost", self.server.port, timeout=60)
        try:
            connection.request("GET", f"/api/events?client={uuid.uuid4()}&name=Soak")
            answer = connection.getresponse()
            rig.holds(answer.status == 200, f"The events were answered with {answer.status}.")
            for _ in range(self.chance.randint(1, 20)):
                answer.readline()
        finally:
            connection.close()


class Uploader(Client):
    """Uploads songs and deletes the oldest."""

    pause = 2

    def step(self):
        content = rig.studio.song(self.chance.uniform(2, 12), self.chance.randint(1, 1 << 20))
        began = time.monotonic()
        status, answer = rig.upload_track(self.server, "song.wav", content)
        self.studio.ledger.append(("upload", began - self.studio.began, time.monotonic() - began))
        rig.holds(status in (200, 202), f"An upload was answered with {status}: {answer[:200]}")
        told = json.loads(answer)
        if status == 202:
            state = self.wait_for(told["job"])
            rig.holds(state == "done", f"An import ended as {state}.")
            self.studio.imports += 1
        self.studio.tracks.append(told["id"])
        if len(self.studio.tracks) > TRACKS:
            self.ask("deletion", "DELETE", f"/api/tracks/{self.studio.tracks.popleft()}",
                     expect=(204, 404))


class Reader(Client):
    """A player: ranges of originals, chunks and waveforms."""

    pause = 0.05

    def step(self):
        if not self.studio.tracks:
            return
        track = self.chance.choice(list(self.studio.tracks))
        what = self.chance.random()
        # A track can be deleted during a read.
        if what < 0.5:
            start = self.chance.randint(0, 300_000)
            self.ask("range", "GET", f"/api/tracks/{track}/original", expect=(206, 404),
                     headers={"Range": f"bytes={start}-{start + self.chance.randint(0, 65_535)}"})
        elif what < 0.8:
            self.ask("chunk", "GET", f"/api/tracks/{track}/chunks/0", expect=(200, 404))
        else:
            pixel = self.chance.choice((64, 256, 1024))
            self.ask("peaks", "GET", f"/api/tracks/{track}/peaks?framesPerPixel={pixel}",
                     expect=(200, 404))


class Exporter(Client):
    """Exports notebooks and clips."""

    pause = 1.5

    def step(self):
        if self.chance.random() < 0.5 or not self.studio.tracks:
            self.ask("notebook", "GET", f"/api/export?format={self.chance.choice(FORMATS)}")
            return
        track = self.chance.choice(list(self.studio.tracks))
        clips = [
            {"track": track, "start": start, "end": start + 20_000, "title": f"Clip {start}"}
            for start in range(0, 60_000, 20_000)]
        status, content = self.ask(
            "order", "POST", "/api/exports",
            {"clips": clips, "format": self.chance.choice(("wav", "flac", "mp3"))},
            expect=(202, 422))
        if status != 202:
            return
        job = json.loads(content)["job"]
        # The track can be deleted meanwhile, which ends the export with 404.
        if self.wait_for(job) == "done":
            self.ask("zip", "GET", f"/api/exports/{job}")
