"""Signals drawn from seeds, so that no stretcher is tuned to a single one; each exists at every speed.

A family is a list of functions of the speed (and, where it is measured transposed, of the pitch's
factor); each gives a stereo signal. What is measured is the mean over a family.
"""

import numpy as np

RATE = 48_000
ROOT_MEAN_SQUARE = 0.08


class Partials:
    """Sines whose frequency and level are functions of the original's time, with phases at the start.

    A frequency or level is a number where it never changes. A sound that falls and rises with its
    pitch is given by `pitch` and the multiples of it that sound.
    """

    def __init__(self, length, frequencies, levels, phases, pitch=None):
        self.length = length
        self.frequencies = frequencies
        self.levels = levels
        self.starts = phases
        self.pitch = pitch
        time = np.arange(0, length, 0.01)
        self.gain = ROOT_MEAN_SQUARE / np.sqrt(
            sum(np.mean(over(level, time) ** 2) / 2 for level in levels))

    def phases(self, rate):
        """Yields the phases of a voice's partials at a speed, one after the other."""
        time = np.arange(round(self.length * RATE / rate)) / RATE * rate
        turns = 2 * np.pi / RATE * np.cumsum(self.pitch(time))
        for multiple, start in zip(self.frequencies, self.starts):
            yield start + multiple * turns

    def __call__(self, rate):
        count = round(self.length * RATE / rate)
        time = np.arange(count) / RATE * rate
        # Levels change slowly: between two milliseconds evenly.
        coarse = np.arange(0, self.length + 0.001, 0.001)
        if self.pitch:
            out = np.zeros(count)
            for level, phase in zip(self.levels, self.phases(rate)):
                out += np.interp(time, coarse, over(level, coarse)) * np.sin(phase)
        else:
            out = self.steady(count, rate)
        # 20 ms of the original to rise and to fall: what a start does is measured by `starts`.
        edge = np.minimum(1, np.minimum(time, self.length - time) / 0.02)
        out *= self.gain * np.sin(np.pi / 2 * edge) ** 2
        return np.stack([out, out], axis=1)

    def steady(self, count, rate, block=256):
        """Sums partials of constant frequency, whose levels change little within a block."""
        turn = 2j * np.pi / RATE * np.array(self.frequencies)
        firsts = np.arange(0, count, block)
        levels = np.stack([over(level, firsts / RATE * rate) for level in self.levels], axis=1)
        at_first = levels * np.exp(np.outer(firsts, turn) + 1j * np.array(self.starts))
        return (at_first @ np.exp(np.outer(turn, np.arange(block)))).imag.ravel()[:count]


def over(level, time):
    """The values of a level over time, be it a number or a function of time."""
    return level(time) if callable(level) else np.full(len(time), level)


def dense(seed):
    """Partials 10 to 25 Hz apart from 80 Hz to 5 kHz, of random phases.

    Their levels fall by 6 dB an octave, and each lies 0 to 20 dB below that line.
    """
    source = np.random.default_rng([25, seed])
    frequencies = [80.0]
    while frequencies[-1] < 5_000:
        frequencies.append(frequencies[-1] + source.uniform(10, 25))
    return Partials(
        4, frequencies,
        [10 ** (source.uniform(-20, 0) / 20) / frequency for frequency in frequencies],
        source.uniform(0, 2 * np.pi, len(frequencies)))


def voicing(seed):
    """Five notes of an instrument, each one to four semitones above the one below it.

    In turn a piano (strings that are somewhat stiff, two of them to a note, 0.3 to 0.8 Hz apart, dying
    away), strings (three players to a note, up to 6 cents apart) and an organ (registers of 8', 4' and 2').
    """
    source = np.random.default_rng([26, seed])
    kind = seed % 3
    key = source.integers(45, 62)
    frequencies, levels = [], []
    for _ in range(5):
        root = 440 * 2 ** ((key - 69 + source.normal(0, 0.02)) / 12)
        key += source.integers(1, 5)
        for harmonic in range(1, 1 + int(5_000 / root)):
            frequency = harmonic * root
            if kind == 0:
                stiff = frequency * np.sqrt(1 + 0.0004 * harmonic ** 2)
                away = 0.35 + 0.0004 * stiff
                for beside in (0, source.uniform(0.3, 0.8)):
                    frequencies.append(stiff + beside)
                    levels.append(lambda time, away=away, level=1 / harmonic:
                                  level * np.exp(-away * time))
            elif kind == 1:
                for cents in source.uniform(-6, 6, 3):
                    frequencies.append(frequency * 2 ** (cents / 1200))
                    levels.append(1 / harmonic)
            elif harmonic & (harmonic - 1) == 0 or harmonic in (3, 6):
                frequencies.append(frequency)
                levels.append(harmonic ** -0.7)
    return Partials(4, frequencies, levels, source.uniform(0, 2 * np.pi, len(frequencies)))


