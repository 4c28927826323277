"""Pairing, renaming and revoking devices, and the pairing page."""

import json
import re
import time

import pytest
from devices_support import (
    DESKTOP, PHONE, devices, invite, opened, paired_phone, studio, swan, switch_on)
from offline_support import stored
from playwright.sync_api import expect
from screen_checks import violations, wider_than_window
from screens import change_theme
from studio import eventually
from test_moves import write

__all__ = ["studio", "swan"]


@pytest.fixture
def owner(chromium, studio):
    """The owner's browser at Settings → Devices."""
    with opened(chromium, f"{studio.origin}/settings/devices", **DESKTOP) as page:
        yield page


def theme(studio):
    found = [each["value"] for each in studio.records("setting") if each["id"] == "theme"]
    return found[0] if found else None


# Settings → Devices.


def test_the_owner_switches_the_network_on_shows_a_code_and_sees_the_paired_device(chromium, owner, studio):
    expect(owner.get_by_test_id("no-devices")).to_be_visible()
    expect(owner.get_by_test_id("add-device")).to_be_hidden()
    owner.get_by_test_id("network-switch").check()
    expect(owner.get_by_test_id("network-addresses")).to_contain_text("https://")
    owner.get_by_test_id("add-device").click()
    # The code comes first; the certificate and its fingerprint are shown on request.
    expect(owner.get_by_test_id("qr-code").and_(owner.get_by_label("Pairing code"))).to_be_visible()
    expect(owner.get_by_test_id("pairing-left")).to_have_text(re.compile(r"^Valid for (5:00|4:\d\d)$"))
    expect(owner.get_by_test_id("install-address")).to_be_hidden()
    expect(owner.locator(".add-step .fingerprint")).to_be_hidden()
    owner.get_by_text("Does the phone show a warning?").click()
    expect(owner.get_by_test_id("install-address")).to_have_text(re.compile(r"^https://.*/install$"))
    expect(owner.locator(".add-step .fingerprint")).to_be_visible()
    link = owner.get_by_test_id("pairing-address").inner_text()
    assert re.fullmatch(r"https://[^/]+/pair#[\w-]{22,}", link)
    with opened(chromium, link, **PHONE) as phone:
        expect(phone.get_by_test_id("pair-name")).to_have_value("iPhone")
        expect(phone.get_by_test_id("pair-home-screen")).to_contain_text("Copy pairing address")
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("tab-routines")).to_be_visible()
        phone.get_by_test_id("toast").get_by_text("Show how").click()
        expect(phone.get_by_test_id("storage-install")).to_contain_text("Add to Home Screen")
        expect(owner.get_by_test_id("paired")).to_have_text("iPhone is paired")
        owner.get_by_test_id("paired-done").click()
        expect(owner.get_by_test_id("device-row")).to_contain_text("iPhone")
        expect(owner.get_by_test_id("device-row")).to_contain_text("Online now")
    owner.get_by_test_id("network-switch").uncheck()
    expect(owner.get_by_test_id("network-addresses")).to_be_hidden()
    assert json.loads(studio.request("GET", "/api/network")[1])["isOn"] is False
    owner.reload()
    expect(owner.get_by_test_id("network-switch")).not_to_be_checked()
    expect(owner.get_by_test_id("device-row")).to_contain_text("iPhone")


def test_a_new_code_replaces_the_old_one_on_the_screen(owner, studio):
    switch_on(studio)
    owner.reload()
    owner.get_by_test_id("add-device").click()
    first = owner.get_by_test_id("pairing-address").inner_text()
    owner.get_by_test_id("new-code").click()
    expect(owner.get_by_test_id("pairing-address")).not_to_have_text(first)


def test_an_expired_code_is_reported_and_another_is_offered(owner, studio):
    switch_on(studio)
    owner.clock.install()
    owner.reload()
    owner.get_by_test_id("add-device").click()
    code = owner.get_by_label("Pairing code")
    expect(code).to_be_visible()
    owner.clock.fast_forward("05:01")
    expect(owner.get_by_test_id("pairing-over")).to_be_visible()
    expect(code).to_be_hidden()
    owner.get_by_test_id("new-code").click()
    expect(code).to_be_visible()


