"""A disk that fills up under load: a clear error, nothing half done, and everything works again
when there is space.

The disk is a small file system in memory, in a separate mount namespace.
"""

import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import time

import rig

DISK_BYTES = 48 << 20
FILLS_PER_DISK = 10
# The free bytes after each fill, in turn. With much free space the disk may not become full.
LEFT_BYTES = [0, 4 << 10, 400 << 10, 0, 40 << 10, 4000 << 10]


def run(program, folder, count, seed=1):
    """Fills the disk `count` times; raises at the first violation."""
    done, last = 0, ""
    while done < count:
        fills = min(FILLS_PER_DISK, count - done)
        result = subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", sys.executable, __file__,
             str(program), str(folder), str(fills), str(seed * 1000 + done)],
            capture_output=True, text=True, timeout=60 + 60 * fills)
        rig.holds(result.returncode == 0, (result.stdout + result.stderr).strip()[-1500:])
        last = result.stdout.strip()
        done += fills
    return f"{done} fills; the last {last}"


def inside(program, folder, count, seed):
    disk = pathlib.Path(folder) / "disk"
    disk.mkdir(exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(disk)], check=True)
    chance = random.Random(seed)
    library, ballast = disk / "library", disk / "ballast"
    acknowledged = rig.Acknowledged()
    refusals = []
    starts = 0
    for number in range(count):
        with rig.Server(program, library) as server:
            clients = rig.loads(server, acknowledged, seed * 100 + number)
            time.sleep(chance.uniform(0, 0.3))
            # Another program takes the rest, including the reserve, except for a few bytes.
            leave = LEFT_BYTES[number % len(LEFT_BYTES)]
            fill(ballast, leave)
            time.sleep(chance.uniform(0.1, 0.4))
            if leave == 0:
                rig.studio.last_seen(lambda: any(client.refusals for client in clients), bool)
            rig.end(clients)
            for client in clients:
                refusals += client.refusals
            if chance.random() < 0.3:
                server.kill()
            else:
                # The check is before the next start, because a start empties that folder.
                check_scraps(library)
                ballast.unlink()
                check_works(server, acknowledged, seed * 100 + number)
                check_scraps(library)
        fill(ballast, leave=0)
        starts += try_start(program, library)
        ballast.unlink()
        with rig.Server(program, library) as server:
            rig.check_acknowledged(server, acknowledged)
            check_works(server, acknowledged, seed * 100 + number + 50)
            # The import did not fail for lack of space; it continued.
            rig.check_acknowledged(server, acknowledged)
            make_room(server, acknowledged)
        rig.check_after_sweep(program, library)
    for status, content in refusals:
        rig.holds(status == 507, f"A full disk was answered with {status}: {content[:300]}")
        rig.holds(not content or json.loads(content)["detail"], f"No sentence: {content[:300]}")
    rig.holds(refusals, "The disk was never full.")
    print(
        f"{count}: {len(acknowledged):,} acknowledged and there, {len(refusals):,} refused, "
        f"{starts} starts of {count} without room")


def check_scraps(library):
    """Nothing stays in tmp/ after the work is done."""
    left = rig.studio.last_seen(
        lambda: sorted(path.name for path in (library / "tmp").iterdir()),
        lambda names: not names)
    rig.holds(not left, f"Left in tmp/: {left}")


def check_works(server, acknowledged, number):
    """With free space, an edit, a song and its import succeed again."""
    routine = f"00000000-0000-4000-8000-{number:012d}"
    edit = rig.change("routine", routine, {"title": "x"})
    status, content = server.request("POST", "/api/sync", {"since": 0, "changes": [edit]})
    rig.holds(status == 200, f"With room again an edit got {status}: {content[:300]}")
    acknowledged.edit("routine", routine, {"title": "x"})
    song = rig.studio.song(0.5, number + 1)
    status, content = rig.upload_track(server, "song.wav", song)
    rig.holds(status in (200, 202), f"With room again a song got {status}: {content[:300]}")
    track = json.loads(content)["id"]
    acknowledged.track(track, hashlib.sha256(song).hexdigest())
    rig.wait_for_jobs(server)
    (found,) = (one for one in server.records("track") if one["id"] == track)
    fields = found["fields"] if "fields" in found else found
    rig.holds(
        fields["state"] == "ready",
        f"With room again an import ended as {fields['state']}: {fields.get('problem')}")
    status, content = server.request("GET", "/api/health")
    rig.holds(
        status == 200 and json.loads(content)["status"] == "ok",
        f"With room again it is not well: {content[:300]}")


def try_start(program, library):
    """Starts the server on a disk without a free byte; returns whether it started. It reports the
    problem in both cases, and the library can be read."""
    try:
        with rig.Server(program, library) as server:
            _, content = server.request("GET", "/api/health")
            rig.holds(
                "almost full" in " ".join(json.loads(content)["problems"]),
                f"On a full disk it says that all is well: {content[:300]}")
            rig.everything(server)
        return True
    except rig.NotStarted as refusal:
        # SQLite needs some space to open a library that was closed properly.
        rig.holds(
            refusal.code == 1 and "The disk is full" in refusal.said,
            f"On a full disk it ended without saying so: {refusal}")
        return False


def fill(path, leave):
    """Fills the disk until only about `leave` bytes are free."""
    with open(path, "ab", buffering=0) as file:
        try:
            while True:
                space = os.statvfs(path)
                free = space.f_bavail * space.f_frsize - leave
                if free <= 0:
                    return
                file.write(bytes(min(free, 1 << 20)))
        except OSError:
            pass


def make_room(server, acknowledged):
    """Deletes the tracks when they take half of the disk, so that the next fill can begin."""
    tracks = server.records("track")
    if sum(record_size(track) for track in tracks) < DISK_BYTES // 6:
        return
    for track in tracks:
        status, _ = server.request("DELETE", f"/api/tracks/{track['id']}")
        rig.holds(status in (200, 204), f"Deleting a track was answered with {status}.")
        acknowledged.tracks.pop(track["id"], None)


def record_size(track):
    return (track["fields"] if "fields" in track else track).get("size") or 0


if __name__ == "__main__":
    inside(pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
