"""Stopping a server: requests in progress finish, and jobs continue after the next start."""

import http.client
import json
import signal
import socket
import subprocess
import threading

import pytest
from studio import Server, eventually, noise
from test_log import upload

LONG = 150


@pytest.fixture(scope="module")
def long_song():
    return noise(LONG)


def raw(server, method, path, **fields):
    """Sends the header of a request and leaves the connection open."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    head = {"Host": f"localhost:{server.port}", "Origin": server.origin, **fields}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    connection.sendall(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode())
    return connection


def answer(connection):
    """Reads the response to its end."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response, response.read()


def wait_for_bytes(library, location):
    """Waits until the server has bytes of an upload. A stopping server refuses new requests."""
    stored = library / "uploads" / (location.rsplit("/", 1)[1] + ".part")
    eventually(lambda: stored.stat().st_size, lambda size: size > 0)


def jobs_in(log):
    """Returns event and job kind of the log's job entries."""
    found = [json.loads(line) for line in log.read_text().splitlines()]
    return [(entry["event"], entry["fields"]["kind"]) for entry in found
            if entry["event"].startswith("job.")]


def test_a_job_continues_after_a_stop_and_a_start(tmp_path, long_song):
    library, log = tmp_path / "library", tmp_path / "log"
    with Server(library, options=["--log-format", "json"], log=log) as server:
        status, content = server.request("POST", "/api/tracks", {
            "upload": upload(server, long_song, "long.wav")})
        assert status == 202
        number = json.loads(content)["job"]
        eventually(
            lambda: json.loads(server.request("GET", f"/api/jobs/{number}")[1])["progress"],
            lambda progress: progress > 0.05)
    assert ("job.interrupted", "import") in jobs_in(log)
    assert ("job.done", "import") not in jobs_in(log)
    with Server(library, options=["--log-format", "json"], log=log) as server:
        done = eventually(
            lambda: json.loads(server.request("GET", f"/api/jobs/{number}")[1]),
            lambda job: job["state"] not in ("queued", "running"), 60)
        assert done["state"] == "done"
        (track,) = server.records("track")
        assert (track["state"], track["lengthFrames"]) == ("ready", LONG * 48_000)
    assert ("job.done", "import") in jobs_in(log)
    assert list((library / "tmp").iterdir()) == []


def test_a_stop_finishes_requests_in_progress_and_refuses_new_ones(tmp_path, long_song):
    with Server(tmp_path / "library") as server:
        track = json.loads(server.request("POST", "/api/tracks", {
            "upload": upload(server, long_song, "long.wav")})[1])
        eventually(
            lambda: json.loads(server.request("GET", f"/api/jobs/{track['job']}")[1])["state"],
            lambda state: state == "done", 60)
        # A download in progress, an upload that is half done, and an event stream.
        download = raw(server, "GET", f"/api/tracks/{track['id']}/original")
        begun = download.recv(1000, socket.MSG_PEEK)
        assert begun.startswith(b"HTTP/1.1 200")
        tus = {"Tus-Resumable": "1.0.0"}
        connection = raw(server, "POST", "/api/uploads", **{**tus, "Upload-Length": 1_000_000})
        location = answer(connection)[0].headers["Location"]
        part = raw(server, "PATCH", location, **{
            **tus, "Upload-Offset": 0, "Content-Length": 1_000_000,
            "Content-Type": "application/offset+octet-stream"})
        part.sendall(bytes(600_000))
        wait_for_bytes(tmp_path / "library", location)
        events = raw(server, "GET", "/api/events")
        heard = eventually(
            lambda: events.recv(1000, socket.MSG_PEEK), lambda seen: b"event: changed" in seen)
        assert heard.startswith(b"HTTP/1.1 200")
        server.process.send_signal(signal.SIGTERM)
        # The server ends the event stream, so the page notices the stop.
        assert b"event: changed" in answer(events)[1]

        def newcomer():
            try:
                return answer(raw(server, "GET", "/api/health"))[0].status
            except (OSError, http.client.HTTPException):
                return None
        assert newcomer() in (None, 503)
        assert server.process.poll() is None
        part.sendall(bytes(400_000))
        response, _ = answer(part)
        assert (response.status, response.headers["Upload-Offset"]) == (204, "1000000")
        response, content = answer(download)
        assert content == long_song
        assert server.process.wait(timeout=10) == 0


def test_an_upload_of_a_silent_client_keeps_its_bytes_over_a_stop(tmp_path):
    tus = {"Tus-Resumable": "1.0.0"}
    library = tmp_path / "library"
    with Server(library) as server:
        connection = raw(server, "POST", "/api/uploads", **{**tus, "Upload-Length": 1_000_000})
        location = answer(connection)[0].headers["Location"]
        part = raw(server, "PATCH", location, **{
            **tus, "Upload-Offset": 0, "Content-Length": 1_000_000,
            "Content-Type": "application/offset+octet-stream"})
        part.sendall(bytes(600_000))
        wait_for_bytes(library, location)
        # The client disconnects shortly after the stop signal, and the stop does not wait longer.
        server.process.send_signal(signal.SIGTERM)
        threading.Timer(0.5, part.shutdown, [socket.SHUT_RDWR]).start()
        assert server.process.wait(timeout=9) == 0
    with Server(library) as server:
        response, _ = answer(raw(server, "HEAD", location, **tus))
        offset = int(response.headers["Upload-Offset"])
        assert 0 < offset <= 600_000
        rest = raw(server, "PATCH", location, **{
            **tus, "Upload-Offset": offset, "Content-Length": 1_000_000 - offset,
            "Content-Type": "application/offset+octet-stream"})
        rest.sendall(bytes(1_000_000 - offset))
        assert answer(rest)[0].headers["Upload-Offset"] == "1000000"


def test_a_second_interrupt_stops_the_server_at_once(tmp_path):
    tus = {"Tus-Resumable": "1.0.0"}
    library = tmp_path / "library"
    with Server(library, log=tmp_path / "log") as server:
        connection = raw(server, "POST", "/api/uploads", **{**tus, "Upload-Length": 1_000_000})
        location = answer(connection)[0].headers["Location"]
        part = raw(server, "PATCH", location, **{
            **tus, "Upload-Offset": 0, "Content-Length": 1_000_000,
            "Content-Type": "application/offset+octet-stream"})
        part.sendall(bytes(600_000))
        wait_for_bytes(library, location)
        server.process.send_signal(signal.SIGINT)
        # The stop waits for the rest of the upload, which does not arrive.
        eventually((tmp_path / "log").read_text, lambda text: "server.stopping" in text)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(timeout=1)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=5) == 130
