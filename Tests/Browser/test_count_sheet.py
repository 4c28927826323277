"""The eight-count sheet: from the exports to the opened sheet, on paper, on a screen, and empty."""

import csv
import io
import json
import pathlib

import pytest
from playwright.sync_api import expect
from prepared import songs
from pypdf import PdfReader
from screen_checks import too_small, violations
from studio import DESKTOP, PHONE, RATE, first_screen
from test_moves import change, write

#: In points, in landscape.
SIZES = {"a4": (842, 595), "letter": (792, 612)}
LENGTH = 34
#: The seconds of a long part, and its eights with moves.
LONG = 300
LONG_MOVES = 70
TITLE = "A very long name of a move that fills all sixty characters!!"
NOTES = ("Chin up, and " * 80)[:1000]
#: What lies on the counts of the first part: title, start, length, notes.
MOVES = [
    ("Breath", -2, 2, None), ("Walk", 0, 4, None), (TITLE, 4, 1, "Wide"), (TITLE.replace("A", "B"), 5.5, 0.5, None),
    ("Turn", 8, 20, NOTES), ("Arms", 10, 2, None), ("مرحبا بالعالم", 28, 4, "ملاحظة"), ("Leap", 32, 4, None),
]


def counted(server):
    """A routine of two parts, with moves on the first."""
    first, second = songs(server, ("One", LENGTH), ("Two", 4))
    step, = write(server, [("moveType", {"name": "Step", "abbreviation": "ST", "colour": "#1584bc"})])
    write(server, [
        ("move", {
            "part": first, "title": title, "position": f"{at + 10}V", "startCount": start, "countLength": length,
            **({"notes": notes} if notes else {}), **({"moveType": step} if at % 2 else {})})
        for at, (title, start, length, notes) in enumerate(MOVES)])
    write(server, [("move", {"part": first, "title": "Bow", "position": "zV"})])
    change(server, "part", second, {"title": TITLE.replace("A", "C")})


