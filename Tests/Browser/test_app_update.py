"""Updates of the app during work: a new version is offered, is installed completely, and loses no data."""

import os
import re
import shutil
import signal
import subprocess

import pytest
from offline_support import Device, card, create_listed
from playwright.sync_api import expect
from studio import ROOT, Server, drop_files, eventually, song
from test_kept_media import FETCH
from test_moves import write

#: What takes changes and files to the server.
SENDING = re.compile(r"/api/(sync|uploads)")

LATE_BUNDLE_IS_LOADED = (
    "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/lateBundle-'))")

BUILT = ROOT / "dist" / "client"


#: Asks for the next version, and says what became of its worker.
INSTALL = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return new Promise((resolve) => {
    const watch = () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => resolve(worker.state));
    };
    registration.addEventListener('updatefound', watch);
    // The browser asks by itself a second or more after a page was opened. Then this joins that update, which was
    // found before.
    watch();
    registration.update();
  });
}"""


def build(folder, changes):
    """Builds the client with replacements in some source files."""
    shutil.copytree(ROOT / "client", folder / "client", ignore=shutil.ignore_patterns("tests"))
    for file, old, new in changes:
        source = folder / "client" / "src" / file
        text = source.read_text()
        assert old in text
        source.write_text(text.replace(old, new))
    output = folder / "built"
    output.mkdir()
    for name in ("engine.wasm", "counts.wasm", "practice.wasm"):
        shutil.copy(BUILT / name, output)
    # The names of the chunks contain paths relative to this folder.
    subprocess.run(
        ["node", "client/build.mjs", output], cwd=folder, check=True, capture_output=True)
    return output


@pytest.fixture(scope="session")
def later_version(tmp_path_factory):
    """The client with changed texts in the entry script and in a lazily loaded one."""
    return build(tmp_path_factory.mktemp("later"), (
        ("words/english.ts", "routines: 'Routines'", "routines: 'Repertoire'"),
        ("words/englishLate/settings.ts", "storage: 'Storage'", "storage: 'Store'")))


@pytest.fixture
def stage(chromium, tmp_path, later_version):
    """A device with the current app, and a function that installs the next version on the server."""
    client = tmp_path / "client"
    shutil.copytree(BUILT, client)
    server = Server(tmp_path / "library", client=client)
    servers = [server]

    def update():
        servers[-1].stop()
        servers.append(Server(server.folder, port=server.port, client=later_version))
        return servers[-1]

    try:
        server.skip_welcome()
        device = Device(chromium, server)
        yield device, server, update
        device.close()
    finally:
        # Also after a failed start, because a running server would keep the test's output open.
        servers[-1].stop()


def starts_anew(page):
    """Waits until the page is of the next version. Chromium may start its worker only when the old one had no
    request for 30 s (docs/adr/0012-one-version-whole.md)."""
    expect(page.get_by_test_id("tab-routines")).to_contain_text("Repertoire", timeout=90_000)


def ask_for_update(page):
    page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")


def versions(page):
    return page.evaluate(
        "async () => (await caches.keys()).filter((name) => name.startsWith('segmance-app-'))")


def loaded(page):
    """Returns the addresses of the scripts and styles that a page has loaded."""
    addresses = page.evaluate(
        "() => performance.getEntriesByType('resource').map(({ name }) => new URL(name))"
        ".map(({ pathname, search }) => pathname + search)")
    return {one for one in addresses if re.search(r"\.(js|css)(\?|$)", one) and one != "/sw.js"}


@pytest.mark.long
def test_a_new_version_is_offered_and_keeps_unsent_changes(stage):
    device, server, update = stage
    page = device.page
    create_listed(page, "Swan", [("One.wav", song(3))])
    eventually(lambda: server.records("part"), lambda parts: parts)
    other = device.open("/settings")
    expect(other.get_by_test_id("room-storage")).to_contain_text("Storage")
    old_version = page.evaluate("() => document.querySelector('meta[name=version]').content")
    device.context.route(SENDING, lambda route: route.abort())
    # An unfinished routine with a song that is uploading.
    drop_files(page, [("Two.wav", song(3, 2))])
    page.get_by_test_id("editor-title").fill("Half made")
    page.keyboard.press("Escape")
    card(page, "Swan").click()
    page.get_by_test_id("edit-routine").click()
    page.get_by_test_id("edit-title").fill("Swan Lake")
    page.get_by_test_id("edit-subtitle").fill("Act two")
    page.get_by_test_id("edit-done").click()
    page.get_by_test_id("action-add-move").click()
    page.get_by_test_id("add-move-title").fill("Lift")
    page.get_by_text("New type").click()
    page.get_by_test_id("new-type-name").fill("Hold")
    page.get_by_test_id("add-move-add").click()
    page.get_by_test_id("add-move-done").click()
    waits = "4 changes and 1 song waiting"
    expect(page.get_by_test_id("sync-note")).to_contain_text(waits)
    old = loaded(page)
    server = update()
    ask_for_update(page)
    expect(page.get_by_test_id("update-note")).to_be_visible()
    expect(page.get_by_test_id("jump-button")).to_contain_text("Swan Lake")
    page.get_by_test_id("update-note").click()
    # The tab reloads as the new version with its unsent changes. The other tab does so when asked.
    page.wait_for_function(
        "(old) => document.querySelector('meta[name=version]')?.content !== old", arg=old_version, timeout=90_000)
    expect(page.get_by_test_id("jump-button")).to_contain_text("Swan Lake")
    expect(page.get_by_test_id("sync-note")).to_contain_text(waits)
    expect(other.get_by_test_id("room-storage")).to_contain_text("Storage")
    other.get_by_test_id("update-note").click()
    expect(other.get_by_test_id("tab-routines")).to_contain_text("Repertoire")
    expect(other.get_by_test_id("room-storage")).to_contain_text("Store")
    for tab in (page, other):
        tab.wait_for_function(LATE_BUNDLE_IS_LOADED)
        new = loaded(tab)
        # Files that both versions share have the same bytes and therefore the same address.
        shared = {one for one in new & old if re.match(r"/(worklet|sortable|chunk-|app\.css)", one)}
        assert new & old == shared
    page.get_by_test_id("routine-back").click()
    page.get_by_test_id("draft-note").click()
    expect(page.get_by_test_id("editor-title")).to_have_value("Half made")
    expect(page.get_by_test_id("song-title")).to_have_value("Two")
    device.context.unroute(SENDING)

    def arrived():
        return [
            [each.get(field) for each in server.records(kind)]
            for kind, field in (
                ("routine", "title"), ("routine", "subtitle"), ("move", "title"), ("moveType", "name"))]

    wanted = [["Swan Lake"], ["Act two"], ["Lift"], ["Hold"]]
    assert eventually(arrived, lambda seen: seen == wanted, 40) == wanted


def test_a_tab_with_unsaved_text_stays_on_its_version_until_the_user_updates(stage):
    device, server, update = stage
    page = device.page
    create_listed(page, "Swan", [("One.wav", song(3))])
    typing = device.open("/")
    typing.get_by_test_id("create-routine").click()
    typing.get_by_test_id("editor-title").fill("Half typed")
    typing.wait_for_function(LATE_BUNDLE_IS_LOADED)
    old = sorted(loaded(typing))
    before = typing.evaluate(FETCH, old)
    update()
    ask_for_update(page)
    # The note shows that the tab knows of the new version.
    expect(typing.get_by_test_id("update-note")).to_be_attached()
    page.get_by_test_id("update-note").click()
    starts_anew(page)
    expect(typing.get_by_test_id("editor-title")).to_have_value("Half typed")
    # The new worker serves the tab and still returns the files of the tab's version.
    assert typing.evaluate(FETCH, old) == before
    assert len(versions(typing)) == 2
    typing.keyboard.press("Escape")
    expect(typing.get_by_test_id("tab-routines")).to_contain_text("Routines")
    typing.get_by_test_id("update-note").click()
    expect(typing.get_by_test_id("tab-routines")).to_contain_text("Repertoire")
    expect(typing.get_by_test_id("draft-note")).to_contain_text("Half typed")


def test_a_request_that_is_never_answered_does_not_hold_the_update_up(stage):
    device, server, update = stage
    page = device.page
    create_listed(page, "Swan", [("One.wav", song(3))])
    [track] = eventually(lambda: server.records("track"), lambda tracks: tracks)
    server = update()
    ask_for_update(page)
    expect(page.get_by_test_id("update-note")).to_be_visible()
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        # The active worker hands this on to the server, which is there but says nothing.
        active = device.context.service_workers[0]
        active.evaluate("""() => {
          const send = fetch;
          self.fetch = (request) => { self.hasAsked = true; return send(request); };
        }""")
        page.evaluate(
            "(address) => { fetch(address).catch(() => undefined); }", f"/api/tracks/{track['id']}/chunks/0?of=nobody")
        eventually(lambda: active.evaluate("() => self.hasAsked"), bool)
        page.get_by_test_id("update-note").click()
        starts_anew(page)
    finally:
        os.kill(server.process.pid, signal.SIGCONT)


def test_unsaved_text_in_fields_without_history_entries_stays_too(stage):
    device, server, update = stage
    routine, kind = write(server, [
        ("routine", {"title": "Swan"}), ("moveType", {"name": "Turn", "abbreviation": "TU"})])
    part, = write(server, [("part", {"routine": routine, "title": "Intro", "position": "a"})])
    write(server, [("move", {"part": part, "title": "Lift", "position": "a", "moveType": kind})])
    page = device.page
    naming = device.open("/settings/move-types")
    naming.get_by_test_id("new-type").click()
    naming.get_by_test_id("type-name").fill("Half typed")
    shortening = device.open(f"/routines/{routine}")
    shortening.get_by_test_id("move-title").click()
    # The text has few characters but too many bytes to be saved.
    too_long = "👨‍👩‍👧‍👦" * 50
    shortening.get_by_test_id("move-title-field").fill(too_long)
    tabs = (naming, shortening)
    update()
    ask_for_update(page)
    for tab in tabs:
        # The note shows that the tab knows of the new version.
        expect(tab.get_by_test_id("update-note")).to_be_attached()
        tab.evaluate(
            """() => {
              window.isOld = true;
              navigator.serviceWorker.addEventListener('controllerchange', () => { window.isServedAnew = true; });
            }""")
    page.get_by_test_id("update-note").click()
    starts_anew(page)
    page.wait_for_function(LATE_BUNDLE_IS_LOADED)
    for tab in tabs:
        tab.wait_for_function("() => window.isServedAnew")
        assert tab.evaluate("window.isOld"), "the tab was not loaded anew"
    expect(naming.get_by_test_id("type-name")).to_have_value("Half typed")
    expect(shortening.get_by_test_id("move-title-field")).to_have_value(too_long)
    naming.get_by_test_id("type-create").click()
    shortening.keyboard.press("Escape")
    for tab in tabs:
        tab.get_by_test_id("update-note").click()
        tab.wait_for_function("() => !window.isOld")
    expect(naming.get_by_test_id("type-rows")).to_contain_text("Half typed")
    expect(shortening.get_by_test_id("move-title")).to_have_text("Lift")


def test_an_incomplete_version_is_not_installed(stage, later_version, tmp_path):
    device, server, update = stage
    page = device.page
    before = versions(page)
    broken = tmp_path / "broken"
    shutil.copytree(later_version, broken)
    later = next(broken.glob("lateBundle-*.js"))
    later.write_text(later.read_text() + "\n// cut off")
    later.with_name(f"{later.name}.br").unlink()
    server.stop()
    with Server(server.folder, port=server.port, client=broken):
        assert page.evaluate(INSTALL) == "redundant"
        # The browser's own check for updates, seconds after the page was opened, can be trying it once more.
        assert eventually(lambda: versions(page), lambda seen: seen == before) == before
        page = device.restart()
        expect(page.get_by_test_id("tab-routines")).to_contain_text("Routines")
        # The browser's own check for updates, seconds from now, finds no newer version.
        assert page.evaluate("async () => (await navigator.serviceWorker.ready).waiting === null")
        expect(page.get_by_test_id("update-note")).to_have_count(0)


def test_an_incomplete_version_that_differs_only_in_its_worker_changes_nothing(
        chromium, tmp_path):
    today = build(tmp_path / "today", [])
    broken = build(tmp_path / "later", [
        ("serviceWorker/shell.ts", "answerMilliseconds = 5_000", "answerMilliseconds = 6_000")])
    later, = today.glob("lateBundle-*.js")
    for end in ("", ".br"):
        (broken / f"{later.name}{end}").unlink()
    pages = {(client / "index.html").read_text() for client in (today, broken)}
    assert len(pages) == 2, "the version is the same"
    with Server(tmp_path / "library", client=today) as server:
        server.skip_welcome()
        device = Device(chromium, server)
        before = versions(device.page)
    with Server(server.folder, port=server.port, client=broken):
        assert device.page.evaluate(INSTALL) == "redundant"
    assert eventually(lambda: versions(device.page), lambda seen: seen == before) == before
    device.cut()
    expect(device.restart().get_by_test_id("tab-routines")).to_be_visible()
    device.close()


def test_a_development_build_has_no_service_worker(chromium, tmp_path):
    client = tmp_path / "client"
    client.mkdir()
    for name in ("engine.wasm", "counts.wasm", "practice.wasm"):
        shutil.copy(BUILT / name, client)
    subprocess.run(
        ["node", ROOT / "client" / "build.mjs", client, "--dev"], check=True, capture_output=True)
    with Server(tmp_path / "library", client=client) as server:
        context = chromium.new_context()
        context.add_init_script(
            "const register = ServiceWorkerContainer.prototype.register;"
            "ServiceWorkerContainer.prototype.register = function (...words) {"
            " window.hasAsked = true; return register.apply(this, words); };")
        page = context.new_page()
        page.goto(server.origin)
        # This value is written right after the code that registers a service worker.
        page.wait_for_function("() => localStorage.getItem('segmance.lastVisit') !== null")
        assert not page.evaluate("() => window.hasAsked ?? false")
        assert page.evaluate(
            "async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
        context.close()
