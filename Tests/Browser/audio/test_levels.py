"""Levels in both browsers: exact where they hold, a fall that ends on its frame, and a rise that begins there."""

import re
import subprocess

import numpy
import pytest
from audio_support import ffmpeg
from test_samples import SECOND, assert_equal, load, named, render  # noqa: F401 (a fixture)

FADE = 240


def levels(*pairs):
    return {"kind": "levels", "levels": [{"frame": frame, "gain": gain} for frame, gain in pairs]}


def measured(samples):
    """The loudness and the true peak of stereo, as ffmpeg finds them."""
    told = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostats", "-f", "f32le", "-ar", str(SECOND), "-ac", "2", "-i", "pipe:0", "-af",
         "ebur128=peak=true:framelog=verbose", "-f", "null", "-"],
        input=samples.astype("<f4").tobytes(), check=True, capture_output=True).stderr.decode()
    summary = told[told.rindex("Summary"):]
    return [float(re.search(rf"{name}:\s+(-?[\d.]+)", summary)[1]) for name in ("I", "Peak")]


def test_levels_change_on_their_frames(render, track):  # noqa: F811
    start, fall, rise, end = 470_003, 480_100, 490_007, 500_000
    output, events = render(end - start + 1_000, [
        (0, load(start, end)), (0, levels((0, 0.75), (fall, 0.25), (rise, 1.25))), (0, {"kind": "play"})])
    first = named(events, "started")[0]["contextFrame"]

    def heard(from_frame, to_frame):
        return output[first + from_frame - start : first + to_frame - start]

    def scaled(from_frame, to_frame, gain):
        return (track.samples[from_frame:to_frame] * gain).astype("<f4")

    assert_equal(heard(start, fall - FADE), scaled(start, fall - FADE, 0.75))
    assert_equal(heard(fall - 1, rise), scaled(fall - 1, rise, 0.25))
    assert_equal(heard(rise + FADE - 1, end), scaled(rise + FADE - 1, end, 1.25))
    for near, low, high in ((fall - FADE, 0.25, 0.75), (rise, 0.25, 1.25)):
        gains = heard(near, near + FADE) / track.samples[near : near + FADE]
        assert low - 1e-5 <= gains.min() and gains.max() <= high + 1e-5


def test_levels_that_are_taken_away_leave_the_samples(render, track):  # noqa: F811
    start, end = 400_000, 440_000
    output, events = render(end - start + 1_000, [
        (0, load(start, end)), (0, levels((0, 0.5))), (0, {"kind": "play"}), (12_800, levels())])
    first = named(events, "started")[0]["contextFrame"]
    assert_equal(output[first:12_800], (track.samples[start : start + 12_800 - first] * 0.5).astype("<f4"))
    after = 12_800 + FADE
    assert_equal(output[after : first + end - start], track.samples[start + after - first : end].astype("<f4"))


@pytest.mark.parametrize("percent", [100, 75])
def test_two_songs_of_different_loudness_are_equally_loud(audio_browser, audio_server, percent):
    seconds = 4
    chance = numpy.random.default_rng(16)
    # Noise without its highest and lowest tones, whose peaks are 12 dB above its loudness and more.
    spectrum = numpy.fft.rfft(chance.standard_normal((2 * seconds * SECOND, 2)), axis=0)
    hertz = numpy.fft.rfftfreq(2 * seconds * SECOND, 1 / SECOND)
    spectrum[(hertz < 200) | (hertz > 8_000)] = 0
    noise = numpy.clip(numpy.fft.irfft(spectrum, axis=0) * 6, -1, 1)
    border = seconds * SECOND
    songs = [noise[:border], noise[border:]]
    sources = [
        song * 10 ** ((wanted - measured(song)[0]) / 20) for song, wanted in zip(songs, (-10, -26))]
    samples = numpy.clip(numpy.round(numpy.concatenate(sources) * 32_768), -32_768, 32_767).astype("<i2")
    found = [measured(part / 32_768) for part in (samples[:border], samples[border:])]
    # The rule: as loud as both can be with their peaks at −1 dBTP.
    target = min(found[0][0], *(loudness - 1 - peak for loudness, peak in found))
    gains = [10 ** ((target - loudness) / 20) for loudness, _ in found]
    audio_server.more_tracks["two-songs"] = [ffmpeg(
        "-f", "s16le", "-ar", SECOND, "-ac", 2, "-i", "pipe:0", "-c:a", "flac", "-sample_fmt", "s16", "-f", "flac",
        "pipe:1", data=samples.tobytes())]
    frames = 2 * border * 100 // percent + 2_000
    told = audio_browser.call("render", {
        "trackId": "two-songs", "trackLengthFrames": 2 * border, "chunks": [0], "frames": frames,
        "steps": [{"at": 0, "command": command} for command in (
            load(0, 2 * border), {"kind": "speed", "percent": percent, "semitones": 0},
            levels((0, gains[0]), (border, gains[1])), {"kind": "play"})]})
    output = numpy.frombuffer(audio_server.result, "<f4").reshape(2, frames).T
    first = named(told["events"], "started")[0]["contextFrame"]
    join = first + border * 100 // percent
    heard = [measured(part) for part in (output[first:join], output[join : join + border * 100 // percent])]
    assert abs(heard[0][0] - heard[1][0]) <= 0.5, heard
    assert abs(heard[0][0] - target) <= 0.5, (heard, target)
    # ffmpeg says tenths. Stretched sound overshoots.
    assert max(peak for _, peak in heard) <= (-0.9 if percent == 100 else 1), heard
