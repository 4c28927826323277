"""The practice log: what is written of practice, and the page that shows it."""

import contextlib
import json
import re
from csv import DictReader
from io import StringIO

from offline_support import stored
from playwright.sync_api import Error, expect
from prepared import has_parts
from studio import DESKTOP, PHONE, RATE, eventually, first_screen, open_card
from test_moves import change, write


def heard(server):
    """Returns the sections of all entries that are not deleted: part, seconds of the track, passes, seconds, percent, music."""
    entries = [entry for entry in server.records("practiceEntry") if not entry.get("deletedAt")]
    titles = {part["id"]: part["title"] for part in server.records("part")}
    sections = []
    for entry in sorted(entries, key=lambda entry: entry["startedAt"]):
        for line in entry["heard"].splitlines():
            part, start, end, *numbers = line.split(" ")
            sections.append((titles[part], (int(start) / RATE, int(end) / RATE), *map(int, numbers)))
    return sections


def parts_of(server):
    return sorted(server.records("part"), key=lambda part: part["position"])


def loops(server, passes, **fields):
    """Makes the first part play so many times at double speed, and then end."""
    change(server, "part", parts_of(server)[0]["id"], {
        "loopMode": "whole", "repeatLimit": passes, "rate": 2, "countdownSeconds": 0, **fields})


def play_to_the_end(page):
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "false", timeout=40_000)


@has_parts(("One", 3), ("Two", 2))
def test_a_loop_that_was_practised_is_one_entry_with_its_passes_and_speed(parts, chromium, server):
    loops(server, 4)
    with first_screen(chromium, server, **DESKTOP) as page:
        open_card(page)
        play_to_the_end(page)
        assert eventually(lambda: heard(server), len) == [("One", (0, 3), 4, 6, 200, 1)]
        # The same entry goes on.
        play_to_the_end(page)
        eventually(lambda: heard(server), lambda sections: sections == [("One", (0, 3), 8, 12, 200, 1)])
    [entry] = server.records("practiceEntry")
    assert entry["routine"] == server.records("routine")[0]["id"]
    assert abs(entry["startedAt"] - entry["createdAt"]) < 60_000


@has_parts(("One", 4), ("Two", 2))
def test_a_section_from_a_to_b_is_a_line_of_its_own(parts, chromium, server):
    loops(server, 6, loopMode="section", markerA=1 * RATE, markerB=3 * RATE)
    with first_screen(chromium, server, **PHONE) as page:
        open_card(page)
        play_to_the_end(page)
        [section] = eventually(lambda: heard(server), len)
        assert section[:3] == ("One", (1, 3), 6) and section[4:] == (200, 1)


@has_parts(("One", 3), ("Two", 4))
def test_in_a_run_each_part_has_its_pass(parts, chromium, server):
    with first_screen(chromium, server, **DESKTOP) as page:
        open_card(page)
        page.get_by_test_id("action-run").click()
        expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "false", timeout=40_000)
        sections = eventually(lambda: heard(server), lambda sections: len(sections) == 2)
        assert sections == [("One", (0, 3), 1, 3, 100, 1), ("Two", (0, 4), 1, 4, 100, 1)]


def log(server, days=1, a_day=1, first=1_767_100_000_000):
    """Writes entries and a run-through of the routine as another device; the latest day last."""
    routine = server.records("routine")[0]["id"]
    one, two = [part["id"] for part in parts_of(server)][:2]
    records = []
    for day in range(days):
        for number in range(a_day):
            records.append(("practiceEntry", {
                "routine": routine, "startedAt": first + day * 86_400_000 + number * 3_600_000, "utcOffset": 60,
                "heard": f"{one} 0 {3 * RATE} 4 125 90 1\n{two} {RATE} {2 * RATE} 0 40 0 0"}))
    records.append(("runThrough", {
        "routine": routine, "startedAt": first + days * 86_400_000, "utcOffset": -300, "percent": 100,
        "covered": f"{one} 0 {3 * RATE}\n{two} 0 {2 * RATE}", "misses": f"{one} {RATE} -", "notes": "Breathe,\nthen turn"}))
    return write(server, records)


def open_log(page):
    page.get_by_test_id("tab-settings").click()
    page.get_by_test_id("room-practice-log").click()
    return page.get_by_test_id("log-item")


def kept_entries(server):
    return [entry for entry in server.records("practiceEntry") if not entry.get("deletedAt")]


