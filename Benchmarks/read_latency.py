"""How long the slowest hundredth of answers takes while 32 connections read without a pause: every route
that is read from, with a library of hundreds of routines. The chunk against nginx.

A route that the server describes and that is neither measured nor left out by name ends it, so that
a new one is thought of. What misses its aim makes the bench end with 1. What is made at length has no
aim: it is asked for alone, and the table says why.

Use: make bench BENCH=read
"""

import json
import os
import re
import subprocess
import tempfile
import time
import urllib.parse
import uuid
from dataclasses import dataclass, field

from filled_library import fill
from http_load import nginx_serving, seconds_alone
from studio import Server, alternately

ROUTINES, PARTS, MOVES = 400, 3_000, 20_000
CONNECTIONS = 32
SECONDS = 5
TIMES_ALONE = 5
AIM_MILLISECONDS = 50
AIM = f"99 % < {AIM_MILLISECONDS} ms"
RECENT = 50
VERSIONS = 20
RANGE = {"Range": "bytes=100000-165535"}
#: How often the short form asks.
TIMES_SHORT = 10

# Read from, and not measured, with the reason.
LEFT_OUT = {
    "GET /api/events": "stays open: there is no end of it to wait for",
    "GET /api/backup": "writes the whole library each time, which takes as long as its files are large",
    "GET /api/pairings/{token}": "answers ten times a minute, and is asked once for each device",
    "GET /api/authority.crt": "is there only where the studio has made certificates for its network",
}
# What pages read that is not in the description, or not by its method.
BESIDE = {"GET /", "POST /api/sync"}

#: A name that the speech program says.
SPOKEN = "/api/speech?language=en&text=Kick%20ball%20change"


@dataclass
class Case:
    """What is read, by its route in the description, and what is sent for it."""
    route: str
    name: str
    path: str
    headers: dict = field(default_factory=dict)
    body: str | None = None

    @property
    def method(self):
        return self.route.split()[0]


@dataclass
class LongCase(Case):
    """What is made each time it is read, and why that takes as long as it does."""
    reason: str = ""


# wrk counts what takes longer as an error, but it is to be in the table.
WRK = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "60s"]

# What wrk sends, and its percentiles: its own table of latencies stops at 99 %.
SCRIPT = """
wrk.method = "{method}"
wrk.body = {body}
function done(summary, latency, requests)
  print(string.format("percentiles %.1f %.1f", latency:percentile(99), latency:percentile(99.9)))
end
"""


def run(folder, table, short=False):
    routines, parts, moves = (4, 8, 60) if short else (ROUTINES, PARTS, MOVES)
    records = f"{routines + parts + moves:,} records"
    measure = measure_alone if short else measure_under_load
    connections = "alone" if short else f"{CONNECTIONS} connections"
    library = folder / "library"
    fill(folder, library, routines, parts, moves)
    with Server(library) as server:
        sample = server.json("POST", "/api/sample")
        if sample.get("job"):
            server.wait_for_job(sample["job"])
        track = sample["track"]
        # The analysis is made in the background after the import.
        while b"attacks" not in server.request("GET", f"/api/tracks/{track}/analysis"):
            time.sleep(0.1)
        cases = all_cases(server, folder, sample, records)
        long_cases = all_long_cases(server, sample, records)
        check_completeness(server, {case.route for case in [*cases, *long_cases]})
        print(f"{connections}; load average before: {os.getloadavg()[0]:.2f}")
        for case in cases:
            rate, late, later = measure(server.origin, case)
            table.add(
                f"{case.method} {case.name}, {connections}",
                f"99 %: {late:.1f} ms, 99.9 %: {later:.1f} ms", f"{rate:,.0f}/s", "", AIM,
                missed=late >= AIM_MILLISECONDS and not short)
        for case in long_cases:
            times = 1 if short else TIMES_ALONE
            longest = max(seconds_alone(
                server.origin + case.path, case.headers, times, case.method, case.body))
            table.add(
                f"{case.method} {case.name}, alone",
                f"the longest of {times}: {longest * 1000:.1f} ms", "", "", f"none: {case.reason}")
        for route, reason in LEFT_OUT.items():
            table.add(route, "not measured", "", "", reason)
        if short:
            # nginx is none of the tests' packages.
            return
        chunk = Case("GET /api/tracks/{id}/chunks/{n}", "", f"/api/tracks/{track}/chunks/1")
        with nginx_serving(folder, library / "derived" / track) as origin:
            mine, peer = alternately(
                3, lambda: measure(server.origin, chunk)[1],
                lambda: measure(origin, Case("GET /", "", "/00001.flac"))[1])
        table.add(
            f"the chunk again, slowest hundredth, {CONNECTIONS} connections", f"{mine:.1f} ms",
            f"nginx: {peer:.1f} ms", f"{mine / peer:.2f}", AIM, missed=mine >= AIM_MILLISECONDS)


