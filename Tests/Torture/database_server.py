"""A library whose records are on a PostgreSQL server. The server, PostgreSQL and the network between
them fail under writing load, and at last the primary, whose replica takes over. Nothing acknowledged is
lost, a client that follows the sequence misses no record, and a server that runs goes on by itself."""

import contextlib
import itertools
import json
import random
import threading
import time
import uuid

import rig
from postgresql_cluster import Cluster, Proxy

# A library grows with each round. A new one after some rounds keeps the checks short.
ROUNDS_PER_LIBRARY = 10
DEVICES = 3
# A limit for what never ends. What is waited for comes within a few seconds.
PATIENCE_SECONDS = 120


class Studio:
    """The server of a library, started anew when it was killed, and the devices that use it."""

    def __init__(self, program, folder, address, seed):
        self.program, self.folder, self.address = program, folder, address
        self.acknowledged = Acknowledged()
        self.server = None
        self.start()
        status, answer = self.server.request("POST", "/api/sync", {"since": 0, "changes": []})
        rig.holds(status == 200, f"A new library answers {status}: {answer[:300]}")
        self.library = json.loads(answer)["library"]
        self.devices = [Device(self, seed * 100 + number) for number in range(DEVICES)]
        self.follower = Follower(self)
        self.threads = [*self.devices, self.follower]
        for thread in self.threads:
            thread.start()

    def start(self):
        """Starts the server, anew after it was killed."""
        self.server = rig.Server(
            self.program, self.folder, flags=["--database", self.address])

    def wait_for_acknowledgements(self, count=1):
        """Waits until a change of each device was acknowledged that is sent from now on."""
        # The one under way may have been sent before.
        wanted = [device.count + 1 + count for device in self.devices]

        def missing():
            self.check_alive()
            return [
                device for device, least in zip(self.devices, wanted, strict=True)
                if device.count < least]
        left = rig.studio.last_seen(missing, lambda seen: not seen, PATIENCE_SECONDS)
        rig.holds(not left, f"{self._said()}{len(left)} devices can't write any more.")

    def wait_for_health(self, status):
        """Waits until the server says of itself that it is `ok` or `degraded`."""
        health = rig.studio.last_seen(
            lambda: json.loads(self.server.request("GET", "/api/health")[1]),
            lambda health: health["status"] == status, PATIENCE_SECONDS)
        rig.holds(health["status"] == status, f"{self._said()}Not {status}: {health}")

    def check_alive(self):
        """Checks that the server runs, and that no device saw what it must not."""
        rig.holds(
            self.server.process.poll() is None, f"{self._said()}The server ended by itself.")
        for thread in self.threads:
            rig.holds(thread.violation is None, f"{self._said()}{thread.violation}")

    def check(self):
        """Checks after a round that all is there, and that the server says that it is well."""
        self.wait_for_acknowledgements()
        self.wait_for_health("ok")
        rig.check_acknowledged(self.server, self.acknowledged.copy())
        records = rig.everything(self.server)
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

    def end(self):
        """Stops the devices and the server."""
        for thread in self.threads:
            thread.halt.set()
        for thread in self.threads:
            thread.join(timeout=PATIENCE_SECONDS)
            rig.holds(
                not thread.is_alive(), f"A request of {type(thread).__name__} was never answered.")
        self.check_alive()
        self.server.stop()

    def kill(self):
        """Ends what still runs."""
        for thread in self.threads:
            thread.halt.set()
        if self.server.process.poll() is None:
            self.server.kill()

    def _said(self):
        """Returns the last lines of the server's log."""
        return "".join(self.server.complaints[-5:])


class Acknowledged(rig.Acknowledged):
    """Acknowledged changes that are read while others come in."""

    def copy(self):
        copy = rig.Acknowledged()
        with self.lock:
            copy.fields = dict(self.fields)
        return copy


class Client(threading.Thread):
    """Sends requests until it is stopped. Those that find no server or no database are sent again."""

    def __init__(self, studio):
        super().__init__(daemon=True)
        self.studio = studio
        self.halt = threading.Event()
        self.violation = None

    def run(self):
        while not self.halt.is_set() and self.violation is None:
            self.turn()

    def sync(self, since, changes):
        """Returns the answer to a request, or None if the client was stopped before there is one."""
        while not self.halt.is_set():
            with contextlib.suppress(*rig.BROKEN):
                status, content = self.studio.server.request(
                    "POST", "/api/sync",
                    {"since": since, "changes": changes, "library": self.studio.library})
                if status == 200:
                    return json.loads(content)
                # 409: the port of a killed server may be another trial's by now.
                if status not in (409, 503):
                    self.violation = f"Answered {status}: {content[:300]}"
                    return None
            # A moment, so that refused requests do not take the processor.
            self.halt.wait(0.05)
        return None


class Device(Client):
    """Makes changes, each of which it sends until it is acknowledged."""

    def __init__(self, studio, seed):
        super().__init__(studio)
        self.random = random.Random(seed)
        self.number = 0x1000_0000 + seed % 0x0FFF_FFFF
        # How many of its requests were acknowledged.
        self.count = 0

    def turn(self):
        edits = []
        for _ in range(self.random.randint(1, 5)):
            routine = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
            fields = {"title": f"Routine {self.random.randint(0, 9999)}"}
            edits.append(rig.change("routine", routine, fields, self.number))
        answer = self.sync(0, edits)
        if answer is None:
            return
        if answer["rejected"]:
            self.violation = f"Rejected: {answer['rejected'][:1]}"
            return
        for edit in edits:
            self.studio.acknowledged.edit(edit["type"], edit["record"], edit["fields"])
        self.count += 1


