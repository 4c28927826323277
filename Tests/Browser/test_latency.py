"""The latency of the sound: measured by taps and by the microphone, kept for each output, and used by all that is shown."""

import json

import pytest
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations
from studio import DESKTOP, PHONE, eventually, first_screen, open_card
from test_record_name import listening, name_wav  # noqa: F401

PAGE = "/settings/sound-delay"
LATE = 0.25

# Notes when each loud click is played. `tapLate` has a tap come so much later than each, to the sample: the event's
# time is set, so that it does not matter when the page gets it.
CLICKS = """
window.clicks = [];
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (at) {
  const samples = this.buffer.getChannelData(0);
  if (samples.length > 1000 && samples.some((sample) => Math.abs(sample) > 0.3)) window.clicks.push(at);
  window.clock = this.context;
  return start.call(this, at);
};
window.tapLate = (lateOf, makeEvent) => {
  let tapped = 0;
  const tick = () => {
    const pad = document.querySelector('[data-testid=delay-pad]');
    while (pad && tapped < clicks.length && clock.currentTime > clicks[tapped] + 0.3) {
      const event = makeEvent();
      const seconds = clicks[tapped] + lateOf(tapped) - clock.currentTime;
      Object.defineProperty(event, 'timeStamp', { value: performance.now() + seconds * 1000 });
      pad.dispatchEvent(event);
      tapped += 1;
    }
    requestAnimationFrame(tick);
  };
  tick();
};
"""
PRESS = "() => new PointerEvent('pointerdown', { bubbles: true, button: 0 })"
KEY = "() => new KeyboardEvent('keydown', { bubbles: true, key: ' ' })"
#: A person's taps around the latency, in seconds.
HUMAN = "(tap) => 0.25 + [0.012, -0.009, 0.004, -0.014, 0.008, 0.001, -0.002][tap % 7]"


def opened(browser, server, script="", settings=PHONE, path=PAGE):
    return first_screen(browser, server, path, script, **settings)


def calibrations(page):
    """What is stored, without the browser's figure."""
    stored = json.loads(page.evaluate("() => localStorage.getItem('segmance.latency')") or "[]")
    return [{name: each[name] for name in ("output", "milliseconds", "isSure", "way")} for each in stored]


def stored(milliseconds, output="", reported=None):
    """A script that stores a calibration, once."""
    entry = {
        "output": output, "milliseconds": milliseconds, "margin": 6, "isSure": True, "way": "taps", "reported": reported}
    return f"localStorage['segmance.latency'] ??= JSON.stringify([{json.dumps(entry)}]);"


@pytest.mark.parametrize("settings, event", [(PHONE, PRESS), ({**DESKTOP, "color_scheme": "light"}, KEY)])
def test_taps_along_with_clicks_tell_the_latency(chromium, server, settings, event):
    with opened(chromium, server, CLICKS, settings) as page:
        page.get_by_test_id("delay-tap").click()
        expect(page.get_by_test_id("delay-pad")).to_be_focused()
        page.evaluate(f"() => tapLate({HUMAN}, {event})")
        expect(page.get_by_test_id("delay-says")).to_contain_text("Good")
        pad, screen = page.get_by_test_id("delay-pad").bounding_box(), page.viewport_size
        if settings is PHONE:
            assert pad["height"] > 0.4 * screen["height"] and pad["width"] > 0.8 * screen["width"]
        assert violations(page) == [] and too_small(page) == []
        result = page.get_by_test_id("delay-result")
        expect(result).to_have_attribute("data-certainty", "sure", timeout=60_000)
        found = int(page.get_by_test_id("found").input_value().split()[0])
        # A block of the audio clock may pass between the two readings of it.
        assert abs(found - 250) <= 10
        expect(page.get_by_test_id("delay-sureness")).to_contain_text("Sure to")
        assert violations(page) == [] and too_small(page) == []
        page.get_by_test_id("delay-keep").click()
        expect(page.get_by_test_id("tap-along")).to_have_count(0)
        assert calibrations(page) == [{"output": "", "milliseconds": found, "isSure": True, "way": "taps"}]
        page.reload()
        expect(page.get_by_test_id("delay")).to_have_value(f"{found} ms")
        expect(page.get_by_test_id("delay-how")).to_contain_text("Measured by taps.")
        page.get_by_test_id("room-back").click()
        expect(page.get_by_test_id("room-sound-delay")).to_contain_text(f"{found} ms")


