"""The app without a network: starting, practising, editing, and syncing afterwards."""

import json
import random
import re
import threading

import pytest
from offline_support import (
    Phone, card, keep, kept_addresses, stored, wait_until_stored)
from playwright.sync_api import expect
from prepared import has_parts
from studio import Server, drop_files, eventually, pick_song, resting_box, song
from test_moves import titles, write
from video_support import choose_file, video_file


def moves_of(server, part):
    moves = [move for move in server.records("move") if move["part"] == part["id"]]
    return [move["title"] for move in sorted(moves, key=lambda move: move["position"])]


@has_parts(("One", 12))
def test_a_kept_routine_is_practised_without_network_or_server(parts, device, server):
    keep(device.page, "Swan")
    wait_until_stored(device.page, server)
    device.cut()
    server.stop()
    page = device.restart()
    expect(card(page, "Swan").get_by_test_id("kept-badge")).to_contain_text("On this device")
    expect(card(page, "Swan").locator(".waveform")).to_have_attribute("data-drawn", "true")
    card(page, "Swan").click()
    page.get_by_test_id("player-expand").click()
    page.get_by_test_id("loop").click()
    page.get_by_test_id("countdown-dial").click()
    page.get_by_role("dialog").get_by_text("3 s", exact=True).click()
    page.keyboard.press("Escape")
    scrubber = page.get_by_test_id("scrubber")
    box = resting_box(scrubber)
    scrubber.click(position={"x": box["width"] * 0.85, "y": box["height"] / 2})
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("countdown")).to_be_visible()
    expect(page.get_by_test_id("countdown")).to_be_hidden()
    page.wait_for_function("() => window.loudness() > 0.05")
    # At the end the loop repeats with its countdown.
    expect(page.get_by_test_id("countdown")).to_be_visible()
    page.wait_for_function(
        "() => /0:0[1-5]/.test(document.querySelector('[data-testid=time-now]').textContent)")
    page.wait_for_function("() => window.loudness() > 0.05")


@has_parts(("One", 12))
def test_every_offline_change_arrives_once(parts, device, server):
    page = device.page
    part = with_moves(server)
    keep(page, "Swan")
    card(page, "Swan").click()
    expect(page.get_by_test_id("move-card")).to_have_count(3)
    wait_until_stored(page, server)
    device.cut()
    page = device.restart()
    card(page, "Swan").click()
    expect(page.get_by_test_id("move-card")).to_have_count(3)
    work_on_everything(page)
    page.get_by_test_id("play").click()
    page.wait_for_function("() => window.loudness() > 0.05")
    # The changes: a title, a position, a move type, a move, a deletion, a routine, its part, and the time of
    # practice. The position changes twice; after an attempt to send, the first change is not replaced.
    expect(page.get_by_test_id("sync-note")).to_contain_text(
        re.compile("Offline: [89] changes waiting"))
    page = device.restart()
    expect(card(page, "Lake")).to_be_visible()
    device.join()
    check_everything(page, server, part)


def test_a_server_killed_during_a_sync_gets_every_change_once(parts, device, server):
    page = device.page
    part = with_moves(server)
    card(page, "Swan").click()
    expect(page.get_by_test_id("move-card")).to_have_count(3)
    device.cut()
    work_on_everything(page)
    # The delay covers the time from before the first byte until after the response.
    delay = random.uniform(0, 0.03)
    print(f"killed {delay * 1000:.1f} ms after the request began")
    death = threading.Timer(delay, server.kill)

    def begin(route):
        if '"changes":[{' in (route.request.post_data or "") and not death.ident:
            death.start()
        route.continue_()

    device.context.route("**/api/sync", begin)
    device.join()
    # Playwright calls the route's function while the page is asked for something.
    eventually(lambda: page.evaluate("() => null") or death.ident, bool)
    death.join()
    device.context.unroute("**/api/sync")
    with Server(server.folder, port=server.port) as again:
        check_everything(page, again, part)


