"""The list of routines: its order, pins, tags, and going on from a card."""

import json
import time

import pytest
from playwright.sync_api import expect
from prepared import has_parts
from studio import PHONE, eventually, first_screen
from test_moves import write


def record(server, routine):
    return next(each for each in server.records("routine") if each["id"] == routine)


def titles(page):
    return page.get_by_test_id("routine-card").get_by_role("heading")


@pytest.fixture
def three(server):
    """Three routines, made one after the other; the first was practised last."""
    made = []
    for title, fields in [("Cyr wheel", {"lastPractisedAt": 4_000_000_000_000}), ("Ash", {"tags": "duo\nSummer"}),
                          ("Bolero", {"tags": "duo"})]:
        made += write(server, [("routine", {"title": title, **fields})])
        before = time.time()
        # `createdAt` is in milliseconds.
        eventually(time.time, lambda now: now > before + 0.002)
    return made


def test_the_order_is_chosen_on_each_device(three, chromium, server):
    with first_screen(chromium, server, **PHONE) as page:
        expect(titles(page)).to_have_text(["Cyr wheel", "Bolero", "Ash"])
        page.get_by_test_id("routines-sort").click()
        expect(page.get_by_role("menuitemradio", checked=True)).to_have_text("Recently practised")
        page.get_by_test_id("sort-newest").click()
        expect(titles(page)).to_have_text(["Bolero", "Ash", "Cyr wheel"])
        page.get_by_test_id("routines-sort").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        expect(page.get_by_test_id("sort-title")).to_be_focused()
        page.keyboard.press("Enter")
        expect(titles(page)).to_have_text(["Ash", "Bolero", "Cyr wheel"])
        expect(page.get_by_test_id("routines-sort")).to_have_accessible_name("Order: By name")
        page.reload()
        expect(titles(page)).to_have_text(["Ash", "Bolero", "Cyr wheel"])
    with first_screen(chromium, server, **PHONE) as other:
        expect(titles(other)).to_have_text(["Cyr wheel", "Bolero", "Ash"])


def test_a_pinned_routine_stays_at_the_top_on_every_device(three, chromium, server, desktop):
    ash = three[1]
    card = desktop.get_by_test_id("routine-card").filter(has_text="Ash")
    card.get_by_test_id("routine-menu").click()
    desktop.get_by_test_id("routine-pin").click()
    expect(titles(desktop)).to_have_text(["Ash", "Cyr wheel", "Bolero"])
    expect(card).to_contain_text("Pinned")
    eventually(lambda: record(server, ash).get("pinned"), lambda pinned: pinned == 1)
    with first_screen(chromium, server, f"/routines/{ash}", **PHONE) as phone:
        phone.get_by_test_id("edit-routine").click()
        switch = phone.get_by_test_id("edit-pin")
        expect(switch).to_be_checked()
        switch.click()
        expect(switch).not_to_be_checked()
        # Before the page is closed, as it sends what it has made a moment after it shows it.
        eventually(lambda: record(server, ash), lambda sent: not sent.get("pinned"))
    expect(titles(desktop)).to_have_text(["Cyr wheel", "Bolero", "Ash"])
    expect(card).not_to_contain_text("Pinned")


def test_tags_are_typed_chosen_and_removed_in_the_editor(three, server, phone):
    cyr = three[0]
    phone.get_by_test_id("routine-card").filter(has_text="Cyr wheel").get_by_test_id("routine-menu").click()
    phone.get_by_test_id("routine-edit").click()
    field = phone.get_by_test_id("tag-field")
    tags = field.get_by_test_id("tag")
    suggestions = field.get_by_test_id("tag-suggestion")
    entry = phone.get_by_test_id("tag-input")
    expect(suggestions).to_have_text(["duo", "Summer"])
    entry.fill("su")
    expect(suggestions).to_have_text(["Summer"])
    suggestions.click()
    expect(tags).to_have_text(["Summer"])
    expect(entry).to_have_value("")
    entry.press_sequentially("Gala 2027,")
    entry.press_sequentially("solo")
    entry.press("Enter")
    expect(tags).to_have_text(["Summer", "Gala 2027", "solo"])
    # One that is there already is not added again; one that is too long stays in the field.
    entry.fill("SOLO")
    entry.press("Enter")
    expect(entry).to_have_value("")
    entry.fill("x" * 31)
    expect(phone.get_by_test_id("too-long")).to_contain_text("at most 30 characters")
    expect(phone.get_by_test_id("tag-add")).to_be_disabled()
    entry.fill("")
    phone.get_by_role("button", name="Remove the tag Gala 2027").click()
    expect(tags).to_have_text(["Summer", "solo"])
    eventually(lambda: record(server, cyr).get("tags"), lambda text: text == "Summer\nsolo")
    for tag in range(6):
        entry.fill(f"tag {tag}")
        phone.get_by_test_id("tag-add").click()
        expect(tags).to_have_count(3 + tag)
    expect(phone.get_by_test_id("tags-full")).to_be_visible()
    expect(entry).to_have_count(0)


