"""Pairing phones, revoking them, and one device as the remote control of another."""

import contextlib
import json
import re

import pytest
from playwright.sync_api import expect
from studio import Server, eventually
from test_accessibility import violations
from test_moves import write

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "user_agent": IPHONE}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def studio(tmp_path):
    """A Segmance whose network can be switched on, on a port of its own."""
    with Server(tmp_path / "library", options=["--lan-port", "0"]) as server:
        server.skip_welcome()
        yield server


# Playwright's looking at a page counts as a touch: the browser's own rule can't be tested through it.
NO_SOUND_WITHOUT_A_TOUCH = """
  const Plain = window.AudioContext;
  let isTouched = false;
  window.addEventListener('pointerdown', () => { isTouched = true; }, true);
  window.AudioContext = class extends Plain {
    constructor(...options) { super(...options); void super.suspend(); }
    resume() {
      return isTouched ? super.resume() : Promise.reject(new DOMException('no touch', 'NotAllowedError'));
    }
  };"""


@contextlib.contextmanager
def opened(chromium, address, script="", **settings):
    """A page of its own browser, in which an error fails the test."""
    context = chromium.new_context(
        ignore_https_errors=True, **{"service_workers": "block", **settings})
    context.add_init_script(script)
    page = context.new_page()
    page.set_default_timeout(10_000)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def owner(chromium, studio):
    """The owner's browser, at the devices in the settings."""
    with opened(chromium, f"{studio.origin}/settings/devices", **DESKTOP) as page:
        yield page


def switch_on(studio):
    status, content = studio.request("PUT", "/api/network", {"isOn": True})
    assert status == 200, content
    return json.loads(content)


def invite(studio):
    """A pairing link, as it stands in the code."""
    status, content = studio.request("POST", "/api/pairings", {})
    assert status == 201, content
    return json.loads(content)["address"]


def devices(studio):
    return json.loads(studio.request("GET", "/api/devices")[1])["devices"]


def theme(studio):
    found = [each["value"] for each in studio.records("setting") if each["id"] == "theme"]
    return found[0] if found else None


@contextlib.contextmanager
def paired_phone(chromium, studio, name="Phone", **settings):
    """A phone that has joined, at the list of routines."""
    switch_on(studio)
    with opened(chromium, invite(studio), **{**PHONE, **settings}) as page:
        page.get_by_test_id("pair-name").fill(name)
        page.get_by_test_id("pair-join").click()
        expect(page.get_by_test_id("tab-routines")).to_be_visible()
        page.get_by_test_id("toast").get_by_label("Dismiss").click()
        yield page


# Settings → Devices.


def test_the_owner_lets_phones_in_shows_a_code_and_sees_who_joined(chromium, owner, studio):
    expect(owner.get_by_test_id("no-devices")).to_be_visible()
    expect(owner.get_by_test_id("add-device")).to_be_hidden()
    owner.get_by_test_id("network-switch").check()
    expect(owner.get_by_test_id("network-addresses")).to_contain_text("https://")
    owner.get_by_test_id("add-device").click()
    expect(owner.get_by_test_id("trust-step").get_by_test_id("pairing-address")).to_have_text(
        re.compile(r"^https://.*/install$"))
    owner.get_by_test_id("trust-done").click()
    expect(owner.get_by_test_id("pair-step").get_by_test_id("qr-code")).to_be_visible()
    expect(owner.get_by_test_id("pairing-left")).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))
    link = owner.get_by_test_id("pairing-address").inner_text()
    assert re.fullmatch(r"https://[^/]+/pair#[\w-]{22,}", link)
    with opened(chromium, link, **PHONE) as phone:
        expect(phone.get_by_test_id("pair-name")).to_have_value("iPhone")
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("tab-routines")).to_be_visible()
        expect(owner.get_by_test_id("paired")).to_have_text("iPhone is paired")
        owner.get_by_test_id("paired-done").click()
        expect(owner.get_by_test_id("device-row")).to_contain_text("iPhone")
        expect(owner.get_by_test_id("device-row")).to_contain_text("Here now")
    owner.get_by_test_id("network-switch").uncheck()
    expect(owner.get_by_test_id("network-addresses")).to_be_hidden()
    assert json.loads(studio.request("GET", "/api/network")[1])["isOn"] is False
    owner.reload()
    expect(owner.get_by_test_id("network-switch")).not_to_be_checked()
    expect(owner.get_by_test_id("device-row")).to_contain_text("iPhone")


