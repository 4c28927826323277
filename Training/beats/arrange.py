"""Arrangements whose every beat is known: notes in beats, a map from beats to seconds, and the truth.

A piece is a chain of sections (an intro, verses, breaks, an end). In each one some of drums, bass, chords
and lead play a rhythm of the piece's style. All of it follows from one seed.
"""

from dataclasses import dataclass

import numpy

from .styles import CRASH, SNARE, STYLES, TOM_HIGH, TOM_LOW, TOM_MID

DRUMS, BASS, CHORDS, LEAD, PAD = 9, 1, 2, 3, 4
SCALES = ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10), (0, 2, 3, 5, 7, 9, 10), (0, 2, 4, 5, 7, 9, 10))
PROGRESSIONS = (
    (0, 4, 5, 3), (0, 5, 3, 4), (5, 3, 0, 4), (0, 3, 0, 4), (0, 3, 4, 3), (1, 4, 0, 0), (0, 6, 5, 4), (0, 0, 3, 4),
    (0, 2, 3, 4), (0, 5, 1, 4), (3, 4, 2, 5), (0, 0, 0, 0), (0, 6, 3, 0))


@dataclass
class Note:
    """A note; `start` and `length` in beats."""

    channel: int
    key: int
    start: float
    length: float
    velocity: int
    #: Seconds by which the player is late.
    late: float = 0.0


@dataclass
class Piece:
    """A piece. `beats` are seconds, `places` the place of each beat in its bar, from 1."""

    style: str
    notes: list
    programs: dict
    #: Seconds at each beat from `first_beat` on; between two beats time passes evenly.
    grid: numpy.ndarray
    first_beat: int
    beats: numpy.ndarray
    places: numpy.ndarray
    #: Seconds at which phrases of eight counts (in three, of six) begin.
    phrases: numpy.ndarray

    def seconds(self, beat):
        """The time of a position in beats."""
        return float(numpy.interp(beat - self.first_beat, numpy.arange(len(self.grid)), self.grid))


