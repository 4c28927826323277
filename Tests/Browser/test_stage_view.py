"""The stage view: the move, the next one and the count, for somebody who stands four metres from the screen."""

import math

import pytest
from devices_support import studio, swan  # noqa: F401
from playwright.sync_api import expect
from prepared import filmed, has_parts
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme
from studio import PHONE, RATE, eventually, first_screen, open_card
from test_counts import analyse
from test_move_counts import COUNT, ONE, are_laid, card, lay, time_of
from test_moves import write
from test_practice import parts, phone_page  # noqa: F401
from test_remote import choose, pair_of_players
from video_support import video_file

#: The longest title that is measured: sixty characters.
LONG = "Grapevine to the left, then a slow walk back to the 1st spot"
PURPLE = "rgb(136, 99, 222)"
SIZES = [(390, 844), (844, 390), (1280, 800), (320, 640)]


@pytest.fixture
def stage(phone_page, server):  # noqa: F811
    """A part of twelve seconds with counts, whose moves Walk and Turn lie on them; Walk has a type. And a second part."""
    analyse(phone_page, 0.9)
    first = min(server.records("part"), key=lambda part: part["position"])
    [kind] = write(server, [("moveType", {"name": "Steps", "abbreviation": "St", "colour": "#8863de"})])
    write(server, [
        ("move", {"part": first["id"], "title": title, "position": position, "startCount": start, "countLength": 4, **more})
        for title, position, start, more in [("Walk", "a", 0, {"moveType": kind}), ("Turn", "b", 4, {})]])
    expect(time_of(phone_page, "Turn")).to_be_visible()
    return phone_page


def opened(page):
    page.get_by_test_id("action-stage").click()
    expect(page.get_by_test_id("stage-view")).to_be_visible()


def shows(page, number=None, current=None, following=None, part=None):
    """Waits until the view shows these texts; an empty one is not there."""
    for name, text in (("number", number), ("current", current), ("next", following), ("part", part)):
        words = page.get_by_test_id(f"stage-{name}")
        if text == "":
            expect(words.and_(page.locator(":not(:empty)")).filter(has_text=r"\S")).to_have_count(0)
        elif text is not None:
            expect(words).to_have_text(text)


def is_playing(page, is_so=True):
    expect(page.get_by_test_id("stage-view")).to_have_attribute("data-playing", str(is_so).lower())


def tap(page, x=0.3, y=0.7):
    size = page.viewport_size
    page.touchscreen.tap(size["width"] * x, size["height"] * y)


#: Writes down what each frame of the screen shows: number, part, current and next move, the colour of the edge.
SEE = """() => {
  window.seen = [];
  const text = (name) => document.querySelector(`[data-testid=stage-${name}]`)?.textContent ?? '';
  const look = () => {
    const { borderTopColor } = getComputedStyle(document.querySelector('[data-testid=stage-edge]'));
    const now = [text('number'), text('part'), text('current'), text('next'), borderTopColor].join('|');
    if (window.seen.at(-1) !== now) window.seen.push(now);
    requestAnimationFrame(look);
  };
  look();
}"""


def is_full(page):
    return page.evaluate("() => document.fullscreenElement === document.documentElement")


@has_parts(("One", 12))
def test_it_opens_in_one_press_and_closes_by_its_button_escape_or_back(stage):
    view, button = stage.get_by_test_id("stage-view"), stage.get_by_test_id("action-stage")
    box = {"x": 0, "y": 0, "width": 390, "height": 844}
    for close in (
            lambda: stage.get_by_test_id("stage-close").tap(), lambda: stage.keyboard.press("Escape"), lambda: stage.go_back(),
            lambda: stage.keyboard.press("s"), lambda: stage.evaluate("() => document.exitFullscreen()")):
        opened(stage)
        stage.wait_for_function("() => document.fullscreenElement === document.documentElement")
        assert view.bounding_box() == box
        close()
        expect(view).to_have_count(0)
        stage.wait_for_function("() => document.fullscreenElement === null")
        expect(button).to_be_focused()
        expect(card(stage, "Walk")).to_be_visible()
    # By its key, and from the large player, to which it goes back.
    stage.keyboard.press("s")
    expect(view).to_be_visible()
    stage.keyboard.press("Escape")
    stage.get_by_test_id("player-expand").tap()
    stage.get_by_test_id("player-stage").tap()
    expect(view).to_be_visible()
    stage.go_back()
    expect(view).to_have_count(0)
    expect(stage.get_by_test_id("player-collapse")).to_be_visible()


