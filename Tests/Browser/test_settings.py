"""The settings: move types, the media library, exports, the welcome, tips and help."""

import json
import re
import time
import uuid

import prepared
import pytest
from playwright.sync_api import expect
from studio import drop_files, eventually, song
from test_moves import write
from video_support import video_file


@pytest.fixture
def sample(begin_with):
    """A library with the sample routine and its ready track. Tests request it before `server`."""
    begin_with(prepared.sample)


def open_room(page, server, room):
    page.goto(f"{server.origin}/settings/{room}")


def by_name(server, kind):
    key = "name" if kind == "moveType" else "title"
    return {record[key]: record for record in server.records(kind)}


def new_page(chromium, server):
    context = chromium.new_context(
        service_workers="block", viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(server.origin)
    return page


def test_the_welcome_has_three_pages_and_is_shown_once_per_library(chromium, server):
    page = new_page(chromium, server)
    welcome = page.get_by_test_id("welcome")
    titles = []
    for _ in range(3):
        titles.append(welcome.get_by_role("heading", level=3).inner_text())
        page.get_by_test_id("welcome-next").click()
    assert len(set(titles)) == 3
    expect(welcome).to_be_hidden()
    expect(page.get_by_test_id("routines-empty")).to_be_visible()
    eventually(lambda: server.records("setting"), lambda settings: len(settings) > 0)
    other = new_page(chromium, server)
    expect(other.get_by_test_id("routines-empty")).to_be_visible()
    expect(other.get_by_test_id("welcome")).to_be_hidden()
    page.context.close()
    other.context.close()


def test_the_welcome_can_be_skipped_and_shown_again(chromium, server):
    page = new_page(chromium, server)
    page.get_by_test_id("welcome-skip").click()
    expect(page.get_by_test_id("welcome")).to_be_hidden()
    page.get_by_test_id("tab-settings").click()
    page.get_by_test_id("show-welcome").click()
    expect(page.get_by_test_id("welcome")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("welcome")).to_be_hidden()
    page.context.close()


def test_a_move_type_is_created_found_and_edited(phone, server):
    open_room(phone, server, "move-types")
    phone.get_by_test_id("new-type").click()
    expect(phone.get_by_test_id("type-create")).to_be_disabled()
    expect(phone.get_by_test_id("type-name")).to_be_focused()
    phone.get_by_test_id("type-name").fill("Back spin")
    expect(phone.get_by_test_id("type-abbreviation")).to_have_value("BS")
    phone.get_by_test_id("type-create").click()
    phone.get_by_test_id("new-type").click()
    phone.get_by_test_id("type-name").fill("Élan")
    phone.get_by_title("Teal", exact=True).click()
    phone.get_by_test_id("type-create").click()
    rows = phone.get_by_test_id("type-row")
    expect(rows).to_have_count(2)
    phone.get_by_test_id("types-search").fill("elan")
    expect(rows).to_have_count(1)
    rows.click()
    phone.get_by_test_id("type-name").fill("Flight")
    phone.get_by_test_id("type-abbreviation").fill("✈️")
    phone.get_by_title("Pink", exact=True).click()
    phone.get_by_test_id("type-done").click()
    expect(phone.get_by_test_id("nothing-found")).to_contain_text("elan")
    phone.get_by_test_id("clear-search").click()
    expect(rows).to_have_count(2)
    expect(phone.get_by_test_id("types-search")).to_be_focused()
    types = eventually(
        lambda: by_name(server, "moveType"),
        lambda types: types.get("Flight", {}).get("colour") == "#d74291")
    assert types["Flight"]["abbreviation"] == "✈️"
    assert types["Back spin"]["abbreviation"] == "BS"
    assert types["Back spin"]["colour"] != types["Flight"]["colour"]


def test_a_typed_new_move_type_stays_until_it_is_created(phone, server):
    phone.get_by_test_id("tab-settings").click()
    phone.get_by_test_id("room-move-types").click()
    sheet, name = phone.get_by_test_id("type-sheet"), phone.get_by_test_id("type-name")

    def close_beside():
        phone.touchscreen.tap(3, 50)

    def close_by_key():
        phone.keyboard.press("Escape")

    for text, close in [("Spi", close_beside), ("Spin", close_by_key), ("Spins", phone.go_back)]:
        phone.get_by_test_id("new-type").click()
        name.fill(text)
        phone.get_by_test_id("type-abbreviation").fill("SX")
        phone.get_by_title("Teal", exact=True).click()
        close()
        expect(sheet).to_have_count(0)
        expect(phone.get_by_test_id("new-type")).to_be_visible()
        phone.get_by_test_id("new-type").click()
        expect(name).to_have_value(text)
        expect(phone.get_by_test_id("type-abbreviation")).to_have_value("SX")
        expect(phone.get_by_test_id("colour-teal")).to_be_checked()
        phone.get_by_test_id("sheet-close").click()
    phone.get_by_test_id("new-type").click()
    phone.get_by_test_id("type-create").click()
    assert "Spins" in eventually(lambda: by_name(server, "moveType"), lambda types: types)
    phone.get_by_test_id("new-type").click()
    expect(name).to_have_value("")
    expect(phone.get_by_test_id("colour-teal")).not_to_be_checked()


def test_a_type_without_moves_is_deleted_without_a_question_and_can_be_restored(phone, server):
    open_room(phone, server, "move-types")
    phone.get_by_test_id("new-type").click()
    phone.get_by_test_id("type-name").fill("Spin")
    phone.get_by_test_id("type-create").click()
    phone.get_by_test_id("type-row").click()
    phone.get_by_test_id("type-delete").click()
    expect(phone.get_by_test_id("nothing-yet")).to_be_visible()
    phone.get_by_test_id("toast-action").click()
    expect(phone.get_by_test_id("type-row")).to_have_count(1)


def test_the_moves_of_a_deleted_type_get_another_type_or_are_deleted_with_it(sample, phone, server):
    open_room(phone, server, "move-types")
    before = {move["id"]: move["moveType"] for move in server.records("move")}
    types = by_name(server, "moveType")
    turns = [id for id, kind in before.items() if kind == types["Turn"]["id"]]
    turn = phone.get_by_test_id("type-row").filter(has_text="Turn")
    turn.click()
    phone.get_by_test_id("type-delete").click()
    sheet = phone.get_by_test_id("delete-type")
    expect(sheet).to_contain_text(f"{len(turns)} moves of this type")
    phone.get_by_test_id("type-heir").select_option(label="Step")
    phone.get_by_test_id("delete-type-confirm").click()
    moves = eventually(
        lambda: {move["id"]: move["moveType"] for move in server.records("move")},
        lambda moves: moves[turns[0]] == types["Step"]["id"])
    assert len(moves) == len(before)
    assert all(moves[id] == types["Step"]["id"] for id in turns)
    assert "Turn" not in by_name(server, "moveType")
    phone.get_by_test_id("toast-action").click()
    moves = eventually(
        lambda: {move["id"]: move["moveType"] for move in server.records("move")},
        lambda moves: moves == before)
    assert moves == before

    turn.click()
    phone.get_by_test_id("type-delete").click()
    sheet.get_by_text(f"Delete {len(turns)} moves, too").click()
    phone.get_by_test_id("delete-type-confirm").click()
    moves = eventually(
        lambda: server.records("move"), lambda moves: len(moves) == len(before) - len(turns))
    assert not {move["id"] for move in moves} & set(turns)
    phone.get_by_test_id("toast-action").last.click()
    moves = eventually(lambda: server.records("move"), lambda moves: len(moves) == len(before))
    assert {move["id"]: move["moveType"] for move in moves} == before


def test_the_media_library_shows_where_a_track_is_used(sample, phone, server):
    open_room(phone, server, "media")
    row = phone.get_by_test_id("track-row")
    expect(row).to_contain_text("0:59")
    expect(row).to_contain_text("MB")
    use = phone.get_by_test_id("media-use")
    expect(use).to_have_text("In Lantern Street, 4 parts")
    [swan] = write(server, [("routine", {"title": "Swan"})])
    [entrance] = write(server, [("part", {
        "routine": swan, "title": "Entrance", "position": "V", "track": server.records("track")[0]["id"],
        "startFrame": 0, "endFrame": 48_000})])
    expect(use).to_have_text("In 2 routines, 5 parts")
    server.edit("part", entrance, {"deletedAt": int(time.time() * 1000)})
    expect(use).to_have_text("In Lantern Street, 4 parts")
    phone.get_by_test_id("track-menu").click()
    phone.get_by_test_id("track-rename").click()
    # After renaming, the search no longer finds the row. The sheet stays open.
    phone.get_by_test_id("track-title").fill("Kites")
    phone.get_by_test_id("rename-done").click()
    phone.get_by_test_id("media-search").fill("kites")
    phone.get_by_test_id("track-menu").click()
    phone.get_by_test_id("track-rename").click()
    phone.get_by_test_id("track-title").fill("Moons")
    expect(row).to_have_count(0)
    phone.get_by_test_id("track-title").fill("Lanterns, live")
    phone.get_by_test_id("rename-done").click()
    phone.get_by_test_id("clear-search").click()
    expect(row).to_contain_text("Lanterns, live")
    phone.get_by_test_id("track-menu").click()
    phone.get_by_test_id("track-delete").click()
    question = phone.get_by_test_id("confirm")
    for part in ("Intro", "Verse", "Chorus", "Finale"):
        expect(question).to_contain_text(f"Lantern Street: {part}")
    phone.get_by_test_id("confirm-cancel").click()
    expect(row).to_have_count(1)
    phone.get_by_test_id("track-menu").click()
    phone.get_by_test_id("track-delete").click()
    phone.get_by_test_id("confirm-action").click()
    expect(phone.get_by_test_id("nothing-yet")).to_be_visible()
    phone.get_by_test_id("toast-action").click()
    expect(row).to_contain_text("Lanterns, live")
    expect(use).to_have_text("In Lantern Street, 4 parts")
    titles = eventually(
        lambda: [track["title"] for track in server.records("track")],
        lambda titles: titles == ["Lanterns, live"])
    assert titles == ["Lanterns, live"]


def test_a_delete_question_describes_what_is_deleted_with_the_record(sample, phone, server):
    open_room(phone, server, "media")
    phone.get_by_test_id("track-menu").click()
    phone.get_by_test_id("track-delete").click()
    expect(phone.get_by_role("alertdialog")).to_have_accessible_description(re.compile("will be silent"))


def test_unused_tracks_are_deleted_and_restored_together(sample, phone, server):
    drop_files(phone, [("One.wav", song(2)), ("Two.wav", song(3, 2))])
    phone.get_by_test_id("editor-title").fill("Swan")
    for index in range(2):
        expect(phone.get_by_test_id("song-row").nth(index)).to_have_attribute(
            "data-state", "ready", timeout=30_000)
    phone.get_by_test_id("editor-create").click()
    expect(phone.get_by_test_id("routine-page")).to_be_visible()
    open_room(phone, server, "media")
    expect(phone.get_by_test_id("track-row")).to_have_count(3)
    expect(phone.get_by_test_id("delete-unused")).to_be_hidden()
    open_room(phone, server, "routines")
    phone.get_by_role("button", name="More for Swan").click()
    phone.get_by_test_id("routine-delete").click()
    phone.get_by_test_id("confirm-action").click()
    phone.get_by_test_id("room-back").click()
    phone.get_by_test_id("room-media").click()
    phone.get_by_test_id("delete-unused").click()
    expect(phone.get_by_test_id("track-row")).to_have_count(1)
    phone.get_by_test_id("toast").filter(has_text="2 tracks").get_by_test_id("toast-action").click()
    expect(phone.get_by_test_id("track-row")).to_have_count(3)
    expect(phone.get_by_test_id("track-row").filter(has_text="Not used")).to_have_count(2)


def test_unused_and_unplayable_videos_are_deleted_with_the_tracks_and_restored(sample, phone, server):
    film = video_file(seconds=2)
    server.add("video", film.name, film.read_bytes())
    _, answer = server.request("POST", "/api/videos", {"upload": server.upload(b"no film" * 900, "cut.mp4")})
    failed = json.loads(answer)["id"]
    eventually(lambda: {video["id"]: video["state"] for video in server.records("video")},
               lambda states: states.get(failed) == "failed", 60)
    for part in server.records("part"):
        server.edit("part", part["id"], {"deletedAt": int(time.time() * 1000)})
    open_room(phone, server, "media")
    # The title of a film that failed lacks the extension, which says what it was.
    expect(phone.get_by_test_id("video-row").filter(has_text="cut.mp4")).to_have_count(1)
    phone.get_by_test_id("delete-unused").click()
    expect(phone.get_by_test_id("nothing-yet")).to_be_visible()
    toast = phone.get_by_test_id("toast").filter(has_text="1 track and 2 videos deleted.")
    toast.get_by_test_id("toast-action").click()
    expect(phone.get_by_test_id("video-row")).to_have_count(2)
    expect(phone.get_by_test_id("track-row")).to_have_count(1)
    assert eventually(lambda: len(server.records("video")), lambda count: count == 2) == 2


def test_deleting_media_does_not_wait_long_for_an_unresponsive_server(sample, phone, server):
    for part in server.records("part"):
        server.edit("part", part["id"], {"deletedAt": int(time.time() * 1000)})
    open_room(phone, server, "media")
    expect(phone.get_by_test_id("track-row")).to_contain_text("Not used")
    # The server accepts the request and never answers.
    phone.route("**/api/sync", lambda route: None)
    phone.get_by_test_id("track-menu").click()
    phone.get_by_test_id("track-delete").click()
    expect(phone.get_by_test_id("confirm")).to_contain_text("The server can’t be reached")
    phone.get_by_test_id("confirm-cancel").click()
    phone.get_by_test_id("delete-unused").click()
    expect(phone.get_by_test_id("toast")).to_contain_text("another device may use these")


def test_media_that_another_device_uses_meanwhile_are_not_deleted_as_unused(sample, phone, server):
    part = next(part for part in server.records("part") if part["title"] == "Intro")
    for other in server.records("part"):
        server.edit("part", other["id"], {"deletedAt": int(time.time() * 1000)})
    open_room(phone, server, "media")
    expect(phone.get_by_test_id("track-row")).to_contain_text("Not used")
    phone.context.set_offline(True)
    server.edit("part", part["id"], {"deletedAt": None})
    phone.get_by_test_id("delete-unused").click()
    expect(phone.get_by_test_id("toast")).to_contain_text("another device may use these")
    phone.get_by_test_id("track-menu").click()
    phone.get_by_test_id("track-delete").click()
    expect(phone.get_by_test_id("confirm")).to_contain_text("another device may use this")
    phone.get_by_test_id("confirm-cancel").click()
    phone.context.set_offline(False)
    expect(phone.get_by_test_id("media-use")).to_have_text("In Lantern Street, 1 part")
    expect(phone.get_by_test_id("delete-unused")).to_have_count(0)
    assert len(server.records("track")) == 1


def test_routines_are_edited_from_the_settings(sample, phone, server):
    phone.get_by_test_id("tab-settings").click()
    phone.get_by_test_id("room-routines").click()
    phone.get_by_test_id("room-search").fill("swan")
    expect(phone.get_by_test_id("routine-row")).to_have_count(0)
    phone.get_by_test_id("room-search").fill("LANTERN")
    phone.get_by_test_id("routine-row").click()
    phone.get_by_test_id("edit-title").fill("Lantern Lane")
    phone.get_by_test_id("edit-done").click()
    phone.get_by_test_id("routine-back").click()
    expect(phone.get_by_test_id("routine-row")).to_contain_text("Lantern Lane")


@pytest.mark.parametrize("room, button, leads_to", [
    ("routines", "Create your first routine", "editor-title"),
    ("media", "New routine", "editor-title"),
    ("move-types", "Make the first type", "type-sheet"),
])
def test_every_empty_list_offers_the_next_step(phone, server, room, button, leads_to):
    open_room(phone, server, room)
    phone.get_by_test_id("nothing-yet").get_by_role("button", name=button).click()
    expect(phone.get_by_test_id(leads_to)).to_be_visible()


def test_one_routine_and_all_routines_can_be_exported(sample, phone, server):
    phone.goto(server.origin)
    phone.get_by_test_id("routine-menu").click()
    phone.get_by_test_id("routine-export").click()
    for name in ("cuesheet", "html", "markdown", "json", "labels"):
        with phone.expect_download() as saved:
            phone.get_by_test_id(f"export-{name}").click()
        with open(saved.value.path(), encoding="utf-8") as file:
            assert "Chorus" in file.read(), name
    phone.keyboard.press("Escape")
    phone.get_by_test_id("tab-settings").click()
    phone.get_by_test_id("export-all").click()
    expect(phone.get_by_test_id("export-json")).to_be_visible()
    expect(phone.get_by_test_id("export-labels")).to_be_hidden()
    with phone.expect_download() as saved:
        phone.get_by_test_id("export-json").click()
    with open(saved.value.path(), encoding="utf-8") as file:
        assert json.load(file)["format"] == "segmance"


def test_counts_are_exported_as_labels_where_the_only_song_has_some(sample, phone, server):
    phone.route("**/api/tracks/*/analysis*", lambda route: route.fulfill(
        json={"attacks": [], "changes": [], "beats": None}))
    phone.goto(server.origin)
    phone.get_by_test_id("routine-menu").click()
    phone.get_by_test_id("routine-export").click()
    expect(phone.get_by_test_id("export-labels")).to_be_visible()
    expect(phone.get_by_test_id("export-counts")).to_be_hidden()
    [track] = server.records("track")
    server.edit("gridCorrection", str(uuid.uuid4()), {
        "track": track["id"], "kind": "tempo", "order": 1, "startFrame": 0, "value": 120})
    with phone.expect_download() as saved:
        phone.get_by_test_id("export-counts").click()
    with open(saved.value.path(), encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert len(lines) > 8
    assert [line.split("\t")[2] for line in lines if "eight" in line][0] == "1 · eight 1"


def test_a_tip_is_shown_until_it_was_seen_and_again_after_a_reset(sample, phone, server):
    server.set("tipsSeen", "")
    phone.goto(server.origin)
    tip = phone.get_by_test_id("tip-routine-menu")
    expect(phone.get_by_test_id("routine-card")).to_be_visible()
    # Before something was played nothing is explained.
    expect(tip).to_have_count(0)
    phone.get_by_test_id("routine-card").click()
    phone.get_by_test_id("play").click()
    eventually(lambda: server.records("routine"), lambda routines: routines[0].get("lastPractisedAt"))
    phone.goto(server.origin)
    expect(tip).to_be_visible()
    # One in some hours.
    phone.get_by_test_id("routine-card").click()
    expect(phone.get_by_test_id("move-card").first).to_be_visible()
    expect(phone.locator(".tip")).to_have_count(0)
    phone.goto(server.origin)
    tip.get_by_test_id("tip-close").click()
    expect(tip).to_be_hidden()
    phone.reload()
    expect(phone.get_by_test_id("routine-card")).to_be_visible()
    expect(tip).to_be_hidden()
    phone.get_by_test_id("tab-settings").click()
    phone.get_by_test_id("show-tips").click()
    phone.get_by_test_id("tab-routines").click()
    expect(tip).to_be_visible()


def test_guide_keys_and_version_are_in_the_settings(phone, server):
    _, health = server.request("GET", "/api/health")
    phone.get_by_test_id("tab-settings").click()
    expect(phone.get_by_test_id("about")).to_contain_text(json.loads(health)["version"])
    expect(phone.get_by_test_id("about")).to_contain_text("MIT")
    phone.get_by_test_id("show-keys").click()
    expect(phone.get_by_test_id("key-table")).to_contain_text("Play or pause")
    phone.keyboard.press("Escape")
    phone.get_by_test_id("room-guide").click()
    expect(phone.get_by_test_id("usage-guide")).to_contain_text("Hold the number")
    phone.go_back()
    expect(phone.get_by_test_id("room-guide")).to_be_visible()


def test_the_countdown_sound_and_the_theme_are_stored(phone, server):
    phone.get_by_test_id("tab-settings").click()
    phone.get_by_test_id("room-countdown").click()
    phone.get_by_test_id("countdown-sound").get_by_text("Wood").click()
    phone.get_by_test_id("room-back").click()
    phone.get_by_test_id("room-appearance").click()
    phone.get_by_test_id("theme").get_by_text("Light").click()
    expect(phone.locator("html")).to_have_attribute("data-theme", "light")
    settings = eventually(
        lambda: {setting["id"]: setting["value"] for setting in server.records("setting")},
        lambda settings: "theme" in settings and "countdownSound" in settings)
    assert settings["countdownSound"] == "wood"
    assert settings["theme"] == "light"


@pytest.mark.moving("the bar's growth")
def test_the_bar_of_a_new_job_does_not_move_back_from_the_one_before(phone, server):
    progress = [0.9]
    phone.route("**/api/restore", lambda route: route.fulfill(status=202, json={"job": "checking"}))
    phone.route("**/api/jobs/checking", lambda route: route.fulfill(
        json={"id": "checking", "state": "running", "progress": progress[0]}))
    phone.goto(f"{server.origin}/settings")
    phone.get_by_test_id("restore").click()
    phone.get_by_test_id("restore-file").set_input_files(
        {"name": "a.tar", "mimeType": "application/x-tar", "buffer": b"a backup"})
    phone.get_by_test_id("restore-replace").click()
    phone.get_by_test_id("confirm-action").click()
    bar = phone.get_by_test_id("restore-sheet").get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuenow", "90")
    bar.evaluate("""bar => new MutationObserver(() => {
        window.seen = {moving: bar.firstChild.getAnimations().length, width: bar.firstChild.style.width};
    }).observe(bar, {attributes: true, attributeFilter: ["aria-valuenow"]})""")
    progress[0] = 0.01
    expect(bar).to_have_attribute("aria-valuenow", "1")
    assert phone.evaluate("seen") == {"moving": 0, "width": "2%"}


def test_files_dropped_on_a_sheet_do_not_reach_the_page_below(phone, server):
    phone.get_by_test_id("tab-settings").click()
    phone.get_by_test_id("restore").click()
    expect(phone.get_by_test_id("restore-sheet")).to_be_visible()
    drop_files(phone, [("segmance.tar", b"a backup")])
    expect(phone.get_by_test_id("restore-name")).to_contain_text("segmance.tar")
    phone.get_by_test_id("restore-replace").click()
    expect(phone.get_by_test_id("confirm")).to_be_visible()
    drop_files(phone, [("other.tar", b"another backup")])
    phone.keyboard.press("Escape")
    expect(phone.get_by_test_id("restore-name")).to_contain_text("segmance.tar")
    phone.get_by_test_id("sheet-close").click()
    phone.get_by_test_id("room-move-types").click()
    phone.get_by_test_id("new-type").click()
    drop_files(phone, [("One.wav", song(2))])
    phone.get_by_test_id("sheet-close").click()
    expect(phone.get_by_test_id("routine-editor")).to_have_count(0)
    drop_files(phone, [("One.wav", song(2))])
    expect(phone.get_by_test_id("song-row")).to_have_count(1)
    drop_files(phone, [("Two.wav", song(3, 2))])
    expect(phone.get_by_test_id("song-row")).to_have_count(2)


def test_an_unknown_value_of_a_later_version_is_read_as_the_default(sample, phone, server):
    expect(phone.get_by_test_id("routine-card")).to_be_visible()
    server.set("routinesLayout", "grid")
    server.set("theme", "sepia")
    phone.reload()
    expect(phone.get_by_test_id("routines")).to_have_attribute("data-layout", "list")
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")
    phone.get_by_test_id("routines-layout").click()
    expect(phone.get_by_test_id("routines")).to_have_attribute("data-layout", "two")


def test_a_page_with_an_error_reports_it_and_other_pages_keep_working(sample, chromium, server):
    server.skip_welcome()
    page = new_page(chromium, server)
    page.evaluate("() => { window.matchMedia = () => { throw new Error('It breaks.'); }; }")
    page.get_by_test_id("routine-card").click()
    expect(page.get_by_role("heading", name="This page can’t be shown")).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("routine-card")).to_be_visible()
    page.go_forward()
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_test_id("room-media")).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("routine-page")).to_be_visible()
    page.context.close()


