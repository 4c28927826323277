"""People and groups: three people with a browser each, what they share, and what is each one's own."""

import contextlib
import json
import re
import subprocess

import pytest
from devices_support import PHONE as IPHONE
from devices_support import opened
from network_support import LAN
from offline_support import card, choose, kept_addresses, stored
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import DESKTOP, PHONE, PROGRAM, Server, eventually, first_screen, song
from test_moves import change, write

two_parts = has_parts(("One", 6), ("Two", 4))


@pytest.fixture
def server(tmp_path):
    with Server(tmp_path / "library", options=LAN) as server:
        server.skip_welcome()
        yield server


def asked(server, method, path, value=None):
    """The answer to a request of the owner that succeeds."""
    status, content = server.request(method, path, value)
    assert status in (200, 201, 204), content
    return json.loads(content) if content else None


def add_person(server, name, colour="#248f36"):
    return asked(server, "POST", "/api/people", {"name": name, "colour": colour})["id"]


def make_group(server, name, **members):
    """A group that the owner runs, with the roles of the others by the ids of the people."""
    return asked(server, "POST", "/api/groups", {
        "name": name, "members": [{"person": person, "role": role} for person, role in members.items()]})["id"]


def swan(server):
    return next(each["id"] for each in server.records("routine") if each["title"] == "Swan")


def share(server, group, routine=None):
    asked(server, "POST", f"/api/routines/{routine or swan(server)}/space", {"space": group})


def first_part(server):
    return min((part for part in server.records("part") if part["routine"] == swan(server)), key=lambda part: part["position"])


def paired(page, name):
    """Pairs a page that was opened by a code, and waits for the list of routines."""
    page.get_by_test_id("pair-name").fill(name)
    page.get_by_test_id("pair-join").click()
    expect(page.get_by_test_id("tab-routines")).to_be_visible()
    page.get_by_test_id("toast").get_by_label("Dismiss").click()


@contextlib.contextmanager
def browser_of(chromium, server, person, name, **settings):
    """A browser of a person, at the list of routines."""
    address = asked(server, "POST", "/api/pairings", {"person": person})["address"]
    with opened(chromium, address, **{**PHONE, **settings}) as page:
        expect(page.get_by_test_id("pair-person")).to_contain_text(name)
        paired(page, f"Phone of {name}")
        yield page


def cards(page):
    """The titles of the moves of the part that is shown."""
    return page.locator("[data-testid=part-page]:not([inert]) [data-testid=move-title]")


def open_swan(page):
    card(page, "Swan").get_by_role("link").click()
    expect(page.get_by_test_id("routine-page")).to_be_visible()


@pytest.fixture
def trio(parts, server):
    """Swan with a move, two people, and a group in which one teaches and the other performs."""
    ana, ben = add_person(server, "Ana"), add_person(server, "Ben", "#3f76e4")
    (kick,) = write(server, [("moveType", {"name": "Kick", "colour": "#cc3344"})])
    write(server, [
        ("move", {"part": first_part(server)["id"], "title": "Walk", "position": "a", "moveType": kick}),
        ("routine", {"title": "Of the owner alone"})])
    group = make_group(server, "Monday", **{ana: "teacher", ben: "performer"})
    return ana, ben, group


def test_a_name_that_is_typed_is_kept_when_a_code_is_asked_for(chromium, server):
    add_person(server, "Ana")
    with first_screen(chromium, server, "/settings/people", **PHONE) as owner:
        owner.get_by_test_id("person-row").filter(has_text="Ana").click()
        owner.get_by_test_id("person-name").fill("Anna")
        owner.get_by_test_id("person-code").click()
        expect(owner.get_by_test_id("add-device-sheet")).to_contain_text("Anna’s phone")
    assert [each["name"] for each in asked(server, "GET", "/api/people")["people"]] == ["", "Anna"]


