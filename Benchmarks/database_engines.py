"""The records on a PostgreSQL server against those in the embedded database: what one performer waits for.
Both write every commit through to the disk.

Use: make bench BENCH=database
"""

import contextlib
import os
import shutil
import statistics
import subprocess
import time
import uuid

from studio import ROOT, Server, alternately
from sync_records import changes

RECORDS, BATCH = 10_000, 5_000
EDITS, OPENINGS = 200, 20
AIM = "≤ 1.5"


@contextlib.contextmanager
def postgresql():
    """A PostgreSQL server of the bench's own; its address."""
    server = subprocess.Popen(
        [ROOT / "scripts" / "with-postgresql", "sh", "-c", 'echo "$SEGMANCE_TEST_DATABASE"; cat >/dev/null'],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "FSYNC": "on"})
    try:
        yield server.stdout.readline().strip()
    finally:
        server.stdin.close()
        server.wait()


def measured(data, options, short):
    """Seconds: importing all records, one edit, and opening the library, as medians."""
    total, batch, edits, openings = (100, 50, 3, 2) if short else (RECORDS, BATCH, EDITS, OPENINGS)
    all_changes = list(changes(total))
    with Server(data, *options) as server:
        started = time.monotonic()
        for start in range(0, total, batch):
            server.json("POST", "/api/sync", {"since": total, "changes": all_changes[start:start + batch]})
        imported = time.monotonic() - started
        edit_times = []
        for number in range(edits):
            change = {**all_changes[number], "id": str(uuid.uuid4()), "fields": {"title": f"New {number}"},
                      "at": f"{1_700_001_000_000 + number}-0000-0000beef"}
            started = time.monotonic()
            answer = server.json("POST", "/api/sync", {"since": total + number, "changes": [change]})
            edit_times.append(time.monotonic() - started)
            assert len(answer["records"]) == 1, answer
        opening_times = []
        for _ in range(openings):
            started = time.monotonic()
            seq, count = 0, 0
            while True:
                answer = server.json("POST", "/api/sync", {"since": seq, "changes": []})
                seq, count = answer["seq"], count + len(answer["records"])
                if not answer["more"]:
                    break
            opening_times.append(time.monotonic() - started)
            assert count == total, count
    return {"import": imported, "edit": statistics.median(edit_times), "opening": statistics.median(opening_times)}


def run(folder, table, short=False):
    total, rounds = (100, 1) if short else (RECORDS, 5)
    results = {"ours": [], "embedded": []}

    with postgresql() as address:
        def once(name, options):
            data = folder / "library"
            shutil.rmtree(data, ignore_errors=True)
            results[name].append(measured(data, options, short))
            return 0

        def on_server():
            schema = f"bench_{uuid.uuid4().hex}"
            return once("ours", ["--database", f"{address}&options=-csearch_path%3D{schema}"])

        alternately(rounds, on_server, lambda: once("embedded", []))

    for key, what in {
        "edit": "one edit, from the request to its answer",
        "opening": f"{total:,} records out, as pages",
        "import": f"{total:,} new records in, validated and merged",
    }.items():
        mine, theirs = (statistics.median(each[key] for each in results[name]) for name in ("ours", "embedded"))
        ratio = mine / theirs
        # In its short form its figures mean nothing.
        table.add(
            f"PostgreSQL: {what}", f"{mine * 1000:.1f} ms", f"SQLite, embedded: {theirs * 1000:.1f} ms",
            f"{ratio:.2f}", AIM, missed=not short and ratio > 1.5)
