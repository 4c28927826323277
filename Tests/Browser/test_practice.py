"""Practising a part: speed, pitch, speed trainer, repeats, and runs."""

import re
import time

import pytest
from playwright.sync_api import expect
from prepared import has_parts, songs
from studio import DESKTOP, PHONE, eventually, first_screen, open_card, resting_box


@pytest.fixture
def parts(request, begin_with):
    """A library with a routine of three short parts, or of the parts that the test gives."""
    begin_with(songs, *getattr(request, "param", [("One", 3), ("Two", 2), ("Three", 2)]))


@pytest.fixture
def routine(parts, browser, server):
    """The routine on a desktop page, open at its first part."""
    with first_screen(browser, server, **DESKTOP) as page:
        open_card(page)
        yield page


@pytest.fixture
def phone_page(parts, browser, server):
    """The routine on a phone, open at its first part."""
    with first_screen(browser, server, **PHONE) as page:
        open_card(page)
        yield page


def first_part(server, *fields):
    part = min(server.records("part"), key=lambda part: part["position"], default={})
    return tuple(part.get(field) for field in fields)


def sheet(page, name):
    page.get_by_test_id(f"{name}-dial").click()
    return page.get_by_test_id(f"{name}-sheet")


def close(page):
    page.get_by_test_id("sheet-close").click()


def part_seconds(page, wanted_end):
    """Returns the seconds from play to the end of the part, by the page's clock."""
    play = page.get_by_test_id("play")
    play.evaluate(
        """(play) => {
          window.turns = [];
          new MutationObserver(() => window.turns.push([play.dataset.playing, performance.now()]))
            .observe(play, { attributeFilter: ['data-playing'] });
        }""")
    play.click()
    turns = eventually(lambda: page.evaluate("window.turns"), lambda turns: len(turns) > 1, wanted_end)
    (began, beginning), (ended, end) = turns
    assert (began, ended) == ("true", "false")
    return (end - beginning) / 1_000


def note(page, test_id):
    """Records the texts of an element, for texts that are shown briefly."""
    page.get_by_test_id(test_id).evaluate(
        """(element) => {
          window.said = [element.textContent];
          new MutationObserver(() => {
            if (window.said.at(-1) !== element.textContent) window.said.push(element.textContent);
          }).observe(element, { childList: true, characterData: true, subtree: true });
        }""")


def test_speed_by_presets_slider_and_keys_is_remembered(routine, server):
    page = routine
    opened = sheet(page, "speed")
    opened.get_by_text("70%", exact=True).click()
    expect(page.get_by_test_id("speed")).to_have_value("70%")
    page.get_by_test_id("speed-more").click()
    expect(page.get_by_test_id("speed")).to_have_value("71%")
    page.get_by_test_id("speed-slider").press("ArrowRight")
    expect(page.get_by_test_id("speed")).to_have_value("72%")
    close(page)
    expect(page.get_by_test_id("speed-dial")).to_contain_text("72%")
    page.get_by_test_id("pager").click()
    page.keyboard.press("+")
    expect(page.get_by_test_id("speed-dial")).to_contain_text("77%")
    for _ in range(30):
        page.keyboard.press("-")
    expect(page.get_by_test_id("speed-dial")).to_contain_text("25%")
    eventually(lambda: first_part(server, "rate"), lambda rate: rate == (0.25,))
    page.reload()
    expect(page.get_by_test_id("speed-dial")).to_contain_text("25%")
    # The small player on a phone also shows the speed.
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_test_id("speed-dial")).to_contain_text("25%")
    page.get_by_test_id("player-expand").click()
    page.get_by_test_id("practice-reset").click()
    page.get_by_test_id("player-collapse").click()
    expect(page.get_by_test_id("player-expand")).to_be_visible()
    expect(page.get_by_test_id("speed-dial")).to_contain_text("100%")


def test_a_drag_on_the_slider_rounds_to_fives_and_an_arrow_key_goes_one_step(routine):
    page = routine
    sheet(page, "speed")
    speed, slider = page.get_by_test_id("speed"), page.get_by_test_id("speed-slider")
    box = resting_box(slider)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.62, 0.31, 0.36):
        before = speed.input_value()
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        expect(speed).not_to_have_value(before)
        expect(speed).to_have_value(re.compile(r"^\d*[05]%$"))
    # Released beside the slider, as a thumb does.
    page.mouse.move(box["x"] + box["width"] * 0.36, box["y"] - 80)
    page.mouse.up()
    dragged = int(speed.input_value().removesuffix("%"))
    assert dragged not in (100, 25, 200)
    slider.press("ArrowRight")
    expect(speed).to_have_value(f"{dragged + 1}%")
    slider.press("ArrowLeft")
    expect(speed).to_have_value(f"{dragged}%")


