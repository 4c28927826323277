"""Practising by counts: the part's own eights, seeking by eights, A and B on counts, the part's length."""

from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations
from studio import DESKTOP, PHONE, RATE, eventually, first_screen, open_card, resting_box
from test_counts import FIRST, PERIOD, analyse, answer_with
from test_media_keys import SYSTEM
from test_practice import first_part, parts, phone_page  # noqa: F401
from test_remote import choose, pair_of_players, studio, swan  # noqa: F401


def press_wave(page, share):
    """Presses the waveform at a share of its width, with a finger, once the player stands still."""
    wave = page.get_by_test_id("scrubber")
    box = resting_box(wave)
    wave.tap(position={"x": box["width"] * share, "y": box["height"] / 2})


def tap(page, *names):
    for name in names:
        page.get_by_test_id(name).tap()


def place_is(page, text):
    expect(page.get_by_test_id("count-place")).to_have_text(text)


def edit_first_part(server, **fields):
    part = min(server.records("part"), key=lambda each: each["position"])
    server.edit("part", part["id"], fields)


@has_parts(("One", 12))
def test_the_first_eight_of_a_part_is_eight_1(phone_page, server):  # noqa: F811
    analyse(phone_page, 0.9)
    tap(phone_page, "player-expand")
    place_is(phone_page, "Pick-up, count 6")
    edit_first_part(server, startFrame=FIRST + 8 * PERIOD)
    place_is(phone_page, "Eight 1, count 1")
    # Two counts earlier the part has a pick-up; a cut a little late does not make one.
    edit_first_part(server, startFrame=FIRST + 6 * PERIOD)
    place_is(phone_page, "Pick-up, count 7")
    tap(phone_page, "current-count")
    expect(phone_page.get_by_test_id("sheet-count-place")).to_have_text("Pick-up, count 7")
    tap(phone_page, "sheet-close")
    edit_first_part(server, startFrame=FIRST + 8 * PERIOD + 4_800)
    place_is(phone_page, "Eight 1, count 1")


@has_parts(("One", 12), ("Two", 12))
def test_a_run_counts_in_the_part_that_sounds(phone_page, server):  # noqa: F811
    analyse(phone_page, 0.9)
    tap(phone_page, "action-run", "play", "player-expand")
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    press_wave(phone_page, 8.25 / 24)
    place_is(phone_page, "Eight 2, count 6")
    press_wave(phone_page, 18.25 / 24)
    place_is(phone_page, "Eight 2, count 2")
    assert violations(phone_page) == []
    server.set("seekUnit", "eight")
    expect(phone_page.get_by_test_id("seek-back")).to_have_accessible_name("To the start of the eight")
    tap(phone_page, "seek-back")
    place_is(phone_page, "Eight 2, count 1")
    tap(phone_page, "seek-back", "seek-back")
    place_is(phone_page, "Pick-up, count 6")
    tap(phone_page, "seek-back")
    place_is(phone_page, "Eight 3, count 1")


@has_parts(("One", 12))
def test_the_length_of_a_part_is_shown_in_eights(phone_page, server):  # noqa: F811
    analyse(phone_page, 0.9)
    tap(phone_page, "player-expand")
    expect(phone_page.get_by_test_id("counts-total")).to_have_text("3 × 8")
    edit_first_part(server, endFrame=9 * RATE)
    expect(phone_page.get_by_test_id("counts-total")).to_have_text("2 × 8 + 2")
    tap(phone_page, "player-collapse", "jump-button")
    expect(phone_page.get_by_test_id("jump-part")).to_contain_text("2 × 8 + 2")
    assert violations(phone_page) == [] and too_small(phone_page) == []
    tap(phone_page, "sheet-close")
    # A wide window has room for it in the small player, too.
    phone_page.set_viewport_size({"width": 700, "height": 844})
    expect(phone_page.get_by_test_id("player-expand")).to_contain_text("/ 0:09 · 2 × 8 + 2")


def choose_eights(page):
    """Chooses the step in the settings, as a person does, and comes back to the part."""
    page.goto(page.url.split("/routine")[0] + "/settings/player")
    page.get_by_test_id("seek-step").get_by_text("An eight").tap()
    expect(page.get_by_text("In a song without counts: 5 seconds.")).to_be_visible()
    assert violations(page) == [] and too_small(page) == []
    page.go_back()
    expect(page.get_by_test_id("play")).to_be_enabled()


