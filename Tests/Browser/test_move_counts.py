"""Moves on counts: laid by hand and by taps, lit while they play, looped, and kept in order."""

import pytest
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations
from studio import RATE, eventually, resting_box
from test_counts import analyse
from test_moves import change, write
from test_practice import parts, phone_page  # noqa: F401

#: The first count 1 is at 1.5 s, and a count takes half a second.
ONE = 3 * RATE // 2
COUNT = RATE // 2


@pytest.fixture
def counted(phone_page, server):  # noqa: F811
    """A part of twelve seconds with counts and three moves, none of which has counts."""
    analyse(phone_page, 0.9)
    [part] = server.records("part")
    write(server, [
        ("move", {"part": part["id"], "title": title, "position": position})
        for title, position in [("Walk", "a"), ("Turn", "b"), ("Leap", "c")]])
    expect(card(phone_page, "Leap")).to_be_visible()
    expect(phone_page.get_by_test_id("tap-moves-open")).to_be_visible()
    return phone_page


def card(page, title):
    return page.get_by_test_id("move-card").filter(has_text=title)


def choose(page, title, item):
    card(page, title).get_by_test_id("move-number").click()
    page.get_by_test_id(item).click()


def lay(server, **places):
    """Lays moves as another device: a beginning and a length for each title."""
    for move in server.records("move"):
        if move["title"] in places:
            start, length = places[move["title"]]
            change(server, "move", move["id"], {"startCount": start, "countLength": length})


def places(server):
    return {move["title"]: (move.get("startCount"), move.get("countLength")) for move in server.records("move")}


def are_laid(server, **expected):
    assert eventually(lambda: places(server), lambda found: found == expected) == expected


def titles(page):
    return page.get_by_test_id("move-title").all_inner_texts()


def time_of(page, title):
    return card(page, title).get_by_test_id("move-time")


@has_parts(("One", 12))
def test_a_move_is_laid_on_counts_by_steps_and_by_typing(counted, server):
    expect(counted.get_by_test_id("move-time")).to_have_count(0)
    choose(counted, "Walk", "move-lay")
    counted.get_by_test_id("lay-move").click()
    place = counted.get_by_test_id("move-place")
    expect(place).to_have_text("Eight 1 · 1–4")
    counted.get_by_test_id("move-start-more-1").click()
    counted.get_by_test_id("move-start-more-0.5").click()
    expect(place).to_have_text("Eight 1 · 2&–6")
    counted.get_by_test_id("move-length-less-1").click()
    expect(place).to_have_text("Eight 1 · 2&–5")
    counted.get_by_test_id("move-start-more-8").click()
    expect(place).to_have_text("Eight 2 · 2&–5")
    typed = counted.get_by_test_id("move-counts-typed")
    typed.fill("1 to 4")
    typed.press("Enter")
    expect(counted.get_by_role("alert")).to_contain_text("Type counts such as")
    assert violations(counted) == [] and too_small(counted) == []
    typed.fill("7-2")
    typed.press("Enter")
    expect(place).to_have_text("Eight 2 · 7–2")
    expect(counted.get_by_role("alert")).to_be_hidden()
    counted.get_by_test_id("move-counts-done").click()
    expect(time_of(counted, "Walk")).to_contain_text("Eight 2 · 7–2")
    are_laid(server, Walk=(14, 4), Turn=(None, None), Leap=(None, None))
    choose(counted, "Walk", "move-lay")
    counted.get_by_test_id("unlay-move").click()
    expect(counted.get_by_test_id("lay-move")).to_be_visible()
    are_laid(server, Walk=(None, None), Turn=(None, None), Leap=(None, None))


