"""Helpers for offline tests: a phone with the installed app, and common actions."""

import contextlib
import json
import os
import pathlib
import signal

from playwright.sync_api import Error, expect
from studio import CONTEXT, FULL_CHROMIUM, create, eventually

#: Gives a test the output level of the audio worklet.
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
    """A browser with the app and its service worker, and a network that can be switched off."""

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
        """Opens another tab."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.origin + path)
        return page

    def restart(self, path="/"):
        """Closes every tab and opens the app again."""
        for page in self.context.pages:
            page.close()
        self.page = self.open(path)
        return self.page

    def crash(self):
        """Crashes the page: its scripts stop at once and it gets no events."""
        with contextlib.suppress(Error), self.page.expect_event("crash"):
            self.page.goto("chrome://crash")

    def cut(self):
        """Switches the network off for the pages and the service worker."""
        self.context.set_offline(True)

    def join(self):
        self.context.set_offline(False)

    def close(self):
        self.context.close()
        assert self.errors == []


class Phone(Device):
    """A device with its own browser process, whose profile stays on the disk after a kill."""

    def __init__(self, chromium, server, profile):
        self.launch = lambda: chromium.browser_type.launch_persistent_context(
            profile, **FULL_CHROMIUM, **CONTEXT, **PHONE)
        self.profile = profile
        self.context = self.launch()
        self.begin(server)

    def die(self):
        """Kills the whole browser process."""
        with self.context.expect_event("close"):
            os.kill(browser_of(self.profile), signal.SIGKILL)

    def wake(self, path="/"):
        """Starts the browser again, without a network."""
        self.context = self.launch()
        self.cut()
        self.page = self.open(path)
        return self.page


def browser_of(profile):
    """Returns the main process of the browser that uses a profile."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode().split("\0")
            if f"--user-data-dir={profile}" in words and not any(
                    word.startswith("--type=") for word in words):
                return int(folder.name)
    raise AssertionError("No browser runs on this profile.")


def create_listed(page, title, files):
    """Creates a routine of songs, and goes back to the list."""
    create(page, title, files)
    page.get_by_test_id("routine-back").click()


def card(page, title):
    return page.get_by_test_id("routine-card").filter(has_text=title)


def choose(page, title, item):
    """Chooses an item of a routine's menu."""
    card(page, title).get_by_test_id("routine-menu").click()
    page.get_by_test_id(item).click()


def keep(page, title):
    """Keeps a routine with its card's menu, and waits until it is stored."""
    choose(page, title, "routine-keep")
    expect(card(page, title).get_by_test_id("kept-badge")).to_have_attribute("data-state", "kept")


def stored(page, store, database="segmance"):
    """Returns the records in an object store of one of the app's databases."""
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
    """Waits until the browser's database has all changes of the server."""
    _, content = server.request("POST", "/api/sync", {"since": 0, "changes": []})
    last = json.loads(content)["seq"]
    eventually(lambda: stored(page, "meta")[0]["since"], lambda since: since >= last)


def kept_addresses(page):
    """Returns the addresses in the browser's media cache."""
    return page.evaluate(
        """async () => (await (await caches.open('segmance-media')).keys())
          .map(({ url }) => new URL(url).pathname + new URL(url).search).sort()""")
