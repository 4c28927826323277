"""A library whose records are on a PostgreSQL server and whose files are in a bucket. The server, PostgreSQL, the
bucket's server and the networks between them fail under load, and at last PostgreSQL's primary, whose replica
takes over. Nothing acknowledged is lost, a client that follows the sequence misses no record, and a server that
runs goes on by itself."""

import contextlib
import hashlib
import itertools
import json
import random
import time

import rig
from network_proxy import Proxy
from object_server import KEYS, NAME, ObjectServer
from postgresql_cluster import Cluster
from remote_clients import Acknowledged, Device, Follower, Opener, Uploader
from remote_faults import Faults

# A library grows with each round. A new one after some rounds keeps the checks short.
ROUNDS_PER_LIBRARY = 10
DEVICES = 3
UPLOADERS = 2
# Less than the songs of a library, so that some are fetched from the bucket.
CACHE_BYTES = 1_000_000
# A limit for what never ends. What is waited for comes within a few seconds.
PATIENCE_SECONDS = 120
# A fault of a few seconds costs a request not much more.
LONGEST_ANSWER_SECONDS = 45
# Faults that last take minutes: only the long form has them.
ENDURANCE_FROM = 300
# Of so many libraries, one has a song that is sent to the bucket in parts.
LONG_SONG_EVERY = 3


class Place:
    """Where a library's records and files are."""

    def __init__(self, cluster, objects, schema, database, bucket_port):
        self.cluster, self.objects, self.schema = cluster, objects, schema
        self.database = database
        self.prefix = f"{schema}/"
        self.bucket = f"s3://{NAME}/{schema}?endpoint=http://127.0.0.1:{bucket_port}"

    @property
    def flags(self):
        return [
            "--database", self.database, "--blobs", self.bucket, "--blobs-cache", str(CACHE_BYTES)]


