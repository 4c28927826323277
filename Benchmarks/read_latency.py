"""How long the slowest hundredth of answers takes while 32 connections read without a pause: every route
that a page reads from, with a library of hundreds of routines. The chunk against nginx.

Use: make bench BENCH=read
"""

import json
import os
import re
import subprocess
import time

from http_load import nginx_serving
from studio import PROGRAM, Child, Server, alternately

ROUTINES, PARTS, MOVES = 400, 3_000, 20_000
CONNECTIONS = 32
SECONDS = 5
AIM = "99 % < 50 ms"
RECENT = 50

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
        video = add_video(server, folder)
        seq, more = 0, True
        while more:
            page = server.json("POST", "/api/sync", {"since": seq, "changes": []})
            seq, more = page["seq"], page["more"]
        script = folder / "recent.lua"
        script.write_text(POST.format(
            origin=server.origin, body=json.dumps({"since": seq - RECENT, "changes": []})))
        load = os.getloadavg()[0]
        print(f"{CONNECTIONS} connections, {SECONDS} s each; load average before: {load:.2f}")
        chunk = f"/api/tracks/{track}/chunks/1"
        brotli = ["-H", "Accept-Encoding: br"]
        cases = [
            ("/, Brotli", "/", brotli),
            ("/api/health", "/api/health", []),
            ("/api/session", "/api/session", []),
            ("/api/devices", "/api/devices", []),
            ("a chunk", chunk, []),
            ("a range of 64 kB of a chunk", chunk, ["-H", "Range: bytes=100000-165535"]),
            ("the peaks of a minute, 512 frames a pair",
             f"/api/tracks/{track}/peaks?framesPerPixel=512", []),
            ("the finest stored peaks", f"/api/tracks/{track}/peaks?framesPerPixel=64", []),
            ("a track's analysis", f"/api/tracks/{track}/analysis", []),
            ("a poster", f"/api/videos/{video}/poster", []),
            ("a range of 64 kB of a video", f"/api/videos/{video}/file",
             ["-H", "Range: bytes=100000-165535"]),
            (f"POST /api/sync, the {RECENT} most recent of {ROUTINES + PARTS + MOVES:,} records",
             "/api/sync", ["-s", str(script)]),
        ]
        # The analysis is made in the background after the import.
        while b"attacks" not in server.request("GET", f"/api/tracks/{track}/analysis"):
            time.sleep(0.1)
        for name, path, options in cases:
            rate, late, later = measure(server.origin + path, options)
            row(table, name, rate, late, later)
        with nginx_serving(folder, library / "derived" / track) as origin:
            mine, peer = alternately(
                3, lambda: measure(server.origin + chunk, [])[1],
                lambda: measure(f"{origin}/00001.flac", [])[1])
        table.add(
            f"the chunk again, slowest hundredth, {CONNECTIONS} connections", f"{mine:.1f} ms",
            f"nginx: {peer:.1f} ms", f"{mine / peer:.2f}", AIM)


def row(table, name, rate, late, later):
    table.add(
        f"{'' if name.startswith('POST') else 'GET '}{name}, {CONNECTIONS} connections",
        f"99 %: {late:.1f} ms, 99.9 %: {later:.1f} ms", f"{rate:,.0f}/s", "", AIM)


def measure(url, options):
    """Answers a second, and the milliseconds that 99 and 99.9 % of them take at most."""
    result = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", "/dev/stdin", *options, url]
        if "-s" not in options else
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", *options, url],
        input=DONE, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in result or "Socket errors" in result:
        raise SystemExit(f"{url}: {result}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", result).group(1))
    late, later = re.search(r"percentiles ([\d.]+) ([\d.]+)", result).groups()
    return rate, float(late) / 1000, float(later) / 1000


# wrk's own table of latencies stops at 99 %.
DONE = """
function done(summary, latency, requests)
  print(string.format("percentiles %.1f %.1f", latency:percentile(99), latency:percentile(99.9)))
end
"""
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
