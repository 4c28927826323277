"""Editing an existing routine: duplicating, renaming, reordering and replacing songs."""

import json
import re

import pytest
from playwright.sync_api import expect
from studio import Server, drag_below, drop_files, eventually, resting_box, song
from test_moves import change, write

FAMILY = "👨‍👩‍👧‍👦"  # one character of 25 bytes, where 16 are allowed for each


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One library for all tests of this file; each test makes its own routine."""
    with Server(tmp_path_factory.mktemp("edited") / "library") as server:
        yield server


def make_routine(server, title, parts=("Intro", "Verse", "Chorus")):
    """Makes a routine of parts without songs, each with two moves; returns its id."""
    kind, routine = write(server, [
        ("moveType", {"name": f"Turn of {title}", "abbreviation": "TU", "colour": "#d74291"}),
        ("routine", {"title": title, "subtitle": "For two"})])
    made = write(server, [
        ("part", {"routine": routine, "title": part, "position": f"{at + 10}V", "rate": 0.75})
        for at, part in enumerate(parts)])
    write(server, [
        ("move", {"part": part, "title": f"{name} {at}", "position": position, "moveType": kind,
                  "notes": f"Count {at}"})
        for at, part in enumerate(made) for name, position in [("Lift", "a"), ("Bow", "b")]])
    return routine


def record(server, kind, id):
    return next(each for each in server.records(kind) if each["id"] == id)


def parts_of(server, routine):
    parts = [part for part in server.records("part") if part["routine"] == routine]
    return sorted(parts, key=lambda part: part["position"])


def notebook(server, routine):
    """Returns the texts of a routine's parts and moves, in order."""
    moves = sorted(server.records("move"), key=lambda move: move["position"])
    return [
        (part["title"], part["rate"], [
            (move["title"], move["notes"], move["moveType"]) for move in moves
            if move["part"] == part["id"]])
        for part in parts_of(server, routine)]


def edit(page, server, routine):
    page.goto(f"{server.origin}/routines/{routine}")
    page.get_by_test_id("edit-routine").click()
    expect(page.get_by_test_id("edit-routine-sheet")).to_be_visible()


def names(page):
    return page.get_by_test_id("edit-part-title").evaluate_all(
        "(fields) => fields.map((field) => field.value)")


def test_a_routine_is_duplicated_with_its_parts_and_moves(phone, server):
    # Otherwise the page could fetch half of the routine from the server and show that after a reload.
    phone.goto("about:blank")
    routine = make_routine(server, "Swan")
    phone.goto(server.origin)
    phone.get_by_role("button", name="More for Swan", exact=True).click()
    phone.get_by_test_id("routine-duplicate").click()
    expect(phone.get_by_test_id("routine-card").filter(has_text="Swan (copy)")).to_contain_text("3 parts")
    copy = eventually(
        lambda: [each for each in server.records("routine") if each["title"] == "Swan (copy)"],
        lambda copies: len(copies) == 1)[0]
    assert copy["subtitle"] == "For two"
    original = notebook(server, routine)
    assert len(original) == 3 and all(len(moves) == 2 for _, _, moves in original)
    assert eventually(lambda: notebook(server, copy["id"]), lambda seen: seen == original) == original


@pytest.mark.moving("rows that give way")
def test_a_part_added_elsewhere_does_not_disturb_a_drag(desktop, server):
    routine = make_routine(server, "Matinee")
    edit(desktop, server, routine)
    rows, grips = desktop.get_by_test_id("edit-part"), desktop.get_by_test_id("grip")
    desktop.get_by_test_id("edit-routine-sheet").locator("[data-sortable]").wait_for()
    # This may scroll the sheet, so the first grip is measured afterwards.
    grips.nth(2).hover()
    top = resting_box(grips.first)
    desktop.mouse.down()
    desktop.mouse.move(top["x"] + 10, top["y"] + 4, steps=16)
    expect(rows.first).to_have_class(re.compile("is-ghost"))
    write(server, [("part", {"routine": routine, "title": "Entrance", "position": "0V"})])
    expect(rows.nth(1).get_by_test_id("edit-part-title")).to_have_value("Entrance")
    desktop.mouse.up()
    order = ["Chorus", "Entrance", "Intro", "Verse"]
    parts = eventually(
        lambda: parts_of(server, routine), lambda parts: [part["title"] for part in parts] == order)
    assert [part["title"] for part in parts] == order
    assert names(desktop) == order


