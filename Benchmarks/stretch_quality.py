"""Measures the sound of `segmance stretch` beside its peers, in one run, and prints one table.

Use: python3 Benchmarks/stretch_quality.py [--segmance PATH] [--rates 0.5,0.75] [--only NAME,NAME]
     [--prototypes]

It needs an environment of its own (pip install -r Benchmarks/stretch-requirements.txt) and Debian's
rubberband-cli, soundstretch and ffmpeg. Every test signal carries a bed of noise at -96 dBFS, since
digital silence misleads detectors of attacks, and is stored with 16 bits. The last column measures
the ideal itself: what it shows is where a measure ends, not what a program could do better.
"""

import argparse
import pathlib
import shutil
import tempfile

import numpy as np
import scipy.ndimage
import scipy.signal

from stretch_peers import RATE, peers, read, write
from stretch_prototypes import PROTOTYPES

RATES = (0.5, 0.75, 0.9, 1.25, 1.5)


def seconds(count):
    return np.arange(int(count * RATE)) / RATE


# --- Signals: each is a function of the speed, so that its ideal at that speed is known exactly.


class Signal:
    """A stereo signal; `make(rate)` gives its ideal version at a speed, 1 the original."""

    def __init__(self, make):
        self.original = make(1)
        self.make = make


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


LENGTH = 8
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


SIGNALS = {
    "sweep": Signal(lambda rate: stereo(partials(rate, LENGTH, sweep_track())[0])),
    "chord": Signal(lambda rate: stereo(partials(rate, LENGTH, apart_tracks())[0])),
    "beating": Signal(lambda rate: stereo(partials(rate, LENGTH, chord_tracks())[0])),
    "vibrato": Signal(lambda rate: stereo(partials(rate, LENGTH, vibrato_tracks())[0])),
    "clicks": Signal(lambda rate: stereo(hits(rate, LENGTH, CLICKS, click))),
    "drums": Signal(lambda rate: stereo(hits(rate, LENGTH, DRUMS, drum))),
    "mixture": Signal(mixture),
    "wide": Signal(wide),
}

# --- Measures


def decibels(ratio):
    return 10 * np.log10(max(ratio, 1e-12))


FACTOR = 24
SHORT = scipy.signal.windows.blackmanharris(4 * FACTOR + 1)
SHORT /= SHORT.sum()


def slow_part(signal, bandwidth):
    """What a signal has below a bandwidth; by way of a lower rate, which takes a tenth of the time."""
    window = scipy.signal.windows.blackmanharris(2 * int(RATE / FACTOR / bandwidth) + 1)
    low = scipy.signal.upfirdn(SHORT, np.pad(signal, 2 * FACTOR), down=FACTOR)[4:]
    low = scipy.signal.oaconvolve(low, window / window.sum(), "same")
    high = scipy.signal.upfirdn(SHORT * FACTOR, low, up=FACTOR)[2 * FACTOR:]
    return np.pad(high, (0, max(0, len(signal) - len(high))))[:len(signal)]


