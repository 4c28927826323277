"""Measures the sound of `segmance stretch` beside its peers, in one run, and prints tables.

Use: .stretch-venv/bin/python Benchmarks/stretch_quality.py [--segmance PATH] [--rates 0.5,0.75]
     [--signals dense,voice] [--only ours,Signalsmith] [--grades only] [--prototypes]
     [--results FILE] [--document docs/benchmarks/stretch.md]

It needs an environment of its own (pip install -r Benchmarks/stretch-requirements.txt) and Debian's
rubberband-cli, soundstretch, ffmpeg and fluidsynth. Every test signal carries a bed of noise at -96 dBFS,
since digital silence misleads detectors of attacks, and is stored with 16 bits. The last column measures
the ideal itself: what it shows is where a measure ends, not what a program could do better.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import re
import sys
import tempfile
import time

import numpy as np

from stretch_grade import grade
from stretch_measures import attacks, colour, convergence, filled, image, purity, start_level
from stretch_peers import RATE, peers, read, voice_peers, write
from stretch_prototypes import PROTOTYPES
from stretch_signals import CLICKS, DRUMS, SIGNALS
from stretch_tables import IDEAL, NATURAL, OURS, all_tables, headline, write_document
from stretch_vowels import SEMITONES, VOWELS, Vowels, vowel_row

STARTED = time.monotonic()
RATES = (0.25, 0.5, 0.75, 0.9, 1.25, 1.5, 2)
# Grades take longer than all else, so not at every speed, and of the first of a family alone.
GRADED_RATES = (0.5, 0.75, 1.5)
LENGTHS = "length error, frames (worst)"
COST = "processor time, s for a minute of input"
# The window of the measure called convergence, where it is not 2,048: frames of a spectrum that tells
# partials apart that lie 12 Hz from each other.
WINDOWS = {"dense": 8_192, "voicings": 8_192}
# Hertz: a voice's partials lie at least 130 Hz apart, and their levels change with a fast pitch.
VOICE_BANDWIDTH = 45
CONVERGING = (
    "chord", "beating", "dense", "voicings", "vibrato", "voice", "glides", "drums", "mixture")


def measure(name, sound, out, rate, original, ideal):
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
        row |= colour(out, original)
        row["coherence"] = image(out)["coherence"]
        row["filled, short window, dB"] = filled(out, 2_048)
        row["filled, long window, dB"] = filled(out, 8_192)
    if name.startswith("starts"):
        row[f"{sound.kind}, level of the first 12 ms, dB"] = start_level(out, ideal)
    return row


def bed(signal):
    noise = np.random.default_rng(3).standard_normal(signal.shape)
    return signal + noise * 10 ** (-96 / 20)


# --- The run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segmance", default="dist/segmance")
    parser.add_argument("--rates", default=",".join(map(str, RATES)))
    parser.add_argument("--only", help="names of programs")
    parser.add_argument("--signals", default=",".join([*SIGNALS, "vowels", "cost"]))
    parser.add_argument("--grades", choices=("also", "only", "none"), default="also",
                        help="whether ViSQOL's grades are taken (default: also)")
    parser.add_argument("--jobs", type=int, default=2, help="how many signals at once (default: 2)")
    parser.add_argument("--prototypes", action="store_true", help="measure stretch_prototypes.py too")
    parser.add_argument("--results", type=pathlib.Path,
                        help="a file that figures are added to; those it has of other programs stay")
    parser.add_argument("--document", type=pathlib.Path, help="a document to take the results over into")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else [
        *peers(options.segmance), *voice_peers(options.segmance)]
    if OURS in names and NATURAL not in names:
        names.insert(names.index(OURS) + 1, NATURAL)
    if options.prototypes:
        names += PROTOTYPES
    order = [*dict.fromkeys(names), IDEAL]
    results = {"speeds": {}, "vowels": {}}
    if options.results and options.results.exists():
        results = json.loads(options.results.read_text())
        order = [*dict.fromkeys([*results["order"][:-1], *order])]
    results["order"] = order
    results["taken"] = f"{datetime.date.today()}, {os.cpu_count()} × {processor()}, {platform.system()} " + (
        ".".join(platform.release().split(".")[:2]))
    run(options, names, results)
    print(headline(results), "\n")
    print(all_tables(results, order))
    if options.document:
        write_document(options.document, results, order)


def is_graded(signal, rate):
    return SIGNALS[signal].is_graded and float(rate) in GRADED_RATES


def processor():
    found = re.search("model name\\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found[1].replace("(R)", "") if found else platform.machine()


def run(options, names, results):
    """Measures what is asked for and adds it to the results, which are kept after each signal."""
    signals = options.signals.split(",")
    rates = options.rates.split(",")
    if set(signals) >= set(SIGNALS) and options.grades != "only":
        for rate in rates:
            for name in names:
                results["speeds"].get(rate, {}).get(LENGTHS, {}).pop(name, None)
    work = [(measured, rate, signal) for rate in rates for signal in signals if signal in SIGNALS
            and (options.grades != "only" or is_graded(signal, rate))
            and (signal != "music" or options.grades != "none" and is_graded(signal, rate))]
    if "vowels" in signals and options.grades != "only":
        work += [(transposed, name, semitones) for name in VOWELS for semitones in SEMITONES]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        started = [(item, pool.submit(*item, options.segmance, names, options.grades)) for item in work]
        for (job, first, second), future in started:
            columns = future.result()
            if job is transposed:
                add(results["vowels"], f"{first} voice, {second:+d}", columns)
            else:
                add(results["speeds"].setdefault(first, {}), second, columns)
                note(first, second)
            keep(options.results, results)
    # Alone, since other work beside it would count.
    if "cost" in signals:
        for rate in rates:
            row = results["speeds"].setdefault(rate, {}).setdefault(COST, {})
            row |= cost(float(rate), options.segmance, names)
            keep(options.results, results)


def note(*words):
    print(f"{time.monotonic() - STARTED:.0f} s:", *words, file=sys.stderr, flush=True)


def keep(path, results):
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(results, indent=1))


def measured(rate, signal, segmance, names, grades):
    """Returns what is measured of one signal at a speed: rows by the names of columns."""
    rate, kind = float(rate), SIGNALS[signal]
    has_grades = grades != "none" and is_graded(signal, rate)
    has_measures = grades != "only" and signal != "music"
    tools = peers(segmance, kind.is_mono) | PROTOTYPES
    columns = {}
    with tempfile.TemporaryDirectory(prefix="segmance-stretch-") as folder:
        source, target = f"{folder}/source.wav", f"{folder}/target.wav"
        # Of a family one is graded: a grade takes long.
        sounds = kind.sounds if has_measures or signal == "music" else kind.sounds[:1]
        for index, sound in enumerate(sounds):
            original, ideal = sound(1), sound(rate)
            write(source, bed(original))
            for name in names:
                if name not in tools:
                    continue
                more = {"semitones": kind.semitones} if kind.semitones else {}
                tools[name](source, target, rate, **more)
                out = read(target)
                row = {}
                if has_measures:
                    row = measure(signal, sound, out, rate, original, ideal)
                    row["length error, frames"] = len(out) - round(len(original) / rate)
                if has_grades and (index == 0 or signal == "music"):
                    row[f"{sound.name}, grade" if signal == "music" else "grade"] = grade(ideal, out)
                columns.setdefault(name, []).append(row)
            if has_measures:
                write(target, bed(ideal))
                columns.setdefault(IDEAL, []).append(measure(
                    signal, sound, read(target), rate, original, ideal))
    return {name: over_all(rows) for name, rows in columns.items()}


def transposed(voice, semitones, segmance, names, _):
    """Returns what is measured of a voice's vowels at another pitch."""
    vowels = Vowels(voice)
    sound = vowels.at(semitones)
    ideal = sound(1)
    columns = {}
    with tempfile.TemporaryDirectory(prefix="segmance-stretch-") as folder:
        source, target = f"{folder}/source.wav", f"{folder}/target.wav"
        write(source, bed(vowels.at(0)(1)))
        for name, tool in voice_peers(segmance).items():
            if name in names:
                tool(source, target, 1, semitones)
                columns[name] = vowel_row(vowels, semitones, read(target), sound, ideal)
    columns[IDEAL] = vowel_row(vowels, semitones, bed(ideal), sound, ideal)
    return columns


