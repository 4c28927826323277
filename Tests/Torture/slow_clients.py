"""Slow clients: a new request is answered within a second during 400 of them, and connections without
progress are closed in time."""

import collections
import contextlib
import http.client
import json
import pathlib
import random
import resource
import selectors
import socket
import threading
import time
import uuid

import rig

# The attack holds some more connections than the invariant states, because closed connections are being
# reopened and every check must find the stated number.
SPARE = 1.1
# The server checks timeouts twice a second. The rest is for a busy machine.
MARGIN = 2
# More than the limit per address (1,536) and the limit of all connections (2,048).
FLOOD = 2600
# A body that would take a day at the speed of the slow client.
BODY_BYTES = 100_000
# More than the minimum of a body in ten seconds (2,000), so that it is too slow only in the next ten.
FIRST_BYTES = 2500
# Large enough for many such beginnings.
UPLOAD_BYTES = 400_000
# The song's file is larger than the system's send buffer of an unread response (usually 4 MB).
SONG_SECONDS = 30


class Target:
    """A server, and the resources that slow clients request."""

    def __init__(self, server, uploads):
        self.server = server
        self.host = f"Host: localhost:{server.port}\r\n"
        self.writing = f"{self.host}Origin: {server.origin}\r\nSec-Fetch-Site: same-origin\r\n"
        song = rig.studio.song(SONG_SECONDS)
        most = int(pathlib.Path("/proc/sys/net/ipv4/tcp_wmem").read_text().split()[2])
        rig.holds(len(song) > most + 1_000_000, "The system holds all of the song for a reader.")
        status, content = rig.upload_track(server, "song.wav", song)
        rig.holds(status in (200, 202), f"The song was refused: {content}")
        self.song = f"/api/tracks/{json.loads(content)['id']}/original"
        rig.wait_for_jobs(server)
        # Only one connection at a time can write to an upload. The queue is first in, first out.
        self.uploads = collections.deque(begun_uploads(server, uploads))

    def whole(self, request):
        """Sends a request at once; returns the first line of the response."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
            connection.sendall(request)
            return connection.recv(1000).split(b"\r\n")[0].decode()


def begun_uploads(server, count):
    """Yields the addresses of empty uploads. The files are written directly, because creating so many by
    requests would take longer than the attack."""
    for _ in range(count):
        identifier = str(uuid.uuid4())
        place = pathlib.Path(server.folder) / "uploads" / identifier
        place.with_suffix(".part").touch()
        place.with_suffix(".json").write_text(
            json.dumps({"length": UPLOAD_BYTES, "fileName": "song.wav"}))
        yield f"/api/uploads/{identifier}"


class Client:
    """One slow connection."""
    kind = ""
    # Seconds after `since` within which the server must close the connection.
    closed_after = None
    status = 200
    # The size of the receive buffer and the maximum segment size, in bytes.
    receive_buffer = segment = None

    def __init__(self, target):
        self.target = target
        # The time when the client started to be slow.
        self.since = None
        self.heard = b""
        self.socket = socket.socket()
        if self.receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, self.segment)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", target.server.port))
        self.socket.setblocking(False)

    def begin(self):
        """Sends the first bytes at once."""

    def drip(self):
        """Sends or reads a little; called once a second."""

    def hear(self):
        """Reads the server's bytes; returns whether the connection is still open."""
        content = self.socket.recv(4096)
        rig.holds(
            not content, f"The server did not wait for slow {self.kind}: {content[:300]!r}")
        return False

    def end(self):
        self.socket.close()

    def listen(self):
        """Reads a first response without a body; returns the bytes so far, or b"" after the server has
        closed."""
        content = self.socket.recv(4096)
        self.heard += content
        return self.heard if content else b""


class Headers(Client):
    kind = "headers"
    closed_after = 10

    @staticmethod
    def request(target):
        return f"GET /api/health HTTP/1.1\r\n{target.host}\r\n".encode()

    def begin(self):
        self.since = time.monotonic()
        # The first line is also sent in pieces, which does not extend the timeout.
        self.unsent = self.request(self.target)[:-2] + b"X-Slow: "
        self.drip()

    def drip(self):
        self.socket.send(self.unsent[:4] or b"a")
        self.unsent = self.unsent[4:]


class Collected(Client):
    """A body that the server collects completely before handling it."""
    kind = "collected bodies"
    closed_after = 20

    @staticmethod
    def request(target):
        # The body ends in spaces, so that it is valid JSON up to its last byte.
        body = b'{"since": 1000000, "changes": []}'.ljust(BODY_BYTES)
        return (f"POST /api/sync HTTP/1.1\r\n{target.writing}Content-Type: application/json\r\n"
                f"Content-Length: {BODY_BYTES}\r\n\r\n").encode() + body

    def begin(self):
        self.since = time.monotonic()
        self.socket.send(self.request(self.target)[:FIRST_BYTES + 300])

    def drip(self):
        self.socket.send(b" ")


