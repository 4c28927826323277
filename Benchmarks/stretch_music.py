"""Music whose slower and faster versions are known too: notes that Debian's fluidsynth plays at any tempo.

Its ideal is what the players would play at that speed: attacks, and the decay of a struck string or drum,
keep their own time. A stretcher can't know that, so no program comes close to it; their order counts.
"""

import pathlib
import tempfile

from rendered_music import Score, piece
from stretch_peers import read

MUSIC = ("piano", "string ensemble and violin", "band with saxophone", "ballad", "drums")
LENGTH = 8


class Played:
    """One piece as a function of the speed."""

    def __init__(self, name, seed):
        self.name = name
        self.seed = seed

    def __call__(self, rate):
        whole = piece(self.name, self.seed, LENGTH)
        score = Score()
        for at, rank, message in whole.events:
            score.events.append((at / rate, rank, message))
        with tempfile.TemporaryDirectory(prefix="segmance-stretch-") as folder:
            path = pathlib.Path(folder) / "music.wav"
            score.render(path)
            return 0.5 * read(path)[:round((LENGTH + 0.5) * 48_000 / rate)]


def played():
    return [Played(name, 25) for name in MUSIC]