def store_beats(library):
    """Replaces the analyses of a library: a beat each half second, and the first count 1 at 1.5 s."""
    frames = [at * RATE // 2 for at in range(1, 2 * LONG)]
    beats = {
        "tempo": 120, "metre": 4, "confidence": 0.9, "frames": frames,
        "places": [(at - 2) % 4 + 1 for at in range(len(frames))], "eights": frames[2::8]}
    for path in library.glob("derived/*/analysis*.json"):
        path.write_text(json.dumps({"attacks": [], "changes": [], "beats": beats}))


def long_routine(server):
    """A routine of seventy eights, with two moves in each, of which one has a note of five lines."""
    [part] = songs(server, ("One", LONG))
    write(server, [
        ("move", {
            "part": part, "title": f"{name}-{at}.", "position": f"{at + 100}{letter}V", "startCount": 8 * at + start,
            "countLength": 4, **notes})
        for at in range(LONG_MOVES)
        for name, letter, start, notes in (("begin", "a", 0, {"notes": f"note-{at}.\nslow\n\nlow\nlast-{at}."}), ("end", "b", 4, {}))])


@pytest.fixture
def library(begin_with, tmp_path):
    """The library of `counted` with counts, before `server` opens it."""
    begin_with(counted)
    store_beats(tmp_path / "library")


def address(server, query="format=countsheet"):
    [routine] = server.records("routine")
    return f"/api/routines/{routine['id']}/export?{query}"


@pytest.fixture
def page(chromium):
    """A page without the app, whose policy would forbid the sheet's styles."""
    context = chromium.new_context(**DESKTOP)
    yield context.new_page()
    context.close()


def show(page, server, paper):
    """Shows a sheet as a downloaded file does."""
    status, content = server.request("GET", address(server, f"format=countsheet&paper={paper}"))
    assert status == 200
    page.set_content(content.decode())


def printed(page):
    """Returns the sizes, in points, and the texts of the pages of a printed sheet."""
    sheets = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    return {size(sheet) for sheet in sheets}, [sheet.extract_text() for sheet in sheets]


def size(sheet):
    """Returns the width and height of a page as it is seen: Chromium turns pages in landscape."""
    shape = round(sheet.mediabox.width), round(sheet.mediabox.height)
    return shape if sheet.rotation % 180 == 0 else shape[::-1]


def too_wide(page):
    """Returns what is wider than its box: the page itself, or something on it."""
    return page.evaluate("""() => [document.documentElement, ...document.querySelectorAll('td, th, h1:not(.spoken), h2, li, p')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      .map((element) => element.outerHTML.slice(0, 200))""")


def too_wide_on(page, paper):
    """Returns what is wider than its box on a paper, between its margins of 10 mm."""
    width, height = SIZES[paper]
    page.emulate_media(media="print")
    page.set_viewport_size({"width": (width - 57) * 96 // 72, "height": (height - 57) * 96 // 72})
    found = too_wide(page)
    page.emulate_media(media="null")
    return found


def open_exports(page):
    page.get_by_test_id("routine-menu").tap()
    page.get_by_test_id("routine-export").tap()


def choose(page, paper):
    page.get_by_test_id("paper").locator("label").filter(has=page.locator(f"[value={paper}]")).tap()


def opened(page, button):
    """Presses a button that opens a sheet in another tab, and returns that page when it would print itself."""
    with page.context.expect_page() as tab:
        page.get_by_test_id(button).tap()
    tab.value.wait_for_function("() => window.isPrinted === true")
    return tab.value


def test_from_the_exports_to_the_printed_sheet_by_touch(library, server, chromium):
    note_printing = "window.print = () => { window.isPrinted = true; }"
    with first_screen(chromium, server, script=note_printing, locale="en-US", **PHONE) as page:
        open_exports(page)
        expect(page.get_by_test_id("paper").locator("[value=letter]")).to_be_checked()
        for paper in ("letter", "a4"):
            choose(page, paper)
            sheet = opened(page, "print-countsheet")
            sizes, texts = printed(sheet)
            assert sizes == {SIZES[paper]} and len(texts) == 2
            for text in texts:
                assert "Notes, lyrics" in text
            assert "3 0:09.5 … Turn …" in texts[0] and "Not on counts yet" in texts[1]
            sheet.close()
            for counts in (8, 6):
                sheet = opened(page, f"empty-countsheet-{counts}")
                sizes, texts = printed(sheet)
                assert (sizes, len(texts)) == ({SIZES[paper]}, 1)
                assert [str(count) in texts[0] for count in (counts, counts + 1)] == [True, False]
                sheet.close()
        assert violations(page) == [] and too_small(page) == []


def test_the_sheet_and_its_table_are_downloaded(library, server, chromium):
    with first_screen(chromium, server, **PHONE) as page:
        open_exports(page)
        with page.expect_download() as saved:
            page.get_by_test_id("export-countsheet").tap()
        assert saved.value.suggested_filename == "Swan eight-count sheet.html"
        assert "<script" not in pathlib.Path(saved.value.path()).read_text()
        with page.expect_download() as saved:
            page.get_by_test_id("export-countsheet-csv").tap()
        assert saved.value.suggested_filename == "Swan eight-count sheet.csv"
        with open(saved.value.path(), encoding="utf-8-sig", newline="") as file:
            head, *lines = csv.reader(file)
        assert head[2:6] == ["Eight", "Time", "1", "2"]
        assert lines[1][2:8] == ["1", "00:01.500", "Walk (ST)", "…", "…", "…"]
        assert {len(line) for line in lines} == {len(head)}


@pytest.mark.parametrize("paper", SIZES)
def test_a_sheet_fits_its_paper_and_the_screen(library, server, page, paper):
    show(page, server, paper)
    expect(page.get_by_role("heading", name="Swan")).to_be_visible()
    assert too_wide_on(page, paper) == []
    for width, height in ((390, 844), (320, 640), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert too_wide(page) == []
        # A phone scrolls the table, not the page.
        assert page.locator(".scroll").first.evaluate(
            "(element) => element.scrollWidth > element.clientWidth") == (width < 700)
        assert violations(page) == []


@pytest.mark.parametrize("paper", SIZES)
def test_many_eights_repeat_their_headings_and_are_never_cut(begin_with, request, tmp_path, page, paper):
    begin_with(long_routine)
    store_beats(tmp_path / "library")
    show(page, request.getfixturevalue("server"), paper)
    sizes, texts = printed(page)
    assert sizes == {SIZES[paper]} and len(texts) > 5
    assert all("Notes, lyrics" in text for text in texts)
    for at in range(LONG_MOVES):
        where = [text for text in texts if f"begin-{at}." in text]
        assert len(where) == 1 and all(f"{name}-{at}." in where[0] for name in ("end", "note", "last"))
