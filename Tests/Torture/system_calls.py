"""The order of system calls: kill -9 can't show a missing fsync, a trace can.

A server runs under `strace` and gets edits, songs and deletions. For each thread and file the checker
requires: bytes are synced before they get their name; the folder is synced before the record of the
file is written; the database's log is synced before its thread does anything else. For each request:
a piece of an upload is written and synced before it is acknowledged; the log is written and synced
before an edit is acknowledged, and before the bytes of a deleted track are unlinked.
"""

import collections
import json
import re

import rig

CALLS = ("openat,write,pwrite64,writev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,"
         "unlink,unlinkat,recvfrom,sendto,sendmsg")
LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)$")
FOLDERS = ("blobs", "derived", "exports")

# Requests and responses in the trace: each begins a string with escaped quotes.
REQUEST = re.compile(r'"[A-Z]+ /\S* HTTP/1\.1')
PIECE = re.compile(r'"PATCH /api/uploads/([0-9a-f-]+) ')
DELETION = re.compile(r'"DELETE /api/tracks/')
EDIT = re.compile(r'"POST /api/sync .*"changes\\": \[{|"POST /api/tracks |"DELETE /api/tracks/')
SUCCESS = re.compile(r'"HTTP/1\.1 2\d\d ')
# The responses of a round: an edit, two pieces of a song, the track made of it, and its deletion.
ANSWERS, UNLINKED = 5, 1


def run(program, folder, count, seed=1):
    """Traces a server during `count` rounds of work; raises at the first call out of order."""
    library = folder / f"traced-{seed}"
    trace = folder / f"trace-{seed}.txt"
    # The length of traced strings: enough for a request with its fields and the start of its body.
    before = ["strace", "-f", "-y", "-qq", "-s", "300", "-o", str(trace), "-e", f"trace={CALLS}",
              "--seccomp-bpf"]
    with rig.Server(program, library, before=before) as server:
        for number in range(count):
            work(server, seed * 1000 + number)
    return Checker(library).check(trace.read_text(errors="replace").splitlines(), count)


def work(server, number):
    """Sends an edit, a song in two pieces, its import, and its deletion, one after the other."""
    routine = f"00000000-0000-4000-8000-{number:012d}"
    edit = rig.change("routine", routine, {"title": f"Routine {number}"})
    status, _ = server.request("POST", "/api/sync", {"since": 0, "changes": [edit]})
    rig.holds(status == 200, f"Sync answered {status}.")
    status, answer = rig.upload_track(server, "song.wav", rig.studio.song(0.5, seed=number + 7))
    rig.holds(status == 202, f"The track was answered with {status}.")
    rig.wait_for_jobs(server)
    track = json.loads(answer)["id"]
    status, _ = server.request("DELETE", f"/api/tracks/{track}")
    rig.holds(status == 204, f"The deletion was answered with {status}.")


