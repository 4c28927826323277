"""A second server that waits as a standby, through the whole program: PostgreSQL, and moto that speaks S3."""

import contextlib
import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import threading
import uuid

import pytest
from servers_support import CHUNKS, shared_library, titles, write
from playwright.sync_api import expect
from studio import DESKTOP, PROGRAM, Server, drop_files, eventually, first_screen, song

@pytest.fixture
def library(tmp_path, postgresql, monkeypatch):
    with shared_library(tmp_path, postgresql, monkeypatch, "--standby") as library:
        yield library



def test_a_standby_says_so_and_refuses_all_else(library):
    library.start().wait_until_it_serves()
    standby = library.start("--metrics")
    for method, path in [
            ("GET", "/api/health"), ("GET", "/"), ("POST", "/api/sync"), ("GET", "/api/nothing"), ("HEAD", "/api/session")]:
        connection = http.client.HTTPConnection("localhost", standby.port)
        connection.request(method, path, headers={"Origin": standby.origin})
        answer = connection.getresponse()
        content = answer.read()
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1"), path
        if method != "HEAD":
            assert json.loads(content)["code"] == "standby"
            assert "is a standby" in json.loads(content)["detail"]
    # What asks whether the process lives is not told to end it.
    assert standby.request("GET", "/api/health?standby") == (200, b'{"status":"standby"}')
    assert standby.request("GET", "/api/health?standby", headers={"Host": "elsewhere"})[0] == 421
    status, figures = standby.request("GET", "/metrics")
    assert status == 200 and b"\nsegmance_serving 0\n" in figures
    # Probes ask every few seconds: they leave no lines.
    assert [refused["fields"]["status"] for refused in standby.events("request.refused")] == [421]
    assert standby.events("servingNote.unwritten") == []


def test_after_a_kill_the_standby_serves_all_that_was_acknowledged(library):
    options = ["--metrics", "--lan", "--lan-host", "127.0.0.1", "--lan-port", "0"]
    first = library.start(*options).wait_until_it_serves()
    assert b"\nsegmance_serving 1\n" in first.request("GET", "/metrics")[1]
    standby = library.start(*options)
    music = song(12)
    track = first.add("track", "swan.wav", music)
    analysis = f"/api/tracks/{track['id']}/analysis"
    eventually(lambda: first.request("GET", analysis)[0], lambda status: status == 200, 60)
    eventually(library.bucket.derived, lambda found: len(found) == 4)
    played = first.request("GET", CHUNKS.format(track["id"]))
    assert played[0] == 200
    expected = {write(first, f"Swan {number}"): f"Swan {number}" for number in range(20)}
    code = json.loads(first.request("POST", "/api/pairings", {})[1])["token"]
    first.kill()
    standby.wait_until_it_serves()
    assert standby.request("GET", f"/api/pairings/{code}") == (200, b"{}")
    assert titles(standby) == expected
    assert standby.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)
    # What was made of the song is in the bucket: no job makes it again.
    assert standby.request("GET", CHUNKS.format(track["id"])) == played
    assert standby.request("GET", analysis)[0] == 200
    assert b"\nsegmance_serving 1\n" in standby.request("GET", "/metrics")[1]
    write(standby, "Lake")
    standby.stop()
    assert standby.events("job.started") == []


def test_an_upload_goes_on_at_the_standby_from_the_acknowledged_byte(library):
    first = library.start().wait_until_it_serves()
    standby = library.start()
    music = song(30)
    location = first.begin_upload(len(music), "swan.wav")
    acknowledged = 0
    for length in (1_000_000, 1_500_000):
        answer = first.send_piece(location, music[acknowledged:acknowledged + length], acknowledged)
        assert answer.status == 204
        acknowledged = int(answer.headers["Upload-Offset"])
    # The next piece is under way when the server is killed, and its disk is gone.
    held = library.bucket.hold("PUT", "/uploads/")

    def send():
        with contextlib.suppress(OSError, http.client.HTTPException):
            first.send_piece(location, music[acknowledged:], acknowledged)
    sending = threading.Thread(target=send)
    sending.start()
    assert held.wait(20)
    first.kill()
    # What is held is forgotten: this piece never arrives.
    library.bucket.drop_held()
    sending.join()
    shutil.rmtree(first.folder)
    standby.wait_until_it_serves()
    assert standby.uploaded(location) == acknowledged == 2_500_000
    assert standby.send_piece(location, music[acknowledged:], acknowledged).status == 204
    status, content = standby.request("POST", "/api/tracks", {"upload": location.rsplit("/", 1)[1]})
    assert status == 202, content
    track = json.loads(content)["id"]
    eventually(lambda: standby.records("track")[0]["state"], lambda state: state == "ready", 60)
    assert standby.request("GET", f"/api/tracks/{track}/original") == (200, music)
    eventually(library.bucket.uploads, lambda names: names == [])


