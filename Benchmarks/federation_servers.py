"""The library of the federation, shared by one, two and four servers on this machine, against one that has it
alone: what a performer waits for, how much is answered, and what it costs to tell every server about people,
devices and links. PostgreSQL, the bucket and the clients run on the same cores.

Use: make bench BENCH=federation-servers
"""

import collections
import contextlib
import dataclasses
import datetime
import itertools
import json
import os
import statistics
import sys
import time

from database_engines import postgresql
from federation import LARGE, ORIGIN, SMALL, Phone, a_second, fill, made, phones
from studio import ROOT, Server, resident_bytes

sys.path.insert(0, str(ROOT / "Tests" / "Torture"))
from object_server import KEYS, NAME, ObjectServer  # noqa: E402

#: By name: how many servers, and whether they share the library.
SETTINGS = {"alone": (1, False), "1": (1, True), "2": (2, True), "4": (4, True)}
ROUNDS = 7
#: Edits of people, devices and links in each round.
CHANGES = 15
#: Of the people: each name is another one.
NAMES = itertools.count()


def asked(phone, method, path, value=None, fields=()):
    """Sends a request with a phone's headers, or with others beside them; returns the answer and its content."""
    body = None if value is None else json.dumps(value)
    phone.connection.request(method, path, body, {**phone.fields, **dict(fields)})
    answer = phone.connection.getresponse()
    return answer, answer.read()


def expect(status, answered):
    """The content of an answer with this status; ends the bench at another one."""
    answer, content = answered
    if answer.status != status:
        raise SystemExit(f"{answer.status} and not {status}: {content.decode()}")
    return json.loads(content) if content else None


def timed(act):
    """The seconds that something took, and what it returned."""
    started = time.monotonic()
    result = act()
    return time.monotonic() - started, result


class Visits:
    """Phones of one group at each of the servers, which are asked in turn."""

    def __init__(self, servers, size):
        self.size = size
        self.group = size.groups // 2
        self.phones = [Phone(server, self.group) for server in servers]
        self.turns = itertools.cycle(range(len(servers)))

    def next(self):
        return self.phones[next(self.turns)]

    def rename(self):
        """Gives the phones' person another name; returns the seconds."""
        person = made("person", self.group * self.size.people)
        seconds, answered = timed(lambda: asked(
            self.next(), "PATCH", f"/api/people/{person}", {"name": f"Name {next(NAMES)}"}))
        expect(200, answered)
        return seconds

    def pair_and_revoke(self):
        """Makes a code at one server, pairs by it at the next one, and removes the device again; returns the seconds
        of the last two. After each, all servers have to know it."""
        code = expect(201, asked(self.next(), "POST", "/api/pairings", {}))["token"]
        stranger = {"Cookie": ""}
        pairing, (answer, content) = timed(lambda: asked(
            self.next(), "POST", f"/api/pairings/{code}/claim", {"name": "Tablet"}, stranger))
        device = expect(201, (answer, content))["id"]
        cookie = {"Cookie": answer.headers["Set-Cookie"].split(";")[0]}
        self.expect_everywhere(200, cookie)
        revoking, answered = timed(lambda: asked(self.next(), "DELETE", f"/api/devices/{device}"))
        expect(204, answered)
        self.expect_everywhere(401, cookie)
        return pairing, revoking

    def expect_everywhere(self, status, cookie):
        for phone in self.phones:
            expect(status, asked(phone, "GET", "/api/devices", fields=cookie))

    def link(self):
        """Makes a link to the group's routine, which is removed again; returns the seconds."""
        end = int((datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).timestamp() * 1000)
        seconds, answered = timed(lambda: asked(
            self.next(), "POST", "/api/links", {"routine": made("routine", self.group), "expiresAt": end}))
        link = expect(201, answered)["id"]
        expect(204, asked(self.next(), "DELETE", f"/api/links/{link}"))
        return seconds