def over_all(rows):
    """Returns the means of what was measured of a signal's sounds; of some the worst."""
    whole = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] for row in rows if name in row]
        is_worst = name.startswith(("pitch error", "length error"))
        whole[name] = float(max(values, key=abs) if is_worst else np.mean(values))
    return whole


def add(table, signal, columns):
    """Adds what was measured of a signal to a table."""
    for column, row in columns.items():
        for name, value in row.items():
            if name == "length error, frames":
                if column != IDEAL:
                    worst = table.setdefault(LENGTHS, {})
                    worst[column] = max(worst.get(column, 0), value, key=abs)
            else:
                table.setdefault(f"{signal}: {name}", {})[column] = value


def cost(rate, segmance, names):
    """The processor time for a file of one minute: the least of three runs, or of 20 s of them.

    The prototypes are left out: theirs would be Python's.
    """
    least = {}
    with tempfile.TemporaryDirectory(prefix="segmance-stretch-") as folder:
        source, target = f"{folder}/minute.wav", f"{folder}/minute-stretched.wav"
        piece = SIGNALS["mixture"].sounds[0](1)
        write(source, bed(np.tile(piece, (8, 1))[:60 * RATE]))
        for name in names:
            if name not in peers(segmance):
                continue
            taken = []
            while len(taken) < 3 and sum(taken) < 20:
                taken.append(peers(segmance)[name](source, target, rate))
            least[name] = min(taken)
    return least


if __name__ == "__main__":
    main()