@has_parts(("One", 3))
def test_closing_the_large_player_restores_the_focus(phone_page):
    phone = phone_page
    expand = phone.get_by_test_id("player-expand")
    expand.focus()
    for close_it in (
            lambda: phone.keyboard.press("Escape"),
            lambda: phone.get_by_test_id("player-collapse").press("Enter"),
            lambda: phone.go_back()):
        phone.keyboard.press("Enter")
        expect(phone.get_by_test_id("player-collapse")).to_be_focused()
        close_it()
        expect(expand).to_be_focused()


@has_parts(("One", 3))
def test_the_page_is_usable_after_its_last_part_is_deleted_under_the_large_player(phone_page, server):
    phone = phone_page
    phone.get_by_test_id("player-expand").click()
    expect(phone.locator("main")).to_have_attribute("inert", "")
    eventually(lambda: server.records("part"), lambda parts: len(parts) == 1)
    server.edit("part", server.records("part")[0]["id"], {"deletedAt": int(time.time() * 1000)})
    phone.get_by_role("button", name="Add songs").click()
    expect(phone.get_by_test_id("edit-routine-sheet")).to_be_visible()


@pytest.mark.timed
def test_a_part_at_half_speed_takes_twice_the_time(routine):
    page = routine
    sheet(page, "speed").get_by_text("50%", exact=True).click()
    close(page)
    assert 5.5 < part_seconds(page, 12) < 9


def test_pitch_goes_from_twelve_down_to_twelve_up(routine, server):
    page = routine
    sheet(page, "pitch")
    for _ in range(12):
        page.get_by_test_id("pitch-more").click()
    expect(page.get_by_test_id("pitch")).to_have_value("+12")
    expect(page.get_by_test_id("pitch-more")).to_be_disabled()
    page.get_by_test_id("pitch-slider").press("Home")
    expect(page.get_by_test_id("pitch")).to_have_value("−12")
    close(page)
    eventually(lambda: first_part(server, "semitones"), lambda found: found == (-12,))
    page.reload()
    expect(page.get_by_test_id("pitch-dial")).to_contain_text("−12")


def test_a_voice_is_natural_from_three_semitones_on_or_as_chosen(routine, server):
    page = routine
    switch = page.get_by_test_id("natural-voice")
    sheet(page, "pitch")
    expect(switch).to_be_disabled()
    expect(switch).not_to_be_checked()
    for _ in range(3):
        expect(switch).not_to_be_checked()
        page.get_by_test_id("pitch-more").click()
        expect(switch).to_be_enabled()
    expect(switch).to_be_checked()
    eventually(lambda: first_part(server, "semitones", "naturalVoice"), lambda found: found == (3, None))
    switch.uncheck()
    eventually(lambda: first_part(server, "naturalVoice"), lambda found: found == (0,))
    close(page)
    page.reload()
    sheet(page, "pitch")
    expect(switch).not_to_be_checked()
    page.get_by_test_id("pitch-less").click()
    switch.check()
    eventually(lambda: first_part(server, "semitones", "naturalVoice"), lambda found: found == (2, 1))
    close(page)
    page.get_by_test_id("practice-reset").click()
    eventually(lambda: first_part(server, "semitones", "naturalVoice"), lambda found: found == (None, None))


def test_the_trainer_raises_the_speed_and_its_speed_can_be_kept(routine, server):
    page = routine
    sheet(page, "speed")
    page.get_by_test_id("trainer-switch").check()
    for name, value in (("from", 150), ("to", 200), ("step", 25), ("every", 1)):
        page.get_by_test_id(f"trainer-{name}").fill(str(value))
    expect(page.get_by_test_id("trainer-now")).to_have_text("Now 150%")
    close(page)
    expect(page.get_by_test_id("loop")).to_have_attribute("aria-pressed", "true")
    note(page, "speed-dial")
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("speed-dial")).to_contain_text("200%")
    assert re.findall(r"\d+%", " ".join(page.evaluate("window.said"))) == ["150%", "175%", "200%"]
    sheet(page, "speed")
    page.get_by_test_id("trainer-take-over").click()
    expect(page.get_by_test_id("speed")).to_have_value("200%")
    expect(page.get_by_test_id("trainer-switch")).not_to_be_checked()
    assert eventually(
        lambda: first_part(server, "rate", "trainerEvery"), lambda found: found == (2, 0)) == (2, 0)