def test_a_device_is_renamed_by_the_owner_and_by_itself(chromium, owner, studio):
    with paired_phone(chromium, studio, "Old phone") as phone:
        owner.get_by_test_id("device-menu").click()
        owner.get_by_test_id("device-rename").click()
        owner.get_by_test_id("device-name").fill("")
        owner.keyboard.press("Enter")
        expect(owner.get_by_test_id("device-row")).to_contain_text("Old phone")
        owner.get_by_test_id("device-menu").click()
        owner.get_by_test_id("device-rename").click()
        owner.get_by_test_id("device-name").fill("Tanzschuh 🩰")
        owner.keyboard.press("Enter")
        expect(owner.get_by_test_id("device-row")).to_contain_text("Tanzschuh 🩰")
        phone.goto(phone.url.rstrip("/") + "/settings/devices")
        expect(phone.get_by_test_id("own-device")).to_contain_text("Tanzschuh 🩰")
        phone.get_by_test_id("own-rename").click()
        phone.get_by_test_id("device-name").fill("هاتف")
        phone.get_by_test_id("device-name-save").click()
        expect(phone.get_by_test_id("own-device")).to_contain_text("هاتف")
        assert [each["name"] for each in devices(studio)] == ["هاتف"]


def test_a_device_sees_the_others_cannot_revoke_them_and_can_unpair_itself(chromium, studio):
    with paired_phone(chromium, studio, "One"), paired_phone(chromium, studio, "Two") as phone:
        phone.goto(phone.url.rstrip("/") + "/settings/devices")
        expect(phone.get_by_test_id("device-row")).to_have_count(2)
        expect(phone.get_by_test_id("network-switch")).to_be_hidden()
        phone.get_by_test_id("device-menu").first.click()
        expect(phone.get_by_test_id("device-rename")).to_be_visible()
        expect(phone.get_by_test_id("device-revoke")).to_be_hidden()
        phone.keyboard.press("Escape")
        phone.get_by_test_id("leave").click()
        phone.get_by_test_id("confirm-action").click()
        expect(phone.get_by_test_id("unpaired")).to_be_visible()
        # The page learns that it is no longer paired before the response arrives.
        left = eventually(lambda: [each["name"] for each in devices(studio)], lambda names: len(names) == 1)
        assert left == ["One"]


def test_each_start_renews_the_pairing_for_400_days(chromium, studio):
    with paired_phone(chromium, studio) as phone:
        def cookie():
            (found,) = phone.context.cookies()
            return found

        phone.context.add_cookies([{**cookie(), "expires": time.time() + 3_600}])
        assert cookie()["expires"] < time.time() + 3_601
        phone.reload()
        expect(phone.get_by_test_id("tab-routines")).to_be_visible()
        assert eventually(
            lambda: cookie()["expires"], lambda expires: expires > time.time() + 399 * 86_400)


# Revoking.


@pytest.mark.timed
def test_a_revoked_device_loses_access_at_once_and_keeps_its_data(chromium, owner, studio):
    write(studio, [("routine", {"title": "Swan"})])
    with paired_phone(chromium, studio) as phone:
        expect(phone.get_by_test_id("routine-card")).to_contain_text("Swan")
        owner.reload()
        owner.get_by_test_id("device-menu").click()
        owner.get_by_test_id("device-revoke").click()
        owner.get_by_test_id("confirm-action").click()
        expect(phone.get_by_test_id("unpaired")).to_contain_text("no longer paired", timeout=2_000)
        expect(owner.get_by_test_id("no-devices")).to_be_visible()
        # Kept routines can still be viewed and edited. The edits wait in the outbox.
        phone.get_by_test_id("door-aside").click()
        expect(phone.get_by_test_id("unpaired-note")).to_be_visible()
        expect(phone.get_by_test_id("routine-card")).to_contain_text("Swan")
        phone.get_by_test_id("tab-settings").click()
        phone.get_by_test_id("room-appearance").click()
        phone.get_by_test_id("theme").get_by_text("Light").click()
        phone.get_by_test_id("unpaired-note").click()
        expect(phone.get_by_test_id("door-kept")).to_contain_text("1 change made here is kept")
        eventually(lambda: stored(phone, "outbox"), bool)
        phone.reload()
        expect(phone.get_by_test_id("door-kept")).to_contain_text("1 change made here is kept")
        assert theme(studio) is None
        # After pairing again, all edits arrive.
        phone.get_by_test_id("token-field").fill(invite(studio))
        phone.get_by_test_id("token-go").click()
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("routine-card")).to_contain_text("Swan")
        assert eventually(lambda: theme(studio), lambda found: found is not None) == "light"


