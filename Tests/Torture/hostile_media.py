"""Songs that were mangled by a fuzzer: each is taken or refused with a sentence, and the server
bears them all."""

import json
import random
import subprocess

import rig

# At once: the server imports two at a time, and the next should be waiting.
AT_ONCE = 8


def run(program, folder, count, seed=1):
    """Imports `count` mangled files; raises when one of them gets more than a refusal."""
    import pyradamsa

    radamsa = pyradamsa.Radamsa()
    chance = random.Random(seed)
    originals = [path.read_bytes() for path in fixtures(folder)]
    library = folder / f"hostile-{seed}"
    ends = {"done": 0, "failed": 0, "refused": 0}
    with rig.Server(program, library) as server:
        waiting = []
        for number in range(count):
            original = chance.choice(originals)
            mangled = radamsa.fuzz(original, seed=seed * 1_000_000 + number) or b""
            status, content = rig.upload_track(server, f"mangled-{number}.mp3", mangled)
            rig.holds(status < 500, f"File {number} of seed {seed} got {status}: {content[:300]}")
            if status == 202:
                waiting.append(json.loads(content)["job"])
            else:
                ends["refused"] += 1
            if len(waiting) >= AT_ONCE:
                ends[outcome(server, waiting.pop(0))] += 1
        for job in waiting:
            ends[outcome(server, job)] += 1
        left = rig.studio.last_seen(
            lambda: list((library / "tmp").iterdir()), lambda names: not names, 60)
        rig.holds(not left, f"Left in tmp/: {left}")
        # What was taken is listened to in the background.
        children = rig.studio.last_seen(lambda: children_of(server), lambda seen: not seen, 60)
        rig.holds(not children, f"Children are left: {children}")
        rig.holds(server.process.poll() is None, "The server ended.")
    faults = server.faults()
    rig.holds(not faults, f"Faults in the log: {faults[:3]}")
    rig.check_library(program, library)
    return f"{count} files: " + ", ".join(f"{number} {end}" for end, number in ends.items())


def children_of(server):
    result = subprocess.run(
        ["pgrep", "--parent", str(server.process.pid)], capture_output=True, text=True)
    return result.stdout.split()


def outcome(server, job):
    def state():
        status, content = server.request("GET", f"/api/jobs/{job}")
        rig.holds(status == 200, f"The job {job} got {status}.")
        return json.loads(content)
    ended = rig.studio.last_seen(state, lambda row: row["state"] in ("done", "failed"), 150)
    rig.holds(ended["state"] in ("done", "failed"), f"An import never ended: {ended}")
    if ended["state"] == "failed":
        rig.holds(
            ended["message"] and "Its log says" not in ended["message"], f"No sentence: {ended}")
    return ended["state"]


def fixtures(folder):
    """A short song in every format that performers have."""
    wav = folder / "song.wav"
    wav.write_bytes(rig.studio.song(0.4))
    made = [wav]
    for name, words in {
        "song.mp3": ["-c:a", "libmp3lame"], "song.flac": ["-c:a", "flac"],
        "song.ogg": ["-c:a", "libvorbis"], "song.opus": ["-c:a", "libopus"],
        "song.m4a": ["-c:a", "aac"], "song.aiff": ["-c:a", "pcm_s16be"],
        "alac.m4a": ["-c:a", "alac"], "song.mka": ["-c:a", "libmp3lame"],
    }.items():
        target = folder / name
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", str(wav), *words, str(target)], check=True)
        made.append(target)
    return made