@has_parts(("One", 12))
def test_back_and_forward_go_from_eight_to_eight(phone_page, server):  # noqa: F811
    analyse(phone_page, 0.9)
    choose_eights(phone_page)
    back, forward = (phone_page.get_by_test_id(f"seek-{name}") for name in ("back", "forward"))
    expect(forward).to_have_accessible_name("To the next eight")
    tap(phone_page, "player-expand", "seek-forward")
    place_is(phone_page, "Eight 1, count 1")
    tap(phone_page, "seek-forward", "seek-forward")
    place_is(phone_page, "Eight 3, count 1")
    # From the 1 to the eight before; from within an eight first to its own 1.
    tap(phone_page, "seek-back")
    place_is(phone_page, "Eight 2, count 1")
    press_wave(phone_page, 8.25 / 12)
    place_is(phone_page, "Eight 2, count 6")
    phone_page.keyboard.press("ArrowLeft")
    place_is(phone_page, "Eight 2, count 1")
    phone_page.get_by_test_id("scrubber").press("ArrowRight")
    place_is(phone_page, "Eight 3, count 1")
    assert violations(phone_page) == [] and too_small(phone_page) == []
    # The section that loops is not left.
    edit_first_part(server, loopMode="section", markerA=3 * RATE, markerB=6 * RATE)
    expect(phone_page.get_by_test_id("section")).to_have_attribute("aria-pressed", "true")
    tap(phone_page, "seek-back")
    place_is(phone_page, "Eight 1, count 4")
    # A song without counts has its seconds.
    answer_with(phone_page, None)
    expect(back).to_have_accessible_name("Back 5 seconds")


@has_parts(("One", 12))
def test_media_keys_go_from_eight_to_eight(parts, chromium, server):  # noqa: F811
    server.set("seekUnit", "eight")
    with first_screen(chromium, server, script=SYSTEM, **DESKTOP) as page:
        open_card(page)
        analyse(page, 0.9)
        expect(page.get_by_test_id("seek-forward")).to_have_accessible_name("To the next eight")
        for action, place in (
                ("seekforward", "Eight 1, count 1"), ("seekforward", "Eight 2, count 1"),
                ("seekbackward", "Eight 1, count 1")):
            # Chromium names seconds of its own.
            page.evaluate("(action) => press(action, { seekOffset: 10 })", action)
            place_is(page, place)


def test_a_remote_steps_by_the_eights_of_the_player_and_its_markers_snap(chromium, studio, swan):  # noqa: F811
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        analyse(laptop, 0.9)
        studio.set("seekUnit", "eight")
        studio.set("markerSnap", True)
        choose(phone, expand=True)
        forward = phone.get_by_test_id("remote-forward")
        expect(forward).to_have_accessible_name("To the next eight")
        forward.tap()
        expect(laptop.get_by_test_id("count-place")).to_have_text("Eight 1, count 1")
        forward.tap()
        expect(laptop.get_by_test_id("count-place")).to_have_text("Eight 2, count 1")
        phone.get_by_test_id("remote-back").tap()
        expect(laptop.get_by_test_id("count-place")).to_have_text("Eight 1, count 1")
        phone.get_by_test_id("remote-slider").fill(str(2 * RATE + 5_000))
        phone.get_by_test_id("remote-section").tap()
        expect(laptop.get_by_test_id("marker-a")).to_have_attribute("data-frame", str(2 * RATE))
        # The remote shows what it became.
        phone.get_by_test_id("remote-slider").fill(str(4 * RATE))
        phone.get_by_test_id("remote-section").tap()
        expect(phone.get_by_test_id("remote")).to_contain_text("A 0:02.0")


