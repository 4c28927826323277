"""Media keys and the lock screen while a part plays at half speed."""

import pytest
from playwright.sync_api import expect
from prepared import songs
from studio import DESKTOP, RATE, eventually, first_screen, open_card, resting_box
from test_moves import change
from video_support import part_of

# Records what the page reports to the system, and extrapolates the position as the system does.
SYSTEM = """
window.keys = {};
const session = navigator.mediaSession;
const setActionHandler = session.setActionHandler.bind(session);
session.setActionHandler = (action, handler) => {
  keys[action] = handler;
  setActionHandler(action, handler);
};
const setPositionState = session.setPositionState.bind(session);
session.setPositionState = (state) => {
  window.told = { ...state, at: performance.now() };
  // The browser itself refuses a position after the end, or a rate of 0.
  setPositionState(state);
};
window.press = (action, details = {}) => keys[action]({ action, ...details });
window.shownBySystem = () => {
  const passed = (performance.now() - told.at) / 1000;
  return told.position + (session.playbackState === 'playing' ? passed * told.playbackRate : 0);
};
// The numbers of a countdown as they appear, and the position that the system showed.
window.counted = [];
new MutationObserver(() => {
  const number = document.querySelector('[data-testid=countdown-number]')?.textContent;
  if (number === undefined || number === counted[counted.length - 1]?.number) return;
  counted.push({ number, position: shownBySystem() });
}).observe(document, { childList: true, characterData: true, subtree: true });
"""


def halved_songs(server):
    """A routine of two parts, the first at half speed."""
    first, _ = songs(server, ("One", 12), ("Two", 5))
    change(server, "part", first, {"rate": 0.5})


@pytest.fixture
def library(begin_with):
    begin_with(halved_songs)


@pytest.fixture
def halved(library, chromium, server):
    """The first part on a desktop page."""
    with first_screen(chromium, server, script=SYSTEM, **DESKTOP) as page:
        open_card(page)
        yield page


def press(page, action, **details):
    page.evaluate("([action, details]) => press(action, details)", [action, details])


def expect_playing(page, is_playing):
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", str(is_playing).lower())
    page.wait_for_function(
        "(state) => navigator.mediaSession.playbackState === state",
        arg="playing" if is_playing else "paused")


def both_at(page, seconds, late=0):
    """Waits until the page shows `seconds`, or up to `late` seconds more; returns the positions that the
    page and the system show."""
    both = page.wait_for_function(
        """([seconds, late]) => {
          const clock = document.querySelector('[data-testid=time-now]').textContent.split(':');
          const shown = Number(clock[0]) * 60 + Number(clock[1]);
          return shown >= seconds && shown <= seconds + late && { shown, position: shownBySystem() };
        }""",
        arg=[seconds, late]).json_value()
    return both["shown"], both["position"]


def expect_agreement(page, seconds, late=0):
    """Expects the system to show the page's position. The page rounds down to whole seconds; the system
    may differ by half a second, and a tenth is added for some animation frames."""
    shown, position = both_at(page, seconds, late)
    assert -0.6 < position - shown < 1.6, (seconds, shown, position)


@pytest.mark.timed
def test_play_and_pause_keep_the_systems_position_correct(halved):
    page = halved
    press(page, "play")
    expect_playing(page, True)
    # At half speed, two seconds of the song take four seconds.
    expect_agreement(page, 2)
    assert page.evaluate("() => told.playbackRate") == 0.5
    assert page.evaluate("() => told.duration") == 12
    press(page, "pause")
    expect_playing(page, False)
    shown, stands = both_at(page, 2, late=4)
    # The page counts the buffered audio shortly after its report to the system.
    assert shown - 0.2 < stands < shown + 1
    press(page, "play")
    expect_playing(page, True)
    expect_agreement(page, shown + 1)
    press(page, "stop")
    expect_playing(page, False)


@pytest.mark.parametrize(
    "is_playing", [pytest.param(True, marks=pytest.mark.timed), False])
def test_seeking_uses_seconds_of_the_song_and_is_reported_to_the_system(halved, is_playing):
    page = halved
    if is_playing:
        press(page, "play")
        expect_playing(page, True)
    for action, details, wanted in (
            ("seekto", {"seekTime": 6}, 6), ("seekforward", {"seekOffset": 3}, 9),
            ("seekbackward", {"seekOffset": 7}, 2), ("seekforward", {}, 12),
            ("seekto", {"seekTime": 1}, 1)):
        press(page, action, **details)
        if wanted == 12:
            expect_playing(page, False)
            continue
        # Playback continues between the press and the check.
        expect_agreement(page, wanted, late=2 if is_playing else 0)
    expect_playing(page, False)
    press(page, "play")
    expect_playing(page, True)
    expect_agreement(page, 2)


