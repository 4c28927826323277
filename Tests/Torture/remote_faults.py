"""What goes wrong with the servers that keep a library's records and files, and with the networks to them."""

import contextlib
import os
import signal
import time

import rig
from object_server import KEYS
from postgresql_cluster import send

# The class of the advisory lock that Segmance's transactions take when they write.
WRITING_LOCK = 0x5365676D


class Faults:
    """The faults of the rounds with one library."""

    def __init__(self, studio, database, bucket, chance):
        self.studio, self.chance = studio, chance
        self.cluster, self.objects = studio.place.cluster, studio.place.objects
        # The networks to PostgreSQL and to the bucket.
        self.database, self.bucket = database, bucket

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
        """The network to PostgreSQL is cut: connections are reset, and new ones, too."""
        self.database.reset()
        self.studio.wait_for_health("degraded")
        self._go_on()
        self.database.heal()

    def vanish(self):
        """The network to PostgreSQL loses all bytes, and says so only when it is healed."""
        self.database.swallow()
        self._go_on()
        self.database.heal()

    def second(self):
        """A server on another machine is started with the same library, and refused."""
        folder = self.studio.folder.with_name(f"{self.studio.folder.name}-second")
        try:
            second = rig.Server(
                self.studio.program, folder, flags=self.studio.place.flags, environment=KEYS)
        except rig.NotStarted as refused:
            rig.holds(
                refused.code == 1 and "Another server has this library open." in refused.said,
                f"A second server ended with {refused.code}: {refused.said}")
        else:
            second.kill()
            raise rig.Violation("A second server began with the same library.")

    def freeze(self):
        """One of PostgreSQL's processes for Segmance stands still, and goes on."""
        process = self._freeze_one()
        self._go_on()
        send(signal.SIGCONT, [process])

    def freeze_and_kill(self):
        """One of PostgreSQL's processes for Segmance stands still, and is killed. PostgreSQL then ends all others,
        and recovers."""
        process = self._freeze_one()
        self._go_on()
        send(signal.SIGKILL, [process])

    def freeze_all(self):
        """All of PostgreSQL stands still, and goes on."""
        processes = self.cluster.freeze()
        self._go_on()
        send(signal.SIGCONT, processes)

    def freeze_and_kill_all(self):
        """All of PostgreSQL stands still, is killed, and is started anew."""
        self.cluster.freeze()
        self._go_on()
        self.cluster.kill()
        self.cluster.start()

    def bucket_crash(self):
        """The bucket's server is killed, and started anew after a while."""
        self.objects.kill()
        self._go_on()
        self.objects.start()

    def bucket_crash_unseen(self):
        """The bucket's server is killed, and started anew at once, often within the same requests."""
        self.objects.kill()
        self.objects.start()

    def bucket_cut(self):
        """The network to the bucket is cut: nobody answers at its port."""
        self.bucket.refuse()
        self.studio.wait_for_health("degraded")
        self._go_on()
        self.bucket.heal()

    def bucket_vanish(self):
        """The network to the bucket loses all bytes, and says so only when it is healed."""
        self.bucket.swallow()
        self._go_on()
        self.bucket.heal()

    def bucket_ail(self):
        """The bucket answers some requests with 500 and 503, after it did what it was asked for or before, and
        breaks some answers off."""
        self.objects.ail(self.chance.choice((0.1, 0.3, 0.6)))
        self._go_on()
        self.objects.heal()

    def bucket_ail_and_kill(self):
        """The server is killed while the bucket answers badly, and started anew."""
        self.objects.ail(0.5)
        self._go_on()
        self.studio.server.kill()
        self.objects.heal()
        self.studio.start()

    def bucket_cut_and_kill(self):
        """The server is killed while it can't reach the bucket, and started anew."""
        self.bucket.refuse()
        self._go_on()
        self.studio.server.kill()
        self.bucket.heal()
        self.studio.start()

    def both(self):
        """PostgreSQL and the bucket's server are killed, and started anew after a while, one after the other."""
        starts = [self.cluster.start, self.objects.start]
        self.chance.shuffle(starts)
        self.cluster.freeze()
        self.objects.kill()
        self.cluster.kill()
        for start in starts:
            self._go_on()
            start()

    # Each fault that lasts gives those whom it concerns, and how long the slowest answer may take, in seconds. A
    # connection to PostgreSQL that is silent is given up after 70, and then whoever waited for it fails as well; a
    # request to the bucket is tried four times for 30.

    @contextlib.contextmanager
    def writer_frozen(self):
        """The one process of PostgreSQL that writes stands still, for whose lock all others wait. At last it is
        killed."""
        process = None
        while process is None:
            for found in self._writers():
                os.kill(found, signal.SIGSTOP)
                # It may have ended its transaction before that.
                if found in self._writers():
                    process = found
                else:
                    os.kill(found, signal.SIGCONT)
        yield self.studio.writers, 105
        os.kill(process, signal.SIGKILL)

    def _writers(self):
        """Returns the process that has the lock of those who write, if one has it."""
        return [int(line) for line in self.cluster.query(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted "
            f"AND classid = {WRITING_LOCK}").split()]

    @contextlib.contextmanager
    def all_frozen(self):
        """All of PostgreSQL stands still, and goes on at last."""
        processes = self.cluster.freeze()
        yield self.studio.writers, 105
        send(signal.SIGCONT, processes)

    @contextlib.contextmanager
    def bucket_silent(self):
        """The network to the bucket loses all bytes."""
        self.bucket.swallow()
        yield self.studio.uploaders, 200
        self.bucket.heal()

    LASTING = ("writer_frozen", "all_frozen", "bucket_silent")

    def _freeze_one(self):
        """Stops one of PostgreSQL's processes for Segmance where it is; returns it."""
        process = self.chance.choice(self.cluster.backends())
        os.kill(process, signal.SIGSTOP)
        return process

    def _go_on(self):
        """Lets the fault last for a while, under load: at times longer than a connection may take."""
        time.sleep(min(self.chance.expovariate(1.5), 8))

    ALL = (
        "kill", "crash", "cut", "vanish", "second", "freeze", "freeze_and_kill", "freeze_all",
        "freeze_and_kill_all", "bucket_crash", "bucket_crash_unseen", "bucket_cut", "bucket_vanish",
        "bucket_ail", "bucket_ail_and_kill", "bucket_cut_and_kill", "both")
