"""The progress of a routine: the days to the performance, the speed of each part, and the minutes a week."""

import datetime
import re
import time

import pytest
from offline_support import wait_until_stored
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import DESKTOP, PHONE, RATE, eventually, first_screen, resting_box
from test_moves import change, write
from test_practice import parts  # noqa: F401

EPOCH = datetime.date(1970, 1, 1)
#: The page's zone, so that its days are those of the test.
UTC = {"timezone_id": "UTC", **PHONE}
FOUR = has_parts(("Intro", 3), ("Verse", 3), ("Chorus", 3), ("Bridge", 3))


def today():
    return datetime.datetime.now(datetime.timezone.utc).date()


def shown(days_ago):
    """A date as the page writes it."""
    date = today() - datetime.timedelta(days=days_ago)
    return f"{date:%b} {date.day}" + ("" if date.year == today().year else f", {date.year}")


def noon_of(date):
    return datetime.datetime.combine(date, datetime.time(12), datetime.timezone.utc)


def entry(routine, date, *heard):
    """An entry of the log at noon: for each section the part, whole passes, seconds and the speed in percent."""
    noon = noon_of(date)
    return ("practiceEntry", {
        "routine": routine, "startedAt": int(noon.timestamp() * 1000), "utcOffset": 0,
        "heard": "\n".join(f"{part} 0 {3 * RATE} {passes} {seconds} {percent} 1" for part, passes, seconds, percent in heard)})


class Log:
    """The routine "Swan" and its parts, and what was practised of it."""

    def __init__(self, server):
        self.server = server
        [self.routine] = [record["id"] for record in server.records("routine")]
        ordered = sorted(server.records("part"), key=lambda part: part["position"])
        self.part = {part["title"]: part["id"] for part in ordered}
        self.path = f"/routines/{self.routine}/progress"

    def practise(self, days_ago, *heard):
        date = today() - datetime.timedelta(days=days_ago)
        write(self.server, [entry(self.routine, date, *((self.part[title], *rest) for title, *rest in heard))])

    def fill(self):
        """Intro has reached its target, Verse has not, Bridge was never played to its end, Chorus not at all."""
        change(self.server, "part", self.part["Verse"], {"targetRate": 0.9})
        self.practise(60, ("Intro", 4, 600, 50), ("Verse", 2, 300, 60))
        self.practise(30, ("Intro", 4, 1200, 80), ("Verse", 1, 60, 55))
        self.practise(16, ("Intro", 2, 900, 100), ("Verse", 3, 600, 75))
        self.practise(2, ("Intro", 1, 60, 90), ("Bridge", 0, 120, 0))


@pytest.fixture
def log(parts, server):  # noqa: F811
    return Log(server)


@pytest.fixture
def page(log, chromium, server):
    """The page of progress, on a phone, after some practice."""
    log.fill()
    with first_screen(chromium, server, log.path, **UTC) as page:
        expect(page.get_by_test_id("progress-weeks")).to_be_visible()
        yield page


def titles(group):
    return group.get_by_role("heading", level=3)


def state(page, title):
    return page.get_by_test_id("progress-part").filter(has_text=title).get_by_test_id("progress-state")


def rows(table):
    """The cells of a table's body."""
    return table.locator("tbody tr").evaluate_all("(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))")


@FOUR
def test_it_says_what_is_at_tempo_and_what_is_not(page):
    expect(titles(page.get_by_test_id("progress-not-at-tempo"))).to_have_text(["2. Verse", "3. Chorus", "4. Bridge"])
    expect(titles(page.get_by_test_id("progress-at-tempo"))).to_have_text(["1. Intro"])
    expect(state(page, "Intro")).to_have_text(f"100% since {shown(16)}")
    expect(state(page, "Verse")).to_have_text(f"75% since {shown(16)}, target 90%")
    expect(state(page, "Chorus")).to_have_text("Not practised yet")
    expect(state(page, "Bridge")).to_have_text("Not yet played from start to end")
    expect(page.get_by_test_id("speed-picture")).to_have_count(2)
    expect(page.get_by_test_id("speed-table")).to_have_count(2)


