"""A part's video: linking, playing, dragging, mirroring, unlinking, deleting, and errors."""

import base64
import os
import re
import signal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from prepared import filmed, songs
from studio import DESKTOP, PHONE, drop_files, eventually, open_card, resting_box, song
from test_video_conversion import descendants
from video_support import (
    add_video, answer_alignments, box, choose_file, controls, edit, first_part, first_part_open,
    open_video, part_of, ready, shown, video_file)

#: A video that is too large to be loaded completely at once.
LARGE = {"size": "640x360", "noise": True}


@pytest.fixture
def two_parts(begin_with):
    """A routine whose first part has a video, without an offset."""
    begin_with(filmed, video_file(), None, ("One", 12), ("Two", 13))


@pytest.fixture
def studio(two_parts, chromium, server):
    """The part with the video on a desktop page."""
    with first_part_open(chromium, server, sentence="This video has no sound.") as page:
        open_video(page)
        yield page


@pytest.fixture
def one_part(begin_with):
    begin_with(songs, ("One", 12))


@pytest.fixture
def plain(one_part, chromium, server):
    """A part without a video."""
    with first_part_open(chromium, server, offset=0) as page:
        yield page


@pytest.fixture
def in_step(begin_with):
    """A part whose video begins at the part's start."""
    begin_with(filmed, video_file(), 0, ("One", 12))


@pytest.fixture
def phone_page(in_step, chromium, server):
    """That part on a phone."""
    with first_part_open(chromium, server, PHONE) as page:
        open_video(page)
        yield page


def expect_shown(page, what, value):
    """Waits until a property of the shown `<video>` element has this value."""
    assert eventually(lambda: shown(page, what), lambda seen: seen == value) == value


def violations(page):
    # Elements that are fading in have too little contrast.
    page.wait_for_function(
        "() => document.getAnimations().every((each) => each.playState !== 'running')")
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in results.response["violations"] for node in each["nodes"]]


def test_a_video_is_linked_played_and_hidden(plain, server):
    page = plain
    answer_alignments(page, sentence="This video has no sound.")
    add_video(page, video_file())
    # The panel opens automatically if the music was not found.
    page.get_by_test_id("offset-cancel").click()
    expect(page.get_by_test_id("offset-panel")).to_be_hidden()
    part = first_part(server)
    video = server.records("video")[0]
    assert part["video"] == video["id"] and video["state"] == "ready"
    controls(page)
    page.get_by_test_id("video-play").click()
    page.wait_for_function(
        "() => document.querySelector('[data-testid=video] [data-role=shown]').currentTime > 0.3")
    # On a busy machine the buttons can be hidden again by now.
    controls(page)
    page.get_by_test_id("video-play").click()
    expect_shown(page, "paused", True)
    before = shown(page, "currentTime")
    page.get_by_test_id("video-on").click()
    eventually(lambda: shown(page, "currentTime"), lambda at: at > before)
    assert abs(shown(page, "currentTime") - before) < 0.07
    page.get_by_test_id("video-close").click()
    expect(page.get_by_test_id("video")).to_have_count(0)
    page.get_by_test_id("action-video").click()
    expect(page.get_by_test_id("video")).to_be_visible()
    page.keyboard.press("v")
    expect(page.get_by_test_id("video")).to_have_count(0)


def test_a_video_that_does_not_follow_has_its_own_speed_loop_and_sound(studio):
    page = studio
    controls(page)
    for _ in range(8):
        page.keyboard.press("+")
    controls(page)
    page.get_by_test_id("video-speed").select_option("0.5")
    expect_shown(page, "playbackRate", 0.5)
    page.get_by_test_id("video-loop").click()
    expect_shown(page, "loop", True)
    expect_shown(page, "muted", False)
    page.get_by_test_id("video-sound").click()
    expect_shown(page, "muted", True)
    page.get_by_test_id("video-sound").click()
    page.get_by_test_id("video-play").click()
    page.get_by_test_id("play").click()
    # The part and the video never sound at the same time.
    expect_shown(page, "paused", True)


