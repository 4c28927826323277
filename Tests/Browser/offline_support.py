"""What the tests without a network stand on: a phone with the app on it, and what is done there."""

import contextlib
import json
import os
import pathlib
import signal

from playwright.sync_api import Error, expect
from studio import CHROMIUM, create, eventually

#: Lets a test hear what leaves the audio worklet, beside the loudspeaker.
LISTEN = """
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (target, ...rest) {
  if (this instanceof AudioWorkletNode && target instanceof AudioDestinationNode) {
    window.ear = new AnalyserNode(this.context, { fftSize: 2048 });
    connect.call(this, window.ear);
  }
  return connect.call(this, target, ...rest);
};
window.loudness = () => {
  const samples = new Float32Array(2048);
  window.ear?.getFloatTimeDomainData(samples);
  return Math.max(...samples.map(Math.abs));
};
"""


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


class Device:
    """A browser with the app and its worker, and a network that can be switched off."""

    def __init__(self, chromium, server, **settings):
        self.context = chromium.new_context(**PHONE, **settings)
        self.begin(server)

    def begin(self, server):
        self.context.add_init_script(LISTEN)
        self.errors = []
        self.origin = server.origin
        self.page = self.open()
        self.page.wait_for_function("() => navigator.serviceWorker.controller !== null")

    def open(self, path="/"):
        """Opens one more tab."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.origin + path)
        return page

    def restart(self, path="/"):
        """Kills every tab, and starts the app anew."""
        for page in self.context.pages:
            page.close()
        self.page = self.open(path)
        return self.page

    def crash(self):
        """Ends the page as a crash does: nothing of it runs any more, nothing is said to it."""
        with contextlib.suppress(Error), self.page.expect_event("crash"):
            self.page.goto("chrome://crash")

    def cut(self):
        """Switches the network off, for the pages and for the worker."""
        self.context.set_offline(True)

    def join(self):
        self.context.set_offline(False)

    def close(self):
        self.context.close()
        assert self.errors == []


class Phone(Device):
    """A device with a browser of its own, whose profile stays on the disk when it is killed."""

    def __init__(self, chromium, server, profile):
        self.launch = lambda: chromium.browser_type.launch_persistent_context(
            profile, **CHROMIUM, **PHONE)
        self.profile = profile
        self.context = self.launch()
        self.begin(server)

    def die(self):
        """Kills the whole browser, as an empty battery does."""
        with self.context.expect_event("close"):
            os.kill(browser_of(self.profile), signal.SIGKILL)

    def wake(self, path="/"):
        """Starts the browser anew, without a network."""
        self.context = self.launch()
        self.cut()
        self.page = self.open(path)
        return self.page


def browser_of(profile):
    """The first process of the browser that runs on a profile."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode().split("\0")
            if f"--user-data-dir={profile}" in words and not any(
                    word.startswith("--type=") for word in words):
                return int(folder.name)
    raise AssertionError("No browser runs on this profile.")


def create_listed(page, title, files):
    """Makes a routine of songs, and goes back to the list."""
    create(page, title, files)
    page.get_by_test_id("routine-back").click()


def card(page, title):
    return page.get_by_test_id("routine-card").filter(has_text=title)


def choose(page, title, item):
    """Chooses a line of a routine's menu."""
    card(page, title).get_by_test_id("routine-menu").click()
    page.get_by_test_id(item).click()


def keep(page, title):
    """Keeps a routine from its card's menu, and waits until it is here."""
    choose(page, title, "routine-keep")
    expect(card(page, title).get_by_test_id("kept-badge")).to_have_attribute("data-state", "kept")


def stored(page, store, database="segmance"):
    """What lies in a store of one of the app's databases. What is only shown goes with its page."""
    return json.loads(page.evaluate(
        """([database, store]) => new Promise((resolve) => {
          const opening = indexedDB.open(database);
          opening.onupgradeneeded = () => opening.transaction.abort();
          // One that is not made yet has nothing.
          opening.onerror = () => resolve('[]');
          opening.onsuccess = () => {
            const all = opening.result.transaction(store).objectStore(store).getAll();
            all.onsuccess = () => {
              opening.result.close();
              resolve(JSON.stringify(all.result));
            };
          };
        })""", [database, store]))


def wait_until_stored(page, server):
    """Waits until the browser's database has all that the server has."""
    _, content = server.request("POST", "/api/sync", {"since": 0, "changes": []})
    last = json.loads(content)["seq"]
    eventually(lambda: stored(page, "meta")[0]["since"], lambda since: since >= last)


def kept_addresses(page):
    """What lies in the browser's cache of media."""
    return page.evaluate(
        """async () => (await (await caches.open('segmance-media')).keys())
          .map(({ url }) => new URL(url).pathname + new URL(url).search).sort()""")