def test_a_speed_key_switches_the_trainer_off(routine, server):
    page = routine
    sheet(page, "speed")
    page.get_by_test_id("trainer-switch").check()
    expect(page.get_by_test_id("trainer-now")).to_have_text("Now 70%")
    close(page)
    expect(page.get_by_test_id("speed-dial")).to_contain_text("Trainer")
    page.keyboard.press("-")
    expect(page.get_by_test_id("speed-dial")).to_contain_text("Speed")
    expect(page.get_by_test_id("speed-dial")).to_contain_text("65%")
    assert eventually(
        lambda: first_part(server, "rate", "trainerEvery"),
        lambda found: found == (0.65, 0)) == (0.65, 0)


def test_a_speed_chosen_in_the_sheet_switches_the_trainer_off(routine, server):
    page = routine
    opened = sheet(page, "speed")
    page.get_by_test_id("trainer-switch").check()
    expect(page.get_by_test_id("speed")).to_have_value("70%")
    opened.get_by_test_id("speed-less").click()
    expect(page.get_by_test_id("speed")).to_have_value("69%")
    expect(page.get_by_test_id("trainer-switch")).not_to_be_checked()
    assert eventually(
        lambda: first_part(server, "rate", "trainerEvery"),
        lambda found: found == (0.69, 0)) == (0.69, 0)


@pytest.mark.timed
def test_a_loop_plays_the_set_number_of_times_with_pauses(routine, server):
    page = routine
    page.get_by_test_id("loop").click()
    opened = sheet(page, "repeat")
    opened.get_by_text("2×").click()
    opened.get_by_test_id("rest-number").fill("1")
    close(page)
    expect(page.get_by_test_id("repeat-dial")).to_contain_text("2×")
    # Two times three seconds and a pause of one second. A third time would make eleven seconds.
    assert 6.5 < part_seconds(page, 12) < 10.5
    assert eventually(
        lambda: first_part(server, "repeatLimit", "restSeconds"), lambda found: found == (2, 1)) == (2, 1)


def test_a_number_out_of_range_stays_in_the_field_with_a_message(routine, server):
    page = routine
    sheet(page, "countdown")
    seconds = page.get_by_test_id("countdown-seconds")
    seconds.fill("6")
    seconds.fill("700")
    expect(seconds).to_have_accessible_description("From 0 to 600, please.")
    seconds.press("Enter")
    expect(seconds).to_have_value("700")
    seconds.blur()
    expect(seconds).to_have_value("700")
    expect(seconds).to_have_accessible_description("From 0 to 600, please.")
    eventually(lambda: first_part(server, "countdownSeconds"), lambda found: found == (6,))
    seconds.fill("")
    seconds.blur()
    expect(seconds).to_have_value("6 s")
    seconds.fill("700")
    seconds.blur()
    page.get_by_test_id("countdown-sheet").get_by_text("5 s", exact=True).click()
    expect(seconds).to_have_value("5 s")
    close(page)
    sheet(page, "speed")
    page.get_by_test_id("trainer-switch").check()
    start = page.get_by_test_id("trainer-from")
    start.fill("6")
    expect(start).to_have_accessible_description("")
    start.blur()
    expect(start).to_have_accessible_description("From 25 to 200, please.")
    start.fill("60")
    start.blur()
    expect(start).to_have_value("60%")
    expect(start).to_have_accessible_description("")


