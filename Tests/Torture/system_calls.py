"""The order of system calls: kill -9 can't show a missing fsync, a trace can.

Under `strace`, a server takes edits, songs and deletions. The checker then wants, of each thread
and file: bytes synced before they get their name; the folder synced before the record that speaks
of them is written; a written log of the database synced before its thread does anything else,
such as unlinking bytes.
"""

import collections
import json
import re

import rig

CALLS = ("openat,write,pwrite64,writev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,"
         "unlink,unlinkat,sendto,sendmsg")
LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)$")
FOLDERS = ("blobs", "derived", "exports")


def run(program, folder, count, seed=1):
    """Traces a server that does `count` rounds of work; raises at the first call out of order."""
    library = folder / f"traced-{seed}"
    trace = folder / f"trace-{seed}.txt"
    before = ["strace", "-f", "-y", "-qq", "-s", "0", "-o", str(trace), "-e", f"trace={CALLS}",
              "--seccomp-bpf"]
    with rig.Server(program, library, before=before) as server:
        for number in range(count):
            work(server, seed * 1000 + number)
    return Checker(library).check(trace.read_text(errors="replace").splitlines())


def work(server, number):
    """An edit, a song, its import, and its deletion."""
    routine = f"00000000-0000-4000-8000-{number:012d}"
    edit = rig.change("routine", routine, {"title": f"Routine {number}"})
    status, _ = server.request("POST", "/api/sync", {"since": 0, "changes": [edit]})
    rig.holds(status == 200, f"Sync answered {status}.")
    status, answer = rig.upload_track(server, "song.wav", rig.studio.song(0.5, seed=number + 7))
    rig.holds(status == 202, f"The track was answered with {status}.")
    rig.wait_for_jobs(server)
    if number % 2:
        track = json.loads(answer)["id"]
        status, _ = server.request("DELETE", f"/api/tracks/{track}")
        rig.holds(status in (200, 204), f"The deletion was answered with {status}.")


class Checker:
    """Reads a trace call by call and knows what is not on the disk yet."""

    def __init__(self, library):
        self.library = str(library)
        self.log = f"{self.library}/segmance.sqlite-wal"
        self.unsynced = set()
        self.logs_waiting = {}
        self.folders_waiting = collections.defaultdict(set)
        self.started = {}
        self.seen = collections.Counter()

    def check(self, lines):
        for number, line in enumerate(lines, 1):
            call = self.call(line)
            if call:
                self.step(number, *call)
        for what in ("named", "synced", "logged", "unlinked"):
            rig.holds(self.seen[what] > 0, f"The trace shows nothing that was {what}.")
        return ", ".join(f"{self.seen[what]} {what}" for what in sorted(self.seen))

    def call(self, line):
        """Returns thread, name and arguments of a call that has ended well, else nil."""
        match = LINE.match(line)
        if not match:
            return None
        thread, name, rest = match.groups()
        if rest.endswith("<unfinished ...>"):
            self.started[thread] = rest
            return None
        if "resumed>" in line.split("(", 1)[0]:
            rest = self.started.pop(thread, "") + rest
        if re.search(r"= -1 [A-Z]+", rest):
            return None
        return thread, name, rest

    def step(self, number, thread, name, rest):
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
            self.sync(thread, path)
        elif name.startswith("rename"):
            old, new = re.findall(r'"([^"]*)"', self.named(number, rest))[:2]
            self.rename(number, thread, old, new)
        elif name.startswith("unlink"):
            self.unlink(self.named(number, rest))

    def named(self, number, rest):
        rig.holds('"..."' not in rest, f"Line {number}: the trace hides the names.")
        return rest

    def write(self, number, thread, path):
        if path == self.log:
            for waiting in self.folders_waiting[thread]:
                raise rig.Violation(
                    f"Line {number}: the log is written before the folder {waiting} is synced.")
            self.logs_waiting[thread] = number
        elif path.startswith(self.library):
            self.unsynced.add(path)

    def sync(self, thread, path):
        if path == self.log:
            self.logs_waiting.pop(thread, None)
            self.seen["logged"] += 1
        self.unsynced.discard(path)
        self.folders_waiting[thread].discard(path)
        self.seen["synced"] += 1

    def rename(self, number, thread, old, new):
        if self.folder_of(new) not in FOLDERS:
            # What has no lasting name yet takes what it lacks with it.
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

    def unlink(self, rest):
        # That this thread's log does not wait has been seen; another's may be that of another job.
        if f'"{self.library}/blobs/' in rest:
            self.seen["unlinked"] += 1