def test_one_who_is_alone_sees_nothing_of_people_but_the_row_that_adds_some(chromium, server):
    write(server, [("routine", {"title": "Swan"})])
    with first_screen(chromium, server, **PHONE) as page:
        card(page, "Swan").get_by_test_id("routine-menu").click()
        expect(page.get_by_test_id("routine-links")).to_be_visible()
        expect(page.get_by_test_id("routine-share")).to_have_count(0)
        page.keyboard.press("Escape")
        page.get_by_test_id("create-routine").click()
        expect(page.get_by_test_id("editor-title")).to_be_visible()
        expect(page.get_by_test_id("editor-group")).to_have_count(0)
        page.get_by_test_id("editor-cancel").click()
        page.get_by_test_id("tab-settings").click()
        expect(page.get_by_test_id("room-people")).to_have_text("Add people")
        expect(page.get_by_test_id("room-groups")).to_have_count(0)
        page.get_by_test_id("room-people").click()
        expect(page.get_by_test_id("add-person")).to_be_visible()
        expect(page.get_by_test_id("person-row")).to_have_count(0)


@two_parts
def test_people_are_added_by_codes_and_a_routine_is_given_to_their_group(parts, chromium, server):
    with contextlib.ExitStack() as stack:
        owner = stack.enter_context(first_screen(chromium, server, "/settings/people", **DESKTOP))
        phones = []
        for name in ("Ana", "Ben"):
            owner.get_by_test_id("add-person").click()
            owner.get_by_test_id("person-name").fill(name)
            owner.get_by_test_id("person-add").click()
            expect(owner.get_by_test_id("add-device-sheet")).to_contain_text(f"{name}’s phone")
            address = owner.get_by_test_id("pairing-address").inner_text()
            expect(owner.get_by_test_id("qr-code").first).to_be_visible()
            phone = stack.enter_context(opened(chromium, address, **IPHONE))
            expect(phone.get_by_test_id("pair-person")).to_have_text(f"It becomes {name}’s phone.")
            paired(phone, f"Phone of {name}")
            phones.append(phone)
            expect(owner.get_by_test_id("paired")).to_contain_text(f"Phone of {name}")
            owner.get_by_test_id("paired-done").click()
            expect(owner.get_by_test_id("person-row").filter(has_text=name)).to_contain_text("1 device")
        for phone in phones:
            # Nobody has shared anything yet.
            phone.get_by_test_id("welcome-skip").click()
            expect(phone.get_by_test_id("routines-empty")).to_be_visible()

        owner.get_by_test_id("room-back").click()
        owner.get_by_test_id("room-groups").click()
        owner.get_by_test_id("new-group").click()
        owner.get_by_test_id("group-name").fill("Monday")
        owner.get_by_test_id("group-make").click()
        owner.get_by_test_id("member-add").click()
        for name, role in (("Ana", "Teacher"), ("Ben", "Performer")):
            owner.get_by_test_id("member-new-role").select_option(role)
            owner.get_by_test_id("add-row").filter(has_text=name).click()
            expect(owner.get_by_test_id("add-row").filter(has_text=name)).to_contain_text(role)
        owner.get_by_test_id("members-done").click()
        for name, role in (("Ana", "teacher"), ("Ben", "performer")):
            expect(owner.get_by_test_id("member-row").filter(has_text=name).get_by_test_id("member-role")).to_have_value(role)
        owner.get_by_test_id("group-done").click()
        expect(owner.get_by_test_id("group-row")).to_contain_text("3 members")

        owner.get_by_test_id("tab-routines").click()
        choose(owner, "Swan", "routine-share")
        owner.get_by_test_id("share-choice").get_by_text("Monday").click()
        owner.get_by_test_id("share-it").click()
        expect(owner.get_by_test_id("share-sheet")).to_have_count(0)
        owner.get_by_test_id("routine-back").click()
        for page in (owner, *phones):
            expect(card(page, "Swan").get_by_test_id("card-group")).to_have_text("Monday")
        owner.get_by_test_id("routines-search").fill("monday")
        expect(owner.get_by_test_id("routine-card")).to_have_count(1)