def test_all_fields_and_their_reset_survive_a_reload(routine, server):
    page = routine
    page.get_by_test_id("loop").click()
    sheet(page, "speed")
    page.get_by_test_id("trainer-switch").check()
    trainer = {"from": "60%", "to": "90%", "step": "4%", "every": "3"}
    for name, value in trainer.items():
        page.get_by_test_id(f"trainer-{name}").fill(value.strip("%"))
    close(page)
    sheet(page, "repeat")
    page.get_by_test_id("repeat-number").fill("7")
    rest = page.get_by_test_id("rest-number")
    rest.fill("4")
    rest.fill("1:30")
    expect(rest).to_have_accessible_description("A whole number, please.")
    close(page)
    sheet(page, "countdown").get_by_text("Only before the first").click()
    page.get_by_test_id("countdown-seconds").fill("6")
    close(page)
    fields = ("trainerFrom", "trainerTo", "trainerStep", "trainerEvery", "repeatLimit",
              "restSeconds", "countdownSeconds", "countdownRepeats", "loopMode")
    eventually(
        lambda: first_part(server, *fields),
        lambda found: found == (60, 90, 4, 3, 7, 4, 6, "first", "whole"))
    page.reload()
    expect(page.get_by_test_id("loop")).to_have_attribute("aria-pressed", "true")
    sheet(page, "speed")
    for name, value in trainer.items():
        expect(page.get_by_test_id(f"trainer-{name}")).to_have_value(value)
    close(page)
    sheet(page, "repeat")
    expect(page.get_by_test_id("repeat-number")).to_have_value("7×")
    expect(page.get_by_test_id("rest-number")).to_have_value("4 s")
    close(page)
    opened = sheet(page, "countdown")
    expect(page.get_by_test_id("countdown-seconds")).to_have_value("6 s")
    expect(opened.get_by_label("Only before the first")).to_be_checked()
    close(page)
    page.get_by_test_id("practice-reset").click()
    eventually(lambda: first_part(server, *fields), lambda found: set(found) == {None})
    page.reload()
    expect(page.get_by_test_id("countdown-dial")).to_contain_text("Off")
    expect(page.get_by_test_id("repeat-dial")).to_contain_text("∞")
    expect(page.get_by_test_id("speed-dial")).to_contain_text("100%")
    expect(page.get_by_test_id("loop")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_test_id("practice-reset")).to_be_disabled()


