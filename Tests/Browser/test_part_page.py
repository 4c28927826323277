"""The page of a part and its player: nothing is cut off at any size, and what the buttons do."""

import re

import pytest
from playwright.sync_api import expect
from prepared import filmed, has_parts
from studio import eventually, first_screen, open_card, resting_box
from test_moves import Finger, write
from video_support import open_video, video_file

SIZES = [(390, 844), (844, 390), (320, 568), (768, 1024), (1280, 800)]
TITLES = ["Opening: the long walk through the forest", *(f"Part {number}" for number in range(2, 12))]

# What is outside the window, smaller than a finger, or over something else, in the head and the player.
FAULTS = """
  () => {
    const shown = [...document.querySelectorAll(
      ':is(.practice-head, .practice-bar, .player) :is(button, [data-testid=time-now], .times-total, .marker-steps b)')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true })
        && !each.closest('[inert], .part-strip, .part-list') && each.getBoundingClientRect().width > 0)
      .map((each) => ({ each, name: each.dataset.testid ?? each.className, box: each.getBoundingClientRect() }));
    const faults = [];
    for (const { each, name, box } of shown) {
      if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) {
        faults.push(`${name} is cut off: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
      }
      if (each.matches('button') && (box.width < 43.5 || box.height < 43.5)) {
        faults.push(`${name} is small: ${Math.round(box.width)} × ${Math.round(box.height)}`);
      }
      for (const other of shown) {
        if (other.each === each || other.each.contains(each) || each.contains(other.each)) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 1) faults.push(`${name} is over ${other.name}`);
      }
    }
    const strip = document.querySelector('.part-strip ol');
    const row = strip?.getBoundingClientRect();
    for (const number of strip?.children ?? []) {
      const { left, right } = number.getBoundingClientRect();
      const isIn = left >= row.left - 1 && right <= row.right + 1;
      if (!isIn && right > row.left + 1 && left < row.right - 1) faults.push(`part ${number.textContent} is cut`);
    }
    const wide = document.documentElement;
    if (wide.scrollWidth > wide.clientWidth) faults.push('the page is wider than the window');
    return faults;
  }
"""


def settled(page):
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")


def faults(page):
    """Returns the faults once nothing moves; the layout may still follow a change."""
    settled(page)
    try:
        return eventually(lambda: page.evaluate(FAULTS), lambda found: found == [], 5)
    except AssertionError:
        return page.evaluate(FAULTS)


def on_screen(chromium, server, size, **settings):
    width, height = size
    return first_screen(
        chromium, server, viewport={"width": width, "height": height}, has_touch=width < 1000, **settings)


@pytest.fixture
def many_parts(begin_with):
    begin_with(filmed, video_file(), 0, *((title, 12) for title in TITLES))


@pytest.mark.parametrize("size", SIZES, ids=[f"{width}x{height}" for width, height in SIZES])
@pytest.mark.parametrize("language", ["en", "es"])
def test_nothing_is_cut_off_or_covered(many_parts, chromium, server, size, language):
    with on_screen(chromium, server, size, locale=language) as page:
        open_card(page)
        assert faults(page) == [], "the page"
        if size[0] < 992:
            page.get_by_test_id("player-expand").click()
            assert faults(page) == [], "the large player"
        scrubber = page.get_by_test_id("scrubber")
        for press in (0.1, 0.9):
            scrubber.click(position={"x": resting_box(scrubber)["width"] * press, "y": 20})
            page.get_by_test_id("section").click()
        expect(page.get_by_test_id("marker-b")).to_have_count(1)
        assert faults(page) == [], "with a section"
        page.get_by_test_id("section-clear").click()
        toast = page.get_by_test_id("toast")
        expect(toast).to_be_visible()
        settled(page)
        lower = toast.bounding_box()["y"] + toast.bounding_box()["height"]
        controls = page.locator(".expanded-controls, .is-docked .expanded-wave").first.bounding_box()
        assert lower <= controls["y"] + 1, "a message covers no controls"