@pytest.mark.timed
def test_the_systems_position_stays_correct_over_the_turns_of_a_loop(halved):
    page = halved
    page.keyboard.press("b")
    press(page, "seekto", seekTime=2)
    page.keyboard.press("a")
    expect(page.get_by_test_id("section")).to_have_attribute("aria-pressed", "true")
    press(page, "play")
    for seconds in (1, 0, 1, 0, 1):
        # The next report, up to a thirtieth of a second later, corrects the position after a turn.
        page.wait_for_function(
            """(seconds) => document.querySelector('[data-testid=time-now]').textContent
              === `0:0${seconds}` && Math.abs(shownBySystem() - seconds - 0.5) < 1.1""",
            arg=seconds)
    expect_playing(page, True)


@pytest.mark.timed
def test_a_countdown_does_not_run_ahead_on_the_lock_screen(halved):
    page = halved
    page.get_by_test_id("countdown-dial").click()
    page.get_by_role("dialog").get_by_text("3 s", exact=True).click()
    page.keyboard.press("Escape")
    press(page, "play")
    expect_agreement(page, 1)
    counted = page.evaluate("() => counted")
    # A late page skips to the next number, so one can be missing.
    assert len(counted) >= 2 and all(each["position"] < 0.6 for each in counted), counted


def test_the_next_and_previous_track_keys_change_the_part(halved):
    page = halved
    press(page, "nexttrack")
    expect(page.get_by_test_id("jump-button")).to_contain_text("2. Two")
    page.wait_for_function("() => told.duration === 5 && told.playbackRate === 1")
    press(page, "previoustrack")
    expect(page.get_by_test_id("jump-button")).to_contain_text("1. One")
    page.wait_for_function("() => told.duration === 12 && told.playbackRate === 0.5")


def test_an_open_sheet_stays_with_its_part_when_the_part_changes(halved, server):
    page = halved
    for dial, choice, field, chosen in (
            ("speed", "70%", "rate", 0.7), ("pitch", "pitch-more", "semitones", 1),
            ("countdown", "3 s", "countdownSeconds", 3), ("repeat", "3×", "repeatLimit", 3)):
        dial_value = page.get_by_test_id(f"{dial}-dial")
        dial_value.click()
        sheet = page.get_by_test_id(f"{dial}-sheet")
        expect(sheet).to_be_visible()
        press(page, "nexttrack")
        expect(page.get_by_test_id("jump-button")).to_contain_text("2. Two")
        before = dial_value.inner_text()
        if dial == "pitch":
            sheet.get_by_test_id(choice).click()
        else:
            sheet.get_by_text(choice, exact=True).click()
        eventually(lambda: part_of(server, "One").get(field), lambda value: value == chosen)
        assert part_of(server, "One")[field] == chosen
        assert part_of(server, "Two").get(field) is None
        assert dial_value.inner_text() == before
        assert page.evaluate("() => told.playbackRate") == 1, "what is heard is the second part"
        page.get_by_test_id("sheet-close").click()
        press(page, "previoustrack")
        expect(page.get_by_test_id("jump-button")).to_contain_text("1. One")


def test_a_dragged_marker_stays_with_its_part_when_the_part_changes(halved, server):
    page = halved
    press(page, "seekto", seekTime=2)
    page.keyboard.press("a")
    marker = page.get_by_test_id("marker-a")
    box = resting_box(marker)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=3)
    expect(marker).not_to_have_attribute("data-frame", str(2 * RATE))
    press(page, "nexttrack")
    expect(page.get_by_test_id("jump-button")).to_contain_text("2. Two")
    expect(marker).to_have_count(0)
    page.mouse.move(x + 60, y, steps=3)
    page.mouse.up()
    expect(marker).to_have_count(0)
    # A later change arrives after all earlier ones.
    page.get_by_test_id("loop").click()
    eventually(lambda: part_of(server, "Two").get("loopMode"), lambda mode: mode == "whole")
    assert part_of(server, "Two").get("markerA") is None
    press(page, "previoustrack")
    expect(marker).to_have_attribute("data-frame", str(2 * RATE))


def test_leaving_the_page_removes_the_media_key_handlers(halved):
    page = halved
    press(page, "play")
    expect_playing(page, True)
    page.get_by_test_id("routine-back").click()
    expect(page.get_by_test_id("routine-card")).to_be_visible()
    page.wait_for_function("() => Object.values(keys).every((handler) => handler === null)")
    assert page.evaluate("() => navigator.mediaSession.playbackState") == "none"
