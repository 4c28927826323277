"""Accessibility of every screen: axe-core in both themes, touch targets, keyboard focus, narrow windows
and 200 % zoom.""" 

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from studio import Server, drop_files, eventually, last_seen, song
from test_moves import write

# Waits for an open sheet. Some sheets are in a lazily loaded script.
SHEET = "A SHEET"

# How to reach each screen: an address and the test ids to press in order. A test id in capitals is
# waited for, not pressed.
SCREENS = {
    "routines": ("/", []),
    "routine menu": ("/", ["routine-menu"]),
    "new routine": ("/", ["create-routine", SHEET]),
    "progress of a routine": ("/", ["routine-menu", "routine-progress", "PROGRESS-PAGE"]),
    "delete a routine": ("/", ["routine-menu", "routine-delete", SHEET]),
    "export a routine": ("/", ["routine-menu", "routine-export", SHEET]),
    "clipper": ("/clipper", []),
    "menu of a song's card": ("/clipper", ["song-menu"]),
    "rename a song": ("/clipper", ["song-menu", "song-rename", SHEET]),
    "song in the clipper": ("/clipper", ["track-cut"]),
    "menu of a song": ("/clipper", ["track-cut", "cutter-menu"]),
    "reset the clips": ("/clipper", ["track-cut", "cutter-menu", "reset", SHEET]),
    "snapping": ("/clipper", ["track-cut", "snap", SHEET]),
    "menu of a clip": ("/clipper", ["track-cut", "clip-menu"]),
    "adjust a clip": ("/clipper", ["track-cut", "selection-more", "clip-menu", "clip-adjust"]),
    "download clips": ("/clipper", ["track-cut", "clips-menu", "download-clips", SHEET]),
    "add clips to a routine": ("/clipper", ["track-cut", "clips-menu", "add-to-routine", SHEET]),
    "routine of the clips": ("/clipper", ["track-cut", "make-routine", SHEET]),
    "name of a new part": ("/clipper", ["track-cut", "seek-forward", "cut-here", "NAMING"]),
    "borders of a part": ("ROUTINE", ["edit-routine", "edit-part-menu", "edit-part-borders", "CUTTER"]),
    "settings": ("/settings", []),
    "keys": ("/settings", ["show-keys", SHEET]),
    "welcome": ("/settings", ["show-welcome", SHEET]),
    "routines in settings": ("/settings/routines", []),
    "move types": ("/settings/move-types", []),
    "new move type": ("/settings/move-types", ["new-type", SHEET]),
    "media library": ("/settings/media", []),
    "storage": ("/settings/storage", []),
    "rename a track": ("/settings/media", ["track-menu", "track-rename", SHEET]),
    "delete a track": ("/settings/media", ["track-menu", "track-delete", SHEET]),
    "appearance": ("/settings/appearance", []),
    "default countdown": ("/settings/countdown", []),
    "seek step": ("/settings/player", []),
    "sound delay": ("/settings/sound-delay", []),
    "practice log": ("/settings/practice-log", []),
    "delete a day of the log": ("/settings/practice-log", ["log-delete-day", SHEET]),
    "devices": ("/settings/devices", []),
    "people": ("/settings/people", ["ADD-PERSON"]),
    "new person": ("/settings/people", ["add-person", SHEET]),
    "usage guide": ("/settings/guide", []),
    "before the door": ("/pair", []),
    "how to trust": ("/install", []),
    "routine": ("ROUTINE", []),
    "add a move": ("ROUTINE", ["action-add-move", SHEET]),
    "notes of a move": ("ROUTINE", ["move-disclosure"]),
    "title of a move being edited": ("ROUTINE", ["move-title"]),
    "type of a move": ("ROUTINE", ["move-type", SHEET]),
    "menu of a move": ("ROUTINE", ["move-number"]),
    "name of a move": ("ROUTINE", ["move-number", "move-record", SHEET]),
    "move to another part": ("ROUTINE", ["move-number", "move-to", SHEET]),
    "overview": ("ROUTINE", ["action-more", "overview-two"]),
    "menu of a routine's page": ("ROUTINE", ["action-more"]),
    "what has changed": ("ROUTINE", ["action-more", "action-changes", "CHANGES-ALL"]),
    "counts": ("ROUTINE", ["action-more", "action-counts", SHEET]),
    "jump to": ("ROUTINE", ["jump-button", SHEET]),
    "edit routine": ("ROUTINE", ["edit-routine", SHEET]),
    "player": ("ROUTINE", ["player-expand"]),
    "countdown": ("ROUTINE", ["player-expand", "countdown-dial", SHEET]),
    "nowhere": ("/routines/none", []),
}

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
def library(tmp_path_factory):
    """A server with the sample routine, a routine without moves, and all tips unseen."""
    with Server(tmp_path_factory.mktemp("accessible") / "library") as server:
        assert server.request("POST", "/api/sample")[0] == 202
        eventually(lambda: server.records("track"), lambda tracks: tracks[0]["state"] == "ready", 60)
        server.set("welcomeSeen", True)
        track = server.records("track")[0]["id"]
        write(server, [
            ("clip", {"track": track, "startFrame": start, "endFrame": end, "title": title, "position": position})
            for start, end, title, position in [
                (480_000, 960_000, "", "a"), (960_000, 1_440_000, "Chorus", "b")]])
        first = by_title(server, "part", "Intro")
        write(server, [
            ("spot", {"part": first["id"], "startFrame": first["startFrame"] + start, "endFrame": first["startFrame"] + end,
                      "title": title})
            for start, end, title in [
                (0, 96_000, "In"), (48_000, 144_000, "The turn before the long walk"), (96_000, 240_000, ""),
                (144_000, 288_000, "Out")]])
        # Another device edits the sample's subtitle, so the first subtitle becomes an earlier version.
        sample = by_title(server, "routine", "Lantern Street")
        server.edit("routine", sample["id"], {"subtitle": "The long way home", "lastPractisedAt": 1_800_000_000_000})
        write(server, [("practiceEntry", {
            "routine": sample["id"], "startedAt": 1_800_000_000_000, "utcOffset": 0,
            "heard": f"{first['id']} {first['startFrame']} {first['endFrame']} 3 90 100 1"})])
        empty, = write(server, [("routine", {"title": "Quiet"})])
        write(server, [
            ("part", {"routine": empty, "title": title, "position": position})
            for title, position in [("One", "a"), ("Two", "b")]])
        yield server


