"""Chunks, peaks, clips and player have an impulse at the same frame."""

import json
import subprocess

import numpy
from audio_support import ffmpeg
from studio import PROGRAM, RATE, Server, wav_file

FRAMES = 1_000_000
IMPULSES = [0, 12_345, 479_999, 480_640, 700_001, 999_999]
CHUNKS = 3


def loud(samples):
    """Returns the frames of stereo samples that are not silent."""
    return list(numpy.nonzero(numpy.abs(samples).max(axis=1) > 0.1)[0])


def test_an_impulse_is_at_its_frame_in_all_four(audio_browser, audio_server, tmp_path):
    samples = numpy.zeros((FRAMES, 2), "<i2")
    samples[IMPULSES] = 20_000
    song = tmp_path / "impulses.wav"
    song.write_bytes(wav_file(samples))
    library = tmp_path / "library"
    told = subprocess.run(
        [PROGRAM, "import", song, "--routine", "Swan", "--data", library, "--json"],
        check=True, capture_output=True).stdout
    track = json.loads(told)["tracks"][0]

    with Server(library) as server:
        def get(path):
            status, content = server.request("GET", f"/api/tracks/{track}/{path}")
            assert status == 200
            return content

        chunks = [get(f"chunks/{number}") for number in range(CHUNKS)]
        peaks = numpy.frombuffer(get("peaks?framesPerPixel=64")[24:], "i1").reshape(-1, 2)
        start, end = 470_000, 710_000
        clip = get(f"audio?start={start}&end={end}&format=wav")

    decoded = [
        numpy.frombuffer(
            ffmpeg("-i", "pipe:0", "-f", "s16le", "pipe:1", data=chunk), "<i2").reshape(-1, 2)
        for chunk in chunks
    ]
    assert loud(numpy.concatenate(decoded) / 32_768) == IMPULSES

    assert list(numpy.nonzero(peaks[:, 1] > 20)[0]) == [frame // 64 for frame in IMPULSES]

    clipped = numpy.frombuffer(clip[44:], "<i2").reshape(-1, 2) / 32_768
    assert len(clipped) == end - start
    assert [start + frame for frame in loud(clipped)] == [
        frame for frame in IMPULSES if start <= frame < end]

    audio_server.more_tracks["impulses"] = chunks
    frames = end - start + RATE
    events = audio_browser.call("render", {
        "trackId": "impulses", "trackLengthFrames": FRAMES, "chunks": list(range(CHUNKS)),
        "frames": frames,
        "steps": [
            {"at": 0, "command": {"kind": "load", "startFrame": start, "endFrame": end}},
            {"at": 0, "command": {"kind": "play"}},
        ],
    })["events"]
    first = next(event for event in events if event["event"] == "started")["contextFrame"]
    output = numpy.frombuffer(audio_server.result, "<f4").reshape(2, frames).T
    assert [start - first + frame for frame in loud(output)] == [
        frame for frame in IMPULSES if start <= frame < end]
