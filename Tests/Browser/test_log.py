"""The server's log: every line parses, and none contains user text."""

import base64
import datetime
import http.client
import io
import json
import re
import tarfile
import uuid

import pytest
from network_support import LAN, Studio
from studio import Server, eventually, song
from test_backup import segmance

# These texts have different beginnings, so that a truncated one is also found.
TITLE, NOTES, FILE = "Quokkaplume", "Zirbelkiefer", "Haggisfeder"
DEVICE, AGENT, SEARCH = "Wolpertinger", "Nepomuk", "Xylographie"
WRITTEN = (TITLE, NOTES, FILE, DEVICE, AGENT, SEARCH)


def entries(log):
    """Returns the log's lines as objects, and checks their shape."""
    found = [json.loads(line) for line in log.read_text().splitlines()]
    for entry in found:
        assert list(entry) == ["time", "level", "event", "fields"]
        moment = datetime.datetime.fromisoformat(entry["time"])
        assert moment.tzinfo is not None and entry["time"].endswith("Z")
        assert entry["level"] in ("info", "warning", "error")
        assert re.fullmatch(r"[a-z]+\.[a-zA-Z]+", entry["event"])
        assert isinstance(entry["fields"], dict)
    return found


def upload(server, content, name):
    """Uploads bytes under a name and returns the upload's id."""
    metadata = "filename " + base64.b64encode(name.encode()).decode()
    fields = {"Tus-Resumable": "1.0.0", "Upload-Length": str(len(content)),
              "Upload-Metadata": metadata, "Origin": server.origin, "User-Agent": AGENT}
    connection = http.client.HTTPConnection("localhost", server.port)
    connection.request("POST", "/api/uploads", headers=fields)
    answer = connection.getresponse()
    answer.read()
    location = answer.headers["Location"]
    fields = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Origin": server.origin,
              "Content-Type": "application/offset+octet-stream"}
    connection.request("PATCH", location, body=content, headers=fields)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 204
    return location.rsplit("/", 1)[1]


def job(server, answer):
    """Waits for the end of the job in a response, and returns the job."""
    number = json.loads(answer)["job"]
    return eventually(
        lambda: json.loads(server.request("GET", f"/api/jobs/{number}")[1]),
        lambda job: job["state"] not in ("queued", "running"))


