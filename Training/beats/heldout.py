"""Renders the pieces on which the beats are measured: none of their styles, pieces or fonts was trained on.

Use: python -m beats.heldout FOLDER [--pieces N]

Writes `NN.wav` (48 kHz, stereo, 16 bits) and `NN.json`: {"style", "font", "beats": [s…], "places": [1…]}.
"""

import argparse
import json
import pathlib
import wave

import numpy

from .accompaniment import accompanied, is_held_out, styles
from .arrange import arrange
from .features import RATE
from .render import recorded, rendered
from .scores import names, performed
from .styles import HELD_OUT_STYLES

#: No material has these seeds.
FIRST_SEED = 900_000


def piece_of(index, seconds):
    """Piece `index`: in turns a score, a style of mma, another score, one of our own styles."""
    seed = FIRST_SEED + index
    if index % 2 == 0:
        pieces = names(True)
        return performed(pieces[index // 2 % len(pieces)], seed, seconds)
    if index % 4 == 1:
        held_out = [name for name in sorted(styles()) if is_held_out(name)]
        return accompanied(held_out[(index // 4 * 5) % len(held_out)], seed, seconds)
    return arrange(HELD_OUT_STYLES[index // 4 % len(HELD_OUT_STYLES)], seed, seconds)


def write(folder, index, seconds):
    """Renders piece `index` into a folder."""
    piece = piece_of(index, seconds)
    random = numpy.random.default_rng([FIRST_SEED + index, 11])
    font = "musescore" if index % 3 else "fluid"
    samples = recorded(rendered(piece, font, random), random)
    frames = numpy.repeat(numpy.clip(numpy.round(samples * 32_767), -32_768, 32_767).astype("<i2"), 2)
    with wave.open(str(folder / f"{index:02}.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames.tobytes())
    (folder / f"{index:02}.json").write_text(json.dumps({
        "style": piece.style, "font": font, "beats": [round(float(at), 5) for at in piece.beats],
        "places": [int(place) for place in piece.places]}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pieces", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=75)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for index in range(given.pieces):
        if not (given.folder / f"{index:02}.json").exists():
            write(given.folder, index, given.seconds)


if __name__ == "__main__":
    main()
