"""On the home screen: what makes the app installable, and when it is suggested."""

import json
import struct

from playwright.sync_api import expect
from test_moves import write

#: In milliseconds.
DAY = 24 * 3_600 * 1_000


def test_the_manifest_says_what_a_home_screen_needs_and_its_icons_are_as_large_as_it_says(server):
    status, content = server.request("GET", "/manifest.webmanifest")
    manifest = json.loads(content)
    assert status == 200
    fields = ("id", "name", "short_name", "start_url", "scope", "display")
    assert [manifest[field] for field in fields] == [
        "/", "Segmance", "Segmance", "/", "/", "standalone"]
    assert manifest["background_color"] and manifest["theme_color"]
    purposes = {icon.get("purpose", "any") for icon in manifest["icons"] if icon["sizes"] == "512x512"}
    assert purposes == {"any", "maskable"}
    for icon in [*manifest["icons"], {"src": "/apple-touch-icon.png", "sizes": "180x180"}]:
        status, content = server.request("GET", icon["src"])
        assert status == 200, icon
        if icon["sizes"] == "any":
            assert b"<svg" in content
        else:
            assert "%dx%d" % struct.unpack(">II", content[16:24]) == icon["sizes"]


def test_chromium_can_install_it_and_asks_once_when_told_to(device):
    page = device.page
    # A context of Playwright's is a private window: that is all there is to say against it.
    said = device.context.new_cdp_session(page).send("Page.getInstallabilityErrors")
    assert [error["errorId"] for error in said["installabilityErrors"]] == ["in-incognito"]
    page.goto(device.origin + "/settings/storage")
    page.evaluate("""() => {
      window.asked = 0;
      const event = new Event('beforeinstallprompt', { cancelable: true });
      event.prompt = async () => { window.asked += 1; };
      window.dispatchEvent(event);
      window.held = event.defaultPrevented;
    }""")
    page.get_by_test_id("install").click()
    expect(page.get_by_test_id("install")).to_have_count(0)
    assert page.evaluate("() => [window.asked, window.held]") == [1, True]


def test_the_hint_comes_on_another_day_and_goes_once_closed(device, server):
    write(server, [("routine", {"title": "Swan"})])
    page = device.page
    hint = "install-hint"
    expect(page.get_by_test_id("routine-card")).to_have_count(1)
    # The visit is counted where the hint is decided about.
    page.wait_for_function("() => localStorage.getItem('segmance.lastVisit') !== null")
    expect(page.get_by_test_id(hint)).to_have_count(0)
    page.evaluate("(day) => localStorage.setItem('segmance.lastVisit', Date.now() - day)", DAY)
    page = device.restart()
    expect(page.get_by_test_id(hint)).to_contain_text("home screen")
    page.get_by_test_id("install-hint-close").click()
    expect(page.get_by_test_id(hint)).to_have_count(0)
    assert page.evaluate("() => localStorage.getItem('segmance.installHint')") == "seen"
