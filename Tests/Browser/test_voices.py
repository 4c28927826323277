"""The files of the voices: eight numbers each, short, equally loud, with their attacks."""

import itertools

import numpy
import pytest
from voices import LANGUAGES, RATE, voice, voice_file


def loudest_tenth(samples):
    """Returns the root of the mean square of the loudest tenth of a second."""
    squares = (samples / 32_768) ** 2
    return numpy.sqrt(numpy.convolve(squares, numpy.full(RATE // 10, 10 / RATE)).max())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_voice_has_eight_short_numbers_of_the_same_level(language):
    numbers = voice(language)
    assert len(numbers) == 8
    assert voice_file(language).stat().st_size <= 150_000
    for samples, attack in numbers:
        assert 0.1 * RATE < len(samples) < 0.6 * RATE
        # A number begins some time before its vowel, which takes at least as long.
        assert 0 < attack < 0.6 * len(samples)
        assert numpy.abs(samples.astype(float)).max() <= 0.8 * 32_768
        assert not samples[:12].any() and not samples[-12:].any()
    levels = [20 * numpy.log10(loudest_tenth(samples)) for samples, _ in numbers]
    # 0.25, a little less where peaks are bent.
    assert all(-14 < level < -11.9 for level in levels), levels


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_attack_of_a_number_lies_in_the_rise_of_its_sound(language):
    for samples, attack in voice(language):
        before, after = (
            numpy.sqrt(numpy.mean((part / 32_768) ** 2))
            for part in (samples[max(12, attack - RATE // 20) : attack], samples[attack : attack + RATE // 20]))
        assert after > 1.2 * before


def test_all_voices_differ():
    assert all(
        voice_file(one).read_bytes() != voice_file(other).read_bytes()
        for one, other in itertools.combinations(LANGUAGES, 2))
