"""Disk calls that fail at random: no false acknowledgement, no crash, and an intact library afterwards.

libfiu intercepts the program's calls of the C library. The faults begin when the server has started
and end with its process.
"""

import collections
import json
import pathlib
import random
import shutil
import subprocess
import time

import rig

LIBFIU = pathlib.Path("/usr/lib/fiu")
# The disk calls of the running server and SQLite. Not included: SQLite truncates files only when it
# opens them, mmap is also used for memory, and a failing close has no effect.
FAILING = (
    "posix/io/sync/fsync", "posix/io/sync/fdatasync", "posix/io/rw/write", "posix/io/rw/read",
    "posix/io/rw/pwrite", "posix/io/rw/pread", "posix/io/dir/rename", "posix/io/dir/unlink",
    "posix/io/dir/opendir", "posix/io/dir/readdir", "posix/io/oc/open",
)
# These calls do only a part of the requested work. This is no error and must have no effect.
PARTIAL = ("posix/io/rw/write/reduce", "posix/io/rw/pwrite/reduce", "posix/io/rw/pread/reduce")
# These calls can fail with "not found", which the client then gets.
MISSING = {"posix/io/oc/open", "posix/io/dir/opendir", "posix/io/dir/rename"}
# The allowed reasons of a failed import. After a disk error the import is retried instead.
FAILURES = ("A file that was expected is not there",)
TAKEN = (200, 202)
# The number of tries without an effect after which a fault counts as ineffective.
ENOUGH = 12


def run(program, folder, count, seed=1):
    """Tries each fault separately, then runs `count` servers with random faults; raises at the first
    violation."""
    preloaded = build_preload(folder)
    check_points(program, folder, preloaded)
    acknowledged_in_all = refused_in_all = 0
    alone = collections.defaultdict(list)
    for number in range(count):
        chance = random.Random(seed * 100_000 + number)
        library = folder / f"faulty-{seed}-{number}"
        acknowledged = rig.Acknowledged()
        points = chance.sample(FAILING + PARTIAL, chance.randint(1, 3))
        server = rig.Server(program, library, environment=preloaded)
        try:
            for point in points:
                enable(server, folder, point, chance.choice([0.02, 0.1, 0.5]))
            clients = rig.loads(server, acknowledged, seed * 1000 + number)
            time.sleep(chance.uniform(0.2, 0.5))
            rig.end(clients)
            rig.holds(
                server.process.poll() is None,
                f"The server ended: {''.join(server.complaints)[-2000:]}")
        finally:
            server.kill()
        refused = [one for client in clients for one in client.refusals]
        for status, content in refused:
            check_refusal(points, status, content)
        if len(points) == 1:
            alone[points[0]].append(bool(refused or server.faults()))
        with rig.Server(program, library) as server:
            rig.check_acknowledged(server, acknowledged, FAILURES)
            rig.wait_for_jobs(server)
        rig.check_after_sweep(program, library)
        acknowledged_in_all += len(acknowledged)
        refused_in_all += len(refused)
        shutil.rmtree(library)
    rig.holds(acknowledged_in_all > 0, "Nothing was ever acknowledged.")
    for point in FAILING:
        rig.holds(
            len(alone[point]) < ENOUGH or any(alone[point]),
            f"{point} made no difference in {len(alone[point])} runs.")
    for point in PARTIAL:
        rig.holds(not any(alone[point]), f"{point} is no error, but made one.")
    return (
        f"{len(FAILING + PARTIAL)} faults, {count} runs, {acknowledged_in_all:,} acknowledged, "
        f"{refused_in_all:,} refused; alone {sum(map(len, alone.values()))} runs, noticed in "
        f"{sum(map(sum, alone.values()))}")


