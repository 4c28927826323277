"""The conversion of a minute of HEVC as phones film it, against ffmpeg outside of any sandbox."""

import http.client
import json
import subprocess
import threading
import time

from studio import Child, Server

FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]


def run(folder, table, short=False):
    size, seconds = ("320x180", 4) if short else ("1920x1080", 60)
    film = folder / "film.mov"
    subprocess.run(
        [*FFMPEG, "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30:d={seconds}", "-f", "lavfi",
         "-i", f"sine=d={seconds}", "-vf", "noise=alls=6:allf=t", "-c:v", "libx265", "-preset", "ultrafast",
         "-x265-params", "log-level=none", "-pix_fmt", "yuv420p", "-tag:v", "hvc1", "-c:a", "aac",
         film], check=True)
    with Server(folder / "library") as server:
        taken, gap = convert(server, film)
        # A film of seconds is converted before it can be cancelled.
        cancel = None if short else cancelled_after(server, film)
    peer = Child(
        [*FFMPEG, "-i", film, "-c:v", "libx264", "-preset", "veryfast", "-crf", "21",
         "-pix_fmt", "yuv420p", "-g", "15", "-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart",
         folder / "peer.mp4"])
    table.add(
        f"conversion of {seconds} s of {size} HEVC, everything included", f"{taken:.1f} s",
        f"plain ffmpeg, the same encoder: {peer.seconds:.1f} s", f"{taken / peer.seconds:.2f}",
        "≤ 1.15")
    table.add("longest wait between two of its progress events", f"{gap:.2f} s", "", "", "≤ 1 s")
    if cancel is not None:
        table.add("from cancelling it to its end", f"{cancel:.2f} s", "", "", "≤ 1 s")


def convert(server, film):
    """Converts the film; returns how long it took and the longest wait between events."""
    times, ends = [], []
    ended = threading.Event()

    def listen():
        connection = http.client.HTTPConnection("localhost", server.port)
        connection.request("GET", "/api/events")
        answer = connection.getresponse()
        listening.set()
        while not ended.is_set():
            line = answer.readline().decode()
            if not line.startswith("data: ") or '"convert"' not in line:
                continue
            times.append(time.monotonic())
            state = json.loads(line[len("data: "):])["state"]
            if state not in ("queued", "running"):
                ends.append(state)
                ended.set()

    listening = threading.Event()
    threading.Thread(target=listen, daemon=True).start()
    listening.wait()
    add(server, film)
    if not ended.wait(600):
        raise SystemExit("The conversion did not end.")
    if ends != ["done"]:
        raise SystemExit(f"The conversion ended as {ends}.")
    gaps = [later - earlier for earlier, later in zip(times, times[1:])]
    return times[-1] - times[0], max(gaps)


def cancelled_after(server, film):
    """Cancels the conversion of the film half-way; returns how long that took."""
    # Other bytes, or it would be known.
    job = add(server, film, (8).to_bytes(4, "big") + b"free")
    while server.json("GET", f"/api/jobs/{job}")["progress"] < 0.3:
        time.sleep(0.05)
    started = time.monotonic()
    server.request("DELETE", f"/api/jobs/{job}")
    while (state := server.json("GET", f"/api/jobs/{job}")["state"]) == "running":
        time.sleep(0.01)
    seconds = time.monotonic() - started
    if state != "cancelled":
        raise SystemExit(f"The conversion ended as {state} instead of being cancelled.")
    return seconds


def add(server, film, tail=b""):
    """Uploads the film and returns the id of the job that converts it."""
    content = film.read_bytes() + tail
    upload = server.upload(content, film.name)
    return server.json("POST", "/api/videos", {"upload": upload})["job"]
