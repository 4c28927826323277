"""Switching the network on and off, and its certificates, over restarts and renewals."""

import http.client
import json
import os
import re
import socket
import ssl
import threading

import pytest
from network_support import LAN, Studio, bare_socket, failed_start, make_certificate
from studio import ROOT, eventually


@pytest.fixture
def studio(tmp_path):
    with Studio(tmp_path / "library") as studio:
        yield studio


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
    # Idle workers of earlier rounds may exist for a moment, but must not accumulate.
    assert after[1] <= before[1] + 8, (before, after)


def test_the_network_can_be_switched_off_while_clients_connect(studio):
    token, _ = studio.pair()
    is_over = threading.Event()

    def connect_repeatedly(number):
        while not is_over.is_set():
            try:
                if number % 2:
                    studio.ask("GET", "/api/openapi.json", token)
                else:
                    with bare_socket(studio.lan_port) as connection:
                        connection.sendall(os.urandom(100) if number else b"\x16\x03\x01\x02\x00")
            except (OSError, http.client.HTTPException):
                pass

    clients = [threading.Thread(target=connect_repeatedly, args=[number]) for number in range(6)]
    for thread in clients:
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
        for thread in clients:
            thread.join()
    assert studio.ask("GET", "/api/devices", token)[0] == 200
    assert studio.process.poll() is None


def test_two_simultaneous_requests_switch_the_network_on(tmp_path):
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


def test_the_state_of_the_switch_survives_a_restart(tmp_path):
    with Studio(tmp_path / "library", options=LAN[1:]) as studio:
        assert studio.switch(True)[0] == 200
    with Studio(tmp_path / "library", options=LAN[1:]) as studio:
        assert studio.network()["isOn"] and studio.lan
        assert studio.ask("GET", "/api/health")[0] == 200
        assert studio.switch(False)[0] == 200
    with Studio(tmp_path / "library", options=LAN[1:]) as studio:
        assert not studio.network()["isOn"]


def test_a_network_that_was_switched_off_stays_off_despite_the_option(tmp_path):
    unit = (ROOT / "deploy" / "segmance.service").read_text()
    words = re.search(r"^ExecStart=\S+ serve (.+) --data", unit, re.M).group(1).split()
    for was_on, turn in ((True, False), (False, True), (True, None)):
        with Studio(tmp_path / "library", options=[*words, *LAN[1:]]) as studio:
            assert studio.network()["isOn"] == was_on
            if turn is not None:
                assert studio.switch(turn)[0] == 200


@pytest.mark.parametrize("is_on", [False, True])
def test_a_restore_keeps_the_state_of_the_network(tmp_path, is_on):
    log = tmp_path / "log"
    with Studio(tmp_path / "library", options=LAN, log=log) as studio:
        status, backup = studio.request("GET", "/api/backup")
        assert status == 200
        if not is_on:
            assert studio.switch(False)[0] == 200
        connection = http.client.HTTPConnection("localhost", studio.port)
        connection.request("POST", "/api/restore", body=backup, headers={
            "Content-Type": "application/x-tar", "Origin": studio.origin})
        assert connection.getresponse().status == 202
        connection.close()
        eventually(log.read_text, lambda text: text.count("server.started") == 2)
        assert studio.network()["isOn"] == is_on


def test_a_port_in_use_is_reported_with_a_message(tmp_path):
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
    said = failed_start(tmp_path / "library", "--lan", "--lan-host", "192.0.2.77")
    assert "does not have the address" in said


def test_an_unusable_authority_is_reported_with_a_message(tmp_path):
    with Studio(tmp_path / "library") as studio:
        key = studio.authority.parent / "authority.key"
    key.write_text("nonsense")
    assert "Remove that folder" in failed_start(tmp_path / "library", *LAN)


def test_the_authority_stays_the_same_over_restarts(tmp_path):
    seen = []
    for _ in range(2):
        with Studio(tmp_path / "library") as studio:
            seen.append(studio.network()["authority"]["fingerprint"])
    assert seen[0] == seen[1]


def served(studio):
    """Returns the certificate of the network's listener, or None while it restarts."""
    studio.lan = (studio.network()["addresses"] or [studio.lan])[0]
    try:
        return ssl.get_server_certificate(("127.0.0.1", studio.lan_port))
    except OSError:
        return None


def test_the_owners_certificate_is_used_and_reloaded_when_renewed(tmp_path):
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

        # Renews the certificate as Tailscale or an ACME client does. Incomplete files change nothing.
        key.write_text("nonsense")
        problem = eventually(lambda: studio.network()["problem"], lambda seen: seen is not None)
        assert "private key" in problem
        assert ssl.get_server_certificate(("127.0.0.1", studio.lan_port)) == first
        make_certificate(tmp_path, "own", "studio.example", "DNS:studio.example,IP:127.0.0.1")
        eventually(lambda: served(studio), lambda seen: seen not in (None, first))
        assert studio.network()["problem"] is None


def test_a_certificate_for_an_ip_address_is_enough_to_pair(tmp_path):
    crt, key = make_certificate(tmp_path, "own", "studio", "IP:127.0.0.1,IP:::1")
    options = [*LAN, "--tls-cert", str(crt), "--tls-key", str(key)]
    with Studio(tmp_path / "library", options=options) as studio:
        # Only the address in the certificate is offered, not the machine's other ones.
        assert studio.network()["addresses"] == [f"https://127.0.0.1:{studio.lan_port}"]
        invitation = studio.code()
        assert invitation["address"].startswith(f"{studio.lan}/pair#")
        context = ssl.create_default_context(cafile=str(crt))
        assert studio.ask("GET", "/api/session", context=context)[0] == 200


def test_a_renewed_certificate_behind_a_link_is_reloaded(tmp_path):
    """A link is changed to other files, as ACME clients and Kubernetes do."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        make_certificate(tmp_path / name, "own", "studio.example", "DNS:studio.example")
    live = tmp_path / "live"
    live.symlink_to("first")
    for name in ("own.crt", "own.key"):
        (tmp_path / name).symlink_to(live / name)
    options = [*LAN, "--tls-cert", str(tmp_path / "own.crt"), "--tls-key", str(tmp_path / "own.key")]
    with Studio(tmp_path / "library", options=options) as studio:
        first = served(studio)
        (tmp_path / "new").symlink_to("second")
        (tmp_path / "new").rename(live)
        eventually(lambda: served(studio), lambda seen: seen not in (None, first))


def test_a_service_keeps_running_when_its_certificate_has_expired(tmp_path):
    names = "DNS:studio.example"
    crt, key = make_certificate(tmp_path, "own", "studio.example", names, days=-1)
    options = [*LAN, "--tls-cert", str(crt), "--tls-key", str(key)]
    assert "has ended" in failed_start(tmp_path / "library", *options)
    with Studio(tmp_path / "library", options=options) as studio:
        network = studio.network()
        assert network["isOn"] and network["addresses"] == []
        assert "own.crt has ended" in network["problem"]
        health = json.loads(studio.request("GET", "/api/health")[1])
        assert health["status"] == "degraded" and network["problem"] in health["problems"]
        make_certificate(tmp_path, "own", "studio.example", names)
        network = eventually(studio.network, lambda seen: seen["addresses"] != [])
        assert network["problem"] is None
        assert json.loads(studio.request("GET", "/api/health")[1])["status"] == "ok"