@two_parts
def test_a_teacher_edits_and_a_performer_practises(trio, chromium, server):
    ana, ben, group = trio
    share(server, group)
    with browser_of(chromium, server, ana, "Ana") as teacher, browser_of(chromium, server, ben, "Ben") as performer:
        for page in (teacher, performer):
            expect(page.get_by_test_id("routine-card")).to_have_count(1)
        card(performer, "Swan").get_by_test_id("routine-menu").click()
        expect(performer.get_by_test_id("routine-export")).to_be_visible()
        for hidden in ("routine-delete", "routine-duplicate", "routine-links"):
            expect(performer.get_by_test_id(hidden)).to_have_count(0)
        performer.keyboard.press("Escape")
        open_swan(performer)
        expect(cards(performer)).to_have_text(["Walk"])
        for hidden in ("action-add-move", "add-move-below", "move-menu", "move-disclosure", "action-video"):
            expect(performer.get_by_test_id(hidden)).to_have_count(0)
        performer.get_by_test_id("action-more").click()
        expect(performer.get_by_test_id("action-progress")).to_be_visible()
        for hidden in ("action-counts", "action-links"):
            expect(performer.get_by_test_id(hidden)).to_have_count(0)
        performer.keyboard.press("Escape")

        open_swan(teacher)
        teacher.get_by_test_id("action-more").click()
        expect(teacher.get_by_test_id("action-links")).to_be_visible()
        teacher.keyboard.press("Escape")
        teacher.get_by_test_id("action-add-move").click()
        teacher.get_by_test_id("add-move-title").fill("Turn")
        # Only the group's types: one of the owner's own would not be seen.
        expect(teacher.get_by_test_id("type-type")).to_have_count(1)
        teacher.get_by_test_id("type-picker").get_by_text("Kick").click()
        teacher.get_by_test_id("add-move-done").click()
        expect(cards(performer)).to_have_text(["Walk", "Turn"])
        eventually(lambda: [move["title"] for move in server.records("move")], lambda titles: sorted(titles) == ["Turn", "Walk"])
        with first_screen(chromium, server, **DESKTOP) as owner:
            open_swan(owner)
            expect(cards(owner)).to_have_text(["Walk", "Turn"])
            expect(owner.get_by_test_id("action-add-move")).to_be_visible()
    # A teacher does not run the server.
    with browser_of(chromium, server, ana, "Ana") as teacher:
        teacher.get_by_test_id("tab-settings").click()
        expect(teacher.get_by_test_id("room-people")).to_have_text("My name and colour")
        for hidden in ("backup", "restore"):
            expect(teacher.get_by_test_id(hidden)).to_have_count(0)
        teacher.get_by_test_id("room-devices").click()
        expect(teacher.get_by_test_id("device-row")).to_have_count(2)
        expect(teacher.get_by_test_id("network-switch")).to_have_count(0)