def all_cases(server, folder, sample, records):
    """Everything that is measured; makes what is to be read."""
    track = f"/api/tracks/{sample['track']}"
    routine = sample["routine"]
    video = f"/api/videos/{add_video(server, folder)}"
    stretch = {"track": sample["track"], "start": 0, "end": 960_000}
    finish(server, server.json("POST", f"{video}/alignment", stretch))
    recording = f"/api/recordings/{add_recording(server)}"
    edit_often(server, routine)
    upload = server.begin_upload(100_000)
    export = finish(server, server.json("POST", "/api/exports", {"format": "wav", "clips": [
        {"track": sample["track"], "start": 0, "end": 480_000, "title": "The beginning"}]}))
    link = add_link(server, routine)
    recent = json.dumps({"since": last_number(server) - RECENT, "changes": []})
    return [
        Case("GET /", "/, Brotli", "/", {"Accept-Encoding": "br"}),
        Case("GET /api/health", "health", "/api/health"),
        Case("GET /api/session", "session", "/api/session"),
        Case("GET /api/devices", "devices", "/api/devices"),
        Case("GET /api/network", "network", "/api/network"),
        Case("GET /api/clock", "the clock of those who play together", "/api/clock"),
        Case("GET /api/remote", "players that are open", "/api/remote"),
        Case("GET /api/backups", "backups", "/api/backups"),
        Case("GET /api/openapi.json", "the description", "/api/openapi.json"),
        Case("GET /api/jobs/{id}", "a job", f"/api/jobs/{export}"),
        Case("GET /api/tracks/{id}/chunks/{n}", "a chunk", f"{track}/chunks/1"),
        Case("GET /api/tracks/{id}/chunks/{n}", "a range of 64 kB of a chunk",
             f"{track}/chunks/1", RANGE),
        Case("GET /api/tracks/{id}/peaks", "the peaks of a minute, 512 frames a pair",
             f"{track}/peaks?framesPerPixel=512"),
        Case("GET /api/tracks/{id}/peaks", "the finest stored peaks",
             f"{track}/peaks?framesPerPixel=64"),
        Case("GET /api/tracks/{id}/analysis", "a track's analysis", f"{track}/analysis"),
        Case("GET /api/tracks/{id}/original", "a range of 64 kB of a track's original",
             f"{track}/original", RANGE),
        Case("GET /api/videos/{id}/poster", "a poster", f"{video}/poster"),
        Case("GET /api/videos/{id}/file", "a range of 64 kB of a video", f"{video}/file", RANGE),
        Case("GET /api/videos/{id}/original", "a range of 64 kB of a video's original",
             f"{video}/original", RANGE),
        Case("GET /api/videos/{id}/alignment", "where a video lies on the music",
             f"{video}/alignment?{urllib.parse.urlencode(stretch)}"),
        Case("GET /api/recordings/{id}/voice", "the name of a move in the performer's voice", f"{recording}/voice"),
        Case("GET /api/recordings/{id}/original", "the recording of a name as it was uploaded",
             f"{recording}/original"),
        Case("GET /api/export/empty-countsheet", "an empty eight-count sheet",
             "/api/export/empty-countsheet"),
        Case("GET /api/records/{type}/{id}/history", f"{VERSIONS} earlier versions of a title",
             f"/api/records/routine/{routine}/history"),
        Case("GET /api/routines/{id}/changes", "what has changed in a routine",
             f"/api/routines/{routine}/changes?since=0"),
        Case("GET /api/links", "links", "/api/links"),
        Case("GET /api/links/{id}/records", "what a link shows", f"{link}/records"),
        Case("GET /api/links/{id}/code", "the code of a link's address", f"{link}/code"),
        Case("GET /api/people", "people", "/api/people"),
        Case("GET /api/groups", "groups", "/api/groups"),
        Case("GET /api/sign-in", "how anybody can sign in", "/api/sign-in"),
        Case("GET /api/people/{id}/credentials", "how a person can sign in", "/api/people/owner/credentials"),
        Case("GET /api/push", "whether a device is notified", "/api/push"),
        Case("GET /robots.txt", "what robots may visit", "/robots.txt"),
        Case("GET /api/exports/{job}", "a range of 64 kB of a zip of clips",
             f"/api/exports/{export}", RANGE),
        Case("HEAD /api/uploads/{id}", "how much of an upload is here", upload,
             {"Tus-Resumable": "1.0.0"}),
        Case("POST /api/sync", f"the {RECENT} most recent of {records}", "/api/sync",
             as_json(server), recent),
    ]


