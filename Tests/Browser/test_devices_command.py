"""Access from the command line: codes in the terminal, devices, and a reverse proxy."""

import json
import os
import pty
import re
import subprocess
import threading

import pytest
from network_support import LAN, Studio, read_terminal_code, segmance
from studio import PROGRAM, Server


@pytest.mark.parametrize("words", [
    ["--tls-cert", "a.crt"], ["--public-url", "http://studio.example"],
    ["--public-url", "https://studio.example/path"], ["--public-url", "studio.example"],
    ["--trusted-proxy", "10.0.0.1"], ["--host", "0.0.0.0"], ["--lan-port", "x"],
    ["--public-url", "https://studio.example", "--trusted-proxy", "10.0.0.0/33"],
])
def test_wrong_arguments_are_reported_with_a_message(tmp_path, words):
    refused = segmance("serve", "--port", 0, "--data", tmp_path, *words)
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith("--help")


def test_behind_a_proxy_only_access_to_the_folder_makes_an_owner(tmp_path):
    folder = tmp_path / "library"
    with Server(folder, options=["--public-url", "https://studio.example"]) as server:
        public = {"Host": "studio.example", "Origin": "https://studio.example",
                  "X-Forwarded-For": "203.0.113.5"}
        assert server.request("GET", "/api/devices")[0] == 401
        assert server.request("GET", "/api/devices", headers=public)[0] == 401
        # Pages need no access, because a phone must be able to open the pairing page.
        assert server.request("GET", "/pair", headers=public)[0] == 200
        made = segmance("devices", "pair", "--data", folder, "--json")
        assert made.returncode == 0, made.stderr
        address = json.loads(made.stdout)["address"]
        token = re.fullmatch(r"https://studio\.example/pair#([\w-]{43})", address).group(1)
        status, content = server.request(
            "POST", f"/api/pairings/{token}/claim", {"name": "Phone"}, headers=public)
        assert status == 201, content
        listed = segmance("devices", "--data", folder, "--json")
        assert [device["name"] for device in json.loads(listed.stdout)["devices"]] == ["Phone"]


def test_the_command_line_manages_devices_with_and_without_a_running_server(tmp_path):
    folder = tmp_path / "library"
    with Studio(folder) as studio:
        assert "No device" in segmance("devices", "--data", folder).stdout
        token, device = studio.pair("Phone")
        assert "Phone" in segmance("devices", "list", "--data", folder).stdout
        assert segmance("devices", "rename", device, "Studio", "--data", folder).returncode == 0
        assert json.loads(studio.ask("GET", "/api/session", token)[2])["device"]["name"] == "Studio"
        assert segmance("devices", "revoke", device, "--data", folder).returncode == 0
        assert studio.ask("GET", "/api/devices", token)[0] == 401
        for words in (["revoke", device], ["rename", device, "x"], ["revoke", "../session"]):
            refused = segmance("devices", *words, "--data", folder)
            assert (refused.returncode, refused.stderr) == (1, "There is no such device.\n")
        token, device = studio.pair("Tablet")
    assert "Tablet" in segmance("devices", "--data", folder).stdout
    assert segmance("devices", "rename", device, "", "--data", folder).returncode == 1
    refused = segmance("devices", "pair", "--data", folder)
    assert refused.returncode == 1 and "Start the server first" in refused.stderr
    assert segmance("devices", "revoke", device, "--data", folder).returncode == 0
    with Studio(folder) as studio:
        assert studio.ask("GET", "/api/devices", token)[0] == 401
    for words in (["dance"], ["revoke"], ["rename", "x"], ["list", "more"]):
        assert segmance("devices", *words, "--data", folder).returncode == 2
    assert segmance("devices", "--data", tmp_path / "nothing").returncode == 1


@pytest.mark.parametrize("runs", [True, False])
def test_the_command_line_revokes_a_device_with_its_guests(tmp_path, runs):
    folder = tmp_path / "library"
    with Studio(folder) as studio:
        phone, device = studio.pair("Phone")
        code = json.loads(studio.ask("POST", "/api/pairings", phone)[2])["token"]
        claimed = studio.ask("POST", f"/api/pairings/{code}/claim", body={"name": "Laptop"})
        assert claimed[0] == 201
        if runs:
            revoked = segmance("devices", "revoke", device, "--guests", "--data", folder)
            assert revoked.returncode == 0, revoked.stderr
            assert studio.ask("GET", "/api/devices", phone)[0] == 401
    if not runs:
        assert f"Laptop  (let in by {device})" in segmance("devices", "--data", folder).stdout
        assert segmance("devices", "revoke", device, "--guests", "--data", folder).returncode == 0
    assert "No device" in segmance("devices", "--data", folder).stdout


def test_the_terminal_shows_a_readable_qr_code(tmp_path):
    main, other = pty.openpty()
    process = subprocess.Popen(
        [str(PROGRAM), "serve", "--port", "0", "--data", str(tmp_path / "library"), *LAN],
        stdout=other, stderr=subprocess.DEVNULL)
    os.close(other)
    text = b""
    while b"/install" not in text:
        text += os.read(main, 65_536)
    shown = text.decode()
    address = re.search(r"https://127\.0\.0\.1:\d+/pair#[\w-]{43}", shown).group(0)
    try:
        assert read_terminal_code(shown, tmp_path) == address
    finally:
        process.terminate()
        # An unread terminal could block the server.
        threading.Thread(target=lambda: _drain(main), daemon=True).start()
        assert process.wait(timeout=20) == 0


def _drain(descriptor):
    try:
        while os.read(descriptor, 65_536):
            pass
    except OSError:
        pass


def test_a_redirected_log_contains_no_code(tmp_path):
    studio = Studio(tmp_path / "library")
    studio.stop()
    assert "pair#" not in studio.process.stdout.read()


def test_a_server_that_is_stopped_right_after_its_start_stops(tmp_path):
    for number in range(10):
        process = subprocess.Popen(
            [str(PROGRAM), "serve", "--port", "0", "--data", str(tmp_path / f"{number}"), *LAN],
            stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.terminate()
        assert process.wait(timeout=20) == 0