@two_parts
def test_speed_markers_pin_and_tags_are_each_ones_own(trio, chromium, server):
    ana, ben, group = trio
    part = first_part(server)
    change(server, "part", part["id"], {"rate": 0.9})
    share(server, group)
    with browser_of(chromium, server, ana, "Ana", **DESKTOP) as teacher, browser_of(chromium, server, ben, "Ben", **DESKTOP) as performer:
        open_swan(performer)
        # The marks of the owner are the owner's.
        expect(performer.get_by_test_id("speed-dial")).to_contain_text("100%")
        performer.keyboard.press("-")
        performer.keyboard.press("-")
        expect(performer.get_by_test_id("speed-dial")).to_contain_text("90%")
        performer.get_by_test_id("edit-routine").click()
        expect(performer.get_by_test_id("edit-title")).to_have_count(0)
        performer.get_by_test_id("edit-pin").click()
        performer.get_by_test_id("tag-input").fill("solo")
        performer.get_by_test_id("tag-add").click()
        performer.get_by_test_id("edit-done").click()
        # All of it has arrived at the server, and comes back to this person.
        eventually(lambda: stored(performer, "outbox"), lambda waiting: waiting == [])
        performer.reload()
        expect(performer.get_by_test_id("speed-dial")).to_contain_text("90%")
        # An edit of the group's comes to all, and takes nothing of one's own away.
        change(server, "routine", swan(server), {"subtitle": "For all"})
        performer.get_by_test_id("routine-back").click()
        expect(card(performer, "Swan")).to_contain_text("For all")
        expect(card(performer, "Swan").get_by_test_id("card-tags")).to_have_text("solo")
        expect(card(teacher, "Swan")).to_contain_text("For all")
        expect(card(teacher, "Swan").get_by_test_id("card-tags")).to_have_count(0)
        open_swan(teacher)
        expect(teacher.get_by_test_id("speed-dial")).to_contain_text("100%")
        teacher.keyboard.press("+")
        expect(teacher.get_by_test_id("speed-dial")).to_contain_text("105%")
        eventually(lambda: stored(teacher, "outbox"), lambda waiting: waiting == [])
    owners = first_part(server)
    assert owners["rate"] == 0.9
    assert "tags" not in next(each for each in server.records("routine") if each["title"] == "Swan")


@two_parts
def test_who_is_taken_out_loses_the_routine_and_its_media(trio, chromium, server):
    _, ben, group = trio
    share(server, group)
    with browser_of(chromium, server, ben, "Ben") as performer:
        choose(performer, "Swan", "routine-keep")
        expect(card(performer, "Swan").get_by_test_id("kept-badge")).to_have_attribute("data-state", "kept")
        assert kept_addresses(performer) != []
        asked(server, "DELETE", f"/api/groups/{group}/members/{ben}")
        expect(performer.get_by_test_id("routine-card")).to_have_count(0)
        eventually(lambda: kept_addresses(performer), lambda addresses: addresses == [])
        assert "Walk" not in json.dumps(stored(performer, "records"))
        performer.reload()
        expect(performer.get_by_test_id("routines-empty")).to_be_visible()
        # Taken in again, it is there again.
        asked(server, "PUT", f"/api/groups/{group}/members/{ben}", {"role": "performer"})
        expect(card(performer, "Swan")).to_be_visible()


def share_with_ana(owner, routine):
    """Shares a routine with Ana, who may edit it."""
    choose(owner, routine, "routine-share")
    owner.get_by_test_id("share-choice").get_by_text("One person").click()
    owner.get_by_test_id("share-person").select_option(label="Ana")
    owner.get_by_test_id("share-role").select_option("teacher")
    owner.get_by_test_id("share-it").click()
    expect(owner.get_by_test_id("share-sheet")).to_have_count(0)


@two_parts
def test_a_routine_is_shared_with_one_person(trio, chromium, server):
    ana, *_ = trio
    with first_screen(chromium, server, **DESKTOP) as owner, browser_of(chromium, server, ana, "Ana") as other:
        share_with_ana(owner, "Swan")
        owner.get_by_test_id("routine-back").click()
        expect(card(owner, "Swan").get_by_test_id("card-group")).to_have_text("Shared with Ana")
        expect(card(other, "Swan").get_by_test_id("card-group")).to_have_text("Shared by the owner")
        open_swan(other)
        expect(other.get_by_test_id("action-add-move")).to_be_visible()
        # The same two people need no second group.
        share_with_ana(owner, "Of the owner alone")
        assert len(asked(server, "GET", "/api/groups")["groups"]) == 2
        # Taken back, only the owner sees it.
        owner.get_by_test_id("action-more").click()
        owner.get_by_test_id("action-share").click()
        expect(owner.get_by_test_id("who-sees")).to_contain_text("Ana")
        owner.get_by_test_id("share-choice").get_by_text("Only me").click()
        owner.get_by_test_id("share-it").click()
        expect(owner.get_by_test_id("share-sheet")).to_have_count(0)
        other.get_by_test_id("routine-back").click()
        expect(other.get_by_test_id("routine-card")).to_have_count(1)
        owner.get_by_test_id("routine-back").click()
        expect(card(owner, "Of the owner alone").get_by_test_id("card-group")).to_have_count(0)


