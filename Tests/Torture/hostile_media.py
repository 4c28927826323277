"""Songs and videos that were mangled by a fuzzer: each is accepted or refused with a message, accepted
videos can be requested, and the server survives all of them."""

import http.client
import json
import pathlib
import random
import subprocess
from dataclasses import dataclass, field

import rig

# The number of simultaneous files: the server imports two at a time, and the next should be waiting.
AT_ONCE = 8
# One of this many files is a video. A conversion takes three times as long as an import.
VIDEOS_ONE_OF = 3
# One of this many files is sent as the other kind.
ASTRAY_ONE_OF = 12
# The requests for each file of a video.
PIECE = 100

# A song in each supported container, with most of the codecs. AMR is made in `fixture`.
SONGS = {
    "song.wav": [], "song.mp3": ["-c:a", "libmp3lame"], "song.flac": ["-c:a", "flac"],
    "song.ogg": ["-c:a", "libvorbis"], "song.opus": ["-c:a", "libopus"],
    "song.m4a": ["-c:a", "aac"], "song.aiff": ["-c:a", "pcm_s16be"],
    "alac.m4a": ["-c:a", "alac"], "song.mka": ["-c:a", "libmp3lame"],
    "song.webm": ["-c:a", "libopus"], "song.aac": ["-c:a", "aac"], "song.wma": ["-c:a", "wmav2"],
    "song.caf": ["-c:a", "pcm_s16be"], "alac.caf": ["-c:a", "alac"],
    "song.ac3": ["-c:a", "ac3"], "song.eac3": ["-c:a", "eac3"],
    "song.w64": ["-c:a", "pcm_s16le"], "song.mp2": ["-c:a", "mp2"],
    "adpcm.wav": ["-c:a", "adpcm_ms"],
}
AMR = "song.amr"
# The same for videos: unchanged, remuxed and encoded ones.
VIDEOS = {
    "video.mp4": ["-c:v", "libx264", "-c:a", "aac", "-movflags", "+faststart"],
    "behind.mp4": ["-c:v", "libx264", "-c:a", "aac"],
    "hevc.mp4": ["-c:v", "libx265", "-x265-params", "log-level=error", "-c:a", "aac"],
    "fragments.mp4": ["-c:v", "libx264", "-c:a", "aac", "-movflags", "+frag_keyframe"],
    "video.mov": ["-c:v", "libx264", "-c:a", "pcm_s16le"],
    "prores.mov": ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le", "-c:a", "aac"],
    "vp8.webm": ["-c:v", "libvpx", "-c:a", "libvorbis"],
    "vp9.webm": ["-c:v", "libvpx-vp9", "-c:a", "libopus"],
    "video.mkv": ["-c:v", "libx264", "-c:a", "libmp3lame"],
    "av1.mkv": ["-c:v", "libaom-av1", "-cpu-used", "8", "-c:a", "libopus"],
    "video.avi": ["-c:v", "mpeg4", "-c:a", "libmp3lame"],
    "mjpeg.avi": ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"],
    "video.3gp": ["-c:v", "h263", "-s", "128x96", "-c:a", "aac"],
    "video.ts": ["-c:v", "libx264", "-c:a", "ac3"],
    "video.mpg": ["-c:v", "mpeg2video", "-r", "25", "-c:a", "mp2"],
    "video-cd.mpg": ["-c:v", "mpeg1video", "-r", "25", "-c:a", "mp2"],
    "video.ogv": ["-c:v", "libtheora", "-c:a", "libvorbis"],
    "silent.mp4": ["-c:v", "libx264", "-an"],
}


@dataclass
class Sent:
    """A mangled file that the server is processing."""
    name: str
    kind: str
    content: bytes
    id: str
    job: str


@dataclass
class Ends:
    """The outcomes of all files of one kind."""
    kind: str
    counts: dict = field(
        default_factory=lambda: {"done": 0, "failed": 0, "refused": 0, "known": 0})

    def __str__(self):
        said = ", ".join(f"{count} {end}" for end, count in self.counts.items() if count)
        return f"{sum(self.counts.values())} {self.kind}: {said}"


def run(program, folder, count, seed=1):
    """Sends `count` mangled files; raises if one of them causes more than a refusal."""
    import pyradamsa

    radamsa = pyradamsa.Radamsa()
    chance = random.Random(seed)
    library = folder / f"hostile-{seed}"
    ends = {kind: Ends(kind) for kind in ("tracks", "videos")}
    aligned = {}
    ready = set()
    with rig.Server(program, library) as server:
        music = whole_song(server)
        ready.add(music["track"])
        waiting = []

        def take_first():
            sent = waiting.pop(0)
            end = outcome(server, sent)
            ends[sent.kind].counts[end] += 1
            if end == "done":
                ready.add(sent.id)
                if sent.kind == "videos":
                    look_at(server, sent)
                    said = alignment(server, sent, music)
                    aligned[said] = aligned.get(said, 0) + 1

        for number in range(count):
            is_video = number % VIDEOS_ONE_OF == VIDEOS_ONE_OF - 1
            original = fixture(folder, chance.choice(list(VIDEOS) if is_video else [*SONGS, AMR]))
            mangled = radamsa.fuzz(
                original.read_bytes(), seed=seed * 1_000_000 + number) or b""
            goes_astray = chance.randrange(ASTRAY_ONE_OF) == 0
            kind = "videos" if is_video != goes_astray else "tracks"
            sent = send(server, f"file {number} of seed {seed}, {original.name}", kind, mangled)
            if isinstance(sent, Sent):
                waiting.append(sent)
            else:
                ends[kind].counts[sent] += 1
            if len(waiting) >= AT_ONCE:
                take_first()
        while waiting:
            take_first()
        left = rig.studio.last_seen(
            lambda: list((library / "tmp").iterdir()), lambda names: not names, 60)
        rig.holds(not left, f"Left in tmp/: {left}")
        # Accepted files are analysed in the background.
        children = rig.studio.last_seen(lambda: children_of(server), lambda seen: not seen, 60)
        rig.holds(not children, f"Children are left: {children}")
        orphans = {path.name for path in (library / "derived").iterdir()} - ready
        rig.holds(not orphans, f"Made of what is not there: {orphans}")
        rig.holds(server.process.poll() is None, "The server ended.")
    faults = server.faults()
    rig.holds(not faults, f"Faults in the log: {faults[:3]}")
    rig.check_library(program, library)
    heard = ", ".join(f"{number} {said}" for said, number in sorted(aligned.items()))
    return f"{count} files; " + "; ".join(map(str, ends.values())) + f"; alignments: {heard}"


