"""Notifications of comments, from the server through a push service to the desktop, and back by a press to the place."""

import contextlib
import json
import os
import subprocess

import pytest
from devices_support import IPHONE, opened
from network_support import LAN, Studio
from playwright.sync_api import expect
from prepared import has_parts
from push_support import Desktop, PushService, Receiver, base64url, claims
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme
from studio import DESKTOP, PHONE, RATE, eventually, first_screen
from test_comments import begun, shown_part, write_on_move
from test_moves import write
from test_people import asked, browser_of, open_swan, paired, swan

two_parts = has_parts(("One", 6), ("Two", 12))
STAY = {"viewport": PHONE["viewport"]}


@pytest.fixture
def service():
    with PushService() as service:
        yield service


@pytest.fixture
def server(tmp_path, service):
    with Studio(tmp_path / "library", options=[*LAN, *service.options]) as server:
        server.skip_welcome()
        yield server


@pytest.fixture
def trio(parts, server):
    return begun(server)


@contextlib.contextmanager
def phone_of(chromium, server, service, person, home, desktop=None, name="Ben"):
    """The installed app of a person, in a browser of its own that trusts the server, at the list of routines.

    Notifications belong to a profile, so it is one on the disk.
    """
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    database = f"sql:{store}"
    for words in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "Segmance", "-i", str(server.authority)]):
        subprocess.run(["certutil", "-d", database, *words], check=True, timeout=60)
    environment = {**os.environ, "HOME": str(home)}
    if desktop is not None:
        environment["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
    context = chromium.browser_type.launch_persistent_context(
        str(home / "profile"), executable_path="/usr/bin/chromium", headless=desktop is None, args=["--no-sandbox"],
        env=environment, **STAY)
    context.add_init_script(service.script)
    context.grant_permissions(["notifications"], origin=server.lan)
    page = context.pages[0]
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(asked(server, "POST", "/api/pairings", {"person": person})["address"])
    expect(page.get_by_test_id("pair-person")).to_contain_text(name)
    paired(page, f"Phone of {name}")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    yield page
    context.close()
    assert errors == []


def open_notifications(page):
    page.get_by_test_id("tab-settings").click()
    page.get_by_test_id("room-notifications").click()


def choose(page, level):
    page.get_by_test_id("notify-level").locator(f"label:has(input[value={level}])").click()


def chosen(page, level):
    expect(page.get_by_test_id("notify-level").locator(f"input[value={level}]")).to_be_checked()


def subscription(page):
    """What the server knows of the device of a page."""
    return page.evaluate("() => fetch('/api/push').then((answer) => answer.json())").get("subscription")


@two_parts
def test_a_comment_comes_through_the_push_service_and_a_press_leads_to_its_place(
        trio, chromium, server, service, tmp_path):
    ana, ben, group, walk = trio
    with Desktop() as desktop, phone_of(chromium, server, service, ben, tmp_path / "home", desktop) as phone, \
            browser_of(chromium, server, ana, "Ana", **DESKTOP) as teacher:
        open_notifications(phone)
        chosen(phone, "off")
        choose(phone, "mentions")
        chosen(phone, "mentions")
        assert subscription(phone) == {"endpoint": f"{service.origin}/ben", "level": "mentions", "language": "en"}
        phone.get_by_test_id("room-back").click()
        expect(phone.get_by_test_id("room-notifications")).to_contain_text("On")
        phone.get_by_test_id("tab-routines").click()

        open_swan(teacher)
        write_on_move(teacher, "To everybody")
        write_on_move_again(teacher, "Arms up, @Ben!")
        path, fields, text = service.next()
        # The first one, which mentions nobody, went to nobody.
        assert (path, text["text"]) == ("/ben", "Arms up, @Ben!")
        assert service.arrived.empty()
        content, key = claims(fields["Authorization"], service.origin)
        assert content["sub"] == "mailto:you@school.example"
        asked_with = json.loads(phone.evaluate("() => localStorage.getItem('stub.subscription')"))["key"]
        assert key == asked_with.rstrip("=").replace("+", "-").replace("/", "_")
        assert fields["TTL"] == "259200" and len(fields["Topic"]) == 32
        comment = text.pop("comment")
        assert text == {
            "language": "en", "routine": swan(server), "part": text["part"], "who": "Ana",
            "where": ["Swan", "One", "Walk"], "text": "Arms up, @Ben!", "isMention": True}

        receiver = Receiver(phone)
        receiver.deliver({**text, "comment": comment})
        identifier, title, body = desktop.shown.get(timeout=20)
        assert title == "Ana mentioned you"
        assert body.endswith("Swan · One · Walk\nArms up, @Ben!")
        desktop.press(identifier)
        expect(phone.get_by_test_id("routine-page")).to_be_visible()
        expect(shown_part(phone).get_by_test_id("comment-text").nth(1)).to_have_text("Arms up, @Ben!")
        assert phone.evaluate("() => location.pathname") == f"/routines/{text['routine']}/parts/{text['part']}"

        # The page is in front, and shows the routine: another comment there needs no notification.
        receiver.deliver({**text, "comment": comment, "text": "Seen at once"})
        receiver.deliver({**text, "comment": comment, "routine": "another", "text": "Of another routine"})
        assert desktop.shown.get(timeout=20)[2].endswith("Of another routine")
        assert desktop.shown.empty()


def write_on_move_again(page, text):
    shown_part(page).get_by_test_id("move-number").click()
    page.get_by_test_id("move-comment").click()
    page.get_by_test_id("comment-field").fill(text)
    page.get_by_test_id("comment-save").click()
    expect(page.get_by_test_id("comment-sheet")).to_have_count(0)


@two_parts
def test_a_notification_of_a_moment_opens_the_app_there(trio, chromium, server, service, tmp_path):
    ana, ben, *_ = trio
    with phone_of(chromium, server, service, ben, tmp_path / "home") as phone:
        part = server.records("part")[1]
        comment = write_comment(server, "Later here", part=part["id"], startFrame=part["startFrame"] + 2 * RATE)
        phone.goto(f"{server.lan}/routines/{swan(server)}/parts/{part['id']}#comment={comment}")
        # On a phone the moment is in the large player.
        expect(phone.get_by_test_id("player-collapse")).to_be_visible()
        expect(phone.get_by_test_id("time-now")).to_contain_text("0:02")
        assert phone.evaluate("() => location.hash") == ""


def write_comment(server, text, **fields):
    """The owner's comment."""
    (comment,) = write(server, [("comment", {"routine": swan(server), "text": text, **fields})])
    return comment


@two_parts
def test_a_device_that_is_switched_off_without_a_network_is_forgotten_at_the_next_contact(
        trio, chromium, server, service, tmp_path):
    ana, ben, *_ = trio
    with phone_of(chromium, server, service, ben, tmp_path / "home") as phone:
        open_notifications(phone)
        choose(phone, "all")
        chosen(phone, "all")
        phone.context.set_offline(True)
        choose(phone, "off")
        expect(phone.get_by_test_id("toast")).to_contain_text("The server is told when it can be reached.")
        chosen(phone, "off")
        phone.context.set_offline(False)
        eventually(lambda: subscription(phone), lambda known: known is None)
        # In the list of what is new it is offered as well, and tells every comment now.
        phone.get_by_test_id("room-back").click()
        phone.get_by_test_id("tab-routines").click()
        write_comment(server, "From the top", move=trio[3])
        open_swan(phone)
        phone.get_by_test_id("comments-news").click()
        phone.get_by_test_id("notify-open").click()
        choose(phone, "all")
        eventually(lambda: subscription(phone), lambda known: known and known["level"] == "all")
        write_comment(server, "Once more", move=trio[3])
        assert service.next()[2]["text"] == "Once more"
        # An address that has ended is forgotten by the server, and then by the browser.
        service.status = 410
        write_comment(server, "To nobody", move=trio[3])
        service.next()
        eventually(lambda: subscription(phone), lambda known: known is None)
        phone.reload()
        eventually(lambda: phone.evaluate("() => localStorage.getItem('stub.subscription')"), lambda kept: kept is None)


@two_parts
def test_a_browser_tells_another_language_and_another_key_of_the_server(trio, chromium, server, service, tmp_path):
    ana, ben, *_ = trio
    with phone_of(chromium, server, service, ben, tmp_path / "home") as phone:
        open_notifications(phone)
        choose(phone, "all")
        chosen(phone, "all")
        phone.evaluate("() => localStorage.setItem('segmance.language', 'es')")
        phone.reload()
        eventually(lambda: subscription(phone), lambda known: known["language"] == "es")
        expect(phone.get_by_test_id("notify-level")).to_contain_text("Cuando me mencionan")
        before = json.loads(phone.evaluate("() => localStorage.getItem('stub.subscription')"))
        # As if the server had got another key: the browser subscribes anew with the one that it has now.
        phone.evaluate("(kept) => localStorage.setItem('stub.subscription', JSON.stringify(kept))", {
            **before, "key": base64url(b"\4" + bytes(64))})
        phone.reload()
        eventually(
            lambda: json.loads(phone.evaluate("() => localStorage.getItem('stub.subscription')") or "{}").get("key"),
            lambda key: key == before["key"])
        eventually(lambda: subscription(phone), lambda known: known and known["level"] == "all")


@two_parts
def test_who_leaves_takes_the_subscription_along(trio, chromium, server, service, tmp_path):
    ana, ben, *_ = trio
    with phone_of(chromium, server, service, ben, tmp_path / "home") as phone:
        open_notifications(phone)
        choose(phone, "all")
        chosen(phone, "all")
        phone.get_by_test_id("room-back").click()
        phone.get_by_test_id("room-devices").click()
        phone.get_by_test_id("leave").click()
        phone.get_by_test_id("confirm-action").click()
        eventually(lambda: phone.evaluate("() => localStorage.getItem('stub.subscription')"), lambda kept: kept is None)


@two_parts
def test_a_device_that_cannot_be_notified_says_why(trio, chromium, server, service):
    ana, ben, *_ = trio
    # The owner's own machine, which is no device.
    with first_screen(chromium, server, **DESKTOP) as owner:
        open_notifications(owner)
        expect(owner.get_by_test_id("notify-obstacle")).to_contain_text("Only paired devices can be notified")
        expect(owner.get_by_test_id("notify-level")).to_have_count(0)
    # A browser that does not trust the certificate has no service worker.
    with browser_of(chromium, server, ben, "Ben", user_agent=None) as untrusting:
        open_notifications(untrusting)
        expect(untrusting.get_by_test_id("notify-obstacle")).to_contain_text("doesn’t trust the server’s certificate")
    # An iPhone's browser, in which the app is not installed.
    with browser_of(chromium, server, ben, "Ben", user_agent=IPHONE) as safari:
        open_notifications(safari)
        expect(safari.get_by_test_id("notify-obstacle")).to_contain_text("add it there, and open it from there")


@two_parts
def test_a_person_who_blocks_notifications_is_told_how_to_allow_them(trio, chromium, server, service, tmp_path):
    ana, ben, *_ = trio
    with phone_of(chromium, server, service, ben, tmp_path / "home") as phone:
        phone.context.clear_permissions()
        phone.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })")
        phone.reload()
        open_notifications(phone)
        expect(phone.get_by_test_id("notify-obstacle")).to_contain_text("Allow them in its settings for this site")