def test_a_refused_change_shows_the_reason_and_what_was_typed(phone, server):
    def refuse(route):
        sent = route.request.post_data_json
        answer = route.fetch(post_data=json.dumps({**sent, "changes": []}))
        refused = [{"id": change["id"], "reason": "The library is full."} for change in sent["changes"]]
        route.fulfill(response=answer, json={**answer.json(), "rejected": refused})

    open_room(phone, server, "move-types")
    phone.route("**/api/sync", refuse)
    phone.get_by_test_id("new-type").click()
    phone.get_by_test_id("type-name").fill("Back spin")
    phone.get_by_test_id("type-create").click()
    phone.get_by_test_id("rejected-note").click()
    lines = phone.get_by_test_id("rejected").get_by_role("paragraph")
    # The colour was not typed.
    expect(lines).to_have_text(["The library is full.", "Name: Back spin", "Abbreviation: BS"])
    phone.get_by_test_id("rejected").get_by_label("Dismiss").click()
    expect(phone.get_by_test_id("rejected-note")).to_have_count(0)


def test_an_earlier_title_can_be_restored(sample, phone, server):
    routine = server.records("routine")[0]
    phone.goto(f"{server.origin}/routines/{routine['id']}")
    phone.get_by_test_id("edit-routine").click()
    phone.get_by_test_id("edit-title").fill("Other")
    eventually(lambda: server.records("routine")[0]["title"], lambda title: title == "Other")
    phone.get_by_test_id("earlier-versions").click()
    version = phone.get_by_test_id("earlier-version").filter(has_text="Lantern Street")
    expect(version).to_contain_text("Title")
    version.get_by_test_id("earlier-use").click()
    expect(phone.get_by_test_id("edit-title")).to_have_value("Lantern Street")
    title = eventually(
        lambda: server.records("routine")[0]["title"], lambda title: title == "Lantern Street")
    assert title == "Lantern Street"
