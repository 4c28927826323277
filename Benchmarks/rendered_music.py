"""Music whose every note is known: MIDI bytes written here, rendered by Debian's fluidsynth."""

import random
import struct
import subprocess
import wave

import numpy

SOUNDFONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"
TICKS_PER_SECOND = 960  # 480 ticks a quarter, 120 quarters a minute
DRUMS = 9
KICK, SNARE, HAT, OPEN_HAT, CRASH, TOM = 36, 38, 42, 46, 49, 45


class Score:
    """Notes of one piece; times in seconds."""

    def __init__(self):
        self.events = []
        self.notes = []

    @property
    def onsets(self):
        return [at for at, *_ in self.notes]

    def program(self, channel, program, at=0.0):
        self.events.append((at, 0, bytes([0xC0 | channel, program])))

    def note(self, channel, key, at, seconds, velocity):
        self.notes.append((at, seconds, key, velocity))
        self.events.append((at, 2, bytes([0x90 | channel, key, velocity])))
        self.events.append((at + seconds, 1, bytes([0x80 | channel, key, 0])))

    def midi(self):
        track = b""
        ticks = 0
        for at, _, message in sorted(self.events):
            now = round(at * TICKS_PER_SECOND)
            track += variable_length(now - ticks) + message
            ticks = now
        track += variable_length(0) + b"\xff\x2f\x00"
        head = b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480)
        return head + b"MTrk" + struct.pack(">I", len(track)) + track

    def render(self, path, soundfont=SOUNDFONT):
        """Writes a WAV file, 48 kHz stereo, with fluidsynth's usual reverb."""
        midi = path.with_suffix(".mid")
        midi.write_bytes(self.midi())
        subprocess.run(
            ["fluidsynth", "-q", "-n", "-i", "-r", "48000", "-g", "0.6", "-F", path, soundfont, midi],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


    def render_plainly(self, path):
        """Writes a WAV file, 48 kHz stereo, without fluidsynth: each note a sine that dies away. Enough to
        see whether a benchmark runs."""
        sound = numpy.zeros(int(48_000 * max(at + seconds for at, seconds, *_ in self.notes)) + 1)
        for at, seconds, key, velocity in self.notes:
            first = int(at * 48_000)
            times = numpy.arange(min(int(seconds * 48_000), len(sound) - first)) / 48_000
            hertz = 440 * 2 ** ((key - 69) / 12)
            sound[first:first + len(times)] += (
                velocity / 127 * numpy.exp(-4 * times) * numpy.sin(2 * numpy.pi * hertz * times))
        whole = numpy.round(sound / numpy.max(numpy.abs(sound)) * 30_000).astype("<i2")
        with wave.open(str(path), "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(48_000)
            file.writeframes(numpy.repeat(whole, 2).tobytes())


def variable_length(value):
    result = bytes([value & 127])
    while value := value >> 7:
        result = bytes([value & 127 | 128]) + result
    return result


def merged(onsets, seconds=0.03):
    """The onsets, those that sound together counted once."""
    result = []
    for onset in sorted(onsets):
        if not result or onset - result[-1] > seconds:
            result.append(onset)
    return result


MAJOR, MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)
PROGRESSIONS = ((0, 4, 5, 3), (0, 5, 3, 4), (5, 3, 0, 4), (0, 3, 0, 4), (0, 2, 3, 4))


class Player:
    """Plays one section on a score: instruments, key, tempo and style drawn from a seed."""

    def __init__(self, score, seed, start=0.0):
        self.score = score
        self.random = random.Random(seed)
        self.start = start
        self.beat = 60 / self.random.uniform(84, 138)
        self.tonic = self.random.randint(0, 11)
        self.scale = self.random.choice((MAJOR, MINOR))
        self.progression = self.random.choice(PROGRESSIONS)

    def key(self, degree, octave):
        return 12 * octave + self.tonic + 12 * (degree // 7) + self.scale[degree % 7]

    def chord(self, bar):
        root = self.progression[bar % len(self.progression)]
        return [root, root + 2, root + 4]

    def at(self, bar, beat):
        """Seconds of a beat, a few milliseconds off as people play."""
        return max(self.start, self.start + (bar * 4 + beat) * self.beat + self.random.gauss(0, 0.004))

    def loudness(self, centre):
        return max(25, min(125, round(self.random.gauss(centre, 10))))

    def drums(self, bar):
        note = lambda key, beat, velocity: self.score.note(
            DRUMS, key, self.at(bar, beat), 0.1, self.loudness(velocity))
        for eighth in range(8):
            if self.random.random() < 0.9:
                note(OPEN_HAT if self.random.random() < 0.08 else HAT, eighth / 2, 70)
            if self.random.random() < 0.12:
                note(HAT, eighth / 2 + 0.25, 55)
        for beat in (0, 2):
            note(KICK, beat, 105)
        if self.random.random() < 0.6:
            note(KICK, self.random.choice((1.5, 2.5, 3.5)), 95)
        for beat in (1, 3):
            note(SNARE, beat, 100)
        if bar % 4 == 3:
            for sixteenth in range(4):
                note(TOM + 2 * (sixteenth % 2), 3 + sixteenth / 4, 90)
        if bar % 4 == 0:
            note(CRASH, 0, 100)

    def chords(self, bar, channel, beats=(0, 2), octave=4, velocity=75, spread=0.0, hold=1.8):
        for beat in beats:
            at = self.at(bar, beat)
            for index, degree in enumerate(self.chord(bar)):
                self.score.note(
                    channel, self.key(degree, octave), at + index * spread, hold * self.beat,
                    self.loudness(velocity))

    def arpeggio(self, bar, channel, octave=4, velocity=75, hold=1.0):
        tones = self.chord(bar)
        tones = tones + [tones[0] + 7]
        for eighth in range(8):
            degree = tones[(0, 2, 1, 3, 2, 1, 3, 2)[eighth]]
            self.score.note(
                channel, self.key(degree, octave), self.at(bar, eighth / 2), hold * self.beat,
                self.loudness(velocity))

    def melody(self, bar, channel, octave=5, velocity=90, shortest=0.5, legato=0.95):
        beat = 0.0
        while beat < 4:
            length = min(4 - beat, self.random.choice((shortest, shortest, 1, 1, 1.5, 2)))
            if self.random.random() < 0.88:
                degree = self.random.choice(self.chord(bar)) + self.random.choice((0, 0, 1, -1, 2))
                self.score.note(
                    channel, self.key(degree, octave), self.at(bar, beat),
                    length * self.beat * legato, self.loudness(velocity))
            beat += length

    def bass(self, bar, channel, velocity=90):
        root = self.chord(bar)[0]
        for beat in (0, 1.5, 2, 3):
            if self.random.random() < 0.9:
                degree = root + (4 if beat == 3 and self.random.random() < 0.4 else 0)
                self.score.note(
                    channel, self.key(degree, 2), self.at(bar, beat), 0.8 * self.beat,
                    self.loudness(velocity))


def piano(player, bar):
    player.chords(bar, 0, beats=(0, 2), octave=4)
    player.melody(bar, 0, octave=5)


def guitar(player, bar):
    player.arpeggio(bar, 0)


def strumming(player, bar):
    player.chords(bar, 0, beats=(0, 1, 1.5, 2.5, 3), spread=0.006, hold=0.9)


def strings(player, bar):
    player.chords(bar, 0, beats=(0,), octave=4, velocity=70, hold=3.9)
    player.melody(bar, 1, octave=5, velocity=85, shortest=1)


def wind(player, bar):
    player.melody(bar, 0, octave=5, velocity=90, legato=1.0)


def drums(player, bar):
    player.drums(bar)


def band(player, bar):
    player.drums(bar)
    player.bass(bar, 1)
    player.chords(bar, 2, beats=(0, 2))
    player.melody(bar, 3, octave=5)


def ballad(player, bar):
    player.chords(bar, 2, beats=(0,), octave=4, velocity=60, hold=3.9)
    player.arpeggio(bar, 1, velocity=70)
    player.melody(bar, 3, octave=5, shortest=1)


# Style, and the programs of channels 0…3 that it is played with.
PIECES = {
    "drums": (drums, (0, 0, 0, 0)),
    "piano": (piano, (0, 0, 0, 0)),
    "electric piano": (piano, (4, 0, 0, 0)),
    "nylon guitar": (guitar, (24, 0, 0, 0)),
    "steel guitar, strummed": (strumming, (25, 0, 0, 0)),
    "harp": (guitar, (46, 0, 0, 0)),
    "string ensemble and violin": (strings, (48, 40, 0, 0)),
    "flute": (wind, (73, 0, 0, 0)),
    "clarinet": (wind, (71, 0, 0, 0)),
    "band with saxophone": (band, (0, 33, 0, 65)),
    "band with guitar": (band, (0, 34, 27, 29)),
    "ballad": (ballad, (0, 25, 49, 71)),
}


def piece(name, seed, seconds=40):
    """A score of about `seconds` of the piece `name`."""
    score = Score()
    add_section(score, name, seed, seconds, 0.0)
    return score


def add_section(score, name, seed, seconds, start):
    """Adds about `seconds` of the piece `name` at `start`; returns where its last bar ends."""
    style, programs = PIECES[name]
    for channel, program in enumerate(programs):
        score.program(channel, program, start)
    player = Player(score, f"{name} {seed}", start)
    bars = max(1, int(seconds / (4 * player.beat)))
    for bar in range(bars):
        style(player, bar)
    return start + bars * 4 * player.beat