def test_a_new_code_takes_the_place_of_the_old_one_on_the_screen(owner, studio):
    switch_on(studio)
    owner.reload()
    owner.get_by_test_id("add-device").click()
    owner.get_by_test_id("trust-done").click()
    expect(owner.get_by_test_id("pairing-left")).to_be_visible()
    first = owner.get_by_test_id("pairing-address").inner_text()
    owner.get_by_test_id("new-code").click()
    expect(owner.get_by_test_id("pairing-address")).not_to_have_text(first)


def test_a_code_that_stood_too_long_says_so_and_offers_another(owner, studio):
    switch_on(studio)
    owner.clock.install()
    owner.reload()
    owner.get_by_test_id("add-device").click()
    owner.get_by_test_id("trust-done").click()
    expect(owner.get_by_test_id("pairing-left")).to_be_visible()
    owner.clock.fast_forward("05:01")
    expect(owner.get_by_test_id("pairing-over")).to_be_visible()
    expect(owner.get_by_test_id("qr-code")).to_be_hidden()
    owner.get_by_test_id("new-code").click()
    expect(owner.get_by_test_id("qr-code")).to_be_visible()


def test_a_device_is_renamed_in_place_by_its_owner_and_by_itself(chromium, owner, studio):
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


def test_a_device_sees_the_others_but_revokes_none_and_leaves_when_it_wants(chromium, studio):
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
        assert [each["name"] for each in devices(studio)] == ["One"]


# Revoking.


def test_a_revoked_device_is_out_at_once_and_loses_nothing(chromium, owner, studio):
    write(studio, [("routine", {"title": "Swan"})])
    with paired_phone(chromium, studio) as phone:
        expect(phone.get_by_test_id("routine-card")).to_contain_text("Swan")
        owner.reload()
        owner.get_by_test_id("device-menu").click()
        owner.get_by_test_id("device-revoke").click()
        owner.get_by_test_id("confirm-action").click()
        expect(phone.get_by_test_id("unpaired")).to_contain_text("no longer paired", timeout=2_000)
        expect(owner.get_by_test_id("no-devices")).to_be_visible()
        # What is kept here can still be seen and edited; edits wait.
        phone.get_by_test_id("door-aside").click()
        expect(phone.get_by_test_id("unpaired-note")).to_be_visible()
        expect(phone.get_by_test_id("routine-card")).to_contain_text("Swan")
        phone.get_by_test_id("tab-settings").click()
        phone.get_by_test_id("theme").get_by_text("Light").click()
        phone.get_by_test_id("unpaired-note").click()
        expect(phone.get_by_test_id("door-kept")).to_contain_text("1 change made here is kept")
        phone.reload()
        expect(phone.get_by_test_id("door-kept")).to_contain_text("1 change made here is kept")
        assert theme(studio) is None
        # Paired anew, all of it arrives.
        phone.get_by_test_id("token-field").fill(invite(studio))
        phone.get_by_test_id("token-go").click()
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("routine-card")).to_contain_text("Swan")
        assert eventually(lambda: theme(studio), lambda found: found is not None) == "light"


# The door.


def test_a_stranger_sees_what_to_do_and_nothing_of_the_library(chromium, studio):
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
        expect(phone.get_by_role("alert")).to_contain_text("no pairing code")


def test_the_token_leaves_the_address_before_anything_is_asked(chromium, studio):
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
    stored = page.evaluate("() => JSON.stringify({ ...localStorage, ...sessionStorage })")
    assert token not in stored
    page.go_back()
    assert token not in page.url
    context.close()


def test_a_code_works_once(chromium, studio):
    switch_on(studio)
    link = invite(studio)
    with opened(chromium, link, **PHONE) as first:
        first.get_by_test_id("pair-join").click()
        expect(first.get_by_test_id("tab-routines")).to_be_visible()
        # This very phone scans it again: it is told so, and keeps its pairing.
        first.goto(link.replace("/pair#", "/pair?again#"))
        expect(first.get_by_test_id("pair-already")).to_contain_text("paired already")
        first.get_by_test_id("pair-on").click()
        expect(first.get_by_test_id("tab-routines")).to_be_visible()
    with opened(chromium, link, **PHONE) as second:
        second.get_by_test_id("pair-join").click()
        expect(second.get_by_test_id("pair-failed")).to_contain_text("has been used")
        expect(second.get_by_test_id("pair-failed")).to_contain_text("Show a new code")
        second.get_by_test_id("pair-other").click()
        expect(second.get_by_test_id("unpaired")).to_be_visible()
    assert len(devices(studio)) == 1


