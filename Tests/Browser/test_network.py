"""Other devices: TLS with the installation's own authority, pairing, and what strangers meet."""

import hashlib
import http.client
import json
import os
import pty
import re
import socket
import ssl
import subprocess
import threading
import time

import pytest
from network_support import (
    LAN, Studio, bare_socket, make_certificate, openssl, read_terminal_code, segmance)
from studio import PROGRAM, Server, eventually


@pytest.fixture
def studio(tmp_path):
    with Studio(tmp_path / "library") as studio:
        yield studio


def curl(*words):
    return subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "30", *map(str, words)],
        capture_output=True, text=True)


def test_curl_believes_the_certificate_with_the_authority_and_only_then(studio):
    believed = curl("--cacert", studio.authority, studio.lan + "/api/session")
    assert (believed.returncode, believed.stdout) == (0, '{"role":"stranger"}')
    named = curl("--cacert", studio.authority, f"https://localhost:{studio.lan_port}/api/health")
    assert (named.returncode, named.stdout) == (0, '{"status":"ok"}')
    assert curl(studio.lan + "/api/session").returncode == 60
    assert curl("--cacert", studio.authority, "--tls-max", "1.1", "--ciphers", "ALL:@SECLEVEL=0",
                studio.lan + "/api/session").returncode == 35


def test_the_authority_can_be_downloaded_without_pairing(studio, tmp_path):
    status, headers, content = studio.ask("GET", "/api/authority.crt")
    assert status == 200
    assert headers["Content-Type"] == "application/x-x509-ca-cert"
    fingerprint = hashlib.sha256(content).hexdigest().upper()
    shown = studio.network()["authority"]
    assert shown["fingerprint"].replace(":", "") == fingerprint
    assert shown["address"] == studio.lan + "/api/authority.crt"
    (tmp_path / "own.der").write_bytes(content)
    text = openssl("x509", "-inform", "der", "-in", "own.der", "-noout", "-text", folder=tmp_path)
    assert "X509v3 Name Constraints: critical" in text.stdout


def test_keys_can_be_read_by_nobody_else(studio):
    tls = studio.authority.parent
    assert tls.stat().st_mode & 0o777 == 0o700
    for name in ("authority.key", "authority.crt"):
        assert (tls / name).stat().st_mode & 0o777 == 0o600
    note = tls.parent / "serving.json"
    assert note.stat().st_mode & 0o777 == 0o600
    studio.stop()
    assert not note.exists()


def test_what_the_authority_signs_for_another_site_is_refused(studio, tmp_path):
    for names in ("DNS:example.com", "IP:8.8.8.8", "DNS:localhost,DNS:example.com"):
        crt, _ = make_certificate(
            tmp_path, "other", "example.com", names, signer=studio.authority.parent)
        result = openssl("verify", "-CAfile", studio.authority, crt, folder=tmp_path)
        assert result.returncode != 0
        assert "permitted subtree violation" in result.stderr
    crt, _ = make_certificate(
        tmp_path, "own", "localhost", "DNS:localhost", signer=studio.authority.parent)
    assert openssl("verify", "-CAfile", studio.authority, crt, folder=tmp_path).returncode == 0


