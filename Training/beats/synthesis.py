"""Sound of our own: oscillators for players, and drums made of sweeps and noise, as electronic music has them."""

import numpy

from .features import RATE

TABLE = 2_048
#: What each drum is: its kind, and how it is tuned.
KINDS = {
    35: ("kick", 0.9), 36: ("kick", 1), 41: ("tom", 70), 43: ("tom", 85), 45: ("tom", 100), 47: ("tom", 125), 48: ("tom", 150),
    50: ("tom", 180), 38: ("snare", 1), 40: ("snare", 1.15), 39: ("clap", 1), 37: ("click", 1_700), 42: ("hat", 0.05),
    44: ("hat", 0.07), 46: ("hat", 0.3), 49: ("crash", 1.2), 57: ("crash", 1.4), 51: ("ride", 0.5), 53: ("ride", 0.6),
    59: ("ride", 0.7), 54: ("hat", 0.12), 69: ("hat", 0.06), 70: ("hat", 0.04), 82: ("hat", 0.05), 56: ("bell", 560),
    75: ("click", 2_500), 76: ("click", 1_900), 77: ("click", 1_400), 80: ("bell", 3_000), 81: ("bell", 3_100), 73: ("hat", 0.08),
    60: ("tom", 420), 61: ("tom", 300), 62: ("tom", 330), 63: ("tom", 300), 64: ("tom", 220), 65: ("tom", 480), 66: ("tom", 360)}


def decaying(seconds, half):
    """Time, and a level that halves every `half` seconds."""
    time = numpy.arange(int(seconds * RATE), dtype=numpy.float32) / RATE
    return time, 0.5 ** (time / half)


def high(noise, share):
    """Noise with its low part taken away: the mean of a few samples."""
    size = max(2, int(RATE / 1_000 * share))
    total = numpy.cumsum(numpy.concatenate([numpy.zeros(size, numpy.float32), noise]), dtype=numpy.float64)
    return (noise - (total[size:] - total[:-size]) / size).astype(numpy.float32)


def drum(key, random):
    """The sound of a drum, in the tuning of this piece."""
    kind, value = KINDS.get(key, ("click", 1_200 + 20 * (key % 40)))
    if kind == "kick":
        time, level = decaying(0.5, random.uniform(0.04, 0.12))
        low, top = random.uniform(40, 65) * value, random.uniform(120, 400)
        phase = 2 * numpy.pi * (low * time + (top - low) * 0.03 * (1 - numpy.exp(-time / 0.03)))
        sound = numpy.sin(phase) * level
        sound[:200] += random.uniform(0, 0.5) * random.normal(0, 1, 200) * numpy.linspace(1, 0, 200)
        return 1.3 * sound
    if kind == "snare":
        time, level = decaying(0.35, random.uniform(0.03, 0.07))
        tone = numpy.sin(2 * numpy.pi * random.uniform(160, 240) * value * time) * 0.5 ** (time / 0.03)
        return random.uniform(0.2, 0.7) * tone + 0.5 * high(random.normal(0, 1, len(time)).astype(numpy.float32), random.uniform(0.3, 2)) * level
    if kind == "clap":
        time, level = decaying(0.35, 0.05)
        bursts = sum(numpy.exp(-numpy.maximum(0, time - at) / 0.008) * (time >= at) for at in (0, 0.011, 0.023))
        return 0.35 * high(random.normal(0, 1, len(time)).astype(numpy.float32), 0.7) * (bursts + level)
    if kind in ("hat", "crash", "ride"):
        half = value * random.uniform(0.3, 0.8) / (1 if kind == "hat" else 2)
        time, level = decaying(min(3, 7 * half + 0.05), half)
        metal = sum(numpy.sign(numpy.sin(2 * numpy.pi * hertz * time)) for hertz in random.uniform(2_000, 9_000, 4)) / 4
        noise = high(random.normal(0, 1, len(time)).astype(numpy.float32), random.uniform(0.06, 0.15))
        return (0.25 if kind == "hat" else 0.3) * (noise + random.uniform(0, 1) * metal) * level
    if kind == "bell":
        time, level = decaying(0.5, random.uniform(0.03, 0.12))
        return 0.3 * (numpy.sign(numpy.sin(2 * numpy.pi * value * time)) + numpy.sin(2 * numpy.pi * 1.48 * value * time)) * level
    if kind == "tom":
        time, level = decaying(0.5, random.uniform(0.04, 0.1))
        return 0.8 * numpy.sin(2 * numpy.pi * value * (time + 0.02 * (1 - numpy.exp(-time / 0.04)))) * level
    time, level = decaying(0.08, random.uniform(0.006, 0.015))
    return 0.6 * numpy.sin(2 * numpy.pi * value * time) * level