class Relay:
    """A port that passes connections on to one server, and later to another: what a proxy is to a page.

    A request names the host of the server that gets it. A browser sends a header as a whole, and all ports of these
    tests have five digits.
    """

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.origin = f"http://localhost:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def skip_welcome(self):
        self.target.skip_welcome()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self.target.port))
                except OSError:
                    client.close()
                    continue
                names = [b"localhost:%d" % port for port in (self.port, server.getpeername()[1])]
                for source, sink, change in ((client, server, names), (server, client, (b"", b""))):
                    threading.Thread(target=self.pass_on, args=(source, sink, *change), daemon=True).start()

    @staticmethod
    def pass_on(source, sink, name, other):
        with contextlib.suppress(OSError):
            while received := source.recv(65_536):
                sink.sendall(received.replace(name, other))
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def test_a_page_goes_on_with_its_upload_at_the_standby(library, chromium):
    first = library.start().wait_until_it_serves()
    standby = library.start()
    music, bucket = song(60), library.bucket
    with contextlib.closing(Relay(first)) as relay, first_screen(chromium, relay, **DESKTOP) as page:
        requests = []
        page.on("request", lambda request: requests.append(
            (request.method, request.url.partition("/api/")[2], request.headers.get("upload-offset"))))
        # All pieces but the first one wait, until their server is killed.
        held = bucket.hold("PUT", "/uploads/")
        bucket.is_held = lambda method, path: bool(
            method == "PUT" and re.search("/uploads/[^/]+/(?!0{13})[0-9]{13}-", path))
        with page.expect_request(
                lambda request: request.method == "PATCH" and request.headers["upload-offset"] != "0") as piece:
            drop_files(page, [("swan.wav", music)])
        acknowledged = int(piece.value.headers["upload-offset"])
        assert held.wait(20)
        first.kill()
        bucket.drop_held()
        relay.target = standby.wait_until_it_serves()
        expect(page.get_by_test_id("song-row")).to_have_attribute("data-state", "ready", timeout=60_000)
    [track] = standby.records("track")
    assert standby.request("GET", f"/api/tracks/{track['id']}/original") == (200, music)
    # It was not begun anew: what was acknowledged was not sent again.
    assert [method for method, path, _ in requests if path == "uploads"] == ["POST"]
    sent = [int(offset) for method, path, offset in requests if method == "PATCH"]
    assert sent.count(0) == 1 and sent.count(acknowledged) > 1 and sent == sorted(sent)
    assert len({path for method, path, _ in requests if method == "PATCH"}) == 1
    eventually(bucket.uploads, lambda names: names == [])


def test_an_update_goes_from_one_to_the_next(library):
    first = library.start().wait_until_it_serves()
    second = library.start()
    routine = write(first, "Swan")
    first.stop()
    second.wait_until_it_serves()
    assert titles(second) == {routine: "Swan"}
    # The first one again, as after its update.
    third = library.start(folder=first.folder)
    assert third.status() == 503
    devices = [PROGRAM, "devices", "--data", first.folder]
    told = subprocess.run(devices, capture_output=True, text=True, timeout=60)
    assert told.returncode == 1 and "is a standby" in told.stderr
    second.stop()
    third.wait_until_it_serves()
    assert titles(third) == {routine: "Swan"}
    # It is written down a moment after the first answer.
    eventually(lambda: subprocess.run(devices).returncode, lambda code: code == 0)


