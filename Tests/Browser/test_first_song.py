"""The first use: from dropping files to playing."""

import os
import subprocess

import pytest
from playwright.sync_api import expect
from prepared import has_parts
from studio import (
    PHONE, PROGRAM, Server, create, drop_files, eventually, first_screen, open_card, resting_box, song)
from test_moves import Finger

#: What is loaded after the first screen.
LATER = "**/lateBundle-*.js"


def seconds(page):
    minutes, rest = page.get_by_test_id("time-now").inner_text().split(":")
    return int(minutes) * 60 + float(rest)


def test_dropped_songs_become_a_routine_that_plays(phone, server):
    songs = [(f"{name}.wav", song(12 + index, index)) for index, name in
             enumerate(["Intro", "Verse", "Chorus", "Bridge", "Finale"])]
    create(phone, "Swan", songs)
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 5)
    parts.sort(key=lambda part: part["position"])
    assert [part["title"] for part in parts] == ["Intro", "Verse", "Chorus", "Bridge", "Finale"]
    assert [part["endFrame"] for part in parts] == [(12 + index) * 48_000 for index in range(5)]
    play = phone.get_by_test_id("play")
    expect(play).to_be_enabled()
    play.click()
    expect(play).to_have_attribute("data-playing", "true")
    phone.get_by_test_id("player-expand").click()
    phone.wait_for_function(
        "() => /0:0[2-9]/.test(document.querySelector('[data-testid=time-now]').textContent)")
    phone.get_by_test_id("play").click()
    expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "false")


def test_files_dropped_before_the_later_script_has_arrived_become_a_routine(chromium, server):
    with first_screen(chromium, server, **PHONE) as page:
        held = []
        page.route(LATER, lambda route: held.append(route))
        with page.expect_request(LATER):
            page.reload()
        drop_files(page, [("Intro.wav", song(12))])
        for route in held:
            route.continue_()
        page.unroute(LATER)
        expect(page.get_by_test_id("song-row")).to_have_attribute("data-state", "ready", timeout=60_000)
        expect(page.get_by_test_id("song-title")).to_have_value("Intro")


def test_without_the_later_script_a_new_routine_says_so_and_can_be_tried_again(chromium, server):
    with first_screen(chromium, server, **PHONE) as page:
        page.route(LATER, lambda route: route.abort())
        with page.expect_event("requestfailed", lambda request: "/lateBundle-" in request.url):
            page.reload()
        page.get_by_test_id("create-first").click()
        expect(page.get_by_test_id("toast").filter(has_text="This could not be loaded.")).to_be_visible()
        page.unroute(LATER)
        page.get_by_test_id("create-first").click()
        expect(page.get_by_test_id("editor-title")).to_be_visible()


def test_the_first_move_needs_no_type(phone, server):
    create(phone, "Swan", [("Intro.wav", song(3))])
    phone.get_by_test_id("add-first-move").click()
    phone.get_by_test_id("add-move-title").fill("Turn")
    phone.keyboard.press("Enter")
    expect(phone.get_by_test_id("move-added")).to_contain_text("1. Turn")
    moves = eventually(lambda: server.records("move"), lambda moves: len(moves) == 1)
    assert moves[0].get("moveType") is None and server.records("moveType") == []


def test_a_file_that_is_no_song_is_reported_before_and_after_the_routine_is_created(phone, server):
    drop_files(phone, [("One.wav", song(3)), ("Two.wav", song(3, 2)), ("False.mp3", b"no music at all" * 99)])
    phone.get_by_test_id("editor-title").fill("Swan")
    hint = phone.locator("#create-hint")
    expect(hint).to_have_text("“False.mp3” can’t be used and will be left out.")
    phone.get_by_test_id("editor-create").click()
    expect(phone.get_by_test_id("toast").filter(has_text="“False.mp3” was left out. ")).to_be_visible()
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 2)
    assert sorted(part["title"] for part in parts) == ["One", "Two"]


@pytest.mark.moving("the pager's slide")
def test_the_parts_of_a_song_cut_by_the_command_line_are_swiped_through(chromium, tmp_path):
    (tmp_path / "swan.wav").write_bytes(song(12))
    subprocess.run(
        [PROGRAM, "import", tmp_path / "swan.wav", "--routine", "Swan", "--cuts", "0:04,0:08.5",
         "--data", tmp_path / "library"], check=True)
    with Server(tmp_path / "library") as server, first_screen(
            chromium, server, viewport={"width": 390, "height": 844}, has_touch=True) as phone:
        phone.get_by_test_id("routine-card").click()
        here = phone.get_by_test_id("jump-button")
        total = phone.get_by_test_id("player")
        expect(here).to_contain_text("1. Part 1")
        expect(total).to_contain_text("/ 0:04")
        finger = Finger(phone)
        finger.down(phone.get_by_test_id("pager"), across=0.95)
        finger.move(-340, 0)
        finger.up()
        expect(here).to_contain_text("2. Part 2")
        expect(total).to_contain_text("Part 2")
        here.click()
        phone.get_by_test_id("jump-part").first.click()
        expect(here).to_contain_text("1. Part 1")
        phone.keyboard.press("PageDown")
        expect(here).to_contain_text("2. Part 2")
        phone.get_by_test_id("play").click()
        phone.wait_for_function(
            "() => /^0:0[1-9]/.test("
            "document.querySelector('[data-testid=player] .compact-time').textContent)")
        phone.reload()
        expect(here).to_contain_text("2. Part 2")


