"""Accessibility of sequences of screens, of pages for print and of the first screens, and the keyboard's focus.

test_screens.py has the screens themselves.
"""

import re

import pytest
from playwright.sync_api import expect
from screen_checks import COLOUR_RULES, too_small, violations, wider_than_window
from screens import SHEET, change_theme, library, open_path, resize, settled  # noqa: F401 (a fixture)
from studio import drop_files, eventually, song

# Sequences of screens on one page, which are checked at each LOOK. A pair fills a field.
LOOK = None
WALKS = {
    "nothing found": ("/", [("routines-search", "zzz"), LOOK]),
    "dials": ("ROUTINE", [
        "player-expand", "speed-dial", "trainer-switch", LOOK, "sheet-close", "pitch-dial",
        "PITCH-SHEET", LOOK, "sheet-close", "repeat-dial", "REPEAT-SHEET", LOOK]),
    "earlier versions": ("ROUTINE", ["edit-routine", "earlier-versions", "AN EARLIER VERSION", LOOK]),
    "a move type": ("/settings/move-types", ["type-row", LOOK, "type-delete", LOOK]),
    "a routine without moves": ("EMPTY", [
        LOOK, "part-number >> nth=1", LOOK, "edit-routine", LOOK]),
    "toasts": ("ROUTINE", [
        "player-expand", "speed-dial", "speed-less", "sheet-close", "practice-reset", "A SONG", LOOK]),
}

# The same for screens with a desktop layout: rail, sidebar, docked player, menus.
WIDE_WALKS = {
    "routines": ("/", [LOOK, "routine-menu", LOOK]),
    "settings": ("/settings", [LOOK]),
    "practice log": ("/settings/practice-log", [LOOK]),
    "a song in the clipper": ("/clipper", ["track-cut", LOOK]),
    "routine": ("ROUTINE", [LOOK, "move-menu", LOOK, "ESCAPE", "repeat-dial", LOOK]),
    "overview and editing": ("ROUTINE", ["action-more", "overview-two", LOOK, "edit-routine", SHEET, LOOK]),
}


@pytest.fixture(scope="module")
def phone_page(chromium, library):
    """A phone's page with its own copy of the library."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


def looks(page, library, walk):
    """Goes through a sequence of screens, and yields at each LOOK."""
    path, steps = walk
    open_path(page, library, path)
    for step in steps:
        if step is LOOK:
            settled(page)
            yield
        elif step is SHEET:
            page.locator("dialog[open]").wait_for()
        elif step == "ESCAPE":
            page.keyboard.press("Escape")
        elif step == "AN EARLIER VERSION":
            expect(page.get_by_test_id("earlier-version").first).to_be_visible()
        elif step == "A SONG":
            drop_files(page, [("song.wav", song(1))])
            expect(page.locator(".toast-problem")).to_be_visible()
        elif isinstance(step, tuple):
            page.get_by_test_id(step[0]).fill(step[1])
        elif step.isupper():
            page.get_by_test_id(step.lower()).wait_for()
        else:
            page.locator(f"data-testid={step}").first.click()


def check_phone_screen(page):
    """Checks a screen in both themes, its targets, and its width on the smallest phone."""
    assert violations(page) == []
    change_theme(page)
    assert violations(page, *COLOUR_RULES) == []
    assert too_small(page) == []
    resize(page, 320, 640)
    assert wider_than_window(page) == []
    resize(page, 390, 844)


@pytest.mark.parametrize("walk", WALKS)
def test_axe_finds_no_violation_in_a_sequence_of_screens(phone_page, library, walk):
    for _ in looks(phone_page, library, WALKS[walk]):
        check_phone_screen(phone_page)


@pytest.fixture(scope="module")
def wide(chromium, library):
    """A desktop page in the light theme."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": 1280, "height": 800}, color_scheme="light")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("walk", WIDE_WALKS)
def test_axe_finds_no_violation_on_a_desktop(wide, library, walk):
    for _ in looks(wide, library, WIDE_WALKS[walk]):
        assert violations(wide) == []


def test_axe_finds_no_violation_in_an_exported_cue_sheet(desktop, library):
    _, page = library.request("GET", "/api/export?format=html")
    desktop.set_content(page.decode())
    expect(desktop.locator("svg").first).to_be_visible()
    assert violations(desktop) == []
    desktop.goto(f"{library.origin}/api/export?format=cuesheet&print=true")
    expect(desktop.get_by_role("heading", name="Chorus")).to_be_visible()
    assert violations(desktop) == []


