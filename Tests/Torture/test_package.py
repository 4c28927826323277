"""The Debian package in a separate Debian system: install, upgrade, remove and purge."""

import json
import os
import shutil
import subprocess

import pytest

from debian_machine import Machine, Service, make_root
from rig import ROOT, upload_track
from studio import eventually, song

pytestmark = pytest.mark.long

LIBRARY, BACKUPS, NEXT = "/var/lib/segmance", "/var/backups/segmance", "99.0.0"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The package, and one with the same files and a higher version."""
    assert os.geteuid() == 0, "A Debian of its own needs root."
    folder = tmp_path_factory.mktemp("packages")
    return [
        folder / subprocess.run(
            [ROOT / "scripts" / "package-deb", folder, *version],
            capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        for version in ([], [NEXT])]


@pytest.fixture(scope="module")
def root(packages, tmp_path_factory):
    """A Debian system in which the package was never installed."""
    folder = tmp_path_factory.mktemp("debian") / "root"
    make_root(folder, packages[0])
    return folder


@pytest.fixture
def machine(root, tmp_path):
    """The started Debian system."""
    with Machine(root, tmp_path) as machine, machine.network():
        yield machine


def health():
    """Returns the health of the service when it answers."""
    def look():
        try:
            return json.loads(Service().request("GET", "/api/health")[1])
        except ConnectionError:
            return None
    return eventually(look, bool)


def version(machine):
    """Returns the installed version and its dpkg state."""
    return machine.run(
        "dpkg-query", "--show", "--showformat=${Version} ${db:Status-Status}", "segmance").stdout


def add_song():
    """Adds a song to the library, and waits until it can be practised."""
    status, answer = upload_track(Service(), "Waltz.wav", song(2))
    assert status == 202, answer
    track = json.loads(answer)["id"]
    eventually(lambda: states()[track], lambda state: state == "ready", seconds=60)
    return track


def states():
    """Returns the state of each track."""
    return {track["id"]: track["state"] for track in Service().records("track")}


def backups(machine):
    """Returns the backups of upgrades, oldest first."""
    return machine.run("ls", BACKUPS, check=False).stdout.split()


def test_a_library_survives_upgrades_removal_and_purge(machine, packages):
    now, later = packages
    machine.install(now)
    program = subprocess.run(
        [ROOT / "dist" / "segmance", "--version"], capture_output=True, text=True, check=True)
    assert f"segmance {health()['version']}\n" == program.stdout
    assert version(machine) == f"{health()['version']} installed"
    # The only problem is the missing network.
    assert [problem.split(" that ")[0] for problem in health()["problems"]] == [
        "This machine has no address"]
    assert b"<title>Segmance</title>" in Service().request("GET", "/")[1]
    pid = machine.run("systemctl", "show", "--property=MainPID", "--value", "segmance").stdout.strip()
    assert machine.run("stat", "--format=%U", f"/proc/{pid}").stdout == "segmance\n"
    track = add_song()

    machine.install(later)
    assert version(machine) == f"{NEXT} installed"
    assert health() and states() == {track: "ready"}
    (backup,) = backups(machine)
    machine.run("segmance", "restore", f"{BACKUPS}/{backup}", "--data", "/tmp/restored")
    assert "is sound" in machine.run("segmance", "check", "--data", "/tmp/restored").stdout

    for _ in range(2):
        machine.run("apt-get", "install", "--reinstall", "--yes", f"/root/{later.name}")
    assert len(backups(machine)) == 2
    assert backup not in backups(machine)

    machine.run("apt-get", "remove", "--yes", "segmance")
    with pytest.raises(ConnectionError):
        Service().request("GET", "/api/health")
    machine.install(now)
    assert health() and states() == {track: "ready"}

    said = machine.run("apt-get", "purge", "--yes", "segmance").stdout
    assert f"{LIBRARY} stays" in said and f"{BACKUPS} stays" in said
    assert not (machine.root / "etc/default/segmance").exists()
    machine.install(now)
    assert health() and states() == {track: "ready"}


def test_an_upgrade_is_cancelled_if_its_backup_fails(machine, packages):
    now, later = packages
    machine.install(now)
    health()
    track = add_song()
    before = version(machine)
    # A file blocks the path of the backup folder.
    (machine.root / BACKUPS.strip("/")).write_text("")

    refused = machine.install(later, check=False)
    assert refused.returncode != 0
    assert "Nothing was upgraded" in refused.stdout
    assert version(machine) == before
    assert health() and states() == {track: "ready"}

    settings = machine.root / "etc/default/segmance"
    settings.write_text(settings.read_text().replace("UPGRADE_BACKUPS=2", "UPGRADE_BACKUPS=0"))
    machine.install(later)
    assert version(machine) == f"{NEXT} installed"
    assert health() and states() == {track: "ready"}
    assert settings.read_text().endswith("UPGRADE_BACKUPS=0\n")

    # A library with a missing song is upgraded, because a backup can contain the rest.
    settings.write_text(settings.read_text().replace("UPGRADE_BACKUPS=0", "UPGRADE_BACKUPS=2"))
    (machine.root / BACKUPS.strip("/")).unlink()
    machine.run("sh", "-c", f"rm -r {LIBRARY}/blobs/*")
    said = machine.run("apt-get", "install", "--reinstall", "--yes", f"/root/{later.name}").stdout
    (backup,) = backups(machine)
    assert backup.endswith("-incomplete.tar") and backup in said
    assert version(machine) == f"{NEXT} installed"


def test_a_package_that_was_never_started_leaves_nothing(machine, packages):
    now, later = packages
    machine.run("systemctl", "mask", "segmance")
    machine.install(now)
    assert "nothing to back up" in machine.install(later).stdout
    assert "stays" not in machine.run("apt-get", "purge", "--yes", "segmance").stdout
    assert not (machine.root / LIBRARY.strip("/")).exists()


def test_a_service_set_up_by_hand_becomes_the_packages(machine, packages):
    # The libraries of the program stay when the package is removed.
    machine.install(packages[0])
    health()
    machine.run("apt-get", "purge", "--yes", "segmance")
    machine.run("rm", "-r", LIBRARY)
    by_hand = machine.root / "opt/segmance"
    shutil.copytree(ROOT / "dist/client", by_hand / "client")
    shutil.copy(ROOT / "dist/segmance", by_hand)
    unit = machine.root / "etc/systemd/system/segmance.service"
    shutil.copy(ROOT / "deploy/segmance.service", unit)
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "enable", "--now", "segmance")
    health()
    track = add_song()
    assert (machine.root / LIBRARY.strip("/")).is_symlink()

    machine.run("systemctl", "disable", "--now", "segmance")
    unit.unlink()
    machine.install(packages[0])
    assert health() and states() == {track: "ready"}
    assert machine.run("stat", "--format=%U", LIBRARY).stdout == "segmance\n"
