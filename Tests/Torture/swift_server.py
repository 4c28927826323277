"""A real server that speaks S3: OpenStack Swift with its middleware s3api, as Debian packages it. One proxy, one
account, one container and one object server on this machine, in a folder, as this user. What it acknowledged is
synced. A trial kills all of it, and lets it be sick for a while. It takes the place of `object_server.ObjectServer`.

Use: python swift_server.py run COMMAND… (with its address in SEGMANCE_TEST_S3)
"""

import contextlib
import ctypes
import functools
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

from object_server import KEYS, NAME

# Swift is a package of Debian's Python, not of the tests' own.
PYTHON = "/usr/bin/python3"
STORES = ("account", "container", "object")
START_SECONDS = 60


def lacks_attributes(folder):
    """Says why Swift can't keep objects in a folder; None if it can. It keeps what it knows of an object in extended
    attributes of the file."""
    path = folder / "attributes"
    path.touch()
    try:
        os.setxattr(path, "user.swift.metadata", b"x" * 2000)
    except OSError as error:
        return f"The file system of {folder} has no extended attributes of users: {error}. Set TMPDIR to one that has."
    finally:
        path.unlink()
    return None


class SwiftServer:
    """The processes, and a look at what they keep."""

    def __init__(self, folder):
        folder.mkdir(parents=True)
        if reason := lacks_attributes(folder):
            raise SystemExit(reason)
        self.folder = folder
        self.ports = free_ports(1 + len(STORES))
        self.port = self.ports[0]
        self.process = None
        self.has_bucket = False
        self.heal()
        (folder / "devices" / "disk").mkdir(parents=True)
        for name, text in settings(folder, self.ports).items():
            (folder / name).write_text(text)
        subprocess.run(
            [PYTHON, __file__, "rings", str(folder), *map(str, self.ports[1:])], check=True)

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    @functools.cached_property
    def client(self):
        """A client of another make, which looks at what Segmance did."""
        import boto3
        from botocore.config import Config

        return boto3.client(
            "s3", endpoint_url=self.endpoint, region_name="us-east-1",
            aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"], aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
            config=Config(
                # Swift 2.30 knows none of the checksums that botocore sends of itself.
                request_checksum_calculation="when_required", response_checksum_validation="when_required",
                s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}))

    def start(self):
        """Starts all of it, and waits until it answers. It ends with the thread that calls this."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [PYTHON, __file__, "serve", str(self.folder)], stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError(f"Swift did not start: {self.said()}")
            time.sleep(0.05)

    def _answers(self):
        """Whether all servers take connections, and the bucket is there, which the first start makes."""
        try:
            for port in self.ports:
                socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return False
        if not self.has_bucket:
            self.client.create_bucket(Bucket=NAME)
            self.has_bucket = True
        return True

    def kill(self):
        """Ends all its processes at once, in the middle of whatever they do."""
        # The others die with it. They are not this process's children: their ports tell when they are gone.
        self.process.kill()
        self.process.wait()
        deadline = time.monotonic() + START_SECONDS
        while left := [port for port in self.ports if is_taken(port)]:
            if time.monotonic() > deadline:
                raise RuntimeError(f"Somebody still listens at {left}.")
            time.sleep(0.01)

    def ail(self, share):
        """Answers a share of the requests with 500 or 503, or breaks off, until `heal`."""
        (self.folder / "share.new").write_text(str(share))
        os.replace(self.folder / "share.new", self.folder / "share")

    def heal(self):
        self.ail(0)

    def settle(self):
        """Waits until lists tell of all objects. What the container server was not told within a second is told
        later."""
        deadline = time.monotonic() + START_SECONDS
        while left := [path for path in self.folder.glob("devices/disk/async_pending*/*/*") if path.is_file()]:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(left)} changes never come to the list: {self.said()}")
            time.sleep(0.05)

    def entries(self, prefix):
        """Returns the objects whose names begin with `prefix`, from all pages, as a list tells of them."""
        self.settle()
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=NAME, Prefix=prefix)
        return {entry["Key"]: entry for page in pages for entry in page.get("Contents", [])}

    def names(self, prefix):
        """Returns the names of all objects that begin with `prefix`, without it."""
        return {name.removeprefix(prefix) for name in self.entries(prefix)}

    def content(self, name):
        """Returns the bytes of an object; None if there is none."""
        with contextlib.suppress(self.client.exceptions.NoSuchKey):
            return self.client.get_object(Bucket=NAME, Key=name)["Body"].read()
        return None

    def clear(self, prefix):
        """Deletes all objects that begin with `prefix`."""
        for name in self.entries(prefix):
            self.client.delete_object(Bucket=NAME, Key=name)

    def said(self):
        """Returns the last lines of the log."""
        return "".join((self.folder / "log").read_text(errors="replace").splitlines(keepends=True)[-12:])

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def free_ports(count):
    """Returns ports that nobody listens at."""
    with contextlib.ExitStack() as held:
        listeners = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [listener.getsockname()[1] for listener in listeners]


def is_taken(port):
    """Whether somebody listens at a port."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def settings(folder, ports):
    """Returns the files of Swift's settings, by name."""
    user = subprocess.run(["id", "--user", "--name"], capture_output=True, text=True, check=True).stdout.strip()
    account, name = KEYS["AWS_ACCESS_KEY_ID"].split(":")

    def common(port):
        return (
            f"[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = {port}\nuser = {user}\nswift_dir = {folder}\n"
            f"devices = {folder}/devices\nmount_check = false\nrecon_cache_path = {folder}\nfallocate_reserve = 0\n"
            "workers = 0\nlog_level = WARNING\n"
            # A busy machine is no broken network.
            "conn_timeout = 20\nnode_timeout = 60\ncontainer_update_timeout = 20\n")

    files = {
        "swift.conf": "[swift-hash]\nswift_hash_path_suffix = trial\n",
        "proxy.conf": common(ports[0]) + f"""
[pipeline:main]
pipeline = ailing catch_errors cache listing_formats s3api tempauth copy slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# With one of each server there is no other to ask instead of one that failed.
error_suppression_interval = 0
[filter:ailing]
paste.filter_factory = swift_server:ailing
share = {folder}/share
[filter:cache]
use = egg:swift#memcache
# tempauth demands a cache. Nobody listens there, and Swift then goes on without.
memcache_servers = 127.0.0.1:1
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{name} = {KEYS["AWS_SECRET_ACCESS_KEY"]} .admin
""" + "".join(f"[filter:{name}]\nuse = egg:swift#{name}\n" for name in (
            "catch_errors", "listing_formats", "s3api", "copy", "slo", "dlo", "versioned_writes")),
    }
    for store, port in zip(STORES, ports[1:], strict=True):
        files[f"{store}.conf"] = common(port) + (
            f"[pipeline:main]\npipeline = {store}-server\n[app:{store}-server]\nuse = egg:swift#{store}\n")
    files["object.conf"] += "[object-updater]\nslowdown = 0\n"
    return files


