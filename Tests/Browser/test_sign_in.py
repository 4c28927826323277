"""Signing in at a browser that is not paired: by a password, by a passkey, for some hours or to stay."""

import contextlib
import json

import pytest
from devices_support import PHONE as IPHONE
from devices_support import opened
from network_support import LAN, make_certificate, openssl
from playwright.sync_api import expect
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import DESKTOP, FULL_CHROMIUM, Server, eventually, first_screen
from test_moves import write
from test_paired_browser import browser_of as trusting_browser
from test_people import add_person, asked, browser_of, card, make_group, paired, share, stored, swan

WORDS = "correct horse battery"
NAME = "studio.example"


@pytest.fixture
def server(tmp_path):
    with Server(tmp_path / "library", options=LAN) as server:
        server.skip_welcome()
        yield server


@pytest.fixture
def ana(server):
    """Ana, with whom Swan is shared."""
    ana = add_person(server, "Ana")
    write(server, [("routine", {"title": "Swan"}), ("routine", {"title": "Of the owner alone"})])
    share(server, make_group(server, "", **{ana: "teacher"}))
    return ana


def lan(server):
    return asked(server, "GET", "/api/network")["addresses"][0]


def set_password(page, login="Ana", password=WORDS, current=None):
    page.get_by_test_id("set-password").click()
    page.get_by_test_id("password-login").fill(login)
    if current is not None:
        page.get_by_test_id("password-current").fill(current)
    page.get_by_test_id("password-new").fill(password)
    page.get_by_test_id("password-save").click()


def sign_in(page, login="ana", password=WORDS):
    page.get_by_test_id("sign-in-login").fill(login)
    page.get_by_test_id("sign-in-password").fill(password)
    page.get_by_test_id("sign-in-go").click()


@contextlib.contextmanager
def devices_page(chromium, server, ana):
    """The page of Ana's devices on her phone."""
    with browser_of(chromium, server, ana, "Ana") as page:
        page.get_by_test_id("tab-settings").click()
        page.get_by_test_id("room-devices").click()
        expect(page.get_by_test_id("own-credentials")).to_be_visible()
        yield page


def test_one_who_is_alone_sees_nothing_of_passwords(chromium, server):
    write(server, [("routine", {"title": "Swan"})])
    with first_screen(chromium, server, "/settings/devices", **DESKTOP) as page:
        expect(page.get_by_test_id("network-switch")).to_be_visible()
        expect(page.get_by_test_id("no-devices")).to_be_visible()
        expect(page.get_by_test_id("own-credentials")).to_have_count(0)
    with opened(chromium, f"{lan(server)}/pair", **IPHONE) as page:
        expect(page.get_by_test_id("token-field")).to_be_visible()
        page.wait_for_load_state("networkidle")
        expect(page.get_by_test_id("sign-in")).to_have_count(0)


def test_with_a_password_one_signs_in_elsewhere_and_is_forgotten_there(ana, chromium, server):
    with devices_page(chromium, server, ana) as phone:
        set_password(phone, password="ana ana ana ana")
        expect(phone.get_by_test_id("password-problem")).to_contain_text("easy to guess")
        phone.get_by_test_id("password-new").fill(WORDS)
        phone.get_by_test_id("password-save").click()
        expect(phone.get_by_test_id("toast")).to_contain_text("The password is set.")
        expect(phone.get_by_test_id("own-credentials")).to_contain_text("You sign in as ana")

    with opened(chromium, lan(server), **DESKTOP) as page:
        sign_in(page, password="correct horse")
        expect(page.get_by_test_id("sign-in-problem")).to_contain_text("wrong")
        sign_in(page)
        expect(page.get_by_test_id("routine-card")).to_have_count(1)
        expect(card(page, "Swan")).to_be_visible()
        page.get_by_test_id("tab-settings").click()
        page.get_by_test_id("room-devices").click()
        expect(page.get_by_test_id("own-ends-at")).to_contain_text("Signed in until")
        assert stored(page, "records")
        page.get_by_test_id("leave").click()
        page.get_by_test_id("confirm-action").click()
        expect(page.get_by_test_id("sign-in")).to_be_visible()
        expect(page.get_by_test_id("unpaired")).to_contain_text("not paired")
        assert stored(page, "records") == []
        assert page.evaluate("localStorage.getItem('segmance.person')") is None
        # The owner at the machine is not asked for anything.
        assert page.evaluate("fetch('/api/devices').then(({ status }) => status)") == 401


def test_one_who_stays_signed_in_is_listed_and_can_be_signed_out(ana, chromium, server):
    with devices_page(chromium, server, ana) as phone:
        set_password(phone)
        expect(phone.get_by_test_id("toast")).to_contain_text("The password is set.")
        with opened(chromium, lan(server), **DESKTOP) as page:
            page.get_by_test_id("sign-in-stays").check()
            sign_in(page)
            expect(page.get_by_test_id("routine-card")).to_have_count(1)
            page.get_by_test_id("tab-settings").click()
            page.get_by_test_id("room-devices").click()
            expect(page.get_by_test_id("leave")).to_have_text("Unpair")
            expect(page.get_by_test_id("own-ends-at")).to_have_count(0)
            expect(phone.get_by_test_id("device-row")).to_have_count(2)

            set_password(phone, password="another horse, battery", current="correct horse")
            expect(phone.get_by_test_id("password-problem")).to_contain_text("current password is wrong")
            phone.get_by_test_id("password-current").fill(WORDS)
            phone.get_by_test_id("password-save").click()
            expect(phone.get_by_test_id("password-sheet")).to_have_count(0)
            expect(phone.get_by_test_id("device-row")).to_have_count(1)
            page.reload()
            expect(page.get_by_test_id("unpaired")).to_be_visible()
            # What was kept on a device of one's own stays.
            expect(page.get_by_test_id("door-kept")).to_be_visible()


