"""The systemd unit and the container recipe of docs/DEPLOY.md."""

import pathlib
import re
import subprocess

from studio import PROGRAM

DEPLOY = pathlib.Path(__file__).parents[2] / "deploy"
# Every Debian system has these packages, even the smallest image.
BASE = {"libc6", "libgcc-s1", "libstdc++6"}


def test_the_container_has_every_library_that_the_program_needs():
    header = subprocess.run(
        ["objdump", "-p", PROGRAM], capture_output=True, text=True, check=True).stdout
    found = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    places = {
        # Packages list some paths with the prefix /usr and some without.
        "*/" + "/".join(found.split(f"{library} => ")[1].split()[0].rsplit("/", 2)[1:])
        for library in re.findall(r"NEEDED\s+(lib\S+)", header)}
    owners = subprocess.run(
        ["dpkg", "-S", *places], capture_output=True, text=True, check=True).stdout
    packages = set(re.findall(r"^[^:,]+", owners, re.M))
    assert "libsqlite3-0" in packages
    words = set((DEPLOY / "Containerfile").read_text().split())
    assert packages - BASE <= words
    assert {"ffmpeg", "bubblewrap", "espeak-ng"} <= words


def test_systemd_accepts_the_unit_and_rates_its_exposure_as_low(tmp_path):
    unit = tmp_path / "segmance.service"
    unit.write_text((DEPLOY / unit.name).read_text().replace(
        "/opt/segmance/segmance", str(PROGRAM)))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")
    security = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=35", unit],
        capture_output=True, text=True)
    assert security.returncode == 0, security.stdout[-300:]