@FOUR
def test_another_target_moves_a_part_to_the_other_group(page, log, server):
    change(server, "part", log.part["Verse"], {"targetRate": 0.7})
    expect(titles(page.get_by_test_id("progress-at-tempo"))).to_have_text(["1. Intro", "2. Verse"])
    expect(state(page, "Verse")).to_have_text(f"70% since {shown(16)}")
    change(server, "part", log.part["Intro"], {"targetRate": 1.2})
    expect(titles(page.get_by_test_id("progress-at-tempo"))).to_have_text(["2. Verse"])


@FOUR
def test_the_tables_say_what_the_pictures_show(page):
    for title, target in [("Intro", 100), ("Verse", 90)]:
        part = page.get_by_test_id("progress-part").filter(has_text=title)
        bests = [(day, int(speed.removesuffix("%"))) for day, speed in rows(part.get_by_test_id("speed-table"))]
        line = part.locator(".speed-line").get_attribute("d")
        heights = [float(first or later) for first, later in re.findall(r"M\S+ ([\d.]+)|V([\d.]+)", line)]
        assert len(heights) == len(bests)
        # 25 percent stands on the ground, the highest speed at the top of 72 units.
        highest = max(target, *(percent for _, percent in bests))
        assert heights == pytest.approx([72 * (highest - percent) / (highest - 25) for _, percent in bests], abs=0.01)
        assert part.get_by_test_id("speed-table").locator("tfoot td").text_content() == f"{target}%"
    intro = page.get_by_test_id("progress-part").filter(has_text="Intro")
    assert rows(intro.get_by_test_id("speed-table")) == [
        [shown(60), "50%"], [shown(30), "80%"], [shown(16), "100%"]]

    weeks = rows(page.get_by_test_id("weeks-table"))
    minutes = [int(each) for _, each in weeks]
    assert len(weeks) == 12 and sum(minutes) == 15 + 21 + 25 + 3
    drawn = page.get_by_test_id("week-minutes").all_text_contents()
    assert drawn == [str(each) for each in reversed(minutes) if each > 0]
    bars = page.locator("[data-testid=weeks-picture] rect").evaluate_all(
        "(bars) => bars.map((bar) => Number(bar.getAttribute('height')))")
    longest = max(minutes)
    assert bars == pytest.approx([96 * each / longest for each in reversed(minutes) if each > 0])


@FOUR
def test_the_tables_are_shown_by_touch_and_by_keys_and_stay(page):
    tables = page.get_by_test_id("progress-tables")
    # What only screen readers get is one pixel large.
    assert page.get_by_test_id("weeks-table").locator("xpath=..").bounding_box()["width"] <= 1
    tables.tap()
    expect(tables).to_be_checked()
    expect(page.get_by_test_id("speed-picture")).to_have_count(0)
    expect(page.get_by_test_id("weeks-picture")).to_have_count(0)
    assert page.get_by_test_id("weeks-table").bounding_box()["width"] > 200
    expect(page.get_by_role("table", name="Intro: Days with a new best speed")).to_be_visible()
    expect(page.get_by_role("table", name="Minutes practised, the latest week first")).to_be_visible()
    page.reload()
    expect(tables).to_be_checked()
    tables.focus()
    page.keyboard.press("Space")
    expect(page.get_by_test_id("speed-picture")).to_have_count(2)
    # The pictures are hidden from screen readers, which have the tables.
    expect(page.get_by_role("table")).to_have_count(3)
    expect(page.get_by_test_id("speed-picture").first).to_have_attribute("aria-hidden", "true")
    page.reload()
    expect(tables).not_to_be_checked()


@FOUR
def test_what_another_device_practises_is_shown_at_once(page, log, chromium, server):
    with first_screen(chromium, server, log.path, **{**UTC, **DESKTOP}) as other:
        expect(state(other, "Chorus")).to_have_text("Not practised yet")
        log.practise(0, ("Chorus", 1, 660, 100))
        for each in (page, other):
            expect(state(each, "Chorus")).to_have_text(f"100% since {shown(0)}")
            expect(each.get_by_test_id("week-minutes").last).to_have_text(re.compile(r"1[1-4]"))


@FOUR
def test_a_part_leads_to_its_page_and_back_leads_here(page):
    page.get_by_test_id("progress-part").filter(has_text="Chorus").get_by_role("link").tap()
    expect(page.get_by_test_id("jump-button")).to_contain_text("3. Chorus")
    page.go_back()
    expect(page.get_by_test_id("progress-page")).to_be_visible()
    page.get_by_test_id("progress-back").tap()
    expect(page.get_by_test_id("routine-page")).to_be_visible()


