"""What is said where the browser withholds the wake lock or media keys, and where it does not."""

import pytest
from playwright.sync_api import expect
from studio import create, eventually, song

GRANTED = """
Object.defineProperty(navigator, 'wakeLock', {
  configurable: true,
  value: {
    request: async () => Object.assign(new EventTarget(), { release: async () => undefined }),
  },
});
"""
REFUSED = """
window.isRefused = true;
Object.defineProperty(navigator, 'wakeLock', {
  configurable: true,
  value: {
    request: async () => {
      window.asked = (window.asked ?? 0) + 1;
      if (isRefused) throw new DOMException('to save the battery', 'NotAllowedError');
      window.lock = Object.assign(new EventTarget(), { release: async () => undefined });
      return lock;
    },
  },
});
"""
# Deleted where they are defined: the page has to find nothing there.
MISSING_LOCK = "delete Navigator.prototype.wakeLock;"
MISSING_KEYS = "delete Navigator.prototype.mediaSession;"


def practise(page, *scripts):
    """A page with one part whose browser is as the scripts make it."""
    for script in scripts:
        page.add_init_script(script)
    page.reload()
    create(page, "Swan", [("One.wav", song(12))])
    expect(page.get_by_test_id("play")).to_be_enabled()
    settled(page)
    return page


def settled(page):
    page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished))")


def play(page):
    page.get_by_test_id("play").click()
    page.wait_for_function(
        "() => document.querySelector('[data-testid=player]')"
        ".textContent.match(/0:0[1-9]/)")


def note(page, name):
    return page.get_by_test_id(f"withheld-{name}")


def places(page):
    """Where everything but the note stands."""
    return page.evaluate(
        """() => [...document.querySelectorAll(
            '[data-testid=routine-page] :is(button, main, header, section)')]
          .filter((element) => !element.closest('.withheld'))
          .map((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [element.className, x, y, width, height];
          })""")


def test_nothing_is_said_where_the_browser_gives_all(phone):
    play(practise(phone, GRANTED))
    for name in ("screen", "keys"):
        expect(note(phone, name)).to_have_count(0)


@pytest.mark.parametrize(
    "size, script", [("phone", REFUSED), ("desktop", MISSING_LOCK)], ids=["phone", "desktop"])
def test_a_screen_that_may_sleep_is_told_while_it_plays_and_moves_nothing(request, size, script):
    page = practise(request.getfixturevalue(size), script)
    before = places(page)
    expect(note(page, "screen")).to_have_count(0)
    play(page)
    expect(note(page, "screen")).to_contain_text("can’t keep the screen on")
    expect(note(page, "screen")).to_be_in_viewport(ratio=1)
    assert eventually(lambda: places(page), lambda seen: seen == before) == before
    page.get_by_test_id("play").click()
    expect(note(page, "screen")).to_have_count(0)


def test_a_note_dismissed_stays_away_on_this_device(phone):
    page = practise(phone, MISSING_LOCK, MISSING_KEYS)
    play(page)
    # One at a time, the screen first.
    expect(note(page, "keys")).to_have_count(0)
    page.get_by_test_id("withheld-close").click()
    expect(note(page, "screen")).to_have_count(0)
    expect(note(page, "keys")).to_contain_text("Media keys")
    page.get_by_test_id("withheld-close").click()
    expect(note(page, "keys")).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("play")).to_be_enabled()
    play(page)
    for name in ("screen", "keys"):
        expect(note(page, name)).to_have_count(0)


def test_a_lock_that_is_granted_later_takes_the_note_away(phone):
    page = practise(phone, REFUSED)
    play(page)
    expect(note(page, "screen")).to_be_visible()
    page.evaluate("() => { isRefused = false; }")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(note(page, "screen")).to_have_count(0)
    assert page.evaluate("() => asked") == 2


def test_a_lock_that_is_taken_back_is_asked_for_again_until_that_is_refused(phone):
    page = practise(phone, REFUSED, "isRefused = false;")
    play(page)
    take_back = "() => lock.dispatchEvent(new Event('release'))"
    page.evaluate(take_back)
    page.wait_for_function("() => asked === 2")
    expect(note(page, "screen")).to_have_count(0)
    page.evaluate("() => { isRefused = true; }")
    page.evaluate(take_back)
    expect(note(page, "screen")).to_contain_text("can’t keep the screen on")
    assert page.evaluate("() => asked") == 3


def test_the_note_leaves_the_large_player_its_place(phone):
    page = practise(phone, REFUSED)
    page.get_by_test_id("player-expand").click()
    settled(page)
    before = places(page)
    play(page)
    expect(note(page, "screen")).to_be_in_viewport(ratio=1)
    assert eventually(lambda: places(page), lambda seen: seen == before) == before
    page.set_viewport_size({"width": 320, "height": 568})
    expect(note(page, "screen")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(note(page, "screen")).to_be_in_viewport(ratio=1)
