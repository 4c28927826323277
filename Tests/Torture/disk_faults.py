"""Calls to the disk that fail now and then: no false acknowledgement, no crash, and the library is
whole afterwards.

libfiu stands between the program and the C library; the faults begin once the server stands and
end with its process.
"""

import json
import random
import shutil
import subprocess
import time

import rig

POINTS = (
    "posix/io/sync/fsync", "posix/io/sync/fdatasync", "posix/io/rw/pwrite", "posix/io/rw/pread",
    "posix/io/dir/rename", "posix/io/dir/unlink", "posix/io/oc/open", "posix/io/sync/ftruncate",
)


def run(program, folder, count, seed=1):
    """Runs `count` servers with random faults; raises at the first promise that is broken."""
    acknowledged_in_all = refused_in_all = 0
    for number in range(count):
        chance = random.Random(seed * 100_000 + number)
        library = folder / f"faulty-{seed}-{number}"
        acknowledged = rig.Acknowledged()
        server = rig.Server(program, library, before=["fiu-run", "-x", "-f", str(folder / "fiu")])
        try:
            for point in chance.sample(POINTS, chance.randint(1, 3)):
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
            # A failing open may say that the upload does not exist.
            rig.holds(status in (404, 409, 500, 503, 507), f"A fault got {status}: {content[:300]}")
            rig.holds(not content or json.loads(content)["detail"], f"No sentence: {content[:300]}")
        with rig.Server(program, library) as server:
            rig.check_acknowledged(server, acknowledged, failure="")
            rig.wait_for_jobs(server)
        rig.check_after_sweep(program, library)
        acknowledged_in_all += len(acknowledged)
        refused_in_all += len(refused)
        shutil.rmtree(library)
    rig.holds(acknowledged_in_all > 0 and refused_in_all > 0, "The faults made no difference.")
    return f"{count} runs, {acknowledged_in_all:,} acknowledged, {refused_in_all:,} refused"


def enable(server, folder, point, probability):
    subprocess.run(
        ["fiu-ctrl", "-f", str(folder / "fiu"), "-c",
         f"enable_random name={point},probability={probability}", str(server.process.pid)],
        check=True, timeout=20)