@has_parts(("One", 12))
def test_a_longer_move_pushes_what_follows_unless_it_is_not_to(counted, server):
    lay(server, Walk=(0, 4), Turn=(4, 4), Leap=(8, 4))
    expect(time_of(counted, "Leap")).to_contain_text("Eight 2 · 1–4")
    choose(counted, "Walk", "move-lay")
    counted.get_by_test_id("move-length-more-1").click()
    are_laid(server, Walk=(0, 5), Turn=(5, 4), Leap=(9, 4))
    counted.get_by_test_id("move-push").click()
    counted.get_by_test_id("move-length-less-1").click()
    are_laid(server, Walk=(0, 4), Turn=(5, 4), Leap=(9, 4))
    counted.get_by_test_id("move-push").click()
    counted.get_by_test_id("move-counts-done").click()
    # One that goes leaves its room to those that follow; the undo gives it back.
    choose(counted, "Turn", "move-delete")
    are_laid(server, Walk=(0, 4), Leap=(5, 4))
    counted.get_by_test_id("toast-action").click()
    are_laid(server, Walk=(0, 4), Turn=(5, 4), Leap=(9, 4))


@has_parts(("One", 12))
def test_order_and_counts_never_contradict_each_other(counted, server):
    lay(server, Walk=(8, 4), Turn=(None, None), Leap=(0, 4))
    expect(time_of(counted, "Walk")).to_contain_text("Eight 2 · 1–4")
    # Another device has laid them against their order: counts decide, and the one without keeps its place.
    eventually(lambda: titles(counted), lambda found: found == ["Leap", "Turn", "Walk"])
    card(counted, "Leap").get_by_test_id("move-number").focus()
    counted.keyboard.press("Alt+ArrowDown")
    counted.keyboard.press("Alt+ArrowDown")
    assert titles(counted) == ["Turn", "Walk", "Leap"]
    are_laid(server, Walk=(0, 4), Turn=(None, None), Leap=(4, 4))


@has_parts(("One", 12))
def test_the_move_that_is_heard_is_lit_and_a_press_on_a_card_goes_to_it(counted, server):
    lay(server, Walk=(0, 4), Turn=(4, 4), Leap=(10, 4))
    expect(card(counted, "Walk")).not_to_have_attribute("aria-current", "true")
    time_of(counted, "Turn").click()
    expect(card(counted, "Turn")).to_have_attribute("aria-current", "true")
    expect(time_of(counted, "Turn").locator(".move-run")).to_have_text("1")
    assert violations(counted) == [] and too_small(counted) == []
    time_of(counted, "Leap").click()
    expect(card(counted, "Leap")).to_have_attribute("aria-current", "true")
    expect(card(counted, "Turn")).not_to_have_attribute("aria-current", "true")
    choose(counted, "Turn", "loop-one")
    [part] = eventually(lambda: server.records("part"), lambda found: found[0].get("loopMode") == "section")
    assert (part["markerA"], part["markerB"]) == (ONE + 4 * COUNT, ONE + 8 * COUNT)
    choose(counted, "Turn", "loop-two")
    eventually(lambda: server.records("part")[0]["markerB"], lambda marker: marker == ONE + 14 * COUNT)
    choose(counted, "Leap", "loop-eight")
    [part] = eventually(
        lambda: server.records("part"), lambda found: found[0]["markerA"] == ONE + 8 * COUNT)
    assert part["markerB"] == ONE + 16 * COUNT


@has_parts(("One", 12))
def test_one_pass_of_taps_lays_all_moves_and_can_be_undone(counted, server):
    counted.get_by_test_id("tap-moves-open").click()
    now, upcoming = counted.get_by_test_id("tap-now"), counted.get_by_test_id("tap-next")
    expect(upcoming).to_contain_text("1. Walk")
    now.click()
    expect(upcoming).to_contain_text("2. Turn")
    # Only now: before a press the sheet may still be rising, and the page behind it count as open.
    assert violations(counted) == [] and too_small(counted) == []
    # A second tap at the same place is no other move.
    now.click()
    expect(counted.get_by_test_id("tap-said")).to_have_text("1 of 3 tapped")
    for rest in ("3. Leap", "All moves are tapped."):
        counted.get_by_test_id("tap-moves-forward").click()
        now.click()
        expect(upcoming).to_contain_text(rest)
    expect(now).to_be_disabled()
    counted.get_by_test_id("tap-back").click()
    expect(upcoming).to_contain_text("3. Leap")
    now.click()
    counted.get_by_test_id("tap-done").click()
    are_laid(server, Walk=(-3, None), Turn=(7, None), Leap=(17, None))
    expect(time_of(counted, "Walk")).to_contain_text("Pick-up · 6")
    counted.get_by_test_id("toast-action").click()
    are_laid(server, Walk=(None, None), Turn=(None, None), Leap=(None, None))