class Studio:
    """The server of a library, started anew when it was killed, and those who use it."""

    # How long a client waits for a byte of an answer before it sends its request again; None for ever.
    answer_seconds = None
    # How long who uploads rests at most between two songs.
    upload_rest_seconds = 0.2

    def __init__(self, program, folder, place, seed, adds_long=False):
        self.program, self.folder, self.place = program, folder, place
        self.acknowledged = Acknowledged()
        self.server = None
        self.longest_answer = LONGEST_ANSWER_SECONDS
        self.start()
        status, answer = self.server.request("POST", "/api/sync", {"since": 0, "changes": []})
        rig.holds(status == 200, f"A new library answers {status}: {answer[:300]}")
        self.library = json.loads(answer)["library"]
        self.follower = Follower(self)
        self.opener = Opener(self, seed)
        self.writers = [
            *(Device(self, seed * 100 + number) for number in range(DEVICES)),
            *(Uploader(self, seed * 100 + number, adds_long and number == 0) for number in range(UPLOADERS))]
        self.threads = [*self.writers, self.follower, self.opener, *self.more(seed)]
        for thread in self.threads:
            thread.start()

    def more(self, seed):
        """Returns more clients."""
        return []

    def choose(self, chance):
        """Returns the server that a request is sent to."""
        return self.server

    def everything(self):
        """Returns all records, by type and id."""
        return rig.everything(self.server)

    def start(self):
        """Starts the server, anew after it was killed."""
        self.server = rig.Server(self.program, self.folder, flags=self.place.flags, environment=KEYS)

    def wait_for_acknowledgements(self, count=1, clients=None):
        """Waits until a request of each of those who write was acknowledged that is sent from now on."""
        clients = self.writers if clients is None else clients
        # The one under way may have been sent before.
        wanted = [client.count + 1 + count for client in clients]

        def missing():
            self.check_alive()
            return [
                type(client).__name__ for client, least in zip(clients, wanted, strict=True)
                if client.count < least]
        left = rig.studio.last_seen(missing, lambda seen: not seen, PATIENCE_SECONDS)
        rig.holds(not left, f"{self._said()}These can't go on: {left}")

    @property
    def devices(self):
        return self.writers[:DEVICES]

    @property
    def uploaders(self):
        return self.writers[DEVICES:]

    def wait_for_refusals(self, clients):
        """Waits until each of the clients was told to try again later: a fault that lasts keeps nobody waiting for
        ever."""
        wanted = [client.refusals + 1 for client in clients]

        def waiting():
            self.check_alive()
            return [
                type(client).__name__ for client, least in zip(clients, wanted, strict=True)
                if client.refusals < least]
        left = rig.studio.last_seen(waiting, lambda seen: not seen, 2 * self.longest_answer)
        rig.holds(not left, f"{self._said()}These get no answer: {left}")

    def wait_for_health(self, status):
        """Waits until the server says of itself that it is `ok` or `degraded`."""
        health = rig.studio.last_seen(
            lambda: json.loads(self.server.request("GET", "/api/health")[1]),
            lambda health: health["status"] == status, PATIENCE_SECONDS)
        rig.holds(health["status"] == status, f"{self._said()}Not {status}: {health}")

    def check_alive(self):
        """Checks that the server runs, answers in time, and that nobody saw what must not be."""
        rig.holds(
            self.server.process.poll() is None, f"{self._said()}The server ended by itself.")
        self.check_clients()

    def check_clients(self):
        """Checks that those who use it get answers in time, and that nobody saw what must not be."""
        for thread in self.threads:
            rig.holds(thread.violation is None, f"{self._said()}{thread.violation}")
            waits = thread.waits()
            rig.holds(
                waits < self.longest_answer,
                f"{self._said()}{type(thread).__name__} waits for an answer for {waits:.0f} s.")

    def check(self):
        """Checks after a round that all is there, and that the server says that it is well."""
        self.wait_for_acknowledgements()
        self.wait_for_health("ok")
        acknowledged = self.acknowledged.copy()
        records = self.everything()
        check_fields(records, acknowledged)
        self._check_songs(records, acknowledged)
        last = max(record["seq"] for record in records.values())
        rig.studio.last_seen(
            lambda: self.follower.since, lambda since: since >= last, PATIENCE_SECONDS)
        rig.holds(
            self.follower.since >= last,
            f"{self._said()}A client that follows the sequence is left behind.")
        seen = self.follower.seen
        missed = [key for key, record in records.items() if seen.get(key, 0) < record["seq"]]
        rig.holds(not missed, f"A client that follows the sequence missed {len(missed)}: {missed[:3]}")
        self.check_alive()

    def _check_songs(self, records, acknowledged):
        """Checks that each song has its bytes in the bucket, and that removed ones are gone. What somebody began
        to remove or to add meanwhile is left out."""
        contents = {
            one: self.place.objects.content(f"{self.place.prefix}blobs/{sha256}")
            for one, sha256 in acknowledged.staying().items()}
        staying, removed = acknowledged.unmoved(self.acknowledged.copy())
        for identifier, sha256 in staying.items():
            record = records.get(("track", identifier))
            rig.holds(record is not None, f"Lost: track {identifier} was acknowledged.")
            rig.holds(
                record["deletedAt"] is None and fields(record)["state"] != "failed",
                f"Lost: track {identifier} was acknowledged: {record}")
            content = contents[identifier]
            rig.holds(content is not None, f"Track {identifier} has lost its file.")
            rig.holds(
                hashlib.sha256(content).hexdigest() == sha256,
                f"The file of track {identifier} has other bytes.")
        for identifier in removed:
            rig.holds(
                records["track", identifier]["deletedAt"] is not None,
                f"Track {identifier} is there, although its removal was acknowledged.")

    def end(self):
        """Stops those who use it, waits until all that was added is prepared, and stops the server."""
        for thread in self.threads:
            thread.halt.set()
        for thread in self.threads:
            thread.join(timeout=PATIENCE_SECONDS)
            rig.holds(
                not thread.is_alive(), f"A request of {type(thread).__name__} was never answered.")
        self.check_alive()
        rig.wait_for_jobs(self.server)
        records = self.everything()
        self._check_songs(records, self.acknowledged.copy())
        self.stop()
        self._check_swept(records)

    def stop(self):
        """Stops the server in order."""
        self.server.stop()

    def _check_swept(self, records):
        """Starts the server again, which sweeps. Afterwards there is a file for each record, and no other one, and
        `segmance check` finds nothing."""
        wanted = {
            fields(record)["sha256"] for (kind, _), record in records.items()
            if kind == "track" and record["deletedAt"] is None}
        rig.check_after_sweep(self.program, self.folder, self.place.flags, KEYS)
        found = self.place.objects.names(f"{self.place.prefix}blobs/")
        rig.holds(
            found == wanted, f"Without a record: {sorted(found - wanted)[:3]}, "
            f"without a file: {sorted(wanted - found)[:3]}")

    def slowest(self):
        """Returns how long the slowest answer took, in seconds."""
        return max(thread.slowest for thread in self.threads)

    def forget_slowest(self):
        """Lets the slowest answer be found anew."""
        for thread in self.threads:
            thread.slowest = 0

    def sent_again(self):
        """Returns how many files had to be sent again."""
        return sum(thread.sent_again for thread in self.uploaders)

    def kill(self):
        """Ends what still runs."""
        for thread in self.threads:
            thread.halt.set()
        if self.server.process.poll() is None:
            self.server.kill()

    def _said(self):
        """Returns the last errors and the last lines of the server's log."""
        return "".join([*self.server.faults()[-3:], *self.server.complaints[-5:]])


def fields(record):
    return record["fields"] if "fields" in record else record


