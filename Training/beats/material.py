"""The material: pieces rendered once from their seeds, and kept as features with their truth.

Use: python -m beats.material FOLDER [--processes N]
"""

import argparse
import multiprocessing
import pathlib

import numpy

from .accompaniment import accompanied, is_held_out, styles
from .arrange import arrange
from .features import features
from .render import FONTS, HELD_OUT_FONTS, recorded, rendered
from .scores import names, performed
from .styles import HELD_OUT_STYLES, STYLES

#: Seeds from here on are pieces of `scores`.
SCORES_FROM = 100_000
PIECE_COUNT, SCORE_COUNT = 1_440, 360
#: About how long a piece is.
SECONDS = 48
#: How often each of `FONTS` is heard.
SHARES = (0.3, 0.38, 0.1, 0.06, 0.16)


def of_seed(seed):
    """The style, the sound font and whether the piece is held out of training."""
    random = numpy.random.default_rng([seed, 7])
    if seed >= SCORES_FROM:
        held_out = seed % 4 == 3
        style = str(random.choice(names(held_out)))
        return style, str(random.choice(list(FONTS), p=SHARES)), held_out
    accompanied_styles = sorted(styles())
    if random.random() < 0.6:
        style = accompanied_styles[int(random.integers(0, len(accompanied_styles)))]
        other = is_held_out(style)
    else:
        style = sorted(STYLES)[int(random.integers(0, len(STYLES)))]
        other = style in HELD_OUT_STYLES
    font = str(random.choice(list(FONTS), p=SHARES))
    return style, font, other or font in HELD_OUT_FONTS


def all_seeds():
    """The seeds of all material, in the order in which training uses it: each fifth is a score."""
    rest = iter(range(SCORES_FROM, SCORES_FROM + SCORE_COUNT))
    seeds = []
    for seed in range(PIECE_COUNT):
        seeds.append(seed)
        if seed % 4 == 3:
            seeds += [score for score in (next(rest, None),) if score is not None]
    return seeds


def piece_of(seed, seconds):
    """The piece of a seed."""
    style = of_seed(seed)[0]
    if seed >= SCORES_FROM:
        return performed(style, seed, seconds)
    return accompanied(style, seed, seconds) if style in styles() else arrange(style, seed, seconds)


def made(arguments):
    """Renders one piece and writes it; what is there already stays."""
    folder, seed = arguments
    path = folder / f"{seed:06}.npz"
    if path.exists():
        return
    _, font, _ = of_seed(seed)
    random = numpy.random.default_rng([seed, 11])
    piece = piece_of(seed, SECONDS)
    bands = features(recorded(rendered(piece, font, random), random))
    part = path.with_suffix(".part.npz")
    numpy.savez(part, bands=bands.astype(numpy.float16), beats=piece.beats, places=piece.places, phrases=piece.phrases)
    part.rename(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    wanted = [(given.folder, seed) for seed in all_seeds()]
    with multiprocessing.Pool(given.processes) as pool:
        for count, _ in enumerate(pool.imap_unordered(made, wanted), 1):
            if count % 100 == 0:
                print(f"{count} of {len(wanted)} pieces", flush=True)


if __name__ == "__main__":
    main()
