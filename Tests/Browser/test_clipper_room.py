"""The clipper's room: what is in sight on each screen, that nothing covers a control, and few taps."""

import pytest
from playwright.sync_api import expect
from prepared import one_song
from studio import DESKTOP, PHONE, eventually, first_screen, resting_box, song
from test_clipper import cut, needle, open_only, place, seek

SCREENS = {"phone": (390, 844), "phone on its side": (844, 390), "small phone": (320, 568),
           "tablet": (768, 1024), "desktop": (1280, 800)}


def settings(screen):
    """The settings of a window of one of the sizes."""
    width, height = SCREENS[screen]
    return {"viewport": {"width": width, "height": height}, "has_touch": screen != "desktop"}


@pytest.fixture
def with_song(begin_with):
    """A library with a song of 24 seconds."""
    begin_with(one_song)


@pytest.fixture
def clipper(with_song, chromium, server, request):
    """A page of one of the sizes with a song of 24 seconds open."""
    with first_screen(chromium, server, "/clipper", **settings(request.param)) as page:
        open_only(page)
        yield page


def on(*screens):
    return pytest.mark.parametrize("clipper", screens or SCREENS, indirect=True)


def cut_eight_times(page):
    for each in range(1, 9):
        seek(page, each * 2.5)
        page.get_by_test_id("cut-here").click()
        expect(page.get_by_test_id("clip-row")).to_have_count(each + 1)


# Returns the controls that are covered or cut off, of those that their list has not scrolled away.
COVERED = """() => {
  const clip = (element) => {
    let area = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let each = element.parentElement; each; each = each.parentElement) {
      if (getComputedStyle(each).overflowY === 'visible') continue;
      const box = each.getBoundingClientRect();
      area = { left: Math.max(area.left, box.left), top: Math.max(area.top, box.top),
        right: Math.min(area.right, box.right), bottom: Math.min(area.bottom, box.bottom) };
    }
    return area;
  };
  const name = (element) => element.dataset.testid || element.ariaLabel || element.textContent;
  return [...document.querySelectorAll('.cutter :is(button, input, a[href], [role=slider])')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && getComputedStyle(each).pointerEvents !== 'none')
    .flatMap((each) => {
      const box = each.getBoundingClientRect();
      const area = clip(each);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (box.left < -1 || box.right > innerWidth + 1) return [`${name(each)} is cut off`];
      // The rows of the list scroll; all else stands still.
      if (each.closest('.clips, .cutter-tools') && (y < area.top || y > area.bottom)) return [];
      if (!each.closest('.clips') && (box.top < area.top - 1 || box.bottom > area.bottom + 1)) {
        return [`${name(each)} is cut off`];
      }
      const top = document.elementFromPoint(x, y);
      const isItself = each.contains(top) || (each.matches('[role=slider]') && top?.closest('.stage-wave'))
        || (each.closest('.clip') && top?.closest('.clips-head'));
      return isItself ? [] : [`${name(each)} is under ${top?.className}`];
    });
}"""

CLIPS_IN_SIGHT = """() => {
  const head = document.querySelector('.clips-head').getBoundingClientRect();
  const dock = document.querySelector('.dock').getBoundingClientRect();
  return [...document.querySelectorAll('[data-testid=clip-row]')].filter((row) => {
    const box = row.getBoundingClientRect();
    return box.top >= head.bottom - 1 && box.bottom <= dock.top + 1;
  }).length;
}"""


@on("phone", "tablet", "desktop")
def test_five_clips_are_in_sight_after_eight_cuts(clipper):
    cut_eight_times(clipper)
    expect(clipper.get_by_test_id("naming")).to_be_visible()
    assert clipper.evaluate(CLIPS_IN_SIGHT) >= 5, "while the last part waits for its name"
    clipper.get_by_test_id("naming-close").click()
    expect(clipper.get_by_test_id("naming")).to_have_count(0)
    assert clipper.evaluate(CLIPS_IN_SIGHT) >= 5


@on()
def test_no_control_is_cut_off_or_covered(clipper):
    assert clipper.evaluate(COVERED) == []
    cut_eight_times(clipper)
    assert clipper.evaluate(COVERED) == [], "while the last part waits for its name"
    clipper.get_by_test_id("naming-close").click()
    expect(clipper.get_by_test_id("naming")).to_have_count(0)
    assert clipper.evaluate(COVERED) == []


@on()
@pytest.mark.moving("the toasts' rise")
def test_a_toast_covers_no_control(clipper):
    cut_eight_times(clipper)
    # Refused, since there is a cut already; and deleted, with an undo.
    clipper.get_by_test_id("cut-here").click()
    clipper.get_by_test_id("clip-menu").first.click()
    clipper.get_by_test_id("clip-delete").click()
    newest = clipper.get_by_test_id("toast").last
    expect(newest).to_contain_text("“Part 1” is deleted.")
    clipper.wait_for_function(
        "() => document.getAnimations().every(({ playState }) => playState !== 'running')")
    boxes = [toast.bounding_box() for toast in clipper.get_by_test_id("toast").all() if toast.is_visible()]
    assert boxes
    covered = clipper.evaluate(
        """(toasts) => [...document.querySelectorAll('.cutter :is(button, input, [role=slider])')]
          .filter((each) => each.checkVisibility()).filter((each) => {
            const box = each.getBoundingClientRect();
            return toasts.some(({ x, y, width, height }) => (
              box.left < x + width && box.right > x && box.top < y + height && box.bottom > y));
          }).map((each) => each.dataset.testid)""", boxes)
    assert covered == []
    newest.get_by_test_id("toast-action").click()
    expect(clipper.get_by_test_id("clip-row")).to_have_count(9)


