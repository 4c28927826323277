"""The systemd unit, the container recipe and the examples of docs/DEPLOY.md and docs/SCALE.md."""

import ipaddress
import json
import os
import pathlib
import re
import subprocess
import urllib.request

import pytest
import yaml
from bucket_support import KEY, SECRET, bucket
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


def compose():
    return yaml.safe_load((DEPLOY / "scale/compose.yaml").read_text())["services"]


def kubernetes():
    documents = list(yaml.safe_load_all((DEPLOY / "scale/kubernetes.yaml").read_text()))
    return {document["kind"]: document["spec"] for document in documents}


@pytest.mark.parametrize("example", ["compose", "kubernetes"])
def test_the_examples_start_with_their_options_and_answer_their_probe(example, postgresql, tmp_path):
    """The options are those of the example; only the two addresses are those of servers that are here."""
    if example == "compose":
        options = compose()["segmance"]["command"]
    else:
        [container] = kubernetes()["Deployment"]["template"]["spec"]["containers"]
        options = container["args"]
    names = [option.split("=", 1)[0] for option in options]
    with bucket() as blobs:
        here = {"--database": f"{postgresql}&options=-csearch_path%3D{example}", "--blobs": blobs.address}
        assert here.keys() <= set(names)
        program = subprocess.Popen(
            [PROGRAM, "serve", "--data", tmp_path / "data", "--no-sandbox",
             *(f"{name}={here[name]}" if name in here else option
               for name, option in zip(names, options, strict=True)),
             "--port=0"],
            stderr=subprocess.PIPE, text=True,
            env={**os.environ, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET})
        try:
            started = next(
                line for line in map(json.loads, program.stderr) if line["event"] == "server.started")
            port = started["fields"]["port"]
            request = urllib.request.Request(f"http://localhost:{port}/api/health", headers={"Host": "studio.example.org"})
            with urllib.request.urlopen(request) as answer:
                assert json.load(answer) == {"status": "ok"}
            if example == "kubernetes":
                for probe, path in (
                        ("startupProbe", "/api/health?standby"), ("readinessProbe", "/api/health"),
                        ("livenessProbe", "/api/health?standby")):
                    asked = container[probe]["httpGet"]
                    assert (asked["path"], asked["httpHeaders"]) == (
                        path, [{"name": "Host", "value": "studio.example.org"}])
        finally:
            program.terminate()
            program.wait()
    assert program.returncode == 0


def test_the_examples_agree_within_themselves():
    subnet = ipaddress.ip_network(
        yaml.safe_load((DEPLOY / "scale/compose.yaml").read_text())["networks"]["default"]["ipam"]["config"][0]["subnet"])
    assert f"--trusted-proxy={subnet}" in compose()["segmance"]["command"]
    # More than one server only if they share the library; a new one serves before an old one is stopped. The port is the
    # one that the program has by itself.
    spec = kubernetes()["Deployment"]
    [container] = spec["template"]["spec"]["containers"]
    assert spec["replicas"] > 1 and "--shared" in container["args"]
    assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    # After the wait the program has ten seconds for open answers.
    wait = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert wait + 10 < spec["template"]["spec"]["terminationGracePeriodSeconds"]
    [spread] = spec["template"]["spec"]["topologySpreadConstraints"]
    assert spread["labelSelector"] == spec["selector"]
    assert [port["containerPort"] for port in container["ports"]] == [7700]
    assert kubernetes()["Service"]["selector"] == spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    folders = {mount["name"] for mount in container["volumeMounts"]}
    assert folders == {volume["name"] for volume in spec["template"]["spec"]["volumes"]}
