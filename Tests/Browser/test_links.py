"""Links: a routine, a part or an eight, opened without an account in a browser of its own."""

import contextlib
import json
import re
import time

import pytest
from devices_support import opened
from network_support import LAN
from offline_support import LISTEN
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import DESKTOP, PHONE, RATE, Server, eventually, first_screen
from test_counts import analyse
from test_moves import change, write
from test_paired_browser import browser_of

DAY = 86_400_000


@pytest.fixture
def server(tmp_path):
    with Server(tmp_path / "library", options=LAN) as server:
        server.skip_welcome()
        yield server


@pytest.fixture
def moves(parts, server):
    """Moves in the parts of "Swan", and another routine."""
    one, two = parts_of(server)
    type_id, other = write(server, [
        ("moveType", {"name": "Kick", "colour": "#cc3344"}), ("routine", {"title": "Nutcracker"})])
    write(server, [
        ("move", {"part": one["id"], "title": "Walk", "position": "a", "notes": "Toes\nout", "moveType": type_id}),
        ("move", {"part": one["id"], "title": "Turn", "position": "b"}),
        ("move", {"part": two["id"], "title": "Leap", "position": "a"}),
        ("part", {"routine": other, "title": "Snow", "position": "a"})])


def parts_of(server):
    swan = next(each["id"] for each in server.records("routine") if each["title"] == "Swan")
    return sorted((part for part in server.records("part") if part["routine"] == swan), key=lambda part: part["position"])


def make(server, days=7, **scope):
    routine = next(each["id"] for each in server.records("routine") if each["title"] == "Swan")
    status, content = server.request("POST", "/api/links", {
        "routine": routine, "expiresAt": int(time.time() * 1000) + days * DAY, **scope})
    assert status == 201, content
    return json.loads(content)


def link_of(server, link):
    _, content = server.request("GET", "/api/links")
    return next((each for each in json.loads(content)["links"] if each["id"] == link["id"]), None)


def cards(page):
    """The titles of the moves of the part that is shown."""
    return page.locator("[data-testid=part-page]:not([inert]) [data-testid=move-title]")


two_parts = has_parts(("One", 6), ("Two", 4))


@two_parts
def test_a_routine_is_shared_and_practised_by_somebody_without_an_account(moves, chromium, server):
    with first_screen(chromium, server, **DESKTOP) as owner:
        owner.get_by_test_id("routine-card").filter(has_text="Swan").get_by_test_id("routine-menu").click()
        owner.get_by_test_id("routine-links").click()
        owner.get_by_test_id("link-make").click()
        address = owner.get_by_test_id("link-address").inner_text()
        expect(owner.get_by_test_id("link-row")).to_contain_text("Whole routine")
        expect(owner.get_by_test_id("link-row")).to_contain_text("Not opened yet")
        owner.get_by_test_id("link-code").click()
        expect(owner.get_by_test_id("qr-code")).to_be_visible()
    with opened(chromium, address, LISTEN, **PHONE) as visitor:
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])
        expect(visitor.get_by_test_id("move-notes")).to_have_text("Toes\nout")
        assert "#" not in visitor.url and "/l/" in visitor.url
        for hidden in ("edit-routine", "routine-back", "action-add-move", "add-move-below", "move-menu", "tab-routines"):
            expect(visitor.get_by_test_id(hidden)).to_have_count(0)
        visitor.get_by_test_id("play").click()
        visitor.wait_for_function("() => window.loudness() > 0.02")
        # A press on a move goes there; a part is changed as ever.
        visitor.get_by_test_id("part-number").nth(1).click()
        expect(cards(visitor)).to_have_text(["Leap"])
        asked = "(address) => fetch(address, { method: address === '/api/sync' ? 'POST' : 'GET' }).then(({ status }) => status)"
        for address_of_all in ("/api/sync", "/api/links", "/api/devices", "/api/export", "/api/backup"):
            assert visitor.evaluate(asked, address_of_all) == 401
        assert "Nutcracker" not in visitor.content()
        visitor.reload()
        expect(cards(visitor)).to_have_text(["Leap"])
    assert link_of(server, {"id": address.split("/l/")[1].split("#")[0]})["openings"] == 1
    with first_screen(chromium, server, **PHONE) as owner:
        owner.get_by_test_id("routine-card").filter(has_text="Swan").click()
        owner.get_by_test_id("action-more").click()
        owner.get_by_test_id("action-links").click()
        expect(owner.get_by_test_id("link-row")).to_contain_text("Opened once")


@two_parts
def test_a_link_to_a_part_shows_nothing_else(moves, chromium, server):
    link = make(server, part=parts_of(server)[1]["id"])
    with opened(chromium, link["address"], **PHONE) as visitor:
        expect(cards(visitor)).to_have_text(["Leap"])
        expect(visitor.get_by_test_id("part-page")).to_have_count(1)
        assert {record["title"] for record in stored_records(visitor) if "title" in record} >= {"Swan", "Two", "Leap"}
        assert not {"One", "Walk", "Turn", "Nutcracker", "Snow"} & {record.get("title") for record in stored_records(visitor)}