def test_mirroring_is_stored_for_the_part_and_affects_only_the_picture(studio, server):
    page = studio
    controls(page)
    page.get_by_test_id("video-mirror").click()
    eventually(lambda: first_part(server).get("videoMirrored"), lambda mirrored: mirrored == 1)
    transform = "el => new DOMMatrix(getComputedStyle(el).transform).a"
    assert page.locator("[data-testid=video] [data-role=shown]").evaluate(transform) == -1
    assert page.locator("[data-testid=video] .video-controls").evaluate(transform) == 1
    page.reload()
    ready(page)
    assert page.locator("[data-testid=video] [data-role=shown]").evaluate(transform) == -1


CORNERS = [(-3000, -3000), (3000, -3000), (3000, 3000), (-3000, 3000)]


def is_in_place(page):
    """Whether the video is inside the window and off the audio player."""
    frame, player = box(page), page.get_by_test_id("player").bounding_box()
    size = page.viewport_size
    return (
        frame["x"] >= -0.5 and frame["y"] >= -0.5 and frame["x"] + frame["width"] <= size["width"] + 0.5
        and frame["y"] + frame["height"] <= player["y"] + 0.5)


def expect_in_corner(page, dx, dy):
    """Waits until the video is in the corner towards which it was dragged."""
    def look():
        frame, width = box(page), page.viewport_size["width"]
        floor = page.get_by_test_id("player").bounding_box()["y"]
        middle = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
        return is_in_place(page), middle[0] > width / 2, middle[1] > floor / 2
    wanted = True, dx > 0, dy > 0
    assert eventually(look, lambda seen: seen == wanted) == wanted, (dx, dy, box(page))


def test_the_video_is_dragged_by_mouse_to_and_past_every_corner(studio):
    page = studio
    for dx, dy in CORNERS:
        frame = resting_box(page.get_by_test_id("video"))
        # Drags the picture, because the buttons and messages are below it.
        x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 4
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx / 10, y + dy / 10, steps=3)
        page.mouse.move(x + dx, y + dy, steps=3)
        page.mouse.up()
        expect_in_corner(page, dx, dy)


