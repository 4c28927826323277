"""Helpers for the tests of the stage: music with known samples, a server with it, and a page that
contains only a stage."""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess

import numpy
from studio import PROGRAM, RATE, ROOT, Server, wav_file

SECONDS = 120
FRAMES = SECONDS * RATE


@functools.cache
def music():
    """Two minutes of 16-bit stereo: a chord that decays each second, and noise in the right channel."""
    at = numpy.arange(FRAMES) / RATE
    chord = sum(numpy.sin(2 * numpy.pi * 110 * step * at) for step in (1, 1.26, 1.5, 2.01))
    swell = numpy.exp(-3 * (at % 1)) * (0.35 + 0.65 * (at % 20 > 8))
    noise = numpy.random.default_rng(5).integers(-900, 900, FRAMES)
    left = (chord * swell * 7_000).astype("<i2")
    return numpy.column_stack([left, (left + noise).astype("<i2")])


def bundle(folder):
    """Builds the page like the client, with the file names that the server serves."""
    folder.mkdir()
    subprocess.run(
        ["esbuild", str(ROOT / "Tests/Browser/stage/page.tsx"), "--bundle", "--jsx=automatic",
         '--define:process.env.NODE_ENV="production"', "--target=chrome100,safari15.4",
         f"--outfile={folder / 'app.js'}", "--log-level=warning"],
        check=True, env={**os.environ, "NODE_PATH": "/usr/share/nodejs"})
    shutil.copy(ROOT / "client/index.html", folder / "index.html")
    for name in ("icon.svg", "manifest.webmanifest"):
        shutil.copy(ROOT / "client/public" / name, folder / name)
    return folder


class StageServer(Server):
    """A server with the stage's page and one track."""

    def __init__(self, folder, song):
        library = folder / "library"
        subprocess.run(
            [str(PROGRAM), "import", str(song), "--routine", "Stage", "--data", str(library)],
            check=True, capture_output=True)
        self.folder = library
        self.process = subprocess.Popen(
            [str(PROGRAM), "serve", "--port", "0", "--data", str(library),
             "--client", str(bundle(folder / "client"))],
            stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)$", line).group(1))
        self.origin = f"http://localhost:{self.port}"
        (self.track,) = self.records("track")

    @property
    def page(self):
        """The address of the stage with the track."""
        return f"{self.origin}/?track={self.track['id']}&length={self.track['lengthFrames']}"


def song_file(folder):
    """Writes the music to a file; returns its path."""
    path = pathlib.Path(folder) / "stage.wav"
    path.write_bytes(wav_file(music()))
    return path


def told(page, kind):
    """Returns the arguments of the stage's callbacks of one kind, in order."""
    return [words[1:] for words in page.evaluate("window.stage.told") if words[0] == kind]


def shown(page):
    """Returns the first and last visible frame, and the frames per pixel."""
    data = page.get_by_test_id("stage").evaluate("(stage) => ({ ...stage.dataset })")
    return int(data["startFrame"]), int(data["endFrame"]), float(data["framesPerPixel"])


def set_scene(page, **change):
    page.evaluate("(change) => window.stage.set(change)", json.loads(json.dumps(change)))
