"""Pieces that somebody composed: the MIDI files in the Debian package freedoom (BSD licence), whose beats are exact.

A stretch of a piece is played at another tempo, in another key, on another sound font, now and then without
a player or the drums.
"""

import pathlib
import struct
from functools import cache

import numpy

from .arrange import DRUMS, Note, Piece
from .midi import notes_of, tempos_of

ARCHIVES = ("freedoom1.wad", "freedoom2.wad")
FOLDER = pathlib.Path("/usr/share/games/doom")
#: Ticks a quarter of files that were converted from a format without beats.
WITHOUT_BEATS = 89


@cache
def scores():
    """The usable pieces: name → (notes, programs, ticks a quarter, tempos, (beats a bar, quarters a beat))."""
    result, seen = {}, set()
    for archive in ARCHIVES:
        data = (FOLDER / archive).read_bytes()
        count, directory = struct.unpack("<ii", data[4:12])
        for index in range(count):
            start, size = struct.unpack("<ii", data[directory + 16 * index:directory + 16 * index + 8])
            name = data[directory + 16 * index + 8:directory + 16 * index + 16].rstrip(b"\0").decode("ascii", "replace")
            midi = data[start:start + size]
            if not name.startswith("D_") or midi[:4] != b"MThd" or midi in seen:
                continue
            seen.add(midi)
            ticks, tempos, signatures = tempos_of(midi)
            if ticks == WITHOUT_BEATS or len(signatures) > 1 or len(tempos) > 12:
                continue
            beats, unit = next(iter(signatures.values()), (4, 4))
            metre = {(6, 8): (2, 1.5), (12, 8): (4, 1.5)}.get((beats, unit), (beats, 1) if unit == 4 else None)
            notes, programs = notes_of(midi)
            if not metre or len(notes) <= 200:
                continue
            places = numpy.array([note[2] for note in notes]) / (ticks * metre[1])
            # A file that was played freely does not say where its beats are.
            if numpy.mean(numpy.abs(places - numpy.round(places)) < 0.03) > 0.2:
                result[name] = notes, programs, ticks, tempos, metre
    return result


def names(held_out):
    """The names of the pieces for training, or of those kept out of it: each third one."""
    return [name for index, name in enumerate(sorted(scores())) if (index % 3 == 1) == held_out]


def performed(name, seed, seconds=60):
    """A stretch of a piece, played in a way of its own."""
    random = numpy.random.default_rng([seed, 23])
    notes, programs, ticks, tempos, (metre, quarters) = scores()[name]
    beat_ticks = ticks * quarters
    end = max(note[3] for note in notes)
    changes = sorted(tempos)
    count = int(end // beat_ticks) + 1
    # The seconds of each beat by the file's tempos.
    times = []
    for beat in range(count + 1):
        tick, now = beat * beat_ticks, 0.0
        for index, change in enumerate(changes):
            until = min(tick, changes[index + 1] if index + 1 < len(changes) else tick)
            if until > change:
                now += (until - change) / ticks * tempos[change] / 1e6
        times.append(now)
    grid = numpy.array(times) / random.uniform(0.85, 1.15)
    bars = count // metre
    mean_bar = grid[bars * metre] / max(1, bars)
    wanted = min(bars, max(4, round(seconds / mean_bar)))
    first = int(random.integers(0, bars - wanted + 1)) * metre
    last = first + wanted * metre
    shift = int(random.integers(-4, 5))
    silent = {channel for channel in range(16) if random.random() < 0.08}
    result = []
    for channel, key, start, stop, velocity in notes:
        beat = start / beat_ticks
        if first - 0.02 <= beat < last and channel not in silent:
            high = key if channel == DRUMS else min(115, max(12, key + shift))
            result.append(Note(channel, high, beat, max(10, stop - start) / beat_ticks, velocity, random.normal(0, 0.003)))
    grid = grid[first:last + 1] - grid[first] + random.uniform(0.05, 2.5)
    if random.random() < 0.4:
        # Played by people: the tempo drifts a little.
        lengths = numpy.diff(grid) * numpy.exp(numpy.clip(numpy.cumsum(random.normal(0, 0.004, len(grid) - 1)), -0.1, 0.1))
        grid = grid[0] + numpy.concatenate([[0], numpy.cumsum(lengths)])
    beats = grid[:-1]
    places = numpy.arange(len(beats)) % metre + 1
    # No beat where the piece is not heard yet, or not any more.
    heard = [note.start for note in result]
    if heard:
        inside = (numpy.arange(first, last) >= min(heard) - 0.02) & (numpy.arange(first, last) <= max(heard) + 0.02)
        beats, places = beats[inside], places[inside]
    return Piece(f"score {name}", result, dict(programs), grid, first, beats, places, beats[::8])
