"""kill -9 at random moments under writing load: nothing acknowledged is lost, no record is without
its file, and no file is left over after the garbage collection."""

import random
import shutil
import time

import rig

# A library grows with each kill. A new one after some kills keeps the checks short.
KILLS_PER_LIBRARY = 10


def run(program, folder, count, seed=1):
    """Kills servers `count` times; raises at the first violation."""
    chance = random.Random(seed)
    done = total = 0
    while done < count:
        library = folder / f"library-{seed}-{done}"
        acknowledged = rig.Acknowledged()
        for _ in range(min(KILLS_PER_LIBRARY, count - done)):
            server = rig.Server(program, library)
            try:
                rig.check_acknowledged(server, acknowledged)
                clients = rig.loads(server, acknowledged, chance.randrange(1 << 20))
                time.sleep(chance.uniform(0.02, 0.6))
            finally:
                server.kill()
            rig.end(clients, is_killed=True)
            refused = [one for client in clients for one in client.refusals]
            rig.holds(not refused, f"Refused while all was well: {refused[:1]}")
            done += 1
        with rig.Server(program, library) as server:
            rig.check_acknowledged(server, acknowledged)
            rig.wait_for_jobs(server)
            rig.check_acknowledged(server, acknowledged)
        # The garbage collection runs at each start. The second start deletes what the imports left.
        rig.check_after_sweep(program, library)
        total += len(acknowledged)
        shutil.rmtree(library)
    rig.holds(total > 0, "Nothing was ever acknowledged.")
    return f"{done} kills, {total:,} acknowledged edits and tracks, all there"