def test_unknown_and_guessed_codes_are_refused_in_words(chromium, studio):
    origin = switch_on(studio)["addresses"][0]
    with opened(chromium, f"{origin}/pair#short", **PHONE) as phone:
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("no pairing code")
    with opened(chromium, f"{origin}/pair#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", **PHONE) as phone:
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("not known")
        for _ in range(12):
            phone.evaluate(
                """() => fetch('/api/pairings/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/claim', {
                  method: 'POST', body: '{"name":"x"}', headers: {'Content-Type': 'application/json'} })""")
    with opened(chromium, f"{origin}/pair#BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", **PHONE) as phone:
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("Wait a minute")
        expect(phone.get_by_test_id("pair-retry")).to_be_visible()


def test_without_an_answer_nothing_is_used_up_and_joining_can_be_tried_again(chromium, studio):
    switch_on(studio)
    with opened(chromium, invite(studio), **PHONE) as phone:
        expect(phone.get_by_test_id("pair-name")).to_be_visible()
        phone.route("**/claim", lambda route: route.abort())
        phone.get_by_test_id("pair-join").click()
        expect(phone.get_by_test_id("pair-failed")).to_contain_text("cannot be reached")
        phone.unroute("**/claim")
        phone.get_by_test_id("pair-retry").click()
        expect(phone.get_by_test_id("tab-routines")).to_be_visible()


def test_the_owner_who_opens_a_code_here_is_told_that_none_is_needed(chromium, studio):
    switch_on(studio)
    token = invite(studio).split("#")[1]
    with opened(chromium, f"{studio.origin}/pair#{token}", **DESKTOP) as page:
        expect(page.get_by_test_id("pair-already")).to_contain_text("needs no pairing")


def test_the_install_page_shows_the_way_of_this_platform_and_what_to_compare(chromium, owner, studio):
    network = switch_on(studio)
    with opened(chromium, network["addresses"][0] + "/install", **PHONE) as phone:
        expect(phone.get_by_test_id("guide-ios")).to_have_attribute("open", "")
        expect(phone.get_by_test_id("guide-android")).not_to_have_attribute("open", "")
        expect(phone.get_by_test_id("guide-ios")).to_contain_text("Certificate Trust Settings")
        shown = phone.get_by_test_id("install-fingerprint").inner_text().replace(" ", "")
        assert shown == network["authority"]["fingerprint"].replace(":", "")
        with phone.expect_download() as download:
            phone.get_by_test_id("install-download").click()
        assert download.value.suggested_filename == "segmance.crt"
        phone.get_by_test_id("install-on").click()
        expect(phone.get_by_test_id("unpaired")).to_be_visible()
    owner.reload()
    owner.get_by_text("Fingerprint of its certificate").click()
    pairs = owner.locator(".network-addresses .fingerprint").inner_text().replace(" ", "")
    assert pairs == shown


