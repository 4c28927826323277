"""What has changed in a routine: since the last practice or another time, in plain words, and brought back."""

import contextlib
import json
import re
import sqlite3
import time
import uuid

import pytest
from playwright.sync_api import expect
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import PHONE, RATE, eventually, first_screen

HOUR = 3_600_000
DAY = 24 * HOUR


class Past:
    """The routine "Swan", made ten days ago, and edits at any time since."""

    def __init__(self, server):
        self.server = server
        self.now = int(time.time() * 1000)
        # A new library knows what was overwritten since its first moment only.
        with contextlib.closing(sqlite3.connect(server.folder / "segmance.sqlite", timeout=20)) as database, database:
            assert database.execute("UPDATE counter SET value = 0 WHERE name = 'choreographyFrom'").rowcount == 1
        self.ids = {}
        self.path = f"/routines/{self.id('Swan')}"
        turn, lift = ("moveType", "Turning", {"name": "Turning"}), ("moveType", "Lifting", {"name": "Lifting"})
        self.edit(10 * DAY, [
            ("routine", "Swan", {"title": "Swan"}), turn, lift,
            *[("part", title, {"routine": self.id("Swan"), "title": title, "position": position})
              for title, position in [("Intro", "K"), ("Verse", "V")]],
            *[("move", title, {"part": self.id("Intro"), "title": title, "position": position})
              for title, position in [("Walk", "B"), ("Turn", "K"), ("Lift", "V"), ("Bow", "k")]],
        ])

    def id(self, name):
        return self.ids.setdefault(name, str(uuid.uuid4()))

    def edit(self, ago, edits):
        """Edits records, by their first titles, so many milliseconds ago."""
        changes = [
            {"id": str(uuid.uuid4()), "type": kind, "record": self.id(name), "fields": fields,
             "at": f"{self.now - ago:013d}-{index:04x}-00c0ffee"}
            for index, (kind, name, fields) in enumerate(edits)]
        status, content = self.server.request("POST", "/api/sync", {"since": 0, "changes": changes})
        assert status == 200 and json.loads(content)["rejected"] == []

    def practise(self, ago):
        self.edit(ago, [("practiceEntry", f"entry {ago}", {
            "routine": self.id("Swan"), "startedAt": self.now - ago, "utcOffset": 0,
            "heard": f"{self.id('Intro')} 0 {RATE} 3 600 100 1"})])

    def moves(self):
        """The moves as they are seen: by part and position."""
        parts = {part["id"]: part["title"] for part in self.server.records("part")}
        moves = sorted(self.server.records("move"), key=lambda move: (parts.get(move["part"], ""), move["position"]))
        return [(parts[move["part"]], move["title"], move.get("notes")) for move in moves if move["part"] in parts]


@pytest.fixture
def past(server):
    return Past(server)


@pytest.fixture
def changed(past):
    """Practised two days ago; two hours ago a move got notes, one went, one came, one was moved, and a part got a name."""
    past.practise(2 * DAY)
    past.edit(2 * HOUR, [
        ("move", "Turn", {"notes": "slowly"}), ("move", "Bow", {"deletedAt": past.now - 2 * HOUR}),
        ("move", "Spin", {"part": past.id("Verse"), "title": "Spin", "position": "V"}),
        ("move", "Lift", {"position": "A"}), ("part", "Intro", {"title": "Entrance"}),
        ("routine", "Swan", {"subtitle": "for two"})])
    return past


@contextlib.contextmanager
def opened(chromium, server, past, **settings):
    with first_screen(chromium, server, past.path, **{**PHONE, **settings}) as page:
        page.get_by_test_id("action-more").click()
        page.get_by_test_id("action-changes").click()
        page.get_by_test_id("changes-sheet").wait_for()
        yield page


def sentences(page):
    return page.get_by_test_id("change").locator("> p[id]").all_inner_texts()


def expect_changes(page, *said):
    """Waits until these changes are shown, in this order."""
    expect(page.get_by_test_id("change")).to_have_count(len(said))
    assert eventually(lambda: sentences(page), lambda seen: seen == list(said)) == list(said)