@pytest.mark.moving("rows that give way")
def test_parts_are_renamed_and_reordered_and_a_song_is_added(desktop, server, tmp_path):
    routine = make_routine(server, "Gala")
    edit(desktop, server, routine)
    desktop.get_by_test_id("edit-subtitle").fill("For two dancers ")
    desktop.get_by_test_id("edit-part-title").first.fill("Overture")
    grips = desktop.get_by_test_id("grip")
    grips.nth(2).focus()
    desktop.keyboard.press("ArrowUp")
    expect(desktop.get_by_text("Chorus, now 2 of 3")).to_have_count(1)
    order = ["Overture", "Chorus", "Verse"]
    assert eventually(lambda: names(desktop), lambda seen: seen == order) == order
    desktop.get_by_test_id("edit-routine-sheet").locator("[data-sortable]").wait_for()
    drag_below(desktop, grips.nth(0), grips.nth(2))
    order = ["Chorus", "Verse", "Overture"]
    assert eventually(lambda: names(desktop), lambda seen: seen == order) == order
    finale = tmp_path / "Finale.wav"
    finale.write_bytes(song(3))
    desktop.get_by_test_id("song-files").set_input_files(finale)
    expect(desktop.get_by_test_id("edit-part")).to_have_count(4, timeout=30_000)
    order.append("Finale")
    parts = eventually(
        lambda: parts_of(server, routine), lambda parts: [part["title"] for part in parts] == order)
    assert [part["title"] for part in parts] == order
    assert parts[3]["endFrame"] == 3 * 48_000
    assert record(server, "routine", routine)["subtitle"] == "For two dancers"

    # The page shows the server's error, and reports a missing response.
    reason = {"status": 401, "title": "Unauthorized", "detail": "This device is not paired any more."}
    for refuse, told in [
        (lambda route: route.fulfill(status=401, content_type="application/problem+json", body=json.dumps(reason)),
         "This device is not paired any more. Earlier versions are stored on the server."),
        (lambda route: route.abort(), "The server can’t be reached."),
    ]:
        desktop.route("**/history", refuse)
        desktop.get_by_test_id("edit-part-menu").nth(2).click()
        desktop.get_by_test_id("edit-part-earlier").click()
        expect(desktop.get_by_test_id("earlier-sheet")).to_contain_text(told)
        desktop.keyboard.press("Escape")
        expect(desktop.get_by_test_id("earlier-sheet")).to_have_count(0)
        desktop.unroute("**/history")
    desktop.get_by_test_id("edit-part-menu").nth(2).click()
    desktop.get_by_test_id("edit-part-earlier").click()
    desktop.get_by_test_id("earlier-version").filter(has_text="Intro").get_by_test_id("earlier-use").click()
    expect(desktop.get_by_test_id("edit-part-title").nth(2)).to_have_value("Intro")


def test_replacing_a_parts_audio_can_fail_and_succeed(desktop, server, tmp_path):
    routine = make_routine(server, "Duet", parts=["Intro"])
    before = notebook(server, routine)
    edit(desktop, server, routine)
    part = desktop.get_by_test_id("edit-part")
    # The server does not answer, so the upload continues until it is cancelled.
    held = []
    desktop.route("**/api/uploads", lambda route: held.append(route))
    music = tmp_path / "Duet.wav"
    music.write_bytes(song(6))
    desktop.get_by_test_id("replacement-file").set_input_files(music)
    expect(part).to_contain_text("Replacing the audio")
    asks_before_leaving = "() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert desktop.evaluate(asks_before_leaving)
    part.get_by_role("button", name="Keep the old audio").click()
    expect(part).not_to_contain_text("Replacing the audio")
    assert not desktop.evaluate(asks_before_leaving)
    expect(part).to_contain_text("0:00")
    desktop.unroute("**/api/uploads")

    part.get_by_test_id("edit-part-menu").click()
    with desktop.expect_file_chooser() as chooser:
        desktop.get_by_test_id("edit-part-replace").click()
    # The player requests the new audio at once; the code that stores recently practised parts does so later.
    with desktop.expect_request(re.compile(r"/api/tracks/[^/]+/chunks/0$")) as asked:
        chooser.value.set_files(music)
        expect(part).to_contain_text("0:06", timeout=30_000)
    new = eventually(
        lambda: parts_of(server, routine)[0], lambda part: part.get("endFrame") == 6 * 48_000)
    assert (new["startFrame"], new["endFrame"]) == (0, 6 * 48_000)
    assert notebook(server, routine) == before, "moves and speed stay"
    desktop.get_by_test_id("edit-done").click()
    expect(desktop.get_by_test_id("play")).to_be_enabled()
    assert f"/tracks/{new['track']}/" in asked.value.url
    desktop.get_by_test_id("play").click()
    expect(desktop.get_by_test_id("time-now")).to_have_text(re.compile("0:0[1-6]"))


