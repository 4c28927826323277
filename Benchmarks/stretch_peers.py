"""The programs that change a recording's speed, each at the settings that suit it best.

A program is a function of a source, a target (both WAVE files) and a speed; it returns the seconds of
processor time that the work took. Signalsmith Stretch is a library, and runs in this very process:
neither its start nor Python's counts.
"""

import resource
import subprocess

import numpy as np
import scipy.io.wavfile

RATE = 48_000


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    return seconds_since(before, resource.RUSAGE_CHILDREN)


def seconds_since(before, who):
    after = resource.getrusage(who)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def signalsmith(source, target, rate):
    import python_stretch
    before = resource.getrusage(resource.RUSAGE_SELF)
    stretch = python_stretch.Signalsmith.Stretch()
    stretch.preset(2, RATE)
    stretch.setTimeFactor(rate)
    _, samples = scipy.io.wavfile.read(source)
    out = stretch.process(np.ascontiguousarray(samples.T.astype(np.float32) / 32_768))
    used = seconds_since(before, resource.RUSAGE_SELF)
    write(target, out.T)
    return used


def atempo(rate):
    """Returns ffmpeg's filter, which slows down to a half at most, so twice where it must."""
    return f"atempo={rate}" if rate >= 0.5 else f"atempo=0.5,atempo={rate / 0.5}"


def peers(segmance, is_mono=False):
    """Returns all of them by the names that the tables use.

    Rubber Band's centre focus keeps a stereo image together; where both channels are the same
    there is no image, and it only costs quality and time.
    """
    focus = [] if is_mono else ["--centre-focus"]
    return {
        "ours": lambda a, b, r: run(
            [segmance, "stretch", a, b, "--rate", f"{r}", "--force", "--no-sandbox"]),
        "Rubber Band R3": lambda a, b, r: run(
            ["rubberband", "-q", "-3", *focus, "-t", f"{1 / r}", a, b]),
        "Rubber Band R2": lambda a, b, r: run(
            ["rubberband", "-q", "-2", "-c", "5", *focus, "-t", f"{1 / r}", a, b]),
        "Signalsmith": signalsmith,
        "SoundTouch": lambda a, b, r: run(["soundstretch", a, b, f"-tempo={100 * (r - 1):.4f}"]),
        "atempo": lambda a, b, r: run(
            ["ffmpeg", "-v", "error", "-y", "-i", a, "-af", atempo(r), b]),
    }


def write(path, samples):
    whole = np.clip(np.round(samples * 32_768), -32_768, 32_767).astype(np.int16)
    scipy.io.wavfile.write(path, RATE, whole)


def read(path):
    _, samples = scipy.io.wavfile.read(path)
    return samples.astype(float) / 32_768
