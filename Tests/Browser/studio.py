"""Helpers for the browser tests: a server per test, audio files, and the two browsers."""

import base64
import contextlib
import functools
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import uuid

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "dist" / "segmance"
RATE = 48_000


def new_database():
    """The address of a new schema on the PostgreSQL server of `scripts/with-postgresql`; None without one."""
    address = os.environ.get("SEGMANCE_TEST_DATABASE")
    return address and f"{address}&options=-csearch_path%3Dtest_{uuid.uuid4().hex}"


def name_database(folder):
    """Lets a new library have its records on the PostgreSQL server, if there is one."""
    if any((folder / name).exists() for name in ("segmance.sqlite", "database.address")):
        return
    if address := new_database():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "database.address").write_text(f"{address}\n")


class Server:
    """A server on a free port, with a library in `folder` and its log in the file `log`."""

    def __init__(self, folder, port=0, options=(), client=None, before=(), log=None, is_embedded=False):
        self.folder = folder
        self.log = log
        earlier = 0 if log is None or not log.exists() else log.read_text().count("server.started")
        built = [] if client is None else ["--client", str(client)]
        if not is_embedded:
            name_database(pathlib.Path(folder))
        self.process = subprocess.Popen(
            [*before, str(PROGRAM), "serve", "--port", str(port), "--data", str(folder), *options,
             *built],
            stdout=subprocess.PIPE, text=True, stderr=log and open(log, "ab"))
        if log is None:
            line = self.process.stdout.readline()
            self.port = int(re.search(r":(\d+)$", line).group(1))
        else:
            # An earlier server may also have written to the file.
            started = eventually(
                lambda: re.findall(r'server\.started.*port"?[=:](\d+)', log.read_text()),
                lambda starts: len(starts) > earlier)
            self.port = int(started[-1])
        self.origin = f"http://localhost:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Sends SIGTERM and waits until the server ends by itself."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            assert self.process.wait(timeout=20) == 0

    def kill(self):
        """Kills the server with SIGKILL."""
        self.process.kill()
        self.process.wait(timeout=20)

    def request(self, method, path, value=None, headers=None):
        """Sends JSON with the headers of a same-origin page; returns status and body."""
        connection = http.client.HTTPConnection("localhost", self.port)
        body = None if value is None else json.dumps(value)
        fields = {"Origin": self.origin, "Content-Type": "application/json", **(headers or {})}
        connection.request(method, path, body=body, headers=fields)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def set(self, setting, value):
        """Sets a setting, as another device."""
        self.edit("setting", setting, {"value": value})

    def edit(self, kind, record, fields):
        """Sets fields of a record, as another device."""
        change = {
            "id": str(uuid.uuid4()), "type": kind, "record": record, "fields": fields,
            "at": f"{int(time.time() * 1000):013d}-0000-0000beef"}
        status, content = self.request("POST", "/api/sync", {"since": 0, "changes": [change]})
        assert status == 200 and json.loads(content)["rejected"] == [], content

    def skip_welcome(self):
        """Marks the welcome and the tips as seen."""
        self.set("welcomeSeen", True)
        self.set("tipsSeen", "routine-menu,swipe,moves,section,move-types")

    def tus(self, method, path, body=None, **fields):
        """Sends a request of an upload; returns the answer, which was read."""
        connection = http.client.HTTPConnection("localhost", self.port)
        connection.request(method, path, body=body, headers={
            "Origin": self.origin, "Tus-Resumable": "1.0.0",
            **{name.replace("_", "-"): value for name, value in fields.items()}})
        answer = connection.getresponse()
        answer.content = answer.read()
        connection.close()
        return answer

    def begin_upload(self, length, name="song.wav"):
        """Announces a file; returns the path of its upload."""
        encoded = base64.b64encode(name.encode()).decode()
        answer = self.tus(
            "POST", "/api/uploads", Upload_Length=str(length), Upload_Metadata=f"filename {encoded}")
        assert answer.status == 201, answer.content
        return answer.headers["Location"]

    def send_piece(self, location, content, offset):
        """Sends bytes of an upload; returns the answer."""
        return self.tus(
            "PATCH", location, content, Upload_Offset=str(offset),
            Content_Type="application/offset+octet-stream")

    def uploaded(self, location):
        """How many bytes of an upload have arrived."""
        answer = self.tus("HEAD", location)
        assert answer.status == 200
        return int(answer.headers["Upload-Offset"])

    def upload(self, content, name="song.wav"):
        """Uploads bytes with tus; returns the upload's id."""
        location = self.begin_upload(len(content), name)
        assert self.send_piece(location, content, 0).status == 204
        return location.rsplit("/", 1)[1]

    def add(self, kind, name, content):
        """Adds a track or a video; returns its record when it is ready."""
        status, answer = self.request("POST", f"/api/{kind}s", {"upload": self.upload(content, name)})
        assert status in (200, 202), answer
        added = json.loads(answer)["id"]
        return eventually(
            lambda: next(record for record in self.records(kind) if record["id"] == added),
            lambda record: record["state"] == "ready", 90)

    def records(self, kind):
        """Returns the library's records of one type that are not deleted."""
        _, content = self.request("POST", "/api/sync", {"since": 0, "changes": []})
        records = json.loads(content)["records"]
        return [
            record for record in records
            if record["type"] == kind and record["deletedAt"] is None
        ]


