"""Pieces whose accompaniment the Debian package mma plays: some 270 files of styles, from polka to drum and bass.

mma turns a list of chords and the name of a style (a "groove") into notes. We give them a time of our own
(drift, rubato, another tempo from a bar on), let players rest for a section, and add a melody.
"""

import pathlib
import re
import subprocess
import tempfile
import zlib
from functools import cache

import numpy

from .arrange import BASS, CHORDS, DRUMS, LEAD, PROGRESSIONS, SCALES, Note, Piece, time_map
from .midi import notes_of
from .styles import BRASS, FLUTES, MALLETS, REEDS, STRINGS, SYNTHS

LIBRARY = pathlib.Path("/usr/share/mma/lib")
TICKS_PER_BEAT = 192
NAMES = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
#: Words in a file's name, and the tempos at which that music is played: beats a minute.
TEMPOS = (
    ("dnb", (160, 180)), ("trip", (70, 95)), ("hip", (78, 104)), ("slow", (52, 90)), ("ballad", (54, 92)), ("bald", (56, 90)),
    ("bebop", (160, 230)), ("fast", (150, 220)), ("quickstep", (180, 208)), ("viene", (150, 190)), ("waltz", (84, 180)), ("34", (84, 170)),
    ("bigband", (120, 200)), ("swing", (110, 200)), ("jazz", (100, 200)), ("dixie", (150, 220)), ("gypsy", (150, 220)),
    ("boggie", (130, 180)), ("boogie", (130, 180)), ("shuffle", (100, 150)), ("blues", (70, 130)), ("rag", (90, 150)), ("charleston", (180, 220)),
    ("house", (118, 130)), ("techno", (125, 145)), ("trance", (128, 142)), ("rave", (130, 150)), ("dance", (112, 132)), ("disco", (108, 128)),
    ("metal", (120, 190)), ("mtl", (120, 190)), ("thr", (150, 210)), ("hrk", (110, 160)), ("punk", (150, 200)), ("twist", (140, 180)), ("rock", (96, 160)),
    ("funk", (88, 118)), ("reggae", (66, 92)), ("ska", (110, 160)), ("salsa", (160, 220)), ("mambo", (160, 210)), ("merengue", (120, 160)),
    ("samba", (90, 130)), ("bossa", (110, 150)), ("tango", (110, 132)), ("rhumba", (96, 130)), ("bolero", (80, 110)), ("chacha", (110, 130)),
    ("polka", (110, 140)), ("march", (100, 130)), ("foxtrot", (110, 130)), ("hymn", (70, 110)), ("spiritual", (70, 120)), ("r+b", (70, 110)), ("rb", (70, 110)))


@cache
def styles():
    """The files that can be used, by name: (path, quarters a bar, beats a bar, grooves)."""
    result = {}
    for path in sorted(LIBRARY.glob("*/*.mma")):
        text = path.read_text("latin-1")
        time = re.search(r"^\s*time\s+(\d+)(/\d+)?", text, re.I | re.M)
        grooves = re.findall(r"^\s*defgroove\s+(\S+)", text, re.I | re.M)
        if not time or not grooves or path.stem.startswith(("metronome", "none", "ending", "intro", "count")) or time[2] == "/8":
            continue
        quarters = int(time[1])
        compound = re.search(r"^\s*timesig\s+6", text, re.I | re.M)
        if quarters == 6 or quarters in (2, 3, 5) or (quarters == 4 and not compound):
            result[f"{path.parent.name}/{path.stem}"] = path, quarters, 2 if quarters == 6 else quarters, tuple(grooves)
    return result


def is_held_out(name):
    """Whether a style is kept out of training: about one of nine."""
    return zlib.crc32(name.encode()) % 9 == 4