def since(page):
    """The times to choose."""
    return page.get_by_test_id("changes-since")


def choose(page, label):
    """Chooses a time."""
    since(page).get_by_text(label, exact=True).click()
    expect(since(page).get_by_label(label, exact=True)).to_be_checked()


ALL = ["The subtitle “for two” is new.", "“Intro” is called “Entrance” now.", "“Lift” was number 3, and is number 1 now.",
       "“Bow” was deleted.", "“Turn” has notes now.", "“Spin” is new."]


def test_what_changed_since_the_last_practice_is_brought_back_one_by_one(changed, chromium, server):
    with opened(chromium, server, changed) as page:
        expect(since(page).get_by_label("Last practice")).to_be_checked()
        expect(page.get_by_test_id("changes-summary")).to_contain_text("6 changes since ")
        expect_changes(page, *ALL)
        assert page.get_by_test_id("changes-part").locator("h3").all_inner_texts() == ["The routine", "Entrance", "Verse"]
        expect(page.get_by_test_id("change").nth(4)).to_contain_text("slowly")

        page.get_by_test_id("change").filter(has_text="Bow").get_by_test_id("change-back").click()
        left = [said for said in ALL if "Bow" not in said]
        expect_changes(page, *left)
        assert eventually(
            lambda: [title for _, title, _ in changed.moves()], lambda seen: "Bow" in seen) == ["Lift", "Walk", "Turn", "Bow", "Spin"]
        page.get_by_role("button", name="Undo").click()
        expect_changes(page, *ALL)

        page.get_by_test_id("change").filter(has_text="Lift").get_by_test_id("change-back").click()
        # A move that is gone is told behind the one that was before it, which is the last one again.
        left = [ALL[0], ALL[1], ALL[4], ALL[3]]
        expect_changes(page, *left, ALL[5])
        page.get_by_test_id("change").filter(has_text="Spin").get_by_role("button", name="Remove again").click()
        expect_changes(page, *left)
        assert changed.moves() == [("Entrance", "Walk", None), ("Entrance", "Turn", "slowly"), ("Entrance", "Lift", None)]


def test_everything_comes_back_at_once_and_can_be_undone(changed, chromium, server):
    with opened(chromium, server, changed) as page:
        expect_changes(page, *ALL)
        page.get_by_test_id("changes-all").click()
        expect(page.get_by_test_id("changes-summary")).to_contain_text("Nothing has changed since ")
        expect(page.get_by_test_id("changes-all")).to_have_count(0)
        assert changed.moves() == [("Intro", title, None) for title in ["Walk", "Turn", "Lift", "Bow"]]
        [routine] = server.records("routine")
        assert routine.get("subtitle") is None
        page.get_by_role("button", name="Undo").click()
        expect_changes(page, *ALL)


def test_other_times_can_be_chosen_by_keys(changed, chromium, server):
    changed.edit(5 * DAY, [("move", "Walk", {"title": "Stroll"})])
    with opened(chromium, server, changed, timezone_id="UTC") as page:
        expect_changes(page, *ALL)
        since(page).get_by_label("Last practice").focus()
        page.keyboard.press("ArrowRight")
        expect(since(page).get_by_label("Yesterday")).to_be_checked()
        expect_changes(page, *ALL)
        page.keyboard.press("ArrowRight")
        expect(since(page).get_by_label("7 days")).to_be_checked()
        longer = [*ALL[:4], "“Walk” is called “Stroll” now.", *ALL[4:]]
        expect_changes(page, *longer)
        choose(page, "30 days")
        expect_changes(page, "“Entrance” is new, with 3 moves.", "“Verse” is new, with 1 move.")
        choose(page, "A date")
        expect_changes(page, *ALL)
        day = time.strftime("%Y-%m-%d", time.gmtime(changed.now / 1000 - 6 * 86_400))
        page.get_by_test_id("changes-date").fill(day)
        expect_changes(page, *longer)


