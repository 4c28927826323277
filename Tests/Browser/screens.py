"""Every screen: how to reach it, and a library in which all of them exist."""

import pytest
from studio import Server, eventually
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


def resize(page, width, height):
    """Gives the window another size, and waits until the page has drawn itself in it. An open menu closes."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        """([width, height]) => new Promise((done) => {
          const look = () => requestAnimationFrame(
            innerWidth === width && innerHeight === height ? () => requestAnimationFrame(done) : look);
          look();
        })""", [width, height])
    settled(page)
