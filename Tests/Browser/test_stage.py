"""The clipper's stage: the wave to look at, to listen along and to cut, by mouse, finger and keys."""

import base64
import contextlib

import numpy
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from stage.stage_support import FRAMES, StageServer, music, set_scene, shown, song_file, told
from studio import RATE, eventually
from test_moves import quick_attempts

# Counts drawings of the wave's canvas, and how much of it each draws.
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
    """A page with the stage, drawn. An error in it fails the test."""
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
def desk(chromium, stage_server):
    with stage_in(chromium, stage_server, viewport={"width": 1280, "height": 800}) as page:
        yield page


@pytest.fixture
def hand(chromium, stage_server):
    with stage_in(
            chromium, stage_server, viewport={"width": 390, "height": 844}, has_touch=True,
            device_scale_factor=3, color_scheme="dark") as page:
        yield page


def drawn(page):
    """Waits until the wave is drawn and nothing more comes."""
    page.get_by_test_id("stage").wait_for()
    pictures(page, 3)
    page.locator(".stage-wave[data-drawn=true]").wait_for()


def pictures(page, count):
    """Waits for so many pictures of the screen."""
    page.evaluate(
        """async (count) => {
          for (let n = 0; n < count; n += 1) await new Promise(requestAnimationFrame);
        }""", count)


def box(page, name="stage-wave"):
    return page.get_by_test_id(name).bounding_box()


def frame_at(page, x):
    """The frame at a place of the window."""
    start, _, scale = shown(page)
    return start + (x - box(page)["x"]) * scale


def place_of(page, frame):
    """The place of a frame in the window."""
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
        """Tells where the fingers are now; those that are lifted are left out."""
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
    """A place on the wave between the rows of handles."""
    wave = box(page)
    return round(wave["x"] + wave["width"] * across), round(wave["y"] + wave["height"] * 0.6)


def test_the_wheel_zooms_about_the_pointer(desk):
    x, y = middle(desk, 0.7)
    desk.mouse.move(x, y)
    before = frame_at(desk, x)
    for notch in range(18):
        desk.mouse.wheel(0, -240)
        pictures(desk, 2)
        assert abs(frame_at(desk, x) - before) <= 1.5 * max(1, shown(desk)[2]), f"notch {notch}"
    assert shown(desk)[2] < 1
    for _ in range(40):
        desk.mouse.wheel(0, 240)
    pictures(desk, 2)
    assert shown(desk)[:2] == (0, FRAMES)


def test_the_wheel_pans_across_and_with_shift(desk):
    zoom_to(desk, 20 * RATE, 30 * RATE)
    desk.mouse.move(*middle(desk))
    start, _, scale = shown(desk)
    desk.mouse.wheel(100, 0)
    pictures(desk, 2)
    assert abs(shown(desk)[0] - start - 100 * scale) < 2 * scale
    desk.keyboard.down("Shift")
    desk.mouse.wheel(0, -100)
    desk.keyboard.up("Shift")
    pictures(desk, 2)
    assert abs(shown(desk)[0] - start) < 2 * scale
    assert shown(desk)[2] == scale


def test_buttons_and_keys_zoom(desk):
    desk.get_by_test_id("zoom-in").click()
    pictures(desk, 2)
    assert shown(desk)[2] == pytest.approx(FRAMES / box(desk)["width"] / 2, rel=0.01)
    desk.get_by_test_id("stage").focus()
    desk.keyboard.press("+")
    pictures(desk, 2)
    assert shown(desk)[2] == pytest.approx(FRAMES / box(desk)["width"] / 4, rel=0.01)
    desk.keyboard.press("-")
    pictures(desk, 2)
    assert shown(desk)[2] == pytest.approx(FRAMES / box(desk)["width"] / 2, rel=0.01)
    start = shown(desk)[0]
    desk.keyboard.press("ArrowRight")
    pictures(desk, 2)
    assert shown(desk)[0] == start, "the arrow keys are the page's"
    desk.keyboard.press("0")
    pictures(desk, 2)
    assert shown(desk)[:2] == (0, FRAMES)
    expect(desk.get_by_test_id("zoom-out")).to_be_disabled()
    expect(desk.get_by_test_id("zoom-all")).to_be_disabled()