def touch_drag(page, dx, dy):
    """Drags with touch events of the browser."""
    frame = resting_box(page.get_by_test_id("video"))
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 6):
        session.send("Input.dispatchTouchEvent", {
            "type": "touchMove", "touchPoints": [{"x": x + dx * step / 5, "y": y + dy * step / 5}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_the_video_is_dragged_by_touch_past_every_corner_and_its_position_is_stored(phone_page):
    page = phone_page
    for dx, dy in CORNERS:
        touch_drag(page, dx, dy)
        expect_in_corner(page, dx, dy)
    before = box(page)
    page.reload()
    ready(page)
    after = eventually(
        lambda: box(page), lambda now: abs(before["x"] - now["x"]) < 1 and abs(before["y"] - now["y"]) < 1)
    assert abs(before["x"] - after["x"]) < 1 and abs(before["y"] - after["y"]) < 1
    page.set_viewport_size({"width": 844, "height": 390})
    eventually(lambda: is_in_place(page), bool)
    assert is_in_place(page), "also when the phone is turned"
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_test_id("player-expand").click()
    expect(page.get_by_test_id("player")).to_have_attribute("data-mode", "expanded")
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    eventually(lambda: is_in_place(page), bool)
    assert is_in_place(page), "also above the large player"


def test_the_video_is_moved_by_keys_and_resized_by_keys_and_by_its_corner(studio):
    page = studio
    frame = page.get_by_test_id("video")
    frame.focus()
    start = box(page)
    page.keyboard.press("ArrowLeft")
    assert abs(start["x"] - box(page)["x"] - 16) < 1
    page.keyboard.press("Shift+ArrowDown")
    assert abs(box(page)["y"] - start["y"] - 96) < 1
    page.keyboard.press("+")
    larger = box(page)
    assert larger["width"] > start["width"] * 1.1
    assert abs(larger["width"] / larger["height"] - start["width"] / start["height"]) < 0.02
    page.keyboard.press("-")
    assert abs(box(page)["width"] - start["width"]) < 2
    page.keyboard.press("Shift+ArrowLeft")
    corner = resting_box(page.get_by_test_id("video-corner"))
    page.mouse.move(corner["x"] + 30, corner["y"] + 30)
    page.mouse.down()
    page.mouse.move(corner["x"] + 110, corner["y"] + 80, steps=4)
    page.mouse.up()
    assert eventually(lambda: box(page)["width"] > start["width"] + 60, bool)
    assert is_in_place(page)
    expect(page.get_by_test_id("speed-dial")).to_contain_text("100%")


def test_the_buttons_hide_during_playback_unless_they_have_the_focus(studio):
    page = studio
    frame = page.get_by_test_id("video")
    controls(page)
    page.get_by_test_id("video-play").click()
    page.mouse.move(5, 400)
    page.evaluate("() => document.activeElement.blur()")
    expect(frame).to_have_attribute("data-controls", "hidden")
    page.keyboard.press("Tab")
    frame.focus()
    expect(frame).to_have_attribute("data-controls", "shown")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=video] [data-role=shown]').currentTime > 6")
    expect(frame).to_have_attribute("data-controls", "shown")


def test_the_video_fills_the_screen_with_or_without_the_fullscreen_api(studio):
    page = studio
    controls(page)
    page.get_by_test_id("video-full").click()
    page.wait_for_function("() => document.fullscreenElement?.dataset.testid === 'video'")
    page.get_by_test_id("video-full").click()
    page.wait_for_function("() => document.fullscreenElement === null")
    page.evaluate(
        "() => { document.querySelector('[data-testid=video]').requestFullscreen = undefined; }")
    controls(page)
    page.get_by_test_id("video-full").click()
    eventually(lambda: box(page), lambda frame: frame["width"] == 1280)
    assert box(page) == {"x": 0, "y": 0, "width": 1280, "height": 800}
    page.keyboard.press("Escape")
    eventually(lambda: box(page), lambda frame: frame["width"] < 1280)
    assert is_in_place(page)


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_video_leaves_the_head_of_the_page_free(in_step, chromium, server, window):
    with first_part_open(chromium, server, window) as page:
        open_video(page)
        head = page.locator(".practice-head").bounding_box()
        bottom = head["y"] + head["height"]
        assert box(page)["y"] >= bottom, "when it opens"
        page.get_by_test_id("video").focus()
        for _ in range(12):
            page.keyboard.press("Shift+ArrowUp")
        eventually(lambda: box(page)["y"], lambda top: top <= bottom + 9)
        assert box(page)["y"] >= bottom, "when it is moved up"
        page.get_by_test_id("jump-button").click()
        expect(page.get_by_test_id("jump-to")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)])
