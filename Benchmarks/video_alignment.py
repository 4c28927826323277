"""Recordings of music in a room, aligned by their sound, against plain cross-correlation.

The room, the microphone, the noise and the clocks are simulated; the music is real.
"""

import concurrent.futures
import functools
import json
import os
import subprocess
import time

import numpy

import rendered_music
from studio import PROGRAM, Timed
from suggested_cuts import GAME_MUSIC

TIMELINE = 48_000
#: The simulation's own rate: nothing above 7 kHz is left of it anyway.
RATE = 24_000
RECORDINGS = int(os.environ.get("SEGMANCE_RECORDINGS", "200"))
WITHIN = 0.020


class Recording:
    """One simulated recording: which music, what was filmed of it, and the truth."""

    def __init__(self, number, music, is_stranger=False):
        self.chance = chance = numpy.random.default_rng(4_000 + number + 1_000 * is_stranger)
        self.number = number
        self.is_stranger = is_stranger
        self.song = str(chance.choice(music))
        self.other = str(chance.choice([path for path in music if str(path) != self.song]))
        #: The part that is practised, in seconds of the song.
        longest = song_seconds(self.song)
        length = min(longest, float(numpy.exp(chance.uniform(numpy.log(15), numpy.log(240)))))
        self.start = float(chance.uniform(0, longest - length))
        self.end = self.start + length
        #: When the music begins in the video: before it by 20 s, or after it by up to a minute.
        self.begins = float(chance.uniform(-min(20, length - 8), 60))
        audible = length + min(0, self.begins)
        #: How long the video is: as the music, longer, or broken off.
        beyond = float(chance.choice([chance.uniform(0, 30), -chance.uniform(0, audible / 3)]))
        self.seconds = max(self.begins, 0) + audible + beyond
        self.drift = float(chance.uniform(-100e-6, 100e-6))
        self.reverberation = float(chance.uniform(0.2, 0.8))
        #: How much louder the direct sound is than all that the walls send after it.
        self.direct_decibels = float(chance.uniform(-9, 3))
        self.noise_decibels = float(chance.uniform(0, 24))
        #: From white (0) to pink (1).
        self.noise_colour = float(chance.uniform(0, 1))

    @property
    def offset(self):
        """The second of the part that is heard at second 0, as it is in the middle of both."""
        first = max(0, self.begins)
        last = min(self.seconds, self.begins + (self.end - self.start))
        middle = (first + last) / 2
        return (middle - self.begins) * (1 + self.drift) - middle

    def make(self, folder):
        """Writes the part and the recording of it; returns their paths."""
        part = samples(self.song, self.start, self.end - self.start)
        write(folder / f"{self.number}.part.flac", part)
        played = part
        if self.is_stranger:
            longest = song_seconds(self.other)
            length = min(longest, self.end - self.start)
            played = samples(self.other, self.chance.uniform(0, longest - length), length)
        write(folder / f"{self.number}.m4a", self.through_the_room(played))
        return folder / f"{self.number}.m4a", folder / f"{self.number}.part.flac"

    def through_the_room(self, played):
        times = numpy.arange(int(self.seconds * RATE)) / RATE
        places = (times - self.begins) * (1 + self.drift) * RATE
        heard = numpy.interp(places, numpy.arange(len(played)), played, left=0, right=0)
        count = int(self.reverberation * RATE)
        decay = 10 ** (-3 * numpy.arange(count) / count)
        room = self.chance.standard_normal(count) * decay
        room /= numpy.sqrt(numpy.sum(room ** 2))
        room[0] += 10 ** (self.direct_decibels / 20)
        heard = filtered(convolved(heard, room), phone_microphone)
        noise = filtered(
            self.chance.standard_normal(len(heard)),
            lambda hertz: phone_microphone(hertz) * numpy.maximum(hertz, 20) ** (-self.noise_colour / 2))
        loudness = numpy.sqrt(numpy.mean(heard[numpy.abs(heard) > 1e-6] ** 2))
        noise *= loudness / numpy.sqrt(numpy.mean(noise ** 2)) * 10 ** (-self.noise_decibels / 20)
        heard += noise
        return heard * self.chance.uniform(0.05, 0.5) / numpy.max(numpy.abs(heard))


@functools.cache
def song_seconds(path):
    return float(subprocess.run(
        ["ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "format=duration", path],
        check=True, capture_output=True).stdout) - 0.1


def samples(path, start, seconds, rate=RATE):
    output = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-ss", f"{start:.4f}",
         "-t", f"{seconds:.4f}", "-ac", "1", "-ar", str(rate), "-f", "f32le", "-"],
        check=True, capture_output=True).stdout
    return numpy.frombuffer(output, numpy.float32).astype(float)


def write(path, values):
    coded = ["-c:a", "aac", "-b:a", "96k"] if path.suffix == ".m4a" else []
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "f32le", "-ar", str(RATE), "-ac", "1",
         "-i", "-", *coded, path], input=values.astype(numpy.float32).tobytes(), check=True)


