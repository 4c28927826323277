"""From starting the program to its first answer, and the memory it idles with."""

import statistics
import time
import uuid

from studio import Server

ROUTINES = 1_000


def run(folder, table, short=False):
    routines, rounds = (10, 1) if short else (ROUTINES, 7)
    data = folder / "library"
    with Server(data) as server:
        changes = [
            {"id": str(uuid.uuid4()), "type": "routine", "record": str(uuid.uuid4()),
             "fields": {"title": f"Routine {number}", "subtitle": "A performance"},
             "at": f"{1_700_000_000_000 + number}-0000-0000beef"}
            for number in range(routines)
        ]
        server.json("POST", "/api/sync", {"since": 0, "changes": changes})
    times, memory = [], []
    for _ in range(rounds):
        with Server(data) as server:
            times.append(server.start_seconds)
            server.json("POST", "/api/sync", {"since": 0, "changes": []})
            time.sleep(0 if short else 1)
            memory.append(server.resident_megabytes())
    table.add(
        f"start to first answer, {routines:,} routines", f"{statistics.median(times) * 1000:.0f} ms",
        "", "", "< 200 ms")
    table.add("idle memory after a full sync", f"{max(memory):.0f} MB", "", "", "< 60 MB")
