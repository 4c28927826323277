"""A library that several servers share, whose records are on a PostgreSQL server and whose files are in a bucket.
Clients send each request to any of the servers. The servers, PostgreSQL, the bucket's server and each server's
networks to them fail under load. Nothing acknowledged is lost, all servers give the same answers, and nobody who was
turned away by one is let in by another."""

import contextlib
import itertools
import json
import random
import time
import uuid

import rig
from network_proxy import Proxy
from object_server import KEYS, ObjectServer
from postgresql_cluster import Cluster
from remote_stores import PATIENCE_SECONDS, ROUNDS_PER_LIBRARY, Place, Studio, address, fields
from shared_clients import Director, Guest, Sharer, Stranger
from shared_faults import SharedFaults

MACHINES = 3
DIRECTORS = 2
STRANGERS = 2
PUBLIC = "https://studio.example"
# From so many rounds on, pauses are at times longer than a server may go on without the database.
LONG_PAUSES_FROM = 50
SHORT_PAUSE_SECONDS, LONG_PAUSE_SECONDS = 3, 20
# The class of the advisory lock of the server that sweeps.
KEEPING_LOCK = 0x5365676F


class Member(rig.Server):
    """One of the servers, behind what stands for a proxy."""

    def __init__(self, *words, **named):
        # Whether it is not to end by itself.
        self.is_wanted = True
        super().__init__(*words, **named)
        key = json.loads((self.folder / "serving.json").read_text())["key"]
        self.fields = {"Origin": PUBLIC, "Host": PUBLIC.split("/")[-1], "Authorization": f"Bearer {key}"}

    fields = None

    def request(self, method, path, value=None, headers=None):
        """Like that of every server, again while the server says that it is to be asked later."""
        return rig.studio.last_seen(
            lambda: super(Member, self).request(method, path, value, {**self.fields, **(headers or {})}),
            lambda answer: answer[0] != 503 or path == "/api/health", PATIENCE_SECONDS)

    def kill(self):
        self.is_wanted = False
        super().kill()

    def stop(self):
        self.is_wanted = False
        super().stop()


class Machine:
    """A machine with one of the servers, and with its networks to PostgreSQL and to the bucket."""

    def __init__(self, name, program, folder, place, database, bucket):
        self.name, self.program, self.folder = name, program, folder
        self.database, self.bucket = database, bucket
        self.place = Place(
            place.cluster, place.objects, place.schema,
            f"{address('127.0.0.1', place.schema, database.port)}&application_name={self.application}",
            bucket.port)
        self.server = None

    def start(self):
        """Starts the server, anew after it ended."""
        self.server = Member(
            self.program, self.folder, environment=KEYS,
            flags=[*self.place.flags, "--shared", "--public-url", PUBLIC])

    @property
    def is_running(self):
        return self.server is not None and self.server.process.poll() is None

    def is_keeper(self):
        """Whether PostgreSQL knows it as the one who sweeps."""
        return self.place.cluster.query(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' "
            f"AND granted AND classid = {KEEPING_LOCK} AND application_name = '{self.application}'") == "1"

    @property
    def application(self):
        """The name of its connections."""
        return f"segmance-{self.name}"