@pytest.mark.parametrize("parts", [[], ["Intro"]])
def test_songs_dropped_while_editing_are_added_to_the_routine(desktop, server, parts):
    routine = make_routine(server, f"Dropped on {len(parts)}", parts=parts)
    before = len(server.records("routine"))
    edit(desktop, server, routine)
    drop_files(desktop, [("Opening.wav", song(3, 5 + len(parts)))])
    eventually(
        lambda: [part["title"] for part in parts_of(server, routine)],
        lambda titles: titles == [*parts, "Opening"])
    expect(desktop.get_by_test_id("edit-part")).to_have_count(len(parts) + 1)
    assert len(server.records("routine")) == before


def test_a_text_that_is_too_long_shows_a_message_and_stays_until_it_is_shortened(phone, server):
    routine = make_routine(server, "Trio", parts=["Intro"])
    edit(phone, server, routine)
    sentence = phone.get_by_test_id("too-long")
    for field, limit, kind, name in [
            ("edit-title", 60, "routine", "title"), ("edit-part-title", 120, "part", "title")]:
        box = phone.get_by_test_id(field)
        box.fill(FAMILY * (limit - 10))
        expect(sentence).to_contain_text("take more room")
        box.blur()
        expect(box).to_have_value(FAMILY * (limit - 10))
        box.fill(FAMILY * (limit // 2))
        expect(sentence).to_have_count(0)
        box.blur()
        saved = eventually(
            lambda: server.records(kind), lambda all: any(each[name] == FAMILY * (limit // 2) for each in all))
        assert FAMILY * (limit // 2) in [each[name] for each in saved]
    phone.goto(f"{server.origin}/settings/move-types")
    phone.get_by_test_id("new-type").click()
    phone.get_by_test_id("type-name").fill(FAMILY * 20)
    expect(sentence).to_be_visible()
    expect(phone.get_by_test_id("type-create")).to_be_disabled()
    phone.get_by_test_id("type-name").fill(FAMILY)
    expect(phone.get_by_test_id("type-create")).to_be_enabled()


def test_an_open_field_shows_another_devices_text_and_loses_none(phone, server):
    routine = make_routine(server, "Solo", parts=["Intro"])
    edit(phone, server, routine)
    title = phone.get_by_test_id("edit-title")
    title.fill("Solos")
    eventually(lambda: record(server, "routine", routine)["title"], lambda seen: seen == "Solos")
    change(server, "routine", routine, {"title": "Lake"})
    expect(title).to_have_value("Lake")
    title.press("End")
    title.press_sequentially("s")
    eventually(lambda: record(server, "routine", routine)["title"], lambda seen: seen == "Lakes")
    assert record(server, "routine", routine)["title"] == "Lakes"
    # Unsaved text stays. After leaving the field, it shows the current title.
    title.fill("")
    part = parts_of(server, routine)[0]["id"]
    change(server, "routine", routine, {"title": "Pond"})
    change(server, "part", part, {"title": "Opening"})
    expect(phone.get_by_test_id("edit-part-title")).to_have_value("Opening")
    expect(title).to_have_value("")
    title.blur()
    expect(title).to_have_value("Pond")

    kind = next(each for each in server.records("moveType") if each["name"] == "Turn of Solo")
    phone.goto(f"{server.origin}/settings/move-types")
    phone.get_by_test_id("type-row").filter(has_text="Turn of Solo").click()
    expect(phone.get_by_test_id("type-name")).to_have_value("Turn of Solo")
    change(server, "moveType", kind["id"], {"name": "Spin", "abbreviation": "SP"})
    expect(phone.get_by_test_id("type-name")).to_have_value("Spin")
    expect(phone.get_by_test_id("type-abbreviation")).to_have_value("SP")
