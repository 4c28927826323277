"""Installing the app on the home screen: the manifest, and the suggestion to install."""

import json
import struct

import pytest
from playwright.sync_api import expect
from test_moves import write

#: In milliseconds.
DAY = 24 * 3_600 * 1_000


def test_the_manifest_is_complete_and_its_icons_have_the_declared_sizes(server):
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


@pytest.mark.full_chromium("the shell installs nothing")
def test_chromium_can_install_the_app_and_asks_once_after_a_press(device):
    page = device.page
    # Playwright's context is a private window, which is the only installability error.
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


def test_the_install_hint_appears_on_another_day_and_stays_closed(device, server):
    write(server, [("routine", {"title": "Swan"})])
    page = device.page
    hint = "install-hint"
    expect(page.get_by_test_id("routine-card")).to_have_count(1)
    # The code that decides about the hint also counts the visit.
    page.wait_for_function("() => localStorage.getItem('segmance.lastVisit') !== null")
    expect(page.get_by_test_id(hint)).to_have_count(0)
    page.evaluate("(day) => localStorage.setItem('segmance.lastVisit', Date.now() - day)", DAY)
    page = device.restart()
    expect(page.get_by_test_id(hint)).to_contain_text("home screen")
    page.get_by_test_id("install-hint-close").click()
    expect(page.get_by_test_id(hint)).to_have_count(0)
    assert page.evaluate("() => localStorage.getItem('segmance.installHint')") == "seen"