def eventually(look, holds, seconds=20):
    """Calls `look` until `holds` is true of its result, and returns the result; fails after `seconds`."""
    seen = last_seen(look, holds, seconds)
    assert holds(seen), f"Still so after {seconds} s: {seen!r}"
    return seen


def last_seen(look, holds, seconds=20):
    """Calls `look` until `holds` is true of its result or the time is over; returns the last result.

    A missing record or field counts as not yet true.
    """
    deadline = time.monotonic() + seconds
    while True:
        is_last = time.monotonic() > deadline
        try:
            seen = look()
            if holds(seen) or is_last:
                return seen
        except (LookupError, StopIteration):
            if is_last:
                raise
        time.sleep(0.05)


@functools.lru_cache(maxsize=8)
def song(seconds, seed=1):
    """Returns a WAV file of a quiet chord, different for each seed."""
    at = numpy.arange(int(seconds * RATE)) / RATE
    chord = sum(numpy.sin(2 * numpy.pi * (220 + 40 * seed) * step * at) for step in (1, 1.25, 1.5))
    pulse = 0.4 + 0.6 * (numpy.sin(2 * numpy.pi * 2 * at) > 0)
    samples = (chord * pulse * 5_000).astype("<i2")
    return wav_file(numpy.column_stack([samples, samples]))


def noise(seconds, seed=1):
    """Returns a WAV file of noise, which is slow to encode."""
    second = numpy.random.default_rng(seed).integers(-8_000, 8_000, (RATE, 2)).astype("<i2")
    return wav_file(numpy.tile(second, (seconds, 1)))


def wav_file(samples):
    """Returns a WAV file of 16-bit samples, frames by two channels, at 48 kHz."""
    data = samples.tobytes()
    return (
        b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt "
        + (16).to_bytes(4, "little") + (1).to_bytes(2, "little") + (2).to_bytes(2, "little")
        + RATE.to_bytes(4, "little") + (RATE * 4).to_bytes(4, "little")
        + (4).to_bytes(2, "little") + (16).to_bytes(2, "little")
        + b"data" + len(data).to_bytes(4, "little") + data)


def pick_song(page, folder, name, content):
    """Picks a song for the clipper. Playwright passes a file's path faster than its bytes."""
    path = folder / name
    path.write_bytes(content)
    page.get_by_test_id("song-files").set_input_files(path)


def resting_box(locator):
    """Returns the place of an element on the screen, for the mouse or a finger, once neither it nor what
    holds it moves. A sheet that still rises takes no press where it will be."""
    locator.evaluate(
        """async (element) => {
          const moves = document.getAnimations().filter((move) => move.playState === 'running'
            && move.effect.target?.contains(element) && move.effect.getComputedTiming().endTime !== Infinity);
          await Promise.allSettled(moves.map((move) => move.finished));
        }""")
    # Waits for two pictures with the same place, too: scripts move things without an animation.
    locator.scroll_into_view_if_needed()
    return locator.bounding_box()


def drag_below(page, grip, other):
    """Drags a row by its grip below another row, with the mouse."""
    box = resting_box(other)
    # The elements, as their numbers in the list change meanwhile.
    dragged, passed = grip.element_handle(), other.element_handle()
    # On a loaded machine a press may come before the list takes one: then it is made again.
    for _ in range(3):
        grip.hover()
        page.mouse.down()
        page.mouse.move(box["x"] + 10, box["y"] + 10, steps=8)
        if dragged.evaluate("(grip) => grip.closest('.is-ghost') !== null"):
            break
        page.mouse.up()
    else:
        raise AssertionError("the row does not follow the mouse")
    # The list ignores the mouse while rows that gave way are still moving, so the mouse moves once in each picture.
    for index in range(800):
        page.mouse.move(box["x"] + 10, box["y"] + box["height"] - index % 2)
        if passed.evaluate(
                """(passed, dragged) => new Promise((done) => requestAnimationFrame(
                  () => done(Boolean(passed.compareDocumentPosition(dragged) & 4))))""", dragged):
            break
    page.mouse.up()