def transform_size(count):
    return 1 << (count - 1).bit_length()


def convolved(values, response):
    size = transform_size(len(values) + len(response))
    product = numpy.fft.rfft(values, size) * numpy.fft.rfft(response, size)
    return numpy.fft.irfft(product, size)[:len(values)]


def filtered(values, gain):
    size = transform_size(len(values))
    hertz = numpy.fft.rfftfreq(size, 1 / RATE)
    return numpy.fft.irfft(numpy.fft.rfft(values, size) * gain(hertz), size)[:len(values)]


def phone_microphone(hertz):
    """200 Hz to 7 kHz, with slopes of second order."""
    return 1 / numpy.sqrt((1 + (200 / numpy.maximum(hertz, 1)) ** 4) * (1 + (hertz / 7_000) ** 4))


def ours(video, part):
    child = Timed([PROGRAM, "align", video, part, "--json"])
    answer = json.loads(child.output)
    return answer["offset"] / TIMELINE, answer


def plain(video, part):
    """The highest point of the full cross-correlation of the waveforms."""
    video, part = samples(video, 0, 36_000, 16_000), samples(part, 0, 36_000, 16_000)
    size = transform_size(len(video) + len(part))
    product = numpy.conj(numpy.fft.rfft(video, size)) * numpy.fft.rfft(part, size)
    lag = int(numpy.argmax(numpy.fft.irfft(product, size)))
    return (lag if lag < len(part) else lag - size) / 16_000


def heard(recording, folder):
    video, part = recording.make(folder)
    try:
        offset, answer = ours(video, part)
        error = abs(offset - recording.offset)
        return error, answer, abs(plain(video, part) - recording.offset)
    finally:
        video.unlink()
        part.unlink()


def long_video(folder, music, part=240.0, begins=30.0, video=300.0):
    """The wall-clock times for a long video and a part, in seconds, that begins in it."""
    song = next(str(path) for path in music if song_seconds(path) > part)
    recording = Recording(0, music)
    recording.song, recording.start, recording.end = song, 0.0, part
    recording.begins, recording.seconds = begins, video
    pair = recording.make(folder)

    def seconds(work):
        started = time.monotonic()
        work(*pair)
        return time.monotonic() - started
    return min(seconds(ours) for _ in range(3)), min(seconds(plain) for _ in range(3))


def plain_music(folder):
    """Two pieces for the short form: game music is none of the tests' packages."""
    paths = []
    for name in ("piano", "harp"):
        paths.append(folder / f"{name}.wav")
        rendered_music.piece(name, 1, 25).render_plainly(paths[-1])
    return paths


def run(folder, table, short=False):
    count = 1 if short else RECORDINGS
    if short:
        music = plain_music(folder)
    elif GAME_MUSIC.is_dir():
        music = [path for path in sorted(GAME_MUSIC.glob("*.ogg")) if song_seconds(path) > 60]
    else:
        print("  Without Debian's wesnoth-1.16-music there is no music to record.")
        return
    recordings = [Recording(number, music) for number in range(count)]
    strangers = [
        Recording(number, music, is_stranger=True) for number in range(max(1, count // 5))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda recording: heard(recording, folder), recordings))
        others = list(pool.map(lambda recording: heard(recording, folder), strangers))
    right = [error <= WITHIN for error, _, _ in results]
    certain = [answer["isCertain"] for _, answer, _ in results]
    theirs = [error <= WITHIN for _, _, error in results]
    wrong = sum(sure and not good for sure, good in zip(certain, right))
    share, other_share = 100 * sum(right) / len(right), 100 * sum(theirs) / len(theirs)
    table.add(
        f"alignment by ear, within 20 ms of {count} recordings", f"{share:.1f} %",
        f"numpy, plain cross-correlation: {other_share:.1f} %",
        f"{share / other_share:.2f}" if other_share else "", "≥ 98 %")
    errors = sorted(1000 * error for error, _, _ in results)
    table.add(
        "alignment by ear, error", f"median {errors[len(errors) // 2]:.2f} ms, 95 %"
        f" {errors[len(errors) * 95 // 100]:.2f} ms")
    table.add(
        "alignment by ear, certain", f"{100 * sum(certain) / len(certain):.1f} %", "", "", "")
    table.add("alignment by ear, certain and wrong", wrong, "", "", "0")
    table.add(
        f"alignment by ear, certain about other music ({len(strangers)} pairs)",
        sum(answer["isCertain"] for _, answer, _ in others), "", "", "0")
    lengths = {"part": 12.0, "begins": 2.0, "video": 16.0} if short else {}
    mine, peer = long_video(folder, music, **lengths)
    table.add(
        f"alignment by ear, a video of {'16 s' if short else '5 minutes'}", f"{mine:.2f} s",
        f"numpy, plain cross-correlation: {peer:.2f} s", f"{mine / peer:.2f}", "")
