"""Attacks found in music whose every note is known, against aubio's onset detector."""

import json
import statistics

import rendered_music
from studio import PROGRAM, Timed

SEEDS = (1, 2)
TOLERANCE = 0.05
METHODS = ("hfc", "complex", "specdiff", "kl", "mkl", "specflux", "energy", "phase")


class Found:
    """How many onsets of how many pieces were found, and how long it took."""

    def __init__(self):
        self.hits = self.found = self.known = 0
        self.each = []
        self.errors = []
        self.seconds = 0.0

    def add(self, found, known, seconds):
        errors = matched(found, known)
        self.hits += len(errors)
        self.found += len(found)
        self.known += len(known)
        self.each.append(f_measure(len(errors), len(found), len(known)))
        self.errors += errors
        self.seconds += seconds

    @property
    def all_notes(self):
        return f_measure(self.hits, self.found, self.known)

    @property
    def mean(self):
        return sum(self.each) / len(self.each)


def matched(found, known):
    """The errors of those found within the tolerance, each onset counted once."""
    errors = []
    rest = iter(sorted(found))
    onset = next(rest, None)
    for truth in sorted(known):
        while onset is not None and onset < truth - TOLERANCE:
            onset = next(rest, None)
        if onset is not None and onset <= truth + TOLERANCE:
            errors.append(onset - truth)
            onset = next(rest, None)
    return errors


def f_measure(hits, found, known):
    return 2 * hits / max(1, found + known)


def ours(path):
    child = Timed([PROGRAM, "analyse", "--json", path])
    return [frame / 48_000 for frame in json.loads(child.output)["attacks"]], child.processor_seconds


def aubio(path, method):
    child = Timed(["aubioonset", "-O", method, path])
    return [float(line) for line in child.output.split()], child.processor_seconds


def run(folder, table, short=False):
    # Neither aubio nor fluidsynth are the tests' packages.
    names, seeds, methods = (
        (["piano"], SEEDS[:1], ()) if short else (list(rendered_music.PIECES), SEEDS, METHODS))
    pieces = []
    seconds = 0.0
    for name in names:
        for seed in seeds:
            path = folder / f"{len(pieces)}.wav"
            score = rendered_music.piece(name, seed, 8 if short else 40)
            (score.render_plainly if short else score.render)(path)
            pieces.append((name, path, rendered_music.merged(score.onsets)))
            seconds += path.stat().st_size / 192_000
    mine = Found()
    theirs = {method: Found() for method in methods}
    for name, path, known in pieces:
        mine.add(*with_truth(ours(path), known))
        for method, result in theirs.items():
            result.add(*with_truth(aubio(path, method), known))
    worst = {name: round(f, 2) for (name, _, _), f in zip(pieces, mine.each) if f < 0.9}
    print(f"  below 0.9: {worst}; aubio: " + ", ".join(
        f"{method} {result.mean:.3f}/{result.all_notes:.3f}" for method, result in theirs.items()))
    default = theirs.get("hfc")
    best = max(methods, key=lambda method: theirs[method].mean, default=None)
    for what, value in (("mean of the pieces", "mean"), ("all notes together", "all_notes")):
        a = getattr(mine, value)
        peer = ratio = ""
        if best:
            b = getattr(theirs[best], value)
            peer = f"aubio's best method ({best}): {b:.3f}; default (hfc): {getattr(default, value):.3f}"
            ratio = f"{a / b:.2f}"
        table.add(
            f"onsets within 50 ms, F-measure, {what} ({len(pieces)} pieces)", f"{a:.3f}", peer, ratio,
            "clearly above")
    table.add(
        "onsets, median error after the note-on", milliseconds_late(mine),
        default and f"aubio: {milliseconds_late(default)}" or "")
    table.add(
        "attacks and cuts, processor time as a share of the music",
        f"{100 * mine.seconds / seconds:.2f} %",
        default and f"aubio, attacks only: {100 * default.seconds / seconds:.2f} %" or "",
        default and f"{mine.seconds / default.seconds:.2f}" or "", "≤ 0.5 %")


def milliseconds_late(found):
    """The median error of what was found, as the table says it."""
    return f"{1000 * statistics.median(found.errors):+.1f} ms" if found.errors else "none of 0 found"


def with_truth(result, known):
    found, seconds = result
    return found, known, seconds
