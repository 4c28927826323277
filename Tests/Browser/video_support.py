"""Videos for the browser tests: made by ffmpeg, kept for the session, brought in by the interface."""

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
    """A film with a running clock of test pattern and a tone; `noise` makes its file large."""
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
    """Edits a record as another device would, later than whatever the page has written."""
    change = {
        "id": str(uuid.uuid4()), "type": kind, "record": record, "fields": fields,
        "at": f"{int(time.time() * 1000) + 2_000:013d}-0000-0000beef"}
    status, content = server.request("POST", "/api/sync", {"since": 0, "changes": [change]})
    assert status == 200 and json.loads(content)["rejected"] == [], content


@contextlib.contextmanager
def first_part_open(chromium, server, window=None, script="", **alignments):
    """A page with the only routine open; what it searches for is answered as `answer_alignments` says."""
    with first_screen(chromium, server, script=script, **(window or DESKTOP)) as page:
        if alignments:
            answer_alignments(page, **alignments)
        open_card(page)
        yield page


def choose_file(page, path):
    """Brings a video in by the sheet."""
    page.get_by_test_id("pick-video").wait_for()
    page.get_by_test_id("video-file").set_input_files(str(path))


def add_video(page, path):
    """Links a video to the part that is shown, and waits until it can be played."""
    page.get_by_test_id("action-video").click()
    choose_file(page, path)
    ready(page)


def open_video(page):
    """Shows the video that the part has."""
    page.get_by_test_id("action-video").click()
    ready(page)


def ready(page):
    expect(page.get_by_test_id("video")).to_have_attribute("data-state", "ready", timeout=60_000)
    page.wait_for_function(
        "() => document.querySelector('[data-testid=video] [data-role=shown]')?.readyState >= 2", timeout=30_000)


def answer_alignments(page, offset=None, certain=True, sentence=None):
    """Answers the search for the offset; without a page of its own each test would wait for the server's."""
    def answer(route):
        if sentence is not None:
            route.fulfill(status=409, json={"title": "Conflict", "detail": sentence})
        else:
            route.fulfill(status=200, json={"offset": offset, "confidence": 9.0, "isCertain": certain})
    page.route("**/api/videos/*/alignment*", answer)


def hold_alignments(page):
    """Lets the searches for the offset wait; gives the function that answers the one that waits longest."""
    waiting = []
    page.route("**/api/videos/*/alignment*", lambda route: waiting.append(route))

    def answer(offset, certain):
        with page.expect_response("**/api/videos/*/alignment*"):
            waiting.pop(0).fulfill(
                status=200, json={"offset": offset, "confidence": 9.0, "isCertain": certain})
        # The page has drawn what it makes of it.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return answer


def shown(page, what):
    """Reads a property of the player that is seen."""
    return page.evaluate(
        f"() => document.querySelector('[data-testid=video] [data-role=shown]').{what}")


def box(page):
    return page.get_by_test_id("video").bounding_box()


def controls(page):
    """Lets the buttons of the video appear."""
    page.get_by_test_id("video").focus()
    page.keyboard.press("Shift")
    expect(page.get_by_test_id("video")).to_have_attribute("data-controls", "shown")