@has_parts(("One", 12), ("Two", 12))
def test_in_a_run_a_press_goes_to_a_move_but_nothing_is_looped_or_tapped(phone_page, server):  # noqa: F811
    analyse(phone_page, 0.9)
    first, second = sorted(server.records("part"), key=lambda part: part["position"])
    write(server, [
        ("move", {"part": part["id"], "title": title, "position": "a", "startCount": 4, "countLength": 4})
        for part, title in [(first, "Walk"), (second, "Bow")]])
    shown = phone_page.locator(".part-page:not([inert])")
    expect(shown.get_by_test_id("tap-moves-open")).to_be_visible()
    phone_page.get_by_test_id("action-run").click()
    phone_page.get_by_test_id("play").click()
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    expect(shown.get_by_test_id("tap-moves-open")).to_be_hidden()
    card(phone_page, "Walk").get_by_test_id("move-number").click()
    expect(phone_page.get_by_test_id("move-lay")).to_be_visible()
    expect(phone_page.get_by_test_id("loop-one")).to_be_hidden()
    phone_page.keyboard.press("Escape")
    time_of(phone_page, "Walk").click()
    expect(card(phone_page, "Walk")).to_have_attribute("aria-current", "true")


@has_parts(("One", 12))
def test_a_corrected_grid_keeps_the_counts_of_moves(counted, server):
    lay(server, Walk=(0, 4), Turn=(4, 4), Leap=(8, 4))
    time_of(counted, "Turn").click()
    expect(counted.get_by_test_id("player-expand")).to_contain_text("0:03")
    [track] = server.records("track")
    server.edit("gridCorrection", "0193a5b0-0000-7000-8000-000000000001", {
        "track": track["id"], "kind": "one", "order": 1, "startFrame": 2 * RATE})
    expect(time_of(counted, "Turn")).to_contain_text("Eight 1 · 5–8")
    # The same count is half a second later now.
    time_of(counted, "Walk").click()
    time_of(counted, "Turn").click()
    expect(counted.get_by_test_id("player-expand")).to_contain_text("0:04")
    are_laid(server, Walk=(0, 4), Turn=(4, 4), Leap=(8, 4))


@pytest.fixture
def eights(counted, server):
    """The timeline, with two moves on counts and one without."""
    lay(server, Walk=(0, 4), Turn=(4, 6))
    expect(time_of(counted, "Turn")).to_contain_text("Eight 1 · 5–2")
    counted.get_by_test_id("action-more").click()
    counted.get_by_test_id("overview-eights").click()
    expect(block(counted, "Turn").first).to_be_visible()
    return counted


def block(page, title):
    return page.get_by_test_id("eights-block").filter(has_text=title)


def row(page, at):
    """The middle of each box of a row, and the width of one."""
    box = resting_box(page.get_by_test_id("eights-row").nth(at).locator(".eights-boxes"))
    width = box["width"] / 8
    return [box["x"] + width * (count + 0.5) for count in range(8)], box["y"] + box["height"] / 2, width


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


@has_parts(("One", 12))
def test_moves_lie_on_rows_of_eights_and_a_press_plays_from_there(eights):
    # The pick-up of three counts, and as many eights as the part has.
    expect(eights.get_by_test_id("eights-row")).to_have_count(4)
    # From count 5 to count 2 of the next row: two blocks, of which the first has the title.
    assert eights.get_by_test_id("eights-block").count() == 3
    xs, y, width = row(eights, 1)
    box = block(eights, "Walk").bounding_box()
    assert abs(box["x"] - (xs[0] - width / 2)) < 2 and abs(box["width"] - 4 * width) < 2
    assert violations(eights) == []
    block(eights, "Turn").get_by_test_id("eights-title").click()
    expect(eights.get_by_test_id("player-expand")).to_contain_text("0:03")
    expect(block(eights, "Turn")).to_have_attribute("aria-current", "true")
    xs, y, _ = row(eights, 2)
    eights.mouse.click(xs[5], y)
    expect(eights.get_by_test_id("player-expand")).to_contain_text("0:08")


