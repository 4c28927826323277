"""What `stretch_quality.py` measures of a stretched sound, mostly beside its ideal."""

import numpy as np
import scipy.ndimage
import scipy.signal

from stretch_peers import RATE


def decibels(ratio):
    return 10 * np.log10(max(ratio, 1e-12))


FACTOR = 24
SHORT = scipy.signal.windows.blackmanharris(4 * FACTOR + 1)
SHORT /= SHORT.sum()


def slow_part(signal, bandwidth):
    """What a signal has below a bandwidth; by way of a lower rate, which takes a tenth of the time."""
    window = scipy.signal.windows.blackmanharris(2 * int(RATE / FACTOR / bandwidth) + 1)
    low = scipy.signal.upfirdn(SHORT, np.pad(signal, 2 * FACTOR), down=FACTOR)[4:]
    low = scipy.signal.oaconvolve(low, window / window.sum(), "same")
    high = scipy.signal.upfirdn(SHORT * FACTOR, low, up=FACTOR)[2 * FACTOR:]
    return np.pad(high, (0, max(0, len(signal) - len(high))))[:len(signal)]


def purity(out, phases, bandwidth=12.0):
    """Energy beside the partials, and the worst pitch error in cents; both channels count.

    A partial is what is left of the sound, after demodulation by the ideal phase, below `bandwidth`.
    """
    inner = slice(RATE // 2, len(out) - RATE // 2)
    beside, whole, cents = 0.0, 0.0, 0.0
    turns = [np.exp(1j * phase) for phase in phases]
    for channel in out.T[:1] if np.array_equal(*out.T) else out.T:
        signal = scipy.signal.hilbert(channel)
        bases = [np.zeros(len(signal), complex) for _ in phases]
        rest = signal.copy()
        # Three rounds of taking the partials out, since each sees a little of its neighbours.
        for _ in range(3):
            for base, turn in zip(bases, turns):
                more = slow_part(rest * np.conj(turn), bandwidth)
                base += more
                rest -= more * turn
        beside += np.mean(np.abs(rest[inner]) ** 2)
        whole += np.mean(np.abs(signal[inner]) ** 2)
        for base, phase in zip(bases, phases):
            frequency = np.gradient(phase)[inner]
            step = np.angle(base[inner][4_800:] * np.conj(base[inner][:-4_800])) / 4_800
            offset = np.abs(np.mean(step)) / np.mean(frequency)
            cents = max(cents, 1200 * np.log2(1 + offset))
    return decibels(beside / whole), cents


def envelope(out, frames=12):
    """The root of the power of both channels over some frames (0.25 ms), centred."""
    power = np.mean(out ** 2, axis=1)
    return np.sqrt(np.maximum(0, scipy.ndimage.uniform_filter1d(power, frames)))


def bumps(level):
    """Counts the separate hits in a piece of an envelope."""
    height = 0.3 * level.max()
    return len(scipy.signal.find_peaks(level, height=height, prominence=height, distance=144)[0])


def half_frame(level):
    """Where an envelope first passes half of its highest point."""
    return int(np.argmax(level >= 0.5 * level.max()))


def rise_frames(level):
    """From 10 to 90 % of the highest point of an envelope.

    Backwards from 90 %, for as long as 10 % is reached at least once in every 10 ms: a kick drum
    swings through zero on its way, which is not where it begins.
    """
    highest = level.max()
    top = int(np.argmax(level >= 0.9 * highest))
    held = scipy.ndimage.maximum_filter1d(level[:top + 1], 480, origin=239)
    low = np.flatnonzero(held <= 0.1 * highest)
    return top - (low[-1] if len(low) else 0)


def attacks(out, ideal, times, rate):
    level, wanted = envelope(out), envelope(ideal)
    smooth, smooth_wanted = envelope(out, 144), envelope(ideal, 144)
    rises, echoes, offsets, doubled, lost = [], [], [], 0, 0
    reach = 2_400
    for frame in np.round(times / rate).astype(int):
        start, end = max(0, frame - reach), min(frame + reach, len(level))
        if end - start < reach or end > len(wanted):
            continue
        here, there = level[start:end], wanted[start:end]
        if here.max() < 0.25 * there.max():
            lost += 1
            continue
        offsets.append(half_frame(here) - half_frame(there))
        rises.append(rise_frames(here) / RATE * 1_000)
        # The ideal begins at `frame`, so what was moved by the offset begins there and so much later.
        first = frame + offsets[-1]
        before = np.mean(level[max(0, first - 960 - 48):first - 48] ** 2)
        echoes.append(before / np.mean(level[first:first + 960] ** 2))
        doubled += max(0, bumps(smooth[start:end]) - max(1, bumps(smooth_wanted[start:end])))
    offsets = np.array(offsets)
    return {
        "attack, ms": np.mean(rises), "pre-echo, dB": decibels(np.mean(echoes)),
        "timing mean, frames": np.mean(offsets), "timing spread, frames": np.std(offsets),
        "timing worst, frames": np.max(np.abs(offsets)), "doubled": doubled, "lost": lost,
    }


def convergence(out, ideal, window=2_048):
    """How far the levels of all frequencies at all times are from the ideal's, against the ideal's."""
    def magnitudes(samples):
        return np.abs(scipy.signal.stft(
            samples.T, RATE, nperseg=window, noverlap=window - window // 4)[2])
    length = min(len(out), len(ideal))
    a, b = magnitudes(out[:length]), magnitudes(ideal[:length])
    return 2 * decibels(np.linalg.norm(a - b) / np.linalg.norm(b))


def image(out):
    inner = out[RATE // 2:-RATE // 2]
    _, coherence = scipy.signal.coherence(inner[:, 0], inner[:, 1], RATE, nperseg=1_024)
    audible = coherence[2:400]
    middle, side = inner.sum(1), inner[:, 0] - inner[:, 1]
    return {
        "coherence": np.mean(audible),
        "correlation": np.corrcoef(inner[:, 0], inner[:, 1])[0, 1],
        "mid/side, dB": decibels(np.mean(middle ** 2) / np.mean(side ** 2)),
    }


def thirds(out):
    """The power of both channels in each third of an octave from 50 Hz to 16 kHz."""
    inner = out[RATE // 2:-RATE // 2]
    frequency, power = scipy.signal.welch(inner.T, RATE, nperseg=16_384)
    edges = 1_000 * 2 ** ((np.arange(-13, 14) - 0.5) / 3)
    whole = np.concatenate([[0], np.cumsum(power.sum(axis=0))])
    # Between two bins the sum grows evenly, so an edge may lie within a bin.
    bins = np.concatenate([frequency - frequency[1] / 2, [frequency[-1] + frequency[1] / 2]])
    return np.diff(np.interp(edges, bins, whole))


def colour(out, original):
    """How the level in thirds of an octave differs from the original's, in decibels."""
    error = np.abs(10 * np.log10(thirds(out) / thirds(original)))
    return {"level, mean third, dB": np.mean(error), "level, worst third, dB": np.max(error)}


def filled(out, window):
    """The flatness above 4 kHz, in decibels: noise has -2.5, single lines with nothing between less.

    The mean of the logarithm of power over all bins of 4 to 16 kHz and all moments, against the
    logarithm of the mean; each bin against its mean over time, so that a slope does not count.
    """
    # 20 s show it.
    inner = out[RATE // 2:-RATE // 2][:20 * RATE]
    first, last = round(4_000 * window / RATE), round(16_000 * window / RATE)
    spectrum = scipy.signal.stft(inner.T, RATE, nperseg=window, noverlap=window // 2)[2]
    power = np.abs(spectrum[:, first:last, 2:-2]) ** 2
    power = np.maximum(power / power.mean(axis=(0, 2), keepdims=True), 1e-12)
    return 10 * np.mean(np.log10(power))


def start_level(out, ideal):
    """The level of the first 12 ms against the ideal's, in decibels."""
    first = round(0.012 * RATE)
    return decibels(np.mean(out[:first] ** 2) / np.mean(ideal[:first] ** 2))
