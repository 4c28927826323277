"""A remote that controls another device's player."""

import contextlib
import re

import pytest
from devices_support import DESKTOP, opened, paired_phone, studio, swan
from playwright.sync_api import expect
from studio import eventually
from test_click import analyse
from test_moves import write

__all__ = ["studio", "swan"]

# Replaces the browser's autoplay rule, because Playwright's evaluation counts as a user gesture.
NO_SOUND_WITHOUT_A_TOUCH = """
  const Plain = window.AudioContext;
  let isTouched = false;
  window.addEventListener('pointerdown', () => { isTouched = true; }, true);
  window.AudioContext = class extends Plain {
    constructor(...options) { super(...options); void super.suspend(); }
    resume() {
      return isTouched ? super.resume() : Promise.reject(new DOMException('no touch', 'NotAllowedError'));
    }
  };"""


@contextlib.contextmanager
def pair_of_players(chromium, studio, swan, **laptop_settings):
    """A phone with the routine open, and the laptop as the player."""
    with paired_phone(chromium, studio, "Phone") as phone:
        phone.get_by_test_id("routine-card").filter(has_text="Swan").click()
        expect(phone.get_by_test_id("play")).to_be_enabled()
        with opened(chromium, studio.origin + swan, **DESKTOP, **laptop_settings) as laptop:
            expect(laptop.get_by_test_id("play")).to_be_enabled()
            yield phone, laptop


def choose(page, expand=False):
    """Makes the page a remote of the only other player."""
    if expand:
        page.get_by_test_id("player-expand").click()
    page.get_by_test_id("open-remote").click()
    expect(page.get_by_test_id("player-row")).to_have_count(1)
    page.get_by_test_id("player-row").click()
    expect(page.get_by_test_id("remote")).to_have_attribute("data-reach", "joined")


#: A clock that has gone on, however late it is looked at.
WENT_ON = re.compile(r"^0:(0[1-9]|1\d)$")

