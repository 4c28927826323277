"""The clipper's stage: zooming, panning, selecting and following playback, by mouse, touch and keys."""

import base64
import contextlib

import numpy
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from stage.stage_support import FRAMES, StageServer, music, set_scene, shown, song_file, told
from studio import RATE, eventually
from test_moves import quick_attempts

# Records each drawing of the wave's canvas with the number of drawn columns.
COUNT_DRAWINGS = """
window.drawings = [];
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (x, y, width, height) {
  if (this.canvas.className === 'stage-canvas') {
    window.drawings.push({ columns: width, of: this.canvas.width });
  }
  return clear.call(this, x, y, width, height);
};
"""


@pytest.fixture(scope="module")
def stage_server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stage")
    with StageServer(folder, song_file(folder)) as server:
        yield server


@contextlib.contextmanager
def stage_in(chromium, server, **settings):
    """A page with the drawn stage. An error in the page fails the test."""
    context = chromium.new_context(**settings)
    page = context.new_page()
    page.add_init_script(COUNT_DRAWINGS)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server.page)
    drawn(page)
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def desktop_page(chromium, stage_server):
    with stage_in(chromium, stage_server, viewport={"width": 1280, "height": 800}) as page:
        yield page


@pytest.fixture
def phone_page(chromium, stage_server):
    with stage_in(
            chromium, stage_server, viewport={"width": 390, "height": 844}, has_touch=True,
            device_scale_factor=3, color_scheme="dark") as page:
        yield page


def drawn(page):
    """Waits until the wave is completely drawn."""
    page.get_by_test_id("stage").wait_for()
    pictures(page, 3)
    page.locator(".stage-wave[data-drawn=true]").wait_for()


def pictures(page, count):
    """Waits for `count` animation frames."""
    page.evaluate(
        """async (count) => {
          for (let n = 0; n < count; n += 1) await new Promise(requestAnimationFrame);
        }""", count)


def box(page, name="stage-wave"):
    return page.get_by_test_id(name).bounding_box()


def frame_at(page, x):
    """Returns the frame at an x position of the window."""
    start, _, scale = shown(page)
    return start + (x - box(page)["x"]) * scale


def place_of(page, frame):
    """Returns the x position of a frame in the window."""
    start, _, scale = shown(page)
    return box(page)["x"] + (frame - start) / scale


def zoom_to(page, start, end):
    page.evaluate("([start, end]) => window.stage.api().zoomTo(start, end)", [start, end])
    drawn(page)


def drag(page, start, end, steps=8):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=steps)
    page.mouse.up()


