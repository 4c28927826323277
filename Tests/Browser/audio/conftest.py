"""The fixtures of the audio tests."""

import os
import pathlib
import shutil
import sys

import pytest

# Also imports the browser tests' helpers, because one test starts a real server.
for folder in (pathlib.Path(__file__).parents[1], pathlib.Path(__file__).parent):
    sys.path.insert(0, str(folder))

from audio_support import AudioServer, Chromium, Track, WebKit  # noqa: E402


@pytest.fixture(scope="session")
def track(tmp_path_factory):
    return Track(tmp_path_factory.mktemp("chunks"))


@pytest.fixture(scope="session")
def audio_server(tmp_path_factory, track):
    server = AudioServer(tmp_path_factory.mktemp("served"), track)
    yield server
    server.close()


def open_webkit(url):
    """Opens WebKitGTK, which needs a display (make test gives it one)."""
    assert os.environ.get("DISPLAY"), "run this under xvfb-run"
    assert shutil.which("WebKitWebDriver"), "install webkit2gtk-driver"
    return WebKit(url)


@pytest.fixture(scope="session", params=["chromium", "webkit"])
def both_browsers(request, audio_server):
    if request.param == "chromium":
        browser = Chromium(audio_server.url, request.getfixturevalue("chromium"))
    else:
        browser = open_webkit(audio_server.url)
    yield browser
    browser.close()


@pytest.fixture
def audio_browser(both_browsers, audio_server):
    """A fresh page in each of the browsers."""
    audio_server.failures = 0
    audio_server.lost.clear()
    audio_server.requests.clear()
    both_browsers.reload()
    yield both_browsers
    both_browsers.leave()
