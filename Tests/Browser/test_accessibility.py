"""Every screen for everybody: checked by axe-core in both themes, by keyboard, small and enlarged."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from studio import Server, eventually
from test_moves import write

# What leads from a freshly opened address to the screen: test ids to press, one after the other.
SCREENS = {
    "routines": ("/", []),
    "routine menu": ("/", ["routine-menu"]),
    "new routine": ("/", ["create-routine"]),
    "delete a routine": ("/", ["routine-menu", "routine-delete"]),
    "export a routine": ("/", ["routine-menu", "routine-export"]),
    "clipper": ("/clipper", []),
    "song in the clipper": ("/clipper", ["track-cut"]),
    "menu of a song": ("/clipper", ["track-cut", "cutter-menu"]),
    "reset the clips": ("/clipper", ["track-cut", "cutter-menu", "reset"]),
    "snapping": ("/clipper", ["track-cut", "snap"]),
    "menu of a clip": ("/clipper", ["track-cut", "clip-menu"]),
    "adjust a clip": ("/clipper", ["track-cut", "selection-more", "clip-menu", "clip-adjust"]),
    "download clips": ("/clipper", ["track-cut", "download-clips"]),
    "add clips to a routine": ("/clipper", ["track-cut", "add-to-routine"]),
    "name of a new part": ("/clipper", ["track-cut", "seek-forward", "cut-here"]),
    "borders of a part": ("ROUTINE", ["edit-routine", "edit-part-menu", "edit-part-borders"]),
    "settings": ("/settings", []),
    "keys": ("/settings", ["show-keys"]),
    "welcome": ("/settings", ["show-welcome"]),
    "routines in settings": ("/settings/routines", []),
    "move types": ("/settings/move-types", []),
    "new move type": ("/settings/move-types", ["new-type"]),
    "media library": ("/settings/media", []),
    "storage": ("/settings/storage", []),
    "rename a track": ("/settings/media", ["track-menu", "track-rename"]),
    "delete a track": ("/settings/media", ["track-menu", "track-delete"]),
    "devices": ("/settings/devices", []),
    "usage guide": ("/settings/guide", []),
    "before the door": ("/pair", []),
    "how to trust": ("/install", []),
    "routine": ("ROUTINE", []),
    "add a move": ("ROUTINE", ["action-add-move"]),
    "notes of a move": ("ROUTINE", ["move-disclosure"]),
    "title of a move being edited": ("ROUTINE", ["move-title"]),
    "type of a move": ("ROUTINE", ["move-type"]),
    "menu of a move": ("ROUTINE", ["move-number"]),
    "move to another part": ("ROUTINE", ["move-number", "move-to"]),
    "earlier versions": ("ROUTINE", ["edit-routine", "earlier-versions"]),
    "overview": ("ROUTINE", ["action-overview"]),
    "jump to": ("ROUTINE", ["jump-button"]),
    "edit routine": ("ROUTINE", ["edit-routine"]),
    "player": ("ROUTINE", ["player-expand"]),
    "countdown": ("ROUTINE", ["player-expand", "countdown-dial"]),
    "nowhere": ("/routines/none", []),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A server with the sample routine, where every tip is still to be seen."""
    with Server(tmp_path_factory.mktemp("accessible") / "library") as server:
        assert server.request("POST", "/api/sample")[0] == 202
        eventually(lambda: server.records("track"), lambda tracks: tracks[0]["state"] == "ready", 60)
        server.set("welcomeSeen", True)
        track = server.records("track")[0]["id"]
        write(server, [
            ("clip", {"track": track, "startFrame": start, "endFrame": end, "title": title, "position": position})
            for start, end, title, position in [
                (480_000, 960_000, "", "a"), (960_000, 1_440_000, "Chorus", "b")]])
        yield server


@pytest.fixture(scope="module", params=["light", "dark"])
def themed(chromium, library, request):
    """A phone's page in one theme, with its own copy of the library."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": 390, "height": 844}, has_touch=True,
        color_scheme=request.param, reduced_motion="reduce")
    page = context.new_page()
    yield page
    context.close()


def show(page, library, screen):
    """Opens a screen and waits until it stands."""
    path, presses = SCREENS[screen]
    if path == "ROUTINE":
        routine = library.records("routine")[0]["id"]
        part = min(library.records("part"), key=lambda part: part["position"])["id"]
        path = f"/routines/{routine}/parts/{part}"
    page.goto(library.origin + path)
    page.locator("h1, [data-testid=jump-button]").first.wait_for(state="attached")
    for test_id in presses:
        page.get_by_test_id(test_id).first.click()
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")


def violations(page):
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in results.response["violations"] for node in each["nodes"]
    ]


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_no_violation(themed, library, screen):
    show(themed, library, screen)
    assert violations(themed) == []


def test_axe_finds_no_violation_on_the_first_screens_of_a_new_library(chromium, server):
    for theme in ("light", "dark"):
        context = chromium.new_context(
            service_workers="block", viewport={"width": 390, "height": 844}, color_scheme=theme,
            reduced_motion="reduce")
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


# 640 × 512 is a window of 1280 × 1024 at 200 %.
@pytest.fixture(scope="module", params=[(320, 640), (640, 512)], ids=["320 px", "200 %"])
def narrow(chromium, library, request):
    """A page in a small window, with its own copy of the library."""
    width, height = request.param
    context = chromium.new_context(
        service_workers="block", viewport={"width": width, "height": height}, reduced_motion="reduce")
    page = context.new_page()
    yield page
    context.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_no_screen_needs_scrolling_sideways(narrow, library, screen):
    page = narrow
    show(page, library, screen)
    too_wide = page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('main, .sheet-content')]
          .filter((each) => each.scrollWidth > each.clientWidth + 1
            && !['hidden', 'clip'].includes(getComputedStyle(each).overflowX))
          .map((each) => `${each.tagName}.${each.className}: ${each.scrollWidth} of ${each.clientWidth}`)""")
    outside = page.evaluate(
        """() => [...document.querySelectorAll('button, a[href], input, select, textarea')]
          .filter((each) => each.checkVisibility() && !each.closest('[inert], [data-testid=pager], .sheet-hidden'))
          .map((each) => [each, each.getBoundingClientRect()])
          .filter(([each, box]) => box.width > 1 && (box.left < -1 || box.right > innerWidth + 1)
            && !each.closest('.part-strip, .stage'))
          .map(([each]) => each.outerHTML.slice(0, 120))""")
    assert too_wide == [] and outside == []


def test_every_control_that_tab_reaches_shows_its_focus_and_has_a_name(desktop, library):
    for path in ("/", "/settings", "/settings/move-types", "/settings/media", "/settings/storage"):
        desktop.goto(library.origin + path)
        desktop.locator("h1").first.wait_for()
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


def test_a_sheet_takes_the_focus_keeps_it_and_gives_it_back(desktop, library):
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


def test_what_changes_without_being_asked_is_said(desktop, library):
    desktop.goto(f"{library.origin}/settings/move-types")
    desktop.get_by_test_id("types-search").fill("turn")
    expect(desktop.get_by_role("status").filter(has_text=re.compile("^1 type$"))).to_be_visible()
    desktop.goto(f"{library.origin}/settings")
    desktop.get_by_test_id("show-tips").click()
    expect(desktop.get_by_role("status").filter(has_text="Tips appear again")).to_be_visible()
