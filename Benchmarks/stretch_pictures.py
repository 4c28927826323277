"""Draws spectrograms of real music, slowed down by `segmance stretch` and its peers, to look at.

Use: .stretch-venv/bin/python Benchmarks/stretch_pictures.py FOLDER [--music FILE --start 30]
     [--segmance PATH] [--rates 0.75,0.5] [--from 4 --seconds 4]

Thirty seconds from `start` on are rendered, of one file or of all that RECORDINGS has, if the Debian
packages wesnoth-1.16-music and sonic-pi-samples are there; the sound and the pictures stay in FOLDER. A picture has
one row for each program, the original's first (drawn as slowly), of the stretched seconds from
`--from` on; frequencies from 60 Hz to 16 kHz, one octave as high as the next, black is -90 dB.
"""

import argparse
import pathlib
import struct
import subprocess
import zlib

import numpy as np
import scipy.ndimage

from rendered_music import piece
from stretch_peers import RATE, peers, read

SHOWN = ("ours", "Rubber Band R3", "Signalsmith")
WIDTH, HEIGHT = 1_500, 260
WESNOTH = "/usr/share/games/wesnoth/1.16/data/core/music"
# What is drawn: a file, from when on, or a piece for fluidsynth, of which no free recording is packaged.
RECORDINGS = {
    "orchestra": (f"{WESNOTH}/knolls.ogg", 30),
    "piano": (None, 0),
    "choir": (f"{WESNOTH}/nunc_dimittis.ogg", 60),
    "drum loop": ("/usr/share/sonic-pi/samples/loop_amen_full.flac", 0),
    "full mix": (f"{WESNOTH}/frantic.ogg", 30),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--music")
    parser.add_argument("--start", type=float, default=30)
    parser.add_argument("--segmance", default="dist/segmance")
    parser.add_argument("--rates", default="0.75,0.5")
    parser.add_argument("--from", dest="begin", type=float, default=4)
    parser.add_argument("--seconds", type=float, default=4)
    options = parser.parse_args()
    recordings = {"music": (options.music, options.start)} if options.music else RECORDINGS
    for name, (music, start) in recordings.items():
        folder = options.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        if music is None:
            music = folder / "played.wav"
            piece("piano", 25, 32).render(music)
        elif not pathlib.Path(music).exists():
            print(f"{name}: {music} is not there")
            continue
        draw(folder, music, start, options)


def draw(folder, music, start, options):
    source = folder / "original.wav"
    # A short loop goes on from its beginning.
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-stream_loop", "9", "-ss", f"{start}", "-t", "30", "-i", music,
         "-ac", "2", "-ar", f"{RATE}", source], check=True)
    tools = peers(options.segmance)
    for rate in map(float, options.rates.split(",")):
        rows = [spectrogram(read(source), options.begin * rate, options.seconds * rate)]
        for name in SHOWN:
            target = folder / f"{name} at {rate:g}.wav"
            tools[name](str(source), str(target), rate)
            rows.append(spectrogram(read(target), options.begin, options.seconds))
        picture = folder / f"at {rate:g}.png"
        write_picture(picture, np.vstack(rows))
        print(f"{picture}: from the top the original, {', '.join(SHOWN)}")


def spectrogram(samples, begin, seconds):
    """Returns a row of the picture: grey levels, high frequencies on top."""
    frames = RATE * begin + np.linspace(0, RATE * seconds, WIDTH, endpoint=False)
    window = np.hanning(2_048)
    middle = np.pad(samples.mean(axis=1), (1_024, 2_048))
    pieces = np.stack([middle[at:at + 2_048] for at in frames.astype(int)])
    power = np.abs(np.fft.rfft(pieces * window)) ** 2 / window.sum() ** 2 * 4
    bins = np.geomspace(60, 16_000, HEIGHT) / RATE * 2_048
    levels = 10 * np.log10(np.maximum(scipy.ndimage.map_coordinates(
        power.T, np.meshgrid(bins, np.arange(WIDTH), indexing="ij"), order=1), 1e-12))
    grey = np.clip((levels + 90) / 80, 0, 1)[::-1] * 255
    # A white line between two rows.
    grey[-2:] = 255
    return grey.astype(np.uint8)


def write_picture(path, grey):
    """Writes a PNG of 8-bit greys."""
    height, width = grey.shape
    lines = b"".join(b"\0" + line.tobytes() for line in grey)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in (
                (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
                (b"IDAT", zlib.compress(lines)), (b"IEND", b"")):
            body = kind + content
            file.write(struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body)))


if __name__ == "__main__":
    main()
