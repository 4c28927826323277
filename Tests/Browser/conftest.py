"""Fixtures of the application's tests: a server with an empty library, and the two browsers."""

import os
import pathlib
import subprocess
import sys

import pytest
from playwright.sync_api import expect

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from offline_support import Device  # noqa: E402
from prepared import PreparedLibraries, songs  # noqa: E402
from studio import (  # noqa: E402
    DESKTOP, PHONE, Server, eventually, first_screen, open_chromium, open_webkit)

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
def chromium():
    """Chromium, shared by all tests; each test opens its own contexts."""
    with open_chromium() as browser:
        yield browser


@pytest.fixture
def phone(chromium, server):
    """The first screen on an emulated phone."""
    with first_screen(chromium, server, **PHONE) as page:
        yield page


@pytest.fixture
def desktop(chromium, server):
    """The first screen in a desktop's window."""
    with first_screen(chromium, server, **DESKTOP) as page:
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
def device(chromium, server):
    """A phone with the installed app, after the welcome."""
    server.skip_welcome()
    device = Device(chromium, server)
    yield device
    device.close()
