"""The name of a move in the performer's own voice: recorded, heard, sent later, refused and replaced."""

import contextlib
import json
import re
import subprocess

import pytest
from offline_support import Device
from playwright.sync_api import expect
from screen_checks import too_small, violations
from studio import DESKTOP, FULL_CHROMIUM, PHONE, eventually, first_screen
from test_moves import Finger, change, write

#: Notes the tracks of every opened microphone.
WATCH = """
window.microphones = [];
const open = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);
if (open) navigator.mediaDevices.getUserMedia = async (wanted) => {
  const stream = await open(wanted);
  window.microphones.push(...stream.getTracks());
  return stream;
};
"""


@pytest.fixture(scope="session")
def name_wav(tmp_path_factory):
    """A second or so in which somebody says "Kick ball change", as WAV."""
    folder = tmp_path_factory.mktemp("voice")
    said, padded = folder / "said.wav", folder / "name.wav"
    subprocess.run(
        ["espeak-ng", "-v", "en-us", "-w", said, "Kick ball change"], check=True, capture_output=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", said, "-af", "adelay=300,apad=whole_dur=1.8", "-ar", "48000",
         "-ac", "1", padded], check=True)
    return padded


@pytest.fixture(scope="session")
def listening(chromium, name_wav):
    """The whole of Chromium, as the shell has no microphone, in which somebody says a name again and again."""
    arguments = [
        *FULL_CHROMIUM["args"], "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={name_wav}"]
    browser = chromium.browser_type.launch(**{**FULL_CHROMIUM, "args": arguments})
    yield browser
    browser.close()


@pytest.fixture
def routine(server):
    """A routine with two moves; returns its path."""
    server.skip_welcome()
    [routine] = write(server, [("routine", {"title": "Swan"})])
    [part] = write(server, [("part", {"routine": routine, "title": "One", "position": "V"})])
    write(server, [
        ("move", {"part": part, "title": title, "position": position})
        for title, position in [("Kick", "a"), ("Turn", "b")]])
    return f"/routines/{routine}"


@contextlib.contextmanager
def opened(browser, server, path, permissions=("microphone",), script=WATCH, **settings):
    with first_screen(
            browser, server, path, script, permissions=list(permissions), **{**PHONE, **settings}) as page:
        yield page


@pytest.fixture
def page(listening, server, routine):
    with opened(listening, server, routine) as page:
        yield page


def card(page, title="Kick"):
    return page.get_by_test_id("move-card").filter(has_text=title)


def sign(page, title="Kick"):
    return card(page, title).get_by_test_id("move-voice")


def open_sheet(page, title="Kick"):
    card(page, title).get_by_test_id("move-number").click()
    page.get_by_test_id("move-record").click()
    is_open(page)


def is_open(page):
    expect(page.get_by_test_id("record-pad")).to_be_visible()
    # The sheet moves into its place; a finger would miss.
    page.get_by_test_id("record-name").evaluate(
        "(sheet) => Promise.all(sheet.getAnimations().map(({ finished }) => finished))")


def is_recording(page):
    expect(page.get_by_test_id("record-pad")).to_have_attribute("data-state", "recording")


def has_said_it(page):
    """Waits until the microphone has heard the whole name."""
    expect(page.locator(".record-state .time")).to_have_text(re.compile("^[0-8]$"))


def hold(page):
    finger = Finger(page)
    finger.down(page.get_by_test_id("record-pad"))
    is_recording(page)
    has_said_it(page)
    finger.up()


def recording_of(server, title="Kick"):
    """The id of the recording that a move has."""
    return next(move for move in server.records("move") if move["title"] == title).get("recording")


def is_released(page):
    page.wait_for_function(
        "() => microphones.length > 0 && microphones.every(({ readyState }) => readyState === 'ended')")