def test_a_routine_is_made_in_a_group(chromium, server):
    ana = add_person(server, "Ana")
    group = make_group(server, "Monday", **{ana: "teacher"})
    with browser_of(chromium, server, ana, "Ana") as teacher:
        teacher.get_by_test_id("welcome-skip").click()
        teacher.get_by_test_id("create-first").click()
        teacher.get_by_test_id("editor-group").select_option(label="Monday")
        teacher.get_by_test_id("editor-title").fill("New")
        teacher.locator("[data-testid=routine-editor] input[type=file]").set_input_files(
            {"name": "One.wav", "mimeType": "audio/wav", "buffer": song(3)})
        teacher.get_by_test_id("editor-create").click()
        expect(teacher.get_by_test_id("routine-page")).to_be_visible()
        # Before the browser is gone, with what it has not sent.
        [routine] = eventually(lambda: server.records("routine"), lambda found: len(found) == 1)
        assert (routine["title"], routine["space"]) == ("New", group)
        [track] = eventually(lambda: server.records("track"), lambda found: len(found) == 1)
        assert track["space"] == group


@two_parts
def test_a_browser_that_is_paired_for_somebody_else_begins_empty(trio, chromium, server):
    ana, ben, group = trio
    share(server, group)
    with browser_of(chromium, server, ana, "Ana") as page:
        page.get_by_test_id("tab-settings").click()
        page.get_by_test_id("room-devices").click()
        page.get_by_test_id("leave").click()
        page.get_by_test_id("confirm-action").click()
        expect(page.get_by_test_id("unpaired")).to_be_visible()
        # An edit that Ana has not sent.
        page.get_by_test_id("door-aside").click()
        choose(page, "Swan", "routine-pin")
        address = asked(server, "POST", "/api/pairings", {"person": ben})["address"]
        page.goto(address)
        expect(page.get_by_test_id("pair-person")).to_contain_text("Ben")
        page.get_by_test_id("pair-join").click()
        expect(card(page, "Swan")).to_be_visible()
        expect(page.locator(".card-pin")).to_have_count(0)
        assert stored(page, "outbox") == []


@two_parts
def test_a_person_is_removed(trio, chromium, server):
    ana, _, group = trio
    share(server, group)
    with first_screen(chromium, server, "/settings/people", **PHONE) as owner, browser_of(chromium, server, ana, "Ana") as other:
        expect(card(other, "Swan")).to_be_visible()
        owner.get_by_test_id("person-row").filter(has_text="Ana").click()
        expect(owner.get_by_test_id("person-sheet").get_by_test_id("device-row")).to_have_count(1)
        owner.get_by_test_id("person-name").fill("Ana María")
        owner.get_by_test_id("person-done").click()
        owner.get_by_test_id("person-row").filter(has_text="Ana María").click()
        owner.get_by_test_id("person-remove").click()
        owner.get_by_test_id("confirm-action").click()
        expect(owner.get_by_test_id("person-row")).to_have_count(2)
        expect(other.get_by_test_id("unpaired")).to_be_visible()


