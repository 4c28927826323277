"""What goes wrong with servers that share a library, one of them or all, and what they depend on."""

import os
import signal
import subprocess
import time

import rig
from object_server import KEYS
from remote_faults import Faults


class SharedFaults(Faults):
    """The faults of the rounds with one library of several servers. Those of the machine alone, and of its network,
    are those of one of the servers."""

    def __init__(self, studio, chance, longest_pause):
        self.longest_pause = longest_pause
        super().__init__(studio, None, None, chance)
        self.aim()

    def aim(self):
        """Chooses the server whom the next fault concerns."""
        machine = self.chance.choice(self.studio.machines)
        self.studio.aim = machine
        self.database, self.bucket = machine.database, machine.bucket

    def kill_two(self):
        """Two servers are killed, and started anew after a while."""
        for machine in self.chance.sample(self.studio.machines, 2):
            machine.server.kill()
        self._go_on()
        self.studio.start()

    def kill_all(self):
        """All servers are killed and started anew."""
        for machine in self.studio.machines:
            machine.server.kill()
        self.studio.start()

    def kill_in_sweep(self):
        """All servers are killed. The first that is started becomes the keeper, sweeps, and is killed meanwhile; so is
        each next one. The bucket answers some requests badly, so that a sweep takes its time."""
        for machine in self.studio.machines:
            machine.server.kill()
        self.objects.ail(0.2)
        for machine in self.chance.sample(self.studio.machines, len(self.studio.machines)):
            machine.start()
            self.studio.wait_for_keeper()
            time.sleep(self.chance.uniform(0, 0.5))
            machine.server.kill()
        self.objects.heal()
        self.studio.start()

    def kill_keeper(self):
        """The keeper is killed, and started anew when another server is the keeper."""
        keeper = self.studio.wait_for_keeper()
        keeper.server.kill()
        self.studio.wait_for_keeper()
        self.studio.start()

    def replace(self):
        """A server is stopped in order, and another one started in its place: nobody is refused meanwhile for more
        than a moment."""
        self.studio.aim.server.stop()
        self._go_on()
        self.studio.start()

    def pause(self):
        """A server stands still, and goes on."""
        self._pause([self.studio.aim])

    def pause_keeper(self):
        """The keeper stands still, and goes on: at times after another one has been started."""
        self._pause([self.studio.wait_for_keeper()])

    def pause_two(self):
        """Two servers stand still, and go on."""
        self._pause(self.chance.sample(self.studio.machines, 2))

    def pause_and_crash(self):
        """A server stands still, and PostgreSQL crashes and is started anew meanwhile, so that the server's place may be
        another one's when it goes on."""
        server = self.studio.aim.server
        os.killpg(server.process.pid, signal.SIGSTOP)
        self.cluster.stop()
        self.cluster.start()
        self._go_on()
        os.killpg(server.process.pid, signal.SIGCONT)

    def _pause(self, machines):
        servers = [machine.server for machine in machines]
        for server in servers:
            os.killpg(server.process.pid, signal.SIGSTOP)
        time.sleep(min(1 + self.chance.expovariate(0.25), self.longest_pause))
        for server in servers:
            os.killpg(server.process.pid, signal.SIGCONT)

    def cut_off(self):
        """A server's networks to PostgreSQL and to the bucket lose all bytes."""
        self.database.swallow()
        self.bucket.swallow()
        self._go_on()
        self.database.heal()
        self.bucket.heal()

    def cut_two(self):
        """The networks of two servers to PostgreSQL lose all bytes, and the third goes on."""
        machines = self.chance.sample(self.studio.machines, 2)
        for machine in machines:
            machine.database.swallow()
        self._go_on()
        for machine in machines:
            machine.database.heal()

    def cut_unseen(self):
        """The connections of a server to PostgreSQL are reset, and new ones are made at once."""
        self.database.reset()
        self.database.heal()

    def second(self):
        """A server that wants the library alone is refused."""
        machine = self.studio.aim
        alone = subprocess.run(
            [str(self.studio.program), "serve", "--port", "0", "--data", f"{machine.folder}-alone",
             *machine.place.flags], capture_output=True, text=True, env={**os.environ, **KEYS}, timeout=60)
        rig.holds(
            alone.returncode == 1 and "has this library open" in alone.stderr,
            f"A server that wants the library alone ended with {alone.returncode}: {alone.stderr}")

    ALL = (
        *Faults.ALL, "kill_two", "kill_all", "kill_in_sweep", "kill_keeper", "replace", "pause", "pause_keeper",
        "pause_two", "pause_and_crash", "cut_off", "cut_two", "cut_unseen")