def test_two_fingers_pinch_and_pan(hand):
    fingers = Fingers(hand)
    x, y = middle(hand)
    starts, ends = [(x - 30, y), (x + 30, y)], [(x - 120, y), (x + 60, y)]
    frames = [frame_at(hand, place[0]) for place in starts]
    fingers.touch("touchStart", *starts)
    fingers.slide(starts, ends)
    pictures(hand, 2)
    scale = shown(hand)[2]
    for frame, (place, _) in zip(frames, ends, strict=True):
        assert abs(frame_at(hand, place) - frame) < 2.5 * scale
    fingers.touch("touchEnd")
    assert told(hand, "seek") == [], "a pinch is no tap"


def test_one_finger_pans_taps_and_scrolls_the_page(hand):
    def renew():
        hand.reload()
        drawn(hand)
        zoom_to(hand, 40 * RATE, 50 * RATE)

    zoom_to(hand, 40 * RATE, 50 * RATE)
    fingers = Fingers(hand)
    x, y = middle(hand)
    start, _, scale = shown(hand)
    for _ in quick_attempts(hand, 400, renew):
        fingers.touch("touchStart", (x, y))
        fingers.slide([(x, y)], [(x - 100, y + 5)])
        fingers.touch("touchEnd")
    pictures(hand, 2)
    moved = (shown(hand)[0] - start) / scale
    assert 80 < moved <= 100, f"{moved} px for 100"
    assert told(hand, "select") == []
    for _ in quick_attempts(hand, 400, renew):
        fingers.touch("touchStart", (x, y))
        fingers.touch("touchEnd")
    (frame,) = eventually(lambda: told(hand, "seek"), lambda seen: seen)[0]
    assert abs(frame - frame_at(hand, x)) <= 2 * scale
    assert told(hand, "select") == []
    for _ in quick_attempts(hand, 400, renew):
        before = shown(hand)
        fingers.touch("touchStart", (x, y))
        fingers.slide([(x, y)], [(x + 4, y - 150)])
        fingers.touch("touchEnd")
    assert eventually(lambda: hand.evaluate("scrollY"), lambda seen: seen > 60) > 60
    assert shown(hand) == before
    assert told(hand, "select") == []


def test_a_finger_that_rests_selects(hand):
    fingers = Fingers(hand)
    x, y = middle(hand, 0.3)
    anchor = frame_at(hand, x)
    scale = shown(hand)[2]
    fingers.touch("touchStart", (x, y))
    hand.locator(".stage-anchor").wait_for(state="attached")
    expect(hand.locator(".stage-anchor:not([hidden])")).to_have_count(1)
    fingers.slide([(x, y)], [(x + 90, y - 60)])
    fingers.touch("touchEnd")
    pictures(hand, 2)
    which, frame, began, hint = told(hand, "select")[-1]
    assert which == "new"
    assert abs(began - anchor) < 2 * scale
    assert abs(frame - (anchor + 90 * scale)) < 3 * scale
    assert hint == {"freely": False, "framesPerPixel": scale}
    assert len(told(hand, "selectEnd")) == 1
    assert hand.evaluate("scrollY") == 0
    expect(hand.locator(".stage-anchor:not([hidden])")).to_have_count(0)


def test_a_mouse_selects_and_clicks(desk):
    x, y = middle(desk, 0.25)
    desk.mouse.click(x, y)
    (frame,) = told(desk, "seek")[0]
    assert abs(frame - frame_at(desk, x)) <= 2 * shown(desk)[2]
    desk.keyboard.down("Alt")
    drag(desk, (x + 200, y), (x + 50, y))
    desk.keyboard.up("Alt")
    which, frame, anchor, hint = told(desk, "select")[-1]
    assert which == "new" and hint["freely"]
    assert frame < anchor
    assert abs(anchor - frame_at(desk, x + 200)) < 2 * shown(desk)[2]
    assert len(told(desk, "selectEnd")) == 1
    assert len(told(desk, "seek")) == 1, "a drag is no click"