def test_a_paired_device_uploads_downloads_and_hears_events(studio):
    token, _ = studio.pair()
    assert json.loads(studio.ask("GET", "/api/session", token)[2])["role"] == "device"
    content = os.urandom(3_000_000)
    tus = {"Tus-Resumable": "1.0.0"}
    status, headers, _ = studio.ask(
        "POST", "/api/uploads", token, headers={**tus, "Upload-Length": str(len(content))})
    assert status == 201
    status, headers, _ = studio.ask(
        "PATCH", headers["Location"], token, body=content, headers={
            **tus, "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
    assert (status, headers["Upload-Offset"]) == (204, str(len(content)))

    with studio.tls().wrap_socket(
            bare_socket(studio.lan_port), server_hostname="127.0.0.1") as stream:
        stream.sendall((
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{studio.lan_port}\r\n"
            f"Cookie: __Host-segmance_device={token}\r\n\r\n").encode())
        heard = b""
        while b"event: changed" not in heard:
            heard += stream.recv(65_536)
        status, content = studio.request("POST", "/api/sample")
        assert status == 202
        sample = json.loads(content)
        while f'"id":"{sample["job"]}"'.encode() not in heard or b'"done"' not in heard:
            heard += stream.recv(65_536)
    # Files go out through TLS to the byte, whole and in ranges.
    path = f"/api/tracks/{sample['track']}/chunks/0"
    whole = studio.ask("GET", path, token)[2]
    assert whole == studio.request("GET", path)[1] and len(whole) > 100_000
    status, _, part = studio.ask("GET", path, token, headers={"Range": "bytes=1000-70000"})
    assert (status, part) == (206, whole[1000:70_001])
    assert studio.ask("GET", path)[0] == 401


def test_revoking_ends_requests_and_streams_at_once(studio):
    token, device = studio.pair()
    with studio.tls().wrap_socket(
            bare_socket(studio.lan_port), server_hostname="127.0.0.1") as stream:
        stream.sendall((
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{studio.lan_port}\r\n"
            f"Cookie: __Host-segmance_device={token}\r\n\r\n").encode())
        heard = b""
        while b"event: changed" not in heard:
            heard += stream.recv(65_536)
        assert studio.request("DELETE", f"/api/devices/{device}")[0] == 204
        while not heard.endswith(b"0\r\n\r\n"):
            more = stream.recv(65_536)
            assert more, "the stream ends in order"
            heard += more
    assert studio.ask("GET", "/api/devices", token)[0] == 401
    assert json.loads(studio.ask("GET", "/api/session", token)[2])["role"] == "stranger"


@pytest.mark.parametrize("field", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_a_proxy_in_front_makes_no_owner(studio, field):
    assert studio.request("GET", "/api/devices")[0] == 200
    assert studio.request("GET", "/api/devices", headers={field: "127.0.0.1"})[0] == 401
    assert studio.ask("GET", "/api/devices", headers={field: "127.0.0.1"})[0] == 401


def test_garbage_and_plain_http_at_the_tls_port_harm_nobody(studio):
    for _ in range(20):
        for opening in (
                b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", os.urandom(600), b"\x16\x03\x01\xff\xff",
                b"\x16\x03\x01\x00\x05hello", b"\x00" * 5_000):
            with bare_socket(studio.lan_port) as connection:
                answer = b""
                try:
                    connection.sendall(opening)
                    connection.shutdown(socket.SHUT_WR)
                    while more := connection.recv(65_536):
                        answer += more
                except OSError:
                    # The server may hang up at any byte.
                    pass
                assert b"HTTP/1.1 200" not in answer
    # A handshake that breaks off half-way.
    for _ in range(20):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        half = studio.tls().wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
        with pytest.raises(ssl.SSLWantReadError):
            half.do_handshake()
        with bare_socket(studio.lan_port) as connection:
            connection.sendall(outgoing.read())
            connection.recv(100)
    assert studio.ask("GET", "/api/health")[0] == 200


def test_a_slow_handshake_is_shut_out_in_time_and_holds_nobody_up(studio):
    slow = [bare_socket(studio.lan_port) for _ in range(100)]
    for number, connection in enumerate(slow):
        connection.sendall(b"\x16\x03\x01\x02\x00"[:number % 6])
    started = time.monotonic()
    for _ in range(20):
        before = time.monotonic()
        assert studio.ask("GET", "/api/health")[0] == 200
        assert time.monotonic() - before < 1
    for connection in slow:
        try:
            while connection.recv(100):
                pass
        except ConnectionResetError:
            pass
        connection.close()
    # Ten seconds for a header; the reaper looks twice a second.
    assert time.monotonic() - started < 15


def descriptors(studio):
    return len(os.listdir(f"/proc/{studio.process.pid}/fd"))


def threads(studio):
    return len(os.listdir(f"/proc/{studio.process.pid}/task"))


def test_switching_on_and_off_twenty_times_leaves_nothing_open(studio):
    def turn():
        status, network = studio.switch(False)
        assert status == 200 and not network["isOn"] and network["addresses"] == []
        status, network = studio.switch(True)
        assert status == 200 and network["isOn"], network
        studio.lan = network["addresses"][0]
        assert studio.ask("GET", "/api/health")[0] == 200

    token, _ = studio.pair()
    turn()
    before = descriptors(studio), threads(studio)
    for _ in range(20):
        turn()
    assert studio.ask("GET", "/api/devices", token)[0] == 200, "devices stay paired"
    after = eventually(
        lambda: (descriptors(studio), threads(studio)),
        lambda now: now[0] <= before[0] and now[1] <= before[1] + 8)
    assert after[0] <= before[0], (before, after)
    # Idle workers of earlier rounds may linger for a moment, but do not add up.
    assert after[1] <= before[1] + 8, (before, after)


def test_the_network_goes_off_at_any_moment_with_clients_at_its_door(studio):
    token, _ = studio.pair()
    is_over = threading.Event()

    def knock(number):
        while not is_over.is_set():
            try:
                if number % 2:
                    studio.ask("GET", "/api/openapi.json", token)
                else:
                    with bare_socket(studio.lan_port) as connection:
                        connection.sendall(os.urandom(100) if number else b"\x16\x03\x01\x02\x00")
            except (OSError, http.client.HTTPException):
                pass

    knocking = [threading.Thread(target=knock, args=[number]) for number in range(6)]
    for thread in knocking:
        thread.start()
    try:
        for _ in range(25):
            stream = studio.tls().wrap_socket(
                bare_socket(studio.lan_port), server_hostname="127.0.0.1")
            stream.sendall((
                f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{studio.lan_port}\r\n"
                f"Cookie: __Host-segmance_device={token}\r\n\r\n").encode())
            half = bare_socket(studio.lan_port)
            half.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc")
            assert studio.switch(False)[0] == 200
            for connection in (stream, half):
                try:
                    while connection.recv(65_536):
                        pass
                except OSError:
                    pass
                connection.close()
            status, network = studio.switch(True)
            assert status == 200
            studio.lan = network["addresses"][0]
    finally:
        is_over.set()
        for thread in knocking:
            thread.join()
    assert studio.ask("GET", "/api/devices", token)[0] == 200
    assert studio.process.poll() is None


def test_switching_on_twice_at_once_is_switching_it_on(tmp_path):
    with Studio(tmp_path / "library", options=LAN[1:]) as studio:
        assert not studio.network()["isOn"]
        results = []
        turning = [
            threading.Thread(target=lambda: results.append(studio.switch(True))) for _ in range(8)]
        for thread in turning:
            thread.start()
        for thread in turning:
            thread.join()
        assert {status for status, _ in results} == {200}
        assert len({network["addresses"][0] for _, network in results}) == 1


def test_the_switch_is_remembered(tmp_path):
    with Studio(tmp_path / "library", options=LAN[1:]) as studio:
        assert studio.switch(True)[0] == 200
    with Studio(tmp_path / "library", options=LAN[1:]) as studio:
        assert studio.network()["isOn"] and studio.lan
        assert studio.ask("GET", "/api/health")[0] == 200
        assert studio.switch(False)[0] == 200
    with Studio(tmp_path / "library", options=LAN[1:]) as studio:
        assert not studio.network()["isOn"]


def test_a_port_that_is_taken_is_said_in_words(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        options = ["--lan-host", "127.0.0.1", "--lan-port", str(port)]
        with Studio(tmp_path / "library", options=options) as studio:
            status, problem = studio.switch(True)
            assert status == 409
            assert f"Port {port} is taken" in problem["detail"]
            network = studio.network()
            assert not network["isOn"]
            assert f"Port {port} is taken" in network["problem"]
            other.close()
            assert studio.switch(True)[0] == 200
            assert studio.network()["problem"] is None
    refused = subprocess.run(
        [str(PROGRAM), "serve", "--port", "0", "--data", str(tmp_path / "library"), "--lan",
         "--lan-host", "192.0.2.77"], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1
    assert "does not have the address" in refused.stderr


def test_an_unusable_authority_is_said_in_words(tmp_path):
    with Studio(tmp_path / "library") as studio:
        key = studio.authority.parent / "authority.key"
    key.write_text("nonsense")
    refused = segmance("serve", "--port", 0, "--data", tmp_path / "library", *LAN)
    assert refused.returncode == 1
    assert "Remove that folder" in refused.stderr


def test_the_authority_stays_over_restarts(tmp_path):
    seen = []
    for _ in range(2):
        with Studio(tmp_path / "library") as studio:
            seen.append(studio.network()["authority"]["fingerprint"])
    assert seen[0] == seen[1]


def test_the_owners_certificate_is_used_and_taken_up_again_when_renewed(tmp_path):
    crt, key = make_certificate(tmp_path, "own", "studio.example", "DNS:studio.example,IP:127.0.0.1")
    options = [*LAN, "--tls-cert", str(crt), "--tls-key", str(key)]
    with Studio(tmp_path / "library", options=options) as studio:
        assert studio.lan == f"https://studio.example:{studio.lan_port}"
        assert studio.network()["authority"] is None
        assert studio.request("GET", "/api/authority.crt")[0] == 404
        context = ssl.create_default_context(cafile=str(crt))
        host = {"Host": f"studio.example:{studio.lan_port}"}
        assert studio.ask("GET", "/api/session", headers=host, context=context)[0] == 200
        first = ssl.get_server_certificate(("127.0.0.1", studio.lan_port))

        # Renewed, as by Tailscale or an ACME client; half-written files change nothing.
        key.write_text("nonsense")
        problem = eventually(lambda: studio.network()["problem"], lambda seen: seen is not None)
        assert "private key" in problem
        assert ssl.get_server_certificate(("127.0.0.1", studio.lan_port)) == first
        make_certificate(tmp_path, "own", "studio.example", "DNS:studio.example,IP:127.0.0.1")

        def served():
            studio.lan = (studio.network()["addresses"] or [studio.lan])[0]
            try:
                return ssl.get_server_certificate(("127.0.0.1", studio.lan_port))
            except OSError:
                return first
        assert eventually(served, lambda seen: seen != first) != first
        assert studio.network()["problem"] is None


@pytest.mark.parametrize("words", [
    ["--tls-cert", "a.crt"], ["--public-url", "http://studio.example"],
    ["--public-url", "https://studio.example/path"], ["--public-url", "studio.example"],
    ["--trusted-proxy", "10.0.0.1"], ["--host", "0.0.0.0"], ["--lan-port", "x"],
    ["--public-url", "https://studio.example", "--trusted-proxy", "10.0.0.0/33"],
])
def test_wrong_use_is_said_in_words(tmp_path, words):
    refused = segmance("serve", "--port", 0, "--data", tmp_path, *words)
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith("--help")


def test_behind_a_proxy_nobody_is_owner_but_who_holds_the_folder(tmp_path):
    folder = tmp_path / "library"
    with Server(folder, options=["--public-url", "https://studio.example"]) as server:
        public = {"Host": "studio.example", "Origin": "https://studio.example",
                  "X-Forwarded-For": "203.0.113.5"}
        assert server.request("GET", "/api/devices")[0] == 401
        assert server.request("GET", "/api/devices", headers=public)[0] == 401
        # Pages are for everyone: a phone must be able to open the pairing page.
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


def test_the_command_line_manages_devices_beside_the_server_and_without(tmp_path):
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


def test_the_terminal_shows_a_code_that_a_camera_reads(tmp_path):
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
        # A terminal that nobody reads could hold the server up.
        threading.Thread(target=lambda: _drain(main), daemon=True).start()
        assert process.wait(timeout=20) == 0


def _drain(descriptor):
    try:
        while os.read(descriptor, 65_536):
            pass
    except OSError:
        pass


def test_a_log_holds_no_code(tmp_path):
    studio = Studio(tmp_path / "library")
    studio.stop()
    assert "pair#" not in studio.process.stdout.read()
