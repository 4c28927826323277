"""Saved loops: kept from A and B, named, played in one press, on every device."""

from prepared import has_parts
from playwright.sync_api import expect
from screen_checks import too_small, violations
from studio import PHONE, RATE, eventually, first_screen, open_card
from test_practice import first_part, parts, phone_page  # noqa: F401

SECTION = (3 * RATE, 5 * RATE)


def mark(server, start, end):
    """Sets A and B of the part from elsewhere."""
    [part] = server.records("part")
    server.edit("part", part["id"], {"markerA": start, "markerB": end, "loopMode": "off"})
    return part["id"]


def kept(server):
    return [(spot["startFrame"], spot["endFrame"], spot.get("title"))
            for spot in server.records("spot") if spot.get("deletedAt") is None]


@has_parts(("One", 12))
def test_a_section_is_kept_under_a_name_and_looped_in_one_press(phone_page, server, chromium):
    mark(server, *SECTION)
    phone_page.get_by_test_id("player-expand").click()
    phone_page.get_by_test_id("spot-save").click()
    sheet = phone_page.get_by_test_id("spot-sheet")
    expect(sheet.get_by_test_id("spot-name")).to_be_focused()
    assert violations(phone_page) == [] and too_small(phone_page) == []
    sheet.get_by_test_id("spot-name").fill("Turn")
    sheet.get_by_test_id("spot-done").click()
    assert eventually(lambda: kept(server), lambda spots: spots[:1] == [(*SECTION, "Turn")])
    expect(phone_page.get_by_test_id("spot-save")).to_have_count(0)

    phone_page.get_by_test_id("section-clear").click()
    chip = phone_page.get_by_test_id("spot")
    expect(chip).to_have_text("Turn0:03–0:05")
    expect(chip).to_have_attribute("aria-pressed", "false")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    assert eventually(
        lambda: first_part(server, "markerA", "markerB", "loopMode"), lambda now: now == (*SECTION, "section"))
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "true")

    with first_screen(chromium, server, **PHONE) as other:
        open_card(other)
        other.get_by_test_id("player-expand").click()
        expect(other.get_by_test_id("spot")).to_have_text("Turn0:03–0:05")
        wave, line = (other.get_by_test_id(name).bounding_box() for name in ("scrubber", "spot-mark"))
        assert abs((line["x"] - wave["x"]) / wave["width"] - 3 / 12) < 0.01
        assert abs(line["width"] / wave["width"] - 2 / 12) < 0.01


@has_parts(("One", 12))
def test_a_deleted_loop_comes_back_by_undo_and_goes_with_its_part(phone_page, server):
    part = mark(server, *SECTION)
    phone_page.get_by_test_id("player-expand").click()
    phone_page.get_by_test_id("spot-save").click()
    phone_page.get_by_test_id("spot-delete").click()
    expect(phone_page.get_by_test_id("spot-sheet")).to_have_count(0)
    expect(phone_page.get_by_test_id("spot")).to_have_count(0)
    phone_page.get_by_role("button", name="Undo").click()
    expect(phone_page.get_by_test_id("spot")).to_have_text("0:03–0:05")
    # The part ends inside the spot: what is left of it is shown, and what is kept stays.
    server.edit("part", part, {"endFrame": 4 * RATE})
    expect(phone_page.get_by_test_id("spot")).to_have_text("0:03–0:04")
    server.edit("part", part, {"endFrame": 2 * RATE})
    expect(phone_page.get_by_test_id("spot")).to_have_count(0)
    assert kept(server) == [(*SECTION, None)]