@two_parts
def test_a_group_is_left_and_deleted(trio, chromium, server):
    ana, _, group = trio
    share(server, group)
    with first_screen(chromium, server, "/settings/groups", **PHONE) as owner, browser_of(chromium, server, ana, "Ana") as other:
        other.get_by_test_id("tab-settings").click()
        other.get_by_test_id("room-groups").click()
        other.get_by_test_id("group-row").click()
        expect(other.get_by_test_id("member-role")).to_have_count(0)
        other.get_by_test_id("group-leave").click()
        other.get_by_test_id("confirm-action").click()
        expect(other.get_by_test_id("no-groups")).to_be_visible()
        # Whose library is empty is welcomed.
        other.get_by_test_id("welcome-skip").click()
        other.get_by_test_id("tab-routines").click()
        expect(other.get_by_test_id("routines-empty")).to_be_visible()
        expect(owner.get_by_test_id("group-row")).to_contain_text("2 members")
        owner.get_by_test_id("group-row").click()
        expect(owner.get_by_test_id("group-leave")).to_have_count(0)
        owner.get_by_test_id("group-delete").click()
        owner.get_by_test_id("confirm-action").click()
        expect(owner.get_by_test_id("no-groups")).to_be_visible()
    assert all("space" not in each for each in server.records("routine"))


@two_parts
def test_the_pages_of_people_are_accessible_and_fit_a_narrow_phone(trio, chromium, server):
    ana, _, group = trio
    share(server, group)
    long = add_person(server, "Wolfeschlegelsteinhausenbergerdorff von der Hohen Warte")
    add_person(server, "نور الهدى")
    asked(server, "PUT", f"/api/groups/{group}/members/{long}", {"role": "performer"})
    for viewport, locale in (({"width": 320, "height": 640}, "es-ES"), ({"width": 1280, "height": 800}, "en-US")):
        with first_screen(chromium, server, viewport=viewport, locale=locale, has_touch=True) as page:
            def look():
                settled(page)
                assert violations(page) == [] and too_small(page) == [] and wider_than_window(page) == []
                change_theme(page)
                assert violations(page) == []
            expect(card(page, "Swan").get_by_test_id("card-group")).to_be_visible()
            look()
            choose(page, "Swan", "routine-share")
            expect(page.get_by_test_id("who-sees")).to_be_visible()
            page.get_by_test_id("share-choice").locator("label").last.click()
            look()
            for room, row in (("people", "person-row"), ("groups", "group-row")):
                page.goto(f"{server.origin}/settings/{room}")
                expect(page.get_by_test_id(row).first).to_be_visible()
                look()
                page.get_by_test_id(row).last.click()
                look()
            page.get_by_test_id("member-add").click()
            look()
            page.goto(f"{server.origin}/settings/people")
            page.get_by_test_id("add-person").click()
            look()
    with browser_of(chromium, server, ana, "Ana", viewport={"width": 320, "height": 640}) as page:
        page.get_by_test_id("tab-settings").click()
        page.get_by_test_id("room-people").click()
        expect(page.get_by_test_id("own-profile")).to_be_visible()
        settled(page)
        assert violations(page) == [] and too_small(page) == [] and wider_than_window(page) == []
        page.get_by_test_id("person-name").fill("Ana María")
        page.get_by_test_id("profile-save").click()
        eventually(
            lambda: [person["name"] for person in asked(server, "GET", "/api/people")["people"]], lambda names: "Ana María" in names)
        expect(page.get_by_test_id("profile-save")).to_be_disabled()


@pytest.fixture
def crowd(server):
    """More people and groups than are drawn at once, by name."""
    names = [f"{first} {last}" for first in ("Ana", "Łukasz", "Søren", "Zoë", "نور") for last in (
        "Ångström", "Dvořák", "Eriksen", "García", "Le-Roux", "Müller", "Núñez", "O’Brien", "Rossi", "Şahin", "Tóth", "Yıldız")]
    people = {name: add_person(server, name) for name in names}
    groups = {f"Class {number}": make_group(server, f"Class {number}") for number in range(1, 16)}
    return people, groups


def found(page, search):
    """How many people or groups the search says that it found."""
    return page.get_by_test_id(search).locator("xpath=..").get_by_role("status")


