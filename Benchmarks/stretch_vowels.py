"""Vowels with known formants, and how far a transposed one is from a voice that keeps its own.

A vowel is the harmonics of a pitch at the levels that a source, which falls by 6 dB an octave, and five
formants give them (means of men and of women by G. E. Peterson & H. L. Barney, 1952; the fourth and
fifth from a tube's lengths). So the ideal is known at every pitch, and levels are measured where there
are harmonics: nothing guesses an envelope.
"""

import itertools

import numpy as np
import scipy.optimize

from stretch_measures import convergence, slow_part
from stretch_peers import RATE
from stretch_seeds import Partials

SEMITONES = (-12, -7, -5, -3, 3, 5, 7, 12)
VOWELS = {
    "low": (110, ((270, 2_290, 3_010), (530, 1_840, 2_480), (730, 1_090, 2_440), (570, 840, 2_410),
                  (300, 870, 2_240)), (3_500, 4_500)),
    "high": (220, ((310, 2_790, 3_310), (610, 2_330, 2_990), (850, 1_220, 2_810), (590, 920, 2_710),
                   (370, 950, 2_670)), (4_100, 5_200)),
}
WIDTHS = np.array([60, 90, 120, 150, 200])
SECONDS = 1.0
# What is measured: up to where formants are told, in hertz, and down to how far below the highest.
HIGHEST, LOWEST_LEVEL = 5_000, -50


def gain(frequency, formants):
    """The level of a vowel at frequencies, as a factor."""
    frequency = np.asarray(frequency, dtype=float)[..., None]
    centres = np.asarray(formants)
    resonance = centres ** 2 / np.abs(centres ** 2 - frequency ** 2 + 1j * WIDTHS * frequency)
    return 100 / frequency[..., 0] * np.prod(resonance, axis=-1)


class Vowels:
    """Five vowels of a voice, one after the other; `at(semitones)` gives them at another pitch."""

    def __init__(self, name):
        self.pitch, vowels, above = VOWELS[name]
        self.formants = [(*vowel, *above) for vowel in vowels]

    def at(self, semitones):
        factor = 2 ** (semitones / 12)
        length = SECONDS * len(self.formants)

        def pitch(time):
            # A voice that holds a note is never quite still.
            return self.pitch * factor * 2 ** (6 / 1_200 * np.sin(2 * np.pi * 5 * time))

        def level(harmonic):
            def over(time):
                which = np.clip((time / SECONDS).astype(int), 0, len(self.formants) - 1)
                inside = time - which * SECONDS
                edge = np.clip(np.minimum(inside, SECONDS - inside) / 0.05, 0, 1)
                levels = np.empty(len(time))
                for index, formants in enumerate(self.formants):
                    here = which == index
                    levels[here] = gain(harmonic * pitch(time[here]), formants)
                return levels * np.sin(np.pi / 2 * edge) ** 2
            return over
        # The original has what an octave lower needs.
        harmonics = range(1, 1 + int(11_000 / (self.pitch * factor)))
        starts = np.random.default_rng(31).uniform(0, 2 * np.pi, len(harmonics))
        return Partials(length, harmonics, [level(n) for n in harmonics], starts, pitch)


def harmonic_levels(out, sound):
    """The levels of the harmonics in the middle of each vowel, in decibels: rows of (hertz, level)."""
    length = min(len(out), round(sound.length * RATE))
    mono = out[:length].mean(axis=1)
    time = np.arange(length) / RATE
    pitch = np.mean(sound.pitch(time))
    count = int(HIGHEST / pitch)
    levels = []
    for phase in itertools.islice(sound.phases(1), count):
        base = slow_part(mono * np.exp(-1j * phase[:length]), min(45, 0.35 * pitch))
        levels.append([np.mean(np.abs(base[round((index + 0.2) * SECONDS * RATE):
                                           round((index + 0.8) * SECONDS * RATE)]) ** 2)
                       for index in range(round(sound.length / SECONDS))])
    return pitch * np.arange(1, count + 1), 10 * np.log10(np.maximum(np.array(levels), 1e-12))


def found_formants(frequencies, levels, known, factor):
    """The first three formants that explain the levels best, from the known ones and the moved ones on."""
    def missed(guess):
        model = 20 * np.log10(gain(frequencies, (*guess, *known[3:])))
        return (model - np.mean(model)) - (levels - np.mean(levels))
    tries = [scipy.optimize.least_squares(
        missed, np.clip(np.array(known[:3]) * by, 151, 4_899), bounds=(150, 4_900), x_scale=100,
        loss="soft_l1") for by in (1, factor)]
    return np.sort(min(tries, key=lambda result: result.cost).x)


def vowel_row(vowels, semitones, out, ideal_sound, ideal):
    """What is measured of five vowels after transposing, beside those of the same voice at that pitch."""
    frequencies, levels = harmonic_levels(out, ideal_sound)
    _, wanted = harmonic_levels(ideal, ideal_sound)
    distances, errors = [], []
    for index, known in enumerate(vowels.formants):
        heard = wanted[:, index] > wanted[:, index].max() + LOWEST_LEVEL
        difference = levels[heard, index] - wanted[heard, index]
        distances.append(np.std(difference))
        formants = found_formants(frequencies[heard], levels[heard, index], known, 2 ** (semitones / 12))
        errors.append(100 * np.mean(np.abs(formants / known[:3] - 1)))
    return {"envelope, dB": float(np.mean(distances)), "formants, %": float(np.mean(errors)),
            "convergence, dB": float(convergence(out, ideal))}