class SharedStudio(Studio):
    """The servers of a library, started anew when they were killed or ended, and those who use it."""

    answer_seconds = 8
    # Each song is to be prepared before the next round.
    upload_rest_seconds = 1.5

    def __init__(self, program, machines, seed):
        self.machines = machines
        # The server that a fault concerns.
        self.aim = machines[0]
        # Who was turned away, what they may not read, and their header fields.
        self.turned_away = []
        # How often a server ended by itself, as the database did not say in time that it still may serve.
        self.endings = 0
        super().__init__(program, machines[0].folder, machines[0].place, seed)

    @property
    def server(self):
        return self.aim.server

    @server.setter
    def server(self, _):
        """Each machine has its own."""

    def start(self):
        """Starts the servers that do not run."""
        for machine in self.machines:
            if not machine.is_running:
                machine.start()

    def more(self, seed):
        routine, group = str(uuid.UUID(int=seed, version=4)), None
        edit = rig.change("routine", routine, {"title": "Shown by links"})
        status, answer = self.server.request("POST", "/api/sync", {"since": 0, "changes": [edit]})
        rig.holds(status == 200, f"The first edit was answered {status}: {answer[:300]}")
        status, answer = self.server.request("POST", "/api/groups", {"name": "Class"})
        rig.holds(status == 201, f"The first group was answered {status}: {answer[:300]}")
        group = json.loads(answer)["id"]
        self.visitors = [
            Guest(self, seed), Guest(self, seed + 1), Sharer(self, seed, routine),
            *(Director(self, seed + number, group) for number in range(DIRECTORS))]
        return [*self.visitors, *(Stranger(self, seed + number) for number in range(STRANGERS))]

    def choose(self, chance):
        return chance.choice(self.machines).server

    def wait_for_acknowledgements(self, count=1, clients=None):
        super().wait_for_acknowledgements(count, [*self.writers, *self.visitors] if clients is None else clients)

    def wait_for_keeper(self):
        """Waits until a server is the keeper; returns its machine."""
        def keepers():
            self.check_alive()
            return [machine for machine in self.machines if machine.is_running and machine.is_keeper()]
        found = rig.studio.last_seen(keepers, bool, PATIENCE_SECONDS)
        rig.holds(found, f"{self._said()}No server is the keeper.")
        return found[0]

    def wait_for_health(self, status):
        """Waits until the server that the fault concerns says that it is `degraded`, or all that they are `ok`."""
        for machine in [self.aim] if status == "degraded" else self.machines:
            self._wait(
                lambda machine=machine: json.loads(machine.server.request("GET", "/api/health")[1]).get("status"),
                lambda seen: seen == status, f"{machine.name} is not {status}")

    def everything(self):
        """Returns all records as each server has them. What none of them has changed meanwhile has to be the same."""
        copies = [
            self._wait(lambda machine=machine: rig.everything(machine.server), bool, f"No records from {machine.name}")
            for machine in self.machines]
        for machine, earlier, later in zip(self.machines[1:], copies, copies[1:], strict=False):
            last = max(record["seq"] for record in earlier.values())
            for key in earlier.keys() | {key for key, record in later.items() if record["seq"] <= last}:
                one, other = earlier.get(key), later.get(key)
                rig.holds(
                    one is not None and other is not None
                    and (one == other if other["seq"] <= last else one["seq"] < other["seq"]),
                    f"{machine.name} says {other} where another server said {one} before.")
        return copies[0]

    def check(self):
        super().check()
        self._wait_until_ready(self.acknowledged.staying())

    def _wait_until_ready(self, songs):
        """Waits until the songs that nobody removes are prepared, whichever server had begun to, and checks that
        each server plays one of them."""
        def unready():
            staying = self.acknowledged.staying()
            records = rig.everything(self.aim.server)
            return [
                one for one in songs
                if one in staying and fields(records["track", one])["state"] != "ready"]
        self._wait(unready, lambda left: not left, "Songs are never ready")
        staying = sorted(self.acknowledged.staying().keys() & songs.keys())
        if not staying:
            return
        song = staying[-1]
        for machine in self.machines:
            status = self._wait(
                lambda machine=machine: machine.server.request("GET", f"/api/tracks/{song}/chunks/0")[0],
                lambda status: True, f"{machine.name} sends no chunk")
            rig.holds(
                status == 200 or song not in self.acknowledged.staying(),
                f"{machine.name} answers {status} instead of a chunk of {song}.")

    def check_alive(self):
        for machine in self.machines:
            server = machine.server
            if not server.is_wanted or server.process.poll() is None:
                continue
            server.listener.join(timeout=30)
            rig.holds(
                server.process.returncode == 1 and "library.uncertain" in "".join(server.complaints),
                f"{''.join(server.complaints[-5:])}{machine.name} ended by itself.")
            # While it can't reach the database or the bucket, it is refused.
            with contextlib.suppress(rig.NotStarted):
                machine.start()
                self.endings += 1
        self.check_clients()

    def _wait(self, look, holds, sentence):
        """Looks until something holds of an answer; returns that. A server that ended meanwhile is started anew."""
        def see():
            self.check_alive()
            with contextlib.suppress(*rig.BROKEN):
                return look()
            return None
        seen = rig.studio.last_seen(see, lambda seen: seen is not None and holds(seen), PATIENCE_SECONDS)
        rig.holds(seen is not None and holds(seen), f"{self._said()}{sentence}: {seen}")
        return seen

    def stop(self):
        """Waits until no job is left, and stops the servers in order."""
        def left():
            return self.place.cluster.query(
                f"SELECT count(*) FROM {self.place.schema}.job WHERE state IN ('queued', 'running')")
        self._wait(left, lambda left: left == "0", "Jobs that never end")
        for machine in self.machines:
            machine.server.stop()

    def kill(self):
        for thread in self.threads:
            thread.halt.set()
        for machine in self.machines:
            if machine.is_running:
                machine.server.kill()

    def _said(self):
        return "".join(
            f"{machine.name}: {line}" for machine in self.machines for line in machine.server.complaints[-4:])


