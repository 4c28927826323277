"""Signing in at a school's provider of OpenID Connect, which is a real one."""

import contextlib
import json
import pathlib
import re
import subprocess
import sys

import pytest
from devices_support import PHONE as IPHONE
from devices_support import opened
from network_support import LAN
from openid_support import CLIENT, PASSWORD, SECRET, school
from playwright.sync_api import expect
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import DESKTOP, Server, first_screen
from test_moves import write
from test_people import add_person, asked, browser_of, card, make_group, share, swan
from test_sign_in import lan


@contextlib.contextmanager
def house(tmp_path, *options):
    """A school with two accounts, and a studio that knows it."""
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    with school() as provider:
        words = ["--openid", provider.issuer, "--openid-client", CLIENT, "--openid-secret-file", tmp_path / "secret",
                 "--openid-name", "Dance School", *options]
        with Server(tmp_path / "library", options=[*LAN, *map(str, words)]) as server:
            server.skip_welcome()
            provider.add_account("ana", "Ana Lima")
            provider.add_account("bea", "Bea Roth")
            provider.add_studio(lan(server))
            yield server, provider


@pytest.fixture
def known(tmp_path):
    """A studio with Ana, with whom Swan is shared; returns it with her id."""
    with house(tmp_path) as (server, _):
        ana = add_person(server, "Ana")
        write(server, [("routine", {"title": "Swan"}), ("routine", {"title": "Of the owner alone"})])
        share(server, make_group(server, "", **{ana: "performer"}))
        yield server, ana


def leave(page, button):
    """Goes to the school's pages, which come without their scripts: those replace forms at moments of their own."""
    page.route("http://localhost:*/static/**", lambda route: route.fulfill(body=""))
    page.get_by_test_id(button).click()


def sign_in_there(page, button, login, answer="accept"):
    """Signs in on the school's own pages, and says whether Segmance may know who it is, if that is asked."""
    leave(page, button)
    page.locator("input[name=login]").fill(login)
    page.locator("[type=submit]").first.click()
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("[type=submit]").first.click()
    if answer is not None:
        page.locator(f"[name=answer][value={answer}]").click()


@contextlib.contextmanager
def devices_page(chromium, server, ana):
    with browser_of(chromium, server, ana, "Ana") as page:
        page.get_by_test_id("tab-settings").click()
        page.get_by_test_id("room-devices").click()
        expect(page.get_by_test_id("own-credentials")).to_be_visible()
        yield page


def test_with_an_account_of_the_school_one_signs_in_at_any_browser(known, chromium):
    server, ana = known
    with devices_page(chromium, server, ana) as phone:
        sign_in_there(phone, "add-account", "ana")
        expect(phone.get_by_test_id("toast")).to_contain_text("The account is connected.")
        expect(phone.get_by_test_id("account-row")).to_contain_text("Ana Lima")
        assert phone.evaluate("location.search + location.hash + location.pathname") == "/settings/devices"

        with opened(chromium, lan(server), **DESKTOP) as page:
            expect(page.get_by_test_id("sign-in-login")).to_have_count(0)
            # What Segmance may know was said once, for all browsers.
            sign_in_there(page, "sign-in-provider", "ana", answer=None)
            expect(page.get_by_test_id("routine-card")).to_have_count(1)
            expect(card(page, "Swan")).to_be_visible()
            page.get_by_test_id("tab-settings").click()
            page.get_by_test_id("room-devices").click()
            # Not asked to stay: as by a password, for twelve hours.
            expect(page.get_by_test_id("own-ends-at")).to_contain_text("Signed in until")
            page.get_by_test_id("leave").click()
            page.get_by_test_id("confirm-action").click()
            expect(page.get_by_test_id("sign-in-provider")).to_be_visible()

            page.get_by_test_id("sign-in-stays").check()
            page.get_by_test_id("sign-in-provider").click()
            # The school knows this browser still, and asks nothing.
            expect(card(page, "Swan")).to_be_visible()
            page.get_by_test_id("tab-settings").click()
            page.get_by_test_id("room-devices").click()
            expect(page.get_by_test_id("own-ends-at")).to_have_count(0)

        phone.get_by_test_id("remove-account").click()
        phone.get_by_test_id("confirm-action").click()
        expect(phone.get_by_test_id("account-row")).to_have_count(0)
    assert json.loads(server.request("GET", f"/api/people/{ana}/credentials")[1])["accounts"] == []


def test_an_unknown_account_is_turned_away_and_one_can_stop(known, chromium):
    server, _ = known
    with opened(chromium, f"{lan(server)}/pair", **DESKTOP) as page:
        sign_in_there(page, "sign-in-provider", "bea", answer="deny")
        expect(page.get_by_test_id("arrival-problem")).to_contain_text("You stopped it there")
        page.get_by_test_id("arrival-back").click()
        page.get_by_test_id("sign-in-provider").click()
        page.locator("[name=answer][value=accept]").click()
        expect(page.get_by_test_id("arrival-problem")).to_contain_text("Nobody here has this account.")
        # What came back can't be used again.
        page.reload()
        expect(page.get_by_test_id("unpaired")).to_be_visible()
    assert len(asked(server, "GET", "/api/people")["people"]) == 2