@two_parts
def test_without_a_contact_nothing_of_notifications_is_shown(parts, chromium, tmp_path, begin_with):
    with Studio(tmp_path / "library", options=LAN) as server:
        server.skip_welcome()
        ana, ben, group, walk = begun(server)
        with browser_of(chromium, server, ben, "Ben", user_agent=None) as page:
            answer = page.evaluate("() => fetch('/api/push').then((answer) => answer.json())")
            assert answer == {"isDevice": True}
            write_comment(server, "From the top", move=walk)
            open_swan(page)
            page.get_by_test_id("comments-news").click()
            expect(page.get_by_test_id("comment-row")).to_be_visible()
            expect(page.get_by_test_id("notify-open")).to_have_count(0)
            page.keyboard.press("Escape")
            page.get_by_test_id("routine-back").click()
            page.get_by_test_id("tab-settings").click()
            expect(page.get_by_test_id("room-groups")).to_be_visible()
            expect(page.get_by_test_id("room-notifications")).to_have_count(0)


@two_parts
def test_the_choice_is_accessible_in_light_and_dark(trio, chromium, server, service, tmp_path):
    ana, ben, *_ = trio
    with phone_of(chromium, server, service, ben, tmp_path / "home") as phone:
        open_notifications(phone)
        chosen(phone, "off")
        for _ in range(2):
            change_theme(phone)
            assert violations(phone) == [] and too_small(phone) == [] and wider_than_window(phone) == []
