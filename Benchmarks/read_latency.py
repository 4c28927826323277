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
import time
import urllib.parse
import uuid
from dataclasses import dataclass, field

from http_load import nginx_serving
from studio import PROGRAM, Child, Server, alternately

ROUTINES, PARTS, MOVES = 400, 3_000, 20_000
RECORDS = f"{ROUTINES + PARTS + MOVES:,} records"
CONNECTIONS = 32
SECONDS = 5
TIMES_ALONE = 5
AIM_MILLISECONDS = 50
AIM = f"99 % < {AIM_MILLISECONDS} ms"
RECENT = 50
VERSIONS = 20
RANGE = ["-H", "Range: bytes=100000-165535"]

# Read from, and not measured, with the reason.
LEFT_OUT = {
    "GET /api/events": "stays open: there is no end of it to wait for",
    "GET /api/backup": "writes the whole library each time, which takes as long as its files are large",
    "GET /api/authority.crt": "is there only where the studio has made certificates for its network",
}
# What pages read that is not in the description, or not by its method.
BESIDE = {"GET /", "POST /api/sync"}


@dataclass
class Case:
    """What is read, by its route in the description, and what wrk has to be told for it."""
    route: str
    name: str
    path: str
    options: list = field(default_factory=list)


@dataclass
class LongCase:
    """What is made each time it is read, and why that takes as long as it does."""
    route: str
    name: str
    path: str
    reason: str
    body: str | None = None


# wrk counts what takes longer as an error, but it is to be in the table.
WRK = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "60s"]

HEAD = """
wrk.method = "HEAD"
wrk.headers["Tus-Resumable"] = "1.0.0"
"""
POST = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Origin"] = "{origin}"
wrk.body = '{body}'
"""


def run(folder, table):
    library = folder / "library"
    Child([PROGRAM, "fill", "--routines", ROUTINES, "--parts", PARTS, "--moves", MOVES,
           "--data", library])
    with Server(library) as server:
        sample = server.json("POST", "/api/sample")
        if sample.get("job"):
            server.wait_for_job(sample["job"])
        track = sample["track"]
        # The analysis is made in the background after the import.
        while b"attacks" not in server.request("GET", f"/api/tracks/{track}/analysis"):
            time.sleep(0.1)
        cases = all_cases(server, folder, sample)
        long_cases = all_long_cases(sample)
        check_completeness(server, {case.route for case in [*cases, *long_cases]})
        load = os.getloadavg()[0]
        print(f"{CONNECTIONS} connections, {SECONDS} s each; load average before: {load:.2f}")
        for case in cases:
            rate, late, later = measure(server.origin + case.path, case.options)
            table.add(
                f"{case.route.split()[0]} {case.name}, {CONNECTIONS} connections",
                f"99 %: {late:.1f} ms, 99.9 %: {later:.1f} ms", f"{rate:,.0f}/s", "", AIM,
                missed=late >= AIM_MILLISECONDS)
        for case in long_cases:
            table.add(
                f"{case.route.split()[0]} {case.name}, alone",
                f"the longest of {TIMES_ALONE}: {measure_alone(server, case):.1f} ms", "", "",
                f"none: {case.reason}")
        for route, reason in LEFT_OUT.items():
            table.add(route, "not measured", "", "", reason)
        chunk = f"/api/tracks/{track}/chunks/1"
        with nginx_serving(folder, library / "derived" / track) as origin:
            mine, peer = alternately(
                3, lambda: measure(server.origin + chunk, [])[1],
                lambda: measure(f"{origin}/00001.flac", [])[1])
        table.add(
            f"the chunk again, slowest hundredth, {CONNECTIONS} connections", f"{mine:.1f} ms",
            f"nginx: {peer:.1f} ms", f"{mine / peer:.2f}", AIM, missed=mine >= AIM_MILLISECONDS)


def all_cases(server, folder, sample):
    """Everything that is measured; makes what is to be read."""
    track = f"/api/tracks/{sample['track']}"
    routine = sample["routine"]
    video = f"/api/videos/{add_video(server, folder)}"
    stretch = {"track": sample["track"], "start": 0, "end": 960_000}
    finish(server, server.json("POST", f"{video}/alignment", stretch))
    edit_often(server, routine)
    upload = server.begin_upload(100_000)
    export = finish(server, server.json("POST", "/api/exports", {"format": "wav", "clips": [
        {"track": sample["track"], "start": 0, "end": 480_000, "title": "The beginning"}]}))
    recent = script(folder, "recent", POST.format(origin=server.origin, body=json.dumps(
        {"since": last_number(server) - RECENT, "changes": []})))
    head = script(folder, "head", HEAD)
    return [
        Case("GET /", "/, Brotli", "/", ["-H", "Accept-Encoding: br"]),
        Case("GET /api/health", "health", "/api/health"),
        Case("GET /api/session", "session", "/api/session"),
        Case("GET /api/devices", "devices", "/api/devices"),
        Case("GET /api/network", "network", "/api/network"),
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
        Case("GET /api/records/{type}/{id}/history", f"{VERSIONS} earlier versions of a title",
             f"/api/records/routine/{routine}/history"),
        Case("GET /api/exports/{job}", "a range of 64 kB of a zip of clips",
             f"/api/exports/{export}", RANGE),
        Case("HEAD /api/uploads/{id}", "how much of an upload is here", upload, ["-s", head]),
        Case("POST /api/sync", f"the {RECENT} most recent of {RECORDS}", "/api/sync",
             ["-s", recent]),
    ]


def all_long_cases(sample):
    """Everything that is made at length."""
    routine = f"/api/routines/{sample['routine']}/export"
    return [
        LongCase("GET /api/tracks/{id}/audio", "a clip of 10 s as WAV",
                 f"/api/tracks/{sample['track']}/audio?start=0&end=480000", "ffmpeg makes it"),
        LongCase("GET /api/routines/{id}/export", "a routine as a page with waveforms",
                 f"{routine}?format=html", "a file that is written when it is wanted"),
        LongCase("GET /api/routines/{id}/export", "a routine as JSON", f"{routine}?format=json",
                 "a file that is written when it is wanted"),
        LongCase("GET /api/export", f"all routines as JSON, {RECORDS}", "/api/export?format=json",
                 "writes the whole notebook"),
        LongCase("POST /api/sync", f"a full page of 5,000 of {RECORDS}", "/api/sync",
                 "only a new device asks for it, once for each 5,000 records",
                 json.dumps({"since": 0, "changes": []})),
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


def script(folder, name, text):
    """Writes what wrk is to do; returns the file's path."""
    path = folder / f"{name}.lua"
    path.write_text(text)
    return str(path)


