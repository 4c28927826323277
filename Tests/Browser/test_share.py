"""Sharing exports and clips, with the browser's share sheet replaced."""

import pytest
from playwright.sync_api import expect
from prepared import one_song
from studio import DESKTOP, PHONE, RATE, first_screen
from test_moves import write

#: A share sheet that takes what Chromium's takes, and notes the files. `refusals` are thrown first.
SHARE_SHEET = """
  window.shared = [];
  window.refusals = [];
  const takes = (file) => /\\.(html?|txt|flac|m4a|mp3|ogg|opus|wav)$/.test(file.name);
  navigator.canShare = ({ files }) => files.every(takes);
  navigator.share = async ({ files }) => {
    const refusal = window.refusals.shift();
    if (refusal) throw new DOMException('refused', refusal);
    for (const file of files) window.shared.push([file.name, file.type, (await file.text()).length]);
  };
"""


@pytest.fixture
def swan(server):
    [routine] = write(server, [("routine", {"title": "Swan: one"})])
    write(server, [("part", {"routine": routine, "title": "Intro", "position": "V"})])


def open_exports(page):
    page.get_by_test_id("routine-menu").click()
    page.get_by_test_id("routine-export").click()


def test_exports_are_shared_as_files_with_their_names(swan, chromium, server):
    with first_screen(chromium, server, script=SHARE_SHEET, **PHONE) as page:
        open_exports(page)
        expect(page.get_by_test_id("export-html")).to_be_visible()
        # The browser shares no Markdown and no JSON.
        for format in ("markdown", "json"):
            expect(page.get_by_test_id(f"export-{format}")).to_be_visible()
            expect(page.get_by_test_id(f"share-{format}")).to_have_count(0)
        page.get_by_role("button", name="Share Web page…").click()
        page.wait_for_function("() => shared.length === 1")
        page.get_by_test_id("share-cuesheet").click()
        page.wait_for_function("() => shared.length === 2")
        (page_name, kind, length), (sheet_name, _, _) = page.evaluate("shared")
        assert (page_name, kind, sheet_name) == ("Swan- one.html", "text/html", "Swan- one cue sheet.html")
        assert length > 100


def test_a_share_that_is_refused_late_or_closed_or_fails(swan, chromium, server):
    fetched = []
    with first_screen(chromium, server, script=SHARE_SHEET, **PHONE) as page:
        open_exports(page)
        page.on("request", lambda request: fetched.append(request.url) if "format=html" in request.url else None)
        toast = page.get_by_test_id("toast")
        button = page.get_by_test_id("share-html")
        page.evaluate("refusals.push('NotAllowedError')")
        button.click()
        expect(toast).to_have_text("The file is ready. Press Share again.")
        button.click()
        page.wait_for_function("() => shared.length === 1")
        assert len(fetched) == 1, "the file waits for the second press"
        toast.get_by_label("Dismiss").click()
        page.evaluate("refusals.push('AbortError')")
        button.click()
        page.wait_for_function("() => refusals.length === 0")
        expect(button).to_be_enabled()
        expect(toast).to_have_count(0)
        # What the closed sheet had is fetched anew, as the routine may have changed.
        page.route("**/export?*", lambda route: route.abort())
        page.get_by_test_id("share-cuesheet").click()
        expect(toast).to_contain_text("This could not be shared. The server can’t be reached.")


def test_a_clip_is_shared_in_the_chosen_format(begin_with, request, chromium):
    begin_with(one_song)
    server = request.getfixturevalue("server")
    [track] = server.records("track")
    write(server, [("clip", {
        "track": track["id"], "startFrame": 0, "endFrame": 2 * RATE, "title": "Intro", "position": "V"})])
    with first_screen(chromium, server, "/clipper", script=SHARE_SHEET, **PHONE) as page:
        page.get_by_test_id("track-cut").click()
        page.get_by_test_id("clip-menu").first.click()
        page.get_by_test_id("clip-download").click()
        depth = page.get_by_test_id("download-depth")
        expect(depth).to_have_text("16-bit at 48 kHz, whatever the original has.")
        page.get_by_test_id("download-format").get_by_text("MP3").click()
        expect(depth).to_have_count(0)
        page.get_by_role("button", name="Share Intro…").click()
        page.wait_for_function("() => shared.length === 1")
        [[name, kind, length]] = page.evaluate("shared")
        assert name.endswith(".mp3") and kind == "audio/mpeg" and length > 1_000


def test_a_desktop_has_only_downloads(swan, chromium, server):
    with first_screen(chromium, server, script=SHARE_SHEET, **DESKTOP) as page:
        open_exports(page)
        expect(page.get_by_test_id("export-html")).to_be_visible()
        expect(page.get_by_test_id("share-html")).to_have_count(0)