def with_moves(server):
    """Adds three moves to the only part; returns the part."""
    part = eventually(lambda: server.records("part"), lambda parts: parts)[0]
    write(server, [
        ("move", {"part": part["id"], "title": title, "position": position})
        for title, position in [("Walk in", "a"), ("Lift", "b"), ("Drop", "c")]])
    return part


#: The moves after all changes.
DONE = ["Drop", "Walk in slowly", "Bow"]


def work_on_everything(page):
    """Edits, reorders, adds and deletes moves, and creates another routine."""
    page.get_by_test_id("move-title").first.click()
    page.get_by_test_id("move-title-field").fill("Walk in slowly")
    page.keyboard.press("Enter")
    # Reorder: the last move becomes the first.
    page.get_by_test_id("move-number").nth(2).focus()
    for _ in range(2):
        page.keyboard.press("Alt+ArrowUp")
    # Add and delete.
    page.get_by_test_id("action-add-move").click()
    page.get_by_test_id("add-move-title").fill("Bow")
    page.get_by_text("New type").click()
    page.get_by_test_id("new-type-name").fill("Ending")
    page.get_by_test_id("add-move-add").click()
    page.get_by_test_id("add-move-done").click()
    page.get_by_test_id("move-number").nth(2).focus()
    page.keyboard.press("Delete")
    assert eventually(lambda: titles(page), lambda seen: seen == DONE) == DONE
    # A routine of a kept track.
    page.get_by_test_id("routine-back").click()
    page.get_by_test_id("tab-clipper").click()
    page.get_by_test_id("song-menu").click()
    page.get_by_test_id("track-make-routine").click()
    page.get_by_test_id("editor-title").fill("Lake")
    page.get_by_test_id("editor-create").click()
    expect(page.get_by_test_id("routine-page")).to_be_visible()


def check_everything(page, server, part):
    """Waits until the outbox is empty, and checks that every change arrived once."""
    def there():
        return (
            moves_of(server, part), sorted(each["title"] for each in server.records("routine")),
            [each["name"] for each in server.records("moveType")], len(server.records("part")),
            len(server.records("track")))

    wanted = (DONE, ["Lake", "Swan"], ["Ending"], 2, 1)
    assert eventually(there, lambda seen: seen == wanted, 40) == wanted
    expect(page.get_by_test_id("sync-note")).to_have_count(0, timeout=40_000)
    assert there() == wanted


@has_parts(("One", 24))
def test_a_kept_song_is_cut_offline(parts, device, server):
    keep(device.page, "Swan")
    wait_until_stored(device.page, server)
    device.cut()
    page = device.restart("/clipper")
    page.get_by_test_id("track-cut").click()
    expect(page.get_by_test_id("cutter")).to_be_visible()
    expect(page.get_by_test_id("stage-wave").or_(page.get_by_test_id("stage")).first).to_be_visible()

    def wait_until_drawn():
        # A key changes the view in the next animation frame; before that the old view is shown.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.wait_for_function(
            "() => document.querySelector('[data-testid=stage-wave]').dataset.drawn === 'true'")

    wait_until_drawn()
    # Zooms in to single samples, which is finer than the kept waveform.
    for _ in range(12):
        page.keyboard.press("+")
        wait_until_drawn()
    page.keyboard.press("0")
    wait_until_drawn()
    page.get_by_test_id("cut-here").click()
    wave = resting_box(page.get_by_test_id("stage-wave"))
    page.mouse.click(wave["x"] + wave["width"] / 2, wave["y"] + wave["height"] * 0.4)
    page.get_by_test_id("cut-here").click()
    page.keyboard.press("Escape")
    page.get_by_test_id("make-routine").click()
    page.get_by_test_id("make-routine-confirm").click()
    expect(page.get_by_test_id("routine-page")).to_be_visible()
    device.join()
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 3, 40)
    assert len(parts) == 3


