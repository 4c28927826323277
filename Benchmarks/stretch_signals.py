"""The signals that `stretch_quality.py` measures: functions of the speed, so each ideal is known exactly."""

import numpy as np
import scipy.signal

import stretch_seeds
from stretch_music import played
from stretch_peers import RATE

LENGTH = 8


def seconds(count):
    return np.arange(int(count * RATE)) / RATE


def stereo(mono, right=None):
    return np.stack([mono, mono if right is None else right], axis=1)


def partials(rate, length, tracks):
    """Sums sines whose frequency is a function of the original's time; also returns their phases."""
    time = seconds(length / rate) * rate
    phases = [2 * np.pi * np.cumsum(frequency(time)) / RATE for frequency, _ in tracks]
    return sum(level * np.sin(phase) for (_, level), phase in zip(tracks, phases)), phases


def steady(frequency, level):
    return (lambda time: np.full_like(time, frequency), level)


def chord_tracks():
    """Returns a chord of which some partials beat with each other, as those of instruments do."""
    roots = (130.81, 164.81, 196.0, 261.63)
    return [steady(root * n, 0.12 / n) for root in roots for n in (1, 2, 3, 4, 5)]


def apart_tracks():
    """Returns a chord whose partials lie far enough apart to be measured one by one."""
    frequencies = (131, 196, 247, 311, 370, 466, 554, 699, 831, 1047, 1319, 1661, 2093, 2637, 3322)
    return [steady(frequency, 10 / frequency ** 0.9) for frequency in frequencies]


def sweep_track():
    return [(lambda time: 200 * 16 ** (time / 8), 0.5)]


def vibrato_tracks():
    def harmonic(n):
        def frequency(time):
            return n * 440 * 2 ** (50 / 1200 * np.sin(2 * np.pi * 5.5 * time))
        return (frequency, 0.4 / n)
    return [harmonic(n) for n in range(1, 9)]


def click(_):
    return 0.7 * np.array([1.0, -0.6, 0.3, -0.1])


def drum(index):
    source = np.random.default_rng(100 + index)
    time = seconds(0.35)
    rise = np.minimum(1, time / 0.001)
    if index % 3 == 0:
        phase = 2 * np.pi * np.cumsum(50 + 120 * np.exp(-time / 0.02)) / RATE
        return 0.6 * rise * np.exp(-time / 0.04) * np.cos(phase)
    noise = source.standard_normal(len(time))
    if index % 3 == 1:
        return rise * (0.18 * np.exp(-time / 0.03) * noise
                       + 0.2 * np.exp(-time / 0.035) * np.sin(2 * np.pi * 190 * time))
    bright = scipy.signal.lfilter([1, -1.6, 0.64], [1], noise)
    return 0.09 * rise * np.exp(-time / 0.012) * bright


def hit_times(length, gap, seed):
    source = np.random.default_rng(seed)
    times, now = [], 0.3
    while now < length - 0.6:
        times.append(round(now * RATE))
        now += gap * source.uniform(0.7, 1.4)
    return np.array(times)


def hits(rate, length, times, sound):
    out = np.zeros(round(length * RATE / rate))
    for index, frame in enumerate(np.round(times / rate).astype(int)):
        piece = sound(index)[: len(out) - frame]
        out[frame:frame + len(piece)] += piece
    return out


CLICKS = hit_times(LENGTH, 0.25, 1)
DRUMS = hit_times(LENGTH, 0.35, 2)


def fit(signal, length):
    return signal[:length] if len(signal) >= length else np.pad(signal, (0, length - len(signal)))


def mixture(rate):
    """Drums by time, tones by synthesis, in stereo."""
    length = round(LENGTH * RATE / rate)
    drums = fit(hits(rate, LENGTH, DRUMS, drum), length)
    left, _ = partials(rate, LENGTH, chord_tracks()[:10] + vibrato_tracks()[:4])
    right, _ = partials(rate, LENGTH, chord_tracks()[10:])
    return 0.6 * np.stack([drums + 0.5 * fit(left, length), drums + 0.5 * fit(right, length)], 1)


def wide(_):
    """Noise and a chord, the right channel a filtered and delayed copy of the left."""
    source = np.random.default_rng(9)
    body = scipy.signal.lfilter([0.1], [1, -0.9], source.standard_normal(LENGTH * RATE)) * 0.3
    body += fit(partials(1, LENGTH, chord_tracks())[0], LENGTH * RATE) * 0.5
    return np.stack([body, 0.7 * np.roll(body, 12)], 1)


class Signal:
    """One or more stereo sounds of a kind, each a function of the speed; 1 gives the original.

    `tracks` gives the phases of its partials at a speed, if their purity is measured.
    """

    def __init__(self, *sounds, is_mono=True, semitones=0, tracks=None, is_graded=True):
        self.sounds = sounds
        self.is_graded = is_graded
        self.is_mono = is_mono
        self.semitones = semitones
        self.tracks = tracks

    def phases(self, sound, rate):
        """Returns the phases of a sound's partials, or None where there is nothing to take out."""
        if self.tracks is None:
            return None
        if isinstance(sound, stretch_seeds.Partials):
            # Of one of a family: it takes long.
            return list(sound.phases(rate)) if sound is self.sounds[0] else None
        return partials(rate, LENGTH, self.tracks())[1]


def tones(tracks):
    return lambda rate: stereo(partials(rate, LENGTH, tracks())[0])


def family(make, seeds, **more):
    return Signal(*(make(seed) for seed in range(seeds)), **more)


SIGNALS = {
    "sweep": Signal(tones(sweep_track), tracks=sweep_track, is_graded=False),
    "chord": Signal(tones(apart_tracks), tracks=apart_tracks),
    "beating": Signal(tones(chord_tracks)),
    "dense": family(stretch_seeds.dense, 6),
    "voicings": family(stretch_seeds.voicing, 6),
    "vibrato": Signal(tones(vibrato_tracks), tracks=vibrato_tracks),
    "voice": family(stretch_seeds.voice, 4, tracks="seeds"),
    "glides": family(stretch_seeds.glide, 3, tracks="seeds"),
    "clicks": Signal(lambda rate: stereo(hits(rate, LENGTH, CLICKS, click)), is_graded=False),
    "drums": Signal(lambda rate: stereo(hits(rate, LENGTH, DRUMS, drum))),
    "mixture": Signal(mixture, is_mono=False),
    "wide": Signal(wide, is_mono=False, is_graded=False),
    "white": Signal(stretch_seeds.noise(0), is_mono=False, is_graded=False),
    "pink": Signal(stretch_seeds.noise(1), is_mono=False, is_graded=False),
    "starts": Signal(*stretch_seeds.starts(), is_graded=False),
    "starts an octave lower": Signal(*stretch_seeds.starts(-12), semitones=-12, is_graded=False),
    "music": Signal(*played(), is_mono=False),
}