@has_parts(("One", 12))
def test_without_the_fullscreen_api_it_fills_the_window(stage):
    stage.evaluate("() => { document.documentElement.requestFullscreen = undefined; }")
    opened(stage)
    assert stage.get_by_test_id("stage-view").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    assert not is_full(stage)
    shows(stage, "6", following="Next: Walk")
    stage.keyboard.press("Escape")
    expect(stage.get_by_test_id("stage-view")).to_have_count(0)


@has_parts(("One", 12))
def test_the_moves_and_the_count_follow_what_is_heard_and_a_tap_anywhere_pauses(stage):
    opened(stage)
    # Before the first move the number is huge, and the first move is next.
    shows(stage, "6", "", "Next: Walk", "1. One")
    huge = stage.get_by_test_id("stage-number").bounding_box()["height"]
    expect(stage.get_by_test_id("stage-rest")).to_have_attribute("data-rest", "paused")
    stage.evaluate(SEE)
    tap(stage, 0.1, 0.3)
    is_playing(stage)
    seen = eventually(
        lambda: stage.evaluate("window.seen"), lambda seen: any(now.startswith("8|1. One|Now: Turn") for now in seen))
    tap(stage, 0.9, 0.9)
    is_playing(stage, False)
    expect(stage.get_by_test_id("stage-rest")).to_be_visible()
    expect(stage.locator(".stageview-flash")).to_have_attribute("data-playing", "false")
    # Number, moves and colour change together.
    assert huge > stage.get_by_test_id("stage-number").bounding_box()["height"]
    numbers = {"Now: Walk|Next: Turn": "1234", "Now: Turn|": "5678"}
    for now in seen:
        number, _, current, following, colour = now.split("|")
        moves = f"{current}|{following}"
        assert moves not in numbers or number in numbers[moves], seen
        assert (colour == PURPLE) == moves.startswith("Now: Walk"), seen
    assert {"|".join(now.split("|")[2:4]) for now in seen} >= set(numbers), seen
    left = "(bar) => new DOMMatrix(getComputedStyle(bar).transform).a"
    assert 0 < stage.get_by_test_id("stage-left").evaluate(left) < 0.6
    # The keys of the player go on working: a pedal sends them, too.
    for _ in range(3):
        stage.keyboard.press("ArrowLeft")
    shows(stage, "6", "", "Next: Walk")
    assert stage.get_by_test_id("stage-left").evaluate(left) == 1
    stage.keyboard.press("Space")
    is_playing(stage)
    stage.keyboard.press("Space")
    is_playing(stage, False)


#: Keeps what the page does when a media key is pressed.
KEYS = """
window.mediaKeys = {};
MediaSession.prototype.setActionHandler = (name, handler) => { window.mediaKeys[name] = handler; };"""


@has_parts(("One", 12), ("Two", 12))
def test_media_keys_and_the_keys_of_a_pedal_go_on_working(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, script=KEYS, **PHONE) as page:
        open_card(page)
        opened(page)
        page.evaluate("() => window.mediaKeys.play()")
        is_playing(page)
        page.evaluate("() => window.mediaKeys.pause()")
        is_playing(page, False)
        page.keyboard.press("PageDown")
        shows(page, part="2. Two")
        page.keyboard.press("Space")
        is_playing(page)
        page.evaluate("() => window.mediaKeys.previoustrack()")
        shows(page, part="1. One")