def test_a_device_is_revoked_with_its_guests_unless_the_owner_keeps_them(chromium, owner, studio):
    def guest(of, name):
        """Pairs a guest with a code of that page's device."""
        of.evaluate(
            """async (name) => {
              const made = await fetch('/api/pairings', { method: 'POST' });
              const { token } = await made.json();
              await fetch(`/api/pairings/${token}/claim`, {
                method: 'POST', credentials: 'omit', body: JSON.stringify({ name }),
                headers: { 'Content-Type': 'application/json' } });
            }""", name)

    def revoke(name):
        row = owner.get_by_test_id("device-row").filter(has=owner.locator("b", has_text=name))
        row.get_by_test_id("device-menu").click()
        owner.get_by_test_id("device-revoke").click()

    with paired_phone(chromium, studio, "One") as one, paired_phone(chromium, studio, "Two") as two:
        guest(one, "Laptop")
        guest(two, "Tablet")
        owner.reload()
        expect(owner.get_by_text("added by One")).to_be_visible()
        revoke("One")
        expect(owner.get_by_test_id("guests")).to_contain_text("Also the devices it added: Laptop")
        owner.get_by_test_id("confirm-action").click()
        expect(one.get_by_test_id("unpaired")).to_be_visible()
        expect(owner.get_by_test_id("device-row")).to_have_count(2)
        revoke("Two")
        owner.get_by_test_id("revoke-guests").uncheck(force=True)
        expect(owner.get_by_test_id("guests")).to_contain_text("Keep the devices it added: Tablet")
        owner.get_by_test_id("confirm-action").click()
        expect(owner.get_by_text("added by a device that was removed")).to_be_visible()
    assert [each["name"] for each in devices(studio)] == ["Tablet"]


# The pairing page.


def test_a_device_without_access_sees_the_pairing_page_and_nothing_of_the_library(chromium, studio):
    studio.request("POST", "/api/sample")
    origin = switch_on(studio)["addresses"][0]
    for path in ("/", "/settings", "/clipper", "/routines/none"):
        with opened(chromium, origin + path, **PHONE) as phone:
            expect(phone.get_by_test_id("unpaired")).to_contain_text("This phone is not paired")
            expect(phone.get_by_test_id("door-kept")).to_be_hidden()
            expect(phone.locator("text=Sample")).to_have_count(0)
    with opened(chromium, origin, **PHONE) as phone:
        phone.get_by_test_id("token-field").fill("no code")
        phone.get_by_test_id("token-go").click()
        expect(phone.get_by_role("alert")).to_contain_text("not a pairing code")


def test_the_token_is_removed_from_the_address_before_any_request(chromium, studio):
    switch_on(studio)
    link = invite(studio)
    token = link.split("#")[1]
    context = chromium.new_context(ignore_https_errors=True, service_workers="block", **PHONE)
    context.add_init_script(
        """window.asked = [];
        const fetched = window.fetch;
        window.fetch = (...given) => { window.asked.push(location.href); return fetched(...given); };""")
    page = context.new_page()
    page.goto(link)
    expect(page.get_by_test_id("pair-name")).to_be_visible()
    asked = page.evaluate("() => window.asked")
    assert len(asked) > 0 and not any(token in address for address in asked)
    assert token not in page.url
    page.get_by_test_id("pair-join").click()
    expect(page.get_by_test_id("tab-routines")).to_be_visible()
    assert token not in page.evaluate(
        "() => JSON.stringify({ ...localStorage, ...sessionStorage })")
    page.go_back()
    assert token not in page.url
    context.close()


