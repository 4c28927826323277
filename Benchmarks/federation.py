"""A federation of schools on one server: its groups, with their performers and moves, on a PostgreSQL server,
and the same library in the embedded database beside it. What one performer waits for, and how many edits
a second there can be when many groups edit at once.

The records are written by SQL, with the shape that the server gives them: over HTTP it would take an hour.
Use: make bench BENCH="federation federation-largest"
"""

import concurrent.futures
import dataclasses
import hashlib
import http.client
import itertools
import json
import pathlib
import statistics
import subprocess
import time
import uuid

from database_engines import AIM, postgresql
from studio import PROGRAM, Server, resident_bytes

ORIGIN = "https://studio.example"
EARLY, LATE = 1_700_000_000_000, 1_750_000_000_000
#: Of the edits: each is later than those before.
NUMBERS = itertools.count()


@dataclasses.dataclass
class Size:
    """How many groups, people in each, parts of each one's routine, and moves of each part."""
    groups: int
    people: int
    parts: int
    moves: int
    edits: int
    openings: int
    clients: int
    seconds: float

    @property
    def records(self):
        """How many each group has."""
        return 1 + self.parts + self.parts * self.moves


LARGE = Size(1_000, 10, 20, 100, 100, 20, 16, 10)
# The most groups that a library takes, with ten times as many people as it lets be added.
LARGEST = dataclasses.replace(LARGE, groups=10_000)
SMALL = Size(4, 2, 2, 5, 3, 2, 2, 0.2)

FILL = """
CREATE FUNCTION made(kind text, number bigint) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN CAST(CAST(md5(kind || number) AS uuid) AS text);
CREATE FUNCTION stamped(fields text[]) RETURNS json LANGUAGE sql IMMUTABLE RETURN
  (SELECT json_object_agg(name, '{early}-0000-0000beef') FROM unnest(fields) AS name);
INSERT INTO person (id, name, colour, createdAt)
  SELECT made('person', n), 'Performer ' || n, '#8863de', {early} FROM generate_series(0, {people} - 1) AS n;
INSERT INTO troupe (id, name, createdAt)
  SELECT made('group', g), 'Class ' || g, {early} FROM generate_series(0, {groups} - 1) AS g;
INSERT INTO member (troupe, person, role)
  SELECT made('group', n / {each}), made('person', n), CASE WHEN n % {each} = 0 THEN 'owner' ELSE 'performer' END
  FROM generate_series(0, {people} - 1) AS n;
INSERT INTO device (id, name, tokenHash, createdAt, lastSeenAt, person)
  SELECT made('device', g), 'Phone', encode(sha256(convert_to(made('token', g), 'UTF8')), 'hex'), {early}, {late},
    made('person', g * {each})
  FROM generate_series(0, {groups} - 1) AS g;
INSERT INTO record (type, id, space, seq, createdAt, fields, stamps)
  SELECT 'routine', made('routine', g), made('group', g), g + 1, {early},
    json_build_object('title', 'Routine ' || g), stamped('{{title}}')
  FROM generate_series(0, {groups} - 1) AS g;
INSERT INTO record (type, id, space, seq, createdAt, fields, stamps)
  SELECT 'part', made('part', p), made('group', p / {parts}), {groups} + p + 1, {early},
    json_build_object('endFrame', 480000, 'position', 'V' || lpad(CAST(p % {parts} AS text), 5, '0') || 'V',
      'routine', made('routine', p / {parts}), 'startFrame', 0, 'title', 'Part ' || p % {parts}),
    stamped('{{endFrame,position,routine,startFrame,title}}')
  FROM generate_series(0, {groups} * {parts} - 1) AS p;
INSERT INTO record (type, id, space, seq, createdAt, fields, stamps)
  SELECT 'move', made('move', m), made('group', m / ({parts} * {moves})),
    {groups} + {groups} * {parts} + m + 1, {early},
    json_build_object('notes', 'Eight slow counts, eyes on the far corner.', 'part', made('part', m / {moves}),
      'position', 'V' || lpad(CAST(m % {moves} AS text), 5, '0') || 'V', 'title', 'Move ' || m % {moves}),
    stamped('{{notes,part,position,title}}')
  FROM generate_series(CAST(0 AS bigint), {groups} * {parts} * {moves} - 1) AS m;
UPDATE counter SET value = (SELECT max(seq) FROM record) WHERE name = 'seq';
UPDATE counter SET value = {early} * CAST(65536 AS bigint) WHERE name = 'clock';
DROP FUNCTION made, stamped;
ANALYZE;
"""


def made(kind, number):
    """The id that the SQL gives."""
    return str(uuid.UUID(hashlib.md5(f"{kind}{number}".encode()).hexdigest()))


def psql(address, sql):
    """Runs SQL in one transaction; returns what it printed, without headings."""
    program = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/psql"))[-1]
    return subprocess.run(
        [program, "--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "--single-transaction",
         "--set=ON_ERROR_STOP=1", address], input=sql, text=True, check=True, stdout=subprocess.PIPE).stdout


def fill(address, size):
    """Writes the library into a schema that a server has made; returns the seconds."""
    sql = FILL.format(
        early=EARLY, late=LATE, groups=size.groups, each=size.people, people=size.groups * size.people,
        parts=size.parts, moves=size.moves)
    started = time.monotonic()
    psql(address, sql)
    return time.monotonic() - started


