"""The material: pieces rendered once from their seeds, and kept as features with their truth.

Use: python -m beats.material FOLDER [--processes N] [--pieces N]
"""

import argparse
import multiprocessing
import pathlib
import zlib

import numpy

from .accompaniment import accompanied, is_held_out, styles
from .arrange import arrange
from .features import RATE, features
from .invention import invented
from .render import recorded, varied
from .scores import names, performed, song_names, with_other_drums
from .styles import HELD_OUT_STYLES, STYLES

#: Pieces in all; the seeds go from 0 on.
PIECE_COUNT = 8_800
#: So many of the first pieces are not trained on: they say how it goes.
CHECK_COUNT = 64
#: Pieces from this seed on are those that the decoder is tuned to.
TUNED_FROM = 20_000
#: The seed of what takes the place of a piece that can't be made, less its own.
REPLACEMENTS_FROM = 1_000_000
#: About how long a piece is.
SECONDS = 60
#: How often a piece of each kind is trained on, and how often the decoder is tuned to one.
KINDS = {"score": 0.32, "mma": 0.27, "style": 0.14, "crossed": 0.07, "invented": 0.2}
TUNED_KINDS = {"score": 0.17, "mma": 0.33, "style": 0.2, "crossed": 0.08, "invented": 0.22}
#: How often each sound font is heard in training, and in what the decoder is tuned to.
SHARES = {"timgm": 0.34, "mono": 0.46, "csound": 0.2}
TUNED_SHARES = {"timgm": 0.25, "mono": 0.3, "csound": 0.15, "opl3": 0.3}
#: Never trained on, but the decoder may be tuned to them.
TUNED_STYLES = ("disco", "shuffle", "orchestral in three", "reggaeton")


def names_of(kind, is_tuned):
    """The names of a kind's pieces or styles: those for training, or those for tuning; neither is held out."""
    if kind == "score":
        return [name for index, name in enumerate(names(False)) if (index % 8 == 3) == is_tuned] + song_names(is_tuned)
    if kind == "mma":
        return [name for name in sorted(styles()) if not is_held_out(name) and (zlib.crc32(name.encode()) % 9 == 5) == is_tuned]
    return [name for name in sorted(STYLES) if name not in HELD_OUT_STYLES and (name in TUNED_STYLES) == is_tuned]


def of_seed(seed):
    """The kind, the style, the sound font, and whether the piece is in nothing that was trained on."""
    random = numpy.random.default_rng([seed, 7])
    is_tuned = seed >= TUNED_FROM or (seed < CHECK_COUNT and random.random() < 0.5)
    fonts, kinds = (TUNED_SHARES, TUNED_KINDS) if seed >= TUNED_FROM else (SHARES, KINDS)
    font = str(random.choice(list(fonts), p=list(fonts.values())))
    kind = str(random.choice(list(kinds), p=list(kinds.values())))
    if kind in ("crossed", "invented"):
        return "invention", kind, font, is_tuned
    choices = names_of(kind, is_tuned)
    return kind, choices[int(random.integers(0, len(choices)))], font, is_tuned


def scored(name, seed, seconds):
    """A score in which now and then others play the drums, or one of those that the decoder is tuned to, as it is."""
    others = names_of("score", False)
    return with_other_drums(name, others, seed, seconds) if name in others else performed(name, seed, seconds)


MAKERS = {"score": scored, "mma": accompanied, "style": arrange, "invention": invented}


def samples_of(seed, seconds):
    """The piece of a seed, and how it sounds."""
    kind, style, font, _ = of_seed(seed)
    piece = MAKERS[kind](style, seed, seconds)
    random = numpy.random.default_rng([seed, 11])
    samples = varied(piece, font, random)
    # Whole seconds have quick transforms.
    samples = numpy.pad(samples, (0, -len(samples) % RATE))
    return piece, recorded(samples, random)


def made(arguments):
    """Renders one piece and writes it; what is there already stays."""
    folder, seed, seconds = arguments
    path = folder / f"{seed:06}.npz"
    if path.exists():
        return
    try:
        piece, samples = samples_of(seed, seconds)
    except Exception as error:  # pylint: disable=broad-exception-caught
        # So that one piece in thousands does not end it all, another one takes its place.
        print(f"piece {seed}: {error!r}", flush=True)
        piece, samples = samples_of(seed + REPLACEMENTS_FROM, seconds)
    part = path.with_suffix(".part.npz")
    numpy.savez(part, bands=features(samples).astype(numpy.float16), beats=piece.beats, places=piece.places)
    part.rename(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--pieces", type=int, default=PIECE_COUNT)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    wanted = [(given.folder, seed, given.seconds) for seed in range(given.first, given.first + given.pieces)]
    with multiprocessing.Pool(given.processes) as pool:
        for count, _ in enumerate(pool.imap(made, wanted), 1):
            if count % 100 == 0:
                print(f"{count} of {len(wanted)} pieces", flush=True)


if __name__ == "__main__":
    main()
