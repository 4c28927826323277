"""Helpers for tests with several devices: a server with a network, and paired phones."""

import contextlib
import json

import pytest
from playwright.sync_api import expect
from studio import Server, eventually
from test_moves import write

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "user_agent": IPHONE}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def studio(tmp_path):
    """A server whose network can be switched on, on a free port."""
    with Server(tmp_path / "library", options=["--lan-port", "0"]) as server:
        server.skip_welcome()
        yield server


@contextlib.contextmanager
def opened(chromium, address, script="", **settings):
    """A page in its own browser context. An error in the page fails the test."""
    context = chromium.new_context(
        ignore_https_errors=True, **{"service_workers": "block", **settings})
    context.add_init_script(script)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert errors == []


def switch_on(studio):
    status, content = studio.request("PUT", "/api/network", {"isOn": True})
    assert status == 200, content
    return json.loads(content)


def invite(studio):
    """Returns a pairing link, as in the QR code."""
    status, content = studio.request("POST", "/api/pairings", {})
    assert status == 201, content
    return json.loads(content)["address"]


def devices(studio):
    return json.loads(studio.request("GET", "/api/devices")[1])["devices"]


@contextlib.contextmanager
def paired_phone(chromium, studio, name="Phone", **settings):
    """A paired phone at the list of routines."""
    switch_on(studio)
    with opened(chromium, invite(studio), **{**PHONE, **settings}) as page:
        page.get_by_test_id("pair-name").fill(name)
        page.get_by_test_id("pair-join").click()
        expect(page.get_by_test_id("tab-routines")).to_be_visible()
        page.get_by_test_id("toast").get_by_label("Dismiss").click()
        yield page


@pytest.fixture
def swan(studio):
    """A routine of two parts with audio; returns its address."""
    studio.request("POST", "/api/sample")
    eventually(lambda: studio.records("track"), lambda tracks: tracks and tracks[0]["state"] == "ready", 60)
    track = studio.records("track")[0]["id"]
    (routine,) = write(studio, [("routine", {"title": "Swan"})])
    write(studio, [
        ("part", {"routine": routine, "title": title, "position": position, "track": track,
                  "startFrame": start * 48_000, "endFrame": (start + 20) * 48_000})
        for title, position, start in [("Entrance", "a", 0), ("Chorus", "b", 20)]])
    return f"/routines/{routine}"
