"""What the network hears: the logarithm of bands, 50 times a second.

`Sources/Analysis` computes the same; a test compares both on a fixed signal.

The audio is mono at 48 kHz. Frame `i` is centred on sample `960 i`: a Hann window of 2,048 samples, silence
beyond the ends, the power spectrum, 80 triangles of equal height from 30 Hz to 16 kHz, and
`ln(1 + 100000 power)` with a full-scale sine at about 1. The scale is that of mel with its bend at 400 Hz instead of
700: a band for each line of the spectrum in the bass, and a semitone wide at 1 kHz.
"""

import numpy

RATE = 48_000
HOP = 960
WINDOW = 2_048
BANDS = 80
#: Below it bands are about equally wide, above it about equally high in pitch.
BEND = 400
FRAMES_PER_SECOND = RATE / HOP


def scale(hertz):
    return numpy.log1p(numpy.asarray(hertz) / BEND)


def hertz(scaled):
    return BEND * numpy.expm1(scaled)


def filters():
    """The weights of each band: BANDS × (WINDOW / 2 + 1). A narrow band holds at least one bin."""
    edges = hertz(numpy.linspace(scale(30), scale(16_000), BANDS + 2))
    bins = numpy.arange(WINDOW // 2 + 1) * RATE / WINDOW
    weights = numpy.zeros((BANDS, len(bins)))
    for band in range(BANDS):
        low, centre, high = edges[band:band + 3]
        weights[band] = numpy.maximum(0, numpy.minimum((bins - low) / (centre - low), (high - bins) / (high - centre)))
        if not weights[band].any():
            weights[band, int(round(centre * WINDOW / RATE))] = 1
    return weights


WEIGHTS = filters().astype(numpy.float32)
HANN = (0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(WINDOW) / WINDOW)).astype(numpy.float32)
#: A full-scale sine has the power 1.
SCALE = float((2 / HANN.sum()) ** 2)


def features(samples):
    """The bands of mono samples: frames × BANDS, float32."""
    samples = numpy.asarray(samples, numpy.float32)
    count = max(1, -(-len(samples) // HOP))
    padded = numpy.zeros(count * HOP + WINDOW, numpy.float32)
    padded[WINDOW // 2:WINDOW // 2 + len(samples)] = samples
    result = numpy.empty((count, BANDS), numpy.float32)
    for first in range(0, count, 4_096):
        last = min(count, first + 4_096)
        frames = numpy.lib.stride_tricks.sliding_window_view(padded, WINDOW)[first * HOP:(last - 1) * HOP + 1:HOP]
        power = numpy.abs(numpy.fft.rfft(frames * HANN)) ** 2 * SCALE
        result[first:last] = numpy.log1p(100_000 * power.astype(numpy.float32) @ WEIGHTS.T)
    return result


def targets(times, count):
    """A curve of `count` frames that is 1 at each time, and 0.5 beside it."""
    curve = numpy.zeros(count, numpy.float32)
    for at in times:
        frame = int(round(at * FRAMES_PER_SECOND))
        for offset, value in ((-1, 0.5), (1, 0.5), (0, 1.0)):
            if 0 <= frame + offset < count:
                curve[frame + offset] = max(curve[frame + offset], value)
    return curve