def test_axe_finds_no_violation_on_the_first_screens_of_a_new_library(chromium, server):
    for theme in ("light", "dark"):
        context = chromium.new_context(
            service_workers="block", viewport={"width": 390, "height": 844}, color_scheme=theme)
        page = context.new_page()
        page.goto(server.origin)
        if theme == "light":
            expect(page.get_by_test_id("welcome")).to_be_visible()
            assert violations(page) == []
            page.get_by_test_id("welcome-skip").click()
            eventually(lambda: server.records("setting"), lambda settings: len(settings) > 0)
        expect(page.get_by_test_id("routines-empty")).to_be_visible()
        assert violations(page) == []
        for room in ("routines", "move-types", "media"):
            page.goto(f"{server.origin}/settings/{room}")
            expect(page.get_by_test_id("nothing-yet")).to_be_visible()
            assert violations(page) == []
        context.close()


def test_every_control_in_the_tab_order_shows_its_focus_and_has_a_name(desktop, library):
    for path in ("/", "/settings", "/settings/move-types", "/settings/media", "/settings/storage"):
        desktop.goto(library.origin + path)
        desktop.locator("h1").first.wait_for()
        settled(desktop)
        seen = set()
        for _ in range(60):
            desktop.keyboard.press("Tab")
            state = desktop.evaluate(
                """() => {
                  const here = document.activeElement;
                  if (!here || here === document.body) return null;
                  const label = here.closest('label');
                  const drawn = [here, here.nextElementSibling, label, here.parentElement]
                    .filter(Boolean).flatMap((each) => [getComputedStyle(each), getComputedStyle(each, '::after')]);
                  return {
                    html: here.outerHTML.slice(0, 160),
                    isShown: drawn.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)
                      || (label !== null && label.classList.contains('search')),
                    name: here.getAttribute('aria-label') || here.textContent || (here.labels?.[0]?.textContent ?? ''),
                  };
                }""")
            if state is None or state["html"] in seen:
                break
            seen.add(state["html"])
            assert state["isShown"], state["html"]
            assert state["name"].strip(), state["html"]
        assert len(seen) > 4, path


def test_a_sheet_traps_the_focus_and_restores_it(desktop, library):
    desktop.goto(f"{library.origin}/settings")
    opener = desktop.get_by_test_id("export-all")
    opener.focus()
    desktop.keyboard.press("Enter")
    sheet = desktop.get_by_test_id("export-sheet")
    expect(sheet).to_be_visible()
    for _ in range(12):
        desktop.keyboard.press("Tab")
        assert desktop.evaluate(
            "() => document.activeElement === document.body"
            " || document.activeElement.closest('dialog') !== null")
    desktop.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(opener).to_be_focused()


def test_a_new_page_gets_the_focus(desktop, library):
    desktop.goto(library.origin)
    card = desktop.get_by_role("link", name=re.compile("Quiet"))
    expect(card).to_be_visible()
    assert desktop.evaluate("document.activeElement === document.body"), "the first page waits"
    card.focus()
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_test_id("routine-page")).to_be_visible()
    main = desktop.locator("main")
    expect(main).to_be_focused()
    desktop.get_by_test_id("jump-button").focus()
    desktop.keyboard.press("PageDown")
    expect(desktop.get_by_role("status").filter(has_text=re.compile(r"^2\. Two$"))).to_be_attached()
    expect(desktop.get_by_test_id("jump-button")).to_be_focused()
    desktop.get_by_test_id("routine-back").focus()
    desktop.keyboard.press("Enter")
    expect(card).to_be_visible()
    expect(main).to_be_focused()
    desktop.get_by_test_id("tab-settings").focus()
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_test_id("export-all")).to_be_visible()
    expect(main).to_be_focused()


def test_changes_without_user_action_are_announced(desktop, library):
    desktop.goto(f"{library.origin}/settings/move-types")
    desktop.get_by_test_id("types-search").fill("turn")
    expect(desktop.get_by_role("status").filter(has_text=re.compile("^1 type$"))).to_be_visible()
    desktop.goto(f"{library.origin}/settings")
    desktop.get_by_test_id("show-tips").click()
    expect(desktop.get_by_role("status").filter(has_text="Tips appear again")).to_be_visible()