def test_many_people_are_searched_and_few_are_drawn_at_a_time(crowd, chromium, server):
    with first_screen(chromium, server, "/settings/people", **PHONE) as page:
        rows = page.get_by_test_id("person-row")
        expect(rows).to_have_count(48)
        # One's own comes first, and accents do not count in the order.
        expect(rows.nth(0)).to_contain_text("You")
        expect(rows.nth(1)).to_contain_text("Ana Ångström")
        expect(rows.nth(2)).to_contain_text("Ana Dvořák")
        page.get_by_test_id("show-more").focus()
        page.keyboard.press("Enter")
        expect(rows).to_have_count(61)
        expect(rows.nth(48)).to_be_focused()
        expect(page.get_by_test_id("show-more")).to_have_count(0)
        search = page.get_by_test_id("people-search")
        search.fill("muller lukasz")
        expect(rows).to_have_text([re.compile("Łukasz Müller")])
        expect(found(page, "people-search")).to_have_text("1 person")
        search.fill("o'b")
        expect(rows).to_have_count(5)
        search.fill("xyzzy")
        expect(rows).to_have_count(0)
        expect(page.get_by_test_id("nothing-found")).to_contain_text("Nobody matches “xyzzy”.")
        page.get_by_test_id("clear-search").click()
        expect(rows).to_have_count(48)
        expect(search).to_be_focused()


@two_parts
def test_many_join_a_group_one_after_the_other(parts, crowd, chromium, server):
    people, groups = crowd
    with first_screen(chromium, server, "/settings/groups", **PHONE) as page:
        page.get_by_test_id("groups-search").fill("15")
        expect(page.get_by_test_id("group-row")).to_have_count(1)
        page.get_by_test_id("group-row").click()
        page.get_by_test_id("member-add").click()
        search, rows = page.get_by_test_id("add-search"), page.get_by_test_id("add-row")
        expect(search).to_be_focused()
        chosen = ["Zoë García", "Søren Şahin", "Ana Yıldız"]
        for name, typed in zip(chosen, ("zoe gar", "soren sah", "ana yil")):
            # What is typed takes the place of the search before.
            page.keyboard.insert_text(typed)
            expect(rows).to_have_text([re.compile(f"^{name}")])
            rows.click()
            expect(rows).to_contain_text("Performer")
            expect(rows).to_have_attribute("aria-disabled", "true")
            expect(search).to_be_focused()
        # By the keyboard the focus stays at the row, so that the next one is near.
        search.fill("rossi")
        expect(rows).to_have_count(5)
        rows.nth(1).focus()
        page.keyboard.press("Enter")
        expect(rows.nth(1)).to_contain_text("Performer")
        expect(rows.nth(1)).to_be_focused()
        page.get_by_test_id("members-done").click()
        expect(page.get_by_test_id("member-row")).to_have_count(5)
        expect(page.get_by_test_id("member-row").first).to_contain_text("You")
        page.get_by_test_id("group-done").click()
        expect(page.get_by_test_id("group-row")).to_contain_text("5 members")
    group = next(each for each in asked(server, "GET", "/api/groups")["groups"] if each["id"] == groups["Class 15"])
    assert {people[name] for name in [*chosen, "Łukasz Rossi"]} | {"owner"} == {each["person"] for each in group["members"]}

    with first_screen(chromium, server, **PHONE) as page:
        # Of many groups and people, one is found and named before it is shared.
        choose(page, "Swan", "routine-share")
        page.get_by_test_id("share-choice").get_by_text("One person").click()
        expect(page.get_by_test_id("share-it")).to_be_disabled()
        page.get_by_test_id("share-search").fill("nunez zoe")
        expect(page.get_by_test_id("share-people").locator("label")).to_have_count(1)
        page.get_by_test_id("share-people").locator("label").click()
        expect(page.get_by_test_id("share-it")).to_have_text("Share with Zoë Núñez")
        page.get_by_test_id("share-choice").get_by_text("A group").click()
        expect(page.get_by_test_id("share-it")).to_be_disabled()
        page.get_by_test_id("share-search").fill("class 15")
        expect(page.get_by_test_id("share-groups").locator("label")).to_have_count(1)
        page.get_by_test_id("share-groups").locator("label").click()
        page.get_by_test_id("share-it").click()
        expect(page.get_by_test_id("share-sheet")).to_have_count(0)
        page.get_by_test_id("routine-back").click()
        expect(card(page, "Swan").get_by_test_id("card-group")).to_have_text("Class 15")