@has_parts(("One", 3))
def test_the_menu_of_a_routine_opens_it_and_an_empty_log_says_what_to_do(log, phone):
    phone.get_by_test_id("routine-menu").tap()
    phone.get_by_test_id("routine-progress").tap()
    expect(phone.get_by_test_id("progress-empty")).to_contain_text("Nothing practised yet")
    expect(phone).to_have_title("Progress: Swan · Segmance")
    expect(phone.get_by_test_id("progress-performance")).to_contain_text("No date yet")
    phone.get_by_test_id("progress-practise").tap()
    expect(phone.get_by_test_id("play")).to_be_enabled()
    phone.get_by_test_id("action-more").tap()
    phone.get_by_test_id("action-progress").press("Enter")
    expect(phone.get_by_test_id("progress-empty")).to_be_visible()


@has_parts(("One", 3))
def test_it_leads_to_the_log_and_says_if_nothing_is_written(log, phone, server):
    phone.goto(server.origin + log.path)
    link = phone.get_by_test_id("progress-log")
    expect(link).to_have_text("Practice log")
    server.set("practiceLog", False)
    expect(link).to_contain_text("Switched off")
    link.tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Practice log")


def test_a_routine_without_parts_and_none_say_so(phone, server):
    [routine] = write(server, [("routine", {"title": "Empty"})])
    phone.goto(f"{server.origin}/routines/{routine}/progress")
    expect(phone.get_by_test_id("progress-empty")).to_contain_text("has no parts yet")
    phone.get_by_test_id("progress-practise").tap()
    expect(phone.get_by_test_id("edit-routine-sheet")).to_be_visible()
    phone.goto(f"{server.origin}/routines/none/progress")
    expect(phone.get_by_test_id("progress-missing")).to_be_visible()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
@has_parts(("One", 3))
def test_the_date_is_set_from_here_and_counted_by_the_calendar_of_the_device(log, chromium, server, zone):
    with first_screen(chromium, server, log.path, **PHONE, timezone_id=zone) as page:
        page.get_by_test_id("progress-set-date").tap()
        year, month, day = page.evaluate("() => { const now = new Date(); return [now.getFullYear(), now.getMonth() + 1, now.getDate()]; }")
        date = datetime.date(year, month, day) + datetime.timedelta(days=9)
        page.get_by_test_id("edit-performance").fill(date.isoformat())
        page.get_by_test_id("edit-done").tap()
        page.get_by_test_id("routine-back").tap()
        performance = page.get_by_test_id("progress-performance")
        expect(performance).to_contain_text("in 9 days")
        expect(performance).to_contain_text(f"{date:%A}, {date:%B} {date.day}, {date.year}")
        change(server, "routine", log.routine, {"performanceDay": (date - EPOCH).days - 9})
        expect(performance).to_contain_text("today")
        change(server, "routine", log.routine, {"performanceDay": None})
        expect(performance).to_contain_text("No date yet")


@FOUR
def test_it_is_there_without_a_network(log, device, server):
    log.fill()
    page = device.page
    wait_until_stored(page, server)
    device.cut()
    page = device.restart(log.path)
    expect(titles(page.get_by_test_id("progress-at-tempo"))).to_have_text(["1. Intro"])
    expect(page.get_by_test_id("week-minutes")).to_have_count(4)


#: The log begins in 2020 at the earliest, so ten years of it end in the future.
LATER = datetime.date(2034, 11, 26)


