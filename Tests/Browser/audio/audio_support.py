"""Helpers for the audio tests: a track of known samples in chunks made by ffmpeg, a small server that
serves them with the headers of the real one, and the two browsers."""

import contextlib
import http.server
import json
import pathlib
import re
import subprocess
import threading

import numpy
import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.common.by import By
from voices import voice_file

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHUNK_FRAMES = 480_000
TRACK_FRAMES = 2 * CHUNK_FRAMES + 123_457
WASM = ROOT / "dist" / "client" / "engine.wasm"

#: Tests that play through the audio clock. WebKitGTK's clock may stop on a busy machine.
LIVE = pytest.mark.parametrize(
    "both_browsers", ["chromium", pytest.param("webkit", marks=pytest.mark.timed)], indirect=True,
    scope="session")


def at_speeds(*more):
    """Runs a test at 100 % in both browsers and at 75 % in Chromium; `more` are further browsers and speeds.

    Tests/PracticeEngineTests have the same at speeds from 25 to 150 %, and Tests/Engine/vectors.mjs compares the
    engine's WebAssembly with the native one to the bit. What is left for the browsers is that the worklet passes the
    speed on, and that each of them runs the engine.
    """
    return pytest.mark.parametrize(
        "both_browsers, percent", [("chromium", 100), ("chromium", 75), ("webkit", 100), *more],
        indirect=["both_browsers"], scope="session")


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
    "worker-src 'self'; connect-src 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
PAGE = b"<!doctype html><title>Audio</title><button>Play</button><script src=/page.js></script>"


def ffmpeg(*arguments, data=None):
    """Runs ffmpeg and returns its standard output."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)]
    if data is not None:
        command.remove("-nostdin")
    return subprocess.run(command, input=data, check=True, capture_output=True).stdout


class Track:
    """16-bit noise in FLAC chunks, and the samples that ffmpeg decodes from them."""

    def __init__(self, folder):
        noise = numpy.random.default_rng(7).integers(-20_000, 20_000, (TRACK_FRAMES, 2), "<i2")
        noise[noise == 0] = 1
        ffmpeg(
            "-f", "s16le", "-ar", 48_000, "-ac", 2, "-i", "pipe:0", "-frame_size", 4_800,
            "-f", "segment", "-segment_time", 10, "-c:a", "flac", "-sample_fmt", "s16",
            folder / "%d.flac", data=noise.tobytes(),
        )
        self.chunks = [(folder / f"{n}.flac").read_bytes() for n in range(3)]
        decoded = b"".join(
            ffmpeg("-i", folder / f"{n}.flac", "-f", "s16le", "pipe:1") for n in range(3)
        )
        #: Frames by channels, as floats of 16-bit steps.
        self.samples = numpy.frombuffer(decoded, "<i2").reshape(-1, 2) / 32_768
        assert len(self.samples) == TRACK_FRAMES


class AudioServer:
    """Serves the page, the engine and the chunks on a free port."""

    def __init__(self, folder, track):
        self.track = track
        self.result = b""
        #: How many more requests for a chunk are answered with 503.
        self.failures = 0
        #: Chunks that are not here, by their track's name and their number.
        self.lost = set()
        self.requests = []
        #: Chunks of further tracks by their name.
        self.more_tracks = {}
        self.files = {
            "/": ("text/html", PAGE),
            "/favicon.ico": ("image/x-icon", b""),
            "/engine.wasm": ("application/wasm", WASM.read_bytes()),
            "/voice-en.wav": ("audio/wav", voice_file("en").read_bytes()),
            "/page.js": ("text/javascript", bundle(pathlib.Path(__file__).parent / "page.ts")),
            "/worklet.js": ("text/javascript", bundle(ROOT / "client/src/worklet/processor.ts")),
            "/testWorklet.js": ("text/javascript", bundle(pathlib.Path(__file__).parent / "processor.ts")),
        }
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path):
        """Returns status, type and bytes for a path."""
        if path in self.files:
            return 200, *self.files[path]
        chunk = re.fullmatch(r"/api/tracks/([\w-]+)/chunks/(\d+)", path)
        if not chunk:
            return 404, "text/plain", b"not here"
        name, number = chunk[1], int(chunk[2])
        self.requests.append((name, number))
        if self.failures > 0:
            self.failures -= 1
            return 503, "text/plain", b"not now"
        if (name, number) in self.lost:
            return 404, "text/plain", b"not here"
        if name in self.more_tracks:
            return 200, "audio/flac", self.more_tracks[name][number]
        if name == "missing" or (name == "noise" and number > 2):
            return 404, "text/plain", b"not here"
        if name == "damaged":
            return 200, "audio/flac", self.track.chunks[0][:5_000] + b"\x55" * 5_000
        # The track "hour" repeats the first chunk.
        return 200, "audio/flac", self.track.chunks[number if name == "noise" else 0]

    def handler(self):
        served = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.reply(*served.answer(self.path))

            def do_POST(self):
                served.result = self.rfile.read(int(self.headers["Content-Length"]))
                self.reply(200, "text/plain", b"")

            def reply(self, status, kind, body):
                self.send_response(status)
                for name, value in {**HEADERS, "Content-Type": kind}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler


def bundle(source):
    """Bundles TypeScript as the client's build does."""
    return subprocess.run(
        ["esbuild", str(source), "--bundle", "--target=es2020,safari15", "--log-level=warning"],
        check=True, capture_output=True,
    ).stdout


