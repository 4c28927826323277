"""The date of the performance and the target speed of a part: set, cleared, and the same day in every time zone."""

import datetime

import pytest
from playwright.sync_api import expect
from prepared import has_parts
from studio import PHONE, eventually, first_screen
from test_moves import change, write
from test_practice import parts, phone_page  # noqa: F401

#: 14 hours ahead of UTC, 11 and 3 behind it: at any moment it is another day in one of them.
ZONES = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Sao_Paulo"]


def day_of(date):
    return (date - datetime.date(1970, 1, 1)).days


def today_in(page):
    """Today, by the clock and the time zone of the page."""
    year, month, day = page.evaluate("() => { const now = new Date(); return [now.getFullYear(), now.getMonth() + 1, now.getDate()]; }")
    return datetime.date(year, month, day)


def stored_day(server):
    return server.records("routine")[0].get("performanceDay")


@pytest.fixture
def routine(server):
    [made] = write(server, [("routine", {"title": "Swan"})])
    write(server, [("part", {"routine": made, "title": "Intro", "position": "a"})])
    return made


@pytest.mark.parametrize("zone", ZONES)
def test_the_date_is_the_same_day_in_every_time_zone(routine, chromium, server, zone):
    with first_screen(chromium, server, f"/routines/{routine}", timezone_id=zone, **PHONE) as page:
        page.get_by_test_id("edit-routine").click()
        field = page.get_by_test_id("edit-performance")
        date = today_in(page) + datetime.timedelta(days=9)
        field.fill(date.isoformat())
        expect(page.get_by_test_id("edit-performance-when")).to_have_text("in 9 days")
        eventually(lambda: stored_day(server), lambda day: day == day_of(date))
        page.get_by_test_id("edit-done").click()
        page.get_by_test_id("routine-back").click()
        expect(page.get_by_test_id("card-performance")).to_have_text("Performancein 9 days")
        page.reload()
        expect(page.get_by_test_id("card-performance")).to_contain_text("in 9 days")
        # Another device, in another zone, shows the same date.
        other = ZONES[(ZONES.index(zone) + 1) % len(ZONES)]
        with first_screen(chromium, server, f"/routines/{routine}", timezone_id=other, locale="es", **PHONE) as far:
            far.get_by_test_id("edit-routine").click()
            expect(far.get_by_test_id("edit-performance")).to_have_value(date.isoformat())
            left = (date - today_in(far)).days
            expect(far.get_by_test_id("edit-performance-when")).to_have_text(f"dentro de {left} días")


def test_the_date_is_typed_digit_by_digit_and_cleared_by_keys(routine, desktop, server):
    desktop.goto(f"{server.origin}/routines/{routine}")
    desktop.get_by_test_id("edit-routine").click()
    field = desktop.get_by_test_id("edit-performance")
    clear = desktop.get_by_test_id("edit-performance-clear")
    expect(clear).to_have_count(0)
    field.focus()
    desktop.keyboard.type("0229")
    expect(field).to_have_value("")
    desktop.keyboard.type("2028")
    expect(field).to_have_value("2028-02-29")
    eventually(lambda: stored_day(server), lambda day: day == day_of(datetime.date(2028, 2, 29)))
    # A year that is not whole is no date yet, and takes nothing away.
    desktop.keyboard.press("Shift+Tab")
    desktop.keyboard.press("Tab")
    desktop.keyboard.type("2")
    expect(field).to_have_value("")
    clear.focus()
    expect(field).to_have_value("2028-02-29")
    assert stored_day(server) == day_of(datetime.date(2028, 2, 29))
    clear.press("Enter")
    expect(clear).to_have_count(0)
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    expect(desktop.get_by_test_id("edit-performance-when")).to_contain_text("days are left")
    eventually(lambda: stored_day(server), lambda day: day is None)