class Phone:
    """The device of a group's owner, behind a proxy."""

    def __init__(self, server, group):
        self.group = group
        self.since = 0
        self.connection = http.client.HTTPConnection("localhost", server.port)
        self.fields = {
            "Host": "studio.example", "Origin": ORIGIN, "Content-Type": "application/json",
            "Cookie": f"__Host-segmance_device={made('token', group)}"}

    def sync(self, changes=()):
        self.connection.request(
            "POST", "/api/sync", json.dumps({"since": self.since, "changes": list(changes)}), self.fields)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"sync: {answer.status} {content.decode()}")
        answer = json.loads(content)
        if answer.get("rejected"):
            raise SystemExit(f"not taken: {answer['rejected'][0]}")
        self.since = answer["seq"]
        return answer

    def open(self, size):
        """Fetches everything; returns the seconds."""
        self.since, count = 0, 0
        started = time.monotonic()
        while True:
            answer = self.sync()
            count += len(answer["records"])
            if not answer["more"]:
                break
        seconds = time.monotonic() - started
        if count != size.records:
            raise SystemExit(f"opening brought {count} records and not {size.records}")
        return seconds

    def edit(self, size):
        """Renames a move of the group; returns the seconds."""
        number = next(NUMBERS)
        move = self.group * size.parts * size.moves + number % (size.parts * size.moves)
        change = {
            "id": str(uuid.uuid4()), "type": "move", "record": made("move", move),
            "fields": {"title": f"New {number}"}, "at": f"{LATE + number}-0000-0000beef"}
        started = time.monotonic()
        answer = self.sync([change])
        if not any(record["id"] == change["record"] for record in answer["records"]):
            raise SystemExit("the edit did not come back")
        return time.monotonic() - started


def measured(data, size):
    """Figures of the library in a data folder."""
    with Server(data, "--public-url", ORIGIN) as server:
        phone = Phone(server, size.groups // 2)
        opening = statistics.median(phone.open(size) for _ in range(size.openings))
        edit = statistics.median(phone.edit(size) for _ in range(size.edits))
        rate = a_second(phones(size, [server]), size, lambda phone: phone.edit(size))
        memory = resident_bytes(server.process.pid)
    return {"start": server.start_seconds, "opening": opening, "edit": edit, "rate": rate, "memory": memory / 1e6}


def phones(size, servers):
    """Devices of so many groups, spread evenly over the servers, each with its library open."""
    found = [Phone(servers[group % len(servers)], group) for group in range(size.clients)]
    for phone in found:
        phone.open(size)
    return found


def a_second(phones, size, act):
    """How often a second all devices together are answered, when each acts again and again."""
    end = time.monotonic() + size.seconds

    def count(phone):
        count = 0
        while time.monotonic() < end:
            act(phone)
            count += 1
        return count

    with concurrent.futures.ThreadPoolExecutor(len(phones)) as pool:
        return sum(pool.map(count, phones)) / size.seconds


def run(folder, table, short=False):
    """A thousand groups."""
    measure(folder, table, SMALL if short else LARGE, short)


def run_largest(folder, table, short=False):
    """Ten thousand groups: how cost grows. It takes a quarter of an hour and 40 GB of the disk."""
    measure(folder, table, SMALL if short else LARGEST, short)


def measure(folder, table, size, short):
    data = folder / "library"
    with postgresql() as address:
        address = f"{address}&options=-csearch_path%3Dfederation"
        with Server(data, "--database", address):
            pass
        filled = fill(address, size)
        stored = int(psql(address, "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' "
                                   "AND relnamespace = CAST('federation' AS regnamespace)"))
        ours = measured(data, size)
        started = time.monotonic()
        subprocess.run(
            [PROGRAM, "migrate", "--to", "folder", "--data", data], check=True, stdout=subprocess.DEVNULL)
        moved = time.monotonic() - started
        file = (data / "segmance.sqlite").stat().st_size
        theirs = measured(data, size)
    moves = size.groups * size.parts * size.moves
    what = f"{size.groups:,} groups, {size.groups * size.people:,} performers, {moves:,} moves"
    short_name = f"federation of {size.groups:,} groups"
    peer = "SQLite, embedded"
    for key, name, unit, factor, digits in (
            ("start", "start to first answer", "ms", 1000, 0),
            ("opening", f"opening one group's {size.records:,} records", "ms", 1000, 1),
            ("edit", "one edit, from the request to its answer", "ms", 1000, 1),
            ("memory", "resident memory after that", "MB", 1, 0),
            ("rate", f"edits a second, {size.clients} groups at once", "/s", 1, 0)):
        mine, other = ours[key] * factor, theirs[key] * factor
        # Of the rate, more is better, and it has no aim.
        is_aimed = key in ("opening", "edit")
        table.add(
            f"federation of {what}: {name}" if key == "start" else f"{short_name}: {name}",
            f"{mine:,.{digits}f} {unit}", f"{peer}: {other:,.{digits}f} {unit}", f"{mine / other:.2f}",
            AIM if is_aimed else "", missed=is_aimed and not short and mine / other > 1.5)
    table.add(
        f"{short_name}: records on the disk, with their indexes", f"{stored / 1e6:,.0f} MB", f"{peer}: {file / 1e6:,.0f} MB",
        f"{stored / file:.2f}")
    table.add(f"{short_name}: moved from the server into the folder and compared", f"{moved:.1f} s")
    print(f"filled in {filled:.0f} s", flush=True)