def measured(folder, setting, size, changes, addresses):
    """Figures of one round of a setting: seconds, numbers a second, and MB."""
    count, is_shared = SETTINGS[setting]
    options = [*addresses, "--public-url", ORIGIN, *(["--shared"] if is_shared else [])]
    with contextlib.ExitStack() as stack:
        servers = [
            stack.enter_context(Server(folder / f"machine{number}", *options, **KEYS)) for number in range(count)]
        visits = Visits(servers, size)
        for phone in visits.phones:
            phone.open(size)
        found = {
            "start": [server.start_seconds for server in servers],
            "opening": [visits.next().open(size) for _ in range(size.openings)],
            "sync": [timed(visits.next().sync)[0] for _ in range(size.edits)],
            "edit": [visits.next().edit(size) for _ in range(size.edits)],
            "rename": [visits.rename() for _ in range(changes)],
            "link": [visits.link() for _ in range(changes)],
        }
        found["pairing"], found["revoking"] = zip(*(visits.pair_and_revoke() for _ in range(changes)), strict=True)
        found = {key: statistics.median(seconds) for key, seconds in found.items()}
        everybody = phones(size, servers)
        found["syncs"] = a_second(everybody, size, lambda phone: phone.sync())
        found["edits"] = a_second(everybody, size, lambda phone: phone.edit(size))
        found["memory"] = max(resident_bytes(server.process.pid) for server in servers) / 1e6
    return found


def run(folder, table, short=False):
    size = SMALL if short else dataclasses.replace(LARGE, seconds=5)
    rounds, changes = (1, 1) if short else (ROUNDS, CHANGES)
    (folder / "bucket").mkdir()
    results = {setting: collections.defaultdict(list) for setting in SETTINGS}
    with postgresql() as address, ObjectServer(folder / "bucket") as bucket:
        addresses = [
            "--database", f"{address}&options=-csearch_path%3Dfederation",
            "--blobs", f"s3://{NAME}/studio?endpoint=http://127.0.0.1:{bucket.port}"]
        with Server(folder / "machine0", *addresses, **KEYS):
            pass
        fill(addresses[1], size)
        for number in range(rounds):
            # Each setting is the first of a round once, as nothing stays as it was.
            names = list(SETTINGS)
            for setting in names[number % len(names):] + names[:number % len(names)]:
                load = os.getloadavg()[0]
                found = measured(folder, setting, size, changes, addresses)
                for key, figure in found.items():
                    results[setting][key].append(figure)
                print(f"round {number + 1}, {setting}, load {load:.1f}: " + ", ".join(
                    f"{key} {figure:.4g}" for key, figure in found.items()), flush=True)
    for key, name, unit, factor, digits in (
            ("start", "start to first answer", "ms", 1000, 0),
            ("opening", f"opening one group's {size.records:,} records", "ms", 1000, 1),
            ("sync", "one sync that brings nothing new", "ms", 1000, 1),
            ("edit", "one edit", "ms", 1000, 1),
            ("syncs", f"syncs a second, {size.clients} groups at once", "/s", 1, 0),
            ("edits", f"edits a second, {size.clients} groups at once", "/s", 1, 0),
            ("rename", "renaming a person", "ms", 1000, 1),
            ("link", "making a link", "ms", 1000, 1),
            ("pairing", "pairing a device by its code", "ms", 1000, 1),
            ("revoking", "removing a device", "ms", 1000, 1),
            ("memory", "resident memory of the largest server after that", "MB", 1, 0)):
        alone, *shared = (statistics.median(results[setting][key]) * factor for setting in SETTINGS)
        told = ", ".join(f"{figure:,.{digits}f}" for figure in shared)
        table.add(
            f"federation shared by 1, 2 and 4 servers: {name}", f"{told} {unit}",
            f"one server without --shared: {alone:,.{digits}f} {unit}",
            "; ".join(f"{figure / alone:.2f}" for figure in shared))