@pytest.mark.parametrize("moment", ["before it took the change", "after it took the change"])
def test_a_server_that_crashes_in_the_middle_of_a_sync_gets_every_change_once(parts, device, server, moment):
    page = device.page
    eventually(lambda: server.records("part"), lambda parts: parts)
    card(page, "Swan").click()

    def die(route):
        # The client retries soon, and finds no server.
        is_there = server.process.poll() is None
        if is_there and "after" in moment and "Swan Lake" in (route.request.post_data or ""):
            route.fetch()
        server.kill()
        route.abort()

    device.context.route("**/api/sync", die)
    page.get_by_test_id("edit-routine").click()
    page.get_by_test_id("edit-title").fill("Swan Lake")
    page.get_by_test_id("edit-done").click()
    expect(page.get_by_test_id("sync-note")).to_contain_text("waiting")
    device.context.unroute("**/api/sync")
    with Server(server.folder, port=server.port) as again:
        expect(page.get_by_test_id("sync-note")).to_have_count(0, timeout=40_000)
        assert [each["title"] for each in again.records("routine")] == ["Swan Lake"]


def test_a_tab_that_crashes_right_after_typing_loses_nothing(parts, device, server):
    page = device.page
    part = eventually(lambda: server.records("part"), lambda parts: parts)[0]
    write(server, [("move", {"part": part["id"], "title": "Lift", "position": "a"})])
    card(page, "Swan").click()
    page.get_by_test_id("move-title").click()
    wait_until_stored(page, server)
    device.cut()
    page.get_by_test_id("move-title-field").press_sequentially(" + turn")
    device.crash()
    page = device.restart()
    card(page, "Swan").click()
    expect(page.get_by_test_id("move-title")).to_have_text("Lift + turn")
    device.join()
    assert eventually(
        lambda: moves_of(server, part), lambda moves: moves == ["Lift + turn"], 40) == ["Lift + turn"]


def test_a_killed_browser_has_its_unsent_changes_after_an_offline_start(
        parts, chromium, server, tmp_path):
    server.skip_welcome()
    phone = Phone(chromium, server, tmp_path / "profile")
    page = phone.page
    keep(page, "Swan")
    wait_until_stored(page, server)
    phone.cut()
    card(page, "Swan").click()
    page.get_by_test_id("edit-routine").click()
    page.get_by_test_id("edit-title").fill("Swan Lake")
    page.get_by_test_id("edit-subtitle").press_sequentially("Act two")
    # The stored changes have reached the disk.
    changes = eventually(
        lambda: stored(page, "outbox"),
        lambda changes: any(change["fields"].get("subtitle") == "Act two" for change in changes))
    waiting = f"{len(changes)} changes waiting"
    expect(page.get_by_test_id("sync-note").first).to_contain_text(waiting)
    phone.die()
    server.stop()
    page = phone.wake()
    card(page, "Swan Lake").click()
    expect(page.get_by_test_id("play")).to_be_enabled()
    expect(page.get_by_test_id("sync-note")).to_contain_text(waiting)
    page.get_by_test_id("edit-routine").click()
    expect(page.get_by_test_id("edit-subtitle")).to_have_value("Act two")
    phone.close()


def test_a_song_picked_offline_survives_closing_and_is_uploaded_automatically(device, server):
    device.cut()
    page = device.page
    drop_files(page, [("One.wav", song(3))])
    page.get_by_test_id("editor-title").fill("Swan")
    expect(page.get_by_test_id("song-row")).to_contain_text("continues by itself")
    page.get_by_test_id("song-title").fill("Overture")
    page.get_by_test_id("editor-create").click()
    expect(page.get_by_test_id("routine-page")).to_be_visible()
    expect(page.get_by_test_id("sync-note")).to_contain_text("1 song waiting")
    # The song belonged to an unfinished routine, and is now assigned to the created one.
    eventually(
        lambda: stored(page, "waiting", "segmance-offline"),
        lambda records: [each["now"]["purpose"]["kind"] for each in records if "now" in each] == ["part"])
    page = device.restart()
    expect(page.get_by_test_id("sync-note")).to_contain_text("1 song waiting")
    device.join()
    parts = eventually(lambda: server.records("part"), lambda parts: parts, 60)
    assert [part["title"] for part in parts] == ["Overture"]
    assert len(server.records("track")) == 1
    expect(page.get_by_test_id("sync-note")).to_have_count(0, timeout=40_000)
    # A file left in the store would be uploaded again, seconds after the next start.
    assert eventually(
        lambda: stored(page, "waiting", "segmance-offline"), lambda files: files == []) == []
    page = device.restart()
    expect(card(page, "Swan")).to_contain_text("1 part")
    assert len(server.records("track")) == 1 and len(server.records("part")) == 1