class Accompaniment:
    """One piece on a style of mma."""

    def __init__(self, name, seed, seconds):
        self.name, (self.path, self.quarters, self.metre, self.grooves) = name, styles()[name]
        self.random = numpy.random.default_rng(seed)
        self.seconds = seconds
        self.seed = int(self.random.integers(1, 1 << 30))
        self.tonic = int(self.random.integers(0, 12))
        self.scale = self.pick(SCALES)

    def pick(self, choices):
        return choices[int(self.random.integers(0, len(choices)))]

    def chance(self, share):
        return self.random.random() < share

    def tempo(self):
        if self.quarters == 6:
            return self.random.uniform(48, 84)
        for word, tempos in TEMPOS:
            if word in self.path.stem.lower():
                return self.random.uniform(*tempos)
        return self.random.uniform(80, 150)

    def chord(self, degree):
        """A chord on a degree of the scale, as mma writes it."""
        pitches = [self.scale[(degree + step) % 7] + 12 * ((degree + step) // 7) for step in (0, 2, 4, 6)]
        third, fifth, seventh = (pitch - pitches[0] for pitch in pitches[1:])
        name = NAMES[(self.tonic + pitches[0]) % 12] + ("dim" if fifth == 6 else "m" if third == 3 else "")
        if fifth == 7 and self.chance(0.25):
            name += "7" if seventh == 10 else "M7" if third == 4 else ""
        return name

    def sections(self):
        """The plan: (groove, bars, degrees, who rests) for each section."""
        named = {kind: [groove for groove in self.grooves if re.search(kind, groove, re.I)] for kind in ("intro", "end", "fill")}
        plain = [groove for groove in self.grooves if not re.search("intro|end|fill|break", groove, re.I)] or list(self.grooves)
        tempo = self.tempo()
        bars = max(8, round(self.seconds * tempo / 60 / self.metre))
        result, done = [], 0
        progression, groove = self.pick(PROGRESSIONS), self.pick(plain)
        while done < bars:
            length = min(bars - done, self.pick((4, 8, 8, 8, 16)))
            if self.chance(0.05):
                length = max(1, length + self.pick((-2, -1, 1, 2)))
            if self.chance(0.35):
                groove = self.pick(plain)
            if self.chance(0.3):
                progression = self.pick(PROGRESSIONS)
            name = self.pick(named["intro"]) if not done and named["intro"] and self.chance(0.4) else groove
            resting = {player for player, share in (("drums", 0.25 if not done else 0.1), ("bass", 0.12), ("others", 0.08)) if self.chance(share)}
            if len(resting) == 3:
                resting = set()
            fill = self.pick(named["fill"]) if named["fill"] and self.chance(0.5) and length > 1 else None
            result.append((name, length, progression, resting, fill))
            done += length
        return tempo, result

    def played(self, plan):
        """What mma plays of the plan: its notes and programs."""
        lines = [f"RndSeed {self.seed}", f"Include {self.path}", "Tempo 120", f"Time {self.quarters}"]
        bar = 0
        for groove, length, progression, _, fill in plan:
            lines.append(f"Groove {groove}")
            for index in range(length):
                if fill and index == length - 1:
                    lines.append(f"Groove {fill}")
                chords = [self.chord(progression[index % len(progression)])]
                if self.chance(0.15) and self.quarters == 4:
                    chords += ["/", self.chord(self.pick(progression)), "/"]
                bar += 1
                lines.append(f"{bar} " + " ".join(chords))
        with tempfile.TemporaryDirectory() as folder:
            score, midi = pathlib.Path(folder) / "a.mma", pathlib.Path(folder) / "a.mid"
            score.write_text("\n".join(lines) + "\n")
            done = subprocess.run(["mma", "-f", str(midi), str(score)], capture_output=True, text=True, cwd=folder)
            if done.returncode or not midi.exists():
                raise RuntimeError(f"{self.name}: {done.stdout[-300:]}")
            return notes_of(midi.read_bytes())

    def compose(self):
        tempo, plan = self.sections()
        played, programs = self.played(plan)
        quarters_a_beat = self.quarters / self.metre
        bars = sum(length for _, length, _, _, _ in plan)
        resting = [rest for _, length, _, rest, _ in plan for _ in range(length)]
        notes, has_other = [], any(channel != DRUMS for channel, *_ in played)
        for channel, key, start, end, velocity in played:
            bar = min(bars - 1, int(start / TICKS_PER_BEAT / self.quarters + 0.02))
            player = "drums" if channel == DRUMS else "bass" if 32 <= programs.get(channel, 0) < 40 else "others"
            if player not in resting[bar]:
                late = self.random.normal(0, 0.004)
                notes.append(Note(channel, key, start / TICKS_PER_BEAT / quarters_a_beat, max(20, end - start) / TICKS_PER_BEAT / quarters_a_beat, velocity, late))
        if self.chance(0.7) or not has_other:
            notes += self.melody(plan)
            programs[LEAD] = self.pick(STRINGS + REEDS + FLUTES + BRASS + SYNTHS + MALLETS + (0, 26, 52))
        if not has_other:
            notes += self.backing(plan)
            programs[BASS], programs[CHORDS] = self.pick((32, 33, 34, 38)), self.pick((0, 4, 16, 25, 27, 29, 48, 81))
        loose = self.random.random()
        pickup = int(self.random.integers(1, self.metre)) if self.metre > 2 and self.chance(0.15) else 0
        for beat in range(-pickup, 0):
            notes.append(Note(LEAD, 60 + self.tonic, beat, 0.9, 90))
        if pickup:
            programs.setdefault(LEAD, 73)
        grid, count, places = time_map(
            self.random, bars, self.metre, pickup, tempo, drift=0 if loose < 0.5 else 0.004, rubato=0 if loose < 0.8 else 0.025)
        grid = grid + self.random.uniform(0.05, 2.5)
        unit = 8 if self.metre in (2, 4) else 2 * self.metre
        return Piece(f"mma {self.name}", notes, programs, grid, -pickup, grid[:count], places, grid[pickup:count:unit])

    def key(self, degree, octave):
        return int(12 * octave + self.tonic + 12 * (degree // 7) + self.scale[degree % 7])

    def melody(self, plan):
        """A melody with motifs that come again, on and off the beat."""
        notes, beat = [], 0.0
        channel = LEAD
        for _, length, progression, _, _ in plan:
            plays = self.chance(0.75)
            grain = self.pick(((0.5, 1, 1, 2), (0.5, 0.5, 1), (1, 2, 3), (0.25, 0.25, 0.5, 1), (0.5, 1.5, 1, 1), (0.75, 0.75, 0.5)))
            motif = [(float(self.pick(grain)), self.pick((0, 1, 2, 4, 7, None))) for _ in range(int(self.random.integers(3, 9)))]
            off = float(self.pick((0, 0, 0, 0.5)))
            for bar in range(length):
                root = progression[bar % len(progression)]
                at, index = off, 0
                while plays and at < self.metre - 0.01:
                    step, degree = motif[(index + (3 if bar % 4 == 3 else 0)) % len(motif)]
                    step = min(step, self.metre - at)
                    if degree is not None and self.chance(0.95):
                        notes.append(Note(channel, self.key(root + degree, 5), beat + at, 0.93 * step, int(self.random.integers(75, 112)), self.random.normal(0, 0.008)))
                    at, index = at + step, index + 1
                beat += self.metre
        return notes

    def backing(self, plan):
        """Bass and chords for styles that are drums alone."""
        notes, beat = [], 0.0
        pattern = [at for at in numpy.arange(0, self.metre, 0.5) if at == 0 or self.chance(0.35)]
        chords = [at for at in numpy.arange(0, self.metre, 0.5) if self.chance(0.3 if at else 0.8)]
        for _, length, progression, resting, _ in plan:
            for bar in range(length):
                root = progression[bar % len(progression)]
                if "bass" not in resting:
                    for at in pattern:
                        notes.append(Note(BASS, self.key(root, 3), beat + float(at), 0.45, 96, self.random.normal(0, 0.004)))
                if "others" not in resting:
                    for at in chords:
                        notes += [Note(CHORDS, self.key(root + tone, 4), beat + float(at), 0.45, 80, self.random.normal(0, 0.006)) for tone in (0, 2, 4)]
                beat += self.metre
        return notes


def accompanied(name, seed, seconds=60):
    """Writes a piece on a style of mma, about so many seconds long."""
    return Accompaniment(name, [seed, zlib.crc32(name.encode())], seconds).compose()
