"""A small Debian system that systemd starts in a container without a network."""

import contextlib
import ctypes
import os
import pathlib
import shutil
import subprocess

from rig import studio

NSPAWN = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit"]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
INSTALL = ["apt-get", "install", "--yes", "--no-install-recommends"]


def sources():
    """Returns this machine's Debian sources, as lines of a sources.list."""
    found = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN) deb $(REPO_URI) $(RELEASE) $(COMPONENT)",
         "Created-By: Packages"], capture_output=True, text=True, check=True).stdout
    lines = {line.removeprefix("Debian ") for line in found.splitlines() if line.startswith("Debian ")}
    assert lines, "apt knows no Debian here: apt-get update"
    return "\n".join(sorted(lines)) + "\n"


def make_root(folder, package):
    """Makes a Debian system in `folder`, with the dependencies of a package but without the package."""
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", "--include=systemd-sysv",
         "--dpkgopt=force-unsafe-io", "bookworm", folder, "-"],
        input=sources(), text=True, check=True)
    download = [*INSTALL, "--quiet=2", "--download-only", "/mnt/package.deb"]
    subprocess.run(
        [*NSPAWN, f"--directory={folder}", "--resolv-conf=copy-host",
         f"--bind-ro={package}:/mnt/package.deb", "--", "sh", "-c",
         f"apt-get update --quiet=2 && {' '.join(download)}"], check=True)


class Machine:
    """A started copy of a root made by `make_root`."""

    def __init__(self, root, folder):
        self.root = folder / "root"
        shutil.rmtree(self.root, ignore_errors=True)
        subprocess.run(["cp", "-a", root, self.root], check=True)
        self.console = open(folder / "console", "wb")
        self.container = subprocess.Popen(
            [*NSPAWN, f"--directory={self.root}", "--private-network", "--boot"],
            stdin=subprocess.DEVNULL, stdout=self.console, stderr=subprocess.STDOUT)

    def __enter__(self):
        try:
            self.leader = studio.eventually(self._leader, bool, seconds=30)
            studio.eventually(
                lambda: self.run("systemctl", "is-system-running", check=False).stdout.strip(),
                lambda state: state in ("running", "degraded"), seconds=60)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.container.terminate()
        try:
            self.container.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.container.kill()
            self.container.wait()
        self.console.close()

    def _leader(self):
        """Returns the first process of the container when it exists."""
        assert self.container.poll() is None, "The container did not start; see its console."
        inner = subprocess.run(
            ["ps", "--ppid", str(self.container.pid), "-o", "pid="], capture_output=True, text=True)
        for pid in inner.stdout.split():
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
            except FileNotFoundError:
                # This process only sets the container up.
                continue
            if any(line.startswith("NSpid:") and line.split()[-1] == "1" for line in status.splitlines()):
                return int(pid)
        return None

    def run(self, *words, check=True):
        """Runs a command in the machine as root, and returns it with its output."""
        done = subprocess.run(
            ["nsenter", f"--target={self.leader}", "--mount", "--uts", "--ipc", "--net", "--pid",
             "--root", "--wd=/", "env", "-i", f"PATH={PATH}", "LC_ALL=C.UTF-8", "HOME=/root",
             "DEBIAN_FRONTEND=noninteractive", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert not check or done.returncode == 0, f"{words}: {done.stdout}"
        return done

    def install(self, package, check=True):
        """Installs a package file with apt, and returns the command."""
        shutil.copy(package, self.root / "root")
        return self.run(*INSTALL, "--allow-downgrades", f"/root/{package.name}", check=check)

    @contextlib.contextmanager
    def network(self):
        """Moves this thread and its children into the container's network namespace."""
        with open("/proc/thread-self/ns/net") as outside, open(f"/proc/{self.leader}/ns/net") as inside:
            enter(inside)
            try:
                yield
            finally:
                enter(outside)


def enter(namespace):
    """Moves this thread into a network namespace."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0) != 0:
        raise OSError(ctypes.get_errno(), "setns")


class Service(studio.Server):
    """The service segmance in a machine, reached inside `Machine.network`."""

    def __init__(self):
        self.port = 7700
        self.origin = f"http://localhost:{self.port}"