@has_parts(("One", 12))
def test_a_title_is_written_in_its_own_direction(stage, server):
    [walk] = [move for move in server.records("move") if move["title"] == "Walk"]
    server.edit("move", walk["id"], {"title": "خطوة إلى اليسار"})
    time_of(stage, "خطوة").click()
    opened(stage)
    words = stage.get_by_test_id("stage-current").locator(".fitted-content")
    expect(words).to_have_css("direction", "rtl")
    expect(stage.get_by_test_id("stage-next").locator(".fitted-content")).to_have_css("direction", "ltr")


@has_parts(("One", 12))
def test_a_count_in_is_shown_huge_with_the_move_that_it_leads_to(stage, server):
    server.set("countIn", "four")
    time_of(stage, "Turn").click()
    opened(stage)
    shows(stage, "5", "Now: Turn", "")
    stage.evaluate(SEE)
    tap(stage)
    # The countdown leads to Turn, whose fifth count begins it; which numbers are seen depends on the machine.
    seen = eventually(lambda: stage.evaluate("window.seen"), lambda seen: any(now.startswith("6|1. One|Now: Turn") for now in seen))
    counted = [now for now in seen if "||Next: Turn|" in now]
    assert counted and {now.split("|")[0] for now in counted} <= {"1", "2", "3", "4", "5", "6", "7", "8"}, seen
    is_playing(stage)


@has_parts(("One", 12))
def test_in_a_loop_the_first_move_follows_the_last_and_one_press_sets_it(stage, server):
    write(server, [("move", {
        "part": server.records("part")[0]["id"], "title": "Leap", "position": "c", "startCount": 8, "countLength": 4})])
    expect(time_of(stage, "Leap")).to_be_visible()
    time_of(stage, "Walk").click()
    opened(stage)
    shows(stage, "1", "Now: Walk", "Next: Turn")
    foot = stage.get_by_test_id("stage-foot")
    one, two, eight = (foot.get_by_test_id(f"loop-now-{which}") for which in ("one", "two", "eight"))

    def loops(start, end):
        part = eventually(lambda: server.records("part")[0], lambda part: part.get("markerB") == ONE + end * COUNT)
        assert (part["loopMode"], part["markerA"]) == ("section", ONE + start * COUNT)

    one.tap()
    loops(0, 4)
    expect(one).to_have_attribute("aria-pressed", "true")
    shows(stage, "1", "Now: Walk", "Next: Walk")
    two.tap()
    loops(0, 8)
    # Walk and Turn are this eight as well.
    expect(eight).to_have_attribute("aria-pressed", "true")
    stage.keyboard.press("ArrowRight")
    shows(stage, current="Now: Turn", following="Next: Walk")
    assert violations(stage) == [] and too_small(stage) == []
    eight.tap()
    eventually(lambda: server.records("part")[0]["loopMode"], lambda mode: mode == "off")
    for _ in range(2):
        stage.keyboard.press("ArrowRight")
    shows(stage, current="", following="")
    # The whole part: its first move follows its last one.
    stage.keyboard.press("l")
    shows(stage, current="", following="Next: Walk")


@has_parts(("One", 12))
def test_the_card_of_the_move_where_it_rests_is_looped_in_one_press(stage, server):
    expect(stage.get_by_test_id("loop-now-one")).to_have_count(0)
    time_of(stage, "Turn").click()
    one = card(stage, "Turn").get_by_test_id("loop-now-one")
    expect(one).to_be_visible()
    expect(stage.get_by_test_id("loop-now-one")).to_have_count(1)
    one.tap()
    part = eventually(lambda: server.records("part")[0], lambda part: part.get("markerB") == ONE + 8 * COUNT)
    assert (part["loopMode"], part["markerA"]) == ("section", ONE + 4 * COUNT)
    expect(one).to_have_attribute("aria-pressed", "true")
    assert violations(stage) == [] and too_small(stage) == []
    stage.set_viewport_size({"width": 320, "height": 640})
    eventually(lambda: wider_than_window(stage), lambda wide: wide == [])
    # While it plays the cards stay as they are.
    stage.get_by_test_id("play").tap()
    expect(one).to_have_count(0)


