"""Fixtures of the application's tests: a server with an empty library, and the two browsers."""

import contextlib
import os
import pathlib
import subprocess
import sys

import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from offline_support import Device  # noqa: E402
from prepared import PreparedLibraries, songs  # noqa: E402
from studio import (  # noqa: E402
    CONTEXT, DESKTOP, FULL_CHROMIUM, HEADLESS_SHELL, PHONE, Server, eventually, first_screen, launched, open_webkit)

# Parallel tests share the machine, so the default of 5 s is too short. Only failing tests take longer.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def prepared_libraries(tmp_path_factory):
    """The prepared libraries."""
    return PreparedLibraries(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def begin_with(tmp_path, prepared_libraries):
    """Copies a prepared library to the folder of `server`. The test must request `server` after this."""
    return lambda make, *arguments: prepared_libraries.copy(make, *arguments, to=tmp_path / "library")


@pytest.fixture
def parts(request, begin_with):
    """A library with the routine "Swan", of one short song or of the parts given by `has_parts`."""
    begin_with(songs, *getattr(request, "param", [("One", 3)]))


@pytest.fixture
def server(tmp_path):
    """A running server, with an empty library unless a prepared one was copied before."""
    with Server(tmp_path / "library") as server:
        yield server


@pytest.fixture(scope="session")
def postgresql():
    """The address of a PostgreSQL server of these tests. A library needs a schema of its own there."""
    program = pathlib.Path(__file__).parents[2] / "scripts/with-postgresql"
    server = subprocess.Popen(
        [program, "sh", "-c", 'echo "$SEGMANCE_TEST_DATABASE"; cat >/dev/null'],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield server.stdout.readline().strip()
    server.stdin.close()
    assert server.wait() == 0


@pytest.fixture(scope="session")
def playwright():
    """Playwright, which drives both builds of Chromium."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    """Chromium's headless shell, shared by the tests; each opens its own contexts.

    A test that needs the whole of Chromium takes `full_chromium`, or has the mark of this name, and says why.
    """
    with contextlib.closing(launched(playwright, HEADLESS_SHELL)) as browser:
        yield browser


@pytest.fixture(scope="session")
def full_chromium(playwright):
    """The whole of Chromium, as it is installed on a desktop, for what the headless shell lacks."""
    with contextlib.closing(launched(playwright, FULL_CHROMIUM)) as browser:
        yield browser


@pytest.fixture(autouse=True)
def motion(request, monkeypatch):
    """Lets the pages of a test with the mark `moving` move as for those who did not ask for less motion."""
    if request.node.get_closest_marker("moving"):
        monkeypatch.setitem(CONTEXT, "reduced_motion", "no-preference")


@pytest.fixture
def browser(request):
    """The browser of `phone`, `desktop` and `device`: the shell, or the whole of Chromium with the mark `full_chromium`."""
    is_full = request.node.get_closest_marker("full_chromium") is not None
    return request.getfixturevalue("full_chromium" if is_full else "chromium")


@pytest.fixture
def phone(browser, server):
    """The first screen on an emulated phone."""
    with first_screen(browser, server, **PHONE) as page:
        yield page


@pytest.fixture
def desktop(browser, server):
    """The first screen in a desktop's window."""
    with first_screen(browser, server, **DESKTOP) as page:
        yield page


@pytest.fixture
def webkit(server):
    """WebKitGTK at the first screen after the welcome."""
    server.skip_welcome()
    assert os.environ.get("DISPLAY"), "run this under xvfb-run"
    with open_webkit(server.origin) as driver:
        # Leaving a page during the creation of its database can block WebKit's database for a while.
        standing = "return document.querySelectorAll('[data-testid]').length > 0"
        eventually(lambda: driver.execute_script(standing), bool)
        yield driver


@pytest.fixture
def device(browser, server):
    """A phone with the installed app, after the welcome."""
    server.skip_welcome()
    device = Device(browser, server)
    yield device
    device.close()