class Checker:
    """Reads a trace call by call and tracks what is not on the disk yet. A call takes effect at its end.
    A call that must come after others counts from its start."""

    def __init__(self, library):
        self.library = str(library)
        self.log = f"{self.library}/segmance.sqlite-wal"
        self.unsynced = set()
        self.written, self.synced = {}, {}
        self.logs_waiting = {}
        self.commits = []
        self.requests = {}
        self.deletion = None
        self.folders_waiting = collections.defaultdict(set)
        self.started = {}
        self.seen = collections.Counter()

    def check(self, lines, rounds):
        for number, line in enumerate(lines, 1):
            call = self.call(number, line)
            if call:
                self.step(number, *call)
        for what in ("named", "synced", "logged"):
            rig.holds(self.seen[what] > 0, f"The trace shows nothing that was {what}.")
        for what, each in (("answered", ANSWERS), ("unlinked", UNLINKED)):
            rig.holds(
                self.seen[what] == rounds * each,
                f"The trace shows {self.seen[what]} of {rounds * each} {what}.")
        return ", ".join(f"{self.seen[what]} {what}" for what in sorted(self.seen))

    def call(self, number, line):
        """Returns a call that has succeeded, otherwise None: the line of its start, thread, name and
        arguments."""
        match = LINE.match(line)
        if not match:
            return None
        thread, name, rest = match.groups()
        if rest.endswith("<unfinished ...>"):
            self.started[thread] = number, rest
            return None
        began = number
        if "resumed>" in line.split("(", 1)[0]:
            began, start = self.started.pop(thread, (number, ""))
            rest = start + rest
        if re.search(r"= -1 E[A-Z0-9]+ \(.*\)$", rest):
            return None
        return began, thread, name, rest

    def step(self, number, began, thread, name, rest):
        paths = [path.removesuffix(" (deleted)") for path in re.findall(r"\d+<([^>]*)>", rest)]
        path = paths[0] if paths else ""
        if thread in self.logs_waiting and not (
                path == self.log and name in ("pwrite64", "write", "fsync", "fdatasync")):
            line = self.logs_waiting[thread]
            raise rig.Violation(
                f"Line {number}: {name} while the log that was written in line {line} waits for "
                f"its fsync: {rest[:120]}")
        if name in ("write", "pwrite64", "writev", "ftruncate"):
            self.write(number, thread, path)
        elif name in ("fsync", "fdatasync"):
            self.sync(number, thread, path)
        elif name.startswith("rename"):
            old, new = re.findall(r'"([^"]*)"', self.named(number, rest))[:2]
            self.rename(number, thread, old, new)
        elif name.startswith("unlink"):
            self.unlink(began, thread, self.named(number, rest))
        elif name == "recvfrom":
            self.receive(number, path, rest)
        elif name in ("sendto", "sendmsg") and SUCCESS.search(rest):
            self.answer(began, path)

    def named(self, number, rest):
        rig.holds('"..."' not in rest, f"Line {number}: the trace hides the names.")
        return rest

    def write(self, number, thread, path):
        if path == self.log:
            for waiting in self.folders_waiting[thread]:
                raise rig.Violation(
                    f"Line {number}: the log is written before the folder {waiting} is synced.")
            self.logs_waiting.setdefault(thread, number)
        elif path.startswith(self.library):
            self.unsynced.add(path)
            self.written[path] = number

    def sync(self, number, thread, path):
        if path == self.log:
            if thread in self.logs_waiting:
                self.commits.append((thread, self.logs_waiting.pop(thread), number))
            self.seen["logged"] += 1
        self.unsynced.discard(path)
        self.synced[path] = number
        self.folders_waiting[thread].discard(path)
        self.seen["synced"] += 1

    def rename(self, number, thread, old, new):
        if self.folder_of(new) not in FOLDERS:
            # A temporary name passes its unsynced state on to the new name.
            moved = {path for path in self.unsynced if path == old or path.startswith(old + "/")}
            self.unsynced -= moved
            self.unsynced |= {new + path.removeprefix(old) for path in moved}
            return
        late = [path for path in self.unsynced if path == old or path.startswith(old + "/")]
        rig.holds(
            not late, f"Line {number}: {new} gets its name before its bytes are synced: {late}")
        self.folders_waiting[thread].add(new.rsplit("/", 1)[0])
        self.seen["named"] += 1

    def folder_of(self, path):
        inside = path.startswith(self.library + "/")
        return path.removeprefix(self.library + "/").split("/", 1)[0] if inside else ""

    def unlink(self, began, thread, rest):
        if f'"{self.library}/blobs/' not in rest:
            return
        rig.holds(self.deletion, f"Line {began}: bytes are unlinked that nobody deleted: {rest}")
        rig.holds(
            any(who == thread and self.deletion < written and synced < began
                for who, written, synced in self.commits),
            f"Line {began}: bytes are unlinked before the log that says so is synced: {rest}")
        self.seen["unlinked"] += 1

    def receive(self, number, connection, rest):
        if REQUEST.search(rest):
            self.requests[connection] = number, rest
            if DELETION.search(rest):
                self.deletion = number
        elif connection in self.requests:
            # A body can arrive in a separate read.
            arrived, request = self.requests[connection]
            self.requests[connection] = arrived, request + rest

    def answer(self, began, connection):
        arrived, request = self.requests.pop(connection)
        if piece := PIECE.search(request):
            path = f"{self.library}/uploads/{piece[1]}.part"
            rig.holds(
                arrived < self.written.get(path, 0) < self.synced.get(path, 0) < began,
                f"Line {began}: a piece is acknowledged that is not written and synced: {path}")
        elif EDIT.search(request):
            # A log entry of another thread can count by mistake, which is rare.
            rig.holds(
                any(arrived < written and synced < began for _, written, synced in self.commits),
                f"Line {began}: an edit is acknowledged without a synced log: {request[:120]}")
        else:
            return
        self.seen["answered"] += 1