def ten_years(log):
    """Practice on each day of ten years until `LATER`, at speeds that climb slowly."""
    made = [
        entry(log.routine, LATER - datetime.timedelta(days=ago), (log.part["Intro"], 2, 240, 30 + (3_640 - ago) // 60), (log.part["Verse"], 1, 120, 60))
        for ago in range(3_640, -1, -1)]
    for first in range(0, len(made), 200):
        write(log.server, made[first:first + 200])


@FOUR
@pytest.mark.moving("scrolling by hand")
def test_ten_years_are_scrolled_back_by_swipe_and_keys(log, chromium, server):
    ten_years(log)
    with first_screen(chromium, server, **UTC) as page:
        page.clock.set_fixed_time(noon_of(LATER))
        page.goto(server.origin + log.path)
        scroller = page.get_by_test_id("weeks-scroll")
        bars = page.get_by_test_id("week-minutes")
        expect(bars).to_have_count(521)
        page.get_by_test_id("progress-weeks").evaluate("(weeks) => weeks.scrollIntoView({ block: 'end' })")
        expect(bars.last).to_be_in_viewport()
        expect(bars.first).not_to_be_in_viewport()
        assert len(rows(page.get_by_test_id("weeks-table"))) == 521
        scroller.focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => document.querySelector('[data-testid=weeks-scroll]').scrollLeft < 0")
        box = resting_box(scroller)
        touch = page.context.new_cdp_session(page)
        x, y = box["x"] + 50, box["y"] + 50
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 11):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 20 * step, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        eventually(lambda: scroller.evaluate("(scroller) => scroller.scrollLeft"), lambda left: left < -150)
        # To the beginning, as by many swipes.
        scroller.evaluate("(scroller) => scroller.scrollTo({ left: -scroller.scrollWidth })")
        expect(bars.first).to_be_in_viewport()
        expect(page.get_by_test_id("progress-part").filter(has_text="Intro").get_by_test_id("progress-state")).to_contain_text("90% since")


@pytest.mark.timed
@FOUR
def test_ten_years_do_not_freeze_the_page(log, chromium, server):
    ten_years(log)
    watch = """() => {
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
      }).observe({ type: 'longtask', buffered: true });
    }"""
    with first_screen(chromium, server, **UTC) as page:
        expect(page.get_by_test_id("routine-card")).to_be_visible()
        wait_until_stored(page, server)
        page.clock.set_fixed_time(noon_of(LATER))
        page.reload()
        expect(page.get_by_test_id("routine-card")).to_be_visible()
        page.get_by_test_id("routine-menu").tap()
        page.evaluate(watch)
        began = time.monotonic()
        page.get_by_test_id("routine-progress").tap()
        expect(page.get_by_test_id("week-minutes")).to_have_count(521)
        opened = time.monotonic() - began
        longest = page.evaluate("window.longest")
        print(f"opened in {opened:.2f} s, longest task {longest:.0f} ms")
        assert longest < 500 and opened < 3


@pytest.mark.parametrize("tables", [False, True], ids=["pictures", "tables"])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@FOUR
def test_it_is_accessible_in_both_themes_narrow_and_from_right_to_left(page, log, tables, direction):
    change(log.server, "routine", log.routine, {"performanceDay": (today() - EPOCH).days + 9})
    expect(page.get_by_test_id("progress-performance")).to_contain_text("days")
    page.evaluate("(direction) => { document.documentElement.dir = direction; }", direction)
    if tables:
        page.get_by_test_id("progress-tables").tap()
    settled(page)
    for width, height in [(390, 844), (320, 568), (1280, 800)]:
        page.set_viewport_size({"width": width, "height": height})
        assert wider_than_window(page) == [] and violations(page) == [] and too_small(page) == []
    change_theme(page)
    assert violations(page) == []
    if not tables:
        # Time runs to the right in either direction, and the latest week is seen first.
        page.get_by_test_id("progress-weeks").scroll_into_view_if_needed()
        scroller = page.get_by_test_id("weeks-scroll").bounding_box()
        last = page.get_by_test_id("week-minutes").last.bounding_box()
        assert scroller["x"] < last["x"] < scroller["x"] + scroller["width"]
        first_day, last_day = (
            page.locator(".speed-days").first.locator("span").nth(at).bounding_box()["x"] for at in (0, 1))
        assert first_day < last_day


@FOUR
def test_it_is_printed_whole_and_dark_on_light(page):
    page.emulate_media(color_scheme="dark")
    root = page.locator("html")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(root).to_have_attribute("data-theme", "light")
    page.emulate_media(media="print")
    # Nothing is left to scroll: the page is as high as its content.
    assert page.evaluate("() => { const main = document.querySelector('main'); return main.scrollHeight <= main.clientHeight; }")
    expect(page.get_by_test_id("progress-back")).to_be_hidden()
    expect(page.get_by_test_id("progress-tables")).to_be_hidden()
    page.emulate_media(media="screen")
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(root).to_have_attribute("data-theme", "dark")