@has_parts(("One", 12), ("Two", 12))
def test_in_a_run_the_next_move_is_that_of_the_next_part_and_nothing_is_looped(stage, server):
    second = max(server.records("part"), key=lambda part: part["position"])
    write(server, [("move", {"part": second["id"], "title": "Bow", "position": "a", "startCount": 2, "countLength": 4})])
    lay(server, Turn=(14, 4))
    stage.get_by_test_id("action-run").click()
    stage.get_by_test_id("play").click()
    expect(stage.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    time_of(stage, "Turn").click()
    opened(stage)
    shows(stage, current="Now: Turn", following="Next: Bow2. Two", part="1. One")
    expect(stage.get_by_test_id("loop-now-one")).to_have_count(0)
    stage.evaluate(SEE)
    tap(stage)
    # The part turns by itself.
    seen = eventually(lambda: stage.evaluate("window.seen"), lambda seen: any("|2. Two|Now: Bow|" in now for now in seen), 40)
    order = [seen.index(next(now for now in seen if part in now))
             for part in ("|1. One|Now: Turn|Next: Bow2. Two|", "|2. Two||Next: Bow|", "|2. Two|Now: Bow||")]
    assert order == sorted(order), seen
    expect(stage.get_by_test_id("stage-view")).to_be_visible()


@has_parts(("One", 12))
def test_moves_without_counts_are_a_list_and_a_song_without_counts_shows_the_time_left(stage, server):
    lay(server, Walk=(None, None), Turn=(None, None))
    are_laid(server, Walk=(None, None), Turn=(None, None))
    opened(stage)
    items = stage.get_by_test_id("stage-list").get_by_role("listitem")
    expect(items).to_have_text(["Walk", "Turn"])
    shows(stage, "6", part="1. One")
    expect(stage.get_by_test_id("stage-current")).to_have_count(0)
    stage.keyboard.press("Escape")
    analyse(stage, 0.1)
    opened(stage)
    expect(items).to_have_text(["Walk", "Turn"])
    shows(stage, "0:12")
    stage.keyboard.press("ArrowRight")
    shows(stage, "0:07")
    # Many moves: as large as they fit, and if they don't, they move along with the part.
    write(server, [
        ("move", {"part": server.records("part")[0]["id"], "title": f"Step number {at}", "position": f"c{at:02}V"})
        for at in range(60)])
    expect(items).to_have_count(62)
    top = stage.get_by_test_id("stage-list").evaluate("(list) => list.scrollTop")
    assert top > 0
    stage.keyboard.press("ArrowRight")
    eventually(lambda: stage.get_by_test_id("stage-list").evaluate("(list) => list.scrollTop"), lambda now: now > top)
    size = stage.locator(".stageview-list .fitted-content").evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")
    assert size >= 24


#: The height of a capital or a digit in pixels, and whether the text is inside its box and whole.
MEASURE = """(box) => {
  const text = box.querySelector('.fitted-content');
  const style = getComputedStyle(text);
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const range = document.createRange();
  range.selectNodeContents(text);
  const spoken = text.querySelector('.only-spoken');
  if (spoken) range.setStartAfter(spoken);
  const lines = [...range.getClientRects()];
  const outer = box.getBoundingClientRect();
  const inside = lines.every((line) => line.left >= outer.left - 1 && line.right <= outer.right + 1
    && line.left >= 0 && line.right <= innerWidth && line.top >= 0 && line.bottom <= innerHeight);
  return {
    height: canvas.measureText(box.dataset.testid === 'stage-number' ? '8' : 'H').actualBoundingBoxAscent,
    size: parseFloat(style.fontSize), inside, lines: new Set(lines.map((line) => Math.round(line.top))).size,
    fits: text.scrollWidth <= text.clientWidth && text.offsetHeight <= box.clientHeight,
  };
}"""

#: Millimetres of a pixel: a phone of 6.1 inches, a laptop of 13.3 inches, a small phone of 4 inches.
MILLIMETRES = {390: 0.165, 844: 0.165, 1280: 0.224, 320: 0.156}


def minutes_of_arc(height, width):
    """The angle of a height in pixels from four metres."""
    return math.degrees(math.atan(height * MILLIMETRES[width] / 4_000)) * 60


#: The least angles in minutes of arc: for the number, and for titles of one short word, of one long word, of sixty letters.
LEAST = {
    390: (20, {"Turn": 11, "Pirouette": 6, LONG: 4}),
    844: (20, {"Turn": 18, "Pirouette": 11, LONG: 5}),
    1280: (30, {"Turn": 40, "Pirouette": 25, LONG: 15}),
    320: (16, {"Turn": 8.5, "Pirouette": 5, LONG: 3.5}),
}


@pytest.mark.parametrize("size", SIZES)
@has_parts(("One", 12))
def test_the_number_and_the_move_are_legible_from_four_metres_and_never_cut(stage, server, size):
    width, height = size
    [walk] = [move for move in server.records("move") if move["title"] == "Walk"]
    time_of(stage, "Walk").click()
    stage.set_viewport_size({"width": width, "height": height})
    opened(stage)
    # Drawn as while it plays.
    stage.get_by_test_id("stage-foot").evaluate("(foot) => { foot.style.display = 'none'; }")
    least, titles = LEAST[width]
    angles = {}
    for title, wanted in titles.items():
        server.edit("move", walk["id"], {"title": title})
        shows(stage, current=f"Now: {title}")
        number, current, following = (
            stage.get_by_test_id(f"stage-{name}").evaluate(MEASURE) for name in ("number", "current", "next"))
        assert number["inside"] and current["inside"] and current["fits"] and following["inside"] and following["fits"]
        assert current["lines"] == 1 or title == LONG
        assert following["size"] < current["size"]
        angles[title] = round(minutes_of_arc(current["height"], width), 1)
        angles["number"] = round(minutes_of_arc(number["height"], width), 1)
    print(size, angles)
    assert angles["number"] >= least
    assert all(angles[title] >= wanted for title, wanted in titles.items()), angles
    # The same again: the size does not depend on what was shown before.
    sizes = []
    for title in ("Turn", LONG, "Turn", LONG):
        server.edit("move", walk["id"], {"title": title})
        shows(stage, current=f"Now: {title}")
        sizes.append(stage.get_by_test_id("stage-current").evaluate(MEASURE)["size"])
    assert sizes[:2] == sizes[2:]
    # One word of sixty letters is broken; one of twenty is not.
    server.edit("move", walk["id"], {"title": "x" * 60})
    shows(stage, current="Now: " + "x" * 60)
    broken = stage.get_by_test_id("stage-current").evaluate(MEASURE)
    assert broken["inside"] and broken["fits"] and broken["lines"] > 1 and broken["size"] >= 24


@has_parts(("One", 12))
def test_the_view_is_mirrored_and_has_a_theme_of_its_own_and_this_device_remembers_both(stage):
    opened(stage)
    view, content = stage.get_by_test_id("stage-view"), stage.get_by_test_id("stage-content")
    expect(content).to_have_css("transform", "none")
    stage.get_by_test_id("stage-mirror").tap()
    expect(content).to_have_css("transform", "matrix(-1, 0, 0, 1, 0, 0)")
    number, close = (stage.get_by_test_id(name).bounding_box() for name in ("stage-part", "stage-controls"))
    # The part's name makes room for the controls, which are where they were.
    assert close["x"] > 390 / 2
    ground = view.evaluate("(each) => getComputedStyle(each).backgroundColor")
    stage.get_by_test_id("stage-theme").tap()
    expect(view).not_to_have_css("background-color", ground)
    assert stage.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert violations(stage) == [] and too_small(stage) == []
    stage.reload()
    expect(stage.get_by_test_id("play")).to_be_enabled()
    opened(stage)
    expect(content).to_have_css("transform", "matrix(-1, 0, 0, 1, 0, 0)")
    expect(view).to_have_attribute("data-theme", "light")
    # Back to the app's own, and following it again.
    stage.get_by_test_id("stage-theme").tap()
    expect(view).to_have_attribute("data-theme", "dark")
    stage.emulate_media(color_scheme="light")
    expect(view).to_have_attribute("data-theme", "light")


@has_parts(("One", 12))
def test_its_controls_fade_while_it_plays_and_are_there_for_the_keyboard(stage):
    opened(stage)
    view = stage.get_by_test_id("stage-view")
    expect(view).to_have_attribute("data-controls", "shown")
    # In a loop, which does not end.
    stage.keyboard.press("l")
    tap(stage)
    expect(view).to_have_attribute("data-controls", "hidden")
    expect(stage.get_by_test_id("stage-controls")).to_have_css("opacity", "0")
    # Where a control was, a tap pauses as everywhere.
    box = stage.get_by_test_id("stage-close").bounding_box()
    stage.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    is_playing(stage, False)
    expect(view).to_have_attribute("data-controls", "shown")
    tap(stage)
    expect(view).to_have_attribute("data-controls", "hidden")
    # Nothing of the page behind it is reached by Tab.
    reached = []
    for _ in range(4):
        stage.keyboard.press("Tab")
        reached.append(stage.evaluate("() => document.activeElement.dataset.testid ?? ''"))
    assert set(reached) <= {"stage-mirror", "stage-theme", "stage-close", "stage-tap", ""}, reached
    stage.get_by_test_id("stage-mirror").focus()
    expect(view).to_have_attribute("data-controls", "shown")
    stage.keyboard.press("Enter")
    expect(stage.get_by_test_id("stage-mirror")).to_have_attribute("aria-pressed", "true")
    is_playing(stage)


@pytest.mark.parametrize("language", ["en", "rtl"])
@has_parts(("One", 12))
@pytest.mark.full_chromium("the shell does not resize a page that fills the screen")
def test_it_is_accessible_in_both_themes_narrow_and_from_right_to_left(stage, language):
    if language == "rtl":
        stage.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    time_of(stage, "Walk").click()
    opened(stage)
    shows(stage, "1", "Now: Walk", "Next: Turn")
    for width, height in SIZES:
        stage.set_viewport_size({"width": width, "height": height})
        # The page behind it follows the window a moment later.
        eventually(lambda: wider_than_window(stage), lambda wide: wide == [])
        assert violations(stage) == [] and too_small(stage) == []
    change_theme(stage)
    assert violations(stage) == []
    stage.set_viewport_size({"width": 844, "height": 390})
    expect(stage.get_by_test_id("stage-words")).to_have_attribute("data-layout", "beside")
    number, current = (stage.get_by_test_id(f"stage-{name}").bounding_box() for name in ("number", "current"))
    assert (number["x"] > current["x"]) == (language == "rtl")


@pytest.fixture
def film(begin_with):
    """A part of 24 s with a video that begins two seconds before it."""
    begin_with(filmed, video_file(seconds=30), -2 * RATE, ("One", 24))


@pytest.mark.parametrize("size", SIZES[:3])
def test_a_video_that_follows_stands_beside_the_words(film, chromium, server, size):
    width, height = size
    with first_screen(chromium, server, viewport={"width": width, "height": height}, has_touch=True) as page:
        open_card(page)
        opened(page)
        picture, words = page.get_by_test_id("part-picture"), page.get_by_test_id("stage-words")
        expect(picture).to_have_count(0)
        page.get_by_test_id("stage-video").tap()
        expect(picture).to_be_visible()
        # One picture alone, not the floating one as well.
        expect(page.get_by_test_id("video")).to_have_count(0)
        frame, text = picture.bounding_box(), words.bounding_box()
        if width > height:
            assert frame["x"] + frame["width"] <= text["x"] and text["width"] > width / 3
        else:
            assert frame["y"] + frame["height"] <= text["y"] and text["height"] > height / 2
        assert violations(page) == []
        tap(page)
        is_playing(page)
        # It follows: the picture is where the music is.
        page.wait_for_function(
            """() => {
              const home = document.querySelector('[data-testid=video-picture]');
              const shown = home.querySelector('[data-role=shown]');
              // The video begins two seconds before the part.
              const heard = Number(home.dataset.heard) / 48000 + 2;
              return heard > 2.5 && !shown.paused && Math.abs(shown.currentTime - heard) < 0.2;
            }""")
        page.keyboard.press("v")
        expect(picture).to_have_count(0)
        page.keyboard.press("v")
        expect(picture).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("video")).to_be_visible()