class Streamed(Client):
    """A body that the server streams to the disk. Each connection first requests its upload's offset."""
    kind = "streamed bodies"
    closed_after = 20
    status = 204

    @staticmethod
    def request(target, address=None, offset=0):
        address = address or target.uploads.popleft()
        return (f"PATCH {address} HTTP/1.1\r\n{target.writing}Tus-Resumable: 1.0.0\r\n"
                f"Upload-Offset: {offset}\r\nContent-Type: application/offset+octet-stream\r\n"
                f"Content-Length: {BODY_BYTES}\r\n\r\n").encode() + bytes(BODY_BYTES)

    def begin(self):
        self.address = self.target.uploads.popleft()
        self.socket.send(
            f"HEAD {self.address} HTTP/1.1\r\n{self.target.host}Tus-Resumable: 1.0.0\r\n\r\n"
            .encode())

    def drip(self):
        if self.since:
            self.socket.send(b" ")

    def hear(self):
        if self.since:
            return super().hear()
        heard = self.listen()
        if heard.endswith(b"\r\n\r\n"):
            fields = dict(
                line.split(": ", 1) for line in heard.decode().strip().split("\r\n")[1:])
            whole = self.request(self.target, self.address, fields["Upload-Offset"])
            self.since = time.monotonic()
            self.socket.send(whole[:FIRST_BYTES + 300])
        return heard != b""

    def end(self):
        super().end()
        self.target.uploads.append(self.address)


class Silent(Client):
    """A client that has its response and keeps the connection open."""
    kind = "silent ones"
    closed_after = 75

    request = staticmethod(Headers.request)

    def begin(self):
        self.socket.send(self.request(self.target))

    def hear(self):
        heard = self.listen()
        rig.holds(heard == b"" or heard.startswith(b"HTTP/1.1 200"), f"Not well: {heard[:300]!r}")
        self.since = self.since or time.monotonic()
        return heard != b""


class Reader(Client):
    """Takes little of a long answer: a telephone in a cellar, which may be as slow as that.

    In small segments, or the system would take megabytes off the server's hands.
    """
    kind = "readers"
    receive_buffer, segment = 4096, 536

    @staticmethod
    def request(target):
        return f"GET {target.song} HTTP/1.1\r\n{target.host}\r\n".encode()

    def begin(self):
        self.since = time.monotonic()
        self.socket.send(self.request(self.target))

    def hear(self):
        return len(self.socket.recv(1024)) > 0


KINDS = [Headers, Collected, Streamed, Silent, Reader]


class Attack(threading.Thread):
    """Slow clients of one kind. A closed client reconnects at once, unless `stays_away` is set."""

    def __init__(self, target, kind, count, seed, stays_away=False):
        super().__init__(daemon=True)
        self.target, self.kind, self.count = target, kind, count
        self.stays_away = stays_away
        self.random = random.Random(seed)
        self.selector = selectors.DefaultSelector()
        # The time of each client's next action: to send or read a little, or to close.
        self.drips, self.goes = {}, {}
        self.halt = threading.Event()
        self.all_opened = None
        self.problem = None
        self.closed, self.longest = 0, 0.0

    def run(self):
        try:
            for _ in range(self.count):
                self.open(is_first=not self.stays_away)
            self.all_opened = time.monotonic()
            while not self.halt.is_set():
                self.go_on()
        except Exception as error:  # noqa: BLE001: `check` raises it in the trial's thread.
            self.problem = error
        finally:
            for client in list(self.drips):
                self.end(client)

    def open(self, is_first=False):
        client = self.kind(self.target)
        now = time.monotonic()
        self.drips[client] = now + self.random.random()
        if is_first and self.kind.closed_after:
            # The random delay prevents that all clients are closed at the same time.
            self.goes[client] = now + self.random.uniform(0, self.kind.closed_after)
        # A closed client notices it at its next action.
        with contextlib.suppress(ConnectionError):
            client.begin()
        # A reader reads only at its scheduled time.
        if self.kind is not Reader:
            self.selector.register(client.socket, selectors.EVENT_READ, client)

    def go_on(self):
        for key, _ in self.selector.select(0.02):
            self.step(key.data, key.data.hear)
        now = time.monotonic()
        for client, due in list(self.drips.items()):
            if now >= self.goes.get(client, now + 1):
                self.end(client)
                self.open()
            elif now >= due:
                self.drips[client] = due + 1
                self.step(client, client.hear if self.kind is Reader else client.drip)
        self.look_for_late_ones()

    def step(self, client, step):
        try:
            is_over = step() is False
        except BlockingIOError:
            # There is nothing to read yet.
            return
        except ConnectionError:
            is_over = True
        if is_over:
            self.gone(client)

    def look_for_late_ones(self):
        limit = self.kind.closed_after
        if limit:
            for client in self.drips:
                age = time.monotonic() - (client.since or time.monotonic())
                rig.holds(
                    age < limit + MARGIN,
                    f"One of the {self.kind.kind} was still there after {age:.1f} s, not closed "
                    f"after {limit}.")

    def gone(self, client):
        """Handles a connection that the server has closed."""
        self.closed += 1
        if client.since:
            self.longest = max(self.longest, time.monotonic() - client.since)
        self.end(client)
        if not self.stays_away:
            self.open()

    def end(self, client):
        if client.socket in self.selector.get_map():
            self.selector.unregister(client.socket)
        del self.drips[client]
        self.goes.pop(client, None)
        client.end()

    def check(self):
        """Raises the first error."""
        if self.problem:
            raise self.problem

    def slow(self):
        """Returns the number of slow clients now."""
        return sum(client.since is not None for client in list(self.drips))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, failure, *_):
        self.halt.set()
        self.join(timeout=30)
        if failure is None:
            rig.holds(not self.is_alive(), "The slow clients did not end.")
            self.check()