class Chromium:
    """A page of the shared Chromium."""

    def __init__(self, url, browser):
        self.browser = browser
        self.url = url
        self.page = None
        self.reload()

    def reload(self):
        """Opens a fresh page."""
        if self.page:
            self.page.close()
        self.page = self.browser.new_page()
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(self.url)

    def call(self, expression, *arguments):
        """Evaluates a function of the page with arguments and waits for its promise."""
        return self.page.evaluate(f"(a) => ({expression})(...a)", list(arguments))

    def press(self):
        self.page.click("button")

    def leave(self):
        """Stops the page's audio before the page is closed."""
        self.call("() => stage.close()")
        assert self.errors == []

    def close(self):
        self.page.close()


class WebKit:
    """WebKitGTK with its own driver; needs a display."""

    def __init__(self, url):
        self.url = url
        self.open()
        self.reload()

    def open(self):
        """Starts the browser."""
        minibrowser = next(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(minibrowser)
        options.add_argument("--automation")
        service = webdriver.webkitgtk.service.Service("/usr/bin/WebKitWebDriver")
        self.driver = webdriver.WebKitGTK(options=options, service=service)
        self.driver.set_script_timeout(120)

    def reload(self):
        """Opens a fresh page."""
        with self.replace_after_crash():
            self.driver.get(self.url)
            return
        self.driver.get(self.url)

    def leave(self):
        """Stops the page's audio."""
        with self.replace_after_crash():
            self.call("() => stage.close()")

    @contextlib.contextmanager
    def replace_after_crash(self):
        """Opens a new browser if the browser crashes.

        About once in a hundred pages WebKitGTK 2.50 crashes when a page's audio thread ends (a null
        pointer in its own library). At that time the test is complete. A crash during a test still
        fails the test, and so does audio that does not stop.
        """
        try:
            yield
        except TimeoutException:
            raise
        except WebDriverException:
            self.driver.service.stop()
            self.open()

    def call(self, expression, *arguments):
        answer = self.driver.execute_async_script(
            "const [source, done] = [JSON.parse(arguments[0]), arguments[1]];"
            f"Promise.resolve().then(() => ({expression})(...source))"
            ".then((value) => done({ value }), (error) => done({ error: String(error) }));",
            json.dumps(arguments),
        )
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer.get("value")

    def press(self):
        self.driver.find_element(By.TAG_NAME, "button").click()

    def close(self):
        self.driver.quit()