def test_another_device_controls_the_page_while_it_shows_the_view(chromium, studio, swan):  # noqa: F811
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        choose(phone, expand=True)
        laptop.get_by_test_id("action-stage").click()
        expect(laptop.get_by_test_id("stage-view")).to_be_visible()
        phone.get_by_test_id("remote-play").click()
        is_playing(laptop)
        phone.get_by_test_id("remote-play").click()
        is_playing(laptop, False)
        phone.get_by_test_id("remote-next").click()
        expect(laptop.get_by_test_id("stage-part")).to_have_text("2. Chorus")
        # A tap here is seen there; and the remote itself, which plays nothing, has no such view.
        laptop.get_by_test_id("stage-tap").click()
        expect(phone.get_by_test_id("remote-play")).to_have_attribute("data-playing", "true")
        expect(phone.get_by_test_id("action-stage")).to_have_count(0)
        phone.keyboard.press("s")
        expect(phone.get_by_test_id("stage-view")).to_have_count(0)


#: Counts the locks that keep the screen awake.
LOCKS = """
window.locks = 0;
Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
  window.locks += 1;
  return { addEventListener() {}, release: async () => { window.locks -= 1; } };
} } });"""


@has_parts(("One", 3))
def test_the_screen_stays_awake_as_long_as_it_is_open(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, script=LOCKS, **PHONE) as page:
        open_card(page)
        assert page.evaluate("window.locks") == 0
        opened(page)
        eventually(lambda: page.evaluate("window.locks"), lambda locks: locks == 1)
        page.keyboard.press("Escape")
        eventually(lambda: page.evaluate("window.locks"), lambda locks: locks == 0)


@has_parts(("One", 12))
def test_it_opens_and_plays_without_a_network(parts, device, server):  # noqa: F811
    from offline_support import card as routine_card, keep, wait_until_stored

    keep(device.page, "Swan")
    wait_until_stored(device.page, server)
    device.cut()
    server.stop()
    page = device.restart()
    routine_card(page, "Swan").click()
    expect(page.get_by_test_id("play")).to_be_enabled()
    opened(page)
    shows(page, current="Now: One")
    tap(page)
    is_playing(page)
    page.wait_for_function("() => window.loudness() > 0.05")


@has_parts(("One", 12))
def test_the_key_is_in_the_help_which_opens_above_the_view(stage):
    opened(stage)
    stage.keyboard.press("?")
    expect(stage.get_by_test_id("key-table")).to_contain_text("Open or close the stage view")
    stage.get_by_test_id("sheet-close").tap()
    expect(stage.get_by_test_id("stage-view")).to_be_visible()
    stage.keyboard.press("n")
    expect(stage.get_by_role("dialog").filter(has=stage.get_by_test_id("move-title-field"))).to_have_count(0)
    expect(stage.locator("dialog[open]")).to_be_visible()