def test_the_ends_of_a_selection_are_dragged_even_when_they_are_close(desk):
    at = 60 * RATE
    set_scene(desk, selection={"startFrame": at, "endFrame": at + 4_800})
    scale = shown(desk)[2]
    for name, by in (("start", -150), ("end", 120)):
        handle = box(desk, f"handle-{name}")
        assert handle["width"] >= 44 and handle["height"] >= 44
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        drag(desk, (x, y), (x + by, y))
        which, frame, anchor, _ = told(desk, "select")[-1]
        assert which == name
        expected = at + by * scale if name == "start" else at + 4_800 + by * scale
        assert abs(frame - expected) < 2 * scale, "the handle stays under the pointer that holds it"
        assert len(told(desk, "selectEnd")) == (1 if name == "start" else 2)


def test_handles_at_the_ends_of_the_track_can_be_taken(hand):
    set_scene(hand, selection={"startFrame": 0, "endFrame": FRAMES})
    pictures(hand, 2)
    wave = box(hand)
    for name in ("start", "end"):
        handle = box(hand, f"handle-{name}")
        assert handle["x"] >= wave["x"] - 1
        assert handle["x"] + handle["width"] <= wave["x"] + wave["width"] + 1


def test_of_two_close_borders_the_nearer_is_taken(desk):
    set_scene(desk, cuts=[60 * RATE, 61 * RATE])
    pictures(desk, 2)
    border = box(desk, "border-cut-1")
    y = border["y"] + border["height"] - 10
    left, right = place_of(desk, 60 * RATE), place_of(desk, 61 * RATE)
    assert right - left < 22, "close indeed"
    drag(desk, (left - 6, y), (left - 106, y))
    assert told(desk, "border")[-1][0] == "cut-0"
    drag(desk, (right + 6, y), (right + 106, y))
    identity, frame, hint = told(desk, "border")[-1]
    assert identity == "cut-1"
    assert abs(frame - (61 * RATE + 100 * shown(desk)[2])) < 2 * shown(desk)[2]
    assert not hint["freely"]
    assert [name for name, in told(desk, "borderEnd")] == ["cut-0", "cut-1"]


def test_a_border_stops_at_its_limits(desk):
    set_scene(desk, cuts=[30 * RATE, 60 * RATE])
    pictures(desk, 2)
    border = box(desk, "border-cut-0")
    x, y = border["x"] + border["width"] / 2, border["y"] + border["height"] - 10
    drag(desk, (x, y), (x + 900, y))
    assert told(desk, "border")[-1][1] == 60 * RATE - 4_800


def test_handles_move_by_keys_and_say_their_times(desk):
    set_scene(desk, cuts=[30 * RATE], selection={"startFrame": 62 * RATE, "endFrame": 70 * RATE})
    handle = desk.get_by_role("slider", name="Start of the selection")
    handle.focus()
    expect(handle).to_have_attribute("aria-valuetext", "1 minute 2 seconds")
    steps = [("ArrowRight", 480), ("Shift+ArrowRight", 4_800), ("PageUp", RATE), ("ArrowDown", -480),
             ("Shift+ArrowLeft", -4_800), ("PageDown", -RATE)]
    frame = 62 * RATE
    for key, step in steps:
        desk.keyboard.press(key)
        frame += step
        expect(handle).to_have_attribute("data-frame", str(frame))
        assert told(desk, "select")[-1][:3] == ["start", frame, 70 * RATE]
        assert told(desk, "select")[-1][3]["freely"], "a step is never drawn elsewhere"
    desk.keyboard.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuetext", "1 minute 2.01 seconds")
    border = desk.get_by_role("slider", name="Border 1")
    border.focus()
    desk.keyboard.press("End")
    expect(border).to_have_attribute("data-frame", str(FRAMES - 4_800))
    assert len(told(desk, "borderEnd")) == 1