def check_fields(records, acknowledged):
    """Checks that every acknowledged edit is there."""
    for (kind, record, name), value in acknowledged.fields.items():
        found = records.get((kind, record))
        rig.holds(found is not None, f"Lost: {kind} {record} was acknowledged.")
        rig.holds(
            fields(found)[name] == value,
            f"Lost: {name} of {kind} {record} was acknowledged as {value!r}.")


def address(hosts, schema, port=None):
    """Returns the address of a library in its own schema."""
    where = f"host={hosts}" + (f"&port={port}" if port else "")
    return f"postgres://segmance@/postgres?{where}&options=-csearch_path%3D{schema}"


def deck(chance):
    """Yields faults for ever: each as often as any other, in a random order."""
    while True:
        yield from chance.sample(Faults.ALL, len(Faults.ALL))


def run(program, folder, count, seed=1, make_objects=ObjectServer):
    """Runs `count` rounds and one failover; raises at the first violation. `make_objects` makes the bucket's server."""
    chance = random.Random(seed)
    faults = deck(chance)
    edits = slowest = again = 0
    said = ""
    with Cluster(folder / "primary") as cluster, make_objects(folder / "objects") as objects:
        cluster.create()
        cluster.start()
        with contextlib.closing(Proxy(cluster.socket)) as database, \
                contextlib.closing(Proxy(objects.port)) as bucket:
            for first in range(0, count, ROUNDS_PER_LIBRARY):
                rounds = min(ROUNDS_PER_LIBRARY, count - first)
                schema = f"library{first}"
                place = Place(
                    cluster, objects, schema, address("127.0.0.1", schema, database.port), bucket.port)
                studio = run_rounds(
                    program, folder, place, database, bucket, chance, itertools.islice(faults, rounds),
                    adds_long=first // ROUNDS_PER_LIBRARY % LONG_SONG_EVERY == 1)
                edits += len(studio.acknowledged)
                slowest = max(slowest, studio.slowest())
                again += studio.sent_again()
            if count >= ENDURANCE_FROM:
                place = Place(
                    cluster, objects, "endured", address("127.0.0.1", "endured", database.port), bucket.port)
                studio, lasting = endure(program, folder, place, database, bucket, chance)
                edits += len(studio.acknowledged)
                said = f", {lasting:.1f} s in faults that last"
        edits += fail_over(program, folder, cluster, objects, seed)
    return (
        f"{count} faults and a failover, {edits:,} acknowledged edits, songs and removals, all there; "
        f"slowest answer {slowest:.1f} s{said}; {again} files sent again")


def run_rounds(program, folder, place, database, bucket, chance, names, adds_long):
    """Runs a round with each of the faults on a new library; returns it."""
    studio = Studio(program, folder / place.schema, place, chance.randrange(1 << 20), adds_long)
    faults = Faults(studio, database, bucket, chance)
    try:
        for name in names:
            studio.wait_for_acknowledgements()
            time.sleep(chance.uniform(0, 0.3))
            try:
                getattr(faults, name)()
                studio.check()
            except rig.Violation as violation:
                raise rig.Violation(f"{violation} (after {name})") from violation
        studio.end()
    finally:
        studio.kill()
    place.cluster.query(f"DROP SCHEMA {place.schema} CASCADE")
    place.objects.clear(place.prefix)
    return studio


def endure(program, folder, place, database, bucket, chance):
    """Lets faults last until those whom they concern are refused; returns the library, and how long the slowest
    answer took."""
    studio = Studio(program, folder / place.schema, place, chance.randrange(1 << 20))
    faults = Faults(studio, database, bucket, chance)
    slowest = 0
    try:
        for name in faults.LASTING:
            studio.wait_for_acknowledgements()
            try:
                with getattr(faults, name)() as (clients, studio.longest_answer):
                    studio.wait_for_refusals(clients)
                studio.check()
                slowest = max(slowest, studio.slowest())
                studio.forget_slowest()
            except rig.Violation as violation:
                raise rig.Violation(f"{violation} (after {name}, which lasted)") from violation
        studio.end()
    finally:
        studio.kill()
    return studio, slowest


def fail_over(program, folder, primary, objects, seed):
    """Kills a primary under load, and makes its synchronous replica the primary; returns the number of
    acknowledged edits."""
    with Cluster(folder / "replica") as replica:
        replica.copy(primary)
        hosts = f"{primary.folder},{replica.folder}"
        place = Place(
            replica, objects, "failover",
            address(hosts, "failover") + "&target_session_attrs=read-write", objects.port)
        studio = Studio(program, folder / "failover", place, seed)
        try:
            studio.wait_for_acknowledgements(5, studio.devices)
            primary.stop()
            replica.promote()
            studio.check()
            studio.end()
        except rig.Violation as violation:
            raise rig.Violation(f"{violation} (after the failover)") from violation
        finally:
            studio.kill()
    return len(studio.acknowledged)