def test_a_server_that_was_cut_off_takes_no_edit_and_answers_no_stale_read(library):
    first = library.start(name="first").wait_until_it_serves()
    standby = library.start(name="second")
    expected = {write(first, "Swan"): "Swan"}
    first.process.send_signal(signal.SIGSTOP)
    library.cut_off("first")
    standby.wait_until_it_serves()
    expected[write(standby, "Lake")] = "Lake"
    # These wait at the first server until it goes on.
    answers = []

    def ask(change):
        try:
            answers.append(first.request("POST", "/api/sync", {"since": 0, "changes": change}))
        except (OSError, http.client.HTTPException) as broken:
            answers.append((None, broken))
    late = {
        "id": str(uuid.uuid4()), "type": "routine", "record": str(uuid.uuid4()), "fields": {"title": "Late"},
        "at": "9999999999999-0000-0000beef"}
    askers = [threading.Thread(target=ask, args=(change,)) for change in ([], [late], [])]
    for asker in askers:
        asker.start()
    first.process.send_signal(signal.SIGCONT)
    assert first.wait_until_it_ends() == 1
    for asker in askers:
        asker.join(timeout=60)
    assert len(answers) == 3 and {status for status, _ in answers} <= {None, 503}, answers
    assert len(first.events("library.superseded")) == 1
    assert titles(standby) == expected
    write(standby, "Later")


def test_a_server_that_loses_its_connections_alone_goes_on(library):
    first = library.start(name="first").wait_until_it_serves()
    routine = write(first, "Swan")
    library.cut_off("first")
    eventually(
        lambda: library.query(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE locktype = 'advisory' AND granted AND application_name = 'first'"),
        lambda count: count == "1")
    standby = library.start(name="second")
    assert titles(first) == {routine: "Swan"} and standby.status() == 503
    write(first, "Lake")


def test_exactly_one_of_three_serves(library):
    members = [library.start() for _ in range(3)]
    for left in (3, 2, 1):
        [serving] = eventually(
            lambda: [member for member in members if member.status() == 200], lambda found: len(found) == 1, 60)
        assert [member.status() for member in members if member is not serving] == [503] * (left - 1)
        write(serving, f"Swan {left}")
        serving.kill()
        members.remove(serving)


def test_a_standby_whose_database_goes_away_waits_on(library, tmp_path):
    # A database that is away at the start.
    place = re.search(r"host=([^&]+)", library.postgresql).group(1)
    library.database = library.database.replace(place, str(tmp_path / "socket"))
    standby = library.start(name="waiting")
    eventually(lambda: standby.events("standby.unreachable"), bool)
    assert standby.status() == 503
    (tmp_path / "socket").symlink_to(place)
    standby.wait_until_it_serves()
    assert len(standby.events("standby.unreachable")) == 1
    # A connection that ends while it waits.
    second = library.start(name="second")
    library.cut_off("second")
    eventually(lambda: second.events("standby.reachable"), bool)
    assert second.status() == 503
    routine = write(standby, "Swan")
    standby.stop()
    second.wait_until_it_serves()
    assert titles(second) == {routine: "Swan"}


def test_a_standby_ends_at_once_when_it_is_stopped(library):
    first = library.start().wait_until_it_serves()
    standby = library.start()
    standby.stop()
    assert [bool(standby.events(name)) for name in ("server.stopped", "server.started")] == [True, False]
    assert first.status() == 200


def test_a_library_of_a_later_version_is_refused(library):
    first = library.start().wait_until_it_serves()
    standby = library.start()
    library.query("UPDATE schemaVersion SET value = 99")
    first.kill()
    assert standby.wait_until_it_ends() == 1
    [refused] = standby.events("server.notStarted")
    assert "later version" in refused["fields"]["error"] or "newer" in refused["fields"]["error"]


def test_nothing_is_restored_while_others_wait(library):
    first = library.start().wait_until_it_serves()
    status, content = first.request("POST", "/api/restore", {}, {"Content-Type": "application/x-tar"})
    assert status == 409 and "--standby" in json.loads(content)["detail"]
    first.stop()
    # One that waits in the folder is not opened at some later time.
    (first.folder / "restored").mkdir()
    refused = subprocess.run(
        [PROGRAM, "serve", "--standby", "--port", "0", "--data", first.folder], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "A restored library is in" in refused.stderr


def test_a_standby_needs_a_database_and_a_bucket(library, tmp_path):
    for options in ([], ["--database", library.database], ["--blobs", library.bucket.address]):
        refused = subprocess.run(
            [PROGRAM, "serve", "--standby", "--port", "0", "--data", tmp_path / "alone", *options],
            capture_output=True, text=True, timeout=60)
        assert refused.returncode == 1 and "(--database)" in refused.stderr and "(--blobs)" in refused.stderr
    assert not (tmp_path / "alone").exists()


def test_a_folder_has_one_process(library):
    first = library.start().wait_until_it_serves()
    refused = subprocess.run(
        [PROGRAM, "serve", "--standby", "--port", "0", "--data", first.folder], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "already running" in refused.stderr