@has_parts(("One", 12))
def test_a_block_and_its_end_are_dragged_to_counts(eights, server):
    xs, y, width = row(eights, 1)
    # A mouse drags at once; what follows is pushed, and the undo takes both back.
    drag(eights, (xs[0], y), (xs[2] + width / 3, y))
    are_laid(server, Walk=(2, 4), Turn=(6, 6), Leap=(None, None))
    expect(eights.get_by_test_id("player-expand")).to_contain_text("0:00")
    eights.get_by_test_id("toast-action").click()
    are_laid(server, Walk=(0, 4), Turn=(4, 6), Leap=(None, None))
    eights.get_by_test_id("eights-push").click()
    handle = resting_box(block(eights, "Walk").get_by_test_id("eights-end"))
    drag(eights, (handle["x"] + handle["width"] / 2, y), (handle["x"] + handle["width"] / 2 - 1.5 * width, y))
    are_laid(server, Walk=(0, 2.5), Turn=(4, 6), Leap=(None, None))
    # Into the next row.
    _, below, _ = row(eights, 2)
    drag(eights, (xs[0], y), (xs[3], below))
    are_laid(server, Walk=(11, 2.5), Turn=(4, 6), Leap=(None, None))
    block(eights, "Turn").get_by_test_id("eights-title").focus()
    eights.keyboard.press("ArrowLeft")
    are_laid(server, Walk=(11, 2.5), Turn=(3, 6), Leap=(None, None))
    eights.keyboard.press("Shift+ArrowRight")
    are_laid(server, Walk=(11, 2.5), Turn=(3, 7), Leap=(None, None))


def press_box(page, at, count):
    """Touches a box of a row of eights, and returns the button that appears there."""
    xs, y, _ = row(page, at)
    page.touchscreen.tap(xs[count - 1], y)
    add = page.get_by_test_id("eights-add")
    expect(add).to_have_count(1)
    return add


def add_there(page, title):
    """Adds a move with the open sheet, and closes it."""
    page.get_by_test_id("add-move-title").fill(title)
    page.get_by_test_id("add-move-done").tap()
    expect(page.get_by_test_id("add-move")).to_be_hidden()


@has_parts(("One", 12))
def test_a_move_is_added_at_an_empty_count(eights, server):
    # Between the end of Turn and a move that is there already.
    lay(server, Leap=(13, 2))
    expect(block(eights, "Leap")).to_be_visible()
    press_box(eights, 2, 4).tap()
    expect(eights.get_by_test_id("add-move-place")).to_have_text("Eight 2 · 4")
    add_there(eights, "Bow")
    # Two counts are free; what follows makes room for four.
    are_laid(server, Walk=(0, 4), Turn=(4, 6), Bow=(11, 4), Leap=(15, 2))
    expect(block(eights, "Bow").first).to_be_visible()
    expect(eights.get_by_test_id("eights-add")).to_have_count(0)
    assert violations(eights) == []


@has_parts(("One", 12))
def test_without_pushing_an_added_move_fills_the_gap_and_the_next_one_follows(eights, server):
    lay(server, Leap=(13, 2))
    expect(block(eights, "Leap")).to_be_visible()
    eights.get_by_test_id("eights-push").tap()
    press_box(eights, 2, 4).tap()
    eights.get_by_test_id("add-move-title").fill("Bow")
    eights.get_by_test_id("add-move-add").tap()
    expect(eights.get_by_test_id("move-added")).to_contain_text("Bow (Eight 2 · 4)")
    expect(eights.get_by_test_id("add-move-place")).to_have_text("Eight 2 · 6")
    eights.get_by_test_id("add-move-done").tap()
    are_laid(server, Walk=(0, 4), Turn=(4, 6), Bow=(11, 2), Leap=(13, 2))