@two_parts
def test_long_lists_of_people_are_accessible_and_fit_a_narrow_phone(parts, crowd, chromium, server):
    people, groups = crowd
    for person in list(people.values())[:20]:
        asked(server, "PUT", f"/api/groups/{groups['Class 1']}/members/{person}", {"role": "performer"})
    share(server, groups["Class 1"])
    # A narrow phone, and a computer at 200 %.
    for size, locale in (((320, 640), "es-ES"), ((640, 512), "en-US")):
        viewport = dict(zip(("width", "height"), size))
        with first_screen(chromium, server, viewport=viewport, locale=locale, has_touch=True) as page:
            def look():
                settled(page)
                assert violations(page) == [] and too_small(page) == [] and wider_than_window(page) == []
                change_theme(page)
                assert violations(page) == []
            choose(page, "Swan", "routine-share")
            expect(page.get_by_test_id("who-sees").locator("li")).to_have_count(6)
            expect(page.get_by_test_id("share-groups").locator("label")).to_have_count(6)
            look()
            page.get_by_test_id("share-choice").locator("label").last.click()
            page.get_by_test_id("share-search").fill("zoe")
            expect(page.get_by_test_id("share-people").locator("label").first).to_have_text("Zoë Ångström")
            page.get_by_test_id("share-people").locator("label").first.click()
            look()
            page.goto(f"{server.origin}/settings/people")
            page.get_by_test_id("people-search").fill("xyzzy")
            expect(page.get_by_test_id("nothing-found")).to_be_visible()
            look()
            page.get_by_test_id("clear-search").click()
            expect(page.get_by_test_id("person-row")).to_have_count(48)
            look()
            page.goto(f"{server.origin}/settings/groups")
            page.get_by_test_id("groups-search").fill("class 1")
            page.get_by_test_id("group-row").first.click()
            page.get_by_test_id("members-search").fill("lukasz")
            expect(page.get_by_test_id("member-row")).to_have_count(8)
            look()
            page.get_by_test_id("member-add").click()
            page.get_by_test_id("add-search").fill("muller")
            expect(page.get_by_test_id("add-row")).to_have_count(5)
            look()


def test_the_command_line_pairs_devices_of_people_and_says_whose_they_are(server, chromium):
    def devices(*words, status=0):
        result = subprocess.run(
            [PROGRAM, "devices", *words, "--data", str(server.folder)], capture_output=True, text=True, timeout=60)
        assert result.returncode == status, result.stderr
        return result.stdout + result.stderr
    ana = add_person(server, "Ana")
    assert "nobody with this name" in devices("pair", "--person", "Cyd", status=1)
    code = json.loads(devices("pair", "--person", "Ana", "--json"))
    assert code["person"]["id"] == ana
    with opened(chromium, code["address"], **PHONE) as page:
        expect(page.get_by_test_id("pair-person")).to_contain_text("Ana")
        paired(page, "Tablet")
        assert re.search(r"Tablet  \(of Ana\)", devices())
    assert [device["person"] for device in json.loads(devices("--json"))["devices"]] == [ana]
    add_person(server, "Ana")
    assert "2 people have this name" in devices("pair", "--person", "Ana", status=1)
    assert json.loads(devices("pair", "--person", ana, "--json"))["person"]["id"] == ana
