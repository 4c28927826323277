"""Sync of 10,000 records against the sqlite3 shell writing and reading the same rows."""

import json
import shutil
import subprocess
import time
import uuid

from studio import Server, alternately

COUNT = 10_000
BATCH = 5_000

SCHEMA = """
PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
CREATE TABLE record (type TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL,
  fields TEXT NOT NULL, stamps TEXT NOT NULL, PRIMARY KEY (type, id)) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX record_seq ON record (seq);
"""


def moves():
    part = str(uuid.uuid4())
    for number in range(COUNT):
        yield {
            "part": part, "title": f"Move {number}", "position": f"V{number:05d}V",
            "notes": "Eight slow counts, eyes on the far corner.",
        }


def changes():
    for number, fields in enumerate(moves()):
        yield {
            "id": str(uuid.uuid4()), "type": "move", "record": str(uuid.uuid4()),
            "fields": fields, "at": f"{1_700_000_000_000 + number}-0000-0000beef",
        }


def run(folder, table):
    all_changes = list(changes())
    reading = {}

    def ours():
        shutil.rmtree(folder / "library", ignore_errors=True)
        with Server(folder / "library") as server:
            bodies = [
                json.dumps({"since": COUNT, "changes": all_changes[start:start + BATCH]})
                for start in range(0, COUNT, BATCH)
            ]
            started = time.monotonic()
            for body in bodies:
                server.request("POST", "/api/sync", body)
            written = time.monotonic() - started
            started = time.monotonic()
            seq, count = 0, 0
            while True:
                answer = server.json("POST", "/api/sync", {"since": seq, "changes": []})
                seq, count = answer["seq"], count + len(answer["records"])
                if not answer["more"]:
                    break
            assert count == COUNT, count
            reading.setdefault("ours", []).append(time.monotonic() - started)
            return written

    def peer():
        path = folder / "peer.sqlite"
        path.unlink(missing_ok=True)
        lines = [SCHEMA]
        for start in range(0, COUNT, BATCH):
            lines.append("BEGIN;")
            for number, change in enumerate(all_changes[start:start + BATCH], start):
                fields = json.dumps(change["fields"])
                stamps = json.dumps({name: change["at"] for name in change["fields"]})
                lines.append(
                    f"INSERT INTO record VALUES ('move', '{change['record']}', {number}, "
                    f"'{fields}', '{stamps}');")
            lines.append("COMMIT;")
        script = "\n".join(lines)
        started = time.monotonic()
        subprocess.run(
            ["sqlite3", path], input=script, text=True, check=True, stdout=subprocess.DEVNULL)
        written = time.monotonic() - started
        started = time.monotonic()
        subprocess.run(
            ["sqlite3", "-json", path, "SELECT * FROM record ORDER BY seq"], check=True,
            stdout=subprocess.DEVNULL)
        reading.setdefault("peer", []).append(time.monotonic() - started)
        path.unlink()
        return written

    mine, theirs = alternately(5, ours, peer)
    table.add(
        f"sync: {COUNT:,} new records in, validated and merged", f"{mine * 1000:.0f} ms",
        f"sqlite3 inserting the rows: {theirs * 1000:.0f} ms", f"{mine / theirs:.2f}", "")
    mine, theirs = (sorted(reading[name])[2] for name in ("ours", "peer"))
    table.add(
        f"sync: {COUNT:,} records out, as pages", f"{mine * 1000:.0f} ms",
        f"sqlite3 writing the rows as JSON: {theirs * 1000:.0f} ms", f"{mine / theirs:.2f}", "")