@has_parts(("One", 12))
def test_a_and_b_snap_to_counts_and_are_moved_by_counts(phone_page, server):  # noqa: F811
    analyse(phone_page, 0.9)
    tap(phone_page, "player-expand")
    press_wave(phone_page, 2.1 / 12)
    tap(phone_page, "section")
    marker_a, marker_b = (phone_page.get_by_test_id(f"marker-{which}") for which in "ab")
    expect(marker_a).not_to_have_attribute("data-frame", str(2 * RATE))
    snap = phone_page.get_by_role("switch", name="Snap A and B to counts")
    expect(snap).to_have_attribute("aria-checked", "false")
    # It moves what is set already, and what is set from now on.
    snap.tap()
    expect(snap).to_have_attribute("aria-checked", "true")
    expect(marker_a).to_have_attribute("data-frame", str(2 * RATE))
    press_wave(phone_page, 6.4 / 12)
    tap(phone_page, "section")
    expect(marker_b).to_have_attribute("data-frame", str(6 * RATE + RATE // 2))
    assert violations(phone_page) == [] and too_small(phone_page) == []
    later = phone_page.get_by_role("button", name="A one count later")
    later.tap()
    expect(marker_a).to_have_attribute("data-frame", str(2 * RATE + RATE // 2))
    tap(phone_page, "marker-a-earlier", "marker-a-earlier", "marker-b-earlier")
    expect(marker_a).to_have_attribute("data-frame", str(RATE + RATE // 2))
    expect(marker_b).to_have_attribute("data-frame", str(6 * RATE))
    marker_b.press("ArrowRight")
    expect(marker_b).to_have_attribute("data-frame", str(6 * RATE + RATE // 2))
    tap(phone_page, "spot-save", "spot-done")
    expect(phone_page.get_by_test_id("spot")).to_have_attribute("aria-pressed", "true")
    # To the part's border, and not over it.
    for _ in range(5):
        tap(phone_page, "marker-a-earlier")
    expect(marker_a).to_have_attribute("data-frame", "0")
    assert eventually(
        lambda: first_part(server, "markerA", "markerB"), lambda now: now == (0, 6 * RATE + RATE // 2))
    # Without snapping a press is exact, and a step is a tenth of a second.
    snap.tap()
    tap(phone_page, "section-clear")
    press_wave(phone_page, 2.1 / 12)
    tap(phone_page, "section")
    frame = int(marker_a.get_attribute("data-frame"))
    assert abs(frame - 2.1 * RATE) < 0.05 * RATE and frame != 2 * RATE
    phone_page.get_by_role("button", name="A 0.1 seconds later").tap()
    expect(marker_a).to_have_attribute("data-frame", str(frame + RATE // 10))


@has_parts(("One", 12))
def test_a_dragged_marker_and_the_keys_snap(parts, chromium, server):  # noqa: F811
    server.set("markerSnap", True)
    with first_screen(chromium, server, **DESKTOP) as page:
        open_card(page)
        analyse(page, 0.9)
        expect(page.get_by_test_id("counts-total")).to_be_visible()
        box = resting_box(page.get_by_test_id("scrubber"))
        at = lambda seconds: (box["x"] + box["width"] * seconds / 12, box["y"] + box["height"] / 2)  # noqa: E731
        page.mouse.click(*at(3.3))
        page.keyboard.press("a")
        expect(page.get_by_test_id("marker-snap")).to_have_attribute("aria-checked", "true")
        marker = page.get_by_test_id("marker-a")
        expect(marker).to_have_attribute("data-frame", str(int(3.5 * RATE)))
        handle = resting_box(marker)
        grip = handle["x"] + handle["width"] - 4, handle["y"] + handle["height"] - 6
        page.mouse.move(*grip)
        page.mouse.down()
        page.mouse.move(grip[0] + box["width"] * 1.2 / 12, grip[1], steps=6)
        expect(marker).to_have_attribute("data-frame", str(int(4.5 * RATE)))
        page.mouse.up()
        assert eventually(lambda: first_part(server, "markerA"), lambda now: now == (int(4.5 * RATE),))


@has_parts(("One", 12))
def test_a_song_without_counts_has_no_snapping(parts, chromium, server):  # noqa: F811
    server.set("markerSnap", True)
    with first_screen(chromium, server, **PHONE) as page:
        open_card(page)
        answer_with(page, None)
        tap(page, "player-expand", "section")
        expect(page.get_by_test_id("marker-a")).to_be_visible()
        expect(page.get_by_test_id("marker-snap")).to_have_count(0)
        expect(page.get_by_role("button", name="A 0.1 seconds later")).to_be_visible()