def test_full_screen_has_the_buttons_of_the_music(in_step, chromium, server, size):
    width, height = size
    with first_part_open(
            chromium, server, {"viewport": {"width": width, "height": height}, "has_touch": width < 1000}) as page:
        open_video(page)
        expect(page.get_by_test_id("video")).to_have_attribute("data-following", "true")
        expect(page.get_by_test_id("video-transport")).to_have_count(0)
        controls(page)
        page.get_by_test_id("video-full").click()
        music = page.get_by_test_id("video-transport")
        for name in ("section", "seek-back", "play", "seek-forward", "video-slower", "video-faster"):
            expect(music.get_by_test_id(name)).to_be_in_viewport(ratio=1)
        music.get_by_test_id("seek-forward").click()
        music.get_by_test_id("section").click()
        expect(music.get_by_test_id("section")).to_have_attribute("data-step", "setB")
        music.get_by_test_id("seek-forward").click()
        music.get_by_test_id("section").click()
        expect(music.get_by_test_id("section")).to_have_attribute("aria-pressed", "true")
        for percent in (95, 90):
            music.get_by_test_id("video-slower").click()
            expect(music.get_by_test_id("video-music-speed")).to_have_text(f"{percent}%")
        music.get_by_test_id("play").click()
        expect(music.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        eventually(lambda: first_part(server).get("rate"), lambda rate: rate == 0.9)
        assert first_part(server)["loopMode"] == "section"


def test_unlinking_removes_the_video_from_this_part_only_and_can_be_undone(studio, server):
    page = studio
    page.keyboard.press("PageDown")
    expect(page.get_by_test_id("jump-button")).to_contain_text("2. Two")
    page.get_by_test_id("action-video").click()
    expect(page.get_by_test_id("video-choice")).to_contain_text("One")
    page.get_by_test_id("video-choice").click()
    ready(page)
    assert len(server.records("video")) == 1
    eventually(lambda: part_of(server, "Two").get("video"), bool)
    page.get_by_test_id("action-video").click(button="right")
    page.get_by_test_id("video-unlink").click()
    expect(page.get_by_test_id("video")).to_have_count(0)
    eventually(lambda: part_of(server, "Two").get("video"), lambda video: video is None)
    assert first_part(server)["video"] is not None
    page.get_by_test_id("toast-action").last.click()
    ready(page)
    eventually(lambda: part_of(server, "Two").get("video"), lambda video: video is not None)


def test_holding_the_button_opens_its_menu_by_touch_and_by_key(studio):
    page = studio
    button = page.get_by_test_id("action-video")
    place = resting_box(button)
    page.mouse.move(place["x"] + 20, place["y"] + 20)
    page.mouse.down()
    expect(page.get_by_test_id("video-replace")).to_be_visible()
    page.mouse.up()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("video-replace")).to_be_hidden()
    page.get_by_test_id("video").focus()
    page.keyboard.press("Shift+F10")
    expect(page.get_by_test_id("video-unlink")).to_be_visible()


@pytest.mark.moving("the pager's slide")
def test_the_videos_menus_close_when_the_page_turns(studio, server):
    page = studio
    video = first_part(server)["video"]
    edit(server, "part", part_of(server, "Two")["id"], {"video": video})
    turns = [("action-video", "PageDown", "Two"), ("video", "PageUp", "One")]
    for opener, key, title in turns:
        page.get_by_test_id(opener).click(button="right")
        expect(page.get_by_test_id("video-unlink")).to_be_visible()
        # Turns the page outside the menu, as a remote or a run does.
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        expect(page.get_by_test_id("jump-button")).to_contain_text(title)
        expect(page.get_by_test_id("video-unlink")).to_have_count(0)
    ready(page)


def test_undo_restores_a_replaced_video(studio, server):
    page = studio
    before = first_part(server)["video"]
    page.get_by_test_id("action-video").click(button="right")
    page.get_by_test_id("video-replace").click()
    choose_file(page, video_file(seconds=5, sound=False))
    eventually(lambda: first_part(server)["video"], lambda video: video != before, 60)
    page.get_by_test_id("toast-action").last.click()
    eventually(lambda: first_part(server)["video"], lambda video: video == before)
    assert first_part(server)["video"] == before


def test_deleting_a_video_in_the_media_library_unlinks_it_everywhere_and_can_be_undone(studio, server):
    page = studio
    video = first_part(server)["video"]
    page.goto(f"{server.origin}/settings")
    expect(page.get_by_test_id("room-media")).to_have_text(re.compile(r"3$"))
    page.get_by_test_id("room-media").click()
    row = page.get_by_test_id("video-row")
    expect(row).to_contain_text("In Swan, 1 part")
    expect(row).to_contain_text(re.compile(r"0:12.* · \d"))
    expect(page.get_by_test_id("media-total")).to_contain_text("2 tracks and 1 video")
    page.get_by_test_id("video-row-menu").click()
    page.get_by_test_id("video-rename").click()
    page.get_by_test_id("track-title").fill("Friday’s run")
    page.get_by_test_id("rename-done").click()
    expect(row).to_contain_text("Friday’s run")
    page.get_by_test_id("video-row-menu").click()
    with page.expect_download() as download:
        page.get_by_test_id("video-download").click()
    assert open(download.value.path(), "rb").read() == video_file().read_bytes()
    page.get_by_test_id("video-row-menu").click()
    page.get_by_test_id("video-delete").click()
    expect(page.get_by_test_id("confirm")).to_contain_text("unlinked from 1 part")
    page.get_by_test_id("confirm-action").click()
    expect(row).to_have_count(0)
    eventually(lambda: first_part(server).get("video"), lambda linked: linked is None)
    page.get_by_test_id("toast-action").last.click()
    expect(row).to_have_count(1)
    eventually(lambda: first_part(server).get("video"), lambda linked: linked == video)