#: Writes down the numbers of a countdown: each is there for a second only.
COUNTED = """(countdown) => {
  window.counted = [];
  new MutationObserver(() => {
    const number = document.querySelector(`[data-testid=${countdown}]`)?.textContent;
    if (number !== undefined && number !== counted[counted.length - 1]) counted.push(number);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""


def expect_counted(page):
    """Expects a countdown from three. A late page skips to the next number, so one can be missing."""
    counted = page.evaluate("() => counted")
    assert counted in (["3", "2", "1"], ["3", "2"], ["3", "1"], ["2", "1"])


def seconds_of(page, clock):
    """Returns the seconds of a clock of the page: `time-now` of the player or `remote-now` of the remote."""
    minutes, seconds = page.get_by_test_id(clock).inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def test_the_phone_controls_the_laptop(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        laptop.get_by_test_id("pager").click()
        choose(phone, expand=True)
        expect(phone.get_by_test_id("remote-title")).to_have_text("1. Entrance")
        expect(laptop.get_by_test_id("controlled-note")).to_have_text("Controlled from Phone")
        # Play: the time advances on both pages.
        phone.get_by_test_id("remote-play").click()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        expect(laptop.get_by_test_id("time-now")).to_have_text(WENT_ON)
        # The phone's clock is read between two readings of the laptop's. The laptop's state can arrive late.
        eventually(
            lambda: (seconds_of(laptop, "time-now"), seconds_of(phone, "remote-now"),
                     seconds_of(laptop, "time-now")),
            lambda seen: seen[0] - 1 <= seen[1] <= seen[2] + 1)
        # Set A and B: the section loops on the laptop.
        phone.get_by_test_id("remote-section").click()
        expect(laptop.get_by_test_id("section")).to_have_attribute("data-step", "setB")
        phone.get_by_test_id("remote-forward").click()
        phone.get_by_test_id("remote-section").click()
        expect(laptop.get_by_test_id("section")).to_have_attribute("aria-pressed", "true")
        expect(phone.get_by_test_id("remote-section")).to_have_attribute("aria-pressed", "true")
        phone.get_by_test_id("remote-clear").click()
        expect(laptop.get_by_test_id("section")).to_have_attribute("data-step", "setA")
        phone.get_by_test_id("remote-loop").click()
        expect(laptop.get_by_test_id("loop")).to_have_attribute("aria-pressed", "true")
        # Speed.
        phone.get_by_test_id("remote-slower").click()
        phone.get_by_test_id("remote-slower").click()
        expect(laptop.get_by_test_id("speed-dial")).to_contain_text("90%")
        expect(phone.get_by_test_id("remote-speed")).to_have_text("90%")
        # Pause.
        phone.get_by_test_id("remote-play").click()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "false")
        # The next part, on both pages.
        phone.get_by_test_id("remote-next").click()
        expect(laptop.get_by_test_id("jump-button")).to_contain_text("2. Chorus")
        expect(phone.get_by_test_id("remote-title")).to_have_text("2. Chorus")
        expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Chorus")
        expect(phone.get_by_test_id("remote-next")).to_be_disabled()
        phone.get_by_test_id("remote-previous").click()
        expect(laptop.get_by_test_id("jump-button")).to_contain_text("1. Entrance")
        # The phone shows the laptop's changes.
        laptop.get_by_test_id("play").click()
        expect(phone.get_by_test_id("remote-play")).to_have_attribute("data-playing", "true")
        # Return to the phone's own player.
        phone.get_by_test_id("remote-stop").click()
        expect(phone.get_by_test_id("player")).to_be_visible()
        expect(laptop.get_by_test_id("controlled-note")).to_be_hidden()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "true")


def test_a_remote_goes_to_the_routine_of_the_player(chromium, studio, swan):
    track = studio.records("track")[0]["id"]
    [duck] = write(studio, [("routine", {"title": "Duck"})])
    pond, lake = write(studio, [
        ("part", {"routine": duck, "title": title, "position": position, "track": track,
                  "startFrame": 0, "endFrame": 480_000})
        for title, position in [("Pond", "a"), ("Lake", "b")]])
    write(studio, [("move", {"part": pond, "title": "Paddle", "position": "V"}),
                   ("move", {"part": lake, "title": "Dive", "position": "V"})])
    with paired_phone(chromium, studio, "Phone") as phone:
        phone.get_by_test_id("routine-card").filter(has_text="Swan").click()
        expect(phone.get_by_test_id("play")).to_be_enabled()
        with opened(chromium, f"{studio.origin}/routines/{duck}", **DESKTOP) as laptop:
            expect(laptop.get_by_test_id("play")).to_be_enabled()
            choose(phone, expand=True)
            # The moves of the routine that sounds, not those of the one that was open here.
            expect(phone.get_by_test_id("remote-title")).to_have_text("1. Pond")
            expect(phone.get_by_test_id("jump-button")).to_contain_text("1. Pond")
            expect(phone.get_by_text("Paddle")).to_be_visible()
            phone.get_by_test_id("remote-next").click()
            expect(laptop.get_by_test_id("jump-button")).to_contain_text("2. Lake")
            # The moves of the next part are rendered before it is shown, so its title tells that it is.
            expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Lake")
            expect(phone.get_by_text("Dive")).to_be_visible()
            phone.get_by_test_id("remote-stop").click()
            expect(phone.get_by_test_id("player")).to_be_visible()
            expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Lake")
            expect(laptop.get_by_test_id("controlled-note")).to_be_hidden()
            phone.go_back()
            expect(phone.get_by_test_id("routine-card")).to_have_count(3)


def test_the_laptop_controls_the_phone_with_keys(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        phone.get_by_test_id("player-expand").click()
        choose(laptop)
        laptop.get_by_test_id("pager").click()
        laptop.keyboard.press("Space")
        expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        # Waits for the effect of each press, because commands that cannot be sent soon are dropped.
        laptop.keyboard.press("l")
        expect(laptop.get_by_test_id("remote-loop")).to_have_attribute("aria-pressed", "true")
        expect(phone.get_by_test_id("loop")).to_have_attribute("aria-pressed", "true")
        laptop.keyboard.press("ArrowRight")
        laptop.keyboard.press("ArrowRight")
        expect(laptop.get_by_test_id("remote-now")).to_have_text(re.compile(r"^0:1\d$"))
        expect(phone.get_by_test_id("time-now")).to_have_text(re.compile(r"^0:1\d$"))
        laptop.keyboard.press("-")
        expect(laptop.get_by_test_id("remote-speed")).to_have_text("95%")
        expect(phone.get_by_test_id("speed-dial")).to_contain_text("95%")
        laptop.keyboard.press("Space")
        expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "false")
        laptop.keyboard.press("PageDown")
        expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Chorus")
        # The laptop's own player got none of the commands.
        laptop.get_by_test_id("remote-stop").click()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "false")


def test_a_player_without_a_user_gesture_reports_that_it_needs_a_tap(chromium, studio, swan):
    with pair_of_players(
            chromium, studio, swan, script=NO_SOUND_WITHOUT_A_TOUCH) as (phone, laptop):
        choose(phone, expand=True)
        phone.get_by_test_id("remote-play").click()
        expect(laptop.get_by_test_id("tap-note")).to_be_visible()
        expect(phone.get_by_test_id("remote-trouble")).to_contain_text("needs one tap")
        laptop.get_by_test_id("tap-note").click()
        expect(laptop.get_by_test_id("tap-note")).to_be_hidden()
        expect(phone.get_by_test_id("remote-trouble")).to_be_hidden()
        expect(laptop.get_by_test_id("time-now")).to_have_text(WENT_ON)


def test_the_remote_shows_the_players_countdown(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        studio.set("countdownSeconds", 3)
        laptop.get_by_test_id("pager").click()
        expect(laptop.get_by_test_id("countdown-dial")).to_contain_text("3 s")
        choose(phone, expand=True)
        phone.evaluate(COUNTED, "remote-count")
        laptop.evaluate(COUNTED, "countdown-number")
        phone.get_by_test_id("remote-play").click()
        expect(phone.get_by_test_id("remote-now")).to_have_text(WENT_ON)
        expect_counted(laptop)
        expect_counted(phone)


def test_the_remote_shows_the_numbers_of_a_count_in(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        analyse(laptop)
        laptop.reload()
        studio.set("countIn", "four")
        expect(laptop.get_by_test_id("countdown-dial")).to_contain_text("5–8")
        choose(phone, expand=True)
        phone.evaluate(COUNTED, "remote-count")
        phone.get_by_test_id("remote-play").click()
        expect(phone.get_by_test_id("remote-now")).to_have_text(WENT_ON)
        # In seconds it would be 2 and then 1. A late page skips numbers.
        counted = phone.evaluate("() => counted")
        assert len(counted) >= 2 and counted == sorted(counted) and set(counted) <= {"2", "3", "4", "5"}


@pytest.mark.timed
def test_a_lost_connection_is_shown_within_five_seconds_and_recovers(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        choose(phone, expand=True)
        laptop.context.set_offline(True)
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "lost", timeout=5_500)
        expect(phone.get_by_test_id("remote-play")).to_be_disabled()
        laptop.context.set_offline(False)
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "joined")


def test_a_player_that_left_its_routine_disappears_and_another_can_be_chosen(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        choose(phone, expand=True)
        laptop.get_by_test_id("routine-back").click()
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "gone")
        phone.get_by_test_id("remote-again").click()
        expect(phone.get_by_test_id("no-players")).to_be_visible()
        laptop.get_by_test_id("routine-card").filter(has_text="Swan").click()
        expect(phone.get_by_test_id("player-row")).to_contain_text("Swan · 1. Entrance")
        phone.get_by_test_id("player-row").click()
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "joined")
