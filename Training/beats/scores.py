"""Pieces that somebody composed: the MIDI files in two Debian packages of games, whose beats are exact.

They are freedoom (BSD licence) and simutrans-data (Artistic licence). A stretch of a piece is played at another tempo,
in another key, on another sound font, now and then without a player, or with the drums of another piece.
"""

import dataclasses
import pathlib
import struct
import zlib
from functools import cache

import numpy

from .arrange import DRUMS, Note, Piece
from .midi import notes_of, tempos_of

ARCHIVES = ("freedoom1.wad", "freedoom2.wad")
FOLDER = pathlib.Path("/usr/share/games/doom")
#: More pieces, all for training or tuning.
SONGS = pathlib.Path("/usr/share/games/simutrans/music")
KICKS, SNARES, CRASHES = (35, 36), (38, 39, 40), (49, 57)
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


@cache
def songs():
    """The usable songs of simutrans, as `scores`: those of one metre whose drums and bass agree with the file's bars."""
    result = {}
    for path in sorted(SONGS.glob("*.mid")):
        midi = path.read_bytes()
        ticks, tempos, signatures = tempos_of(midi)
        # Some have an empty bar of less than a beat before the first.
        origin = max(signatures, default=0)
        beats, unit = signatures.get(origin, (4, 4))
        notes, programs = notes_of(midi)
        if origin > ticks or unit != 4 or len(tempos) > 2 or len(notes) <= 200:
            continue
        tempos = {max(0, tick - origin): tempo for tick, tempo in sorted(tempos.items())}
        notes = [
            (channel, key, start - origin, end - origin, velocity) for channel, key, start, end, velocity in notes
            if start >= origin]
        if says_where_bars_are(notes, ticks, beats):
            result[path.stem] = notes, programs, ticks, tempos, (beats, 1)
    return result


def says_where_bars_are(notes, ticks, metre):
    """Whether notes lie on beats, and bass, kick and crashes most of all on the first beats of bars, and not the snare."""

    def shares(belongs):
        """How the notes that lie on beats share out among the beats of a bar."""
        places = numpy.array([start / ticks for channel, key, start, *_ in notes if belongs(channel, key)])
        beats = numpy.round(places)
        counts = numpy.bincount(beats[numpy.abs(places - beats) < 0.06].astype(int) % metre, minlength=metre)
        return counts / max(1, counts.sum())

    def drum(keys):
        return shares(lambda channel, key: channel == DRUMS and key in keys)
    places = numpy.array([note[2] / ticks for note in notes])
    kick, snare, crash = map(drum, (KICKS, SNARES, CRASHES))
    heard = kick + crash + shares(lambda channel, key: channel != DRUMS and key < 48)
    return (
        numpy.mean(numpy.abs(places - numpy.round(places)) < 0.03) > 0.2
        and heard.argmax() == 0 and kick[0] >= 0.85 * kick.max() and snare[0] <= 1.1 * snare[1:].max())


def names(held_out):
    """The names of the pieces of freedoom for training, or of those kept out of it: each third one."""
    return [name for index, name in enumerate(sorted(scores())) if (index % 3 == 1) == held_out]


def song_names(is_tuned):
    """The names of the songs for training, or of those that the decoder is tuned to."""
    return [name for name in sorted(songs()) if (zlib.crc32(name.encode()) % 6 == 1) == is_tuned]


def with_other_drums(name, others, seed, seconds=60):
    """A stretch of a piece; now and then with the drums of another one of its metre."""
    piece = performed(name, seed, seconds)
    random = numpy.random.default_rng([seed, 29])
    metre = file_of(name)[4]
    alike = [other for other in others if other != name and file_of(other)[4] == metre]
    if not alike or random.random() > 0.3:
        return piece
    other = performed(alike[int(random.integers(0, len(alike)))], seed, seconds)
    # The first beats of both are those of bars.
    shift = piece.first_beat - other.first_beat
    end = piece.first_beat + len(piece.grid) - 1
    drums = [dataclasses.replace(note, start=note.start + shift) for note in other.notes if note.channel == DRUMS]
    notes = [note for note in piece.notes if note.channel != DRUMS] + [note for note in drums if note.start < end]
    return dataclasses.replace(piece, notes=notes, programs={**piece.programs, DRUMS: other.programs.get(DRUMS, 0)})


def file_of(name):
    """What is known of a piece of `scores` or `songs`."""
    return scores()[name] if name in scores() else songs()[name]


def performed(name, seed, seconds=60):
    """A stretch of a piece, played in a way of its own."""
    random = numpy.random.default_rng([seed, 23])
    notes, programs, ticks, tempos, (metre, quarters) = file_of(name)
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