class Arranger:
    """Writes one piece of a style."""

    def __init__(self, style, seed, seconds):
        self.name = style
        self.style = STYLES[style]
        self.random = numpy.random.default_rng(seed)
        self.wanted = seconds
        self.notes = []
        self.steps_a_beat = self.style.steps // self.style.metre
        self.tonic = int(self.random.integers(0, 12))
        self.scale = self.pick(SCALES)
        self.swing = self.random.uniform(*self.style.swing)
        # One habit for each player: a little ahead or behind, tight or loose.
        self.leaning = {channel: self.random.normal(0, self.style.looseness / 2) for channel in (DRUMS, BASS, CHORDS, LEAD, PAD)}

    def pick(self, choices):
        return choices[int(self.random.integers(0, len(choices)))]

    def chance(self, share):
        return self.random.random() < share

    # Notes

    def key(self, degree, octave):
        return int(12 * octave + self.tonic + 12 * (degree // 7) + self.scale[degree % 7])

    def place(self, step):
        """The position of a step in beats: of a pair the first takes more if the style swings."""
        pair, second = divmod(step, 2)
        return (2 * pair + (2 * self.swing if second else 0)) / self.steps_a_beat

    def note(self, channel, key, start, length, velocity):
        late = self.leaning[channel] + self.random.normal(0, self.style.looseness)
        loud = int(numpy.clip(self.random.normal(velocity, 8), 18, 127))
        self.notes.append(Note(channel, int(numpy.clip(key, 12, 115)), start, length, loud, late))

    def hits(self, rhythm):
        """The steps that are played this time, with their loudness."""
        for step, sign in enumerate(rhythm):
            if sign == "X":
                yield step, 112
            elif sign == "x" or (sign == "o" and self.chance(0.5)):
                yield step, 92
            elif sign == "g":
                yield step, 48

    def lengths(self, rhythm, longest):
        """The steps of a rhythm with what passes to the next one, in beats."""
        played = list(self.hits(rhythm))
        for (step, loud), following in zip(played, [*(step for step, _ in played[1:]), len(rhythm)]):
            yield step, min(longest, (following - step) / self.steps_a_beat), loud

    # A bar of each player

    def drums(self, start, rhythms):
        for key, rhythm in rhythms.items():
            for step, loud in self.hits(rhythm):
                self.note(DRUMS, key, start + self.place(step), 0.1, loud)

    def fill(self, start):
        """The last one or two beats of a phrase, on snare and toms."""
        beats = 1 if self.chance(0.6) else 2
        first = (self.style.metre - beats) * self.steps_a_beat
        if first < 0:
            return
        kit = self.pick(((SNARE,), (TOM_HIGH, TOM_MID, TOM_LOW), (SNARE, TOM_HIGH, TOM_LOW)))
        for step in range(first, self.style.steps):
            if self.chance(0.75):
                drum = kit[min(len(kit) - 1, (step - first) * len(kit) // max(1, self.style.steps - first))]
                self.note(DRUMS, drum, start + self.place(step), 0.1, 85 + 4 * (step - first))

    def bass(self, start, rhythm, root):
        for step, length, loud in self.lengths(rhythm, 1.5):
            degree = root + (self.pick((0, 0, 4, 2, 7, -1)) if step and self.chance(0.3) else 0)
            self.note(BASS, self.key(degree, 3 if self.style.bass_programs[0] in (0, 80) else 2), start + self.place(step), 0.9 * length, loud)

    def chords(self, start, rhythm, root, is_broken):
        tones = [root, root + 2, root + 4, root + 7]
        for count, (step, length, loud) in enumerate(self.lengths(rhythm, 3)):
            at = start + self.place(step)
            if is_broken:
                self.note(CHORDS, self.key(tones[(0, 2, 1, 3, 2, 1)[count % 6]], 4), at, 1.2 * length, loud - 16)
            else:
                for tone in tones[:3]:
                    self.note(CHORDS, self.key(tone, 4), at, 0.9 * length, loud - 20)

    def lead(self, start, root):
        beat = 0.0
        metre = self.style.metre
        grain = self.pick(((0.5, 1, 1, 2), (0.5, 0.5, 1), (1, 2, 3), (0.25, 0.25, 0.5, 1))) if self.steps_a_beat == 4 else (1 / 3, 2 / 3, 1, 1, 2)
        while beat < metre - 0.01:
            length = min(metre - beat, float(self.pick(grain)))
            if self.chance(0.8):
                degree = root + self.pick((0, 2, 4, 7)) + self.pick((0, 0, 0, 1, -1))
                swung = self.place(round(beat * self.steps_a_beat)) if self.steps_a_beat == 4 else beat
                self.note(LEAD, self.key(degree, 5), start + swung, 0.95 * length, 92)
            beat += length

    # The piece

    def compose(self):
        style = self.style
        tempo = self.random.uniform(*style.tempo)
        bars = max(8, round(self.wanted * tempo / 60 / style.metre))
        progression = self.pick(PROGRESSIONS)
        rhythms = self.section_rhythms()
        start_bar = 0
        # A pick-up: notes before the first downbeat.
        pickup = int(self.random.integers(1, style.metre)) if style.metre > 2 and self.chance(0.25) else 0
        if pickup:
            for beat in range(-pickup, 0):
                self.note(self.pick((LEAD, CHORDS)), self.key(self.pick((0, 2, 4)), 5), beat, 0.9, 85)
        while start_bar < bars:
            length = min(bars - start_bar, style.phrase * int(self.pick((1, 1, 2))))
            if self.chance(0.05):
                # A bar more or less than a phrase, as songs have now and then.
                length = max(1, length + int(self.pick((-2, 1, 2, 4))))
            self.section(start_bar, length, rhythms, progression, is_first=start_bar == 0, is_last=start_bar + length >= bars)
            if self.chance(0.4):
                rhythms = self.section_rhythms()
            if self.chance(0.3):
                progression = self.pick(PROGRESSIONS)
            start_bar += length
        return self.finished(start_bar, pickup, tempo)

    def section_rhythms(self):
        style = self.style
        return {
            "drums": {drum: self.pick(rhythms) for drum, rhythms in style.drums.items()},
            "bass": self.pick(style.bass), "chords": self.pick(style.chords), "broken": self.chance(0.35)}

    def section(self, first, length, rhythms, progression, is_first, is_last):
        style = self.style
        has_drums = bool(style.drums) and not self.chance(0.3 if is_first or is_last else 0.12)
        has_bass = not self.chance(0.25 if is_first else 0.1)
        has_chords = not self.chance(0.1) or not (has_drums or has_bass)
        has_lead = self.chance(style.lead)
        has_pad = self.chance(0.25)
        # A quiet intro begins with one player alone.
        if is_first and self.chance(0.3):
            has_drums, has_bass, has_lead = False, False, self.chance(0.3)
        for bar in range(first, first + length):
            start = bar * style.metre
            root = progression[(bar - first) % len(progression)]
            is_end = bar == first + length - 1
            is_break = is_end and not is_last and self.chance(0.08)
            if has_drums and not is_break:
                self.drums(start, rhythms["drums"])
                if is_end and self.chance(style.fills):
                    self.fill(start)
                if bar == first and self.chance(0.5):
                    self.note(DRUMS, CRASH, start, 0.5, 105)
            if is_break and self.chance(0.5):
                continue
            if has_bass and not is_break:
                self.bass(start, rhythms["bass"], root)
            if has_chords:
                self.chords(start, rhythms["chords"], root, rhythms["broken"])
            if has_lead:
                self.lead(start, root)
            if has_pad:
                for tone in (root, root + 2, root + 4):
                    self.note(PAD, self.key(tone, 5), start, style.metre * 0.98, 62)

    def grid(self, bars, pickup, tempo):
        """Seconds at each beat, from the pick-up to the end of the last bar."""
        return time_map(self.random, bars, self.style.metre, pickup, tempo, self.style.drift, self.style.rubato)[0]

    def finished(self, bars, pickup, tempo):
        style = self.style
        grid = self.grid(bars, pickup, tempo) + self.random.uniform(0.05, 2.5)
        count = pickup + bars * style.metre
        places = (numpy.arange(count) - pickup) % style.metre + 1
        # The last chord after the last bar is no bar of its own; the beat it falls on counts.
        if self.chance(0.6):
            for tone in (0, 2, 4, 7):
                self.note(CHORDS, self.key(tone, 4), bars * style.metre, 2, 96)
            self.note(BASS, self.key(0, 2), bars * style.metre, 2, 96)
            grid = numpy.append(grid, grid[-1] + 2 * (grid[-1] - grid[-2]))
            places = numpy.append(places, 1)
            count += 1
        unit = 8 if style.metre in (2, 4) else 2 * style.metre
        phrases = grid[pickup:count:unit]
        programs = {
            BASS: self.pick(style.bass_programs), CHORDS: self.pick(style.chord_programs),
            LEAD: self.pick(style.lead_programs), PAD: self.pick((48, 49, 88, 89, 90, 91, 52))}
        return Piece(self.name, self.notes, programs, grid, -pickup, grid[:count], places, phrases)


def time_map(random, bars, metre, pickup, tempo, drift, rubato):
    """Seconds at each beat from the pick-up to the end of the last bar, the count of beats, and their places."""
    count = pickup + bars * metre
    lengths = numpy.full(count, 60 / tempo)
    if drift:
        walk = numpy.cumsum(random.normal(0, drift, count))
        walk -= numpy.linspace(0, walk[-1], count) * random.random()
        lengths *= numpy.exp(numpy.clip(walk, -0.25, 0.25))
    if rubato:
        # A breath at the end of phrases: slower into the bar line, and a little faster after it.
        place = (numpy.arange(count) - pickup) % (4 * metre)
        lengths *= 1 + rubato * random.uniform(0, 2) * numpy.cos(2 * numpy.pi * (place + 1) / (4 * metre))
        lengths *= 1 + random.normal(0, rubato / 3, count)
    if random.random() < 0.08:
        # Another tempo from a bar line on, as in a mix for a cheer routine.
        at = pickup + metre * int(random.integers(bars // 4, max(bars // 4 + 1, 3 * bars // 4)))
        lengths[at:] *= random.uniform(0.75, 1.33)
    if drift and random.random() < 0.35:
        last = min(count, int(random.integers(2, 2 * metre + 1)))
        lengths[-last:] *= numpy.linspace(1, random.uniform(1.2, 1.9), last)
    places = (numpy.arange(count) - pickup) % metre + 1
    return numpy.concatenate([[0], numpy.cumsum(lengths)]), count, places


def arrange(style, seed, seconds=60):
    """Writes a piece of a style, about so many seconds long."""
    return Arranger(style, [seed, sum(map(ord, style))], seconds).compose()