@has_parts(("One", 3), ("Two", 2))
def test_the_log_is_shown_by_day_with_passes_speed_and_misses(parts, chromium, server):
    log(server, days=2)
    with first_screen(chromium, server, **PHONE) as page:
        items = open_log(page)
        expect(items).to_have_count(3)
        expect(page.get_by_test_id("log-day").locator("h2")).to_have_text([
            "Thursday, January 1, 2026", "Wednesday, December 31, 2025", "Tuesday, December 30, 2025"])
        expect(items.nth(0)).to_contain_text("8:06 AM · Run-through")
        expect(items.nth(0)).to_contain_text("1 miss · 100%")
        expect(items.nth(0)).to_contain_text("Breathe,")
        expect(items.nth(1)).to_contain_text("Swan")
        expect(items.nth(1).locator("li")).to_have_text(["One4 passes · 90% · 2 min", "Two 0:01–0:0240 sec · without music"])
        # It is reached by its address, too.
        page.goto(f"{server.origin}/settings/practice-log")
        expect(items).to_have_count(3)


@has_parts(("One", 3), ("Two", 2))
def test_an_entry_a_day_and_all_are_deleted_and_brought_back(parts, chromium, server):
    log(server, days=2, a_day=3)
    with first_screen(chromium, server, **DESKTOP) as page:
        items = open_log(page)
        expect(items).to_have_count(7)
        items.nth(1).get_by_test_id("log-delete-entry").click()
        expect(items).to_have_count(6)
        page.get_by_role("button", name="Undo").click()
        expect(items).to_have_count(7)
        page.get_by_test_id("log-delete-day").nth(1).click()
        expect(page.get_by_test_id("confirm")).to_contain_text("3 entries will be deleted, on every device.")
        page.get_by_test_id("confirm-cancel").click()
        expect(items).to_have_count(7)
        page.get_by_test_id("log-delete-day").nth(1).click()
        page.get_by_test_id("confirm-action").click()
        expect(items).to_have_count(4)
        eventually(lambda: kept_entries(server), lambda kept: len(kept) == 3)
        page.get_by_test_id("log-delete-all").press("Enter")
        page.get_by_test_id("confirm-action").press("Enter")
        expect(page.get_by_test_id("log-empty")).to_be_visible()
        eventually(lambda: kept_entries(server), lambda kept: kept == [])
        page.get_by_role("button", name="Undo").last.click()
        expect(items).to_have_count(4)
        eventually(lambda: kept_entries(server), lambda kept: len(kept) == 3)


@has_parts(("One", 3), ("Two", 2))
def test_the_files_hold_the_log_without_a_network_and_name_what_was_deleted(parts, chromium, server):
    log(server)
    change(server, "routine", server.records("routine")[0]["id"], {"title": "=Swan, \"Lake\""})
    change(server, "part", parts_of(server)[1]["id"], {"deletedAt": 1_767_300_000_000})
    with first_screen(chromium, server, **DESKTOP) as page:
        expect(open_log(page)).to_have_count(2)
        page.context.set_offline(True)
        with page.expect_download() as csv:
            page.get_by_test_id("log-csv").click()
        with page.expect_download() as file:
            page.get_by_test_id("log-json").click()
        assert csv.value.suggested_filename == "practice-log.csv"
        written = csv.value.path().read_bytes()
        assert written.startswith(b"\xef\xbb\xbf") and b"\r\n" in written
        rows = list(DictReader(StringIO(written.decode("utf-8-sig"), newline="")))
        assert [(row["kind"], row["date"], row["time"], row["part"], row["passes"], row["speed"], row["music"]) for row in rows] == [
            ("practice", "2025-12-30", "14:06", "One", "4", "90", "yes"),
            ("practice", "2025-12-30", "14:06", "Two", "0", "", "no"),
            ("run-through", "2025-12-31", "08:06", "One", "", "100", ""),
            ("run-through", "2025-12-31", "08:06", "Two", "", "100", "")]
        assert {row["routine"] for row in rows} == {"'=Swan, \"Lake\""}
        assert rows[2]["misses"] == "1" and rows[2]["notes"] == "Breathe,\nthen turn"
        content = json.loads(file.value.path().read_text())
        assert content["format"] == "segmance-practice-log" and content["version"] == 1
        [entry], [run] = content["entries"], content["runThroughs"]
        assert entry["startedAt"] == "2025-12-30T14:06:40+01:00"
        assert [section["part"]["title"] for section in entry["sections"]] == ["One", "Two"]
        assert run["misses"][0]["frame"] == RATE and run["routine"]["title"] == "=Swan, \"Lake\""


@has_parts(("One", 3), ("Two", 2))
def test_a_deleted_routine_keeps_its_name_in_the_log(parts, chromium, server):
    log(server)
    change(server, "routine", server.records("routine")[0]["id"], {"deletedAt": 1_767_300_000_000})
    with first_screen(chromium, server, **PHONE) as page:
        items = open_log(page)
        expect(items).to_have_count(2)
        expect(items.nth(1)).to_contain_text("Swan")
        expect(items.nth(1)).to_contain_text("One")


