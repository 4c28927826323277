"""Pieces in no style: metre, tempo, and what each player repeats are drawn anew for each piece.

Rhythms follow the weights of a bar: its first beat is played most often, the moments between beats least. The
drums say where the beat is, as in most music; the others may be against it.
"""

import numpy

from .arrange import BASS, CHORDS, LEAD, PAD, PROGRESSIONS, Arranger
from .styles import (
    BASSES, BONGO_HIGH, BONGO_LOW, CLAP, CLAVE, CONGA_MUTE, CONGA_OPEN, COWBELL, CRASH, DISTORTED, HAT, HELD_OUT_STYLES, KICK,
    OPEN, PEDAL, RIDE, RIM, SHAKER, SNARE, STYLES, TAMBOURINE, TIMBALE, TOM_HIGH, TOM_LOW, TOM_MID, TRIANGLE, Style)

#: Players of figures that come again and again.
RIFFS = (5, 6)
METRES = ((4, 0.62), (3, 0.16), (2, 0.08), (5, 0.05), (7, 0.05), (6, 0.04))
PERCUSSION = (
    BONGO_HIGH, BONGO_LOW, CLAVE, CONGA_MUTE, CONGA_OPEN, COWBELL, SHAKER, TAMBOURINE, TIMBALE, TRIANGLE, RIM, TOM_LOW, TOM_MID,
    TOM_HIGH, PEDAL)
PROGRAMS = tuple(range(0, 32)) + tuple(range(40, 96)) + (98, 99, 100, 104, 105, 106, 107, 108)