def build_preload(folder):
    """Builds the library that limits the faults to files; returns the environment of a server."""
    source = pathlib.Path(__file__).with_name("files_only.c")
    library = folder / "files_only.so"
    clang = pathlib.Path(shutil.which("swift")).resolve().with_name("clang")
    subprocess.run([clang, "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    libraries = [library, LIBFIU / "fiu_run_preload.so", LIBFIU / "fiu_posix_preload.so"]
    return {
        "LD_PRELOAD": " ".join(map(str, libraries)), "FIU_ENABLE": "",
        "FIU_CTRL_FIFO": str(folder / "fiu")}


def check_points(program, folder, preloaded):
    """Each fault exists, has an effect when it always happens, and leaves nothing behind."""
    known = (LIBFIU / "fiu_posix_preload.so").read_bytes()
    for point in FAILING + PARTIAL:
        rig.holds(b"\0" + point.encode() + b"\0" in known, f"libfiu knows no {point}.")
    # The song is always the same, so it is imported once.
    song = rig.studio.song(3)
    with rig.Server(program, folder / "points", environment=preloaded) as server:
        require_taken(server, song, "without a fault")
        rig.wait_for_jobs(server)
        for point in FAILING:
            check_failing(server, folder, point, song)
        for point in PARTIAL:
            check_happens(server, folder, point, song)
        for number, point in enumerate(PARTIAL):
            check_harmless(server, folder, point, rig.studio.song(0.5, 2 + number))
    rig.check_after_sweep(program, folder / "points")


def check_failing(server, folder, point, song):
    """Requests during the fault are refused, and accepted afterwards."""
    enable(server, folder, point, 1)
    refused = [answer for answer in answers_to_all(server, song) if answer[0] not in TAKEN]
    disable(server, folder, point)
    rig.holds(refused, f"{point} made no difference.")
    for status, content in refused:
        check_refusal([point], status, content)
    require_taken(server, song, f"after {point}")


def check_happens(server, folder, point, song):
    """Partial reads and writes cause more calls."""
    usual = 3 * min(calls_during(server, song, f"before {point}") for _ in range(2))
    enable(server, folder, point, 1)
    during = sum(calls_during(server, song, f"with {point}") for _ in range(3))
    disable(server, folder, point)
    rig.holds(during > 1.25 * usual, f"{point} never happened: {during} calls instead of {usual}.")


def check_harmless(server, folder, point, song):
    """A new song is imported as usual."""
    faults = server.faults()
    enable(server, folder, point, 1)
    require_taken(server, song, f"with {point}")
    rig.wait_for_jobs(server)
    disable(server, folder, point)
    rig.holds(
        server.faults() == faults, f"{point} is no error, but made one: {server.faults()[-1:]}")


def answers_to_all(server, song):
    """Returns the server's responses to an edit and a song: status and body of each."""
    edit = rig.change(
        "routine", "00000000-0000-4000-8000-000000000001", {"title": str(time.monotonic())})
    return [
        server.request("POST", "/api/sync", {"since": 0, "changes": [edit]}),
        rig.upload_track(server, "song.wav", song)]


def require_taken(server, song, when):
    for status, content in answers_to_all(server, song):
        rig.holds(status in TAKEN, f"A request {when} got {status}: {content[:300]}")


def check_refusal(points, status, content):
    """The status reports a server error, and the message gives the reason."""
    allowed = {500, 507} | ({404} if MISSING & set(points) else set())
    rig.holds(status in allowed, f"{' and '.join(points)} got {status}: {content[:300]}")
    rig.holds(not content or json.loads(content)["detail"], f"No sentence: {content[:300]}")


def calls_during(server, song, when):
    """Returns the number of read and write calls while the server accepts an edit and a song."""
    counters = pathlib.Path(f"/proc/{server.process.pid}/io")
    def calls():
        return sum(
            int(line.split()[1]) for line in counters.read_text().splitlines()
            if line.startswith(("syscr:", "syscw:")))
    before = calls()
    require_taken(server, song, when)
    return calls() - before


def enable(server, folder, point, probability):
    control(server, folder, f"enable_random name={point},probability={probability}")


def disable(server, folder, point):
    control(server, folder, f"disable name={point}")


def control(server, folder, command):
    subprocess.run(
        ["fiu-ctrl", "-f", str(folder / "fiu"), "-c", command, str(server.process.pid)],
        check=True, timeout=20)