def test_a_song_picked_offline_is_stored_even_if_the_kept_store_cannot_be_read(device):
    device.context.add_init_script(
        """const { getAll } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.getAll = function () {
          if (this.name === 'kept') throw new DOMException('It is damaged.', 'DataError');
          return getAll.call(this);
        };""")
    page = device.restart()
    device.cut()
    drop_files(page, [("One.wav", song(3))])
    page.get_by_test_id("editor-title").fill("Swan")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("sync-note")).to_contain_text("1 song waiting")


def test_files_picked_offline_survive_closing_and_reach_their_parts(parts, device, server, tmp_path):
    page = device.page
    part = eventually(lambda: server.records("part"), lambda parts: parts)[0]
    card(page, "Swan").click()
    device.cut()
    page.get_by_test_id("action-video").click()
    choose_file(page, video_file(seconds=2))
    expect(page.get_by_test_id("video-notice")).to_be_visible()
    page.get_by_test_id("edit-routine").click()
    other = tmp_path / "Other.wav"
    other.write_bytes(song(4, 2))
    page.get_by_test_id("replacement-file").set_input_files(other)
    expect(page.get_by_text("Replacing the audio 0%")).to_contain_text("continues by itself")
    pick_song(page, tmp_path, "Finale.wav", song(5, 3))
    waits = "2 songs and 1 video waiting"
    expect(page.get_by_test_id("sync-note").first).to_contain_text(waits)
    page = device.restart()
    expect(page.get_by_test_id("sync-note")).to_contain_text(waits)
    device.join()
    parts = eventually(
        lambda: server.records("part"),
        lambda parts: len(parts) == 2 and all(each["track"] != part["track"] for each in parts)
        and any(each.get("video") for each in parts), 60)
    lengths = {each["title"]: (each["endFrame"], bool(each.get("video"))) for each in parts}
    assert lengths == {"One": (4 * 48_000, True), "Finale": (5 * 48_000, False)}
    assert len(server.records("track")) == 3 and len(server.records("video")) == 1
    expect(page.get_by_test_id("sync-note")).to_have_count(0, timeout=40_000)


def test_the_settings_show_that_songs_are_not_uploaded_yet(device):
    page = device.page
    page.get_by_test_id("tab-settings").click()
    expect(page.get_by_test_id("standing")).to_have_text(
        "Connected to the server. All changes are saved there.")
    device.cut()
    drop_files(page, [("One.wav", song(3))])
    expect(page.get_by_test_id("song-row")).to_contain_text("continues by itself")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("standing")).to_have_text(
        "The server can’t be reached. Still to be sent: 1 song.")
    expect(page.get_by_test_id("backup-lacks")).to_contain_text("Not on the server yet: 1 song.")
    # A song that the server refuses also waits while online.
    page.route("**/api/uploads*", lambda route: route.fulfill(status=507))
    with page.expect_response("**/api/uploads*") as answer:
        device.join()
    assert answer.value.status == 507
    expect(page.get_by_test_id("standing")).to_have_text("Connected to the server. Still to be sent: 1 song.")
    expect(page.get_by_test_id("backup-lacks")).to_have_text("Not on the server yet: 1 song.")


