"""Printing the cue sheet: the paper size, the pages, and the print dialogue."""

import io

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader
from test_moves import write

# The number of moves per part. Two parts fill most of a page, so a third one would start on it.
LENGTHS = [9, 8, 10, 7, 9, 11, 8]
SIZES = {"a4": (595, 842), "letter": (612, 792)}


@pytest.fixture
def library(server):
    """A server with one routine whose parts fill several pages."""
    server.skip_welcome()
    routine, = write(server, [("routine", {"title": "Swan", "subtitle": "For the wings"})])
    parts = write(server, [
        ("part", {"routine": routine, "title": f"part-{at}.", "position": f"{at + 10}V"})
        for at in range(len(LENGTHS))])
    write(server, [
        ("move", {"part": part, "title": f"move-{at}-{number}.", "position": f"{number + 10}V"})
        for at, part in enumerate(parts) for number in range(LENGTHS[at])])
    return server


def printed(page):
    """Returns the sizes, in points, and the texts of the pages of a printed sheet."""
    sheets = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    sizes = {(round(sheet.mediabox.width), round(sheet.mediabox.height)) for sheet in sheets}
    return sizes, [sheet.extract_text() for sheet in sheets]


def test_a_cue_sheet_is_printed_on_the_chosen_paper(chromium, library):
    context = chromium.new_context(
        service_workers="block", viewport={"width": 390, "height": 844}, locale="en-US")
    context.add_init_script("window.print = () => { window.isPrinted = true; }")
    page = context.new_page()

    def export():
        page.goto(library.origin)
        page.get_by_test_id("routine-menu").click()
        page.get_by_test_id("routine-export").click()

    def choice(paper):
        return page.get_by_test_id("paper").locator(f"[value={paper}]")

    export()
    expect(choice("letter")).to_be_checked()
    for paper in ("letter", "a4"):
        page.get_by_test_id("paper").locator("label").filter(has=page.locator(f"[value={paper}]")).click()
        expect(page.get_by_test_id("export-cuesheet")).to_have_attribute(
            "href", f"/api/routines/{library.records('routine')[0]['id']}/export?format=cuesheet&paper={paper}")
        with context.expect_page() as opened:
            page.get_by_test_id("print-cuesheet").click()
        sheet = opened.value
        sheet.wait_for_function("() => window.isPrinted === true")
        sizes, texts = printed(sheet)
        assert sizes == {SIZES[paper]}
        assert 2 < len(texts) < len(LENGTHS)
        for at, length in enumerate(LENGTHS):
            lines = [f"part-{at}.", *(f"move-{at}-{number}." for number in range(length))]
            where = [[index for index, text in enumerate(texts) if line in text] for line in lines]
            assert where == [where[0]] * len(lines) and len(where[0]) == 1, f"part {at} is cut: {where}"
        sheet.close()
    export()
    expect(choice("a4")).to_be_checked()
    context.close()
