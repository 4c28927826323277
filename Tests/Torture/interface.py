"""The interface compared with its OpenAPI description. schemathesis sends valid and invalid requests. No
request may cause a server error or an undescribed response, no valid request may be called unreadable,
and no invalid one may be accepted.

Excluded: `/api/events`, whose stream does not end, so that each request would run into its timeout; a
page checks the events meanwhile. A successful restore, after which the server restarts: the sent body
is no backup. And the checks in interface.toml.""" 

import collections
import contextlib
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time
import uuid

import rig

import network_support

# With fewer examples only the results of fuzzing are checked.
FEW = 5
# The frames of the stretch that is aligned and exported.
ALIGNED = 48_000
# The number of records to delete and of devices to rename, so that some are left.
SPARE = 3


class Studio(network_support.Studio, rig.Server):
    """A server with all features, whose network listener is only on this machine."""

    def __init__(self, program, folder):
        rig.Server.__init__(self, program, folder, flags=[
            *network_support.LAN, "--metrics", "--backup-dir", str(folder) + "-backups"])
        self.lan = self.network()["addresses"][0]


def run(program, folder, examples, seed=1):
    """Tries `examples` requests at each operation, most of them for existing records."""
    answers = folder / f"answers-{seed}"
    answers.touch()
    with Studio(program, folder / f"interface-{seed}") as server, Page(server) as page:
        phases = "fuzzing" if examples < FEW else "coverage,fuzzing,stateful"
        here = pathlib.Path(__file__).parent
        result = subprocess.run(
            [str(pathlib.Path(sys.executable).parent / "schemathesis"),
             "--config-file", str(here / "interface.toml"), "run",
             f"{server.origin}/api/openapi.json", "--phases", phases,
             "--header", f"Origin: {server.origin}",
             "--max-examples", str(examples), "--seed", str(seed),
             "--exclude-path", "/api/events", "--request-timeout", "60",
             "--suppress-health-check", "all", "--no-color", "--generation-database", "none"],
            capture_output=True, text=True, cwd=folder,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "interface_hooks",
                 "SEGMANCE_KNOWN": json.dumps(known(server, folder, page)),
                 "SEGMANCE_ANSWERS": str(answers), "PYTHONPATH": str(here)})
        rig.holds(server.process.poll() is None, "The server ended.")
    faults = server.faults()
    rig.holds(not faults, f"Faults in the log: {faults[:3]}")
    report = result.stdout.split("=== WARNINGS ===")[0].split("=== FAILURES ===")[-1]
    if result.returncode != 0 and "=== FAILURES ===" not in result.stdout:
        raise SystemExit(f"Schemathesis could not do its work: {result.stdout}{result.stderr}")
    rig.holds(result.returncode == 0, report[-3000:])
    said = next(
        line.strip() for line in reversed(result.stdout.splitlines()) if "generated" in line)
    return f"{said}; {found(answers.read_text(), examples)}; {page.heard} events"


def found(answers, examples):
    """Returns a summary of the requests for existing records. In the long form every address needs one."""
    statuses = collections.defaultdict(collections.Counter)
    for line in answers.splitlines():
        method, path, status = line.split(" ")
        statuses[method, path][int(status)] += 1
    with_id = {
        operation: seen for operation, seen in statuses.items() if "{" in operation[1]}
    asked = sum(seen.total() for seen in with_id.values())
    strangers = sum(seen[404] for seen in with_id.values())
    if examples >= FEW:
        in_vain = [operation for operation, seen in with_id.items() if seen.total() == seen[404]]
        rig.holds(not in_vain, f"Nothing that is there was asked for at: {in_vain}")
    return f"{asked - strangers} of {asked} with an id about what is there"


class Page:
    """A page that receives the server's events, and checks each."""

    def __init__(self, server):
        self.client = str(uuid.uuid4())
        self.heard = 0
        self.wrong = []
        self.connection = http.client.HTTPConnection("localhost", server.port, timeout=60)
        self.connection.request("GET", f"/api/events?client={self.client}&name=Page")
        self.answer = self.connection.getresponse()
        rig.holds(self.answer.status == 200, f"The events were answered {self.answer.status}.")
        self.listener = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self):
        self.listener.start()
        return self

    def _listen(self):
        # Closing can cut the stream in the middle of an event. An earlier end is reported on exit.
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            for line in self.answer:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "data":
                    self._take(value)

    def _take(self, value):
        self.heard += 1
        try:
            json.loads(value)
        except json.JSONDecodeError:
            self.wrong.append(value)

    def __exit__(self, kind, *_):
        stayed = self.listener.is_alive()
        self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.listener.join(timeout=30)
        self.connection.close()
        if kind is None:
            rig.holds(not self.wrong, f"No JSON in events: {self.wrong[:3]}")
            rig.holds(stayed and self.heard > 0, f"The events ended after {self.heard}.")