@pytest.mark.moving("the pager's slide")
def test_a_swipe_that_stalls_is_not_reverted(phone, server):
    create(phone, "Swan", [("One.wav", song(4)), ("Two.wav", song(5))])
    # Simulates a busy phone: the scroll starts, stalls, and continues.
    phone.get_by_test_id("pager").evaluate(
        """(pager) => {
          pager.style.scrollSnapType = 'none';
          const scrollTo = pager.scrollTo.bind(pager);
          pager.scrollTo = (to) => {
            if (to.behavior !== 'smooth') return scrollTo(to);
            pager.scrollLeft += 9 * Math.sign(to.left - pager.scrollLeft);
            setTimeout(() => { pager.scrollLeft = to.left; }, 400);
          };
        }""")
    here = phone.get_by_test_id("jump-button")
    expect(here).to_contain_text("1. ")
    phone.keyboard.press("PageDown")
    expect(here).to_contain_text("2. ")
    phone.get_by_test_id("play").click()
    # The stalled scroll has ended by then.
    phone.wait_for_function(
        "() => /^0:0[1-9]/.test("
        "document.querySelector('[data-testid=player] .compact-time').textContent)")
    expect(here).to_contain_text("2. ")
    expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "true")


@has_parts(("One", 12))
def test_a_section_loops_from_a_to_b(parts, phone, server):
    open_card(phone)
    phone.get_by_test_id("player-expand").click()
    section = phone.get_by_test_id("section")
    scrubber = phone.get_by_test_id("scrubber")
    box = resting_box(scrubber)
    scrubber.click(position={"x": box["width"] * 0.5, "y": box["height"] / 2})
    section.click()
    scrubber.click(position={"x": box["width"] * 0.25, "y": box["height"] / 2})
    section.click()
    marker_a = int(phone.get_by_test_id("marker-a").get_attribute("data-frame"))
    marker_b = int(phone.get_by_test_id("marker-b").get_attribute("data-frame"))
    assert marker_a < marker_b, "given in the wrong order they swap"
    assert abs(marker_a - 3 * 48_000) < 4_800
    expect(section).to_have_attribute("aria-pressed", "true")
    expect(phone.get_by_test_id("loop")).to_have_attribute("aria-pressed", "false")
    phone.get_by_test_id("play").click()
    told = []

    def look():
        told.append(seconds(phone))
        return told[-1]

    assert eventually(look, lambda now: now < max(told)) < max(told)
    assert max(told) <= 6.1
    expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    phone.reload()
    phone.get_by_test_id("player-expand").click()
    assert int(phone.get_by_test_id("marker-a").get_attribute("data-frame")) == marker_a


@has_parts(("One", 12))
def test_a_countdown_comes_before_the_audio(parts, phone, server):
    open_card(phone)
    phone.get_by_test_id("player-expand").click()
    phone.get_by_test_id("countdown-dial").click()
    phone.get_by_role("dialog").get_by_text("3 s", exact=True).click()
    phone.keyboard.press("Escape")
    # Each number is shown for one second. It is recorded when it appears, with the time of the song.
    phone.evaluate(
        """() => {
          window.counted = [];
          new MutationObserver(() => {
            const [number, time] = ['countdown-number', 'time-now'].map(
              (name) => document.querySelector(`[data-testid=${name}]`)?.textContent);
            if (number && window.counted.at(-1)?.[0] !== number) window.counted.push([number, time]);
          }).observe(document.body, { childList: true, subtree: true });
        }""")
    phone.get_by_test_id("play").click()
    eventually(lambda: phone.evaluate("window.counted"), bool)
    expect(phone.get_by_test_id("countdown")).to_be_hidden(timeout=10_000)
    numbers, times = zip(*phone.evaluate("window.counted"), strict=True)
    # A page that stalls for a second skips a number.
    assert len(numbers) > 1 and list(numbers) == [each for each in "321" if each in numbers]
    assert set(times) == {"0:00"}
    phone.wait_for_function(
        "() => /0:0[1-9]/.test(document.querySelector('[data-testid=time-now]').textContent)")


def test_a_file_that_is_no_song_is_reported_and_the_others_are_uploaded(phone, server):
    drop_files(phone, [("good.wav", song(3)), ("notes.mp3", b"just some words " * 50)])
    rows = phone.get_by_test_id("song-row")
    expect(rows.first).to_have_attribute("data-state", "ready", timeout=30_000)
    expect(rows.nth(1)).to_have_attribute("data-state", "failed", timeout=30_000)
    expect(rows.nth(1)).to_contain_text("not a sound file")
    create_button = phone.get_by_test_id("editor-create")
    expect(create_button).to_be_disabled()
    phone.get_by_test_id("editor-title").fill("Swan")
    expect(create_button).to_be_enabled()
    create_button.click()
    expect(phone.get_by_test_id("routine-page")).to_be_visible()
    parts = eventually(lambda: server.records("part"), lambda parts: parts)
    assert [part["title"] for part in parts] == ["good"]