class Inventor:
    """Draws the rhythms of one piece."""

    def __init__(self, random):
        self.random = random
        self.metre = self.drawn(METRES)
        in_three = self.metre in (2, 3, 4) and self.chance({2: 0.6, 3: 0.15, 4: 0.2}[self.metre])
        self.parts = 3 if in_three else 4
        low, high = (46, 96) if in_three and self.metre == 2 else (54, 205)
        self.tempo = float(numpy.exp(random.uniform(numpy.log(low), numpy.log(high))))
        self.steps = self.metre * self.parts

    def chance(self, share):
        return self.random.random() < share

    def pick(self, choices):
        return choices[int(self.random.integers(0, len(choices)))]

    def drawn(self, shares):
        return shares[int(self.random.choice(len(shares), p=[share for _, share in shares]))][0]

    def weight(self, step):
        """How often a step is played, before the player's density."""
        if step == 0:
            return 1.0
        if step % self.parts == 0:
            return 0.75 if self.metre == 4 and step == 2 * self.parts else 0.6
        # The faster the beat, the fewer notes between two.
        room = float(numpy.clip((230 - self.tempo) / 140, 0.1, 1))
        if self.parts == 4:
            return (0.45 if step % 2 == 0 else 0.2 * room) * room ** 0.3
        return 0.35 * room

    def sparse(self, density, first=0.9):
        """A rhythm by the weights of the bar."""
        return "".join(
            ("X" if step == 0 else "x") if self.chance(first if step == 0 else min(0.95, density * self.weight(step))) else "."
            for step in range(self.steps))

    def motif(self):
        """A figure of one beat or two, for the whole bar."""
        length = self.parts * (2 if self.metre % 2 == 0 and self.chance(0.5) else 1)
        figure = ["x" if self.chance(0.2 + 0.6 * self.weight(step if step % self.parts else self.parts)) else "." for step in range(length)]
        if "x" not in figure:
            figure[0] = "x"
        return ("".join(figure) * self.steps)[:self.steps]

    def every(self, step, first=0):
        return "".join("x" if (at - first) % step == 0 and at >= first else "." for at in range(self.steps))

    def backbeat(self):
        """Where the snare is."""
        kind = self.drawn((("back", 0.66), ("half", 0.1), ("free", 0.14), ("all", 0.04), ("none", 0.06)))
        beats = {4: (1, 3), 2: (1,), 3: self.pick(((1, 2), (2,), (1,))), 5: self.pick(((1, 3), (2, 4), (3,))),
                 6: self.pick(((3,), (1, 3, 5), (2, 5))), 7: self.pick(((1, 3, 5), (2, 4, 6), (2, 5)))}[self.metre]
        if kind == "half" and self.metre == 4:
            beats = (2,)
        if kind == "all":
            beats = tuple(range(self.metre))
        signs = ["."] * self.steps
        if kind == "free":
            signs = list("." + self.sparse(0.5)[1:])
        elif kind != "none":
            for beat in beats:
                signs[beat * self.parts] = "X"
        if self.chance(0.25):
            for step in range(1, self.steps):
                if signs[step] == "." and self.chance(0.12):
                    signs[step] = "g"
        return "".join(signs)

    def hats(self):
        half = max(1, self.parts // 2)
        fast = self.tempo > 150
        return self.pick((
            self.every(half) if self.parts == 4 else self.every(1), self.every(half) if self.parts == 4 else self.every(1),
            self.every(self.parts) if fast else self.every(1), self.every(self.parts), self.motif(), self.motif(),
            self.every(self.parts, half) if self.parts == 4 else self.motif(), self.sparse(0.9, 0.6)))

    def drums(self):
        if self.chance(0.2):
            return {}
        result = {self.pick((KICK, KICK, KICK, 35)): tuple(self.kick() for _ in range(3))}
        result[self.pick((SNARE, SNARE, SNARE, 40, CLAP, RIM))] = (self.backbeat(),)
        result[self.pick((HAT, HAT, HAT, RIDE, SHAKER, 59, OPEN))] = (self.hats(), self.hats())
        for _ in range(int(self.random.integers(0, 3))):
            result[self.pick(PERCUSSION)] = (self.motif(), self.sparse(0.8, 0.4), "." * self.steps)
        if self.chance(0.15):
            result[CRASH] = ("X" + "." * (self.steps - 1), "." * self.steps)
        return result

    def kick(self):
        if self.chance(0.2):
            return self.every(self.parts)
        return self.sparse(self.random.uniform(0.25, 0.9), 0.95)

    def bass(self, drums):
        half = max(1, self.parts // 2)
        choices = [self.every(self.parts), self.every(half) if self.parts == 4 else self.every(1), self.sparse(0.7), self.sparse(1.1), self.motif(), self.every(self.steps)]
        choices += [rhythm for key in (KICK, 35) for rhythm in drums.get(key, ())[:2]]
        return tuple(self.pick(choices) for _ in range(3))

    def chords(self):
        half = max(1, self.parts // 2)
        choices = (
            self.every(self.steps), self.every(self.parts), self.every(half) if self.parts == 4 else self.every(1), self.sparse(0.8, 0.8),
            self.motif(), self.every(self.parts, half), self.sparse(1.2, 0.6), self.every(2 * self.parts))
        return tuple(self.pick(choices) for _ in range(3))

    def style(self):
        drums = self.drums()
        has_drums = bool(drums)
        by_machine = has_drums and self.chance(0.45)
        loose = 0.0005 if by_machine else self.random.uniform(0.003, 0.016)
        swung = self.parts == 4 and self.chance(0.15)
        return Style(
            self.metre, (0.97 * self.tempo, 1.03 * self.tempo), drums, steps=self.steps, swing=(0.5, 0.64) if swung else (0.5, 0.5),
            bass=self.bass(drums), chords=self.chords(), lead=self.random.uniform(0.2, 0.9),
            bass_programs=BASSES if self.chance(0.8) else (42, 43, 58, 87, 70), chord_programs=PROGRAMS if self.chance(0.7) else DISTORTED,
            lead_programs=PROGRAMS, looseness=loose, drift=0 if by_machine else self.random.uniform(0.001, 0.008),
            rubato=0 if has_drums or self.chance(0.5) else self.random.uniform(0, 0.04),
            phrase=self.pick((4, 8, 8, 8, 16)), fills=self.random.uniform(0, 0.8))


def crossed(random):
    """The drums of one style with the others of another one of the same metre."""
    names = [name for name in sorted(STYLES) if name not in HELD_OUT_STYLES]
    first = STYLES[names[int(random.integers(0, len(names)))]]
    alike = [STYLES[name] for name in names if (STYLES[name].metre, STYLES[name].steps) == (first.metre, first.steps)]
    other, third = (alike[int(random.integers(0, len(alike)))] for _ in range(2))
    return Style(
        first.metre, first.tempo, first.drums, first.steps, first.swing, first.swung_steps, other.bass, third.chords,
        other.lead, third.bass_programs, other.chord_programs, third.lead_programs, first.looseness, first.drift,
        first.rubato, other.phrase, first.fills)


class Invention(Arranger):
    """Writes one piece whose style is its own."""

    def __init__(self, name, seed, seconds):
        super().__init__("pop", seed, seconds)
        self.name = name
        self.style = crossed(self.random) if name == "crossed" else Inventor(self.random).style()
        self.steps_a_beat = self.style.steps // self.style.metre
        self.swing = self.random.uniform(*self.style.swing)
        self.leaning = {
            channel: self.random.normal(0, self.style.looseness / 2) for channel in (*self.leaning, *RIFFS)}
        #: Bars for which a chord stays: half a bar to four.
        self.harmony = float(self.pick((0.5, 1, 1, 1, 2, 4)))
        #: Whether players come one after the other, as in music that is made of loops.
        self.builds_up = self.chance(0.35)
        #: How much louder the first beat is played.
        self.accent = self.random.uniform(-2, 14)

    def note(self, channel, key, start, length, velocity):
        first = abs(start / self.style.metre - round(start / self.style.metre)) < 0.02
        super().note(channel, key, start, length, velocity + (self.accent if first and channel != 9 else 0))

    def figure(self):
        """A figure of one bar or two: (start, length, degree) in beats."""
        metre, bars = self.style.metre, int(self.pick((1, 1, 2)))
        grain = self.pick(((1, 0.5, 0.5), (0.5,), (0.5, 0.25, 0.25), (0.75, 0.75, 0.5), (1, 1, 2), (0.25,), (1.5, 1.5, 1))) \
            if self.steps_a_beat == 4 else self.pick(((1 / 3,), (2 / 3, 1 / 3), (1, 1 / 3, 1 / 3, 1 / 3), (1,)))
        degrees = [int(self.pick((0, 0, 1, 2, 3, 4, 4, 6, 7, -3))) for _ in range(int(self.random.integers(2, 9)))]
        result, at, index = [], float(self.pick((0, 0, 0, 0.5))) if self.steps_a_beat == 4 else 0.0, 0
        while at < metre * bars - 0.01:
            length = min(float(grain[index % len(grain)]), metre * bars - at)
            if self.chance(0.85):
                result.append((at, length, degrees[index % len(degrees)]))
            at, index = at + length, index + 1
        return bars, result

    def section(self, first, length, rhythms, progression, is_first, is_last):
        style = self.style
        players = ["drums", "bass", "chords", "lead", "pad", *RIFFS]
        shares = (0.9 if style.drums else 0, 0.85, 0.7, style.lead, 0.25, 0.5, 0.25)
        plays = {player: self.chance(share) for player, share in zip(players, shares)}
        plays["drums"] &= not (is_first or is_last) or self.chance(0.7)
        if not any(plays[player] for player in ("drums", "bass", "chords", RIFFS[0])):
            plays[self.pick(("chords", "bass", RIFFS[0]))] = True
        order = [player for player in players if plays[player]]
        self.random.shuffle(order)
        enters = {player: (first + (index * length) // (2 * len(order)) if is_first and self.builds_up else first) for index, player in enumerate(order)}
        figures = {riff: self.figure() for riff in RIFFS}
        moves = self.chance(0.6)
        melody = self.figure()
        other = self.section_rhythms()["drums"] if self.chance(0.4) else rhythms["drums"]
        octave = {riff: int(self.pick((3, 4, 4, 5))) for riff in RIFFS}
        for bar in range(first, first + length):
            start = bar * style.metre
            root = progression[int((bar - first) / self.harmony) % len(progression)]
            later = progression[int((bar - first + 0.5) / self.harmony) % len(progression)]
            is_end = bar == first + length - 1

            def on(player):
                return plays[player] and bar >= enters[player]
            if is_end and not is_last and self.chance(0.08):
                continue
            if on("drums"):
                self.drums(start, rhythms["drums"] if bar % 2 == 0 else other)
                if is_end and self.chance(style.fills):
                    self.fill(start)
                if bar == first and self.chance(0.5):
                    self.note(9, CRASH, start, 0.5, 105)
            if on("bass"):
                self.halves(self.bass, start, rhythms["bass"], root, later)
            if on("chords"):
                self.halves(lambda at, rhythm, degree: self.chords(at, rhythm, degree, rhythms["broken"]), start, rhythms["chords"], root, later)
            if on("lead"):
                if self.chance(0.4):
                    self.lead(start, root)
                else:
                    self.repeated(LEAD, melody, bar - first, start, root, 5)
            if on("pad"):
                for tone in (root, root + 2, root + 4):
                    self.note(PAD, self.key(tone, 5), start, style.metre * 0.98, 62)
            for riff in RIFFS:
                if on(riff):
                    self.repeated(riff, figures[riff], bar - first, start, root if moves else 0, octave[riff])

    def halves(self, play, start, rhythm, root, later):
        """Plays a rhythm on one chord, or its second half on another one."""
        if root == later:
            play(start, rhythm, root)
            return
        middle = len(rhythm) // 2
        play(start, rhythm[:middle] + "." * (len(rhythm) - middle), root)
        play(start, "." * middle + rhythm[middle:], later)

    def repeated(self, channel, figure, bar, start, root, octave):
        bars, notes = figure
        place = bar % bars * self.style.metre
        for at, length, degree in notes:
            if place <= at < place + self.style.metre:
                step = (at - place) * self.steps_a_beat
                moment = self.place(round(step)) if abs(step - round(step)) < 0.01 else at - place
                self.note(channel, self.key(root + degree, octave), start + moment, 0.9 * length, 92)

    def finished(self, bars, pickup, tempo):
        piece = super().finished(bars, pickup, tempo)
        for riff in RIFFS:
            piece.programs[riff] = int(self.pick(PROGRAMS))
        return piece


def invented(name, seed, seconds=60):
    """Writes a piece of its own style, "invented" or "crossed", about so many seconds long."""
    return Invention(name, [seed, sum(map(ord, name))], seconds).compose()