def known(server, folder, page):
    """Makes some records of every kind; returns the ids by the first word of their addresses."""
    sample = accepted(server, "/api/sample")
    rig.wait_for_jobs(server)
    edits = {
        "part": {"routine": sample["routine"], "title": "Part", "position": "V"},
        "move": {"part": identifier("part"), "title": "Move", "position": "V"}}
    for kind, fields in edits.items():
        edit(server, kind, fields)
        # The change of another device creates an earlier version.
        edit(server, kind, {"title": "Renamed"}, device=0xCAFE)
    videos = [video(folder, number) for number in range(2 * SPARE)]
    made = [bring(server, "/api/videos", content) for content in videos[:SPARE]]
    jobs = [ended(server, one["job"]) for one in made]
    # One track is used and therefore stays.
    edit(server, "part", {"video": made[0]["id"]})
    songs = [rig.studio.song(0.2, 100 + number) for number in range(2 * SPARE)]
    tracks = [bring(server, "/api/tracks", content) for content in songs[:SPARE]]
    stretch = {"track": sample["track"], "start": 0, "end": ALIGNED}
    alignments = [
        accepted(server, f"/api/videos/{one['id']}/alignment", stretch) for one in made]
    export = accepted(server, "/api/exports", {"clips": [stretch], "format": "wav"})
    backup = accepted(server, "/api/backups")
    for one in [*tracks, *alignments, export, backup]:
        jobs.append(ended(server, one["job"]))
    more = videos[SPARE:] + songs[SPARE:]
    complete = [rig.upload(server, "more", content)[1] for content in more]
    devices = [server.pair(f"Phone {number}")[1] for number in range(SPARE)]
    links = [link(server, sample["routine"]) for _ in range(2 * SPARE)]
    return {
        "tracks": [sample["track"], *(one["id"] for one in tracks)],
        "videos": [one["id"] for one in made],
        "routines": [sample["routine"]], "jobs": [sample["job"], *jobs],
        "exports": [export["job"]], "devices": devices, "links": links,
        "pairings": [server.code()["token"] for _ in range(2)],
        "records": {
            "routine": [sample["routine"]], "part": [identifier("part")],
            "move": [identifier("move")]},
        "uploads": [begun(server) for _ in range(2 * SPARE)], "complete": complete,
        "chunks": list(range(3)), "clients": [page.client],
        "stretched": [sample["track"]], "aligned": ALIGNED}


def link(server, routine):
    """Makes a link to a routine that ends tomorrow; returns its id."""
    ends = int(time.time() * 1000) + 86_400_000
    status, content = server.request("POST", "/api/links", {"routine": routine, "expiresAt": ends})
    rig.holds(status == 201, f"A link was answered with {status}: {content[:300]}")
    return json.loads(content)["id"]


def accepted(server, path, value=None):
    """Sends a request that starts a job; returns the response with the job."""
    status, content = server.request("POST", path, value)
    rig.holds(status == 202, f"{path} was answered with {status}: {content[:300]}")
    return json.loads(content)


def bring(server, path, content):
    """Uploads a file and makes a track or video of it."""
    status, upload = rig.upload(server, "made", content)
    rig.holds(status == 204, f"An upload was answered with {status}.")
    return accepted(server, path, {"upload": upload})


def begun(server):
    """Creates an upload without any bytes."""
    connection = http.client.HTTPConnection("localhost", server.port, timeout=30)
    connection.request("POST", "/api/uploads", headers={
        "Origin": server.origin, "Tus-Resumable": "1.0.0", "Upload-Length": "100000"})
    answer = connection.getresponse()
    rig.holds(answer.status == 201, f"An upload was answered with {answer.status}.")
    connection.close()
    return answer.headers["Location"].rsplit("/", 1)[1]


def ended(server, job):
    """Waits until a job is done; returns its id."""
    def look():
        return json.loads(server.request("GET", f"/api/jobs/{job}")[1])
    row = rig.studio.last_seen(look, lambda row: row["state"] in ("done", "failed"), 60)
    rig.holds(row["state"] == "done", f"A job is not done: {row}")
    return job


def identifier(kind):
    """Returns the id of the single record of a type."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, kind))


def edit(server, kind, fields, device=0xBEEF):
    one = rig.change(kind, identifier(kind), fields, device)
    status, content = server.request("POST", "/api/sync", {"since": 0, "changes": [one]})
    refused = json.loads(content).get("rejected")
    rig.holds(status == 200 and not refused, f"Not taken: {content[:300]}")


def video(folder, number):
    """Makes a video of one second that every browser plays unchanged, different for each number."""
    target = folder / f"video-{number}.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10",
         "-f", "lavfi", "-i", f"sine=frequency={300 + 50 * number}", "-t", "1", "-c:v", "libx264",
         "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
         "-movflags", "+faststart", str(target)],
        check=True)
    return target.read_bytes()
