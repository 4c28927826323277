"""A person whose browser is WebKitGTK, beside a teacher in Chromium: signing in, a comment, following, a link."""

import contextlib

import pytest
from network_support import LAN
from playwright.sync_api import expect
from prepared import has_parts
from studio import DESKTOP, Server, eventually, first_screen, open_webkit
from test_lead import lead
from test_links import make as make_link
from test_moves import write
from test_people import add_person, asked, first_part, make_group, open_swan, share, swan
from test_webkit import find, is_playing, until

# Longer than a round of all tests has time for, as WebKit can block a database for a while.
pytestmark = pytest.mark.long

WORDS = "correct horse battery"


@pytest.fixture
def server(tmp_path, parts):
    with Server(tmp_path / "library", options=LAN) as server:
        server.skip_welcome()
        yield server


def press(driver, test_id):
    """Presses by script: the driver's own click can miss what moves on a busy machine."""
    driver.execute_script("arguments[0].click()", find(driver, test_id))


def text_of(driver, test_id, wanted):
    until(driver, test_id, lambda element: wanted in element.text)


@pytest.fixture
def ana(server):
    """Ana, who performs in a group in which the owner teaches Swan, and who has a password."""
    ana = add_person(server, "Ana")
    write(server, [("move", {"part": first_part(server)["id"], "title": "Walk", "position": "a"})])
    share(server, make_group(server, "Monday", **{ana: "performer"}))
    return ana


def address_of(server):
    return asked(server, "GET", "/api/network")["addresses"][0]


@contextlib.contextmanager
def dancer_of(server, ana):
    """Ana's browser, which was let in by a code, at the list of routines."""
    code = asked(server, "POST", "/api/pairings", {"person": ana})["address"]
    with open_webkit(code, trusts_all=True) as driver:
        press(driver, "pair-join")
        find(driver, "routine-card")
        yield driver


def open_in(driver):
    driver.execute_script("document.querySelector('[data-testid=routine-card] a').click()")
    until(driver, "play", lambda play: play.is_enabled())


@has_parts(("One", 6))
def test_a_dancer_follows_the_teacher(ana, server, chromium):
    with dancer_of(server, ana) as dancer, first_screen(chromium, server, **DESKTOP) as teacher:
        open_swan(teacher)
        lead(teacher)
        text_of(dancer, "lead-note", "The owner leads Swan")
        # A real press: without one, browsers play nothing.
        find(dancer, "lead-join").click()
        find(dancer, "following")
        expect(teacher.get_by_test_id("followers")).to_have_text("1 follows")
        teacher.keyboard.press("l")
        teacher.get_by_test_id("play").click()
        until(dancer, "following", lambda shown: shown.get_attribute("data-playing") == "true")
        # It is heard: the counts go on.
        shown = "return document.querySelector('[data-testid=count-now]')?.textContent"
        counts = set()
        eventually(lambda: counts.add(dancer.execute_script(shown)) or counts, lambda counts: len(counts) > 2)
        teacher.get_by_test_id("lead-say").fill("Watch the arms")
        text_of(dancer, "lead-words", "Watch the arms")
        teacher.get_by_test_id("lead-stop").click()
        until(dancer, "play", lambda play: play.get_attribute("data-playing") == "false")


@has_parts(("One", 6))
def test_a_dancer_comments_on_a_move_and_reads_the_answer(ana, server, chromium):
    with dancer_of(server, ana) as dancer, first_screen(chromium, server, **DESKTOP) as teacher:
        open_in(dancer)
        press(dancer, "comment-write")
        find(dancer, "comment-field").send_keys("Arms up?")
        press(dancer, "comment-save")
        text_of(dancer, "comment-text", "Arms up?")
        open_swan(teacher)
        expect(teacher.get_by_test_id("comments-news")).to_have_text("1 new comment")
        write(server, [("comment", {"routine": swan(server), "text": "Yes", "part": first_part(server)["id"], "startFrame": 48_000})])
        text_of(dancer, "comments-news", "1")


@has_parts(("One", 6))
def test_a_link_opens_and_plays(server):
    link = make_link(server)
    with open_webkit(link["address"].replace(server.origin, address_of(server)), trusts_all=True) as visitor:
        until(visitor, "play", lambda play: play.is_enabled())
        press(visitor, "play")
        until(visitor, "play", is_playing)


@has_parts(("One", 6))
def test_with_a_password_one_signs_in_and_is_forgotten_when_one_signs_out(ana, server):
    with dancer_of(server, ana) as phone:
        phone.get(f"{address_of(server)}/settings/devices")
        press(phone, "set-password")
        find(phone, "password-new").send_keys(WORDS)
        press(phone, "password-save")
        text_of(phone, "own-credentials", "You sign in as ana")
    with open_webkit(f"{address_of(server)}/pair", trusts_all=True) as other:
        find(other, "sign-in-login").send_keys("ana")
        find(other, "sign-in-password").send_keys(WORDS)
        press(other, "sign-in-go")
        find(other, "routine-card")
        other.get(f"{address_of(server)}/settings/devices")
        press(other, "leave")
        press(other, "confirm-action")
        text_of(other, "unpaired", "not paired")
        assert other.execute_script("return localStorage.getItem('segmance.person')") is None
