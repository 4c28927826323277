"""Videos for the browser tests, made by ffmpeg once per session, and actions with the video panel."""

import contextlib
import functools
import json
import subprocess
import tempfile
import pathlib
import time
import uuid

from playwright.sync_api import expect
from studio import DESKTOP, first_screen, open_card

FRAMES = 48_000
_folder = pathlib.Path(tempfile.mkdtemp(prefix="segmance-videos-"))


@functools.cache
def video_file(seconds=12, size="320x180", rate=30, noise=False, sound=True, encoder="libx264"):
    """Makes a video with a test pattern and a tone; `noise` makes the file large."""
    path = _folder / f"{seconds}-{size}-{rate}-{noise}-{sound}-{encoder}.mp4"
    picture = f"testsrc2=size={size}:rate={rate}:duration={seconds}"
    command = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", picture]
    if sound:
        command += ["-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}:sample_rate=48000"]
    if noise:
        command += ["-vf", "noise=alls=100:allf=t+u", "-b:v", "16M", "-maxrate", "16M", "-bufsize", "8M"]
    command += [
        "-c:v", encoder, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", str(rate * 2),
        *(["-c:a", "aac"] if sound else []), "-movflags", "+faststart", str(path)]
    subprocess.run(command, check=True)
    return path


def first_part(server):
    return min(server.records("part"), key=lambda part: part["position"])


def part_of(server, title):
    return next(part for part in server.records("part") if part["title"] == title)


def edit(server, kind, record, fields):
    """Edits a record as another device, with a later time stamp than the page's own changes."""
    change = {
        "id": str(uuid.uuid4()), "type": kind, "record": record, "fields": fields,
        "at": f"{int(time.time() * 1000) + 2_000:013d}-0000-0000beef"}
    status, content = server.request("POST", "/api/sync", {"since": 0, "changes": [change]})
    assert status == 200 and json.loads(content)["rejected"] == [], content


@contextlib.contextmanager
def first_part_open(chromium, server, window=None, script="", **alignments):
    """A page with the only routine open; `alignments` are the arguments of `answer_alignments`."""
    with first_screen(chromium, server, script=script, **(window or DESKTOP)) as page:
        if alignments:
            answer_alignments(page, **alignments)
        open_card(page)
        yield page


def choose_file(page, path):
    """Picks a video file in the sheet."""
    page.get_by_test_id("pick-video").wait_for()
    page.get_by_test_id("video-file").set_input_files(str(path))


def add_video(page, path):
    """Links a video to the shown part, and waits until it can be played."""
    page.get_by_test_id("action-video").click()
    choose_file(page, path)
    ready(page)


def open_video(page):
    """Shows the part's video."""
    page.get_by_test_id("action-video").click()
    ready(page)


def ready(page):
    expect(page.get_by_test_id("video")).to_have_attribute("data-state", "ready", timeout=60_000)
    page.wait_for_function(
        "() => document.querySelector('[data-testid=video] [data-role=shown]')?.readyState >= 2", timeout=30_000)


def answer_alignments(page, offset=None, certain=True, sentence=None):
    """Answers alignment requests, so that the test does not wait for the server's alignment job."""
    def answer(route):
        if sentence is not None:
            route.fulfill(status=409, json={"title": "Conflict", "detail": sentence})
        else:
            route.fulfill(status=200, json={"offset": offset, "confidence": 9.0, "isCertain": certain})
    page.route("**/api/videos/*/alignment*", answer)


def hold_alignments(page):
    """Holds alignment requests back; returns a function that answers the oldest one."""
    waiting = []
    page.route("**/api/videos/*/alignment*", lambda route: waiting.append(route))

    def answer(offset, certain):
        with page.expect_response("**/api/videos/*/alignment*"):
            waiting.pop(0).fulfill(
                status=200, json={"offset": offset, "confidence": 9.0, "isCertain": certain})
        # Waits until the page has drawn the answer.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return answer


def shown(page, what):
    """Returns a property of the shown `<video>` element."""
    return page.evaluate(
        f"() => document.querySelector('[data-testid=video] [data-role=shown]').{what}")


def box(page):
    return page.get_by_test_id("video").bounding_box()


def controls(page):
    """Shows the video's buttons."""
    page.get_by_test_id("video").focus()
    page.keyboard.press("Shift")
    expect(page.get_by_test_id("video")).to_have_attribute("data-controls", "shown")