class Follower(Client):
    """Asks for what is new, from the number that the last answer ended with."""

    def __init__(self, studio):
        super().__init__(studio)
        self.since = 0
        # The number of each record in the last answer that had it.
        self.seen = {}

    def turn(self):
        answer = self.sync(self.since, [])
        if answer is None:
            return
        if answer["seq"] < self.since:
            self.violation = f"The sequence went back from {self.since} to {answer['seq']}."
        for record in answer["records"]:
            self.seen[record["type"], record["id"]] = record["seq"]
        self.since = answer["seq"]
        if not answer["more"]:
            self.halt.wait(0.01)


class Faults:
    """What goes wrong in the rounds with one library."""

    def __init__(self, studio, cluster, proxy, chance):
        self.studio, self.cluster, self.proxy, self.chance = studio, cluster, proxy, chance

    def kill(self):
        """The server is killed and started anew."""
        self.studio.server.kill()
        self.studio.start()

    def crash(self):
        """PostgreSQL crashes, and is started anew after a while."""
        self.cluster.stop()
        self.studio.wait_for_health("degraded")
        self._go_on()
        self.cluster.start()

    def cut(self):
        """The network is cut: connections are reset, and new ones, too."""
        self.proxy.reset()
        self.studio.wait_for_health("degraded")
        self._go_on()
        self.proxy.heal()

    def vanish(self):
        """The network loses all bytes, and says so only when it is healed."""
        self.proxy.swallow()
        self._go_on()
        self.proxy.heal()

    def second(self):
        """A server on another machine is started with the same library, and refused."""
        schema = self.studio.folder.name
        folder = self.studio.folder.with_name(f"{schema}-second")
        try:
            second = rig.Server(
                self.studio.program, folder,
                flags=["--database", address(self.cluster.folder, schema)])
        except rig.NotStarted as refused:
            rig.holds(
                refused.code == 1 and "Another server has this library open." in refused.said,
                f"A second server ended with {refused.code}: {refused.said}")
        else:
            second.kill()
            raise rig.Violation("A second server began with the same library.")

    def _go_on(self):
        """Lets the fault last for a while, under load: at times longer than a connection may take."""
        time.sleep(min(self.chance.expovariate(1.5), 8))

    ALL = ("kill", "crash", "cut", "vanish", "second")


def address(hosts, schema, port=None):
    """Returns the address of a library in its own schema."""
    where = f"host={hosts}" + (f"&port={port}" if port else "")
    return f"postgres://segmance@/postgres?{where}&options=-csearch_path%3D{schema}"


def deck(chance):
    """Yields faults for ever: each as often as any other, in a random order."""
    while True:
        yield from chance.sample(Faults.ALL, len(Faults.ALL))


def run(program, folder, count, seed=1):
    """Runs `count` rounds and one failover; raises at the first violation."""
    chance = random.Random(seed)
    faults = deck(chance)
    total = 0
    with Cluster(folder / "primary") as cluster:
        cluster.create()
        cluster.start()
        with contextlib.closing(Proxy(cluster.socket)) as proxy:
            for first in range(0, count, ROUNDS_PER_LIBRARY):
                rounds = min(ROUNDS_PER_LIBRARY, count - first)
                total += run_rounds(
                    program, folder, cluster, proxy, chance, f"library{first}",
                    itertools.islice(faults, rounds))
        total += fail_over(program, folder, cluster, seed)
    return f"{count} faults and a failover, {total:,} acknowledged edits, all there"


def run_rounds(program, folder, cluster, proxy, chance, schema, names):
    """Runs a round with each of the faults on a new library; returns the number of acknowledged edits."""
    studio = Studio(
        program, folder / schema, address("127.0.0.1", schema, proxy.port), chance.randrange(1 << 20))
    faults = Faults(studio, cluster, proxy, chance)
    try:
        for name in names:
            studio.wait_for_acknowledgements()
            time.sleep(chance.uniform(0, 0.3))
            getattr(faults, name)()
            try:
                studio.check()
            except rig.Violation as violation:
                raise rig.Violation(f"{violation} (after {name})") from violation
        studio.end()
    finally:
        studio.kill()
    rig.check_library(program, folder / schema)
    cluster.query(f"DROP SCHEMA {schema} CASCADE")
    return len(studio.acknowledged)


def fail_over(program, folder, primary, seed):
    """Kills a primary under load, and makes its synchronous replica the primary; returns the number of
    acknowledged edits."""
    with Cluster(folder / "replica") as replica:
        replica.copy(primary)
        hosts = f"{primary.folder},{replica.folder}"
        studio = Studio(
            program, folder / "failover",
            address(hosts, "failover") + "&target_session_attrs=read-write", seed)
        try:
            studio.wait_for_acknowledgements(5)
            primary.stop()
            replica.promote()
            studio.check()
            studio.end()
        except rig.Violation as violation:
            raise rig.Violation(f"{violation} (after the failover)") from violation
        finally:
            studio.kill()
    return len(studio.acknowledged)