class Fingers:
    """Fingers on an emulated touch screen."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind, *points):
        """Sets the positions of the fingers; lifted fingers are omitted."""
        self.session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]})

    def slide(self, starts, ends, steps=10):
        """Moves every finger from its start to its end."""
        for step in range(1, steps + 1):
            self.touch("touchMove", *[
                (x + (to_x - x) * step / steps, y + (to_y - y) * step / steps)
                for (x, y), (to_x, to_y) in zip(starts, ends, strict=True)])
            pictures(self.page, 1)


def middle(page, across=0.5):
    """Returns a point on the wave between the rows of handles."""
    wave = box(page)
    return round(wave["x"] + wave["width"] * across), round(wave["y"] + wave["height"] * 0.6)


def test_the_wheel_zooms_about_the_pointer(desktop_page):
    x, y = middle(desktop_page, 0.7)
    desktop_page.mouse.move(x, y)
    before = frame_at(desktop_page, x)
    for notch in range(18):
        desktop_page.mouse.wheel(0, -240)
        pictures(desktop_page, 2)
        assert abs(frame_at(desktop_page, x) - before) <= 1.5 * max(1, shown(desktop_page)[2]), f"notch {notch}"
    assert shown(desktop_page)[2] < 1
    for _ in range(40):
        desktop_page.mouse.wheel(0, 240)
    pictures(desktop_page, 2)
    assert shown(desktop_page)[:2] == (0, FRAMES)


def test_the_wheel_pans_across_and_with_shift(desktop_page):
    zoom_to(desktop_page, 20 * RATE, 30 * RATE)
    desktop_page.mouse.move(*middle(desktop_page))
    start, _, scale = shown(desktop_page)
    desktop_page.mouse.wheel(100, 0)
    pictures(desktop_page, 2)
    assert abs(shown(desktop_page)[0] - start - 100 * scale) < 2 * scale
    desktop_page.keyboard.down("Shift")
    desktop_page.mouse.wheel(0, -100)
    desktop_page.keyboard.up("Shift")
    pictures(desktop_page, 2)
    assert abs(shown(desktop_page)[0] - start) < 2 * scale
    assert shown(desktop_page)[2] == scale


def test_buttons_and_keys_zoom(desktop_page):
    desktop_page.get_by_test_id("zoom-in").click()
    pictures(desktop_page, 2)
    assert shown(desktop_page)[2] == pytest.approx(FRAMES / box(desktop_page)["width"] / 2, rel=0.01)
    desktop_page.get_by_test_id("stage").focus()
    desktop_page.keyboard.press("+")
    pictures(desktop_page, 2)
    assert shown(desktop_page)[2] == pytest.approx(FRAMES / box(desktop_page)["width"] / 4, rel=0.01)
    desktop_page.keyboard.press("-")
    pictures(desktop_page, 2)
    assert shown(desktop_page)[2] == pytest.approx(FRAMES / box(desktop_page)["width"] / 2, rel=0.01)
    start = shown(desktop_page)[0]
    desktop_page.keyboard.press("ArrowRight")
    pictures(desktop_page, 2)
    assert shown(desktop_page)[0] == start, "the arrow keys are the page's"
    desktop_page.keyboard.press("0")
    pictures(desktop_page, 2)
    assert shown(desktop_page)[:2] == (0, FRAMES)
    expect(desktop_page.get_by_test_id("zoom-out")).to_be_disabled()
    expect(desktop_page.get_by_test_id("zoom-all")).to_be_disabled()


def test_two_fingers_pinch_and_pan(phone_page):
    fingers = Fingers(phone_page)
    x, y = middle(phone_page)
    starts, ends = [(x - 30, y), (x + 30, y)], [(x - 120, y), (x + 60, y)]
    frames = [frame_at(phone_page, place[0]) for place in starts]
    fingers.touch("touchStart", *starts)
    fingers.slide(starts, ends)
    pictures(phone_page, 2)
    scale = shown(phone_page)[2]
    for frame, (place, _) in zip(frames, ends, strict=True):
        assert abs(frame_at(phone_page, place) - frame) < 2.5 * scale
    fingers.touch("touchEnd")
    assert told(phone_page, "seek") == [], "a pinch is no tap"


def test_one_finger_pans_taps_and_scrolls_the_page(phone_page):
    def renew():
        phone_page.reload()
        drawn(phone_page)
        zoom_to(phone_page, 40 * RATE, 50 * RATE)

    zoom_to(phone_page, 40 * RATE, 50 * RATE)
    fingers = Fingers(phone_page)
    x, y = middle(phone_page)
    start, _, scale = shown(phone_page)
    for _ in quick_attempts(phone_page, 400, renew):
        fingers.touch("touchStart", (x, y))
        fingers.slide([(x, y)], [(x - 100, y + 5)])
        fingers.touch("touchEnd")
    pictures(phone_page, 2)
    moved = (shown(phone_page)[0] - start) / scale
    assert 80 < moved <= 100, f"{moved} px for 100"
    assert told(phone_page, "select") == []
    for _ in quick_attempts(phone_page, 400, renew):
        fingers.touch("touchStart", (x, y))
        fingers.touch("touchEnd")
    (frame,) = eventually(lambda: told(phone_page, "seek"), lambda seen: seen)[0]
    assert abs(frame - frame_at(phone_page, x)) <= 2 * scale
    assert told(phone_page, "select") == []
    for _ in quick_attempts(phone_page, 400, renew):
        before = shown(phone_page)
        fingers.touch("touchStart", (x, y))
        fingers.slide([(x, y)], [(x + 4, y - 150)])
        fingers.touch("touchEnd")
    assert eventually(lambda: phone_page.evaluate("scrollY"), lambda seen: seen > 60) > 60
    assert shown(phone_page) == before
    assert told(phone_page, "select") == []


def test_a_long_press_selects(phone_page):
    fingers = Fingers(phone_page)
    x, y = middle(phone_page, 0.3)
    anchor = frame_at(phone_page, x)
    scale = shown(phone_page)[2]
    fingers.touch("touchStart", (x, y))
    phone_page.locator(".stage-anchor").wait_for(state="attached")
    expect(phone_page.locator(".stage-anchor:not([hidden])")).to_have_count(1)
    fingers.slide([(x, y)], [(x + 90, y - 60)])
    fingers.touch("touchEnd")
    pictures(phone_page, 2)
    which, frame, began, hint = told(phone_page, "select")[-1]
    assert which == "new"
    assert abs(began - anchor) < 2 * scale
    assert abs(frame - (anchor + 90 * scale)) < 3 * scale
    assert hint == {"freely": False, "framesPerPixel": scale}
    assert len(told(phone_page, "selectEnd")) == 1
    assert phone_page.evaluate("scrollY") == 0
    expect(phone_page.locator(".stage-anchor:not([hidden])")).to_have_count(0)


def test_a_mouse_selects_and_clicks(desktop_page):
    x, y = middle(desktop_page, 0.25)
    desktop_page.mouse.click(x, y)
    (frame,) = told(desktop_page, "seek")[0]
    assert abs(frame - frame_at(desktop_page, x)) <= 2 * shown(desktop_page)[2]
    desktop_page.keyboard.down("Alt")
    drag(desktop_page, (x + 200, y), (x + 50, y))
    desktop_page.keyboard.up("Alt")
    which, frame, anchor, hint = told(desktop_page, "select")[-1]
    assert which == "new" and hint["freely"]
    assert frame < anchor
    assert abs(anchor - frame_at(desktop_page, x + 200)) < 2 * shown(desktop_page)[2]
    assert len(told(desktop_page, "selectEnd")) == 1
    assert len(told(desktop_page, "seek")) == 1, "a drag is no click"


def test_both_ends_of_a_short_selection_can_be_dragged(desktop_page):
    at = 60 * RATE
    set_scene(desktop_page, selection={"startFrame": at, "endFrame": at + 4_800})
    scale = shown(desktop_page)[2]
    for name, by in (("start", -150), ("end", 120)):
        handle = box(desktop_page, f"handle-{name}")
        assert handle["width"] >= 44 and handle["height"] >= 44
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        drag(desktop_page, (x, y), (x + by, y))
        which, frame, anchor, _ = told(desktop_page, "select")[-1]
        assert which == name
        expected = at + by * scale if name == "start" else at + 4_800 + by * scale
        assert abs(frame - expected) < 2 * scale, "the handle stays under the pointer that holds it"
        assert len(told(desktop_page, "selectEnd")) == (1 if name == "start" else 2)


def test_handles_at_the_ends_of_the_track_can_be_dragged(phone_page):
    set_scene(phone_page, selection={"startFrame": 0, "endFrame": FRAMES})
    pictures(phone_page, 2)
    wave = box(phone_page)
    for name in ("start", "end"):
        handle = box(phone_page, f"handle-{name}")
        assert handle["x"] >= wave["x"] - 1
        assert handle["x"] + handle["width"] <= wave["x"] + wave["width"] + 1


def test_a_drag_takes_the_nearer_of_two_close_borders(desktop_page):
    set_scene(desktop_page, cuts=[60 * RATE, 61 * RATE])
    pictures(desktop_page, 2)
    border = box(desktop_page, "border-cut-1")
    y = border["y"] + border["height"] - 10
    left, right = place_of(desktop_page, 60 * RATE), place_of(desktop_page, 61 * RATE)
    assert right - left < 22, "close indeed"
    drag(desktop_page, (left - 6, y), (left - 106, y))
    assert told(desktop_page, "border")[-1][0] == "cut-0"
    drag(desktop_page, (right + 6, y), (right + 106, y))
    identity, frame, hint = told(desktop_page, "border")[-1]
    assert identity == "cut-1"
    assert abs(frame - (61 * RATE + 100 * shown(desktop_page)[2])) < 2 * shown(desktop_page)[2]
    assert not hint["freely"]
    assert [name for name, in told(desktop_page, "borderEnd")] == ["cut-0", "cut-1"]


def test_a_border_stops_at_its_limits(desktop_page):
    set_scene(desktop_page, cuts=[30 * RATE, 60 * RATE])
    pictures(desktop_page, 2)
    border = box(desktop_page, "border-cut-0")
    x, y = border["x"] + border["width"] / 2, border["y"] + border["height"] - 10
    drag(desktop_page, (x, y), (x + 900, y))
    assert told(desktop_page, "border")[-1][1] == 60 * RATE - 4_800


def test_handles_move_by_keys_and_report_their_times(desktop_page):
    set_scene(desktop_page, cuts=[30 * RATE], selection={"startFrame": 62 * RATE, "endFrame": 70 * RATE})
    handle = desktop_page.get_by_role("slider", name="Start of the selection")
    handle.focus()
    expect(handle).to_have_attribute("aria-valuetext", "1 minute 2 seconds")
    steps = [("ArrowRight", 480), ("Shift+ArrowRight", 4_800), ("PageUp", RATE), ("ArrowDown", -480),
             ("Shift+ArrowLeft", -4_800), ("PageDown", -RATE)]
    frame = 62 * RATE
    for key, step in steps:
        desktop_page.keyboard.press(key)
        frame += step
        expect(handle).to_have_attribute("data-frame", str(frame))
        assert told(desktop_page, "select")[-1][:3] == ["start", frame, 70 * RATE]
        assert told(desktop_page, "select")[-1][3]["freely"], "a step is never drawn elsewhere"
    desktop_page.keyboard.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuetext", "1 minute 2.01 seconds")
    border = desktop_page.get_by_role("slider", name="Border 1")
    border.focus()
    desktop_page.keyboard.press("End")
    expect(border).to_have_attribute("data-frame", str(FRAMES - 4_800))
    assert len(told(desktop_page, "borderEnd")) == 1


def test_a_handle_moved_by_keys_stays_visible(desktop_page):
    set_scene(desktop_page, cuts=[30 * RATE], selection={"startFrame": 62 * RATE, "endFrame": 100 * RATE})
    handle = desktop_page.get_by_role("slider", name="Start of the selection")
    zoom_to(desktop_page, 61 * RATE, 63 * RATE)
    handle.focus()
    for key, frame in (("Shift+PageUp", 72 * RATE), ("Shift+PageUp", 82 * RATE), ("Home", 0)):
        desktop_page.keyboard.press(key)
        expect(handle).to_have_attribute("data-frame", str(frame))
        pictures(desktop_page, 3)
        start, end, _ = shown(desktop_page)
        assert start <= frame < end, key


def test_a_focused_handle_scrolls_into_view(desktop_page):
    set_scene(desktop_page, cuts=[30 * RATE])
    zoom_to(desktop_page, 100 * RATE, 100.5 * RATE)
    desktop_page.get_by_test_id("stage").focus()
    desktop_page.keyboard.press("Tab")
    expect(desktop_page.get_by_role("slider", name="Border 1")).to_be_focused()
    pictures(desktop_page, 3)
    start, end, _ = shown(desktop_page)
    assert start < 30 * RATE < end
    assert desktop_page.get_by_test_id("stage-wave").evaluate("(wave) => wave.scrollLeft") == 0


def test_a_drag_to_the_edge_scrolls_the_wave(desktop_page):
    zoom_to(desktop_page, 40 * RATE, 50 * RATE)
    wave = box(desktop_page)
    _, y = middle(desktop_page)
    end = shown(desktop_page)[1]
    desktop_page.mouse.move(wave["x"] + wave["width"] - 200, y)
    desktop_page.mouse.down()
    desktop_page.mouse.move(wave["x"] + wave["width"] - 2, y, steps=5)
    eventually(lambda: shown(desktop_page)[1], lambda now: now > end + 2 * RATE)
    desktop_page.mouse.up()
    assert told(desktop_page, "select")[-1][1] > end + RATE
    assert shown(desktop_page)[1] > end + 2 * RATE


def test_the_overview_jumps_pans_and_resizes_the_view(desktop_page):
    zoom_to(desktop_page, 40 * RATE, 50 * RATE)
    strip = box(desktop_page, "stage-overview")
    y = strip["y"] + strip["height"] / 2
    desktop_page.mouse.click(strip["x"] + strip["width"] * 0.75, y)
    pictures(desktop_page, 2)
    start, end, scale = shown(desktop_page)
    assert abs((start + end) / 2 - 90 * RATE) < 2 * FRAMES / strip["width"]
    pane = box(desktop_page, "stage-window")
    x = pane["x"] + pane["width"] / 2
    drag(desktop_page, (x, y), (x - 300, y))
    pictures(desktop_page, 2)
    moved = shown(desktop_page)
    assert abs((start - moved[0]) - 300 * FRAMES / strip["width"]) < 2 * FRAMES / strip["width"]
    assert moved[2] == scale
    pane = box(desktop_page, "stage-window")
    drag(desktop_page, (pane["x"] + pane["width"] + 3, y), (pane["x"] + pane["width"] + 103, y))
    pictures(desktop_page, 2)
    wider = shown(desktop_page)
    assert abs(wider[0] - moved[0]) < 2 * scale
    assert abs((wider[1] - moved[1]) - 100 * FRAMES / strip["width"]) < 2 * FRAMES / strip["width"]
    desktop_page.get_by_test_id("stage-window").focus()
    desktop_page.keyboard.press("Home")
    pictures(desktop_page, 2)
    assert shown(desktop_page)[0] == 0


def needle(page):
    """Returns the x position of the needle in the window, or None if it is hidden."""
    return page.get_by_test_id("stage-needle").evaluate(
        "(needle) => needle.style.visibility === 'hidden' ? null : needle.getBoundingClientRect().x")


def test_playback_redraws_nothing_while_the_view_is_fixed(desktop_page):
    before = desktop_page.evaluate("window.drawings.length")
    desktop_page.evaluate("window.stage.play(480000)")
    first = needle(desktop_page)
    assert eventually(lambda: needle(desktop_page), lambda seen: seen > first + 5) > first + 5
    assert desktop_page.evaluate("window.drawings.length") == before


@pytest.mark.moving("the view that glides with the needle")
def test_the_view_follows_the_needle_until_the_user_pans(desktop_page):
    zoom_to(desktop_page, 40 * RATE, 44 * RATE)
    desktop_page.evaluate("window.stage.play(40 * 48000, 96000)")
    wave = box(desktop_page)

    def is_followed():
        # After a stall the needle returns to the middle only while playback continues.
        at = needle(desktop_page)
        return (
            shown(desktop_page)[0] > 43 * RATE and at is not None
            and abs(at - wave["x"] - wave["width"] / 2) < 30)

    assert eventually(is_followed, bool)
    parts = desktop_page.evaluate("window.drawings.slice(-10)")
    # The median is checked, because after a stall one drawing covers many columns.
    shares = sorted(part["columns"] / part["of"] for part in parts)
    assert shares[len(shares) // 2] < 0.5, "only what is new is drawn"
    expect(desktop_page.get_by_test_id("stage-follow")).to_have_count(0)
    desktop_page.mouse.move(*middle(desktop_page))
    desktop_page.mouse.wheel(-3000, 0)
    follow = desktop_page.get_by_test_id("stage-follow")
    follow.wait_for()
    pictures(desktop_page, 2)
    start = shown(desktop_page)[0]
    pictures(desktop_page, 10)
    assert shown(desktop_page)[0] == start
    follow.click()
    expect(follow).to_have_count(0)
    assert eventually(lambda: needle(desktop_page), lambda seen: seen is not None) is not None
    assert told(desktop_page, "seek") == []


def test_with_reduced_motion_the_view_moves_page_by_page(chromium, stage_server):
    with stage_in(
            chromium, stage_server, viewport={"width": 1280, "height": 800},
            reduced_motion="reduce") as page:
        zoom_to(page, 40 * RATE, 44 * RATE)
        page.evaluate("window.stage.play(40 * 48000, 96000)")
        starts = set()

        def look():
            starts.add(shown(page)[0])
            return shown(page)[0]

        eventually(look, lambda start: start > 47 * RATE)
        assert len(starts) <= 4, starts


# Returns the vertical middle of the wave in some columns of its canvas. The wave is transparent.
HEIGHTS = """(columns) => {
  const canvas = document.querySelector('.stage-canvas');
  const context = canvas.getContext('2d');
  return columns.map((column) => {
    const { data } = context.getImageData(column, 0, 1, canvas.height);
    let sum = 0;
    let weight = 0;
    for (let row = 0; row < canvas.height; row += 1) {
      const alpha = 255 - data[row * 4 + 3];
      sum += alpha * (row + 0.5);
      weight += alpha;
    }
    return weight > 0 ? sum / weight : null;
  });
}"""


@pytest.mark.parametrize("at", [61 * RATE, 10 * RATE - 20, FRAMES - 70])
def test_the_highest_zoom_shows_the_exact_samples(desktop_page, at):
    zoom_to(desktop_page, at, at + 60)
    start, _, scale = shown(desktop_page)
    frames = numpy.arange(at + 4, at + 56)
    columns = numpy.round((frames - start) / scale).astype(int)
    # The drawn start can differ by up to half a pixel from the reported one.
    heights = numpy.array(desktop_page.evaluate(HEIGHTS, columns.tolist()))
    mixed = music()[frames].astype(float).mean(axis=1) / 32_768
    # The height is a linear function of the sample.
    scale, centre = numpy.polyfit(mixed, heights, 1)
    assert scale < 0
    assert numpy.abs(heights - (centre + scale * mixed)).max() < 1.5, "in device pixels"
    shifted = music()[frames + 1].astype(float).mean(axis=1) / 32_768
    slope, offset = numpy.polyfit(shifted, heights, 1)
    assert numpy.abs(heights - (offset + slope * shifted)).max() > 3, "one frame off would be seen"


# Returns the opacity of each pixel of the wave's canvas, 0 to 255.
PICTURE = """() => {
  const canvas = document.querySelector('.stage-canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const opacity = data.filter((_, at) => at % 4 === 3);
  let letters = '';
  for (let at = 0; at < opacity.length; at += 8192) {
    letters += String.fromCharCode(...opacity.subarray(at, at + 8192));
  }
  return btoa(letters);
}"""


def picture(page):
    """Returns the opacity of each pixel of the wave's canvas, 0 to 255."""
    return numpy.frombuffer(base64.b64decode(page.evaluate(PICTURE)), numpy.uint8).astype(int)


@pytest.mark.parametrize("span", [40 * RATE, 3 * RATE, 2_000, 60])
def test_incremental_drawing_equals_a_full_redraw(desktop_page, span):
    zoom_to(desktop_page, 50 * RATE, 50 * RATE + span)
    desktop_page.mouse.move(*middle(desktop_page))
    for across in (13, 140, -60, 3, 301, -220):
        desktop_page.mouse.wheel(across, 0)
        pictures(desktop_page, 2)
    drawn(desktop_page)
    pieces = picture(desktop_page)
    # Switching the theme to another and back redraws everything.
    count = desktop_page.evaluate("window.drawings.length")
    for scheme in ("dark", "light"):
        desktop_page.emulate_media(color_scheme=scheme)
        pictures(desktop_page, 3)
    fresh = desktop_page.evaluate("window.drawings.slice(-1)[0]")
    assert desktop_page.evaluate("window.drawings.length") > count and fresh["columns"] == fresh["of"]
    different = numpy.abs(picture(desktop_page) - pieces)
    if span > 60:
        assert different.max() == 0
    else:
        # The anti-aliasing of diagonal lines differs slightly where a piece begins.
        assert different.max() < 80 and (different > 0).sum() < 200


def test_marks_and_bands_are_tapped(desktop_page):
    set_scene(
        desktop_page,
        guesses=[{"frame": 30 * RATE, "strength": 0.4}, {"frame": 31 * RATE, "strength": 0.9}],
        ranges=[
            {"id": "one", "startFrame": 0, "endFrame": 60 * RATE, "title": "<b>Intro</b>", "number": 1,
             "tone": "own", "isCurrent": True},
            {"id": "two", "startFrame": 60 * RATE, "endFrame": FRAMES, "title": "سلام", "number": 2,
             "tone": "own", "isCurrent": False},
            {"id": "far", "startFrame": 20 * RATE, "endFrame": 90 * RATE, "title": "Swan", "number": 4,
             "tone": "other", "isCurrent": False}])
    marks = desktop_page.get_by_test_id("guess")
    expect(marks).to_have_count(2)
    y = marks.first.bounding_box()["y"] + 20
    for second in (30, 31):
        desktop_page.mouse.click(place_of(desktop_page, second * RATE), y)
    marks.first.focus()
    desktop_page.keyboard.press("Enter")
    assert told(desktop_page, "guess") == [[30 * RATE], [31 * RATE], [30 * RATE]]
    assert told(desktop_page, "seek") == []
    expect(desktop_page.get_by_text("<b>Intro</b>")).to_be_visible()
    desktop_page.get_by_role("button", name="سلام, 1:00 to 2:00").click()
    desktop_page.get_by_test_id("band-far").click()
    assert told(desktop_page, "range") == [["two"], ["far"]]
    one, far = box(desktop_page, "band-one"), box(desktop_page, "band-far")
    assert far["y"] >= one["y"] + one["height"], "bands that overlap lie in two rows"


def test_a_name_stays_visible_while_its_band_is_visible(desktop_page):
    set_scene(desktop_page, ranges=[
        {"id": "one", "startFrame": 0, "endFrame": FRAMES, "title": "A long way", "number": 1, "tone": "own",
         "isCurrent": False}])
    zoom_to(desktop_page, 80 * RATE, 81 * RATE)
    name = desktop_page.get_by_text("A long way").bounding_box()
    assert box(desktop_page)["x"] <= name["x"] < box(desktop_page)["x"] + 40


def test_the_wave_is_drawn_when_the_network_returns(desktop_page):
    desktop_page.route("**/peaks*", lambda route: route.abort())
    desktop_page.route("**/chunks/*", lambda route: route.abort())
    desktop_page.evaluate("window.stage.api().zoomTo(48000, 96000)")
    expect(desktop_page.get_by_text("The waveform can’t be loaded right now")).to_be_visible()
    desktop_page.unroute("**/peaks*")
    desktop_page.unroute("**/chunks/*")
    desktop_page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(desktop_page.get_by_text("The waveform can’t be loaded right now")).to_have_count(0)


def test_the_labels_of_the_ruler_never_touch(phone_page):
    for span in (FRAMES, 20 * RATE, RATE, RATE // 10, RATE // 100, 400, 80):
        zoom_to(phone_page, 70 * RATE, 70 * RATE + span)
        edges = phone_page.evaluate("""() => [...document.querySelectorAll('.stage-ruler span')].map((label) => {
          const { left, right } = label.getBoundingClientRect();
          return [left, right];
        })""")
        assert len(edges) >= 2
        for (_, right), (left, _) in zip(edges, edges[1:]):
            assert right + 4 <= left, f"{span} frames: {edges}"


def test_the_stage_fits_the_narrowest_phone(chromium, stage_server):
    with stage_in(
            chromium, stage_server, viewport={"width": 320, "height": 568}, has_touch=True,
            device_scale_factor=2) as page:
        set_scene(page, cuts=[40 * RATE], selection={"startFrame": 0, "endFrame": 40 * RATE})
        expect(page.get_by_test_id("border-cut-0")).to_be_attached()
        expect(page.get_by_test_id("handle-end")).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        for target in page.locator(".stage button, .stage [role=slider]:not(.stage-window)").all():
            size = target.bounding_box()
            assert size["width"] >= 44 and size["height"] >= 44, target.evaluate("(one) => one.outerHTML")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_no_violation_on_the_stage(chromium, stage_server, scheme):
    with stage_in(
            chromium, stage_server, viewport={"width": 390, "height": 844},
            color_scheme=scheme) as page:
        set_scene(
            page, cuts=[40 * RATE], selection={"startFrame": 10 * RATE, "endFrame": 40 * RATE},
            guesses=[{"frame": 90 * RATE, "strength": 0.4}],
            ranges=[
                {"id": "one", "startFrame": 0, "endFrame": 40 * RATE, "title": "Intro", "number": 1,
                 "tone": "own", "isCurrent": True},
                {"id": "two", "startFrame": 40 * RATE, "endFrame": FRAMES, "title": "Verse", "number": 2,
                 "tone": "own", "isCurrent": False},
                {"id": "far", "startFrame": 20 * RATE, "endFrame": 90 * RATE, "title": "Swan", "number": 4,
                 "tone": "other", "isCurrent": False}])
        page.evaluate("window.stage.play(0)")
        page.get_by_test_id("zoom-in").click()
        pictures(page, 3)
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
