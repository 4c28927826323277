"""A PostgreSQL server in a folder, and a proxy in front of it that can break connections."""

import contextlib
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import threading

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

    def promote(self):
        """Makes a primary of a replica."""
        self._control("--timeout", "120", "promote")

    def query(self, sql):
        """Runs a statement; returns its only value as text."""
        return self._run(
            "psql", "--host", self.folder, "--username", "segmance", "--no-align", "--tuples-only",
            "--command", sql, "postgres").strip()

    def _control(self, *words):
        self._run("pg_ctl", "--pgdata", self.data, "--wait", "--silent", *words)

    def _run(self, program, *words):
        programs = max(
            pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name))
        # Not by a pipe: the server that pg_ctl starts would hold it open.
        with (self.folder.parent / f"{self.folder.name}-{program}").open("w+") as said:
            result = subprocess.run(
                [*AS_USER, str(programs / program), *map(str, words)], cwd="/",
                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, check=False)
            said.seek(0)
            text = said.read()
        rig.holds(result.returncode == 0, f"{program} failed: {text}")
        return text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if (self.data / "postmaster.pid").exists():
            self.stop()


class Proxy:
    """Passes TCP connections on to a socket in a folder, until it is told to break them."""

    def __init__(self, target):
        self.target = target
        self.lock = threading.Lock()
        self.pairs = set()
        # What happens to bytes and new connections: "pass", "reset" or "swallow".
        self.state = "pass"
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def reset(self):
        """Resets all connections, and new ones until `heal`."""
        self._change("reset")

    def swallow(self):
        """Lets all bytes vanish, in both directions, until `heal`."""
        self._change("swallow")

    def heal(self):
        """Passes connections on again. Those that lost bytes are reset."""
        self._change("pass")

    def _change(self, state):
        with self.lock:
            self.state = state
            gone = [pair for pair in self.pairs if state == "reset" or pair.has_lost]
        for pair in gone:
            pair.reset()

    def close(self):
        self._change("reset")
        # Wakes the thread that accepts, which closing alone does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                with self.lock:
                    pair = Pair(client)
                    pair.has_lost = self.state == "swallow"
                    if is_wanted := self.state != "reset":
                        self.pairs.add(pair)
                if is_wanted:
                    threading.Thread(target=self._serve, args=(pair,), daemon=True).start()
                else:
                    pair.reset()

    def _serve(self, pair):
        if not pair.has_lost:
            try:
                pair.connect(str(self.target))
            except OSError:
                # PostgreSQL does not listen at the moment.
                self._end(pair)
                return
            threading.Thread(
                target=self._pump, args=(pair, pair.server, pair.client), daemon=True).start()
        self._pump(pair, pair.client, pair.server)

    def _pump(self, pair, source, target):
        with contextlib.suppress(OSError):
            while content := source.recv(1 << 16):
                with self.lock:
                    if self.state == "swallow":
                        pair.has_lost = True
                    is_lost = pair.has_lost
                if not is_lost:
                    target.sendall(content)
        self._end(pair)

    def _end(self, pair):
        with self.lock:
            self.pairs.discard(pair)
        pair.reset()


class Pair:
    """Both ends of a connection."""

    def __init__(self, client):
        self.lock = threading.Lock()
        self.client = client
        self.server = socket.socket(socket.AF_UNIX)
        self.has_lost = False
        self.is_over = False

    def connect(self, path):
        self.server.connect(path)

    def reset(self):
        """Breaks both ends off, at once."""
        with self.lock:
            if self.is_over:
                return
            self.is_over = True
        # With no time to linger, closing resets. The shutdown wakes the other thread.
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for end, ways in ((self.server, socket.SHUT_RDWR), (self.client, socket.SHUT_RD)):
            with contextlib.suppress(OSError):
                end.shutdown(ways)
            end.close()
