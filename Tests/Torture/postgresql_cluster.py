"""A PostgreSQL server in a folder, whose processes can be stopped, frozen and killed."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess

import rig

# PostgreSQL refuses to run as root.
AS_USER = (
    ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
    if os.geteuid() == 0 else [])


class Cluster:
    """A PostgreSQL server that is reached over a socket in its folder, and syncs to the disk."""

    def __init__(self, folder):
        self.folder = folder
        self.data = folder / "data"
        self.socket = folder / ".s.PGSQL.5432"
        folder.mkdir()
        # The user of PostgreSQL has to reach its folder.
        folder.parent.chmod(0o711)
        if AS_USER:
            shutil.chown(folder, "postgres", "postgres")

    def create(self):
        """Makes an empty cluster."""
        self._run(
            "initdb", "--pgdata", self.data, "--username", "segmance", "--auth=trust",
            "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        self._configure()

    def copy(self, primary):
        """Makes a streaming replica of another cluster, whose commits wait for it from now on."""
        self._run(
            "pg_basebackup", "--pgdata", self.data, "--host", primary.folder, "--username",
            "segmance", "--checkpoint=fast", "--write-recovery-conf")
        self._configure()
        self.start()
        primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.query("SELECT pg_reload_conf()")
        rig.studio.eventually(
            lambda: primary.query("SELECT sync_state FROM pg_stat_replication"),
            lambda state: state == "sync", 60)

    def _configure(self):
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(
                f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\n"
                "fsync = on\nsynchronous_commit = on\n")

    def start(self):
        self._control("--log", self.folder / "log", "--timeout", "120", "start")

    def stop(self):
        """Stops all its processes at once. The next start has to recover."""
        self._control("--mode", "immediate", "stop")

    def backends(self):
        """Returns the processes that serve connections of Segmance."""
        return [int(line) for line in self.query(
            "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'segmance%' ORDER BY pid").split()]

    def processes(self):
        """Returns all its processes, the first of them last to be born: each is a child of it."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            # One that ends meanwhile is none any more.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if int(path.read_text().rsplit(")", 1)[1].split()[1]) == first:
                    found.append(int(path.parent.name))
        return [first, *found]

    def freeze(self):
        """Stops all its processes where they are. Its kernel goes on to take connections; returns them."""
        first = self.processes()[0]
        os.kill(first, signal.SIGSTOP)
        # From here on, no child is born.
        processes = self.processes()
        send(signal.SIGSTOP, processes)
        return processes

    def kill(self):
        """Kills all its processes. The next start has to recover."""
        processes = self.freeze()
        send(signal.SIGKILL, processes)
        left = rig.studio.last_seen(
            lambda: [one for one in processes if is_running(one)], lambda left: not left, 60)
        rig.holds(not left, f"PostgreSQL's processes {left} outlive SIGKILL.")

    def wait_until_it_answers(self):
        """Waits until it takes connections again, after a crash of one of its processes."""
        def answers():
            try:
                return self.query("SELECT 1") == "1"
            except rig.Violation:
                return False
        rig.holds(rig.studio.last_seen(answers, bool, 60), "PostgreSQL did not recover.")

    def promote(self):
        """Makes a primary of a replica."""
        self._control("--timeout", "120", "promote")

    def query(self, sql):
        """Runs a statement; returns its only value as text."""
        return self._run(
            "psql", "--host", self.folder, "--username", "segmance", "--no-align", "--tuples-only",
            "--command", sql, "postgres").strip()

    @contextlib.contextmanager
    def reading(self, sql):
        """Runs a statement that reads in a transaction, which lasts as long as the context."""
        psql = subprocess.Popen(
            [*AS_USER, str(programs() / "psql"), "--host", self.folder, "--username", "segmance", "--quiet",
             "--no-align", "--tuples-only", "postgres"],
            cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            psql.stdin.write(f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;\n{sql};\n")
            psql.stdin.flush()
            rig.holds(psql.stdout.readline(), f"Nothing was read: {sql}")
            yield
        finally:
            psql.stdin.close()
            psql.wait(timeout=60)
            psql.stdout.close()

    def _control(self, *words):
        self._run("pg_ctl", "--pgdata", self.data, "--wait", "--silent", *words)

    def _run(self, program, *words):
        # Not by a pipe: the server that pg_ctl starts would hold it open.
        with (self.folder.parent / f"{self.folder.name}-{program}").open("w+") as said:
            result = subprocess.run(
                [*AS_USER, str(programs() / program), *map(str, words)], cwd="/",
                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, check=False)
            said.seek(0)
            text = said.read()
        if program == "pg_ctl" and result.returncode != 0:
            text += (self.folder / "log").read_text()[-1000:]
        rig.holds(result.returncode == 0, f"{program} failed: {text}")
        return text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Frozen processes would not stop.
        if (self.data / "postmaster.pid").exists():
            self.kill()


def programs():
    """Returns the folder of PostgreSQL's programs."""
    return max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name))


def send(number, processes):
    """Sends a signal to processes, but for those that have ended."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def is_running(process):
    """Whether a process is there, if only until its end is noticed."""
    return pathlib.Path(f"/proc/{process}").exists()
