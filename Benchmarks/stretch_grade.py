"""Grades stretched sound against its ideal by ViSQOL, which estimates how people would judge it.

Use: .stretch-venv/bin/python Benchmarks/stretch_grade.py IDEAL.wav STRETCHED.wav

1 is bad; a sound that equals its ideal has 4.73. ViSQOL (A. Hines et al., 2015; M. Chinen et al., 2020)
compares levels in 32 bands of an ear's width, in patches of half a second, which it looks for up to 80 ms
away; its model for audio was fitted to listeners' judgements of coded music, not of stretched.
"""

import functools
import sys

import numpy as np

from stretch_peers import RATE, read


@functools.cache
def judge():
    import visqol
    api = visqol.VisqolApi()
    api.create(mode="audio", search_window=4)
    return api


def grade(ideal, out):
    """Returns the grade of a stereo sound, both channels mixed."""
    length = min(len(ideal), len(out))
    # Some noise below 16 bits, since what is digitally silent has no level.
    noise = np.random.default_rng(3).standard_normal(length) * 10 ** (-96 / 20)
    return float(judge().measure_from_arrays(
        ideal[:length].mean(axis=1) + noise, out[:length].mean(axis=1) + noise, RATE).moslqo)


if __name__ == "__main__":
    print(f"{grade(read(sys.argv[1]), read(sys.argv[2])):.3f}")