@pytest.mark.parametrize("size", [(390, 844), (320, 568)], ids=["390x844", "320x568"])
def test_a_video_stands_above_the_large_player_in_full_width(many_parts, chromium, server, size):
    with on_screen(chromium, server, size) as page:
        open_card(page)
        open_video(page)
        page.get_by_test_id("player-expand").click()
        video = page.get_by_test_id("video")
        eventually(lambda: video.bounding_box()["width"], lambda width: width > size[0] - 20)
        box = video.bounding_box()
        assert box["width"] > size[0] - 20 and box["x"] >= 0 and box["y"] >= 0
        assert faults(page) == []
        player = page.locator(".expanded")
        eventually(lambda: video.bounding_box()["y"] + video.bounding_box()["height"],
                   lambda lower: lower <= player.bounding_box()["y"])


@has_parts(*((title, 12) for title in TITLES[:3]))
def test_play_all_begins_at_the_first_part_or_at_the_shown_one(parts, desktop):
    page = desktop
    open_card(page)
    here = page.get_by_test_id("jump-button")
    for choice, part in [("run-from-start", "1. Opening"), ("run-from-part", "3. Part 3")]:
        page.get_by_test_id("part-number").nth(2).click()
        expect(here).to_contain_text("3. Part 3")
        page.get_by_test_id("action-run").click()
        page.get_by_test_id(choice).click()
        expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        expect(page.get_by_test_id("time-total")).to_have_text("/ 0:36")
        expect(here).to_contain_text(part)
        page.get_by_test_id("action-run").click()
        expect(page.get_by_test_id("time-total")).to_have_text("/ 0:12")


@has_parts(("One", 12), ("Two", 12))
def test_the_menu_hides_the_player_and_shows_it_again(parts, phone):
    open_card(phone)
    for is_shown in (False, True):
        phone.get_by_test_id("action-more").click()
        phone.get_by_test_id("action-audio").click()
        expect(phone.get_by_test_id("player")).to_have_count(1 if is_shown else 0)


@has_parts(("One", 12), ("Two", 12))
def test_the_player_of_a_desktop_can_be_small(parts, desktop):
    page = desktop
    open_card(page)
    player = page.get_by_test_id("player")
    tall = player.bounding_box()["height"]
    page.get_by_test_id("player-collapse").click()
    expect(player).to_have_attribute("data-mode", "compact")
    expect(page.get_by_test_id("player-expand")).to_be_focused()
    assert player.bounding_box()["height"] < 100 < tall
    assert faults(page) == []
    page.reload()
    expect(player).to_have_attribute("data-mode", "compact")
    page.get_by_test_id("player-expand").click()
    expect(player).to_have_attribute("data-mode", "docked")


@has_parts(("One", 12), ("Two", 13))
def test_another_part_plays_on_if_that_is_wanted(parts, desktop):
    page = desktop
    open_card(page)
    play = page.get_by_test_id("play")
    total = page.get_by_test_id("time-total")
    play.click()
    expect(play).to_have_attribute("data-playing", "true")
    page.keyboard.press("PageDown")
    expect(total).to_have_text("/ 0:13")
    expect(play).to_have_attribute("data-playing", "false")
    page.get_by_test_id("action-more").click()
    page.get_by_test_id("action-play-on").click()
    play.click()
    expect(page.get_by_test_id("time-now")).to_have_text("0:01")
    page.keyboard.press("PageUp")
    expect(total).to_have_text("/ 0:12")
    expect(page.get_by_test_id("time-now")).to_have_text("0:01")
    expect(play).to_have_attribute("data-playing", "true")


@has_parts(("One", 12), ("Two", 13))
@pytest.mark.moving("the pager's slide")
def test_a_swipe_on_the_small_player_turns_to_another_part(parts, phone):
    open_card(phone)
    here = phone.get_by_test_id("jump-button")
    small = phone.get_by_test_id("player-expand")
    small.tap()
    expect(phone.get_by_test_id("player")).to_have_attribute("data-mode", "expanded")
    phone.get_by_test_id("player-collapse").tap()
    settled(phone)
    for distance, part in [(-120, "2. Two"), (120, "1. One")]:
        finger = Finger(phone)
        finger.down(small)
        finger.move(distance, 0)
        finger.up()
        expect(here).to_contain_text(part)
        expect(phone.get_by_test_id("player")).to_have_attribute("data-mode", "compact")