def test_tags_filter_the_list_and_are_found_by_the_search(three, server, phone):
    row = phone.get_by_test_id("tag-filter").get_by_role("button")
    expect(row).to_have_text(["duo", "Summer"])
    row.filter(has_text="duo").click()
    expect(titles(phone)).to_have_text(["Bolero", "Ash"])
    row.filter(has_text="Summer").click()
    expect(titles(phone)).to_have_text(["Ash"])
    expect(phone.get_by_test_id("card-tags")).to_have_text("duo · Summer")
    row.filter(has_text="duo").click()
    row.filter(has_text="Summer").click()
    expect(titles(phone)).to_have_count(3)
    phone.get_by_test_id("routines-search").fill("summer ash")
    expect(titles(phone)).to_have_text(["Ash"])
    row.filter(has_text="duo").click()
    phone.get_by_test_id("routines-search").fill("wheel")
    phone.get_by_test_id("clear-search").click()
    expect(titles(phone)).to_have_count(3)


def test_tags_and_pins_are_copied_and_exported(three, server, phone):
    bolero = phone.get_by_test_id("routine-card").filter(has_text="Bolero")
    bolero.get_by_test_id("routine-menu").click()
    phone.get_by_test_id("routine-pin").click()
    bolero.get_by_test_id("routine-menu").click()
    phone.get_by_test_id("routine-duplicate").click()
    expect(titles(phone)).to_have_text(["Bolero (copy)", "Bolero", "Cyr wheel", "Ash"])
    [copy] = eventually(
        lambda: [each for each in server.records("routine") if each["title"] == "Bolero (copy)"], lambda found: len(found) == 1)
    assert (copy["tags"], copy["pinned"]) == ("duo", 1)
    exported = json.loads(server.request("GET", f"/api/routines/{copy['id']}/export?format=json")[1])
    assert (exported["routines"][0]["tags"], exported["routines"][0]["pinned"]) == ("duo", 1)


@has_parts(("Intro", 12), ("Verse", 12))
def test_a_card_goes_on_at_the_last_place_of_the_last_part_with_one_press(parts, server, phone):
    phone.get_by_role("link", name="Swan").click()
    phone.get_by_test_id("part-number").nth(1).click()
    expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Verse")
    phone.get_by_test_id("player-expand").click()
    phone.get_by_role("button", name="Forward 5 seconds").click()
    expect(phone.get_by_test_id("time-now")).to_have_text("0:05")
    phone.go_back()
    phone.get_by_test_id("routine-back").click()
    button = phone.get_by_test_id("routine-continue")
    expect(button).to_have_accessible_name("Continue Verse at 0:05")
    button.click()
    expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Verse")
    play = phone.get_by_test_id("play")
    expect(play).to_have_accessible_name("Pause")
    play.click()
    expect(play).to_have_accessible_name("Play")
    phone.get_by_test_id("player-expand").click()
    expect(phone.get_by_test_id("time-now")).not_to_have_text("0:00")
    # A page that is closed keeps its place, too.
    phone.get_by_role("button", name="Back 5 seconds").click()
    phone.get_by_role("button", name="Forward 5 seconds").click()
    phone.get_by_role("button", name="Forward 5 seconds").click()
    phone.goto(server.origin)
    expect(button).to_have_accessible_name("Continue Verse at 0:10")