def wave_of(kind, partials):
    """One turn of a wave with so many partials."""
    angle = 2 * numpy.pi * numpy.arange(TABLE) / TABLE
    wave = numpy.zeros(TABLE)
    for partial in range(1, partials + 1):
        if kind == "saw":
            wave += numpy.sin(partial * angle) / partial
        elif kind == "square" and partial % 2:
            wave += numpy.sin(partial * angle) / partial
        elif kind == "soft":
            wave += numpy.sin(partial * angle) / partial ** 2
        elif kind == "organ" and partial in (1, 2, 3, 4, 6, 8):
            wave += numpy.sin(partial * angle) / partial ** 0.5
    return (wave / max(1e-6, numpy.max(numpy.abs(wave)))).astype(numpy.float32)


class Oscillator:
    """The instrument of one channel."""

    def __init__(self, random):
        kind = str(random.choice(["saw", "square", "soft", "organ", "saw"]))
        self.waves = {partials: wave_of(kind, partials) for partials in (1, 3, 6, 12, 24, 48)}
        self.attack = float(numpy.exp(random.uniform(numpy.log(0.001), numpy.log(0.03))))
        self.half = float(numpy.exp(random.uniform(numpy.log(0.06), numpy.log(2))))
        self.release = float(random.uniform(0.01, 0.12))
        self.brightness = float(random.uniform(1_500, 9_000))
        self.beating = float(random.uniform(0, 0.006)) if random.random() < 0.5 else 0
        self.level = float(random.uniform(0.08, 0.3))

    def note(self, key, seconds, loudness):
        hertz = 440 * 2 ** ((key - 69) / 12)
        wanted = min(self.brightness * (0.4 + loudness), 18_000) / hertz
        wave = self.waves[max((partials for partials in self.waves if partials <= max(1, wanted)), default=1)]
        time = numpy.arange(int((seconds + self.release) * RATE), dtype=numpy.float32) / RATE
        turns = time * numpy.float32(hertz * TABLE)
        sound = wave[turns.astype(numpy.int64) & (TABLE - 1)]
        if self.beating:
            sound = 0.6 * (sound + wave[(turns * numpy.float32(1 + self.beating)).astype(numpy.int64) & (TABLE - 1)])
        level = 0.5 ** (time / numpy.float32(self.half))
        level *= numpy.minimum(1, time / self.attack)
        level *= numpy.clip((seconds + self.release - time) / self.release, 0, 1)
        return self.level * loudness * sound * level


def synthesised(piece, notes, random):
    """Mono samples of some notes of a piece."""
    end = max((piece.seconds(note.start + note.length) + note.late for note in notes), default=0.0)
    result = numpy.zeros(int((end + 3.5) * RATE), numpy.float32)
    drums, players = {}, {}
    for note in notes:
        start = max(0.0, piece.seconds(note.start) + note.late)
        loudness = (note.velocity / 127) ** 1.5
        if note.channel == 9:
            if note.key not in drums:
                drums[note.key] = drum(note.key, random).astype(numpy.float32) * float(random.uniform(0.4, 1))
            sound = loudness * drums[note.key]
        else:
            if note.channel not in players:
                players[note.channel] = Oscillator(random)
            seconds = max(0.03, piece.seconds(note.start + note.length) + note.late - start)
            sound = players[note.channel].note(note.key, min(seconds, 8.0), loudness)
        at = int(start * RATE)
        sound = sound[:max(0, len(result) - at)]
        result[at:at + len(sound)] += sound
    return result