def test_without_practice_or_changes_it_says_so(past, chromium, server):
    with opened(chromium, server, past) as page:
        expect(since(page).get_by_label("7 days")).to_be_checked()
        expect(since(page).get_by_label("Last practice")).to_have_count(0)
        expect(page.get_by_test_id("changes-summary")).to_contain_text("Nothing has changed since ")
        # What another device changes meanwhile is shown.
        past.edit(0, [("move", "Turn", {"title": "Pirouette"})])
        expect_changes(page, "“Turn” is called “Pirouette” now.")


def test_what_is_gone_says_why_it_cannot_come_back(past, chromium, server):
    past.edit(9 * DAY, [("move", "Turn", {"moveType": past.id("Turning")})])
    past.practise(2 * DAY)
    past.edit(HOUR, [
        ("move", "Turn", {"moveType": past.id("Lifting")}), ("moveType", "Turning", {"deletedAt": past.now - HOUR}),
        ("move", "Walk", {"part": past.id("Verse"), "position": "V"}), ("part", "Intro", {"deletedAt": past.now - HOUR}),
        ("part", "Coda", {"routine": past.id("Swan"), "title": "Coda", "position": "z"})])
    with opened(chromium, server, past) as page:
        expect_changes(page, "“Intro” was removed, with 4 moves.", "“Walk” came here from “Intro”.", "“Coda” is new.")
        row = page.get_by_test_id("change").nth(1)
        expect(row.get_by_test_id("change-missing")).to_contain_text("Bring that back first.")
        expect(row.get_by_test_id("change-back")).to_have_count(0)
        page.get_by_test_id("change").nth(0).get_by_test_id("change-back").click()
        expect_changes(
            page, "The type of “Turn” was “Turning”, and is “Lifting” now.", "“Walk” came here from “Intro”.", "“Coda” is new.")
        expect(page.get_by_test_id("change-missing")).to_have_text("It can’t come back: that move type is deleted.")
        page.get_by_test_id("changes-all").click()
        expect_changes(page, "The type of “Turn” was “Turning”, and is “Lifting” now.")
        assert [title for _, title, _ in past.moves()] == ["Walk", "Turn", "Lift", "Bow"]


def test_without_the_server_it_says_that_it_is_needed(changed, chromium, server):
    with opened(chromium, server, changed) as page:
        expect_changes(page, *ALL)
        page.context.set_offline(True)
        expect(page.get_by_test_id("changes-summary")).to_have_text(
            "What it was is stored on the server, which can’t be reached.")
        expect(page.get_by_test_id("change")).to_have_count(0)
        page.context.set_offline(False)
        expect_changes(page, *ALL)
        page.route("**/changes?*", lambda route: route.abort())
        choose(page, "7 days")
        expect(page.get_by_test_id("changes-summary")).to_contain_text("What it was is stored on the server.")


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 1280, "height": 800}], ids=["phone", "desktop"])
def test_the_sheet_is_accessible_in_both_themes_and_directions(changed, chromium, server, size):
    with opened(chromium, server, changed, viewport=size) as page:
        expect_changes(page, *ALL)
        choose(page, "A date")
        expect(page.get_by_test_id("changes-date")).to_be_visible()
        expect_changes(page, *ALL)
        for _ in range(2):
            settled(page)
            assert violations(page) == []
            change_theme(page)
        assert too_small(page) == []
        page.set_viewport_size({"width": 320, "height": 640})
        assert wider_than_window(page) == []
        page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
        assert wider_than_window(page) == []


def test_it_is_said_in_spanish(changed, chromium, server):
    with opened(chromium, server, changed, locale="es", viewport={"width": 320, "height": 640}) as page:
        expect(page.get_by_test_id("changes-sheet").locator("h2")).to_have_text("Qué ha cambiado")
        expect(page.get_by_test_id("changes-summary")).to_have_text(re.compile("^6 cambios desde el "))
        expect(page.get_by_test_id("change").nth(1).locator("> p[id]")).to_have_text("“Intro” se llama ahora “Entrance”.")
        assert wider_than_window(page) == []