def stored_records(page):
    """The records in the database of a link."""
    return page.evaluate("""async () => {
      const [{ name }] = (await indexedDB.databases()).filter(({ name }) => name.startsWith('segmance-link-'));
      return new Promise((done) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => {
          const all = opening.result.transaction('records').objectStore('records').getAll();
          all.onsuccess = () => { opening.result.close(); done(all.result.flatMap((text) => JSON.parse(`[${text}]`).flat())); };
        };
      });
    }""")


@two_parts
def test_what_a_visitor_sets_stays_with_the_visitor(moves, chromium, server):
    one = parts_of(server)[0]
    change(server, "part", one["id"], {"rate": 1.5, "markerA": 0, "markerB": 2 * RATE, "loopMode": "section"})
    before = parts_of(server)
    with opened(chromium, make(server)["address"], **DESKTOP) as visitor:
        expect(visitor.get_by_test_id("speed-dial")).to_contain_text("100%")
        for percent in (95, 90, 85, 80, 75):
            visitor.keyboard.press("-")
            expect(visitor.get_by_test_id("speed-dial")).to_contain_text(f"{percent}%")
        expect(visitor.get_by_test_id("speed-dial")).to_contain_text("75%")
        # An edit of the owner arrives, and takes nothing of it away.
        change(server, "move", next(each["id"] for each in server.records("move") if each["title"] == "Turn"), {"title": "Twist"})
        visitor.reload()
        expect(cards(visitor)).to_have_text(["Walk", "Twist"])
        expect(visitor.get_by_test_id("speed-dial")).to_contain_text("75%")
    assert parts_of(server) == before


@two_parts
def test_a_passcode_is_asked_for(moves, chromium, server):
    link = make(server, passcode="plié 7")
    with opened(chromium, link["address"], **PHONE) as visitor:
        expect(visitor.get_by_test_id("link-door")).to_have_attribute("data-state", "passcode")
        assert stored_links(visitor) == []
        visitor.get_by_test_id("link-passcode").fill("plie 7")
        visitor.get_by_test_id("link-open").click()
        expect(visitor.get_by_test_id("link-door")).to_have_attribute("data-state", "wrongPasscode")
        # As a keyboard may write it that adds the accent by a character of its own.
        visitor.get_by_test_id("link-passcode").fill("plie\u0301 7")
        visitor.keyboard.press("Enter")
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])
        visitor.reload()
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])
    assert link_of(server, link)["openings"] == 1


def stored_links(page):
    return page.evaluate("() => Object.keys(localStorage).filter((key) => key.startsWith('segmance.link.'))")


def databases(page):
    return page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")


@two_parts
def test_a_link_that_is_ended_leaves_nothing_on_the_device(moves, chromium, server):
    link = make(server)
    with first_screen(chromium, server, **DESKTOP) as owner, opened(chromium, link["address"], **PHONE) as visitor:
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])
        owner.get_by_test_id("routine-card").filter(has_text="Swan").click()
        owner.get_by_test_id("action-more").click()
        owner.get_by_test_id("action-links").click()
        owner.get_by_test_id("link-revoke").click()
        owner.get_by_test_id("confirm-action").click()
        expect(owner.get_by_test_id("link-row")).to_have_count(0)
        # The page asks whenever it is looked at again.
        visitor.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        expect(visitor.get_by_test_id("link-door")).to_have_attribute("data-state", "ended")
        eventually(lambda: (stored_links(visitor), databases(visitor)), lambda left: left == ([], []))
        visitor.reload()
        expect(visitor.get_by_test_id("link-door")).to_have_attribute("data-state", "unknown")


@two_parts
def test_a_link_that_is_over_is_deleted_without_a_network_too(moves, chromium, server):
    link = make(server)
    with opened(chromium, link["address"], **PHONE) as visitor:
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])
        visitor.evaluate("""() => {
          const key = Object.keys(localStorage).find((each) => each.startsWith('segmance.link.'));
          const stored = JSON.parse(localStorage.getItem(key));
          localStorage.setItem(key, JSON.stringify({ ...stored, link: { ...stored.link, expiresAt: Date.now() - 1 } }));
        }""")
        visitor.reload()
        expect(visitor.get_by_test_id("link-door")).to_have_attribute("data-state", "ended")
        eventually(lambda: (stored_links(visitor), databases(visitor)), lambda left: left == ([], []))


@two_parts
def test_an_address_that_is_not_whole_opens_nothing(moves, chromium, server):
    address = make(server)["address"]
    for wrong in (address.split("#")[0], address[:-3] + "AAA"):
        with opened(chromium, wrong, **PHONE) as visitor:
            expect(visitor.get_by_test_id("link-door")).to_have_attribute("data-state", "unknown")


