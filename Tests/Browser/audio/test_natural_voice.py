"""A transposed voice in both browsers: its formant stays where it is, or moves with the pitch."""

import numpy
import pytest
from audio_support import ffmpeg
from test_samples import SECOND, load, named

PITCH, FORMANT, SEMITONES = 150, 1_200, 5


@pytest.mark.parametrize("natural", [True, False])
def test_a_natural_voice_keeps_its_formant(audio_browser, audio_server, natural):
    length = 2 * SECOND
    time = numpy.arange(length) / SECOND
    partials = PITCH * numpy.arange(1, 60)
    levels = 1 / (1 + ((partials - FORMANT) / 150) ** 2)
    sound = sum(level * numpy.sin(2 * numpy.pi * hertz * time + hertz) for level, hertz in zip(levels, partials))
    samples = numpy.round(sound / numpy.abs(sound).max() * 16_000).astype("<i2")
    audio_server.more_tracks["vowel"] = [ffmpeg(
        "-f", "s16le", "-ar", SECOND, "-ac", 2, "-i", "pipe:0", "-c:a", "flac", "-sample_fmt", "s16", "-f", "flac",
        "pipe:1", data=numpy.repeat(samples, 2).tobytes())]
    frames = length + 2_000
    told = audio_browser.call("render", {
        "trackId": "vowel", "trackLengthFrames": length, "chunks": [0], "frames": frames,
        "steps": [{"at": 0, "command": command} for command in (
            load(0, length), {"kind": "speed", "percent": 100, "semitones": SEMITONES, "isNaturalVoice": natural},
            {"kind": "play"})]})
    output = numpy.frombuffer(audio_server.result, "<f4").reshape(2, frames).T
    first = named(told["events"], "started")[0]["contextFrame"]
    # One second from the middle, so that bins are hertz.
    heard = output[first + SECOND // 2 : first + SECOND * 3 // 2, 0]
    power = numpy.abs(numpy.fft.rfft(heard * numpy.hanning(SECOND))) ** 2
    ratio = 2 ** (SEMITONES / 12)
    near = [power[int(n * PITCH * ratio) - 3 : int(n * PITCH * ratio) + 5].sum() for n in range(1, 20)]
    centre = numpy.sum(near * numpy.arange(1, 20)) * PITCH * ratio / numpy.sum(near)
    assert abs(centre / (FORMANT if natural else FORMANT * ratio) - 1) < 0.06, centre
    assert sum(near) > 0.95 * power.sum()
