"""The voices that say counts, as the build made them."""

import struct
from typing import NamedTuple

import numpy
from studio import ROOT

LANGUAGES = ["en", "fr", "de", "es", "ja"]
RATE = 24_000


class Recording(NamedTuple):
    """A number: its samples, and the one that is heard as its moment."""

    samples: numpy.ndarray
    attack: int


def voice_file(language):
    return ROOT / "dist" / "client" / f"voice-{language}.wav"


def chunks_of(data):
    """Returns the chunks of a WAV file by their names."""
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE"
    assert struct.unpack("<I", data[4:8])[0] == len(data) - 8
    chunks, at = {}, 12
    while at < len(data):
        name, size = struct.unpack("<4sI", data[at : at + 8])
        chunks[name] = data[at + 8 : at + 8 + size]
        at += 8 + size
    return chunks


def voice(language):
    """Returns the recordings of a voice, "one" first."""
    chunks = chunks_of(voice_file(language).read_bytes())
    assert struct.unpack("<HHIIHH", chunks[b"fmt "]) == (1, 1, RATE, 2 * RATE, 2, 16)
    samples = numpy.frombuffer(chunks[b"data"], "<i2")
    (count,) = struct.unpack("<I", chunks[b"cue "][:4])
    points = [struct.unpack("<II4sIII", chunks[b"cue "][4 + 24 * n : 28 + 24 * n]) for n in range(count)]
    assert [point[0] for point in points] == list(range(1, count + 1))
    frames = [point[5] for point in points] + [len(samples)]
    return [
        Recording(samples[start:end], attack - start)
        for start, attack, end in zip(frames[::2], frames[1::2], frames[2::2])]