def test_a_code_works_once(chromium, studio):
    switch_on(studio)
    link = invite(studio)
    with opened(chromium, link, **PHONE) as first:
        first.get_by_test_id("pair-join").click()
        expect(first.get_by_test_id("tab-routines")).to_be_visible()
        # The same phone scans the code again: it gets a message and stays paired.
        first.goto(link.replace("/pair#", "/pair?again#"))
        expect(first.get_by_test_id("pair-already")).to_contain_text("already paired")
        first.get_by_test_id("pair-on").click()
        expect(first.get_by_test_id("tab-routines")).to_be_visible()
    with opened(chromium, link, **PHONE) as second:
        # It is said before a name is typed.
        expect(second.get_by_test_id("pair-failed")).to_contain_text("has been used")
        expect(second.get_by_test_id("pair-failed")).to_contain_text("New code")
        second.get_by_test_id("pair-other").click()
        expect(second.get_by_test_id("unpaired")).to_be_visible()
    assert len(devices(studio)) == 1


def test_unknown_and_guessed_codes_are_refused_with_a_message(chromium, studio):
    origin = switch_on(studio)["addresses"][0]
    with opened(chromium, f"{origin}/pair#short", **PHONE) as phone:
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("not a complete pairing code")
    with opened(chromium, f"{origin}/pair#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", **PHONE) as phone:
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("doesn’t know this code")
        for _ in range(12):
            phone.evaluate(
                """() => fetch('/api/pairings/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/claim', {
                  method: 'POST', body: '{"name":"x"}', headers: {'Content-Type': 'application/json'} })""")
    with opened(chromium, f"{origin}/pair#BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", **PHONE) as phone:
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("Wait a minute")
        expect(phone.get_by_test_id("pair-retry")).to_be_visible()


def test_joining_can_be_retried_when_the_server_does_not_answer(chromium, studio):
    switch_on(studio)
    with opened(chromium, invite(studio), **PHONE) as phone:
        expect(phone.get_by_test_id("pair-name")).to_be_visible()
        phone.route("**/claim", lambda route: route.abort())
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("cannot be reached")
        phone.unroute("**/claim")
        phone.get_by_test_id("pair-retry").click()
        expect(phone.get_by_test_id("tab-routines")).to_be_visible()


def test_the_owner_who_opens_a_code_on_the_server_sees_that_none_is_needed(chromium, studio):
    switch_on(studio)
    token = invite(studio).split("#")[1]
    with opened(chromium, f"{studio.origin}/pair#{token}", **DESKTOP) as page:
        expect(page.get_by_test_id("pair-already")).to_contain_text("needs no pairing")


def test_the_install_page_shows_the_steps_of_the_platform_and_the_fingerprint(chromium, owner, studio):
    network = switch_on(studio)
    with opened(chromium, network["addresses"][0] + "/install", **PHONE) as phone:
        expect(phone.get_by_test_id("guide-ios")).to_have_attribute("open", "")
        expect(phone.get_by_test_id("guide-android")).not_to_have_attribute("open", "")
        expect(phone.get_by_test_id("guide-ios")).to_contain_text("Certificate Trust Settings")
        expect(phone.get_by_test_id("install-fingerprint")).to_be_hidden()
        phone.get_by_text("Check the fingerprint").click()
        shown = phone.get_by_test_id("install-fingerprint").inner_text().replace(" ", "")
        assert shown == network["authority"]["fingerprint"].replace(":", "")
        with phone.expect_download() as download:
            phone.get_by_test_id("install-download").click()
        assert download.value.suggested_filename == "segmance.crt"
        phone.get_by_test_id("install-on").click()
        expect(phone.get_by_test_id("unpaired")).to_be_visible()
    owner.reload()
    owner.get_by_text("Certificate fingerprint").click()
    pairs = owner.locator(".network-addresses .fingerprint").inner_text().replace(" ", "")
    assert pairs == shown