@has_parts(("One", 3), ("Two", 2))
def test_a_long_log_grows_as_it_is_scrolled(parts, chromium, server):
    log(server, days=90, a_day=2)
    with first_screen(chromium, server, **PHONE) as page:
        items = open_log(page)
        expect(items).to_have_count(49)
        items.last.scroll_into_view_if_needed()
        expect(items.nth(60)).to_be_attached()


@has_parts(("One", 3), ("Two", 2))
def test_while_it_is_switched_off_nothing_is_written(parts, chromium, server):
    loops(server, 4)
    with first_screen(chromium, server, **DESKTOP) as page:
        open_log(page)
        page.get_by_test_id("log-switch").click()
        expect(page.get_by_test_id("log-switch")).not_to_be_checked()
        page.goto(server.origin)
        open_card(page)
        play_to_the_end(page)
        # Whatever was written would be sent with what comes after it.
        page.get_by_test_id("pager").click()
        page.keyboard.press("-")
        eventually(lambda: parts_of(server)[0]["rate"], lambda rate: rate == 1.95)
        assert server.records("practiceEntry") == []


#: A clock that the test sets: `ahead` milliseconds from the real one.
CLOCK = "const real = Date.now; window.ahead = 0; Date.now = () => Math.round(real.call(Date) + window.ahead);"
DAY = 86_400_000


@has_parts(("One", 3), ("Two", 2))
def test_days_without_a_network_and_another_device_become_entries_of_their_own(parts, chromium, server):
    loops(server, 4)
    with first_screen(chromium, server, script=CLOCK, **PHONE) as phone, \
            first_screen(chromium, server, **DESKTOP) as laptop:
        open_card(phone)
        # Its audio comes while there is a network.
        play_to_the_end(phone)
        eventually(lambda: heard(server), lambda sections: len(sections) == 1)
        phone.context.set_offline(True)
        for days_ago in (7, 3):
            phone.evaluate("(ago) => { window.ahead = -ago; }", days_ago * DAY)
            play_to_the_end(phone)
        open_card(laptop)
        play_to_the_end(laptop)
        eventually(lambda: heard(server), lambda sections: len(sections) == 2)
        phone.context.set_offline(False)
        sections = eventually(lambda: heard(server), lambda sections: len(sections) == 4)
    assert sections == [("One", (0, 3), 4, 6, 200, 1)] * 4
    started = sorted(entry["startedAt"] for entry in server.records("practiceEntry"))
    assert [round((started[3] - each) / DAY) for each in started] == [7, 3, 0, 0]


@has_parts(("One", 3), ("Two", 2))
def test_a_page_that_is_killed_while_it_plays_has_lost_two_minutes_at_most(parts, chromium, server):
    loops(server, 0)
    server.skip_welcome()
    context = chromium.new_context(service_workers="block", **PHONE)
    context.add_init_script(CLOCK)
    page = context.new_page()
    page.goto(server.origin)
    open_card(page)
    page.get_by_test_id("play").click()
    # Something was heard, so the entry has begun before the clock is put forward.
    expect(page.locator(".compact-clock")).to_have_text(re.compile("0:0[1-9]"))
    context.set_offline(True)
    page.evaluate("() => { window.ahead = 121_000; }")
    eventually(
        lambda: stored(page, "outbox"),
        lambda outbox: any(change["type"] == "practiceEntry" for change in outbox))
    with contextlib.suppress(Error), page.expect_event("crash"):
        page.goto("chrome://crash")
    page.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(server.origin)
    [(title, _, passes, seconds, percent, _)] = eventually(lambda: heard(server), len)
    assert title == "One" and passes >= 3 and seconds >= 5 and percent == 200
    context.close()


@has_parts(("One", 3), ("Two", 2))
def test_practice_in_the_stage_view_is_written_too(parts, chromium, server):
    loops(server, 4)
    with first_screen(chromium, server, **DESKTOP) as page:
        open_card(page)
        page.get_by_test_id("action-stage").click()
        expect(page.get_by_test_id("stage-view")).to_be_visible()
        page.keyboard.press("Space")
        assert eventually(lambda: heard(server), len, 40) == [("One", (0, 3), 4, 6, 200, 1)]


@has_parts(("One", 3), ("Two", 2))
def test_the_log_is_used_by_keyboard(parts, chromium, server):
    log(server)
    with first_screen(chromium, server, **DESKTOP) as page:
        expect(open_log(page)).to_have_count(2)
        page.get_by_test_id("log-switch").focus()
        page.keyboard.press("Space")
        expect(page.get_by_test_id("log-switch")).not_to_be_checked()
        for name in ("Save as CSV", "Save as JSON", "Delete all", "Delete Wednesday, December 31, 2025"):
            page.keyboard.press("Tab")
            expect(page.get_by_role("button", name=name, exact=True)).to_be_focused()