def measure(url, options):
    """Answers a second, and the milliseconds that 99 and 99.9 % of them take at most."""
    result = subprocess.run(
        [*WRK, "-s", "/dev/stdin", *options, url]
        if "-s" not in options else
        [*WRK, *options, url],
        input=DONE, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in result or "Socket errors" in result:
        raise SystemExit(f"{url}: {result}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", result).group(1))
    if rate == 0:
        # Its percentiles would be 0, the best of all.
        raise SystemExit(f"{url}: nothing was answered in {SECONDS} s.")
    late, later = re.search(r"percentiles ([\d.]+) ([\d.]+)", result).groups()
    return rate, float(late) / 1000, float(later) / 1000


def measure_alone(server, case):
    """The longest of a few answers, one after another, in milliseconds."""
    longest = 0.0
    for _ in range(TIMES_ALONE):
        started = time.monotonic()
        server.request(case.route.split()[0], case.path, case.body)
        longest = max(longest, time.monotonic() - started)
    return longest * 1000


# wrk's own table of latencies stops at 99 %.
DONE = """
function done(summary, latency, requests)
  print(string.format("percentiles %.1f %.1f", latency:percentile(99), latency:percentile(99.9)))
end
"""
HEAD += DONE
POST += DONE.replace("{", "{{").replace("}", "}}")


def add_video(server, folder):
    """Twenty seconds of moving pictures; returns the video's id once it can be played."""
    film = folder / "film.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=20", "-f", "lavfi",
         "-i", "sine=440:d=20", "-c:v", "libx264", "-b:v", "2M", "-c:a", "aac", film], check=True)
    made = server.json(
        "POST", "/api/videos", {"upload": server.upload(film.read_bytes(), film.name)})
    server.wait_for_job(made["job"])
    return made["id"]