@on("phone", "small phone")
def test_a_tap_seeks_between_and_on_the_handles(clipper):
    cut_eight_times(clipper)
    before = clipper.get_by_test_id("clip-row").evaluate_all("(rows) => rows.map((row) => row.dataset.start)")
    wave = resting_box(clipper.get_by_test_id("stage-wave"))
    # At the height of the flags: between two of them, at the edge of one, on its line.
    for seconds in (3.75, 8, 12.5):
        x, _ = place(clipper, seconds)
        clipper.touchscreen.tap(x, wave["y"] + wave["height"] - 12)
        eventually(lambda: needle(clipper), lambda at: abs(at - seconds) < 0.2)
    after = clipper.get_by_test_id("clip-row").evaluate_all("(rows) => rows.map((row) => row.dataset.start)")
    assert after == before, "a tap moves no border"


def labels(page):
    return [text.strip() for text in page.locator("[data-testid^=band-]").all_inner_texts()]


@on("phone", "desktop")
def test_a_band_without_room_for_its_name_shows_its_number(clipper):
    cut_eight_times(clipper)
    is_wide = clipper.viewport_size["width"] > 1000
    # The last part is long enough for its name.
    wanted = [f"Part {number}" if is_wide or number == 9 else str(number) for number in range(1, 10)]
    assert eventually(lambda: labels(clipper), lambda seen: seen == wanted) == wanted
    # Zoomed in, the name has room.
    for _ in range(3):
        clipper.get_by_test_id("zoom-in").click()
    expect(clipper.locator("[data-testid^=band-]").filter(has_text="Part ").first).to_be_visible()


def test_a_song_becomes_a_routine_of_eight_parts_in_few_taps_without_scrolling(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **PHONE) as page:
        open_only(page)
        taps = []

        def tap(name):
            button = page.get_by_test_id(name)
            expect(button).to_be_in_viewport(ratio=1)
            box = resting_box(button)
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            taps.append(name)

        tap("play")
        heard = 0
        for cuts in range(1, 8):
            # A part has at least a tenth of a second.
            heard = eventually(lambda: needle(page), lambda at: at > heard + 0.4)
            tap("cut-here")
            expect(page.get_by_test_id("clip-row")).to_have_count(cuts + 1)
        assert page.locator(".cutter-desk").evaluate("(desk) => desk.scrollTop") == 0
        tap("make-routine")
        expect(page.get_by_test_id("make-routine-title")).to_have_value("Swan")
        expect(page.get_by_test_id("make-routine-title")).not_to_be_focused()
        page.wait_for_function("() => document.getAnimations().every(({ playState }) => playState !== 'running')")
        tap("make-routine-confirm")
        expect(page.get_by_test_id("routine-page")).to_be_visible()
        assert len(taps) <= 11, taps
        # Before the page is closed, as it sends what it has made a moment after it shows it.
        parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 8)
    assert len(parts) == 8 and server.records("routine")[0]["title"] == "Swan"


def test_the_title_of_a_routine_of_clips_is_tidied_and_can_be_changed(desktop, server):
    server.add("track", "breaking_the_chains.wav", song(6))
    desktop.goto(server.origin + "/clipper")
    expect(desktop.get_by_test_id("track")).to_contain_text("breaking the chains")
    open_only(desktop)
    cut(desktop, 3)
    desktop.get_by_test_id("make-routine").click()
    title = desktop.get_by_test_id("make-routine-title")
    expect(title).to_have_value("breaking the chains")
    expect(title).to_be_focused()
    title.fill("  ")
    expect(desktop.get_by_test_id("make-routine-confirm")).to_be_disabled()
    title.fill("Chains")
    title.press("Enter")
    expect(desktop.get_by_test_id("routine-page")).to_be_visible()
    eventually(lambda: [each["title"] for each in server.records("routine")], lambda seen: seen == ["Chains"])
    # A routine from the whole song gets the same name.
    desktop.goto(server.origin + "/clipper")
    desktop.get_by_test_id("song-menu").click()
    desktop.get_by_test_id("track-make-routine").click()
    expect(desktop.get_by_test_id("song-title")).to_have_value("breaking the chains")


def test_the_card_of_a_song_plays_it_and_renames_it(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        card = page.get_by_test_id("track")
        play = page.get_by_test_id("song-play")
        expect(play).to_have_accessible_name("Play Swan")
        play.click()
        expect(play).to_have_accessible_name("Pause Swan")
        play.click()
        expect(play).to_have_accessible_name("Play Swan")
        page.get_by_test_id("song-menu").click()
        page.get_by_test_id("song-rename").click()
        page.get_by_test_id("track-title").fill("Black swan")
        page.get_by_test_id("rename-done").click()
        expect(card).to_contain_text("Black swan")
        eventually(lambda: server.records("track")[0]["title"], lambda title: title == "Black swan")
        # Opened for cutting, it no longer plays.
        play.click()
        expect(play).to_have_accessible_name("Pause Black swan")
        open_only(page)
        expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "false")