def test_where_the_owner_wants_it_the_school_brings_new_people(tmp_path, chromium):
    with house(tmp_path, "--openid-adds-people") as (server, _):
        write(server, [("routine", {"title": "Swan"})])
        with first_screen(chromium, server, "/settings/people", **DESKTOP) as owner, \
                opened(chromium, f"{lan(server)}/pair", **IPHONE) as page:
            sign_in_there(page, "sign-in-provider", "bea")
            expect(page.get_by_test_id("tab-routines")).to_be_visible()
            expect(page.get_by_test_id("routine-card")).to_have_count(0)
            # The owner sees her come, and shares.
            expect(owner.get_by_test_id("person-row").filter(has_text="Bea Roth")).to_be_visible()
            people = {person["name"]: person["id"] for person in asked(server, "GET", "/api/people")["people"]}
            share(server, make_group(server, "", **{people["Bea Roth"]: "performer"}))
            expect(card(page, "Swan")).to_be_visible()
            owner.get_by_test_id("person-row").filter(has_text="Bea Roth").click()
            expect(owner.get_by_test_id("others-credentials")).to_contain_text("1 connected account.")
            owner.get_by_test_id("remove-ways").click()
            owner.get_by_test_id("confirm-action").click()
            expect(owner.get_by_test_id("others-credentials")).to_have_count(0)


def test_a_school_that_does_not_answer_is_said_so(tmp_path, chromium):
    options = ["--openid", "http://localhost:9", "--openid-client", "x", "--openid-name", "Dance School"]
    with Server(tmp_path / "library", options=[*LAN, *options]) as server, \
            opened(chromium, f"{lan(server)}/pair", **DESKTOP) as page:
        page.get_by_test_id("sign-in-provider").click()
        expect(page.get_by_test_id("sign-in-problem")).to_contain_text("Where you sign in can’t be asked at the moment.")
        expect(page.get_by_test_id("sign-in-provider")).to_be_enabled()


def test_the_pages_of_accounts_are_accessible_and_fit_the_smallest_phone(known, chromium):
    server, ana = known
    with devices_page(chromium, server, ana) as page, opened(chromium, f"{lan(server)}/sign-in?error=x", **IPHONE) as door:
        sign_in_there(page, "add-account", "ana")
        expect(page.get_by_test_id("account-row")).to_be_visible()
        page.get_by_test_id("toast").get_by_label("Dismiss").click()
        expect(door.get_by_test_id("arrival-problem")).to_contain_text("(x)")
        for each in (page, door):
            for _ in range(2):
                settled(each)
                assert violations(each) == []
                assert too_small(each) == []
                change_theme(each)
            for width, height in [(320, 568), (390, 844), (1280, 800)]:
                each.set_viewport_size({"width": width, "height": height})
                assert wider_than_window(each) == []


# Runs a program in a network of its own, whose only name server takes every question and answers none.
SILENT_NAMES = """
import fcntl, os, socket, struct, subprocess, sys
names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
fcntl.ioctl(names, 0x8914, struct.pack("16sh14x", b"lo", 0x41))  # the loopback interface: up and running
names.bind(("127.0.0.99", 53))
names.set_inheritable(True)
subprocess.run(["mount", "--bind", sys.argv[1], "/etc/resolv.conf"], check=True)
os.execvp(sys.argv[2], sys.argv[2:])
"""


@pytest.mark.timed
def test_a_provider_is_given_up_in_time_where_no_name_server_answers(tmp_path):
    (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.99\noptions timeout:30 attempts:3\n")
    before = ("unshare", "-Urnm", sys.executable, "-c", SILENT_NAMES, tmp_path / "resolv.conf")
    words = ["--no-sandbox", "--openid", "https://id.school.example", "--openid-client", CLIENT]
    with Server(tmp_path / "library", before=before, options=words) as server:
        # The lookup would take 90 seconds, the server gives the connection five.
        answer = subprocess.run(
            ["nsenter", "--target", str(server.process.pid), "--user", "--net", "--preserve-credentials", "curl", "--silent",
             "--max-time", "60", "--request", "POST", "--header", f"Origin: {server.origin}",
             f"{server.origin}/api/sign-in/provider/departure"],
            capture_output=True, text=True, check=True)
        problem = json.loads(answer.stdout)
        assert problem["status"] == 502
        assert "id.school.example can't be asked" in problem["detail"]
        # The name server was asked: its questions wait to be read.
        sockets = pathlib.Path(f"/proc/{server.process.pid}/net/udp").read_text()
        assert re.search(r"6300007F:0035 \S+ \S+ [0-9A-F]{8}:(?!0{8})", sockets), sockets