SCREENS = ["devices", "trust", "code", "own device", "players", "remote", "install", "unpaired", "join"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation(chromium, studio, swan, theme):
    settings = {**PHONE, "color_scheme": theme, "reduced_motion": "reduce"}
    found = {}
    network = switch_on(studio)

    def check(page, screen):
        page.wait_for_function(
            "() => document.getAnimations().every((each) => each.playState !== 'running')")
        found[screen] = violations(page)

    with opened(chromium, f"{studio.origin}/settings/devices", **settings) as page:
        expect(page.get_by_test_id("network-addresses")).to_be_visible()
        check(page, "devices")
        page.get_by_test_id("add-device").click()
        expect(page.get_by_test_id("trust-step")).to_be_visible()
        check(page, "trust")
        page.get_by_test_id("trust-done").click()
        expect(page.get_by_test_id("pairing-left")).to_be_visible()
        check(page, "code")
        page.goto(studio.origin + swan)
        expect(page.get_by_test_id("play")).to_be_enabled()
        with opened(chromium, invite(studio), **settings) as phone:
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
    with opened(chromium, f"{network['addresses'][0]}/install", **settings) as phone:
        expect(phone.get_by_test_id("install-fingerprint")).to_be_visible()
        check(phone, "install")
        phone.goto(network["addresses"][0])
        expect(phone.get_by_test_id("unpaired")).to_be_visible()
        check(phone, "unpaired")
    assert found == {screen: [] for screen in SCREENS}


# Remote control.


@pytest.fixture
def swan(studio):
    """A routine of two parts with sound; its address."""
    studio.request("POST", "/api/sample")
    eventually(lambda: studio.records("track"), lambda tracks: tracks and tracks[0]["state"] == "ready", 60)
    track = studio.records("track")[0]["id"]
    (routine,) = write(studio, [("routine", {"title": "Swan"})])
    write(studio, [
        ("part", {"routine": routine, "title": title, "position": position, "track": track,
                  "startFrame": start * 48_000, "endFrame": (start + 20) * 48_000})
        for title, position, start in [("Entrance", "a", 0), ("Chorus", "b", 20)]])
    return f"/routines/{routine}"


@contextlib.contextmanager
def pair_of_players(chromium, studio, swan, **laptop_settings):
    """A phone that has the routine open, and the laptop with the loudspeaker."""
    with paired_phone(chromium, studio, "Phone") as phone:
        phone.get_by_test_id("routine-card").filter(has_text="Swan").click()
        expect(phone.get_by_test_id("play")).to_be_enabled()
        with opened(chromium, studio.origin + swan, **DESKTOP, **laptop_settings) as laptop:
            expect(laptop.get_by_test_id("play")).to_be_enabled()
            yield phone, laptop


def choose(page, expand=False):
    """Turns the page's player into the remote of the only other one."""
    if expand:
        page.get_by_test_id("player-expand").click()
    page.get_by_test_id("open-remote").click()
    expect(page.get_by_test_id("player-row")).to_have_count(1)
    page.get_by_test_id("player-row").click()
    expect(page.get_by_test_id("remote")).to_have_attribute("data-reach", "joined")


def heard(page):
    """The seconds that the player shows."""
    minutes, seconds = page.get_by_test_id("time-now").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def shown(page):
    """The seconds that the remote shows."""
    minutes, seconds = page.get_by_test_id("remote-now").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def test_the_phone_drives_the_laptop(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        laptop.get_by_test_id("pager").click()
        choose(phone, expand=True)
        expect(phone.get_by_test_id("remote-title")).to_have_text("1. Entrance")
        expect(laptop.get_by_test_id("controlled-note")).to_have_text("Controlled from Phone")
        # Play, and the time goes on there and here.
        phone.get_by_test_id("remote-play").click()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        expect(laptop.get_by_test_id("time-now")).to_have_text("0:02")
        assert abs(shown(phone) - heard(laptop)) <= 1
        # A, B; the section loops there.
        phone.get_by_test_id("remote-section").click()
        expect(laptop.get_by_test_id("section")).to_have_attribute("data-step", "setB")
        phone.get_by_test_id("remote-forward").click()
        phone.get_by_test_id("remote-section").click()
        expect(laptop.get_by_test_id("section")).to_have_attribute("aria-pressed", "true")
        expect(phone.get_by_test_id("remote-section")).to_have_attribute("aria-pressed", "true")
        phone.get_by_test_id("remote-clear").click()
        expect(laptop.get_by_test_id("section")).to_have_attribute("data-step", "setA")
        phone.get_by_test_id("remote-loop").click()
        expect(laptop.get_by_test_id("loop")).to_have_attribute("aria-pressed", "true")
        # Speed.
        phone.get_by_test_id("remote-slower").click()
        phone.get_by_test_id("remote-slower").click()
        expect(laptop.get_by_test_id("speed-dial")).to_contain_text("90 %")
        expect(phone.get_by_test_id("remote-speed")).to_have_text("90 %")
        # Pause.
        phone.get_by_test_id("remote-play").click()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "false")
        # The next part, on both pages.
        phone.get_by_test_id("remote-next").click()
        expect(laptop.get_by_test_id("jump-button")).to_contain_text("2. Chorus")
        expect(phone.get_by_test_id("remote-title")).to_have_text("2. Chorus")
        expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Chorus")
        expect(phone.get_by_test_id("remote-next")).to_be_disabled()
        phone.get_by_test_id("remote-previous").click()
        expect(laptop.get_by_test_id("jump-button")).to_contain_text("1. Entrance")
        # What happens there shows here.
        laptop.get_by_test_id("play").click()
        expect(phone.get_by_test_id("remote-play")).to_have_attribute("data-playing", "true")
        # And back to the own player.
        phone.get_by_test_id("remote-stop").click()
        expect(phone.get_by_test_id("player")).to_be_visible()
        expect(laptop.get_by_test_id("controlled-note")).to_be_hidden()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "true")