def drop_files(page, files):
    """Dispatches the events of dropping files, given as (name, bytes), on the page."""
    page.locator("main").wait_for()
    page.evaluate(
        """(files) => {
          const transfer = new DataTransfer();
          for (const [name, base64] of files) {
            const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
            transfer.items.add(new File([bytes], name, { type: 'audio/wav' }));
          }
          const target = document.body;
          for (const type of ['dragenter', 'dragover', 'drop']) {
            target.dispatchEvent(
              new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
          }
        }""",
        [[name, base64.b64encode(content).decode()] for name, content in files])


def create(page, title, files):
    """Drops files on the page, names the routine, and creates it when every song is ready."""
    from playwright.sync_api import expect

    drop_files(page, files)
    page.get_by_test_id("editor-title").fill(title)
    for index in range(len(files)):
        expect(page.get_by_test_id("song-row").nth(index)).to_have_attribute(
            "data-state", "ready", timeout=60_000)
    page.get_by_test_id("editor-create").click()
    expect(page.get_by_test_id("routine-page")).to_be_visible()


def open_card(page):
    """Opens the only routine at its first part, and waits until it can be played."""
    from playwright.sync_api import expect

    page.get_by_test_id("routine-card").click()
    expect(page.get_by_test_id("play")).to_be_enabled()


# Disabled Chromium features. The WebUIOmnibox ones open a hidden page per window. This list replaces
# Playwright's own; the others are those of its entries that affect a page.
DISABLED_FEATURES = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "PaintHolding", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "OptimizationHints", "MediaRouter", "LensOverlay",
    "DestroyProfileOnBrowserClose", "ThirdPartyStoragePartitioning")


#: The window settings of most tests.
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}

#: The launch options of the browser of most tests: Chromium without its windows, which costs less.
HEADLESS_SHELL = {
    "executable_path": "/usr/bin/chromium-headless-shell",
    "args": ["--no-sandbox", f"--disable-features={','.join(DISABLED_FEATURES)}"]}

#: The launch options of the whole of Chromium, for what the headless shell lacks: notifications, for example.
FULL_CHROMIUM = {**HEADLESS_SHELL, "executable_path": "/usr/bin/chromium"}

#: How the contexts of the tests differ from Playwright's: motion costs processor time, and a press may miss what moves.
#: The mark `moving` sets it back for the tests of motion itself.
CONTEXT = {"reduced_motion": "reduce"}


def launched(playwright, launch_options):
    """Launches a browser whose contexts have the settings of CONTEXT, unless the test says otherwise."""
    browser = playwright.chromium.launch(**launch_options)
    new_context = browser.new_context
    browser.new_context = lambda **settings: new_context(**{**CONTEXT, **settings})
    return browser


@contextlib.contextmanager
def open_chromium(launch_options=FULL_CHROMIUM):
    """One of Debian's two builds of Chromium under Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launched(playwright, launch_options)
        yield browser
        browser.close()


@contextlib.contextmanager
def first_screen(chromium, server, path="/", script="", **settings):
    """A page at the first screen after the welcome, or at another path. An error in it fails the test.

    `script` runs before the page's own scripts.
    """
    server.skip_welcome()
    # The service worker would answer instead of the server. A test that needs it enables it.
    context = chromium.new_context(**{"service_workers": "block", **settings})
    context.add_init_script(script)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server.origin + path)
    yield page
    context.close()
    assert errors == []


@contextlib.contextmanager
def open_webkit(url, trusts_all=False):
    """WebKitGTK with its own driver and reduced motion; with `trusts_all` it takes every certificate.

    The driver clicks where an element was when it was looked up. On a busy machine a click on a sheet
    that is still moving could miss.
    """
    from selenium import webdriver

    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(
        next(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")))
    options.add_argument("--automation")
    options.accept_insecure_certs = trusts_all
    with tempfile.TemporaryDirectory() as settings:
        gtk = pathlib.Path(settings, "gtk-3.0")
        gtk.mkdir()
        (gtk / "settings.ini").write_text("[Settings]\ngtk-enable-animations=0\n")
        driver = webdriver.WebKitGTK(
            options=options,
            service=webdriver.webkitgtk.service.Service(
                "/usr/bin/WebKitWebDriver", env={**os.environ, "XDG_CONFIG_HOME": settings}))
        driver.set_script_timeout(60)
        driver.get(url)
        less = "return matchMedia('(prefers-reduced-motion: reduce)').matches"
        assert driver.execute_script(less), "the desktop's setting does not reach the page"
        try:
            yield driver
        finally:
            driver.quit()