def test_a_handle_that_keys_move_stays_in_sight(desk):
    set_scene(desk, cuts=[30 * RATE], selection={"startFrame": 62 * RATE, "endFrame": 100 * RATE})
    handle = desk.get_by_role("slider", name="Start of the selection")
    zoom_to(desk, 61 * RATE, 63 * RATE)
    handle.focus()
    for key, frame in (("Shift+PageUp", 72 * RATE), ("Shift+PageUp", 82 * RATE), ("Home", 0)):
        desk.keyboard.press(key)
        expect(handle).to_have_attribute("data-frame", str(frame))
        pictures(desk, 3)
        start, end, _ = shown(desk)
        assert start <= frame < end, key


def test_a_handle_that_gets_the_focus_comes_into_sight(desk):
    set_scene(desk, cuts=[30 * RATE])
    zoom_to(desk, 100 * RATE, 100.5 * RATE)
    desk.get_by_test_id("stage").focus()
    desk.keyboard.press("Tab")
    expect(desk.get_by_role("slider", name="Border 1")).to_be_focused()
    pictures(desk, 3)
    start, end, _ = shown(desk)
    assert start < 30 * RATE < end
    assert desk.get_by_test_id("stage-wave").evaluate("(wave) => wave.scrollLeft") == 0


def test_a_drag_to_the_edge_pulls_the_wave_along(desk):
    zoom_to(desk, 40 * RATE, 50 * RATE)
    wave = box(desk)
    _, y = middle(desk)
    end = shown(desk)[1]
    desk.mouse.move(wave["x"] + wave["width"] - 200, y)
    desk.mouse.down()
    desk.mouse.move(wave["x"] + wave["width"] - 2, y, steps=5)
    eventually(lambda: shown(desk)[1], lambda now: now > end + 2 * RATE)
    desk.mouse.up()
    assert told(desk, "select")[-1][1] > end + RATE
    assert shown(desk)[1] > end + 2 * RATE


def test_the_overview_jumps_moves_and_resizes(desk):
    zoom_to(desk, 40 * RATE, 50 * RATE)
    strip = box(desk, "stage-overview")
    y = strip["y"] + strip["height"] / 2
    desk.mouse.click(strip["x"] + strip["width"] * 0.75, y)
    pictures(desk, 2)
    start, end, scale = shown(desk)
    assert abs((start + end) / 2 - 90 * RATE) < 2 * FRAMES / strip["width"]
    pane = box(desk, "stage-window")
    x = pane["x"] + pane["width"] / 2
    drag(desk, (x, y), (x - 300, y))
    pictures(desk, 2)
    moved = shown(desk)
    assert abs((start - moved[0]) - 300 * FRAMES / strip["width"]) < 2 * FRAMES / strip["width"]
    assert moved[2] == scale
    pane = box(desk, "stage-window")
    drag(desk, (pane["x"] + pane["width"] + 3, y), (pane["x"] + pane["width"] + 103, y))
    pictures(desk, 2)
    wider = shown(desk)
    assert abs(wider[0] - moved[0]) < 2 * scale
    assert abs((wider[1] - moved[1]) - 100 * FRAMES / strip["width"]) < 2 * FRAMES / strip["width"]
    desk.get_by_test_id("stage-window").focus()
    desk.keyboard.press("Home")
    pictures(desk, 2)
    assert shown(desk)[0] == 0


def needle(page):
    """Where the needle is in the window, or None when it is out of sight."""
    return page.get_by_test_id("stage-needle").evaluate(
        "(needle) => needle.style.visibility === 'hidden' ? null : needle.getBoundingClientRect().x")


def test_playing_redraws_nothing_while_the_view_stands(desk):
    before = desk.evaluate("window.drawings.length")
    desk.evaluate("window.stage.play(480000)")
    first = needle(desk)
    assert eventually(lambda: needle(desk), lambda seen: seen > first + 5) > first + 5
    assert desk.evaluate("window.drawings.length") == before


