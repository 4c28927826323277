"""Import and peaks against ffmpeg on the same files."""

import shutil
import subprocess

from studio import PROGRAM, Child, alternately, sample_song

FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]


def run(folder, table, short=False):
    song = sample_song(folder)
    for minutes, rounds in ((1, 1),) if short else ((4, 5), (60, 3)):
        mp3 = folder / f"{minutes}.mp3"
        subprocess.run(
            [*FFMPEG, "-stream_loop", str(minutes - 1), "-i", song, "-b:a", "192k", mp3], check=True)
        measure_import(folder, table, mp3, minutes, rounds)
        measure_peaks(folder, table, mp3, minutes, rounds)


def measure_import(folder, table, mp3, minutes, rounds):
    children = []

    def ours():
        data = folder / "library"
        child = Child([PROGRAM, "import", mp3, "--routine", "Bench", "--data", data])
        shutil.rmtree(data)
        children.append(child)
        return child.seconds

    def peer():
        chunks = folder / "chunks"
        chunks.mkdir()
        child = Child(
            [*FFMPEG, "-i", mp3, "-ar", "48000", "-ac", "2", "-f", "segment", "-segment_time", "10",
             "-c:a", "flac", "%05d.flac"], cwd=chunks)
        shutil.rmtree(chunks)
        return child.seconds

    mine, theirs = alternately(rounds, ours, peer)
    table.add(
        f"import of a {minutes}-minute MP3, everything included", f"{mine:.2f} s",
        f"ffmpeg, FLAC segments only: {theirs:.2f} s", f"{mine / theirs:.2f}", "≤ 1.15")
    table.add(
        f"memory for importing a {minutes}-minute MP3, the program itself",
        f"{max(child.own_megabytes for child in children):.0f} MB", "", "",
        "the same for 4 and 60 minutes")
    table.add(
        f"memory for importing a {minutes}-minute MP3, ffmpeg and its sandbox together",
        f"{max(child.children_megabytes for child in children):.0f} MB", "", "",
        "the same for 4 and 60 minutes")


def measure_peaks(folder, table, mp3, minutes, rounds):
    mine, theirs = alternately(
        rounds,
        lambda: Child([PROGRAM, "peaks", mp3, "-o", folder / "peaks.dat", "--force"]).seconds,
        lambda: Child([*FFMPEG, "-i", mp3, "-f", "null", "-"]).seconds)
    table.add(
        f"peaks of a {minutes}-minute MP3", f"{mine:.2f} s",
        f"ffmpeg, decoding only: {theirs:.2f} s", f"{mine / theirs:.2f}", "≤ 1.3")