def test_the_owner_takes_a_password_away(ana, chromium, server):
    with devices_page(chromium, server, ana) as phone:
        set_password(phone)
        expect(phone.get_by_test_id("own-credentials")).to_contain_text("You sign in as ana")
    with first_screen(chromium, server, "/settings/people", **DESKTOP) as owner:
        owner.get_by_test_id("person-row").filter(has_text="Ana").click()
        expect(owner.get_by_test_id("others-credentials")).to_contain_text("Signs in as “ana”.")
        owner.get_by_test_id("remove-ways").click()
        owner.get_by_test_id("confirm-action").click()
        expect(owner.get_by_test_id("others-credentials")).to_have_count(0)
    assert asked(server, "GET", "/api/sign-in") == {"password": False, "passkey": False}


@contextlib.contextmanager
def with_authenticator(page):
    """Gives a page an authenticator that recognizes its person by itself."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True}})
    yield session
    session.detach()


@pytest.fixture
def named(tmp_path):
    """A server with a certificate for a name; returns it with its address and its authority."""
    made = openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "authority.key",
        "-out", "authority.crt", "-subj", "/CN=Authority of the test", "-days", "2", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    crt, key = make_certificate(tmp_path, "named", NAME, f"DNS:{NAME}", signer=tmp_path)
    with Server(tmp_path / "library", options=[*LAN, "--tls-cert", str(crt), "--tls-key", str(key)]) as server:
        server.skip_welcome()
        yield server, lan(server), tmp_path / "authority.crt"


def test_a_passkey_made_on_one_page_lets_its_person_in_on_another(named, chromium, tmp_path):
    server, address, authority = named
    assert address.startswith(f"https://{NAME}:")
    ana = add_person(server, "Ana")
    write(server, [("routine", {"title": "Swan"})])
    share(server, make_group(server, "", **{ana: "performer"}))
    code = asked(server, "POST", "/api/pairings", {"person": ana})["address"]
    words = (f"--host-resolver-rules=MAP {NAME} 127.0.0.1", *FULL_CHROMIUM["args"][1:])
    with trusting_browser(chromium, tmp_path / "home", authority, words) as browser:
        page = browser.new_context(**DESKTOP).new_page()
        page.goto(code)
        with with_authenticator(page) as authenticator:
            paired(page, "Phone of Ana")
            page.get_by_test_id("tab-settings").click()
            page.get_by_test_id("room-devices").click()
            page.get_by_test_id("add-passkey").click()
            expect(page.get_by_test_id("toast")).to_contain_text("The passkey was added.")
            expect(page.get_by_test_id("passkey-row")).to_have_count(1)
            # The same authenticator makes no second one.
            page.get_by_test_id("add-passkey").click()
            expect(page.get_by_test_id("toast").last).to_contain_text("has a passkey for you already")

            page.context.clear_cookies()
            page.goto(f"{address}/pair")
            page.get_by_test_id("sign-in-passkey").click()
            expect(card(page, "Swan")).to_be_visible()
            eventually(
                lambda: json.loads(server.request("GET", f"/api/people/{ana}/credentials")[1])["passkeys"],
                lambda passkeys: "lastUsedAt" in passkeys[0])

            # Without a passkey the person can call it off, and is told nothing wrong.
            assert server.request("DELETE", f"/api/people/{ana}/passkeys/{passkey(server, ana)}")[0] == 204
            page.context.clear_cookies()
            page.goto(f"{address}/pair")
            expect(page.get_by_test_id("token-field")).to_be_visible()
            page.wait_for_load_state("networkidle")
            expect(page.get_by_test_id("sign-in")).to_have_count(0)
            assert authenticator is not None


def passkey(server, person):
    return asked(server, "GET", f"/api/people/{person}/credentials")["passkeys"][0]["id"]


def test_the_pages_are_accessible_and_fit_the_smallest_phone(ana, chromium, server):
    sizes = [(320, 568), (390, 844), (1280, 800)]
    with devices_page(chromium, server, ana) as phone:
        set_password(phone)
        expect(phone.get_by_test_id("own-credentials")).to_contain_text("You sign in as ana")
        phone.get_by_test_id("toast").get_by_label("Dismiss").click()
        with opened(chromium, lan(server), **IPHONE) as door:
            expect(door.get_by_test_id("sign-in")).to_be_visible()
            for page in (phone, door):
                for _ in range(2):
                    settled(page)
                    assert violations(page) == []
                    assert too_small(page) == []
                    change_theme(page)
                for width, height in sizes:
                    page.set_viewport_size({"width": width, "height": height})
                    assert wider_than_window(page) == []
        phone.get_by_test_id("set-password").click()
        expect(phone.get_by_test_id("password-sheet")).to_be_visible()
        settled(phone)
        assert violations(phone) == []
        assert too_small(phone) == []
        for width, height in sizes:
            phone.set_viewport_size({"width": width, "height": height})
            assert wider_than_window(phone) == []