def test_the_view_follows_the_needle_until_somebody_pans(desk):
    zoom_to(desk, 40 * RATE, 44 * RATE)
    desk.evaluate("window.stage.play(40 * 48000, 96000)")
    wave = box(desk)

    def is_followed():
        # After a moment at a standstill it comes to the middle only as it plays on.
        at = needle(desk)
        return (
            shown(desk)[0] > 43 * RATE and at is not None
            and abs(at - wave["x"] - wave["width"] / 2) < 30)

    assert eventually(is_followed, bool)
    parts = desk.evaluate("window.drawings.slice(-10)")
    # Most of them: after a standstill much is new at once.
    shares = sorted(part["columns"] / part["of"] for part in parts)
    assert shares[len(shares) // 2] < 0.5, "only what is new is drawn"
    expect(desk.get_by_test_id("stage-follow")).to_have_count(0)
    desk.mouse.move(*middle(desk))
    desk.mouse.wheel(-3000, 0)
    follow = desk.get_by_test_id("stage-follow")
    follow.wait_for()
    pictures(desk, 2)
    start = shown(desk)[0]
    pictures(desk, 10)
    assert shown(desk)[0] == start
    follow.click()
    expect(follow).to_have_count(0)
    assert eventually(lambda: needle(desk), lambda seen: seen is not None) is not None
    assert told(desk, "seek") == []


def test_with_reduced_motion_the_view_turns_pages(chromium, stage_server):
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


# Reads the middle of the wave in some columns of its canvas, from the top. The wave is what is cut out.
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
def test_the_nearest_zoom_shows_the_very_samples(desk, at):
    zoom_to(desk, at, at + 60)
    start, _, scale = shown(desk)
    frames = numpy.arange(at + 4, at + 56)
    columns = numpy.round((frames - start) / scale).astype(int)
    # The drawn start may lie up to half a pixel from the one that is told.
    heights = numpy.array(desk.evaluate(HEIGHTS, columns.tolist()))
    mixed = music()[frames].astype(float).mean(axis=1) / 32_768
    # Height is a straight function of the sample: the middle less a scale.
    scale, centre = numpy.polyfit(mixed, heights, 1)
    assert scale < 0
    assert numpy.abs(heights - (centre + scale * mixed)).max() < 1.5, "in device pixels"
    shifted = music()[frames + 1].astype(float).mean(axis=1) / 32_768
    slope, offset = numpy.polyfit(shifted, heights, 1)
    assert numpy.abs(heights - (offset + slope * shifted)).max() > 3, "one frame off would be seen"


# How much of each pixel of the wave's canvas is covered, 0 … 255.
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
    """How opaque each pixel of the wave's canvas is, 0 to 255."""
    return numpy.frombuffer(base64.b64decode(page.evaluate(PICTURE)), numpy.uint8).astype(int)


@pytest.mark.parametrize("span", [40 * RATE, 3 * RATE, 2_000, 60])
def test_what_is_drawn_piece_by_piece_is_what_is_drawn_at_once(desk, span):
    zoom_to(desk, 50 * RATE, 50 * RATE + span)
    desk.mouse.move(*middle(desk))
    for across in (13, 140, -60, 3, 301, -220):
        desk.mouse.wheel(across, 0)
        pictures(desk, 2)
    drawn(desk)
    pieces = picture(desk)
    # Another theme draws everything anew; this is the same one again.
    count = desk.evaluate("window.drawings.length")
    for scheme in ("dark", "light"):
        desk.emulate_media(color_scheme=scheme)
        pictures(desk, 3)
    fresh = desk.evaluate("window.drawings.slice(-1)[0]")
    assert desk.evaluate("window.drawings.length") > count and fresh["columns"] == fresh["of"]
    different = numpy.abs(picture(desk) - pieces)
    if span > 60:
        assert different.max() == 0
    else:
        # Slanting lines are smoothed a little differently wherever their piece begins.
        assert different.max() < 80 and (different > 0).sum() < 200


def test_marks_and_bands_are_tapped(desk):
    set_scene(
        desk,
        guesses=[{"frame": 30 * RATE, "strength": 0.4}, {"frame": 31 * RATE, "strength": 0.9}],
        ranges=[
            {"id": "one", "startFrame": 0, "endFrame": 60 * RATE, "title": "<b>Intro</b>",
             "tone": "own", "isCurrent": True},
            {"id": "two", "startFrame": 60 * RATE, "endFrame": FRAMES, "title": "سلام",
             "tone": "own", "isCurrent": False},
            {"id": "far", "startFrame": 20 * RATE, "endFrame": 90 * RATE, "title": "Swan",
             "tone": "other", "isCurrent": False}])
    marks = desk.get_by_test_id("guess")
    expect(marks).to_have_count(2)
    y = marks.first.bounding_box()["y"] + 20
    for second in (30, 31):
        desk.mouse.click(place_of(desk, second * RATE), y)
    marks.first.focus()
    desk.keyboard.press("Enter")
    assert told(desk, "guess") == [[30 * RATE], [31 * RATE], [30 * RATE]]
    assert told(desk, "seek") == []
    expect(desk.get_by_text("<b>Intro</b>")).to_be_visible()
    desk.get_by_role("button", name="سلام, 1:00 to 2:00").click()
    desk.get_by_test_id("band-far").click()
    assert told(desk, "range") == [["two"], ["far"]]
    one, far = box(desk, "band-one"), box(desk, "band-far")
    assert far["y"] >= one["y"] + one["height"], "bands that overlap lie in two rows"


def test_a_name_stays_in_sight_while_its_band_is(desk):
    set_scene(desk, ranges=[
        {"id": "one", "startFrame": 0, "endFrame": FRAMES, "title": "A long way", "tone": "own",
         "isCurrent": False}])
    zoom_to(desk, 80 * RATE, 81 * RATE)
    name = desk.get_by_text("A long way").bounding_box()
    assert box(desk)["x"] <= name["x"] < box(desk)["x"] + 40


def test_the_wave_comes_back_after_the_network(desk):
    desk.route("**/peaks*", lambda route: route.abort())
    desk.route("**/chunks/*", lambda route: route.abort())
    desk.evaluate("window.stage.api().zoomTo(48000, 96000)")
    expect(desk.get_by_text("The waveform can’t be loaded right now")).to_be_visible()
    desk.unroute("**/peaks*")
    desk.unroute("**/chunks/*")
    desk.evaluate("window.dispatchEvent(new Event('online'))")
    expect(desk.get_by_text("The waveform can’t be loaded right now")).to_have_count(0)


def test_the_times_of_the_ruler_never_touch(hand):
    for span in (FRAMES, 20 * RATE, RATE, RATE // 10, RATE // 100, 400, 80):
        zoom_to(hand, 70 * RATE, 70 * RATE + span)
        edges = hand.evaluate("""() => [...document.querySelectorAll('.stage-ruler span')].map((label) => {
          const { left, right } = label.getBoundingClientRect();
          return [left, right];
        })""")
        assert len(edges) >= 2
        for (_, right), (left, _) in zip(edges, edges[1:]):
            assert right + 4 <= left, f"{span} frames: {edges}"


def test_it_fits_the_narrowest_phone(chromium, stage_server):
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
def test_everybody_can_use_it(chromium, stage_server, scheme):
    with stage_in(
            chromium, stage_server, viewport={"width": 390, "height": 844},
            color_scheme=scheme) as page:
        set_scene(
            page, cuts=[40 * RATE], selection={"startFrame": 10 * RATE, "endFrame": 40 * RATE},
            guesses=[{"frame": 90 * RATE, "strength": 0.4}],
            ranges=[
                {"id": "one", "startFrame": 0, "endFrame": 40 * RATE, "title": "Intro",
                 "tone": "own", "isCurrent": True},
                {"id": "two", "startFrame": 40 * RATE, "endFrame": FRAMES, "title": "Verse",
                 "tone": "own", "isCurrent": False},
                {"id": "far", "startFrame": 20 * RATE, "endFrame": 90 * RATE, "title": "Swan",
                 "tone": "other", "isCurrent": False}])
        page.evaluate("window.stage.play(0)")
        page.get_by_test_id("zoom-in").click()
        pictures(page, 3)
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
