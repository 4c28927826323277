"""Counts in the clipper: snapping, lengths, the ruler, and steps by counts and eights."""

import re

import pytest
from playwright.sync_api import expect
from prepared import one_song
from screen_checks import violations
from studio import DESKTOP, PHONE, RATE, eventually, first_screen
from test_clipper import cut, drag_border, frames, open_only, place, saved_clips, selected

BEATS = list(range(RATE // 2, 24 * RATE, RATE // 2))
ANALYSIS = {
    "attacks": [], "changes": [],
    # A count each half second; the eights begin after a second, and every four.
    "beats": {
        "tempo": 120, "metre": 4, "confidence": 0.9, "frames": BEATS,
        "places": [(at - 1) % 4 + 1 for at in range(len(BEATS))],
        "eights": list(range(RATE, 24 * RATE, 4 * RATE))}}
ANALYSES = "**/api/tracks/*/analysis*"


def answer(page, analysis):
    page.route(ANALYSES, lambda route: route.fulfill(json=analysis))


@pytest.fixture
def with_song(begin_with):
    """A library with a song of 24 seconds."""
    begin_with(one_song)


@pytest.fixture
def counted(with_song, chromium, server):
    """A desktop page with a song of 24 seconds open, which has counts."""
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        answer(page, ANALYSIS)
        open_only(page)
        yield page


def border(page, at):
    return page.locator("[data-testid^=border-][data-testid$=-end]").nth(at)


def test_the_counts_of_the_song_are_saved_as_labels(counted):
    cut(counted, 8)
    counted.get_by_test_id("download-clips").click()
    with counted.expect_download() as download:
        counted.get_by_test_id("counts-out").click()
    assert download.value.suggested_filename == "Swan counts.txt"
    lines = download.value.path().read_text().splitlines()
    # The beats go on to the start of the song, so that a count of the pick-up is at 0.
    assert lines[:3] == ["0.000000\t0.000000\t7", "0.500000\t0.500000\t8", "1.000000\t1.000000\t1 · eight 1"]
    assert len(lines) == 48


def test_a_dragged_border_snaps_to_counts_unless_they_are_switched_off(counted, server):
    snap = counted.get_by_test_id("snap")
    expect(snap).to_have_text("Snap: counts")
    cut(counted, 8.2)
    drag_border(counted, border(counted, 0), 6.58)
    eventually(lambda: saved_clips(server)[0][2], lambda end: end == 6.5 * RATE)
    drag_border(counted, border(counted, 0), 5.1)
    eventually(lambda: saved_clips(server)[0][2], lambda end: end == 5 * RATE)
    snap.click()
    counted.get_by_text("Counts: the beat").click()
    counted.get_by_test_id("sheet-close").click()
    expect(snap).to_have_text("Snap: off")
    drag_border(counted, border(counted, 0), 6.58)
    eventually(lambda: frames(counted)[0][1], lambda end: 6.52 * RATE < end < 6.64 * RATE)


def test_a_song_without_counts_has_none_to_snap_to(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        answer(page, {"attacks": [], "changes": []})
        with page.expect_response("**/analysis*"):
            open_only(page)
        expect(page.get_by_test_id("snap")).to_have_text("Snap: off")
        page.get_by_test_id("snap").click()
        expect(page.get_by_test_id("snap-attacks")).to_be_visible()
        expect(page.get_by_test_id("snap-counts")).to_have_count(0)


def test_clips_and_selection_show_their_length_in_counts(counted):
    cut(counted, 5, 9)
    rows = counted.get_by_test_id("clip-counts")
    expect(rows).to_have_text([" · 1 × 8 + 2", " · 1 × 8", " · 3 × 8 + 6"])
    length = counted.get_by_test_id("selection-counts")
    expect(length).to_have_text(" · 6 × 8")
    counted.get_by_test_id("clip-menu").nth(1).click()
    counted.get_by_test_id("clip-adjust").click()
    expect(length).to_have_text(" · 1 × 8")
    drag_border(counted, counted.get_by_test_id("handle-end"), 8)
    expect(length).to_have_text(" · 6 counts")
    expect(rows).to_have_text([" · 1 × 8 + 2", " · 6 counts", " · 4 × 8"])


def test_the_ruler_shows_eights_and_nearer_all_counts(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **PHONE) as page:
        answer(page, ANALYSIS)
        open_only(page)
        ruler = page.get_by_test_id("stage-counts")
        eights, counts = ruler.locator("b"), ruler.locator("text")
        expect(eights).to_have_text(["1", "2", "3", "4", "5", "6"])
        expect(counts).to_have_text("")
        # A number stands beside its line, over its place in the wave.
        assert abs(eights.nth(2).bounding_box()["x"] - place(page, 9)[0] - 4) < 2
        assert violations(page) == []
        for _ in range(3):
            page.get_by_test_id("zoom-in").click()
        expect(counts).to_have_text(re.compile("2345678"))
        # Each eight begins between a count 8 and a count 2.
        beside = ruler.evaluate("""(ruler) => {
          const text = ruler.querySelector('text');
          const places = text.getAttribute('x').split(' ').map(Number);
          return [...ruler.querySelectorAll('b')].slice(0, 2).map((eight) => {
            const after = places.findIndex((place) => place > parseFloat(eight.style.getPropertyValue('--at')));
            return text.textContent.slice(after - 1, after + 1);
          });
        }""")
        assert beside == ["82", "82"]


def test_borders_move_by_counts_and_eights_with_buttons_and_keys(counted, server):
    counted.get_by_test_id("selection-more").click()
    for which, time in (("end", "0:09.000"), ("start", "0:05.000")):
        counted.get_by_test_id(f"exact-{which}").fill(time)
        counted.keyboard.press("Enter")
    step = "step-{}-{}-{}".format
    counted.get_by_test_id(step("start", "count", 1)).click()
    assert selected(counted) == (5.5 * RATE, 9 * RATE)
    counted.get_by_test_id(step("start", "eight", -1)).click()
    assert selected(counted) == (1.5 * RATE, 9 * RATE)
    counted.get_by_test_id("handle-end").focus()
    counted.keyboard.press("Comma")
    assert selected(counted) == (1.5 * RATE, 8.5 * RATE)
    for _ in range(3):
        counted.keyboard.press("Shift+Period")
    assert selected(counted) == (1.5 * RATE, 20.5 * RATE)
    counted.keyboard.press("Period")
    assert selected(counted) == (1.5 * RATE, 21 * RATE)
    # No eight begins later.
    expect(counted.get_by_test_id(step("end", "eight", 1))).to_be_disabled()
    counted.keyboard.press("Shift+Period")
    assert selected(counted) == (1.5 * RATE, 21 * RATE)
    expect(counted.get_by_test_id(step("end", "count", 1))).to_be_enabled()
    counted.get_by_test_id("selection-clear").click()
    cut(counted, 17)
    drag_border(counted, border(counted, 0), 17.05)
    eventually(lambda: saved_clips(server)[0][2], lambda end: end == 17 * RATE)
    border(counted, 0).focus()
    counted.keyboard.press("Period")
    eventually(lambda: saved_clips(server)[0][2], lambda end: end == 17.5 * RATE)
    counted.keyboard.press("Shift+Comma")
    eventually(lambda: saved_clips(server)[0][2], lambda end: end == 13.5 * RATE)


SUGGESTED = (9.2, 13.7, 19.9)
ON_COUNTS = [9, 13.5, 20]


def with_changes():
    return {**ANALYSIS, "changes": [{"frame": round(seconds * RATE), "strength": 0.9} for seconds in SUGGESTED]}


def suggested(page):
    """The suggested cuts that are shown, in seconds."""
    return [int(guess.get_attribute("data-frame")) / RATE for guess in page.get_by_test_id("guess").all()]


def waits_for_suggestions(page):
    expect(page.get_by_test_id("guesses")).to_have_text("Listening to the song…")
    expect(page.get_by_test_id("guess")).to_have_count(0)


def test_suggested_cuts_stand_on_counts(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        answer(page, with_changes())
        open_only(page)
        expect(page.get_by_test_id("stage-counts")).to_be_visible()
        page.get_by_test_id("suggest").click()
        expect(page.get_by_test_id("guess")).to_have_count(3)
        assert suggested(page) == ON_COUNTS


def test_no_cut_is_suggested_before_the_counts_have_loaded(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        answer(page, with_changes())
        held = []
        page.route("**/counts.wasm*", lambda route: held.append(route))
        with page.expect_request("**/counts.wasm*"):
            open_only(page)
        with page.expect_response(ANALYSES):
            page.get_by_test_id("suggest").click()
        waits_for_suggestions(page)
        held[0].continue_()
        expect(page.get_by_test_id("guess")).to_have_count(3)
        assert suggested(page) == ON_COUNTS


def test_no_cut_is_suggested_before_it_is_known_whether_there_are_counts(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        held = []

        def hold_but_the_second(route):
            held.append(route)
            if len(held) == 2:
                route.fulfill(json=with_changes())

        page.route(ANALYSES, hold_but_the_second)
        # The page asks for the counts, then for the suggestions; when it has those, for the counts again.
        with page.expect_request(ANALYSES):
            open_only(page)
        page.get_by_test_id("suggest").click()
        eventually(lambda: waits_for_suggestions(page) or len(held), lambda count: count == 3)
        held[2].fulfill(json=with_changes())
        expect(page.get_by_test_id("guess")).to_have_count(3)
        assert suggested(page) == ON_COUNTS


def test_cuts_are_suggested_where_they_are_if_the_counts_fail_to_load(with_song, chromium, server):
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        answer(page, with_changes())
        page.route("**/counts.wasm*", lambda route: route.abort())
        open_only(page)
        page.get_by_test_id("suggest").click()
        expect(page.get_by_test_id("guess")).to_have_count(3)
        assert suggested(page) == pytest.approx(SUGGESTED)