def purity(out, phases, bandwidth=12.0):
    """Energy beside the partials, and the worst pitch error in cents; both channels count.

    A partial is what is left of the sound, after demodulation by the ideal phase, below `bandwidth`.
    """
    inner = slice(RATE // 2, len(out) - RATE // 2)
    beside, whole, cents = 0.0, 0.0, 0.0
    for channel in out.T:
        signal = scipy.signal.hilbert(channel)
        bases = [np.zeros(len(signal), complex) for _ in phases]
        rest = signal.copy()
        # Three rounds of taking the partials out, since each sees a little of its neighbours.
        for _ in range(3):
            for index, phase in enumerate(phases):
                turn = np.exp(1j * phase)
                more = slow_part(rest * np.conj(turn), bandwidth)
                bases[index] += more
                rest -= more * turn
        beside += np.mean(np.abs(rest[inner]) ** 2)
        whole += np.mean(np.abs(signal[inner]) ** 2)
        for base, phase in zip(bases, phases):
            frequency = np.gradient(phase)[inner]
            step = np.angle(base[inner][4_800:] * np.conj(base[inner][:-4_800])) / 4_800
            offset = np.abs(np.mean(step)) / np.mean(frequency)
            cents = max(cents, 1200 * np.log2(1 + offset))
    return decibels(beside / whole), cents


def envelope(out, frames=12):
    """The root of the power of both channels over some frames (0.25 ms), centred."""
    power = np.mean(out ** 2, axis=1)
    return np.sqrt(np.maximum(0, scipy.ndimage.uniform_filter1d(power, frames)))


def bumps(level):
    """Counts the separate hits in a piece of an envelope."""
    height = 0.3 * level.max()
    return len(scipy.signal.find_peaks(level, height=height, prominence=height, distance=144)[0])


def half_frame(level):
    """Where an envelope first passes half of its highest point."""
    return int(np.argmax(level >= 0.5 * level.max()))


def rise_frames(level):
    """From 10 to 90 % of the highest point of an envelope.

    Backwards from 90 %, for as long as 10 % is reached at least once in every 10 ms: a kick drum
    swings through zero on its way, which is not where it begins.
    """
    highest = level.max()
    top = int(np.argmax(level >= 0.9 * highest))
    held = scipy.ndimage.maximum_filter1d(level[:top + 1], 480, origin=239)
    low = np.flatnonzero(held <= 0.1 * highest)
    return top - (low[-1] if len(low) else 0)


def attacks(out, ideal, times, rate):
    level, wanted = envelope(out), envelope(ideal)
    smooth, smooth_wanted = envelope(out, 144), envelope(ideal, 144)
    rises, echoes, offsets, doubled, lost = [], [], [], 0, 0
    reach = 2_400
    for frame in np.round(times / rate).astype(int):
        start, end = max(0, frame - reach), min(frame + reach, len(level))
        if end - start < reach or end > len(wanted):
            continue
        here, there = level[start:end], wanted[start:end]
        if here.max() < 0.25 * there.max():
            lost += 1
            continue
        offsets.append(half_frame(here) - half_frame(there))
        rises.append(rise_frames(here) / RATE * 1_000)
        # The ideal begins at `frame`, so what was moved by the offset begins there and so much later.
        first = frame + offsets[-1]
        before = np.mean(level[max(0, first - 960 - 48):first - 48] ** 2)
        echoes.append(before / np.mean(level[first:first + 960] ** 2))
        doubled += max(0, bumps(smooth[start:end]) - max(1, bumps(smooth_wanted[start:end])))
    offsets = np.array(offsets)
    return {
        "attack, ms": np.mean(rises), "pre-echo, dB": decibels(np.mean(echoes)),
        "timing mean, frames": np.mean(offsets), "timing spread, frames": np.std(offsets),
        "timing worst, frames": np.max(np.abs(offsets)), "doubled": doubled, "lost": lost,
    }


def convergence(out, ideal):
    def magnitudes(samples):
        return np.abs(scipy.signal.stft(samples.T, RATE, nperseg=2_048, noverlap=1_536)[2])
    length = min(len(out), len(ideal))
    a, b = magnitudes(out[:length]), magnitudes(ideal[:length])
    return 2 * decibels(np.linalg.norm(a - b) / np.linalg.norm(b))


def image(out):
    inner = out[RATE // 2:-RATE // 2]
    _, coherence = scipy.signal.coherence(inner[:, 0], inner[:, 1], RATE, nperseg=1_024)
    audible = coherence[2:400]
    middle, side = inner.sum(1), inner[:, 0] - inner[:, 1]
    return {
        "coherence": np.mean(audible),
        "correlation": np.corrcoef(inner[:, 0], inner[:, 1])[0, 1],
        "mid/side, dB": decibels(np.mean(middle ** 2) / np.mean(side ** 2)),
    }


def measure(name, out, rate):
    ideal = SIGNALS[name].make(rate)
    row = {}
    tracks = {"sweep": sweep_track, "chord": apart_tracks, "vibrato": vibrato_tracks}
    if name in tracks:
        _, phases = partials(rate, LENGTH, tracks[name]())
        count = min(len(out), len(phases[0]))
        row["purity, dB"], row["pitch error, cents"] = purity(
            out[:count], [phase[:count] for phase in phases])
    if name in ("clicks", "drums"):
        times = CLICKS if name == "clicks" else DRUMS
        row |= attacks(out, ideal, times, rate)
    if name in ("chord", "beating", "vibrato", "drums", "mixture"):
        row["convergence, dB"] = convergence(out, ideal)
    if name == "wide":
        row |= image(out)
    return row


def bed(signal):
    noise = np.random.default_rng(3).standard_normal(signal.shape)
    return signal + noise * 10 ** (-96 / 20)


# --- The table


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segmance", default=".build/server/release/segmance")
    parser.add_argument("--rates", default=",".join(map(str, RATES)))
    parser.add_argument("--only", help="names of peers")
    parser.add_argument("--signals", default=",".join([*SIGNALS, "cost"]))
    parser.add_argument("--prototypes", action="store_true", help="measure stretch_prototypes.py too")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(peers(options.segmance))
    if options.prototypes:
        names += PROTOTYPES
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segmance-stretch-"))
    try:
        for rate in map(float, options.rates.split(",")):
            report(rate, options.segmance, names, options.signals.split(","), folder)
    finally:
        shutil.rmtree(folder)


def report(rate, segmance, names, signals, folder):
    table, lengths = {}, dict.fromkeys(names, 0)
    for signal in signals:
        if signal == "cost":
            continue
        source, target = folder / "source.wav", folder / "target.wav"
        write(source, bed(SIGNALS[signal].original))
        wanted = round(len(SIGNALS[signal].original) / rate)
        tools = peers(segmance, is_mono=signal not in ("mixture", "wide")) | PROTOTYPES
        for name in names:
            tools[name](str(source), str(target), rate)
            out = read(target)
            lengths[name] = max(lengths[name], len(out) - wanted, key=abs)
            add(table, signal, name, measure(signal, out, rate))
        write(target, bed(SIGNALS[signal].make(rate)))
        add(table, signal, "the ideal", measure(signal, read(target), rate))
    table["length error, frames (worst)"] = lengths
    if "cost" in signals:
        table["processor time, s for a minute of input"] = cost(rate, segmance, names, folder)
    heads = [*names, "the ideal"]
    print(f"\n### At {rate:g} times the speed\n")
    print(f"| measure | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for key, row in table.items():
        print(f"| {key} | {' | '.join(cell(row.get(head)) for head in heads)} |", flush=True)


def add(table, signal, column, row):
    for name, value in row.items():
        table.setdefault(f"{signal}: {name}", {})[column] = value


def cell(value):
    if value is None:
        return ""
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.3g}"


def cost(rate, segmance, names, folder):
    """The processor time for a file of one minute: the least of three runs, or of 20 s of them.

    None for the prototypes: theirs would be Python's.
    """
    source, target = folder / "minute.wav", folder / "minute-stretched.wav"
    piece = SIGNALS["mixture"].original
    write(source, bed(np.tile(piece, (8, 1))[:60 * RATE]))
    least = {}
    for name in names:
        if name in PROTOTYPES:
            continue
        taken = []
        while len(taken) < 3 and sum(taken) < 20:
            taken.append(peers(segmance)[name](str(source), str(target), rate))
        least[name] = min(taken)
    return least


if __name__ == "__main__":
    main()