def test_without_taps_nothing_is_found_and_it_is_tried_again(chromium, server):
    with opened(chromium, server, CLICKS) as page:
        page.get_by_test_id("delay-tap").click()
        expect(page.get_by_test_id("delay-result")).to_have_attribute("data-certainty", "none", timeout=90_000)
        expect(page.get_by_test_id("delay-sureness")).to_contain_text("too few taps")
        expect(page.get_by_test_id("delay-keep")).to_have_count(0)
        assert page.evaluate("() => clicks.length") == 40
        expect(page.get_by_test_id("delay-again")).to_be_focused()
        page.get_by_test_id("delay-again").click()
        page.wait_for_function("() => clicks.length > 40")
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("tap-along")).to_have_count(0)
        assert calibrations(page) == []


# The microphone hears what is played, so much later; the browser states 20 ms for it.
ROOM = """
const AudioNodeConnect = AudioNode.prototype.connect;
window.rooms = new Map();
const roomOf = (context) => {
  if (!rooms.has(context)) rooms.set(context, new DelayNode(context, { delayTime: %s, maxDelayTime: 1 }));
  return rooms.get(context);
};
AudioNode.prototype.connect = function (target, ...others) {
  if (target === this.context.destination) AudioNodeConnect.call(this, roomOf(this.context));
  return AudioNodeConnect.call(this, target, ...others);
};
AudioContext.prototype.createMediaStreamSource = function () {
  const quiet = new GainNode(this, { gain: %s });
  AudioNodeConnect.call(roomOf(this), quiet);
  return quiet;
};
window.tracks = [];
navigator.mediaDevices.getUserMedia = async (wanted) => {
  window.wanted = wanted.audio;
  const stream = new MediaStreamAudioDestinationNode(new AudioContext()).stream;
  tracks.push(...stream.getTracks());
  tracks[0].getSettings = () => (%s);
  return stream;
};
"""


def by_microphone(page):
    page.get_by_test_id("delay-microphone").click()
    page.get_by_test_id("delay-start").click()


def test_the_microphone_hears_how_late_the_loudspeaker_is(chromium, server):
    with opened(chromium, server, ROOM % (LATE, 0.05, "{ latency: 0.02 }")) as page:
        by_microphone(page)
        expect(page.get_by_test_id("delay-listening")).to_contain_text("Listening")
        assert violations(page) == [] and too_small(page) == []
        result = page.get_by_test_id("delay-result")
        expect(result).to_have_attribute("data-certainty", "sure", timeout=60_000)
        # Less the 20 ms that the browser states, and one buffer of 10 ms.
        expect(page.get_by_test_id("found")).to_have_value("220 ms")
        assert page.evaluate("() => tracks.every(({ readyState }) => readyState === 'ended')")
        wanted = page.evaluate("() => wanted")
        assert [wanted[name] for name in ("echoCancellation", "noiseSuppression", "autoGainControl")] == [False] * 3
        page.get_by_test_id("found-more").click()
        page.get_by_test_id("delay-keep").click()
        assert calibrations(page) == [{"output": "", "milliseconds": 225, "isSure": True, "way": "hand"}]


def test_a_microphone_of_unknown_latency_is_said_to_make_it_unsure(chromium, server):
    with opened(chromium, server, ROOM % (LATE, 0.05, "{}")) as page:
        by_microphone(page)
        expect(page.get_by_test_id("delay-result")).to_have_attribute("data-certainty", "unsure", timeout=60_000)
        expect(page.get_by_test_id("delay-sureness")).to_contain_text("does not say how late its microphone is")
        page.get_by_test_id("delay-keep").click()
        assert calibrations(page) == [{"output": "", "milliseconds": 225, "isSure": False, "way": "microphone"}]
        expect(page.get_by_test_id("delay-how")).to_contain_text("Not quite sure")


def test_a_microphone_that_hears_nothing_says_so(chromium, server):
    with opened(chromium, server, ROOM % (LATE, 0, "{}")) as page:
        by_microphone(page)
        expect(page.get_by_test_id("delay-result")).to_have_attribute("data-certainty", "none", timeout=60_000)
        expect(page.get_by_test_id("delay-sureness")).to_contain_text("hears nothing")