def run(program, folder, seconds, seed=1, sockets=400, answer_within=1.0):
    """Attacks a server for `seconds` with each kind of client, and floods it if there is time."""
    allow_descriptors(2 * FLOOD)
    count = round(sockets * SPARE)
    said = []
    with rig.Server(program, folder / "slow") as server:
        target = Target(server, count + count // 4)
        for kind in KINDS:
            line = target.whole(kind.request(target))
            rig.holds(
                f" {kind.status} " in line, f"What is to come slowly is not taken at all: {line}")
            with Attack(target, kind, count, seed) as attack:
                said.append(during(attack, seconds, sockets, answer_within))
            if kind is Headers and seconds > kind.closed_after + MARGIN:
                said.append(flood(target, seed, answer_within))
        rig.holds(not server.faults(), f"The server's log has: {server.faults()[:3]}")
    return "; ".join(said)


def during(attack, seconds, sockets, answer_within):
    """Sends new requests during an attack, and checks that enough slow clients are connected."""
    server, kind = attack.target.server, attack.kind
    worst, least, answers = 0.0, attack.count, 0
    ends, waits_until = None, time.monotonic() + 10
    while ends is None or time.monotonic() < ends:
        worst = max(worst, answer(server))
        answers += 1
        attack.check()
        there = min(attack.slow(), held(server))
        rig.holds(
            worst < answer_within, f"A request took {worst:.2f} s during {there} {kind.kind}.")
        if ends:
            least = min(least, there)
            rig.holds(least >= sockets, f"Only {least} {kind.kind} were there at a time.")
        elif there >= sockets:
            ends = time.monotonic() + seconds
        else:
            rig.holds(time.monotonic() < waits_until, f"Only {there} {kind.kind} came in.")
        time.sleep(0.1)
    if kind.closed_after and seconds > kind.closed_after + MARGIN:
        rig.holds(attack.closed > 0, f"None of the {kind.kind} was closed.")
    closings = f"{attack.closed} closed after at most {attack.longest:.1f} s"
    return (f"{answers} answers, the slowest {worst * 1000:.0f} ms, during {least} or more "
            f"{kind.kind}, {closings if attack.closed else 'none closed'}")


def flood(target, seed, answer_within):
    """Opens more connections than one address may have. Other addresses can connect meanwhile, and this
    one after its slow connections are closed."""
    server, is_full, worst = target.server, False, 0.0
    with Attack(target, Headers, FLOOD, seed, stays_away=True) as attack:
        while True:
            attack.check()
            worst = max(worst, answer(server, "127.0.0.2"))
            rig.holds(
                worst < answer_within,
                f"Another address waited {worst:.2f} s while {held(server)} connections were open.")
            opened = attack.all_opened
            # One second without requests, because on a full server they would wait behind the flood.
            if opened and time.monotonic() > opened + 1:
                try:
                    answer(server)
                    break
                except rig.Violation:
                    is_full = True
                rig.holds(
                    time.monotonic() < opened + Headers.closed_after + MARGIN,
                    f"{held(server)} of {FLOOD} still shut others of their address out "
                    f"{time.monotonic() - opened:.1f} s after they came.")
            time.sleep(0.1)
        rig.holds(is_full, f"{FLOOD} at once shut nobody out: no flood.")
        return (f"others waited {worst * 1000:.0f} ms at most during {FLOOD} at once, their own "
                f"address came in again after {time.monotonic() - opened:.1f} s")


def allow_descriptors(wanted):
    """Raises this process's limit of open files up to the allowed maximum."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def held(server):
    """Returns the number of connections that the server has accepted and not closed."""
    address, count = f"0100007F:{server.port:04X}", 0
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        # Established with an inode. A connection without an inode was not accepted.
        count += fields[1] == address and fields[3] == "01" and fields[9] != "0"
    return count


def answer(server, source="127.0.0.1"):
    """Returns the seconds of a new request on a new connection."""
    started = time.monotonic()
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=5, source_address=(source, 0))
    try:
        connection.request("GET", "/api/health", headers={"Host": f"localhost:{server.port}"})
        rig.holds(connection.getresponse().status == 200, "Health is not well.")
    except (OSError, http.client.HTTPException) as error:
        raise rig.Violation(f"A new request got no answer: {error!r}") from error
    finally:
        connection.close()
    return time.monotonic() - started