def test_a_video_deleted_elsewhere_shows_a_message_and_can_be_unlinked(studio, server):
    page = studio
    edit(server, "video", first_part(server)["video"], {"deletedAt": 1})
    expect(page.get_by_test_id("video")).to_have_attribute("data-state", "missing")
    expect(page.get_by_test_id("video-notice")).to_contain_text("no longer in the library")
    page.get_by_test_id("notice-unlink").click()
    eventually(lambda: first_part(server).get("video"), lambda video: video is None)
    expect(page.get_by_test_id("action-video")).to_have_attribute("aria-label", "Add a video")


def test_a_file_that_is_no_video_shows_the_reason_and_can_be_removed(plain, server, tmp_path):
    page = plain
    broken = tmp_path / "run.mp4"
    broken.write_bytes(b"This is no film at all. " * 400)
    page.get_by_test_id("action-video").click()
    choose_file(page, broken)
    notice = page.get_by_test_id("video-notice")
    expect(notice).to_have_attribute("role", "alert", timeout=30_000)
    assert len(notice.inner_text()) > 20
    page.locator("[data-testid=notice-unlink], [data-testid=notice-cancel]").first.click()
    expect(page.get_by_test_id("action-video")).to_have_attribute("aria-label", "Add a video")
    assert eventually(lambda: first_part(server).get("video"), lambda video: video is None) is None


def hold_conversion(server):
    """Stops the ffmpeg process of a conversion; returns whether there was one."""
    for (process, _), command in descendants(server.process.pid).items():
        # The sandbox process has the same arguments after its own.
        if command.split(" ")[0].endswith("ffmpeg") and "video.mp4" in command:
            os.kill(process, signal.SIGSTOP)
            return True
    return False


def test_a_conversion_can_be_cancelled_after_a_reload(plain, server):
    page = plain
    page.get_by_test_id("action-video").click()
    choose_file(page, video_file(seconds=30, size="960x540", encoder="mpeg4"))
    # The conversion must not finish before it is cancelled.
    eventually(lambda: hold_conversion(server), bool, 60)
    expect(page.get_by_test_id("video-notice")).to_contain_text("Preparing", timeout=30_000)
    eventually(lambda: first_part(server).get("video"), bool)
    page.reload()
    page.get_by_test_id("notice-cancel").click()
    expect(page.get_by_test_id("action-video")).to_have_attribute("aria-label", "Add a video")
    assert eventually(lambda: server.records("video"), lambda videos: not videos) == []
    assert eventually(lambda: first_part(server).get("video"), lambda video: video is None) is None


def test_without_the_server_the_video_shows_a_message_and_recovers(studio):
    page = studio
    page.route("**/api/videos/*/file", lambda route: route.abort())
    page.reload()
    expect(page.get_by_test_id("video-notice")).to_contain_text("can’t be loaded")
    page.unroute("**/api/videos/*/file")
    page.get_by_test_id("notice-retry").click()
    ready(page)
    expect(page.get_by_test_id("video-notice")).to_have_count(0)


@pytest.fixture
def large(begin_with):
    begin_with(filmed, video_file(**LARGE), 0, ("One", 12))