def test_an_unfinished_routine_survives_closing(device, server):
    device.cut()
    page = device.page
    drop_files(page, [("One.wav", song(3)), ("Two.wav", song(4, 2))])
    page.get_by_test_id("editor-title").fill("Swan")
    page.get_by_test_id("song-title").nth(1).fill("Finale")
    expect(page.get_by_test_id("sync-note")).to_contain_text("2 songs waiting")
    eventually(
        lambda: stored(page, "drafts", "segmance-offline"),
        lambda drafts: any(row["title"] == "Finale" for draft in drafts for row in draft["rows"]))
    page = device.restart()
    page.get_by_test_id("draft-note").click()
    expect(page.get_by_test_id("editor-title")).to_have_value("Swan")
    expect(page.get_by_test_id("song-title").nth(1)).to_have_value("Finale")
    device.join()
    for index in range(2):
        expect(page.get_by_test_id("song-row").nth(index)).to_have_attribute(
            "data-state", "ready", timeout=60_000)
    page.get_by_test_id("editor-create").click()
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 2, 20)
    parts.sort(key=lambda part: part["position"])
    assert [part["title"] for part in parts] == ["One", "Finale"]


@pytest.mark.long
def test_a_full_disk_is_reported_blocks_no_typing_and_loses_nothing(parts, device, server):
    page = device.page
    eventually(lambda: server.records("part"), lambda parts: parts)
    card(page, "Swan").click()
    device.cut()
    session = device.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": server.origin, "quotaSize": 1})
    page.get_by_test_id("edit-routine").click()
    title = page.get_by_test_id("edit-title")
    note = page.get_by_test_id("sync-note").first

    def go_on_typing():
        # Chromium checks the quota of a database every 30 s, and only a failed change tells the page: nothing else can
        # be waited for. Half a second keeps the number of changes small.
        title.fill("Swan Lake")
        title.fill("Swan Lake, act 1")
        page.wait_for_timeout(500)
        return note.inner_text()

    assert "full" in eventually(go_on_typing, lambda said: "full" in said, 60)
    title.fill("Swan Lake, act 2")
    page.get_by_test_id("edit-done").click()
    expect(page.get_by_test_id("jump-button")).to_contain_text("act 2")
    session.send("Storage.overrideQuotaForOrigin", {"origin": server.origin})
    expect(note).to_contain_text("waiting", timeout=30_000)
    page = device.restart()
    expect(card(page, "Swan Lake, act 2")).to_be_visible()
    device.join()
    assert eventually(
        lambda: [each["title"] for each in server.records("routine")],
        lambda seen: seen == ["Swan Lake, act 2"], 40) == ["Swan Lake, act 2"]


@has_parts(("One", 12))
def test_an_unpaired_device_keeps_its_data_and_reports_it(parts, device, server):
    page = device.page
    keep(page, "Swan")
    problem = {"type": "about:blank", "title": "Unauthorized", "status": 401,
               "detail": "Pair this device."}
    device.context.route("**/api/**", lambda route: route.fulfill(
        status=401, content_type="application/problem+json", body=json.dumps(problem)))
    page.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect(page.get_by_test_id("unpaired")).to_contain_text("no longer paired")
    page.get_by_test_id("door-aside").click()
    card(page, "Swan").click()
    page.get_by_test_id("edit-routine").click()
    page.get_by_test_id("edit-title").fill("Swan Lake")
    page.get_by_test_id("edit-done").click()
    expect(page.get_by_test_id("unpaired-note").first).to_be_visible()
    page = device.restart()
    page.get_by_test_id("door-aside").click()
    expect(card(page, "Swan Lake").get_by_test_id("kept-badge")).to_contain_text("On this device")
    assert any("/chunks/0" in address for address in kept_addresses(page))
    device.context.unroute("**/api/**")
    assert eventually(
        lambda: [each["title"] for each in server.records("routine")],
        lambda seen: seen == ["Swan Lake"], 60) == ["Swan Lake"]


