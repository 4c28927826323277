"""The list of routines, stored settings, and creating a routine."""

import http.client

import pytest
from playwright.sync_api import expect
from studio import Server, drop_files, eventually, first_screen, song
from test_moves import write

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A server with the sample routine and two more."""
    with Server(tmp_path_factory.mktemp("routines") / "library") as server:
        assert server.request("POST", "/api/sample")[0] == 202
        eventually(lambda: server.records("track"), lambda tracks: tracks[0]["state"] == "ready", 60)
        write(server, [
            ("routine", {"title": "Été brûlant", "subtitle": "Five clubs", "lastPractisedAt": 4_000_000_000_000}),
            ("routine", {"title": "Ash", "subtitle": "Été, the duet", "lastPractisedAt": 1_000})])
        yield server


@pytest.fixture
def visitor(chromium, library):
    """A phone at its first visit."""
    with first_screen(chromium, library, **PHONE) as page:
        yield page


def setting(server, name):
    return {each["id"]: each["value"] for each in server.records("setting")}.get(name)


def test_the_list_can_be_searched_sorted_and_laid_out(visitor, library):
    page = visitor
    titles = page.get_by_test_id("routine-card").get_by_role("heading")
    search = page.get_by_test_id("routines-search")
    practised = ["Été brûlant", "Lantern Street", "Ash"]
    expect(titles).to_have_text(practised)
    for text, found in [("ETE", ["Été brûlant", "Ash"]), ("clubs ete", ["Été brûlant"]), ("lantern", ["Lantern Street"])]:
        search.fill(text)
        expect(titles).to_have_text(found)
    search.fill("")
    button = page.get_by_test_id("routines-layout")
    for layout, columns in [("two", 2), ("three", 3), ("list", 1), ("two", 2)]:
        button.click()
        expect(page.get_by_test_id("routines")).to_have_attribute("data-layout", layout)
        boxes = [card.bounding_box() for card in page.get_by_test_id("routine-card").all()]
        assert len({box["x"] for box in boxes}) == columns, layout
    eventually(lambda: setting(library, "routinesLayout"), lambda value: value == "two")
    page.reload()
    expect(titles).to_have_text(practised)
    expect(page.get_by_test_id("routines")).to_have_attribute("data-layout", "two")


def test_a_routine_reopens_at_the_last_used_part(visitor, library):
    page = visitor
    card = page.get_by_role("link", name="Lantern Street")
    here = page.get_by_test_id("jump-button")
    card.click()
    expect(here).to_contain_text("1. Intro")
    page.get_by_test_id("part-number").nth(2).click()
    expect(here).to_contain_text("3. Chorus")
    page.get_by_test_id("routine-back").click()
    card.click()
    expect(here).to_contain_text("3. Chorus")
    page.goto(library.origin)
    card.click()
    expect(here).to_contain_text("3. Chorus")


def test_the_player_uses_the_settings(visitor, library):
    page = visitor
    page.get_by_test_id("tab-settings").click()
    page.get_by_test_id("room-player").click()
    page.get_by_test_id("seek-step").get_by_text("2 s", exact=True).click()
    page.get_by_test_id("room-back").click()
    expect(page.get_by_test_id("room-player")).to_contain_text("2 s")
    page.get_by_test_id("room-countdown").click()
    page.get_by_test_id("countdown-seconds-presets").get_by_text("3 s", exact=True).click()
    eventually(lambda: setting(library, "countdownSeconds"), lambda value: value == 3)
    page.get_by_test_id("tab-routines").click()
    page.get_by_role("link", name="Lantern Street").click()
    page.get_by_test_id("player-expand").click()
    now = page.get_by_test_id("time-now")
    page.get_by_role("button", name="Forward 2 seconds").click()
    expect(now).to_have_text("0:02")
    page.get_by_role("button", name="Back 2 seconds").click()
    expect(now).to_have_text("0:00")
    expect(page.get_by_test_id("countdown-dial")).to_contain_text("3 s")
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("countdown")).to_be_visible()
    page.get_by_test_id("play").click()


def test_the_theme_is_fixed_or_follows_the_system(visitor, library):
    page = visitor
    html = page.locator("html")
    page.get_by_test_id("tab-settings").click()
    page.get_by_test_id("room-appearance").click()
    page.get_by_test_id("theme").get_by_text("Dark").click()
    eventually(lambda: setting(library, "theme"), lambda value: value == "dark")
    page.emulate_media(color_scheme="light")
    page.reload()
    expect(html).to_have_attribute("data-theme", "dark")
    page.get_by_test_id("theme").get_by_text("System").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(html).to_have_attribute("data-theme", scheme)


def test_each_tip_appears_only_once(chromium, library):
    routine = next(each["id"] for each in library.records("routine") if each["title"] == "Lantern Street")
    places = [("/", None, ["routine-menu"]), (f"/routines/{routine}", None, ["swipe", "moves"]),
              (f"/routines/{routine}", "player-expand", ["section"]), ("/settings/move-types", None, ["move-types"])]

    def visit(page, path, press):
        page.goto(library.origin + path)
        page.locator("h1").first.wait_for(state="attached")
        if press:
            page.get_by_test_id(press).click()

    library.set("tipsSeen", "")
    library.edit("routine", routine, {"lastPractisedAt": 1_800_000_000_000})
    # A phone without an older copy of these, on which hours go by between two visits.
    context = chromium.new_context(service_workers="block", **PHONE)
    context.add_init_script("localStorage.removeItem('segmance.tip')")
    visitor = context.new_page()
    seen = []
    for path, press, names in places:
        for name in names:
            visit(visitor, path, press)
            tip = visitor.get_by_test_id(f"tip-{name}").first
            expect(tip).to_be_visible()
            tip.get_by_test_id("tip-close").click()
            expect(tip).to_be_hidden()
            seen.append(name)
            eventually(lambda: setting(library, "tipsSeen"), lambda text: text.split(",") == seen)
    assert setting(library, "tipsSeen").split(",") == ["routine-menu", "swipe", "moves", "section", "move-types"]
    visitor.get_by_test_id("type-row").first.wait_for()
    for path, press, _ in places:
        visit(visitor, path, press)
        expect(visitor.locator("[data-testid=routine-card], [data-testid=move-card], [data-testid=type-row]").first).to_be_visible()
        expect(visitor.locator(".tip")).to_have_count(0)
    context.close()


def test_songs_are_reordered_by_keys_removed_retried_and_resumed(phone, server):
    """The first song's connection breaks within its second piece; the third song is refused at first."""
    one = song(12)
    sent = []
    arrived = []

    def piece(route):
        if route.request.method != "PATCH":
            route.continue_()
            return
        offset = int(route.request.headers["upload-offset"])
        sent.append((route.request.url, offset))
        if offset == 0 or arrived:
            route.continue_()
            return
        # The server stores these bytes, but the page gets no response.
        arrived.append(offset + 100_000)
        line = http.client.HTTPConnection("localhost", server.port)
        line.request("PATCH", route.request.url.removeprefix(server.origin), body=one[offset:arrived[0]], headers={
            "Origin": server.origin, "Tus-Resumable": "1.0.0", "Upload-Offset": str(offset),
            "Content-Type": "application/offset+octet-stream"})
        assert line.getresponse().status == 204
        line.close()
        route.abort("connectionreset")

    refused = []

    def announced(route):
        if len(refused) == 0 and route.request.headers["upload-length"] == str(len(song(3, 3))):
            refused.append(route)
            route.fulfill(status=507, content_type="application/problem+json",
                          body='{"title": "Insufficient Storage", "status": 507, "detail": "The disk is full."}')
        else:
            route.continue_()

    phone.route("**/api/uploads/*", piece)
    phone.route("**/api/uploads", announced)
    drop_files(phone, [("One.wav", one), ("Two.wav", song(2, 2)), ("Three.wav", song(3, 3))])
    rows = phone.get_by_test_id("song-row")
    expect(rows.nth(2)).to_have_attribute("data-state", "failed")
    expect(rows.nth(2)).to_contain_text("The disk is full.")
    rows.nth(2).get_by_test_id("song-retry").click()
    for row in rows.all():
        expect(row).to_have_attribute("data-state", "ready", timeout=30_000)
    offsets = [offset for url, offset in sent if url == next(url for url, offset in sent if offset > 0)]
    assert offsets[:3] == [0, 1 << 20, arrived[0]], "it goes on where the server is"
    rows.first.get_by_test_id("grip").focus()
    phone.keyboard.press("ArrowDown")
    phone.keyboard.press("ArrowDown")
    names = phone.get_by_test_id("song-title")
    for at, name in enumerate(["Two", "Three", "One"]):
        expect(names.nth(at)).to_have_value(name)
    expect(rows.nth(2).get_by_test_id("grip")).to_be_focused()
    rows.first.get_by_test_id("song-remove").click()
    expect(rows).to_have_count(2)
    phone.get_by_test_id("editor-title").fill("Swan")
    phone.get_by_test_id("editor-create").click()
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 2)
    parts.sort(key=lambda part: part["position"])
    assert [(part["title"], part["endFrame"]) for part in parts] == [("Three", 144_000), ("One", 576_000)]
    tracks = eventually(lambda: server.records("track"), lambda tracks: len(tracks) == 2)
    assert {track["fileName"] for track in tracks} == {"One.wav", "Three.wav"}, "what was removed is gone"