def test_the_laptop_drives_the_phone_by_its_keys(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        phone.get_by_test_id("pager").click()
        choose(laptop)
        laptop.get_by_test_id("pager").click()
        laptop.keyboard.press("Space")
        expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        laptop.keyboard.press("ArrowRight")
        laptop.keyboard.press("ArrowRight")
        expect(laptop.get_by_test_id("remote-now")).to_have_text(re.compile(r"^0:1\d$"))
        laptop.keyboard.press("l")
        expect(laptop.get_by_test_id("remote-loop")).to_have_attribute("aria-pressed", "true")
        laptop.keyboard.press("-")
        expect(laptop.get_by_test_id("remote-speed")).to_have_text("95 %")
        laptop.keyboard.press("Space")
        expect(phone.get_by_test_id("play")).to_have_attribute("data-playing", "false")
        laptop.keyboard.press("PageDown")
        expect(phone.get_by_test_id("jump-button")).to_contain_text("2. Chorus")
        # None of it went to the laptop's own player.
        laptop.get_by_test_id("remote-stop").click()
        expect(laptop.get_by_test_id("play")).to_have_attribute("data-playing", "false")


def test_a_page_that_nobody_touched_says_that_it_needs_a_tap(chromium, studio, swan):
    with pair_of_players(
            chromium, studio, swan, script=NO_SOUND_WITHOUT_A_TOUCH) as (phone, laptop):
        choose(phone, expand=True)
        phone.get_by_test_id("remote-play").click()
        expect(laptop.get_by_test_id("tap-note")).to_be_visible()
        expect(phone.get_by_test_id("remote-trouble")).to_contain_text("needs one tap")
        laptop.get_by_test_id("tap-note").click()
        expect(laptop.get_by_test_id("tap-note")).to_be_hidden()
        expect(phone.get_by_test_id("remote-trouble")).to_be_hidden()
        expect(laptop.get_by_test_id("time-now")).to_have_text("0:02")


def test_a_countdown_there_is_counted_here(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        studio.set("countdownSeconds", 3)
        laptop.get_by_test_id("pager").click()
        expect(laptop.get_by_test_id("countdown-dial")).to_contain_text("3 s")
        choose(phone, expand=True)
        phone.get_by_test_id("remote-play").click()
        expect(laptop.get_by_test_id("countdown")).to_be_visible()
        for number in ("3", "2", "1"):
            expect(phone.get_by_test_id("remote-count")).to_have_text(number)
        expect(phone.get_by_test_id("remote-now")).to_have_text("0:01")


def test_a_lost_connection_shows_within_five_seconds_and_comes_back(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        choose(phone, expand=True)
        laptop.context.set_offline(True)
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "lost", timeout=5_500)
        expect(phone.get_by_test_id("remote-play")).to_be_disabled()
        laptop.context.set_offline(False)
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "joined", timeout=15_000)


def test_a_player_that_left_its_routine_is_gone_and_another_can_be_chosen(chromium, studio, swan):
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        choose(phone, expand=True)
        laptop.get_by_test_id("routine-back").click()
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "gone")
        phone.get_by_test_id("remote-again").click()
        expect(phone.get_by_test_id("no-players")).to_be_visible()
        laptop.get_by_test_id("routine-card").filter(has_text="Swan").click()
        expect(phone.get_by_test_id("player-row")).to_contain_text("Swan · 1. Entrance")
        phone.get_by_test_id("player-row").click()
        expect(phone.get_by_test_id("remote")).to_have_attribute("data-reach", "joined")