def test_a_browser_that_ignored_the_certificate_warning_is_told_that_it_does_not_trust(chromium, studio):
    network = switch_on(studio)
    with opened(
            chromium, network["addresses"][0] + "/install", service_workers="allow", **PHONE) as phone:
        expect(phone.get_by_test_id("install-trust")).to_have_text("This device doesn’t trust the connection yet.")
        phone.goto(invite(studio))
        expect(phone.get_by_test_id("pair-untrusted")).to_contain_text("isn’t trusted yet")
        phone.get_by_test_id("pair-untrusted").get_by_role("link").click()
        expect(phone.get_by_test_id("install")).to_be_visible()
        # It can pair all the same, and is told what is missing.
        phone.goto(invite(studio))
        expect(phone.get_by_test_id("pair-untrusted")).to_be_visible()
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("toast")).to_contain_text("has to trust the connection")
        phone.get_by_test_id("toast-action").click()
        expect(phone.get_by_test_id("install")).to_be_visible()


SCREENS = ["devices", "code", "trust", "own device", "players", "remote", "install", "unpaired", "join"]


def test_axe_finds_no_violation_and_everything_fits_on_the_smallest_phone(chromium, studio, swan):
    found = {}
    network = switch_on(studio)

    def check(page, screen):
        page.wait_for_function(
            "() => document.getAnimations().every((each) => each.playState !== 'running')")
        found[screen] = violations(page)
        change_theme(page)
        found[screen] += violations(page)
        page.set_viewport_size({"width": 320, "height": 640})
        found[screen] += wider_than_window(page)
        page.set_viewport_size(PHONE["viewport"])

    with opened(chromium, f"{studio.origin}/settings/devices", **PHONE) as page:
        expect(page.get_by_test_id("network-addresses")).to_be_visible()
        check(page, "devices")
        page.get_by_test_id("add-device").click()
        expect(page.get_by_test_id("pairing-left")).to_be_visible()
        check(page, "code")
        page.get_by_text("Does the phone show a warning?").click()
        expect(page.get_by_test_id("install-address")).to_be_visible()
        check(page, "trust")
        page.goto(studio.origin + swan)
        expect(page.get_by_test_id("play")).to_be_enabled()
        with opened(chromium, invite(studio), **PHONE) as phone:
            expect(phone.get_by_test_id("pair-name")).to_be_visible()
            check(phone, "join")
            phone.get_by_test_id("pair-join").click()
            expect(phone.get_by_test_id("tab-routines")).to_be_visible()
            phone.get_by_test_id("toast").get_by_label("Dismiss").click()
            phone.goto(f"{network['addresses'][0]}/settings/devices")
            expect(phone.get_by_test_id("own-device")).to_be_visible()
            check(phone, "own device")
            phone.goto(network["addresses"][0] + swan)
            expect(phone.get_by_test_id("play")).to_be_enabled()
            phone.get_by_test_id("player-expand").click()
            phone.get_by_test_id("open-remote").click()
            expect(phone.get_by_test_id("player-row")).to_be_visible()
            check(phone, "players")
            phone.get_by_test_id("player-row").click()
            expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "joined")
            check(phone, "remote")
    with opened(chromium, f"{network['addresses'][0]}/install", **PHONE) as phone:
        phone.get_by_text("Check the fingerprint").click()
        expect(phone.get_by_test_id("install-fingerprint")).to_be_visible()
        check(phone, "install")
        phone.goto(network["addresses"][0])
        expect(phone.get_by_test_id("unpaired")).to_be_visible()
        check(phone, "unpaired")
    assert found == {screen: [] for screen in SCREENS}