def test_a_countdown_only_before_the_first_repeat_does_not_run_before_the_second(routine):
    page = routine
    page.get_by_test_id("loop").click()
    sheet(page, "speed")
    page.get_by_test_id("speed-slider").press("End")
    close(page)
    sheet(page, "repeat").get_by_text("2×").click()
    close(page)
    sheet(page, "countdown").get_by_text("Only before the first").click()
    page.get_by_test_id("countdown-seconds").fill("1")
    close(page)
    page.evaluate(
        """() => {
          window.countdowns = 0;
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes) {
              for (const node of addedNodes) {
                if (node.dataset?.testid === 'countdown') window.countdowns += 1;
              }
            }
          }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    # One second of countdown, and two times three seconds at twice the speed.
    part_seconds(page, 15)
    assert page.evaluate("countdowns") == 1


def test_one_button_resets_everything_and_can_be_undone(routine, server):
    page = routine
    expect(page.get_by_test_id("practice-reset")).to_be_disabled()
    page.get_by_test_id("loop").click()
    sheet(page, "pitch")
    page.get_by_test_id("pitch-less").click()
    close(page)
    sheet(page, "countdown").get_by_text("Only before the first").click()
    page.get_by_test_id("countdown-seconds").fill("7")
    close(page)
    page.get_by_test_id("practice-reset").click()
    expect(page.get_by_test_id("pitch-dial")).to_contain_text("0")
    expect(page.get_by_test_id("countdown-dial")).to_contain_text("Off")
    expect(page.get_by_test_id("loop")).to_have_attribute("aria-pressed", "false")
    page.get_by_test_id("toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("pitch-dial")).to_contain_text("−1")
    expect(page.get_by_test_id("countdown-dial")).to_contain_text("7 s")
    fields = ("semitones", "countdownSeconds", "countdownRepeats", "loopMode")
    wanted = (-1, 7, "first", "whole")
    assert eventually(lambda: first_part(server, *fields), lambda found: found == wanted) == wanted


@pytest.mark.moving("the pager's slide")
def test_a_run_plays_the_whole_routine_and_the_page_follows(routine):
    page = routine
    page.evaluate(
        """() => {
          window.elements = 0;
          window.Audio = class extends Audio { constructor(url) { super(url); elements += 1; } };
        }""")
    note(page, "jump-button")
    page.get_by_test_id("action-run").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    expect(page.get_by_test_id("time-total")).to_have_text("/ 0:07")
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    assert page.evaluate("window.said") == ["Swan1. One", "Swan2. Two", "Swan3. Three"]
    # A phone allows another audio context only after a gesture, and the lock screen needs the same one.
    assert page.evaluate("elements") == 1
    page.get_by_test_id("action-run").click()
    expect(page.get_by_test_id("time-total")).to_have_text("/ 0:02")


@pytest.mark.moving("the pager's slide")
def test_a_sheet_opened_during_a_run_edits_its_part_and_does_not_turn_the_page_back(routine, server):
    page = routine
    page.set_viewport_size({"width": 390, "height": 844})
    first = page.get_by_test_id("jump-button")
    expect(first).to_contain_text("1. One")
    # The address names the first part, so the history entry below the sheet is that part.
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    expect(first).to_contain_text("1. One")
    page.get_by_test_id("action-run").click()
    # Reads and presses in one step, because the run continues meanwhile.
    then = page.evaluate(
        """() => {
          const [title, add] = ['jump-button', 'action-add-move'].map(
            (name) => document.querySelector(`[data-testid=${name}]`));
          add.click();
          return title.textContent;
        }""")
    page.get_by_test_id("add-move-title").fill("Walk in")
    page.get_by_text("No type", exact=True).click()
    expect(first).to_contain_text("3. Three", timeout=15_000)
    page.get_by_test_id("add-move-add").click()
    page.get_by_test_id("add-move-done").click()
    expect(page.get_by_test_id("add-move")).to_have_count(0)
    (move,) = eventually(lambda: server.records("move"), bool)
    expect(first).to_contain_text("3. Three")
    (title,) = [part["title"] for part in server.records("part") if part["id"] == move["part"]]
    assert then.endswith(f". {title}")


def test_a_run_ends_when_only_one_part_is_left(routine):
    page = routine
    page.get_by_test_id("action-run").click()
    expect(page.get_by_test_id("run-dials")).to_be_visible()
    page.get_by_test_id("edit-routine").click()
    for left in (2, 1):
        page.get_by_test_id("edit-part-menu").first.click()
        page.get_by_test_id("edit-part-remove").click()
        page.get_by_test_id("confirm-action").click()
        expect(page.get_by_test_id("edit-part")).to_have_count(left)
    page.get_by_test_id("edit-done").click()
    expect(page.get_by_test_id("speed-dial")).to_be_visible()
    expect(page.get_by_test_id("loop")).to_be_visible()


# The parts are long enough to be checked during playback.
@has_parts(("One", 12), ("Two", 13), ("Three", 2))
@pytest.mark.moving("the pager's slide")
def test_in_a_run_turning_the_page_goes_to_that_part(routine):
    page = routine
    page.get_by_test_id("action-run").click()
    for key, part, seconds, first in [
            ("PageDown", "2. Two", "0:1[2-9]|0:2[0-4]", "0:1[23]"),
            ("PageUp", "1. One", "0:0[0-9]|0:1[01]", "0:0[01]")]:
        note(page, "time-now")
        page.keyboard.press(key)
        expect(page.get_by_test_id("jump-button")).to_contain_text(part)
        expect(page.get_by_test_id("time-now")).to_have_text(re.compile(seconds))
        arrived = next(said for said in page.evaluate("window.said") if re.fullmatch(seconds, said))
        assert re.fullmatch(first, arrived), "it goes to where the part begins"


def test_leaving_the_page_stops_the_sound(routine):
    page = routine
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    page.get_by_test_id("routine-back").click()
    page.get_by_test_id("routine-card").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    expect(page.get_by_test_id("time-now")).to_have_text("0:00")


def seconds_now(page):
    minutes, seconds = page.get_by_test_id("time-now").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


@has_parts(("One", 20), ("Two", 12))
def test_playback_continues_when_another_device_moves_the_parts_border(routine, server):
    page = routine
    page.get_by_test_id("play").click()
    eventually(lambda: seconds_now(page), lambda now: now >= 1)
    part = eventually(
        lambda: next(part["id"] for part in server.records("part") if part["title"] == "One"), bool)
    server.edit("part", part, {"endFrame": 19 * 48_000})
    expect(page.get_by_test_id("time-total")).to_have_text("/ 0:19")
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    eventually(lambda: seconds_now(page), lambda now: now >= 3)
    # In a run the position in the song stays, although the run before it becomes a second shorter.
    page.get_by_test_id("action-run").click()
    page.keyboard.press("PageDown")
    expect(page.get_by_test_id("time-total")).to_have_text("/ 0:31")
    eventually(lambda: seconds_now(page), lambda now: now >= 20)
    server.edit("part", part, {"endFrame": 10 * 48_000})
    expect(page.get_by_test_id("time-total")).to_have_text("/ 0:22")
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    expect(page.get_by_test_id("jump-button")).to_contain_text("2. Two")
    eventually(lambda: seconds_now(page), lambda now: 12 <= now <= 21)