# From here on it runs with Debian's Python.


def make_rings(folder, ports):
    """Writes down that everything is once on one disk."""
    from swift.common.ring import RingBuilder

    for store, port in zip(STORES, ports, strict=True):
        builder = RingBuilder(4, 1, 0)
        builder.add_dev({
            "region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1",
            "replication_port": port, "device": "disk"})
        builder.rebalance(seed=1)
        builder.get_ring().save(str(folder / f"{store}.ring.gz"))


def serve(folder):
    """Runs the four servers, and what tells the container server of objects that it was not told of when they were
    stored, each in a process of its own. Ends with the first that ends."""
    from swift.common.utils import set_swift_dir
    from swift.common.wsgi import run_wsgi

    die_with_parent()
    set_swift_dir(str(folder))

    def update():
        from swift.common.utils import readconf
        from swift.obj.updater import ObjectUpdater
        updater = ObjectUpdater(readconf(str(folder / "object.conf"), "object-updater"))
        while True:
            updater.run_once()
            time.sleep(1)

    works = [
        *(functools.partial(run_wsgi, str(folder / f"{name}.conf"), f"{name}-server", verbose=True)
          for name in (*STORES, "proxy")),
        update]
    for work in works:
        if os.fork() == 0:
            die_with_parent()
            os._exit(work() or 1)
    os.wait()


def die_with_parent():
    """Lets this process be killed as soon as its parent ends. Swift gives each server a group of its own."""
    ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def ailing(_, share, **_others):
    """Makes the filter that lets the proxy be sick, for Paste."""
    def wrap(app):
        return functools.partial(ail, app, pathlib.Path(share))
    return wrap


def ail(app, share, environ, start_response):
    """Fails before anything is done, after all is done, or in the middle of the answer, at times."""
    if random.random() >= float(share.read_text()):
        return app(environ, start_response)
    manner = random.choice(("refuse", "refuse", "lose", "break"))
    if manner == "refuse":
        # Else its rest would be read as the next request.
        while environ["wsgi.input"].read(1 << 16):
            pass
    else:
        head = []
        content = b"".join(app(environ, lambda status, headers, *_: head.append((status, headers))))
        if manner == "break":
            start_response(*head[0])
            return broken(content)
    failure = random.choice(("500 Internal Error", "503 Service Unavailable"))
    said = b"<Error><Code>%s</Code></Error>" % (b"InternalError" if failure[0:3] == "500" else b"SlowDown")
    start_response(failure, [("Content-Type", "application/xml"), ("Content-Length", str(len(said)))])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [said]


def broken(content):
    """Yields a half of an answer, and breaks off."""
    yield content[:len(content) // 2]
    raise ConnectionResetError("This answer is to break off.")


def run(command):
    """Runs a command with the server's address in its environment; returns its exit status."""
    with tempfile.TemporaryDirectory(prefix="swift-") as folder, SwiftServer(pathlib.Path(folder) / "swift") as server:
        return subprocess.run(command, env={**os.environ, "SEGMANCE_TEST_S3": server.endpoint}, check=False).returncode


def main():
    word, *rest = sys.argv[1:]
    if word == "rings":
        make_rings(pathlib.Path(rest[0]), list(map(int, rest[1:])))
    elif word == "serve":
        serve(pathlib.Path(rest[0]))
    else:
        sys.exit(run(rest))


if __name__ == "__main__":
    main()