def test_a_server_failure_while_loading_is_not_reported_as_unplayable(large, desktop):
    page = desktop
    open_card(page)
    open_video(page)
    content = video_file(**LARGE).read_bytes()
    broken, asked = [], []

    def break_off(route):
        """Answers with the beginning of the file, and then with errors until the page checks the reason."""
        wanted = route.request.headers.get("range", "bytes=0-")
        if wanted == "bytes=0-0":
            asked.append(wanted)
        if asked:
            route.continue_()
        elif wanted == "bytes=0-":
            route.fulfill(status=206, body=content[:200_000], headers={
                "Content-Type": "video/mp4", "Accept-Ranges": "bytes",
                "Content-Range": f"bytes 0-199999/{len(content)}"})
        else:
            broken.append(wanted)
            # A proxy without its server answers like this. Chromium repeats an aborted request for a minute.
            route.fulfill(status=502)

    page.route("**/api/videos/*/file", break_off)
    page.reload()
    page.wait_for_function(
        "() => { const shown = document.querySelector('[data-testid=video] [data-role=shown]');"
        " return shown?.readyState >= 2; }", timeout=30_000)
    assert broken and asked
    expect(page.get_by_test_id("video-notice")).to_have_count(0)


@pytest.fixture
def long_film(begin_with):
    film = video_file(seconds=45, rate=10, **LARGE)
    begin_with(filmed, film, 0, ("One", 40))
    return film


def test_seeking_in_a_large_video_does_not_load_the_whole_file(long_film, desktop):
    page = desktop
    # Otherwise the practised video would be fetched completely for the cache.
    page.evaluate("() => localStorage.setItem('segmance.recentBytes', '0')")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    loaded = []
    addresses = {}
    session.on("Network.requestWillBeSent", lambda event: addresses.update(
        {event["requestId"]: event["request"]["url"]}))
    session.on("Network.dataReceived", lambda event: loaded.append(event["dataLength"])
               if addresses.get(event["requestId"], "").endswith("/file") else None)
    open_card(page)
    open_video(page)
    scrubber = page.get_by_test_id("scrubber")
    place = resting_box(scrubber)
    scrubber.click(position={"x": place["width"] * 0.9, "y": place["height"] / 2})
    page.wait_for_function(
        "() => { const shown = document.querySelector('[data-testid=video] [data-role=shown]');"
        " return shown.currentTime > 30 && !shown.seeking && shown.readyState >= 2; }", timeout=30_000)
    total = long_film.stat().st_size
    print(f"loaded {sum(loaded) / 1e6:.1f} MB of {total / 1e6:.1f} MB")
    assert 0 < sum(loaded) < total * 0.6


def test_a_dropped_video_is_linked_to_the_part(plain, server):
    page = plain
    page.evaluate(
        """async (bytes) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([Uint8Array.from(atob(bytes), (l) => l.charCodeAt(0))], 'run.mp4', { type: 'video/mp4' }));
          for (const type of ['dragenter', 'dragover', 'drop']) {
            document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
          }
        }""", base64.b64encode(video_file(seconds=5).read_bytes()).decode())
    ready(page)
    assert eventually(lambda: first_part(server)["video"], bool)


def test_a_song_dropped_on_the_video_sheet_is_refused(plain, server):
    page = plain
    page.get_by_test_id("action-video").click()
    expect(page.get_by_test_id("pick-video")).to_be_visible()
    drop_files(page, [("Two.wav", song(2))])
    expect(page.get_by_test_id("toast")).to_contain_text("This is a song.")
    assert server.records("video") == []


def test_axe_finds_no_violation_on_the_video_its_sheet_and_its_panel(studio):
    page = studio
    controls(page)
    assert violations(page) == []
    page.get_by_test_id("video-menu").click()
    assert violations(page) == []
    page.get_by_test_id("video-set-offset").click()
    expect(page.get_by_test_id("offset-panel")).to_be_visible()
    assert violations(page) == []
    page.get_by_test_id("offset-cancel").click()
    page.get_by_test_id("action-video").click(button="right")
    page.get_by_test_id("video-replace").click()
    page.get_by_test_id("pick-video").wait_for()
    assert violations(page) == []
