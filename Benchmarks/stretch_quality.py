"""Measures the sound of `segmance stretch` beside its peers, in one run, and prints one table.

Use: python3 Benchmarks/stretch_quality.py [--segmance PATH] [--rates 0.5,0.75] [--only NAME,NAME]
     [--prototypes]

It needs an environment of its own (pip install -r Benchmarks/stretch-requirements.txt) and Debian's
rubberband-cli, soundstretch and ffmpeg. Every test signal carries a bed of noise at -96 dBFS, since
digital silence misleads detectors of attacks, and is stored with 16 bits. The last column measures
the ideal itself: what it shows is where a measure ends, not what a program could do better.
"""

import argparse
import concurrent.futures
import itertools
import tempfile

import numpy as np

from stretch_measures import (attacks, colour, convergence, filled, image, purity, start_level)
from stretch_peers import RATE, peers, read, write
from stretch_prototypes import PROTOTYPES
from stretch_signals import CLICKS, DRUMS, SIGNALS

RATES = (0.5, 0.75, 0.9, 1.25, 1.5)


# The window of the measure called convergence, where it is not 2,048: frames of a spectrum that tells
# partials apart that lie 12 Hz from each other.
WINDOWS = {"dense": 8_192, "voicings": 8_192}
# Hertz: a voice's partials lie at least 130 Hz apart, and their levels change with a fast pitch.
VOICE_BANDWIDTH = 45
CONVERGING = (
    "chord", "beating", "dense", "voicings", "vibrato", "voice", "glides", "drums", "mixture")


def measure(name, sound, out, rate, ideal):
    """Returns what is measured of one sound of a signal, stretched, by the measures' names."""
    row = {}
    phases = SIGNALS[name].phases(sound, rate)
    if phases:
        count = min(len(out), len(phases[0]))
        row["purity, dB"], row["pitch error, cents"] = purity(
            out[:count], [phase[:count] for phase in phases],
            VOICE_BANDWIDTH if name in ("voice", "glides") else 12)
    if name in ("clicks", "drums"):
        row |= attacks(out, ideal, CLICKS if name == "clicks" else DRUMS, rate)
    if name in CONVERGING:
        row["convergence, dB"] = convergence(out, ideal, WINDOWS.get(name, 2_048))
    if name == "wide":
        row |= image(out)
    if name in ("white", "pink"):
        row |= colour(out, sound(1))
        row["coherence"] = image(out)["coherence"]
        row["filled, short window, dB"] = filled(out, 2_048)
        row["filled, long window, dB"] = filled(out, 8_192)
    if name.startswith("starts"):
        row[f"{sound.kind}, level of the first 12 ms, dB"] = start_level(out, ideal)
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
    parser.add_argument("--jobs", type=int, default=2, help="how many signals at once (default: 2)")
    parser.add_argument("--prototypes", action="store_true", help="measure stretch_prototypes.py too")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(peers(options.segmance))
    if options.prototypes:
        names += PROTOTYPES
    signals = options.signals.split(",")
    jobs = [(rate, signal) for rate in map(float, options.rates.split(","))
            for signal in signals if signal != "cost"]
    tables = {rate: {} for rate, _ in jobs} or {float(rate): {} for rate in options.rates.split(",")}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        done = pool.map(measured, *zip(*jobs), *map(itertools.repeat, (options.segmance, names)))
        for (rate, signal), columns in zip(jobs, done):
            for column, row in columns.items():
                add(tables[rate], signal, column, row)
            if (rate, signal) == [job for job in jobs if job[0] == rate][-1] and "cost" not in signals:
                show(rate, tables[rate], names)
    # Alone, since other work beside it would count.
    if "cost" in signals:
        for rate, table in tables.items():
            table["processor time, s for a minute of input"] = cost(rate, options.segmance, names)
            show(rate, table, names)


def measured(rate, signal, segmance, names):
    """Returns what is measured of one signal at a speed: rows by the names of columns."""
    kind = SIGNALS[signal]
    tools = peers(segmance, kind.is_mono) | PROTOTYPES
    columns = {}
    with tempfile.TemporaryDirectory(prefix="segmance-stretch-") as folder:
        source, target = f"{folder}/source.wav", f"{folder}/target.wav"
        for sound in kind.sounds:
            original, ideal = sound(1), sound(rate)
            write(source, bed(original))
            for name in names:
                more = {"semitones": kind.semitones} if kind.semitones else {}
                tools[name](source, target, rate, **more)
                out = read(target)
                row = measure(signal, sound, out, rate, ideal)
                row["length error, frames"] = len(out) - round(len(original) / rate)
                columns.setdefault(name, []).append(row)
            write(target, bed(ideal))
            columns.setdefault("the ideal", []).append(
                measure(signal, sound, read(target), rate, ideal))
    return {name: over_all(rows) for name, rows in columns.items()}


def over_all(rows):
    """Returns the means of what was measured of a signal's sounds; of some the worst."""
    whole = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] for row in rows if name in row]
        is_worst = name.startswith(("pitch error", "length error"))
        whole[name] = max(values, key=abs) if is_worst else np.mean(values)
    return whole


def show(rate, table, names):
    heads = [*names, "the ideal"]
    print(f"\n## At {rate:g} times the speed\n")
    print(f"| measure | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for key, row in table.items():
        print(f"| {key} | {' | '.join(cell(row.get(head)) for head in heads)} |", flush=True)


def add(table, signal, column, row):
    for name, value in row.items():
        if name == "length error, frames":
            worst = table.setdefault("length error, frames (worst)", {})
            worst[column] = max(worst.get(column, 0), value, key=abs)
        else:
            table.setdefault(f"{signal}: {name}", {})[column] = value


def cell(value):
    if value is None:
        return ""
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.3g}"


def cost(rate, segmance, names):
    """The processor time for a file of one minute: the least of three runs, or of 20 s of them.

    None for the prototypes: theirs would be Python's.
    """
    least = {}
    with tempfile.TemporaryDirectory(prefix="segmance-stretch-") as folder:
        source, target = f"{folder}/minute.wav", f"{folder}/minute-stretched.wav"
        piece = SIGNALS["mixture"].sounds[0](1)
        write(source, bed(np.tile(piece, (8, 1))[:60 * RATE]))
        for name in names:
            if name in PROTOTYPES:
                continue
            taken = []
            while len(taken) < 3 and sum(taken) < 20:
                taken.append(peers(segmance)[name](source, target, rate))
            least[name] = min(taken)
    return least


if __name__ == "__main__":
    main()