@two_parts
def test_a_mistyped_address_deletes_nothing_of_the_right_one(moves, chromium, server):
    address = make(server)["address"]
    with opened(chromium, address, **PHONE) as visitor:
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])
        left = stored_links(visitor)
        # Another tab, since a page whose address changes behind the # is not loaded again.
        other = visitor.context.new_page()
        other.goto(address[:-3] + "AAA")
        expect(other.get_by_test_id("link-door")).to_have_attribute("data-state", "unknown")
        other.close()
        assert stored_links(visitor) == left
        visitor.reload()
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])


@two_parts
def test_a_link_is_practised_without_a_network(moves, chromium, server, tmp_path):
    link = make(server)
    with browser_of(chromium, tmp_path / "home", tmp_path / "library" / "tls" / "authority.crt") as browser, \
            contextlib.closing(browser.new_context(**PHONE)) as context:
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.goto(link["address"])
        expect(cards(page)).to_have_text(["Walk", "Turn"])
        page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=60_000)
        kept = """async () => {
          const [name] = (await caches.keys()).filter((each) => each.startsWith('segmance-link-media-'));
          return name ? (await (await caches.open(name)).keys()).filter(({ url }) => url.includes('/chunks/')).length : 0;
        }"""
        eventually(lambda: page.evaluate(kept), lambda chunks: chunks == 2, 60)
        context.set_offline(True)
        server.stop()
        page.reload()
        expect(cards(page)).to_have_text(["Walk", "Turn"])
        page.get_by_test_id("play").click()
        page.wait_for_function("() => window.loudness() > 0.02")


@has_parts(("One", 12))
def test_a_link_to_an_eight_loops_it(parts, chromium, server):
    with first_screen(chromium, server, **DESKTOP) as owner:
        owner.get_by_test_id("routine-card").click()
        analyse(owner, 0.9)
        owner.get_by_test_id("action-more").click()
        owner.get_by_test_id("action-links").click()
        owner.get_by_test_id("link-scope").get_by_text("One eight").click()
        owner.get_by_test_id("link-eight").select_option(label="Eight 2")
        owner.get_by_test_id("link-make").click()
        address = owner.get_by_test_id("link-address").inner_text()
        expect(owner.get_by_test_id("link-row")).to_contain_text("1. One, one eight")
    # The first 1 is at 1.5 s, and a count takes half a second.
    link = link_of(server, {"id": address.split("/l/")[1].split("#")[0]})
    assert [round(link[end] / RATE, 2) for end in ("startFrame", "endFrame")] == [5.5, 9.5]
    with opened(chromium, address, **DESKTOP) as visitor:
        expect(visitor.get_by_test_id("section")).to_have_attribute("data-step", "toggle")
        expect(visitor.get_by_test_id("section")).to_have_attribute("aria-pressed", "true")


@two_parts
def test_sheet_and_door_are_accessible_and_fit_the_smallest_phone(moves, chromium, server):
    make(server, passcode="abcd")
    link = make(server, passcode="abcd")
    sizes = [(320, 568), (390, 844), (844, 390), (1280, 800)]
    with first_screen(chromium, server, **PHONE) as owner, opened(chromium, link["address"], **PHONE) as visitor:
        owner.get_by_test_id("routine-card").filter(has_text="Swan").click()
        owner.get_by_test_id("action-more").click()
        owner.get_by_test_id("action-links").click()
        owner.get_by_test_id("link-scope").get_by_text("One part").click()
        expect(owner.get_by_test_id("link-row")).to_have_count(2)
        expect(visitor.get_by_test_id("link-passcode")).to_be_visible()
        looks = [owner, visitor]
        for page in looks:
            for _ in range(2):
                settled(page)
                assert violations(page) == []
                assert too_small(page) == []
                change_theme(page)
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                assert wider_than_window(page) == []
        visitor.get_by_test_id("link-passcode").fill("abcd")
        visitor.get_by_test_id("link-open").click()
        expect(cards(visitor)).to_have_text(["Walk", "Turn"])
        for width, height in sizes:
            visitor.set_viewport_size({"width": width, "height": height})
            assert wider_than_window(visitor) == []
        settled(visitor)
        assert violations(visitor) == []
        assert too_small(visitor) == []


@two_parts
def test_without_a_network_the_sheet_says_that_nobody_can_open_a_link(moves, chromium, server):
    assert server.request("PUT", "/api/network", {"isOn": False})[0] == 200
    with first_screen(chromium, server, **PHONE) as owner:
        owner.get_by_test_id("routine-card").filter(has_text="Swan").click()
        owner.get_by_test_id("action-more").click()
        owner.get_by_test_id("action-links").click()
        owner.get_by_test_id("link-make").click()
        expect(owner.get_by_test_id("link-no-address")).to_be_visible()
        owner.get_by_test_id("link-network").click()
        expect(owner).to_have_url(re.compile("/settings/devices$"))
