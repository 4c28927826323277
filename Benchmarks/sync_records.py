"""Sync of 10,000 records against the sqlite3 shell writing and reading the same rows."""

import json
import shutil
import statistics
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


def moves(total):
    part = str(uuid.uuid4())
    for number in range(total):
        yield {
            "part": part, "title": f"Move {number}", "position": f"V{number:05d}V",
            "notes": "Eight slow counts, eyes on the far corner.",
        }


def changes(total):
    for number, fields in enumerate(moves(total)):
        yield {
            "id": str(uuid.uuid4()), "type": "move", "record": str(uuid.uuid4()),
            "fields": fields, "at": f"{1_700_000_000_000 + number}-0000-0000beef",
        }


def run(folder, table, short=False):
    total, batch = (100, 50) if short else (COUNT, BATCH)
    all_changes = list(changes(total))
    reading = {}

    def ours():
        shutil.rmtree(folder / "library", ignore_errors=True)
        with Server(folder / "library") as server:
            bodies = [
                json.dumps({"since": total, "changes": all_changes[start:start + batch]})
                for start in range(0, total, batch)
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
            assert count == total, count
            reading.setdefault("ours", []).append(time.monotonic() - started)
            return written

    def peer():
        path = folder / "peer.sqlite"
        path.unlink(missing_ok=True)
        lines = [SCHEMA]
        for start in range(0, total, batch):
            lines.append("BEGIN;")
            for number, change in enumerate(all_changes[start:start + batch], start):
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

    if short:
        # The sqlite3 shell is none of the tests' packages.
        written, theirs = ours(), None
    else:
        written, theirs = alternately(5, ours, peer)
    add(table, f"sync: {total:,} new records in, validated and merged", written,
        "sqlite3 inserting the rows", theirs)
    read, theirs = (
        statistics.median(reading[name]) if name in reading else None for name in ("ours", "peer"))
    add(table, f"sync: {total:,} records out, as pages", read,
        "sqlite3 writing the rows as JSON", theirs)


def add(table, what, mine, peer, theirs):
    against = ("", "") if theirs is None else (f"{peer}: {theirs * 1000:.0f} ms", f"{mine / theirs:.2f}")
    table.add(what, f"{mine * 1000:.0f} ms", *against)
