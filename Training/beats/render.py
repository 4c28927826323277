"""From a piece to audio: fluidsynth with one of several sound fonts, then what happens to recordings."""

import pathlib
import subprocess
import tempfile
import wave

import numpy

from .features import RATE
from .midi import midi_of

FONTS = {
    "timgm": "/usr/share/sounds/sf2/TimGM6mb.sf2",
    "fluid": "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "musescore": "/usr/share/sounds/sf3/MuseScore_General.sf3",
    "opl3": "/usr/share/sounds/sf2/opl3-soundfont.sf2",
    "csound": "/usr/share/sounds/sf2/sf_GMbank.sf2",
}
#: Never trained on.
HELD_OUT_FONTS = ("musescore",)


def rendered(piece, font, random):
    """Mono samples of a piece at 48 kHz."""
    levels = {channel: int(random.integers(60, 115)) for channel in sorted({note.channel for note in piece.notes})}
    with tempfile.TemporaryDirectory() as folder:
        midi, sound = pathlib.Path(folder) / "a.mid", pathlib.Path(folder) / "a.wav"
        midi.write_bytes(midi_of(piece, levels))
        subprocess.run(
            ["fluidsynth", "-q", "-n", "-i", "-r", str(RATE), "-g", "0.6", "-o", f"synth.reverb.active={int(random.random() < 0.7)}",
             "-o", "synth.chorus.active=0", "-o", "synth.dynamic-sample-loading=1", "-F", str(sound), FONTS[font], str(midi)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with wave.open(str(sound)) as file:
            frames = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())
    return frames.mean(axis=1, dtype=numpy.float32) / 32_768


def recorded(samples, random):
    """The same as if it had been mixed, played in a room, filmed or compressed; its timing stays."""
    peak = float(numpy.max(numpy.abs(samples), initial=1e-6))
    samples = samples / peak
    if random.random() < 0.6:
        # A bus compressor, as a soft limit.
        drive = random.uniform(1, 6)
        samples = numpy.tanh(drive * samples) / numpy.tanh(drive)
    if random.random() < 0.5:
        samples = tilted(samples, random)
    if random.random() < 0.25:
        samples = in_a_room(samples, random)
    if random.random() < 0.3:
        noise = random.normal(0, 1, len(samples)).astype(numpy.float32)
        samples = samples + noise * 10 ** (random.uniform(-60, -25) / 20)
    return (samples * 10 ** (random.uniform(-14, -0.5) / 20)).astype(numpy.float32)


def tilted(samples, random):
    """Bass and treble turned up or down, or both cut off as by a small loudspeaker."""
    spectrum = numpy.fft.rfft(samples)
    hertz = numpy.fft.rfftfreq(len(samples), 1 / RATE)
    octaves = numpy.log2(numpy.maximum(hertz, 20) / 1_000)
    spectrum *= 10 ** (random.uniform(-2.5, 2.5) * octaves / 20)
    if random.random() < 0.3:
        spectrum *= 1 / (1 + (random.uniform(60, 250) / numpy.maximum(hertz, 1)) ** 4)
        spectrum *= 1 / (1 + (hertz / random.uniform(4_000, 12_000)) ** 8)
    result = numpy.fft.irfft(spectrum, len(samples))
    return (result / max(1e-6, numpy.max(numpy.abs(result)))).astype(numpy.float32)


def in_a_room(samples, random):
    """Noise that dies away, behind the direct sound."""
    seconds = random.uniform(0.2, 1.2)
    tail = random.normal(0, 1, int(seconds * RATE)) * numpy.exp(-6.9 * numpy.arange(int(seconds * RATE)) / (seconds * RATE))
    length = 1 << (len(samples) + len(tail)).bit_length()
    wet = numpy.fft.irfft(numpy.fft.rfft(samples, length) * numpy.fft.rfft(tail, length), length)[:len(samples)]
    wet *= numpy.std(samples) / max(1e-9, numpy.std(wet))
    return (samples + random.uniform(0.1, 0.8) * wet).astype(numpy.float32)