@has_parts(("One", 12))
def test_two_quick_presses_make_a_section_of_a_second(parts, phone):
    open_card(phone)
    phone.get_by_test_id("player-expand").click()
    section = phone.get_by_test_id("section")
    section.click()
    section.click()
    frame = [int(phone.get_by_test_id(f"marker-{which}").get_attribute("data-frame")) for which in "ab"]
    assert frame[1] - frame[0] == 48_000
    phone.get_by_test_id("toast-action").click()
    expect(phone.get_by_test_id("marker-b")).to_have_count(0)
    expect(phone.get_by_test_id("marker-a")).to_have_count(1)


@has_parts(("One", 12))
def test_a_cleared_section_can_be_brought_back(parts, phone):
    open_card(phone)
    phone.get_by_test_id("player-expand").click()
    section = phone.get_by_test_id("section")
    section.click()
    phone.get_by_test_id("seek-forward").click()
    section.click()
    phone.get_by_test_id("section-clear").click()
    expect(phone.get_by_test_id("marker-a")).to_have_count(0)
    phone.get_by_test_id("toast-action").click()
    expect(phone.get_by_test_id("marker-a")).to_have_count(1)
    expect(phone.get_by_test_id("marker-b")).to_have_count(1)


@has_parts(("One", 12))
def test_near_the_end_play_starts_from_the_beginning(parts, phone):
    open_card(phone)
    phone.get_by_test_id("player-expand").click()
    scrubber = phone.get_by_test_id("scrubber")
    box = resting_box(scrubber)
    scrubber.click(position={"x": box["width"] * 0.97, "y": 20})
    expect(phone.get_by_test_id("time-now")).to_have_text("0:11")
    phone.get_by_test_id("play").click()
    expect(phone.get_by_test_id("time-now")).to_have_text(re.compile("0:0[0-3]"))
    expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "true")


@has_parts(("One", 12))
def test_the_countdown_hides_the_page_behind_its_number(parts, server, phone):
    server.set("countdownSeconds", 20)
    open_card(phone)
    expect(phone.get_by_test_id("countdown-dial")).to_contain_text("20 s")
    phone.get_by_test_id("play").click()
    backdrop = phone.get_by_test_id("countdown")
    expect(backdrop).to_be_visible()
    colour = backdrop.evaluate("(each) => getComputedStyle(each).backgroundColor")
    assert re.fullmatch(r"rgb\(\d+, \d+, \d+\)", colour), "opaque"


def test_a_long_title_in_the_overview_has_two_lines_until_it_is_pressed(phone, server):
    long = "Grand jeté en tournant, both arms up, eyes to the left side"
    routine, = write(server, [("routine", {"title": "Swan"})])
    part, = write(server, [("part", {"routine": routine, "title": "One", "position": "a"})])
    write(server, [("move", {"part": part, "title": title, "position": position})
                   for title, position in [(long, "a"), ("Plié", "b")]])
    phone.goto(f"{server.origin}/routines/{routine}")
    phone.get_by_test_id("action-more").click()
    phone.get_by_test_id("overview-three").click()
    title = phone.get_by_role("heading", name=long)
    line = title.evaluate("(each) => parseFloat(getComputedStyle(each).lineHeight)")
    assert title.bounding_box()["height"] < 2.5 * line
    opener = phone.get_by_test_id("glance-open")
    expect(opener).to_have_count(1)
    for is_open in (True, False):
        opener.click()
        expect(opener).to_have_attribute("aria-expanded", str(is_open).lower())
        eventually(lambda: title.bounding_box()["height"] > 2.5 * line, lambda tall: tall == is_open)
        assert (title.bounding_box()["height"] > 2.5 * line) == is_open


@has_parts(("One", 12))
def test_title_time_and_speed_are_large_on_both_players(parts, phone):
    open_card(phone)

    def size(selector):
        return phone.locator(f".player {selector}").first.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")

    # On a phone 24 px are about 4 mm: figures that a good eye reads from two metres.
    assert (size(".marquee"), size(".compact-clock"), size("[data-testid=speed-dial] .dial-value")) == (28, 40, 24)
    phone.get_by_test_id("player-expand").click()
    assert size("h2") >= 28 and size("[data-testid=time-now]") >= 48
    assert size("[data-testid=speed-dial] .dial-value") == 24
