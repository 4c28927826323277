"""Sample accuracy: the worklet's output equals ffmpeg's decoded samples."""

import numpy
import pytest
from audio_support import TRACK_FRAMES

SECOND = 48_000


@pytest.fixture
def render(audio_browser, audio_server):
    """Renders offline; returns the samples, frames by channels, and the events."""

    def run(frames, steps, chunks=(0, 1, 2)):
        told = audio_browser.call(
            "render",
            {
                "trackId": "noise",
                "trackLengthFrames": TRACK_FRAMES,
                "chunks": list(chunks),
                "frames": frames,
                "steps": [{"at": at, "command": command} for at, command in steps],
            },
        )
        assert told["refused"] == 0
        samples = numpy.frombuffer(audio_server.result, "<f4").reshape(2, frames).T
        return samples, told["events"]

    return run


def load(start, end):
    return {"kind": "load", "startFrame": start, "endFrame": end}


def named(events, name):
    return [event for event in events if event["event"] == name]


def assert_equal(output, expected):
    assert output.shape == expected.shape
    # No tolerance: floats represent 16-bit samples exactly, and the player restores them.
    wrong = numpy.nonzero((output != expected).any(axis=1))[0]
    assert len(wrong) == 0, f"{len(wrong)} frames differ, the first is {wrong[0]}"


def test_a_part_equals_the_decoded_frames(render, track):
    start, end = 470_003, 970_011
    output, events = render(end - start + 1_000, [(0, load(start, end)), (0, {"kind": "play"})])
    assert [event["event"] for event in events] == ["started", "ended"]
    first = events[0]["contextFrame"]
    length = end - start
    assert_equal(output[first : first + length], track.samples[start:end])
    assert events[1]["contextFrame"] == first + length
    assert not output[first + length + 240 :].any()


def test_a_loop_has_no_missing_repeated_or_zero_frame_in_a_hundred_repeats(render, track):
    a, b = 477_777, 484_444
    length = b - a
    output, events = render(
        length * 101 + 128,
        [
            (0, load(400_000, 600_000)),
            (0, {"kind": "loop", "mode": "section", "a": b, "b": a}),
            (0, {"kind": "play"}),
        ],
    )
    first = named(events, "started")[0]["contextFrame"]
    assert_equal(
        output[first : first + length * 101], numpy.tile(track.samples[a:b], (101, 1))
    )
    # The rendering includes the beginning of the repeat after the hundredth.
    looped = named(events, "looped")
    assert [event["value"] for event in looped] == list(range(1, 102))
    assert [event["contextFrame"] for event in looped] == [
        first + turn * length for turn in range(1, 102)
    ]


def test_audio_starts_on_the_frame_where_the_countdown_ends(render, track):
    start = 12_345
    output, events = render(
        4 * SECOND,
        [
            (0, load(start, 400_000)),
            (0, {"kind": "countdown", "frames": 3 * SECOND, "sound": "wood", "repeats": "every"}),
            (0, {"kind": "play"}),
        ],
    )
    ticks = named(events, "tick")
    assert [tick["value"] for tick in ticks] == [3, 2, 1]
    first = ticks[0]["contextFrame"]
    assert [tick["contextFrame"] - first for tick in ticks] == [0, SECOND, 2 * SECOND]
    begin = first + 3 * SECOND
    assert named(events, "started")[0]["contextFrame"] == begin
    length = len(output) - begin
    assert_equal(output[begin:], track.samples[start : start + length])
    assert not output[begin - 10_000 : begin].any(), "silence before the first frame"
    for tick in ticks:
        at = tick["contextFrame"]
        assert numpy.abs(output[at : at + 480]).max() > 0.2


@pytest.mark.parametrize("presses", [49, 50])
def test_fifty_presses_in_a_second_leave_one_countdown_or_none(render, presses):
    # 960 frames are 20 ms. Presses apply at blocks of 128 frames.
    steps = [
        (0, load(0, 400_000)),
        (0, {"kind": "countdown", "frames": 3 * SECOND, "sound": "clave", "repeats": "every"}),
    ]
    for press in range(presses):
        at = press * 960 // 128 * 128
        steps.append((at, {"kind": "play" if press % 2 == 0 else "pause"}))
    output, events = render(5 * SECOND, steps)
    last = steps[-1][0]
    later = [event for event in events if event["contextFrame"] > last + 128]
    if presses % 2 == 0:
        assert later == []
        assert not output[last + 128 + 240 :].any()
    else:
        assert [event["event"] for event in later] == ["tick", "tick", "started"]
        gaps = numpy.diff([event["contextFrame"] for event in later])
        assert list(gaps) == [SECOND, SECOND]


def test_a_seek_is_exact_and_does_not_click(render, track):
    at = 9_600
    output, events = render(
        30_000,
        [
            (0, load(0, 900_000)),
            (0, {"kind": "play"}),
            (at, {"kind": "seek", "frame": 700_000}),
        ],
    )
    first = named(events, "started")[0]["contextFrame"]
    assert_equal(output[first:at], track.samples[: at - first])
    after = output[at + 240 :]
    assert_equal(after, track.samples[700_240 : 700_240 + len(after)])


def test_audio_that_arrives_during_playback_causes_no_gap(render, track):
    output, events = render(
        600_000,
        [
            (0, load(0, 590_000)),
            (0, {"kind": "play"}),
            (128_000, {"kind": "provide", "chunk": 1}),
        ],
        chunks=[0],
    )
    first = named(events, "started")[0]["contextFrame"]
    assert_equal(output[first : first + 590_000], track.samples[:590_000])


def test_audio_of_the_previous_track_does_not_reach_the_next_one(render):
    # Pieces of chunk 1 are still waiting for their blocks when all chunks are discarded.
    output, events = render(
        200_000,
        [
            (0, load(0, 900_000)),
            (0, {"kind": "play"}),
            (12_800, {"kind": "provide", "chunk": 1}),
            (12_800, {"kind": "discardAll"}),
            (12_800, {"kind": "seek", "frame": 500_000}),
        ],
        chunks=[0],
    )
    assert named(events, "starved")[0]["value"] == 500_000
    assert not output[12_800 + 240 :].any()