def test_a_duplicate_song_is_skipped_with_a_message(phone):
    drop_files(phone, [("one.wav", song(3)), ("copy.wav", song(3))])
    expect(phone.get_by_test_id("song-notice")).to_contain_text("copy")
    expect(phone.get_by_test_id("song-row")).to_have_count(1)


def test_cancelling_leaves_nothing_behind(phone, server):
    drop_files(phone, [("one.wav", song(3))])
    expect(phone.get_by_test_id("song-row")).to_have_attribute(
        "data-state", "ready", timeout=30_000)
    phone.get_by_test_id("editor-cancel").click()
    phone.get_by_test_id("confirm-action").click()
    expect(phone.get_by_test_id("routines-empty")).to_be_visible()
    folders = [server.folder / name for name in ("blobs", "derived", "uploads", "tmp")]
    # Unlike a glob, a walk does not fail when a folder is removed meanwhile.
    left = eventually(
        lambda: [file for folder in folders for *_, files in os.walk(folder) for file in files],
        lambda files: not files)
    assert left == []
    assert server.records("track") == []


def test_the_sample_routine_can_be_tried_in_the_first_minute(desktop, server):
    desktop.get_by_test_id("try-sample").click()
    desktop.get_by_test_id("routine-page").wait_for(timeout=20_000)
    expect(desktop.get_by_test_id("part-number")).to_have_count(4)
    expect(desktop.get_by_test_id("move-card").first).to_be_visible()
    expect(desktop.get_by_test_id("play")).to_be_enabled(timeout=20_000)
    desktop.keyboard.press("Space")
    expect(desktop.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    desktop.wait_for_function(
        "() => /0:0[1-9]/.test(document.querySelector('[data-testid=time-now]').textContent)")


def test_the_whole_card_opens_its_routine(desktop, server):
    drop_files(desktop, [("one.wav", song(3))])
    desktop.get_by_test_id("editor-title").fill("Swan")
    desktop.get_by_test_id("editor-create").click()
    for share in (0.05, 0.5, 0.95):
        desktop.get_by_test_id("routine-back").click()
        card = desktop.get_by_test_id("routine-card")
        box = card.bounding_box()
        card.click(position={"x": box["width"] / 2, "y": box["height"] * share})
        expect(desktop.get_by_test_id("routine-page")).to_be_visible()


def test_a_tip_in_the_docked_player_keeps_all_buttons_in_the_window(desktop, server):
    create(desktop, "Swan", [("one.wav", song(3))])
    server.set("tipsSeen", "routine-menu,swipe,moves")
    routine, = eventually(lambda: server.records("routine"), bool)
    server.edit("routine", routine["id"], {"lastPractisedAt": 1_800_000_000_000, "title": "Swans"})
    # A tip is decided when its place appears: here once the page knows both.
    expect(desktop.get_by_test_id("jump-button")).to_contain_text("Swans")
    desktop.get_by_test_id("routine-back").click()
    desktop.get_by_test_id("routine-card").click()
    expect(desktop.get_by_test_id("tip-section")).to_be_visible()
    for name in ("section", "seek-back", "play", "seek-forward", "loop", "countdown-dial"):
        expect(desktop.get_by_test_id(name)).to_be_in_viewport(ratio=1)


def test_a_tip_without_room_in_the_player_leaves_the_turn_to_another(phone, server):
    create(phone, "Swan", [("one.wav", song(3))])
    server.set("tipsSeen", "routine-menu,swipe,moves")
    routine, = eventually(lambda: server.records("routine"), bool)
    server.edit("routine", routine["id"], {"lastPractisedAt": 1_800_000_000_000, "title": "Swans"})
    expect(phone.get_by_test_id("jump-button")).to_contain_text("Swans")
    phone.set_viewport_size({"width": 390, "height": 640})
    phone.get_by_test_id("player-expand").click()
    expect(phone.get_by_test_id("player-collapse")).to_be_focused()
    expect(phone.get_by_test_id("tip-section")).to_have_count(0)
    assert phone.evaluate("() => localStorage.getItem('segmance.tip')") is None
    phone.set_viewport_size({"width": 390, "height": 844})
    expect(phone.get_by_test_id("tip-section")).to_be_visible()


def test_edits_survive_while_the_server_is_down(phone, server, tmp_path):
    create(phone, "Swan", [("One.wav", song(3))])
    eventually(lambda: server.records("part"), lambda parts: parts)
    server.stop()
    phone.get_by_test_id("edit-routine").click()
    phone.get_by_test_id("edit-title").fill("Swan Lake")
    phone.get_by_test_id("edit-done").click()
    with Server(server.folder, port=server.port) as again:
        titles = eventually(
            lambda: [routine["title"] for routine in again.records("routine")],
            lambda titles: titles == ["Swan Lake"])
        assert titles == ["Swan Lake"]
