"""Access over TLS: certificates, paired devices, and requests without access."""

import hashlib
import json
import os
import socket
import ssl
import subprocess
import time

import pytest
from network_support import Studio, bare_socket, make_certificate, openssl


@pytest.fixture
def studio(tmp_path):
    with Studio(tmp_path / "library") as studio:
        yield studio


def curl(*words):
    return subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "30", *map(str, words)],
        capture_output=True, text=True)


def test_curl_trusts_the_certificate_only_with_the_authority(studio):
    believed = curl("--cacert", studio.authority, studio.lan + "/api/session")
    assert (believed.returncode, json.loads(believed.stdout)["role"]) == (0, "stranger")
    named = curl("--cacert", studio.authority, f"https://localhost:{studio.lan_port}/api/health")
    assert (named.returncode, named.stdout) == (0, '{"status":"ok"}')
    assert curl(studio.lan + "/api/session").returncode == 60


@pytest.mark.parametrize("version, is_spoken", [
    ("tls1", False), ("tls1_1", False), ("tls1_2", True), ("tls1_3", True)])
def test_only_secure_versions_of_tls_are_accepted(studio, version, is_spoken):
    # At security level 0 openssl itself allows every version.
    result = openssl(
        "s_client", "-connect", f"127.0.0.1:{studio.lan_port}", f"-{version}", "-cipher",
        "ALL:@SECLEVEL=0", "-CAfile", studio.authority, "-verify_ip", "127.0.0.1",
        folder=studio.folder)
    assert ("Verification: OK" in result.stdout and "Cipher is (NONE)" not in result.stdout) \
        == is_spoken, result.stdout


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


def test_private_keys_are_readable_only_by_their_user(studio):
    tls = studio.authority.parent
    assert tls.stat().st_mode & 0o777 == 0o700
    for name in ("authority.key", "authority.crt"):
        assert (tls / name).stat().st_mode & 0o777 == 0o600
    note = tls.parent / "serving.json"
    assert note.stat().st_mode & 0o777 == 0o600
    studio.stop()
    assert not note.exists()


def test_a_certificate_of_the_authority_for_another_site_is_refused(studio, tmp_path):
    for names in ("DNS:example.com", "IP:8.8.8.8", "DNS:localhost,DNS:example.com"):
        crt, _ = make_certificate(
            tmp_path, "other", "example.com", names, signer=studio.authority.parent)
        result = openssl("verify", "-CAfile", studio.authority, crt, folder=tmp_path)
        assert result.returncode != 0
        assert "permitted subtree violation" in result.stderr
    crt, _ = make_certificate(
        tmp_path, "own", "localhost", "DNS:localhost", signer=studio.authority.parent)
    assert openssl("verify", "-CAfile", studio.authority, crt, folder=tmp_path).returncode == 0


def test_a_paired_device_uploads_downloads_and_receives_events(studio):
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
    # Files are sent over TLS byte for byte, whole and in ranges.
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
def test_a_request_through_a_proxy_is_not_the_owners(studio, field):
    assert studio.request("GET", "/api/devices")[0] == 200
    assert studio.request("GET", "/api/devices", headers={field: "127.0.0.1"})[0] == 401
    assert studio.ask("GET", "/api/devices", headers={field: "127.0.0.1"})[0] == 401


def test_garbage_and_plain_http_at_the_tls_port_do_no_harm(studio):
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
                    # The server may close the connection at any byte.
                    pass
                assert b"HTTP/1.1 200" not in answer
    # Handshakes that stop half-way.
    for _ in range(20):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        half = studio.tls().wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
        with pytest.raises(ssl.SSLWantReadError):
            half.do_handshake()
        with bare_socket(studio.lan_port) as connection:
            connection.sendall(outgoing.read())
            connection.recv(100)
    assert studio.ask("GET", "/api/health")[0] == 200


@pytest.mark.timed
def test_slow_handshakes_time_out_and_do_not_delay_others(studio):
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
    # The header timeout is ten seconds, and it is checked twice a second.
    assert time.monotonic() - started < 15
