"""Servers that share a library are replaced one by one by those of a later version, whose schema has a step more,
while clients send each request to any of them. Nothing acknowledged is lost, all servers give the same answers, and a
request that is not answered as always is told to come later. A server of the version before is refused after that.

The later version is built from the sources with the step in them."""

import contextlib
import os
import random
import subprocess
import threading

import planted
import rig
from object_server import KEYS, ObjectServer
from postgresql_cluster import Cluster
from remote_stores import PATIENCE_SECONDS, Place, address
from shared_servers import PUBLIC, SharedStudio, machines_of

MACHINES = 2
# What the version before says about a library of a later one.
LATER_SENTENCE = "This library was written by a later version of Segmance. Update Segmance to open it."


class Upgrade:
    """The replacement of the servers of one library."""

    def __init__(self, studio, later, chance):
        self.studio, self.later, self.chance = studio, later, chance
        self.earlier = studio.program
        self.place = studio.machines[0].place
        self.before = self.schema_number()

    def schema_number(self):
        """The number of the schema on PostgreSQL."""
        return int(self.query(f"SELECT value FROM {self.place.schema}.schemaVersion"))

    def query(self, sql):
        return self.place.cluster.query(sql)

    def run(self):
        """Replaces the servers one by one, and tries to put an earlier one back between."""
        first, *others = self.chance.sample(self.studio.machines, MACHINES)
        self.studio.check()
        self.replace_while_somebody_reads(first)
        rig.holds(self.schema_number() == self.before + 1, "The later version took no step.")
        self.studio.check()
        self.put_back(first)
        self.studio.check()
        for machine in others:
            self.put_back(machine)
            self.studio.check()
        self.studio.program = self.later

    def end(self, machine):
        """Ends a server, in order or not."""
        machine.server.kill() if self.chance.random() < 0.5 else machine.server.stop()

    def replace_while_somebody_reads(self, machine):
        """Starts the later version, the first one, while a transaction reads what its step changes, as a backup
        does. The other servers go on meanwhile."""
        self.end(machine)
        machine.program = self.later
        failures = []

        def start():
            try:
                machine.start()
            except rig.Violation as violation:
                failures.append(violation)
        starting = threading.Thread(target=start)
        with self.place.cluster.reading(f"SELECT count(*) FROM {self.place.schema}.record"):
            starting.start()
            rig.studio.last_seen(self.waits_for_a_lock, bool, PATIENCE_SECONDS)
            rig.holds(self.waits_for_a_lock() or starting.is_alive(), f"The step waited for nobody: {failures}")
            self.studio.wait_for_acknowledgements()
            rig.holds(self.schema_number() == self.before, "The step was taken although somebody reads.")
        starting.join(timeout=PATIENCE_SECONDS)
        rig.holds(not starting.is_alive() and not failures, f"The later version does not start: {failures}")

    def waits_for_a_lock(self):
        """Whether the step waits for the lock of a table."""
        return self.query(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' "
            f"AND relation = '{self.place.schema}.record'::regclass") != "0"

    def put_back(self, machine):
        """Ends a server and starts the version before in its place, which has to be refused, as have its commands.
        Then the later version goes on there."""
        self.end(machine)
        machine.program = self.earlier
        try:
            machine.start()
        except rig.NotStarted as refusal:
            rig.holds(
                refusal.code != 0 and LATER_SENTENCE in refusal.said,
                f"The version before was not refused for the schema: {refusal}")
        else:
            raise rig.Violation("The version before was let in after the step.")
        for words in (["check"], ["backup", "-o", f"{machine.folder}.backup"]):
            said = self.command(machine, words)
            rig.holds(
                said.returncode != 0 and LATER_SENTENCE in said.stderr,
                f"segmance {words[0]} of the version before: {said.stdout}{said.stderr}")
        machine.program = self.later
        # One that wants the library alone is kept out by the others, and changes nothing.
        alone = [
            "serve", "--port", "0", *(flag for flag in machine.place.flags), "--public-url", PUBLIC]
        said = self.command(machine, alone)
        rig.holds(
            said.returncode != 0 and "Another server has this library open" in said.stderr,
            f"A server alone beside others: {said.stdout}{said.stderr}")
        machine.start()

    @staticmethod
    def command(machine, words):
        """Runs a command of the machine's program with its folder."""
        return subprocess.run(
            [str(machine.program), *words, "--data", str(machine.folder)], capture_output=True, text=True,
            timeout=PATIENCE_SECONDS, env={**os.environ, **KEYS}, check=False)


def run(program, folder, count, seed=1):
    """Replaces the servers of `count` libraries; raises at the first violation."""
    chance = random.Random(seed)
    later = planted.build_later()
    edits = slowest = asked_later = 0
    with Cluster(folder / "primary") as cluster, ObjectServer(folder / "objects") as objects:
        cluster.create()
        cluster.start()
        for number in range(count):
            place = Place(cluster, objects, f"library{number}", None, objects.port)
            with contextlib.ExitStack() as networks:
                machines = machines_of(program, folder, place, networks, MACHINES)
                studio = SharedStudio(program, machines, chance.randrange(1 << 20))
                try:
                    Upgrade(studio, later, chance).run()
                    studio.end()
                finally:
                    studio.kill()
            place.cluster.query(f"DROP SCHEMA {place.schema} CASCADE")
            place.objects.clear(place.prefix)
            edits += len(studio.acknowledged)
            slowest = max(slowest, studio.slowest())
            asked_later += sum(thread.refusals for thread in studio.threads)
    return (
        f"{count} libraries, whose {MACHINES} servers were replaced by a later version, {edits:,} acknowledged edits, "
        f"songs and removals, all there; {asked_later:,} requests were told to come later; slowest answer {slowest:.1f} s")