@pytest.fixture(scope="module")
def phone_page(chromium, library):
    """A phone's page with its own copy of the library."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": 390, "height": 844}, has_touch=True,
        reduced_motion="reduce")
    yield context.new_page()
    context.close()


def by_title(server, kind, title):
    return next(record for record in server.records(kind) if record["title"] == title)


def open_path(page, library, path):
    """Opens an address, or the first part of a routine, and waits for its heading."""
    title = {"ROUTINE": "Lantern Street", "EMPTY": "Quiet"}.get(path)
    if title:
        routine = by_title(library, "routine", title)["id"]
        parts = [part for part in library.records("part") if part["routine"] == routine]
        path = f"/routines/{routine}/parts/{min(parts, key=lambda part: part['position'])['id']}"
    if path == "/install":
        # The test's library has no certificate authority. Without one the page says "Nothing to install".
        page.route("**/api/authority.crt", lambda route: route.fulfill(body=b"a certificate"))
    page.goto(library.origin + path)
    if path == "/install":
        page.get_by_test_id("check-fingerprint").wait_for()
    page.locator("h1, [data-testid=jump-button]").first.wait_for(state="attached")


def settled(page):
    """Waits until nothing is loading and no animation runs. A lazily loaded page is busy until it is shown."""
    page.wait_for_function(
        """() => document.querySelector('[aria-busy=true]') === null
          && document.getAnimations().every((each) => each.playState !== 'running')""")


def show(page, library, screen, without=()):
    """Opens a screen, without some of its presses, and waits until it is settled."""
    path, presses = SCREENS[screen]
    open_path(page, library, path)
    for step in presses:
        if step is SHEET:
            page.locator("dialog[open]").wait_for()
        elif step.isupper():
            page.get_by_test_id(step.lower()).wait_for()
        elif step not in without:
            page.get_by_test_id(step).first.click()
    settled(page)


def undo_cut(page):
    """Undoes a cut, because a song that has cuts is not cut again."""
    undo = page.get_by_test_id("naming-undo")
    if undo.count() > 0:
        undo.click()


def change_theme(page):
    """Switches between the light and the dark theme."""
    ground = "getComputedStyle(document.body).backgroundColor"
    is_dark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    before = page.evaluate(f"() => {ground}")
    page.emulate_media(color_scheme="light" if is_dark else "dark")
    page.wait_for_function(f"(before) => {ground} !== before", arg=before)
    settled(page)


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


# A message may come at any time. Its animation shrinks it and lets the page shine through.
END_ANIMATIONS = """() => {
  for (const each of document.getAnimations()) {
    if (Number.isFinite(each.effect.getComputedTiming().endTime)) each.finish();
  }
}"""


def violations(page):
    page.evaluate(END_ANIMATIONS)
    results = Axe().run(page, options={
        "resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}})
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in results.response["violations"] for node in each["nodes"]
        if not (each["id"] == "target-size" and is_excused(page, node["html"]))
    ]


def is_excused(page, html):
    """Whether a target may be close to another one or covered by it.

    The position of a slider's handle is given by its border. Buttons and fields beside it do the same
    (WCAG 2.5.8, "equivalent"). Targets that an open menu covers are not in use.
    """
    return 'role="slider"' in html or (
        'role="menuitem"' not in html and page.get_by_role("menu").count() > 0)


TOO_SMALL = """() => {
  const least = 44;
  const letsThrough = (each) => getComputedStyle(each).pointerEvents === 'none' && !each.labels?.length;
  const centre = (each) => {
    const { left, width } = each.getBoundingClientRect();
    return left + width / 2;
  };
  const handle = '.stage-handle-border > [role=slider]';
  const leastWidth = (each) => {
    if (!each.matches(handle)) return least;
    const others = [...document.querySelectorAll(handle)].filter((other) => other !== each);
    const nearest = Math.min(...others.map((other) => Math.abs(centre(other) - centre(each))));
    return Math.max(24, Math.min(least, nearest * 2 / 3 - 1));
  };
  const isExcused = (each) => each.matches('.stage-band') || letsThrough(each) || (each.matches('p a, li a')
    && [...each.parentNode.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const reach = (each, labels) => {
    each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = each.getBoundingClientRect();
    const hits = (x, y) => {
      const found = document.elementFromPoint(x, y);
      return found !== null && [each, ...labels].some((one) => one.contains(found));
    };
    const go = (right, down) => {
      let steps = 0;
      while (steps < least && hits(left + width / 2 + right * steps, top + height / 2 + down * steps)) steps += 0.5;
      return steps;
    };
    return [go(-1, 0) + go(1, 0) - 0.5, go(0, -1) + go(0, 1) - 0.5];
  };
  const modals = document.querySelectorAll('dialog[open]');
  // Below an open menu nothing is for pressing.
  const root = document.querySelector('[role=menu]') ?? modals[modals.length - 1] ?? document;
  return [...root.querySelectorAll(
    'button, a[href], input, select, textarea, summary, [role=slider], [role=button], [role=menuitem]')]
    .filter((each) => !each.disabled && !each.closest('[inert], .only-spoken')
      && each.checkVisibility({ visibilityProperty: true }) && !isExcused(each))
    .flatMap((each) => {
      const labels = [...each.labels ?? []];
      const boxes = [each, ...labels].map((one) => one.getBoundingClientRect());
      if (boxes.some((box) => box.width >= leastWidth(each) && box.height >= least)) return [];
      const [width, height] = reach(each, labels);
      return width >= leastWidth(each) && height >= least ? [] : [`${width} × ${height}: ${each.outerHTML.slice(0, 160)}`];
    });
}"""


def too_small(page):
    """Returns the targets that are less than 44 px wide or high.

    The size of a target is the size of its box or of its label. If that is too small, it is the size of
    the area around its centre that reacts to a press, so padding of pseudo-elements counts. Links in a
    sentence are exempt. Bands on the clipper's wave are exempt too: their width is the length of the
    clip, and the list below has the same clips at full size. The handles of
    close borders leave a third of the room between them to the wave, but are never under 24 px (WCAG 2.5.8); zooming
    in gives them their full size. An element with `pointer-events: none` is
    no target.
    """
    return page.evaluate(f"() => {{ ({END_ANIMATIONS})(); return ({TOO_SMALL})(); }}")


def check_phone_screen(page):
    """Checks a screen in both themes, its targets, and its width on the smallest phone."""
    assert violations(page) == []
    change_theme(page)
    assert violations(page) == []
    assert too_small(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert wider_than_window(page) == []
    page.set_viewport_size({"width": 390, "height": 844})


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_no_violation_and_every_target_is_large_enough(phone_page, library, screen):
    show(phone_page, library, screen)
    try:
        check_phone_screen(phone_page)
    finally:
        undo_cut(phone_page)


@pytest.mark.parametrize("walk", WALKS)
def test_axe_finds_no_violation_in_a_sequence_of_screens(phone_page, library, walk):
    for _ in looks(phone_page, library, WALKS[walk]):
        check_phone_screen(phone_page)


@pytest.fixture(scope="module")
def wide(chromium, library):
    """A desktop page in the light theme."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": 1280, "height": 800}, color_scheme="light",
        reduced_motion="reduce")
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


@pytest.fixture(scope="module")
def enlarged(chromium, library):
    """A page at 200 % in a window of 1280 × 1024."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": 640, "height": 512}, reduced_motion="reduce")
    page = context.new_page()
    yield page
    context.close()


def wider_than_window(page):
    """Returns the elements that are wider than the window or outside it, once the page had time to take a new size."""
    return last_seen(lambda: _wider_than_window(page), lambda found: found == [], seconds=5)


def _wider_than_window(page):
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
            && !each.closest('.part-strip, .spots, .stage'))
          .map(([each]) => each.outerHTML.slice(0, 120))""")
    return too_wide + outside


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_no_screen_scrolls_horizontally(enlarged, library, screen):
    show(enlarged, library, screen)
    try:
        assert wider_than_window(enlarged) == []
    finally:
        undo_cut(enlarged)


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
