"""The caller: names on their exact frames, at another speed and in loops, and the music that gives way."""

import numpy
from audio_support import at_speeds
from test_clicks import after, assert_said, beats
from test_samples import assert_equal, load, named, render  # noqa: F401 (a fixture)
from voices import voice

#: The frames in which the music sinks and comes back.
SINKS, RETURNS = 1_200, 12_000


def calling(*steps, calls, duck=0.0):
    """Returns the steps that say the numbers of the English voice as names: move, call and number."""
    return [
        (0, {"kind": "nameFile", "address": "/voice-en.wav"}),
        (0, {"kind": "caller", "volume": 1, "duck": duck}),
        *[(0, step) for step in steps],
        (0, {"kind": "callNumbers", "numbers": [number for call in calls for number in call]}),
        (0, {"kind": "play"}),
    ]


def length(number):
    return 2 * len(voice("en")[number - 1].samples)


def lead(number):
    return 2 * voice("en")[number - 1].attack


@at_speeds()
def test_a_name_has_its_attack_on_its_call(render, percent):  # noqa: F811
    part, calls = (400_003, 700_003), [(490_001, 440_009, 3), (600_000, 552_007, 7)]
    output, events = render(after(250_000, percent), calling(
        load(*part), {"kind": "musicVolume", "volume": 0},
        {"kind": "speed", "percent": percent, "semitones": 0}, calls=calls))
    begin = named(events, "started")[0]["contextFrame"]
    for _, called, number in calls:
        at = begin + after(called - part[0], percent)
        assert_said(output, number, at, at - lead(number) + length(number))
    heard = numpy.nonzero(output.any(axis=1))[0]
    assert len(heard) <= sum(length(number) for _, _, number in calls)


@at_speeds()
def test_in_a_loop_the_name_of_the_first_move_is_said_before_its_end(render, percent):  # noqa: F811
    a, b = 410_007, 482_008
    output, events = render(after(3 * (b - a), percent), calling(
        load(400_000, 500_000), {"kind": "loop", "mode": "section", "a": a, "b": b},
        {"kind": "musicVolume", "volume": 0}, {"kind": "speed", "percent": percent, "semitones": 0},
        calls=[(a, a - 36_001, 5)]))
    begin = named(events, "started")[0]["contextFrame"]
    for turn in (1, 2):
        at = begin + after(turn * (b - a) - 36_001, percent)
        assert_said(output, 5, at, at - lead(5) + length(5))


def test_the_music_sinks_and_comes_back_on_exact_frames(render, track):  # noqa: F811
    start, called = 400_003, 440_009
    output, events = render(100_000, calling(load(start, 700_000), calls=[(490_000, called, 3)]))
    begin = named(events, "started")[0]["contextFrame"]
    said = begin + called - start - lead(3)
    over = said + length(3)

    def music(first, last):
        return track.samples[start + first - begin : start + last - begin].astype(output.dtype)

    assert_equal(output[begin:said], music(begin, said))
    # Silent music under most of the name: only its samples.
    samples = (voice("en")[2].samples / 32_768).astype(output.dtype)
    assert (output[said + SINKS : over : 2, 0] == samples[SINKS // 2 :]).all()
    # In the middle of its return it has half of its volume.
    middle = over + RETURNS // 2 - 1
    assert numpy.abs(output[middle] - 0.5 * music(middle, middle + 1)[0]).max() < 1e-4
    assert_equal(output[over + RETURNS :], music(over + RETURNS, len(output)))


def test_before_a_count_in_the_name_is_said_and_the_music_starts_on_its_frame(render, track):  # noqa: F811
    start, period = 400_000, 12_000
    output, events = render(length(8) + 9_600 + 4 * period + 3_000, calling(
        load(start, 900_000), beats([start + period * index for index in range(5)]),
        {"kind": "countIn", "countIn": "four"}, {"kind": "tickVolume", "volume": 0},
        calls=[(start, start - 4 * period, 8)]))
    ticks = [tick["contextFrame"] for tick in named(events, "tick")]
    begin = named(events, "started")[0]["contextFrame"]
    assert ticks == [begin - step * period for step in (4, 3, 2, 1)]
    first = ticks[0] - 9_600 - length(8)
    assert_said(output, 8, first + lead(8), first + length(8))
    assert not output[ticks[0] - 9_600 : begin].any()
    assert_equal(output[begin:], track.samples[start : start + len(output) - begin].astype(output.dtype))