def test_a_name_is_recorded_while_the_button_is_held_and_the_microphone_released(page, server):
    expect(sign(page)).to_have_count(0)
    open_sheet(page)
    hold(page)
    is_released(page)
    expect(page.get_by_test_id("record-ready")).to_contain_text("Recorded:")
    [recording] = server.records("recording")
    eventually(lambda: recording_of(server), lambda now: now == recording["id"])
    assert recording["state"] == "ready" and recording["title"] == "Kick"
    # What was said takes a second or more, and the silence around it is cut off.
    assert 0.8 * 48_000 < recording["lengthFrames"] < 3.5 * 48_000
    status, voice = server.request("GET", f"/api/recordings/{recording['id']}/voice")
    assert status == 200 and voice[:4] == b"RIFF"
    page.go_back()
    expect(sign(page)).to_have_attribute("data-state", "here")
    expect(sign(page, "Turn")).to_have_count(0)


def test_a_press_starts_and_the_next_one_stops(page, server):
    open_sheet(page)
    pad = page.get_by_test_id("record-pad")
    pad.tap()
    is_recording(page)
    expect(pad).to_have_attribute("aria-pressed", "true")
    has_said_it(page)
    pad.tap()
    expect(page.get_by_test_id("record-ready")).to_be_visible()
    is_released(page)
    eventually(lambda: recording_of(server) is not None, bool)


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_the_keyboard_records_by_holding_and_by_pressing(listening, server, routine, key):
    with opened(listening, server, routine, **DESKTOP, has_touch=False, color_scheme="light") as page:
        open_sheet(page)
        expect(page.get_by_test_id("record-pad")).to_be_focused()
        page.keyboard.down(key)
        is_recording(page)
        has_said_it(page)
        page.keyboard.up(key)
        expect(page.get_by_test_id("record-ready")).to_be_visible()
        first = eventually(lambda: recording_of(server), bool)
        page.keyboard.press(key)
        is_recording(page)
        has_said_it(page)
        page.keyboard.press(key)
        eventually(lambda: recording_of(server), lambda now: now not in (None, first))


def test_the_name_is_heard_deleted_and_brought_back(page, server):
    open_sheet(page)
    hold(page)
    listen = page.get_by_test_id("record-ready").get_by_test_id("record-listen")
    listen.click()
    expect(listen).to_have_attribute("data-playing", "true")
    expect(listen).to_have_attribute("data-playing", "false")
    recording = eventually(lambda: recording_of(server), bool)
    page.get_by_test_id("record-delete").click()
    expect(page.get_by_test_id("record-ready")).to_have_count(0)
    eventually(lambda: recording_of(server) is None, bool)
    page.get_by_test_id("toast-action").click()
    expect(page.get_by_test_id("record-ready")).to_be_visible()
    eventually(lambda: recording_of(server), lambda now: now == recording)


def test_a_copied_move_keeps_the_name(page, server):
    open_sheet(page)
    hold(page)
    expect(page.get_by_test_id("record-ready")).to_be_visible()
    page.go_back()
    card(page).get_by_test_id("move-number").click()
    page.get_by_test_id("move-duplicate").click()
    expect(page.get_by_test_id("move-voice")).to_have_count(2)
    recordings = eventually(
        lambda: [move.get("recording") for move in server.records("move") if move["title"] == "Kick"],
        lambda found: len(found) == 2 and None not in found)
    assert len(set(recordings)) == 1


def test_without_permission_the_sheet_says_how_to_allow_it(listening, server, routine):
    with opened(listening, server, routine, permissions=()) as page:
        open_sheet(page)
        page.get_by_test_id("record-pad").tap()
        expect(page.get_by_test_id("record-problem")).to_contain_text("not allowed")
        page.context.grant_permissions(["microphone"])
        hold(page)
        expect(page.get_by_test_id("record-ready")).to_be_visible()


def test_without_a_microphone_the_sheet_says_so(chromium, server, routine):
    none = "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));"
    with opened(chromium, server, routine, script=none) as page:
        open_sheet(page)
        page.get_by_test_id("record-pad").tap()
        expect(page.get_by_test_id("record-problem")).to_contain_text("no microphone")


