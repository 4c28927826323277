"""The programs that change a recording's speed, each at the settings that suit it best.

A program is a function of a source, a target (both WAVE files) and a speed; it returns the seconds of
processor time that the work took. Signalsmith Stretch is a library, and runs in this very process:
neither its start nor Python's counts.
"""

import functools
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


def signalsmith(block=None):
    """Signalsmith Stretch with its own best preset, or with blocks of another length."""
    def stretched(source, target, rate, semitones=0):
        import python_stretch
        before = resource.getrusage(resource.RUSAGE_SELF)
        stretch = python_stretch.Signalsmith.Stretch()
        if block is None:
            stretch.preset(2, RATE)
        else:
            stretch.configure(2, block, block // 4)
        stretch.setTimeFactor(rate)
        stretch.setTransposeSemitones(semitones)
        _, samples = scipy.io.wavfile.read(source)
        out = stretch.process(np.ascontiguousarray(samples.T.astype(np.float32) / 32_768))
        used = seconds_since(before, resource.RUSAGE_SELF)
        write(target, out.T)
        return used
    return stretched


def atempo(source, target, rate, semitones=0):
    """ffmpeg's filter, which slows down to a half at most; pitch by playing faster or slower."""
    factor = 2 ** (semitones / 12)
    filters = [f"asetrate={RATE * factor:.3f}", f"aresample={RATE}"] if semitones else []
    rate /= factor
    while rate < 0.5:
        filters.append("atempo=0.5")
        rate /= 0.5
    filters.append(f"atempo={rate:.6f}")
    return run(["ffmpeg", "-v", "error", "-y", "-i", source, "-af", ",".join(filters), target])


def rubberband(*options):
    return lambda source, target, rate, semitones=0: run(
        ["rubberband", "-q", *options, "-t", f"{1 / rate}", "-p", f"{semitones}", source, target])


def ours(segmance, voice):
    """`segmance stretch`, whose formants are moved with the pitch or stay where they are ("natural")."""
    def stretched(source, target, rate, semitones=0):
        transposed = ["--semitones", f"{semitones}"] if semitones else []
        if transposed and has_voice(segmance):
            transposed += ["--voice", voice]
        return run([segmance, "stretch", source, target, "--rate", f"{rate}", *transposed,
                    "--force", "--no-sandbox"])
    return stretched


@functools.cache
def has_voice(segmance):
    command = [segmance, "stretch", "--help"]
    return "--voice" in subprocess.run(command, check=True, capture_output=True, text=True).stdout


def peers(segmance, is_mono=False):
    """Returns all of them by the names that the tables use.

    Each is a function of source, target, speed and, if wanted, semitones.

    Rubber Band's centre focus keeps a stereo image together; where both channels are the same
    there is no image, and it only costs quality and time. Signalsmith's preset has blocks of 0.12 s;
    with 0.34 s it tells more partials apart, and smears attacks.
    """
    focus = [] if is_mono else ["--centre-focus"]
    return {
        "ours": ours(segmance, "moved"),
        "Rubber Band R3": rubberband("-3", *focus),
        "Rubber Band R2": rubberband("-2", "-c", "5", *focus),
        "Signalsmith": signalsmith(),
        "Signalsmith (long)": signalsmith(16_384),
        "SoundTouch": lambda source, target, rate, semitones=0: run(
            ["soundstretch", source, target, f"-tempo={100 * (rate - 1):.4f}", f"-pitch={semitones}"]),
        "atempo": atempo,
    }


def voice_peers(segmance):
    """Returns what transposes vowels: the programs above and their ways to keep a voice's formants."""
    all_peers = peers(segmance, is_mono=True)
    tools = {"ours": all_peers["ours"]}
    if has_voice(segmance):
        tools["ours (natural voice)"] = ours(segmance, "natural")
    return tools | {
        "Rubber Band R3": all_peers["Rubber Band R3"],
        "Rubber Band R3 (formants)": rubberband("-3", "--formant"),
        "Rubber Band R2 (formants)": rubberband("-2", "-c", "5", "--formant"),
        "Signalsmith": all_peers["Signalsmith"],
        "SoundTouch": all_peers["SoundTouch"],
    }


def write(path, samples):
    whole = np.clip(np.round(samples * 32_768), -32_768, 32_767).astype(np.int16)
    scipy.io.wavfile.write(path, RATE, whole)


def read(path):
    _, samples = scipy.io.wavfile.read(path)
    return samples.astype(float) / 32_768
