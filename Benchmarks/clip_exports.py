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


def run(folder, table, short=False):
    minutes, clips, seconds = (1, 2, 1) if short else (60, CLIPS, SECONDS)
    song = sample_song(folder)
    mp3 = folder / "song.mp3"
    subprocess.run(
        [*FFMPEG, "-stream_loop", str(minutes - 1), "-i", song, "-b:a", "192k", mp3], check=True)
    data = folder / "library"
    subprocess.run(
        [PROGRAM, "import", mp3, "--routine", "Bench", "--data", data], check=True,
        stdout=subprocess.DEVNULL)
    random.seed(7)
    starts = sorted(random.sample(range(0, minutes * 60 - seconds), clips))
    out = folder / "clips"
    out.mkdir()

    def peer(seeking, at_once=1):
        """Runs ffmpeg once for each clip: exact from the start of the file, or seeking in it."""
        def one(start):
            before = ["-ss", start] if seeking else []
            after = [] if seeking else ["-ss", start]
            words = [*FFMPEG, *before, "-i", mp3, *after, "-t", seconds, out / f"{start}.flac"]
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
                {"track": track, "start": start * RATE, "end": (start + seconds) * RATE,
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

        what = f"{clips} clips of {seconds} s from a {minutes}-minute MP3 as FLAC in a zip"
        rounds = 1 if short else 3
        mine, exact = alternately(min(2, rounds), ours, lambda: peer(seeking=False))
        row(table, what, mine, f"ffmpeg -i IN -ss A -t {seconds}, {clips} times", exact, "≤ 0.067")
        mine, inexact = alternately(rounds, ours, lambda: peer(seeking=True))
        row(table, f"{what}, against seeking", mine,
            f"ffmpeg -ss A -i IN -t {seconds}, {clips} times", inexact, "≤ 1")
        mine, inexact = alternately(rounds, ours, lambda: peer(seeking=True, at_once=2))
        row(table, f"{what}, against seeking, two at once", mine, "the same, two at once", inexact, "")


def row(table, what, mine, name, theirs, aim):
    table.add(
        what, f"{mine:.2f} s", f"{name}: {theirs:.2f} s", f"{mine / theirs:.3f}", aim)