def odd_backup():
    """Returns a tar file that is no backup and contains a user text as a name."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name in ("manifest.json", FILE):
            archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    return file.getvalue()


def live(server):
    """Sends valid, invalid and foreign requests; returns a backup."""
    track = {"upload": upload(server, song(1), FILE + ".wav"), "title": TITLE}
    assert job(server, server.request("POST", "/api/tracks", track)[1])["state"] == "done"
    broken = {"upload": upload(server, b"ID3" + FILE.encode() * 50, FILE + ".mp3"), "title": TITLE}
    assert job(server, server.request("POST", "/api/tracks", broken)[1])["state"] == "failed"
    change = {"id": str(uuid.uuid4()), "type": "routine", "record": str(uuid.uuid4()),
              "fields": {"title": TITLE, "subtitle": NOTES}, "at": "1700000000000-0000-0000beef"}
    status, answer = server.request("POST", "/api/sync", {"since": 0, "changes": [change]})
    assert status == 200 and TITLE.encode() in answer and json.loads(answer)["rejected"] == []
    change = {"id": TITLE, "type": NOTES, "record": TITLE, "fields": {NOTES: [TITLE]}, "at": NOTES}
    server.request("POST", "/api/sync", {"since": 0, "changes": [change]})
    server.request("POST", "/api/sync", {"since": TITLE, "changes": [{NOTES: TITLE}]})
    server.request("GET", f"/api/{SEARCH}?q={SEARCH}", headers={"User-Agent": AGENT})
    server.request("GET", f"/{SEARCH}.html", headers={"Referer": f"https://{SEARCH}.example/"})
    assert server.request("GET", "/api/health", headers={"Host": f"{SEARCH}.example"})[0] == 421
    assert server.request(
        "POST", "/api/sync", {}, headers={"Origin": f"https://{SEARCH}.example"})[0] == 403
    assert server.request("POST", "/api/remote", {"command": {"x": TITLE * 300}})[0] == 413
    status, answer = server.request("GET", "/api/backup")
    assert status == 200
    archive = {"Content-Type": "application/x-tar"}
    connection = http.client.HTTPConnection("localhost", server.port)
    connection.request(
        "POST", "/api/restore", body=odd_backup(), headers={**archive, "Origin": server.origin})
    assert connection.getresponse().status == 422
    return answer


def test_every_line_of_the_log_parses_and_contains_no_user_text(tmp_path):
    log = tmp_path / "log"
    options = [*LAN, "--log-format", "json", "--backup-dir", str(tmp_path / "kept")]
    with Studio(tmp_path / "library", options=options, log=log) as server:
        secrets = []
        backup = live(server)
        code = server.code()["token"]
        secrets.append(code)
        token, device = server.pair(DEVICE)
        secrets.append(token)
        assert server.ask("GET", "/api/devices", "K" * 43)[0] == 401
        assert server.ask("GET", f"/api/{SEARCH}/{SEARCH}?{SEARCH}")[0] == 401
        assert server.ask("POST", "/api/restore", token)[0] == 403
        for _ in range(3):
            assert server.ask(
                "POST", f"/api/pairings/{SEARCH}/claim", body={"name": DEVICE})[0] == 404
        assert server.ask("DELETE", f"/api/devices/{device}", token)[0] == 204
        assert job(server, server.request("POST", "/api/backups")[1])["state"] == "done"
        key = json.loads((tmp_path / "library" / "serving.json").read_text())["key"]
        secrets += [key, "K" * 43]
        connection = http.client.HTTPConnection("localhost", server.port)
        connection.request("POST", "/api/restore", body=backup, headers={
            "Content-Type": "application/x-tar", "Origin": server.origin})
        assert connection.getresponse().status == 202
        eventually(lambda: "library.restored" in log.read_text(), bool)
        eventually(lambda: log.read_text().count("server.started"), lambda count: count == 2)
    # Standard output is empty, so a program can read the log alone.
    assert server.process.stdout.read() == ""
    text = log.read_text()
    for word in (*WRITTEN, *secrets):
        assert word[:8] not in text, word
    seen = entries(log)
    events = {entry["event"] for entry in seen}
    assert events >= {
        "server.started", "server.stopping", "server.stopped", "network.on", "job.started",
        "job.done", "job.failed", "backup.sent", "backup.written", "pairing.offered",
        "pairing.refused", "device.paired", "device.revoked", "request.refused",
        "restore.prepared", "job.handedOver", "library.restored"}
    refused = [entry["fields"] for entry in seen if entry["event"] == "request.refused"]
    assert {(one["status"], one["method"], one["route"]) for one in refused} >= {
        (421, "GET", "none"), (403, "POST", "/api/sync"), (413, "POST", "/api/remote"),
        (401, "GET", "/api/devices"), (403, "POST", "/api/restore")}
    assert all(one["address"] == "127.0.0.1" for one in refused)
    # Repeated refusals are logged once a minute.
    paired = [entry["fields"] for entry in seen if entry["event"] == "device.paired"]
    assert [one["device"] for one in paired] == [device]


def test_the_text_format_has_the_same_events_and_contains_no_user_text(tmp_path):
    log = tmp_path / "log"
    with Server(tmp_path / "library", log=log) as server:
        live(server)
        for _ in range(5):
            server.request("GET", "/api/health", headers={"Host": "evil.example"})
    text = log.read_text()
    assert not [word for word in WRITTEN if word[:8] in text]
    lines = text.splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (info|warning|error) ", line)
               for line in lines), text
    assert sum("status=421" in line for line in lines) == 1
    assert re.search(r"warning job\.failed job=[0-9a-f-]+ kind=import error=", text)


@pytest.mark.parametrize("form, read", [("text", str), ("json", json.loads)])
def test_a_failed_start_is_logged(tmp_path, form, read):
    words = ("serve", "--port", "0", "--data", tmp_path, "--log-format", form)
    with Server(tmp_path):
        refused = segmance(*words)
    assert refused.returncode == 1
    lines = refused.stderr.splitlines()
    assert "server.notStarted" in str(read(lines[0]))
    # The text format has a readable message.
    assert len(lines) == (2 if form == "text" else 1)
    assert segmance("serve", "--data", tmp_path, "--log-format", "xml").returncode == 2