def test_over_an_insecure_connection_the_sheet_says_so(chromium, server, routine):
    script = "Object.defineProperty(window, 'isSecureContext', { value: false });"
    with opened(chromium, server, routine, script=script) as page:
        open_sheet(page)
        page.get_by_test_id("record-pad").tap()
        expect(page.get_by_test_id("record-problem")).to_contain_text("secure connection")


def test_closing_the_sheet_drops_the_recording_and_releases_the_microphone(page, server):
    open_sheet(page)
    page.get_by_test_id("record-pad").tap()
    is_recording(page)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("record-name")).to_have_count(0)
    is_released(page)
    expect(sign(page)).to_have_count(0)
    assert server.records("recording") == []


def test_a_name_that_the_server_refuses_is_told_on_the_card_and_recorded_again(page, server):
    refusal = {"title": "Unprocessable Content", "status": 422, "detail": "Nothing was heard."}
    page.route("**/api/recordings", lambda route: route.fulfill(
        status=422, content_type="application/problem+json", body=json.dumps(refusal)))
    open_sheet(page)
    hold(page)
    expect(page.get_by_test_id("record-sending")).to_contain_text("Nothing was heard.")
    page.go_back()
    expect(sign(page)).to_have_attribute("data-state", "failed")
    page.unroute("**/api/recordings")
    sign(page).click()
    is_open(page)
    hold(page)
    expect(page.get_by_test_id("record-ready")).to_be_visible()
    page.go_back()
    expect(sign(page)).to_have_attribute("data-state", "here")
    assert len(server.records("recording")) == 1


def test_another_device_sees_the_name_and_the_later_recording_wins(page, server):
    other = server.add("recording", "other.wav", _tone())["id"]
    open_sheet(page)
    hold(page)
    expect(page.get_by_test_id("record-ready")).to_be_visible()
    kick = next(move["id"] for move in server.records("move") if move["title"] == "Kick")
    change(server, "move", kick, {"recording": other})
    length = next(each for each in server.records("recording") if each["id"] == other)["lengthFrames"]
    expect(page.get_by_test_id("record-ready")).to_contain_text(f"{length / 48_000:.1f} s")


def _tone():
    return subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
         r"aevalsrc=if(between(t\,0.5\,1)\,0.2*sin(2*PI*440*t)\,0):d=1.5", "-f", "wav", "-"],
        check=True, capture_output=True).stdout


def test_a_name_recorded_without_a_network_is_sent_when_it_is_back(listening, server, routine):
    with contextlib.closing(Device(listening, server, permissions=["microphone"])) as device:
        sends_later(device, server, routine)


def sends_later(device, server, routine):
    page = device.restart(routine)
    expect(card(page)).to_be_visible()
    # The offline work has begun, and would store the file.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    device.cut()
    # The note pushes the card down; a press during that would miss.
    expect(page.get_by_test_id("sync-note")).to_be_visible()
    open_sheet(page)
    hold(page)
    expect(page.get_by_test_id("record-sending")).to_contain_text("Kept on this device")
    page.go_back()
    expect(sign(page)).to_have_attribute("data-state", "waiting")
    page.wait_for_function("""() => new Promise((done) => {
      const opening = indexedDB.open('segmance-offline');
      opening.onsuccess = () => {
        const all = opening.result.transaction('waiting').objectStore('waiting').getAll();
        all.onsuccess = () => { opening.result.close(); done(all.result.some(({ purpose }) => purpose?.kind === 'recording')); };
      };
    })""")
    page = device.restart(routine)
    expect(sign(page)).to_have_attribute("data-state", "waiting")
    assert server.records("recording") == []
    device.join()
    expect(sign(page)).to_have_attribute("data-state", "here")
    eventually(lambda: recording_of(server) is not None, bool)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sheet_fits_a_narrow_phone_and_is_accessible(listening, server, routine, scheme):
    with opened(
            listening, server, routine, viewport={"width": 320, "height": 640}, color_scheme=scheme) as page:
        open_sheet(page)
        hold(page)
        page.get_by_test_id("record-ready").get_by_test_id("record-listen").click()
        expect(page.get_by_test_id("record-listen")).to_have_attribute("data-playing", "false")
        assert violations(page) == []
        assert too_small(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