@has_parts(("One", 12))
def test_the_eights_fit_the_smallest_phone_and_can_be_pressed_there(eights, server):
    eights.set_viewport_size({"width": 320, "height": 640})
    add = press_box(eights, 2, 8)
    box = add.bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44 and box["x"] + box["width"] <= 320
    assert eights.evaluate("document.documentElement.scrollWidth") == 320
    assert violations(eights) == [] and too_small(eights) == []
    add.tap()
    add_there(eights, "Bow")
    are_laid(server, Walk=(0, 4), Turn=(4, 6), Leap=(None, None), Bow=(15, 4))


@has_parts(("One", 12))
def test_eights_go_from_left_to_right_in_a_page_from_right_to_left(eights, server):
    [walk] = [move for move in server.records("move") if move["title"] == "Walk"]
    change(server, "move", walk["id"], {"title": "مشي"})
    expect(block(eights, "مشي")).to_be_visible()
    eights.evaluate("document.documentElement.dir = 'rtl'")
    xs, y, width = row(eights, 1)
    box = block(eights, "مشي").bounding_box()
    assert abs(box["x"] - (xs[0] - width / 2)) < 2
    one = eights.locator(".eights-head span").first.bounding_box()
    assert abs(one["x"] + one["width"] / 2 - xs[0]) < 2
    drag(eights, (xs[0], y), (xs[2], y))
    assert eventually(lambda: places(server)["مشي"], lambda place: place == (2, 4))
    block(eights, "مشي").get_by_test_id("eights-title").focus()
    eights.keyboard.press("ArrowLeft")
    assert eventually(lambda: places(server)["مشي"], lambda place: place == (1, 4))
    eights.keyboard.press("Shift+ArrowRight")
    assert eventually(lambda: places(server)["مشي"], lambda place: place == (1, 5))
    assert eights.evaluate("document.documentElement.scrollWidth") <= 390
    press_box(eights, 3, 5).tap()
    expect(eights.get_by_test_id("add-move-place")).to_have_text("Eight 3 · 5")
    # Only now: the sheet has risen when something in it was pressed.
    eights.get_by_test_id("add-move-title").tap()
    assert violations(eights) == []


@has_parts(("One", 12))
@pytest.mark.moving("scrolling by hand")
def test_a_finger_scrolls_over_blocks_and_drags_one_after_a_hold(eights, server):
    xs, y, _ = row(eights, 1)
    touch = eights.context.new_cdp_session(eights)

    def finger(kind, x=None, down=0):
        points = [] if x is None else [{"x": x, "y": y + down}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    # Down the rows: across them the browser itself may go back a page.
    finger("touchStart", xs[0])
    finger("touchMove", xs[0], down=-20)
    finger("touchMove", xs[0], down=-40)
    finger("touchEnd")
    xs, y, _ = row(eights, 1)
    finger("touchStart", xs[0])
    # Lifted: the hold is over when the block says so.
    expect(block(eights, "Walk")).to_have_attribute("data-lifted", "")
    finger("touchMove", xs[1])
    finger("touchMove", xs[3])
    finger("touchEnd")
    are_laid(server, Walk=(3, 4), Turn=(7, 6), Leap=(None, None))


@has_parts(("One", 12))
def test_a_move_without_counts_is_laid_from_below_the_eights(eights, server):
    eights.get_by_test_id("unlaid-move").click()
    eights.get_by_test_id("lay-move").click()
    expect(eights.get_by_test_id("move-place")).to_have_text("Eight 2 · 3–6")
    eights.get_by_test_id("move-counts-done").click()
    expect(block(eights, "Leap")).to_be_visible()
    expect(eights.get_by_test_id("unlaid-moves")).to_be_hidden()
    are_laid(server, Walk=(0, 4), Turn=(4, 6), Leap=(10, 4))