def all_long_cases(server, sample, records):
    """Everything that is made at length."""
    routine = f"/api/routines/{sample['routine']}/export"
    return [
        LongCase("GET /api/tracks/{id}/audio", "a clip of 10 s as WAV",
                 f"/api/tracks/{sample['track']}/audio?start=0&end=480000", reason="ffmpeg makes it"),
        LongCase("GET /api/speech", "a name that is said", SPOKEN,
                 reason="the speech program says it; pages keep it"),
        LongCase("GET /api/routines/{id}/export", "a routine as a page with waveforms",
                 f"{routine}?format=html", reason="a file that is written when it is wanted"),
        LongCase("GET /api/routines/{id}/export", "a routine as JSON", f"{routine}?format=json",
                 reason="a file that is written when it is wanted"),
        LongCase("GET /api/export", f"all routines as JSON, {records}", "/api/export?format=json",
                 reason="writes the whole notebook"),
        LongCase("POST /api/sync", f"a full page of 5,000 of {records}", "/api/sync", as_json(server),
                 json.dumps({"since": 0, "changes": []}),
                 reason="only a new device asks for it, once for each 5,000 records"),
    ]


def check_completeness(server, measured):
    """Ends the benchmark unless each route that is read from is measured or left out by name."""
    paths = server.json("GET", "/api/openapi.json")["paths"]
    described = {
        f"{method.upper()} {path}" for path, methods in paths.items() for method in methods
        if method in ("get", "head")}
    if forgotten := described - measured - LEFT_OUT.keys():
        raise SystemExit(f"Neither measured nor left out: {', '.join(sorted(forgotten))}")
    if gone := (measured | LEFT_OUT.keys()) - described - BESIDE:
        raise SystemExit(f"There is no such route: {', '.join(sorted(gone))}")


def add_link(server, routine):
    """Makes a link to a routine; returns its address in the interface."""
    tomorrow = int(time.time() * 1000) + 86_400_000
    return f"/api/links/{server.json('POST', '/api/links', {'routine': routine, 'expiresAt': tomorrow})['id']}"


def finish(server, answer):
    """Waits for the job of an answer; returns its id."""
    if server.wait_for_job(answer["job"]) != "done":
        raise SystemExit(f"A job failed: {server.json('GET', '/api/jobs/' + answer['job'])}")
    return answer["job"]


def last_number(server):
    """The sequence number of the latest record."""
    seq, more = 0, True
    while more:
        page = server.json("POST", "/api/sync", {"since": seq, "changes": []})
        seq, more = page["seq"], page["more"]
    return seq


def edit_often(server, routine):
    """Gives a routine's title earlier versions."""
    now = int(time.time() * 1000)
    for number in range(VERSIONS + 1):
        # Each by a device of its own: what one writes in five minutes is one version.
        change = {
            "id": str(uuid.uuid4()), "type": "routine", "record": routine,
            "fields": {"title": f"Title {number}"},
            "at": f"{now + number:013d}-0000-{number:08x}"}
        answer = server.json("POST", "/api/sync", {"since": 0, "changes": [change]})
        if answer["rejected"]:
            raise SystemExit(f"An edit was refused: {answer['rejected']}")
    versions = server.json("GET", f"/api/records/routine/{routine}/history")["versions"]
    if len(versions) < VERSIONS:
        raise SystemExit(f"There are only {len(versions)} earlier versions.")


def as_json(server):
    """The header of what this server's own pages send."""
    return {"Content-Type": "application/json", "Origin": server.origin}


def measure_under_load(origin, case):
    """Answers a second, and the milliseconds that 99 and 99.9 % of them take at most."""
    headers = [word for name, value in case.headers.items() for word in ("-H", f"{name}: {value}")]
    body = "nil" if case.body is None else f"'{case.body}'"
    url = origin + case.path
    script = SCRIPT.replace("{method}", case.method).replace("{body}", body)
    # A file with a name: wrk reads it once for each thread and once more.
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        result = subprocess.run(
            [*WRK, *headers, "-s", file.name, url], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in result or "Socket errors" in result:
        raise SystemExit(f"{url}: {result}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", result).group(1))
    if rate == 0:
        # Its percentiles would be 0, the best of all.
        raise SystemExit(f"{url}: nothing was answered in {SECONDS} s.")
    late, later = re.search(r"percentiles ([\d.]+) ([\d.]+)", result).groups()
    return rate, float(late) / 1000, float(later) / 1000


def measure_alone(origin, case):
    """The same of a few answers, one after another."""
    times = seconds_alone(
        origin + case.path, case.headers, TIMES_SHORT, case.method, case.body)
    return TIMES_SHORT / sum(times), max(times) * 1000, max(times) * 1000


def add_recording(server):
    """The recorded name of a move, said by the speech program; returns its id once it is prepared."""
    said = server.request("GET", SPOKEN)
    made = server.json("POST", "/api/recordings", {"upload": server.upload(said, "name.wav")})
    finish(server, made)
    return made["id"]


def add_video(server, folder):
    """Twenty seconds of moving pictures; returns the video's id once it can be played."""
    film = folder / "film.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=20", "-f", "lavfi",
         "-i", "sine=440:d=20", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "2M",
         "-c:a", "aac", film], check=True)
    made = server.json(
        "POST", "/api/videos", {"upload": server.upload(film.read_bytes(), film.name)})
    server.wait_for_job(made["job"])
    return made["id"]