def send(server, name, kind, content):
    """Uploads a file and makes a track or video of it; returns the running job or the outcome."""
    status, upload = rig.upload(server, "mangled.bin", content)
    rig.holds(status == 204, f"The upload of {name} got {status}.")
    status, answer = server.request("POST", f"/api/{kind}", {"upload": upload})
    rig.holds(status < 500, f"{name} got {status}: {answer[:300]}")
    said = json.loads(answer)
    if status == 202:
        return Sent(name, kind, content, said["id"], said["job"])
    if status == 200:
        return "known"
    rig.holds(said["detail"], f"{name} got {status} without a sentence.")
    return "refused"


def children_of(server):
    result = subprocess.run(
        ["pgrep", "--parent", str(server.process.pid)], capture_output=True, text=True)
    return result.stdout.split()


def outcome(server, sent):
    """Waits for the end of a job. A failed job must have a readable message."""
    row = end_of(server, sent.job, sent.name)
    if row["state"] == "done":
        return "done"
    holds_sentence(row["message"], sent.name)
    if sent.kind == "videos":
        status, content = server.request("GET", f"/api/videos/{sent.id}/file")
        rig.holds(status == 409, f"{sent.name} failed, and its file got {status}.")
        holds_sentence(json.loads(content)["detail"], sent.name)
    return "failed"


def end_of(server, job, name):
    def state():
        status, content = server.request("GET", f"/api/jobs/{job}")
        rig.holds(status == 200, f"The job of {name} got {status}.")
        return json.loads(content)
    ended = rig.studio.last_seen(state, lambda row: row["state"] in ("done", "failed"), 150)
    rig.holds(ended["state"] in ("done", "failed"), f"The job of {name} never ended: {ended}")
    return ended


def holds_sentence(message, name):
    rig.holds(message and "Its log says" not in message, f"{name} got no sentence: {message!r}")


def look_at(server, sent):
    """Requests the beginning of each file of a ready video."""
    for part in ("file", "poster", "original"):
        connection = http.client.HTTPConnection("localhost", server.port, timeout=30)
        connection.request(
            "GET", f"/api/videos/{sent.id}/{part}", headers={"Range": f"bytes=0-{PIECE - 1}"})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        rig.holds(answer.status == 206, f"The {part} of {sent.name} got {answer.status}.")
        size = int(answer.headers["Content-Range"].rsplit("/", 1)[1])
        rig.holds(
            len(content) == min(PIECE, size), f"The {part} of {sent.name}: {len(content)} bytes.")
        if part == "poster":
            rig.holds(content[:2] == b"\xff\xd8", f"The poster of {sent.name} is no JPEG.")
        if part == "original":
            rig.holds(
                size == len(sent.content) and content == sent.content[:PIECE],
                f"The original of {sent.name} has other bytes.")


def whole_song(server):
    """Adds an intact song; returns the stretch of it that videos are aligned with."""
    sent = send(server, "the whole song", "tracks", rig.studio.song(1.5, 77))
    rig.holds(isinstance(sent, Sent), f"The whole song is {sent}.")
    rig.holds(outcome(server, sent) == "done", "The whole song was not taken.")
    return {"track": sent.id, "start": 0, "end": rig.studio.RATE}


def alignment(server, sent, stretch):
    """Requests the alignment of a ready video with a song; returns the outcome."""
    path = f"/api/videos/{sent.id}/alignment"
    status, content = server.request("POST", path, stretch)
    if status == 202:
        end_of(server, json.loads(content)["job"], sent.name)
        query = "&".join(f"{name}={value}" for name, value in stretch.items())
        status, content = server.request("GET", f"{path}?{query}")
    if status == 409:
        holds_sentence(json.loads(content)["detail"], sent.name)
        return "refused"
    rig.holds(status == 200, f"The alignment of {sent.name} got {status}: {content[:300]}")
    return "found"


def fixture(folder, name):
    """Returns a short song or video, which is made on the first call."""
    target = pathlib.Path(folder) / name
    if target.exists():
        return target
    if name == AMR:
        # ffmpeg cannot encode AMR here, so the frames are all zero.
        target.write_bytes(b"#!AMR\n" + (b"\x3c" + bytes(31)) * 20)
        return target
    wav = target.with_name("source.wav")
    if not wav.exists():
        wav.write_bytes(rig.studio.song(0.4))
    pictures = [
        "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10", "-pix_fmt", "yuv420p", "-t", "0.6"]
    # The file is renamed when complete, so no partial file is used.
    made = target.with_name("made-" + name)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", str(wav),
         *(pictures if name in VIDEOS else []), *SONGS.get(name, VIDEOS.get(name)),
         str(made)],
        check=True)
    return made.rename(target)
