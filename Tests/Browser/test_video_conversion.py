"""Converting a video: progress, cancelling, and continuing after a crash."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

import pytest

from studio import Server, eventually


def moving_pictures(folder, seconds, size):
    """Returns the bytes of a video that must be converted."""
    path = folder / "film.avi"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30:d={seconds}",
         "-f", "lavfi", "-i", f"sine=d={seconds}", "-c:v", "mpeg4", "-q:v", "8", "-c:a", "mp2", path],
        check=True)
    return path.read_bytes()


@pytest.fixture(scope="session")
def film(tmp_path_factory):
    """A video whose conversion takes long enough to be interrupted."""
    return moving_pictures(tmp_path_factory.mktemp("films"), 20, "960x540")


@pytest.fixture(scope="session")
def short_film(tmp_path_factory):
    """A video whose conversion is short."""
    return moving_pictures(tmp_path_factory.mktemp("films"), 2, "320x180")


def add_video(server, content):
    """Uploads a video and returns its id and the id of its job."""
    status, body = server.request("POST", "/api/videos", {"upload": server.upload(content, "film.avi")})
    assert status == 202, body
    added = json.loads(body)
    return added["id"], added["job"]


def job(server, name):
    return json.loads(server.request("GET", f"/api/jobs/{name}")[1])


def wait_until_moving(server, name):
    """Waits until a job has made progress, and returns all child processes of the server."""
    state = eventually(lambda: job(server, name), lambda job: job["progress"] > 0.03, 60)
    assert state["state"] == "running" and state["progress"] < 0.9, state
    programs = descendants(server.process.pid)
    assert any("ffmpeg" in command for command in programs.values()), programs
    return programs


def descendants(process):
    """Returns the descendants of a process: (id, start time) to command."""
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # The name is in parentheses and can contain any character.
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents.setdefault(int(fields[1]), []).append((int(entry.name), fields[19], command))
    found = {}
    waiting = [process]
    while waiting:
        for child, start, command in parents.get(waiting.pop(), []):
            found[child, start] = command
            waiting.append(child)
    return found


def alive(programs):
    """Returns the programs that still run."""
    running = {}
    for (process, start), command in programs.items():
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if fields[19] == start and fields[0] != "Z":
            running[process] = command
    return running


def files(folder):
    # A folder can disappear during the walk, for which Path.rglob would raise.
    return [pathlib.Path(place, name) for place, _, names in os.walk(folder) for name in names]


def test_the_progress_increases_during_a_conversion(server, film):
    _, name = add_video(server, film)
    seen = []

    def look():
        state = job(server, name)
        if not seen or seen[-1] != state["progress"]:
            seen.append(state["progress"])
        return state["state"]

    assert eventually(look, lambda state: state in ("done", "failed"), 240) == "done"
    assert seen == sorted(seen)
    assert len(seen) > 5
    video, = server.records("video")
    assert video["state"] == "ready" and video["plays"] == "conversion"
    assert (video["width"], video["height"], video["framesPerSecond"]) == (960, 540, 30)


def test_a_cancelled_conversion_ends_its_processes_and_leaves_no_file(server, film):
    video, name = add_video(server, film)
    programs = wait_until_moving(server, name)
    status, _ = server.request("DELETE", f"/api/jobs/{name}")
    assert status == 202
    assert eventually(lambda: job(server, name)["state"], lambda state: state != "running") \
        == "cancelled"
    assert eventually(lambda: alive(programs), lambda left: left == {}) == {}
    for folder in ("tmp", "blobs", "derived"):
        assert eventually(lambda: files(server.folder / folder), lambda left: left == []) == []
    assert server.records("video") == []
    assert server.request("GET", f"/api/videos/{video}/file")[0] == 404


def test_deleting_a_video_ends_its_conversion(server, film):
    video, name = add_video(server, film)
    programs = wait_until_moving(server, name)
    assert server.request("DELETE", f"/api/videos/{video}")[0] == 204
    assert eventually(lambda: alive(programs), lambda left: left == {}) == {}
    for folder in ("tmp", "blobs", "derived"):
        assert eventually(lambda: files(server.folder / folder), lambda left: left == []) == []


def test_killing_the_server_ends_ffmpeg_and_the_conversion_continues_after_a_start(server, film):
    video, name = add_video(server, film)
    programs = wait_until_moving(server, name)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    assert eventually(lambda: alive(programs), lambda left: left == {}) == {}
    with Server(server.folder) as again:
        state = eventually(
            lambda: job(again, name)["state"], lambda state: state in ("done", "failed"), 240)
        assert state == "done"
        assert again.records("video")[0]["state"] == "ready"
        status, content = again.request("GET", f"/api/videos/{video}/file")
        assert status == 200 and content[4:8] == b"ftyp"
        assert eventually(lambda: files(again.folder / "tmp"), lambda left: left == []) == []


@pytest.fixture(scope="module")
def sleep(tmp_path_factory):
    """The library that simulates sleep for the server, built from sleep.c."""
    library = tmp_path_factory.mktemp("sleep") / "sleep.so"
    clang = pathlib.Path(shutil.which("swift")).resolve().with_name("clang")
    subprocess.run(
        [clang, "-shared", "-fPIC", "-o", library, pathlib.Path(__file__).with_name("sleep.c")],
        check=True)
    return library


def sleeping(sleep, before_ffmpeg):
    """Returns the command prefix of a server for which sleep is simulated around a shell command."""
    return ["env", f"LD_PRELOAD={sleep}", f"BEFORE_FFMPEG={before_ffmpeg}"]


def test_a_sleep_during_a_conversion_does_not_fail_it(sleep, short_film, tmp_path):
    report = "echo out_time_us=0"
    with Server(tmp_path, before=sleeping(sleep, f'{report}; sleep 0.6; {report}; exec "$@"')) as it:
        _, name = add_video(it, short_film)
        ended = eventually(lambda: job(it, name), lambda job: job["state"] in ("done", "failed"), 240)
        assert ended["state"] == "done", ended


def test_a_program_killed_after_a_sleep_is_not_reported_as_too_slow(sleep, short_film, tmp_path):
    with Server(tmp_path, before=sleeping(sleep, "sleep 1; kill -9 $$")) as it:
        _, name = add_video(it, short_film)
        waiting = eventually(lambda: job(it, name), lambda job: job.get("message"), 60)
        assert waiting["state"] == "queued", waiting
        assert "probably for want of memory" in waiting["message"]
