"""Prepared libraries. Each is made once per test run, and every test gets a copy."""

import contextlib
import shutil
import sqlite3
import subprocess

import pytest
from studio import PROGRAM, RATE, Server, eventually, new_database, song
from test_moves import change, write


class PreparedLibraries:
    """The prepared libraries, cached by the function that makes them and its arguments."""

    def __init__(self, folder):
        self.folder = folder
        self.made = {}

    def copy(self, make, *arguments, to):
        """Copies a library to `to`, and makes it first if necessary."""
        if (make, arguments) not in self.made:
            library = self.folder / f"{make.__name__}-{len(self.made)}"
            with Server(library, is_embedded=True) as server:
                server.skip_welcome()
                make(server, *arguments)
                eventually(lambda: unfinished_jobs(library), lambda count: count == 0, 90)
            self.made[make, arguments] = library
        shutil.copytree(self.made[make, arguments], to)
        if address := new_database():
            subprocess.run([PROGRAM, "migrate", "--to", address, "--data", to], check=True, stdout=subprocess.DEVNULL)


def unfinished_jobs(library):
    with contextlib.closing(sqlite3.connect(library / "segmance.sqlite")) as database:
        [[count]] = database.execute("SELECT count(*) FROM job WHERE state IN ('queued', 'running')")
    return count


def one_song(server, seconds=24):
    """The song "Swan", in no routine."""
    server.add("track", "Swan.wav", song(seconds))


def songs(server, *parts):
    """The routine "Swan" with one part per song, given as (title, seconds); returns the parts' ids."""
    [routine] = write(server, [("routine", {"title": "Swan"})])
    tracks = [
        server.add("track", f"{title}.wav", song(seconds, seed))
        for seed, (title, seconds) in enumerate(parts)]
    return write(server, [
        ("part", {"routine": routine, "title": title, "position": f"{at + 10}V", "track": track["id"],
                  "startFrame": 0, "endFrame": seconds * RATE})
        for at, ((title, seconds), track) in enumerate(zip(parts, tracks))])


def has_parts(*parts):
    """Sets the parts, as (title, seconds), of the routine in the fixture `parts`."""
    return pytest.mark.parametrize("parts", [parts], ids=[""], indirect=True)


def filmed(server, film, offset, *parts):
    """The routine of `songs`, whose first part has a video with the given offset or without one."""
    first, *_ = songs(server, *parts)
    video = server.add("video", film.name, film.read_bytes())
    change(server, "part", first, {"video": video["id"], "videoOffset": offset})


def sample(server):
    """The sample routine."""
    assert server.request("POST", "/api/sample")[0] == 202
    eventually(lambda: server.records("track"), lambda tracks: tracks[0]["state"] == "ready", 60)
