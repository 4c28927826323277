"""From a piece to audio: fluidsynth with one of several sound fonts, then what happens to recordings."""

import dataclasses
import pathlib
import subprocess
import tempfile
import wave

import numpy

from .features import RATE
from .midi import midi_of
from .synthesis import synthesised

FONTS = {
    "timgm": "/usr/share/sounds/sf2/TimGM6mb.sf2",
    "fluid": "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "mono": "/usr/share/sounds/sf3/FluidR3Mono_GM.sf3",
    "musescore": "/usr/share/sounds/sf3/MuseScore_General.sf3",
    "opl3": "/usr/share/sounds/sf2/OPL-3_FM_128M.sf2",
    "csound": "/usr/share/sounds/sf2/sf_GMbank.sf2",
    "pearl": "/usr/share/sounds/sf2/Black_Pearl_4_LV2.sf2",
}
#: Of recorded drums alone, whose notes are those of General MIDI as far as they go.
DRUM_FONT = "pearl"
DRUM_FONT_KEYS = frozenset((35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 53, 57, 59))
#: Never trained on.
HELD_OUT_FONTS = ("musescore",)
KITS = (0, 0, 8, 16, 24, 25, 32, 40, 48)
OTHER_PROGRAMS = tuple(range(0, 32)) + tuple(range(40, 96)) + (98, 99, 100, 104, 105, 106, 107, 108)


def with_other_players(piece, random):
    """Now and then the same on other instruments, and on another kit."""
    programs = dict(piece.programs)
    if random.random() < 0.5:
        programs[9] = int(random.choice(KITS))
    if random.random() < 0.4:
        for channel, program in piece.programs.items():
            if channel != 9 and random.random() < 0.6:
                others = range(32, 40) if 32 <= program < 40 else OTHER_PROGRAMS
                programs[channel] = int(random.choice(others))
    return dataclasses.replace(piece, programs=programs)


def varied(piece, font, random):
    """Mono samples of a piece at 48 kHz: on a sound font, with other drums, or by our own synthesis."""
    piece = with_other_players(piece, random)
    kind = random.random()
    if kind < 0.14:
        return synthesised(piece, piece.notes, random)
    if kind < 0.62:
        return rendered(piece, font, random)
    if kind < 0.74:
        drums, others = parted(piece, lambda note: note.channel == 9)
        sounds = synthesised(piece, drums.notes, random), rendered(others, font, random)
    else:
        drums, others = parted(piece, lambda note: note.channel == 9 and note.key in DRUM_FONT_KEYS)
        notes = [dataclasses.replace(note, channel=0) for note in drums.notes]
        sounds = rendered(dataclasses.replace(drums, notes=notes, programs={0: 0}), DRUM_FONT, random), rendered(others, font, random)
    return mixed(sounds, random)


def parted(piece, belongs):
    """The notes that belong to the drums, and the others, as two pieces."""
    mine = [note for note in piece.notes if belongs(note)]
    return dataclasses.replace(piece, notes=mine), dataclasses.replace(piece, notes=[note for note in piece.notes if not belongs(note)])


def mixed(sounds, random):
    """Two sounds, the first one quieter or louder than the other."""
    levels = [float(numpy.sqrt(numpy.mean(sound ** 2))) if len(sound) else 0.0 for sound in sounds]
    result = numpy.zeros(max(map(len, sounds)), numpy.float32)
    gain = 10 ** (random.uniform(-9, 7) / 20)
    for sound, level, own in zip(sounds, levels, (gain, 1.0)):
        if level > 1e-5:
            result[:len(sound)] += own / level * sound
    return result


def rendered(piece, font, random):
    """Mono samples of a piece at 48 kHz."""
    if not piece.notes:
        return numpy.zeros(RATE, numpy.float32)
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