def test_another_library_at_the_address_gets_no_changes_without_consent(parts, device, server, tmp_path):
    page = device.page
    with_moves(server)
    port = server.port
    server.stop()
    card(page, "Swan").click()
    page.get_by_test_id("action-add-move").click()
    page.get_by_test_id("add-move-title").fill("Waiting")
    page.get_by_text("No type").click()
    page.get_by_test_id("add-move-done").click()
    expect(page.get_by_test_id("sync-note")).to_contain_text("1 change")
    with Server(tmp_path / "other", port=port) as other:
        other.skip_welcome()
        page.evaluate("window.dispatchEvent(new Event('online'))")
        note = page.get_by_test_id("another-note")
        expect(note).to_be_visible()
        assert other.records("move") == []
        note.click()
        expect(page.get_by_test_id("confirm")).to_contain_text("1 change")
        page.get_by_test_id("confirm-cancel").click()
    with Server(server.folder, port=port) as own:
        page.evaluate("window.dispatchEvent(new Event('online'))")
        expect(note).to_be_hidden()
        eventually(lambda: [move["title"] for move in own.records("move")], lambda all: "Waiting" in all)
    with Server(tmp_path / "other", port=port) as other:
        page.evaluate("window.dispatchEvent(new Event('online'))")
        note.click()
        page.get_by_test_id("confirm-action").click()
        expect(note).to_be_hidden()
        page.goto(device.origin)
        expect(page.get_by_test_id("routine-card")).to_have_count(0)


#: Stores a waiting file of a closed tab, for a routine that is not on this device.
LEAVE = """() => new Promise((resolve) => {
  indexedDB.open('segmance-offline').onsuccess = ({ target }) => {
    const transaction = target.result.transaction('waiting', 'readwrite');
    transaction.objectStore('waiting').put({
      id: 'left', name: 'Duck.wav', file: new Blob(['quack']), tab: 'closed', at: 1,
      purpose: { kind: 'part', routine: 'elsewhere', title: 'Duck', position: null } });
    transaction.oncomplete = resolve;
  };
})"""


#: Returns the ids of the stored waiting files.
WAITING = """() => new Promise((resolve) => {
  indexedDB.open('segmance-offline').onsuccess = ({ target }) => {
    const request = target.result.transaction('waiting').objectStore('waiting').getAllKeys();
    request.onsuccess = () => resolve(request.result);
  };
})"""


def test_a_waiting_song_without_its_routine_can_be_saved_or_removed(device, server):
    device.page.evaluate(LEAVE)
    page = device.restart("/settings/storage")
    row = page.get_by_test_id("left-row")
    expect(row).to_contain_text("Duck.wav")
    assert page.evaluate(WAITING) == ["left"]
    with page.expect_download() as saved:
        page.get_by_test_id("left-save").click()
    assert saved.value.suggested_filename == "Duck.wav"
    assert open(saved.value.path()).read() == "quack"
    page = device.restart("/settings/storage")
    row = page.get_by_test_id("left-row")
    page.get_by_test_id("left-remove").click()
    page.get_by_test_id("confirm-action").click()
    expect(row).to_have_count(0)
    page = device.restart("/settings/storage")
    expect(page.get_by_test_id("storage-total")).to_be_visible()
    expect(page.get_by_test_id("left-row")).to_have_count(0)
    assert page.evaluate(WAITING) == []


def test_a_database_that_the_browser_closes_is_opened_again(parts, device, server):
    device.context.add_init_script(
        """const open = IDBFactory.prototype.open;
        window.connections = [];
        IDBFactory.prototype.open = function (...words) {
          const request = open.apply(this, words);
          request.addEventListener('success', () => connections.push(request.result));
          return request;
        };""")
    page = device.restart()
    wait_until_stored(page, server)
    device.cut()
    # iOS closes the database of a page in the background.
    page.evaluate("connections.forEach((each) => each.close())")
    card(page, "Swan").click()
    page.get_by_test_id("edit-routine").click()
    page.get_by_test_id("edit-title").fill("Swan Lake")
    expect(page.get_by_test_id("sync-note").first).to_contain_text("waiting")
    eventually(lambda: stored(page, "outbox"), lambda changes: {"title": "Swan Lake"} in [
        change["fields"] for change in changes])
    page = device.restart()
    expect(card(page, "Swan Lake")).to_be_visible()
