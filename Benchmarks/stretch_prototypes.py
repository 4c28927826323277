"""Two other published ways to change a recording's speed, which the engine's was chosen against.

`hybrid` takes tones and attacks apart and stretches each by its own means (Driedger, Müller & Ewert
2014); `wsola` joins pieces of the sound where they resemble each other (Verhelst & Roelands 1993).
Both work on a whole recording, in numpy, and decide once for both channels. `stretch_quality.py
--prototypes` measures them; docs/adr/0008-time-stretch.md says what came of it.

Sound is an array of shape (channels, frames) at 48 kHz; a speed of 0.5 makes it twice as long. What
lies at frame t of the result comes from around frame t · speed of the source.
"""

import resource

import numpy as np
import scipy.ndimage
import scipy.signal

from stretch_peers import RATE, read, seconds_since, write


def hybrid(sound, speed, window=4_096, hop=512, percussive_window=256):
    """Stretches tones by a phase vocoder with a long window, attacks by adding up short pieces.

    J. Driedger, M. Müller, S. Ewert: Improving time-scale modification of music signals using
    harmonic-percussive separation, IEEE Signal Processing Letters 21 (2014). Windows and hop in frames.
    """
    tones, attacks = separated(sound)
    return vocoded(tones, speed, window, hop) + overlapped(attacks, speed, percussive_window)


def separated(sound, window=4_096, hop=1_024, time_reach=0.4, frequency_reach=1_000):
    """Returns what is harmonic and what is percussive in a sound; together they are the sound.

    D. FitzGerald: Harmonic/percussive separation using median filtering, DAFx 2010. A cell of the
    spectrogram is harmonic where the median along time (over `time_reach` seconds) is at least that
    along frequency (over `frequency_reach` hertz). Both channels have one mask.
    """
    cells = scipy.signal.stft(sound, RATE, nperseg=window, noverlap=window - hop)[2]
    level = np.sqrt(np.sum(np.abs(cells) ** 2, axis=0))
    along_time = scipy.ndimage.median_filter(level, (1, odd(time_reach * RATE / hop)))
    along_frequency = scipy.ndimage.median_filter(level, (odd(frequency_reach * window / RATE), 1))
    kept = np.where(along_time >= along_frequency, cells, 0)
    tones = scipy.signal.istft(kept, RATE, nperseg=window, noverlap=window - hop)[1]
    tones = tones[:, :sound.shape[1]]
    return tones, sound - tones


def odd(count):
    return 2 * int(count / 2) + 1


def vocoded(sound, speed, window, hop):
    """Stretches by a phase vocoder with identity phase locking.

    J. Laroche, M. Dolson: Improved phase vocoder time-scale modification of audio, IEEE Transactions on
    Speech and Audio Processing 7 (1999). The advance of a phase is measured between two transforms of
    the source that lie one hop of the result apart (M. Puckette: Phase-locked vocoder, 1995), so none
    is unwrapped.
    """
    source = Pieces(sound, window, margin=hop)
    result = Sum(sound, speed, window)
    shape = hann(window)
    made = None
    for frame in result.frames(hop):
        place = round(frame * speed)
        now = np.fft.rfft(shape * source.around(place))
        if made is not None:
            now = turned(now, np.fft.rfft(shape * source.around(place - hop)), made)
        result.add(frame, shape * np.fft.irfft(now))
        made = now
    # Squares of Hann windows, `hop` apart.
    return result.whole() / (0.375 * window / hop)


def turned(now, earlier, made):
    """Turns each peak's region as a whole to where its phase belongs, alike in both channels.

    `now` and `earlier` are the source's transforms here and one hop before, `made` is the result's last
    transform; each has the shape (channels, bins). The turn is the one that best leads from `earlier`
    to `made` over the region, weighted by both of their levels.
    """
    level = np.sum(np.abs(now) ** 2, axis=0)
    peaks = np.flatnonzero(level == scipy.ndimage.maximum_filter1d(level, 5))
    starts = np.append(0, (peaks[1:] + peaks[:-1]) // 2 + 1)
    drift = np.add.reduceat(np.sum(made * np.conj(earlier), axis=0), starts)
    turns = np.exp(1j * np.angle(drift))
    return now * np.repeat(turns, np.diff(np.append(starts, len(level))))


def wsola(sound, speed, window=960, tolerance=480):
    """Adds up pieces of the source, each moved a little to where it continues the last one best.

    W. Verhelst, M. Roelands: An overlap-add technique based on waveform similarity (WSOLA) for high
    quality time-scale modification of speech, ICASSP 1993. A piece lies at most `tolerance` frames from
    its place, wherever its normalized cross-correlation with what followed the last piece in the source,
    summed over the channels, is highest. Windows overlap by half.
    """
    hop = window // 2
    source = Pieces(sound, window, margin=tolerance + hop)
    result = Sum(sound, speed, window)
    shape = hann(window)
    last = None
    for frame in result.frames(hop):
        place = round(frame * speed)
        if last is not None:
            place += shift(source.around(last + hop), source.around(place, tolerance))
        result.add(frame, shape * source.around(place))
        last = place
    return result.whole()


def shift(wanted, found):
    """Returns how far from the middle of `found`, which is longer, a piece is most like `wanted`."""
    likeness = sum(
        scipy.signal.correlate(long, short, "valid", method="fft")
        for long, short in zip(found, wanted))
    energy = np.cumsum(np.append(0, np.sum(found ** 2, axis=0)))
    length = wanted.shape[1]
    likeness /= np.sqrt(np.maximum(energy[length:] - energy[:-length], 1e-9))
    return int(np.argmax(likeness)) - len(likeness) // 2


def overlapped(sound, speed, window):
    """Adds up pieces of the source as they are (OLA), which keeps attacks but no tones."""
    return wsola(sound, speed, window, tolerance=0)


def hann(window):
    return scipy.signal.windows.hann(window, sym=False)


class Pieces:
    """A sound that can be read around any frame, with silence before and after."""

    def __init__(self, sound, window, margin):
        self.window = window
        self.margin = 2 * window + margin
        self.sound = np.pad(sound, ((0, 0), (self.margin, self.margin)))

    def around(self, frame, more=0):
        """Returns the `window` frames whose middle is `frame`, and `more` on both sides of them."""
        start = frame + self.margin - self.window // 2 - more
        return self.sound[:, start:start + self.window + 2 * more]


class Sum:
    """The result: pieces that are added up around frames a hop apart, the first and last beyond it."""

    def __init__(self, sound, speed, window):
        self.window = window
        self.length = round(sound.shape[1] / speed)
        self.sound = np.zeros((len(sound), self.length + 2 * window))

    def frames(self, hop):
        return range(-hop * (self.window // 2 // hop), self.length + self.window // 2, hop)

    def add(self, frame, piece):
        start = frame + self.window // 2
        self.sound[:, start:start + self.window] += piece

    def whole(self):
        return self.sound[:, self.window:self.window + self.length]


def program(stretch):
    """Makes one of stretch_peers.py's programs of a function that stretches a sound."""
    def run(source, target, speed):
        before = resource.getrusage(resource.RUSAGE_SELF)
        write(target, stretch(read(source).T, speed).T)
        return seconds_since(before, resource.RUSAGE_SELF)
    return run


PROTOTYPES = {"hybrid": program(hybrid), "WSOLA": program(wsola)}
