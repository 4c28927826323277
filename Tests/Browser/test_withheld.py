"""Notes about a missing wake lock or missing media keys."""

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
# Deletes the properties from their prototypes, so that the page does not find them.
MISSING_LOCK = "delete Navigator.prototype.wakeLock;"
MISSING_KEYS = "delete Navigator.prototype.mediaSession;"


def practise(page, *scripts):
    """Opens a page with one part, after the scripts have changed the browser's interfaces."""
    for script in scripts:
        page.add_init_script(script)
    # Counts that are found meanwhile would stand beside the time.
    page.route("**/api/tracks/*/analysis*", lambda route: route.fulfill(json={"attacks": [], "changes": [], "beats": None}))
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


def positions(page):
    """Returns the positions of all elements except the note."""
    return page.evaluate(
        """() => [...document.querySelectorAll(
            '[data-testid=routine-page] :is(button, main, header, section)')]
          .filter((element) => !element.closest('.withheld'))
          .map((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [element.className, x, y, width, height];
          })""")


def test_no_note_is_shown_if_the_browser_supports_everything(phone):
    play(practise(phone, GRANTED))
    for name in ("screen", "keys"):
        expect(note(phone, name)).to_have_count(0)


@pytest.mark.parametrize(
    "size, script", [("phone", REFUSED), ("desktop", MISSING_LOCK)], ids=["phone", "desktop"])
@pytest.mark.moving("what appears could push the rest")
def test_a_note_about_screen_sleep_is_shown_during_playback_without_a_layout_shift(request, size, script):
    page = practise(request.getfixturevalue(size), script)
    before = positions(page)
    expect(note(page, "screen")).to_have_count(0)
    play(page)
    expect(note(page, "screen")).to_contain_text("can’t keep the screen on")
    expect(note(page, "screen")).to_be_in_viewport(ratio=1)
    assert eventually(lambda: positions(page), lambda seen: seen == before) == before
    page.get_by_test_id("play").click()
    expect(note(page, "screen")).to_have_count(0)


def test_a_dismissed_note_stays_hidden_on_this_device(phone):
    page = practise(phone, MISSING_LOCK, MISSING_KEYS)
    play(page)
    # Only one note is shown at a time, and the one about the screen comes first.
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


def test_a_wake_lock_that_is_granted_later_hides_the_note(phone):
    page = practise(phone, REFUSED)
    play(page)
    expect(note(page, "screen")).to_be_visible()
    page.evaluate("() => { isRefused = false; }")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(note(page, "screen")).to_have_count(0)
    assert page.evaluate("() => asked") == 2


def test_a_released_wake_lock_is_requested_again_until_the_request_is_refused(phone):
    page = practise(phone, REFUSED, "isRefused = false;")
    play(page)
    release = "() => lock.dispatchEvent(new Event('release'))"
    page.evaluate(release)
    page.wait_for_function("() => asked === 2")
    expect(note(page, "screen")).to_have_count(0)
    page.evaluate("() => { isRefused = true; }")
    page.evaluate(release)
    expect(note(page, "screen")).to_contain_text("can’t keep the screen on")
    assert page.evaluate("() => asked") == 3


def test_the_note_does_not_move_the_large_player(phone):
    page = practise(phone, REFUSED)
    page.get_by_test_id("player-expand").click()
    settled(page)
    before = positions(page)
    play(page)
    expect(note(page, "screen")).to_be_in_viewport(ratio=1)
    assert eventually(lambda: positions(page), lambda seen: seen == before) == before
    page.set_viewport_size({"width": 320, "height": 568})
    expect(note(page, "screen")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(note(page, "screen")).to_be_in_viewport(ratio=1)