@pytest.mark.parametrize("days, text", [(0, "today"), (1, "tomorrow"), (-1, "yesterday"), (-9, "9 days ago"), (-90, "3 months ago")])
def test_a_date_near_or_past_is_said_in_words(routine, chromium, server, days, text):
    with first_screen(chromium, server, **PHONE) as page:
        card = page.get_by_test_id("routine-card")
        expect(card).to_be_visible()
        expect(page.get_by_test_id("card-performance")).to_have_count(0)
        # Until the browser has laid the card's contents out, its height is an estimate.
        page.wait_for_function("() => document.querySelector('.card h2').checkVisibility({contentVisibilityAuto: true})")
        height = card.bounding_box()["height"]
        date = today_in(page) + datetime.timedelta(days=days)
        change(server, "routine", routine, {"performanceDay": day_of(date)})
        expect(page.get_by_test_id("card-performance")).to_contain_text(text)
        assert card.bounding_box()["height"] == height


def test_two_devices_agree_on_the_date_that_was_set_last(routine, chromium, server):
    with first_screen(chromium, server, f"/routines/{routine}", **PHONE) as one:
        with first_screen(chromium, server, f"/routines/{routine}", **PHONE) as other:
            for page in (one, other):
                page.get_by_test_id("edit-routine").click()
            one.get_by_test_id("edit-performance").fill("2031-05-06")
            expect(other.get_by_test_id("edit-performance")).to_have_value("2031-05-06")
            other.context.set_offline(True)
            other.get_by_test_id("edit-performance").fill("2031-05-08")
            one.get_by_test_id("edit-performance").fill("2031-05-07")
            eventually(lambda: stored_day(server), lambda day: day == day_of(datetime.date(2031, 5, 7)))
            other.get_by_test_id("edit-performance").fill("2031-05-09")
            other.get_by_test_id("edit-done").focus()
            other.context.set_offline(False)
            for page in (one, other):
                page.get_by_test_id("edit-done").focus()
                expect(page.get_by_test_id("edit-performance")).to_have_value("2031-05-09")
    assert stored_day(server) == day_of(datetime.date(2031, 5, 9))


def test_a_copy_has_the_date_as_well(routine, phone, server):
    change(server, "routine", routine, {"performanceDay": 30_000})
    expect(phone.get_by_test_id("card-performance")).to_be_visible()
    phone.get_by_test_id("routine-menu").click()
    phone.get_by_test_id("routine-duplicate").click()
    expect(phone.get_by_test_id("card-performance")).to_have_count(2)
    eventually(
        lambda: [record.get("performanceDay") for record in server.records("routine")], lambda days: days == [30_000] * 2)


def target(server):
    return server.records("part")[0].get("targetRate")


@has_parts(("One", 12))
def test_the_target_speed_is_set_beside_the_speed(phone_page, server):  # noqa: F811
    page = phone_page
    page.get_by_test_id("player-expand").click()
    page.get_by_test_id("speed-dial").click()
    goal = page.get_by_test_id("target-speed")
    expect(goal).to_have_value("100%")
    assert target(server) is None
    page.get_by_test_id("target-speed-less").tap()
    page.get_by_test_id("target-speed-less").tap()
    expect(goal).to_have_value("90%")
    eventually(lambda: target(server), lambda rate: rate == 0.9)
    goal.fill("110")
    goal.press("Enter")
    expect(goal).to_have_value("110%")
    eventually(lambda: target(server), lambda rate: rate == 1.1)
    # The speed itself is another one, and a reset of the part keeps the target.
    expect(page.get_by_test_id("speed")).to_have_value("100%")
    page.get_by_test_id("speed-less").tap()
    expect(page.get_by_test_id("speed")).to_have_value("99%")
    page.get_by_test_id("sheet-close").click()
    page.get_by_test_id("practice-reset").click()
    page.get_by_test_id("speed-dial").click()
    expect(page.get_by_test_id("speed")).to_have_value("100%")
    expect(goal).to_have_value("110%")
    goal.press("ArrowDown")
    goal.press("ArrowDown")
    expect(goal).to_have_value("100%")
    eventually(lambda: target(server), lambda rate: rate is None)
