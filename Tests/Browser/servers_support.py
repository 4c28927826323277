"""Several servers with one library, for tests through the whole program: PostgreSQL, and moto that speaks S3."""

import contextlib
import http.client
import json
import re
import signal
import subprocess
import uuid

from bucket_support import KEY, SECRET, bucket as a_bucket
from studio import PROGRAM, Server, eventually

CHUNKS = "/api/tracks/{}/chunks/0"


class Member(Server):
    """One of the servers of a library, which is ready to wait when this returns, or with `--shared` to serve."""

    def __init__(self, folder, library, *options, name=None):
        self.folder = folder
        self.log = folder.with_suffix(".log")
        self.log.touch()
        ready = "server.started" if "--shared" in options else "standby.waiting"
        earlier = len(self.events(ready))
        database = library.database + (f"&application_name={name}" if name else "")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--port", "0", "--data", folder, "--log-format", "json",
                 "--database", database, "--blobs", library.bucket.address, *options],
                stdout=subprocess.DEVNULL, stderr=log)
        found = eventually(lambda: self.events(ready), lambda found: len(found) > earlier)
        self.port = found[-1]["fields"]["port"]
        self.origin = f"http://localhost:{self.port}"

    def events(self, name):
        # libpq says by itself, in a line of its own, that a connection was ended while it was being made. Any other line
        # that is no JSON is an error.
        lines = re.findall(r"^(?!FATAL:).*\n", self.log.read_text(), re.MULTILINE)
        return [entry for entry in map(json.loads, lines) if entry["event"] == name]

    def status(self, path="/api/health"):
        """The status of an answer; None without one."""
        try:
            return self.request("GET", path)[0]
        except (OSError, http.client.HTTPException):
            return None

    def wait_until_it_serves(self):
        eventually(self.status, lambda status: status == 200, 60)
        return self

    def wait_until_it_ends(self):
        return self.process.wait(timeout=60)


class SharedLibrary:
    """The addresses of a new library, and its servers."""

    def __init__(self, folder, postgresql, bucket, mode):
        self.folder, self.postgresql, self.bucket, self.mode = folder, postgresql, bucket, mode
        self.schema = f"library_{uuid.uuid4().hex}"
        self.database = f"{postgresql}&options=-csearch_path%3D{self.schema}"
        self.members = []

    def start(self, *options, name=None, folder=None):
        folder = folder or self.folder / f"machine{len(self.members)}"
        member = Member(folder, self, self.mode, *options, name=name)
        self.members.append(member)
        return member

    def query(self, sql):
        """Runs a statement beside the servers; returns what psql prints."""
        return subprocess.run(
            ["psql", "--no-align", "--tuples-only", "--command", sql, self.database],
            capture_output=True, text=True, check=True).stdout.strip()

    def cut_off(self, name):
        """Ends the connections of the server with this name, as soon as it has one."""
        end = (
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            f"WHERE application_name = '{name}'")
        eventually(lambda: self.query(end), bool)


@contextlib.contextmanager
def shared_library(folder, postgresql, monkeypatch, mode):
    """A library on PostgreSQL and in a bucket, whose servers are started with `mode`."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with a_bucket() as bucket:
        library = SharedLibrary(folder, postgresql, bucket, mode)
        try:
            yield library
        finally:
            for member in library.members:
                if member.process.poll() is None:
                    member.process.send_signal(signal.SIGCONT)
                    member.kill()


def write(server, title):
    """Adds a routine, and returns its id when that was acknowledged."""
    routine = str(uuid.uuid4())
    server.edit("routine", routine, {"title": title})
    return routine


def titles(server):
    return {record["id"]: record["title"] for record in server.records("routine")}