def test_a_microphone_that_hears_something_else_says_so(listening, server):  # noqa: F811
    with opened(listening, server, settings={**PHONE, "permissions": ["microphone"]}) as page:
        by_microphone(page)
        expect(page.get_by_test_id("delay-result")).to_have_attribute("data-certainty", "none", timeout=60_000)
        expect(page.get_by_test_id("delay-sureness")).to_contain_text("With headphones, tap along instead.")


@pytest.mark.parametrize("name, sentence", [
    ("NotAllowedError", "not allowed"), ("NotFoundError", "no microphone"), ("NotReadableError", "can’t be opened")])
def test_without_a_microphone_the_sheet_says_why(chromium, server, name, sentence):
    script = f"navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '{name}'));"
    with opened(chromium, server, script) as page:
        by_microphone(page)
        expect(page.get_by_test_id("delay-problem")).to_contain_text(sentence)
        expect(page.get_by_test_id("delay-start")).to_be_enabled()


def test_leaving_while_the_microphone_listens_releases_it(chromium, server):
    with opened(chromium, server, ROOM % (LATE, 0.05, "{}")) as page:
        by_microphone(page)
        expect(page.get_by_test_id("delay-listening")).to_contain_text("Listening")
        page.keyboard.press("Escape")
        page.wait_for_function("() => tracks.length > 0 && tracks.every(({ readyState }) => readyState === 'ended')")
        assert calibrations(page) == []


# The browser's figure, which a test changes, and outputs that it names.
OUTPUTS = """
window.reported = 0.03;
Object.defineProperty(AudioContext.prototype, 'outputLatency', { get: () => window.reported });
window.outputs = %s;
navigator.mediaDevices.enumerateDevices = async () => outputs.map((label) => (
  { kind: 'audiooutput', deviceId: 'default', groupId: label, label }));
window.change = (names) => {
  window.outputs = names;
  navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
};
"""


@has_parts(("One", 12))
def test_another_output_is_asked_about_and_its_latency_kept(parts, server, chromium):
    with opened(chromium, server, OUTPUTS % "['']" + stored(250, reported=30), path="/") as page:
        open_card(page)
        page.get_by_test_id("play").tap()
        expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        page.evaluate("() => { window.reported = 0.2; }")
        toast = page.get_by_test_id("toast").filter(has_text="The sound output has changed")
        expect(toast).to_be_visible()
        assert too_small(page) == []
        toast.get_by_test_id("toast-other").click()
        expect(toast).to_have_count(0)
        assert calibrations(page)[0]["milliseconds"] == 250
        page.evaluate("() => change([''])")
        expect(toast).to_be_visible()
        toast.get_by_test_id("toast-action").click()
        expect(page.get_by_test_id("delay-asks")).to_be_visible()
        assert violations(page) == []
        page.get_by_test_id("delay-asks-keep").click()
        expect(page.get_by_test_id("delay-asks")).to_have_count(0)
        expect(page.get_by_test_id("delay")).to_have_value("250 ms")


def test_each_named_output_has_its_own_latency(chromium, server):
    with opened(chromium, server, OUTPUTS % "['Speakers']") as page:
        delay = page.get_by_test_id("delay")
        expect(page.get_by_test_id("delay-output")).to_have_text("Speakers")
        delay.fill("40")
        page.evaluate("() => change(['AirPods'])")
        expect(page.get_by_test_id("toast")).to_contain_text("“AirPods”")
        expect(delay).not_to_have_value("40 ms")
        page.get_by_test_id("delay-slider").focus()
        delay.fill("260")
        page.evaluate("() => change(['Speakers'])")
        page.get_by_test_id("delay-slider").focus()
        expect(delay).to_have_value("40 ms")
        page.evaluate("() => change(['AirPods'])")
        expect(delay).to_have_value("260 ms")
        page.get_by_test_id("delay-forget").click()
        expect(page.get_by_test_id("delay-how")).to_contain_text("Not measured")
        assert [each["output"] for each in calibrations(page)] == ["Speakers"]


def test_a_browser_that_stores_nothing_keeps_it_for_the_visit(chromium, server):
    script = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"
    with opened(chromium, server, script) as page:
        page.get_by_test_id("delay").fill("180")
        page.get_by_test_id("room-back").click()
        expect(page.get_by_test_id("room-sound-delay")).to_contain_text("180 ms")


