"""Twenty clips out of an hour, as a performer gets them: ordered, made and fetched as one zip."""

import json
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from studio import PROGRAM, Server, alternately, sample_song

FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
CLIPS = 20
SECONDS = 30
RATE = 48_000


def run(folder, table):
    song = sample_song(folder)
    mp3 = folder / "60.mp3"
    subprocess.run(
        [*FFMPEG, "-stream_loop", "59", "-i", song, "-b:a", "192k", mp3], check=True)
    data = folder / "library"
    subprocess.run(
        [PROGRAM, "import", mp3, "--routine", "Bench", "--data", data], check=True,
        stdout=subprocess.DEVNULL)
    random.seed(7)
    starts = sorted(random.sample(range(0, 60 * 60 - SECONDS), CLIPS))
    out = folder / "clips"
    out.mkdir()

    def peer(seeking, at_once=1):
        """Runs ffmpeg once for each clip: exact from the start of the file, or seeking in it."""
        def one(start):
            before = ["-ss", start] if seeking else []
            after = [] if seeking else ["-ss", start]
            words = [*FFMPEG, *before, "-i", mp3, *after, "-t", SECONDS, out / f"{start}.flac"]
            subprocess.run([str(word) for word in words], check=True)

        started = time.monotonic()
        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(one, starts))
        return time.monotonic() - started

    with Server(data) as server:
        records = server.json("POST", "/api/sync", {"since": 0})["records"]
        track = next(record["id"] for record in records if record["type"] == "track")
        order = {
            "format": "flac",
            "clips": [
                {"track": track, "start": start * RATE, "end": (start + SECONDS) * RATE,
                 "title": f"Clip at {start} s"} for start in starts],
        }

        # The analysis of an imported track runs once, in the background: it is not what is measured.
        while "attacks" not in server.json("GET", f"/api/tracks/{track}/analysis"):
            time.sleep(0.1)

        def ours():
            started = time.monotonic()
            job = server.json("POST", "/api/exports", order)["job"]
            while server.json("GET", f"/api/jobs/{job}")["state"] in ("queued", "running"):
                time.sleep(0.01)
            archive = server.request("GET", f"/api/exports/{job}")
            assert archive[:2] == b"PK", json.dumps(order)
            return time.monotonic() - started

        mine, exact = alternately(2, ours, lambda: peer(seeking=False))
        row(table, mine, f"ffmpeg -i IN -ss A -t {SECONDS}, {CLIPS} times", exact, "≤ 0.067")
        mine, inexact = alternately(3, ours, lambda: peer(seeking=True))
        row(table, mine, f"ffmpeg -ss A -i IN -t {SECONDS}, {CLIPS} times", inexact, "≤ 1")
        mine, inexact = alternately(3, ours, lambda: peer(seeking=True, at_once=2))
        row(table, mine, "the same, two at once", inexact, "")


def row(table, mine, name, theirs, aim):
    table.add(
        f"{CLIPS} clips of {SECONDS} s from a 60-minute MP3 as FLAC in a zip", f"{mine:.2f} s",
        f"{name}: {theirs:.2f} s", f"{mine / theirs:.3f}", aim)