def deck(chance):
    """Yields faults for ever: each as often as any other, in a random order."""
    while True:
        yield from chance.sample(SharedFaults.ALL, len(SharedFaults.ALL))


def run(program, folder, count, seed=1):
    """Runs `count` rounds; raises at the first violation."""
    chance = random.Random(seed)
    faults = deck(chance)
    edits = slowest = turned_away = asked = endings = 0
    with Cluster(folder / "primary") as cluster, ObjectServer(folder / "objects") as objects:
        cluster.create()
        cluster.start()
        for first in range(0, count, ROUNDS_PER_LIBRARY):
            rounds = min(ROUNDS_PER_LIBRARY, count - first)
            place = Place(cluster, objects, f"library{first}", None, objects.port)
            with contextlib.ExitStack() as networks:
                studio = run_rounds(
                    program, folder, place, networks, chance, itertools.islice(faults, rounds),
                    LONG_PAUSE_SECONDS if count >= LONG_PAUSES_FROM else SHORT_PAUSE_SECONDS)
            edits += len(studio.acknowledged)
            slowest = max(slowest, studio.slowest())
            turned_away += len(studio.turned_away)
            asked += sum(thread.count for thread in studio.threads if isinstance(thread, Stranger))
            endings += studio.endings
    return (
        f"{count} faults of {MACHINES} servers, {edits:,} acknowledged edits, songs and removals, all there; "
        f"{turned_away:,} turned away, refused {asked:,} times more; "
        f"{endings} ended without the database; slowest answer {slowest:.1f} s")


def machines_of(program, folder, place, networks, count):
    """Machines for the servers of a library, each with networks of its own to PostgreSQL and the bucket."""
    return [
        Machine(
            f"machine{number}", program, folder / f"{place.schema}-{number}", place,
            networks.enter_context(contextlib.closing(Proxy(place.cluster.socket))),
            networks.enter_context(contextlib.closing(Proxy(place.objects.port))))
        for number in range(count)]


def run_rounds(program, folder, place, networks, chance, names, longest_pause):
    """Runs a round with each of the faults on a new library; returns it."""
    machines = machines_of(program, folder, place, networks, MACHINES)
    studio = SharedStudio(program, machines, chance.randrange(1 << 20))
    faults = SharedFaults(studio, chance, longest_pause)
    try:
        for name in names:
            studio.wait_for_acknowledgements()
            time.sleep(chance.uniform(0, 0.3))
            faults.aim()
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