def test_the_light_flashes_when_the_click_is_heard(chromium, server):
    script = CLICKS + OUTPUTS % "['']" + """
      window.flashes = [];
      window.watchLight = () => new MutationObserver(([{ target }]) => {
        if (target.classList.contains('is-lit')) flashes.push(clock.currentTime);
      }).observe(document.querySelector('[data-testid=delay-light]'), { attributeFilter: ['class'] });
    """
    with opened(chromium, server, script) as page:
        page.get_by_test_id("delay").fill("250")
        page.evaluate("() => watchLight()")
        page.get_by_test_id("delay-check").click()
        page.wait_for_function("() => flashes.length >= 3")
        late = page.evaluate("() => flashes.map((at) => Math.min(...clicks.map((click) => at - click).filter((since) => since >= 0)))")
        # A screen that is late by some pictures is late; none is early.
        assert all(LATE - 0.001 <= each < LATE + 0.12 for each in late), late
        page.get_by_test_id("delay-check").click()
        expect(page.get_by_test_id("delay-check")).to_have_attribute("aria-pressed", "false")


# Notes what the engine reports, and at which time of the audio clock the countdown goes.
COUNTDOWN = """
// What is stored is read with the second script.
const getItem = Storage.prototype.getItem;
Storage.prototype.getItem = function (name) {
  if (name === 'segmance.latency') window.isFollowed = true;
  return getItem.call(this, name);
};
window.began = null;
window.shownUntil = null;
window.AudioWorkletNode = class extends AudioWorkletNode {
  constructor(context, ...others) {
    super(context, ...others);
    window.clock = context;
    this.port.addEventListener('message', ({ data }) => {
      if (data.state === 'playing') window.began ??= (data.contextFrame - data.runFrames) / 48000;
    });
  }
};
window.watchCountdown = () => new MutationObserver(() => {
  const isShown = document.querySelector('[data-testid=countdown]') !== null;
  if (isShown) window.wasShown = true;
  else if (window.wasShown) window.shownUntil ??= clock.currentTime;
}).observe(document.body, { childList: true, subtree: true });
"""


@has_parts(("One", 12))
def test_the_countdown_lasts_until_the_music_is_heard(parts, server, chromium):
    server.set("countdownSeconds", 1)
    with opened(chromium, server, COUNTDOWN + stored(600), path="/") as page:
        open_card(page)
        page.wait_for_function("() => window.isFollowed")
        page.evaluate("() => watchCountdown()")
        page.get_by_test_id("play").tap()
        page.wait_for_function("() => shownUntil !== null")
        began, until = page.evaluate("() => [began, shownUntil]")
    # The engine reports every 32 ms, and never what is not heard yet.
    assert until - began >= 0.6 - 0.001


def test_the_page_works_at_320_pixels_and_from_right_to_left(chromium, server):
    for settings in ({"viewport": {"width": 320, "height": 640}, "color_scheme": "light"}, {**PHONE}):
        with opened(chromium, server, settings=settings) as page:
            page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
            expect(page.get_by_test_id("delay-tap")).to_be_visible()
            assert violations(page) == [] and too_small(page) == []
            assert page.evaluate("() => document.documentElement.scrollWidth") <= settings["viewport"]["width"]
            page.get_by_test_id("delay-tap").click()
            expect(page.get_by_test_id("delay-pad")).to_be_visible()
            assert violations(page) == [] and too_small(page) == []
            page.keyboard.press("Escape")
            page.get_by_test_id("delay-microphone").click()
            expect(page.get_by_test_id("delay-start")).to_be_visible()
            assert violations(page) == [] and too_small(page) == []


def test_webkit_measures_by_taps_and_keeps_the_latency(webkit):
    webkit.execute_script(CLICKS)
    webkit.execute_script("document.querySelector('[data-testid=tab-settings]').click()")

    def element(name):
        return eventually(
            lambda: webkit.execute_script(f"return document.querySelector('[data-testid={name}]')"), bool)

    element("room-sound-delay").click()
    element("delay-tap").click()
    element("delay-pad")
    webkit.execute_script(f"tapLate({HUMAN}, {PRESS})")
    eventually(lambda: element("delay-result").get_attribute("data-certainty"), lambda found: found == "sure", 60)
    found = int(element("found").get_property("value").split()[0])
    assert abs(found - 250) <= 10
    element("delay-keep").click()
    kept = eventually(lambda: webkit.execute_script("return localStorage.getItem('segmance.latency')"), bool)
    assert json.loads(kept)[0]["milliseconds"] == found
