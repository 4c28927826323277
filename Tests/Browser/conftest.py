"""Fixtures of the application's tests: a server with an empty library, and the two browsers."""

import os
import pathlib
import sys

import pytest
from playwright.sync_api import expect

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from offline_support import Device  # noqa: E402
from studio import Server, eventually, first_screen, open_chromium, open_webkit  # noqa: E402

# Lanes of tests share the machine: its 5 s are soon over, and only what fails takes longer.
expect.set_options(timeout=20_000)


def pytest_configure(config):
    config.addinivalue_line("markers", "timed: expects something within a time (make test-timed)")
    config.addinivalue_line("markers", "long: repeats much, or a second browser's turn (make test-long)")


@pytest.fixture
def server(tmp_path):
    """A running Segmance with an empty library."""
    with Server(tmp_path / "library") as server:
        yield server


@pytest.fixture(scope="session")
def chromium():
    """Chromium, shared; each test opens contexts of its own."""
    with open_chromium() as browser:
        yield browser


@pytest.fixture
def phone(chromium, server):
    """The first screen on an emulated phone."""
    with first_screen(
            chromium, server, viewport={"width": 390, "height": 844}, has_touch=True,
            color_scheme="dark") as page:
        yield page


@pytest.fixture
def desktop(chromium, server):
    """The first screen in a desktop's window."""
    with first_screen(chromium, server, viewport={"width": 1280, "height": 800}) as page:
        yield page


@pytest.fixture
def webkit(server):
    """WebKitGTK at the first screen after the welcome."""
    server.skip_welcome()
    assert os.environ.get("DISPLAY"), "run this under xvfb-run"
    with open_webkit(server.origin) as driver:
        # A page that is left while its database is being made can leave WebKit's stuck for a while.
        standing = "return document.querySelectorAll('[data-testid]').length > 0"
        eventually(lambda: driver.execute_script(standing), bool)
        yield driver


@pytest.fixture
def device(chromium, server):
    """A phone with the whole app on it, after the welcome."""
    server.skip_welcome()
    device = Device(chromium, server)
    yield device
    device.close()