def throat(source):
    """Returns a level by frequency as a voice has it: five random formants, and a source that falls."""
    centres = np.array([500, 1_500, 2_500, 3_500, 4_500]) * source.uniform(0.8, 1.25, 5)
    widths = source.uniform(80, 200, 5)

    def level(frequency):
        gain = 100 / frequency
        for centre, width in zip(centres, widths):
            gain = gain * centre ** 2 / np.abs(
                centre ** 2 - frequency ** 2 + 1j * width * frequency)
        return gain
    return level


def sung(length, pitch, source):
    """Harmonics up to 5 kHz of a pitch that is a function of time, coloured as by a throat."""
    colour = throat(source)
    highest = np.max(pitch(np.arange(0, length, 0.01)))
    harmonics = range(1, 1 + int(5_000 / highest))
    return Partials(
        length, harmonics, [lambda time, n=n: colour(n * pitch(time)) for n in harmonics],
        source.uniform(0, 2 * np.pi, len(harmonics)), pitch)


def voice(seed):
    """A held note of a voice with a vibrato of 50 cents to either side, 4.5 to 6.5 times a second."""
    source = np.random.default_rng([27, seed])
    tone = 130 * 2 ** source.uniform(0, 2)
    speed, start = source.uniform(4.5, 6.5), source.uniform(0, 2 * np.pi)
    return sung(3, lambda time: tone * 2 ** (50 / 1_200 * np.sin(2 * np.pi * speed * time + start)),
                source)


def glide(seed):
    """Six notes of a voice that slides from each to the next, in 80 to 300 ms, up and down in turn."""
    source = np.random.default_rng([28, seed])
    notes = [source.uniform(-3, 3)]
    for index in range(5):
        notes.append(notes[-1] + (-1) ** (index + seed) * source.uniform(2, 9))
    tone = 130 * 2 ** source.uniform(0.3, 1.7)
    slides = source.uniform(0.08, 0.3, 5)

    def pitch(time):
        height = np.full_like(time, notes[0])
        for index, (slide, here, there) in enumerate(zip(slides, notes, notes[1:])):
            done = np.clip((time - 0.7 * (index + 1) + slide / 2) / slide, 0, 1)
            height += (there - here) * np.sin(np.pi / 2 * done) ** 2
        return tone * 2 ** (height / 12)
    return sung(4.2, pitch, source)


NOISE_LENGTH = 40
# What both channels of a noise have in common, of its power.
COMMON = 0.6


def noise(colour):
    """Noise of a length, whose channels have `COMMON` of their power in common, from 20 Hz on."""
    def make(rate):
        # The original's power is the same in each band of it to the bit; the ideal's is as it is drawn.
        source = np.random.default_rng([29, round(100 * rate)])
        count = round(NOISE_LENGTH * RATE / rate)
        frequency = np.fft.rfftfreq(count, 1 / RATE)
        level = np.where(frequency < 20, 0, np.maximum(frequency, 20) ** (-colour / 2))
        parts = []
        for share in (COMMON, 1 - COMMON, 1 - COMMON):
            spectrum = (np.exp(2j * np.pi * source.uniform(size=len(level))) if rate == 1 else
                        source.standard_normal((len(level), 2)) @ (1, 1j) / np.sqrt(2))
            parts.append(np.sqrt(share) * np.fft.irfft(level * spectrum, count))
        common, left, right = parts
        out = np.stack([common + left, common + right], axis=1)
        return out * ROOT_MEAN_SQUARE / np.sqrt(np.sum(level ** 2) * 2 / count ** 2)
    return make


class AtOnce:
    """Sound that is there in full from the first frame on, for 1.5 s: a tone, a chord or noise."""

    def __init__(self, kind, seed, semitones):
        self.kind = kind
        self.seed = seed
        self.semitones = semitones

    def __call__(self, rate):
        source = np.random.default_rng([30, self.seed])
        count = round(1.5 * RATE / rate)
        if self.kind == "noise":
            # Of one height throughout, so that any piece of it has the same level.
            out = ROOT_MEAN_SQUARE * np.sign(source.standard_normal(6 * RATE)[:count])
        else:
            # Some 400 Hz apart, so that the first 12 ms have the level of the whole.
            tones = {"tone": (2_000,), "chord": (900, 1_350, 1_800, 2_250, 2_700)}[self.kind]
            factor = 1 if rate == 1 else 2 ** (self.semitones / 12)
            time = np.arange(count) / RATE * 2 * np.pi * factor
            out = sum(np.sin(tone * source.uniform(0.95, 1.05) * time) for tone in tones)
            out *= ROOT_MEAN_SQUARE * np.sqrt(2 / len(tones))
        return np.stack([out, out], axis=1)


def starts(semitones=0):
    return [AtOnce(kind, seed, semitones)
            for kind, seeds in (("tone", 2), ("chord", 2), ("noise", 6)) for seed in range(seeds)]
