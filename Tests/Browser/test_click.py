"""The count-in and the click of a part that has counts, as sounds and as spoken numbers."""

import numpy
from offline_support import Device
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import out_of_reach, too_small, violations
from studio import PHONE, RATE, eventually, first_screen, open_card
from test_practice import parts  # noqa: F401
from voices import voice, voice_file

PERIOD = RATE // 2

#: Notes all numbers that a screen showed; a busy machine may leave some out.
SEEN = """() => {
  window.seen = [];
  const look = () => {
    const text = document.querySelector('[data-testid=countdown-number]')?.textContent;
    if (text && window.seen.at(-1) !== text) window.seen.push(text);
    requestAnimationFrame(look);
  };
  look();
}"""

#: Notes every sample that the engine's worklet puts out, in `heard`.
RECORD = """
const recorder = `
  registerProcessor('recorder', class extends AudioWorkletProcessor {
    process([input]) {
      if (input[0]) this.port.postMessage(input[0].slice());
      return true;
    }
  });`;
window.heard = [];
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (target, ...rest) {
  if (this instanceof AudioWorkletNode && target instanceof AudioDestinationNode) {
    const script = URL.createObjectURL(new Blob([recorder], { type: 'text/javascript' }));
    this.context.audioWorklet.addModule(script).then(() => {
      const ear = new AudioWorkletNode(this.context, 'recorder', { numberOfOutputs: 0 });
      ear.port.onmessage = ({ data }) => { window.heard.push(data); };
      connect.call(this, ear);
      window.isRecording = true;
    });
  }
  return connect.call(this, target, ...rest);
};
"""


def analyse(page):
    """Answers with an analysis of a beat each half second; the track's first beat has count 6."""
    frames = list(range(0, 12 * RATE, PERIOD))
    beats = {
        "tempo": 120, "metre": 4, "confidence": 0.9, "frames": frames,
        "places": [(at + 1) % 4 + 1 for at in range(len(frames))],
        "eights": list(range(3 * PERIOD, 12 * RATE, 8 * PERIOD))}
    answer = {"attacks": [], "changes": [], "beats": beats}
    page.route("**/api/tracks/*/analysis*", lambda route: route.fulfill(json=answer))


def analyse_without_counts(page):
    """Answers with an analysis that found no beats."""
    page.route(
        "**/api/tracks/*/analysis*", lambda route: route.fulfill(json={"attacks": [], "changes": []}))


def setting(server, name):
    return next((each["value"] for each in server.records("setting") if each["id"] == name), None)


@has_parts(("One", 12))
def test_a_part_with_counts_is_counted_in_and_clicks(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, **PHONE) as page:
        analyse(page)
        open_card(page)
        page.get_by_test_id("countdown-dial").click()
        sheet = page.get_by_test_id("countdown-sheet")
        expect(sheet.get_by_label("Seconds", exact=True)).to_be_checked()
        sheet.get_by_text("5, 6, 7, 8").click()
        expect(sheet.get_by_test_id("countdown-seconds")).to_be_hidden()
        expect(sheet.get_by_test_id("click-volume")).to_be_hidden()
        sheet.get_by_text("With the music").click()
        expect(sheet.get_by_test_id("click-volume")).to_be_visible()
        eventually(lambda: setting(server, "clickVolume"), lambda value: value == 100)
        sheet.get_by_text("Click alone").click()
        expect(sheet.get_by_label("Click alone")).to_be_checked()
        assert violations(page) == [] and too_small(page) == []
        sheet.get_by_label("Click on every count").get_by_text("Off").click()
        eventually(lambda: setting(server, "clickVolume"), lambda value: value == 0)
        expect(sheet.get_by_label("Off")).to_be_checked()
        assert setting(server, "countIn") == "four"
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("countdown-dial")).to_contain_text("5–8")

        page.evaluate(SEEN)
        page.get_by_test_id("play").click()
        expect(page.get_by_test_id("countdown")).to_be_visible()
        expect(page.get_by_test_id("countdown")).to_be_hidden()
        seen = page.evaluate("() => window.seen")
        assert seen and seen == sorted(seen) and set(seen) <= {"2", "3", "4", "5"}


@has_parts(("One", 12))
def test_a_part_without_counts_has_the_countdown_alone(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, **PHONE) as page:
        analyse_without_counts(page)
        open_card(page)
        page.get_by_test_id("countdown-dial").click()
        sheet = page.get_by_test_id("countdown-sheet")
        expect(sheet.get_by_test_id("countdown-seconds")).to_be_visible()
        expect(sheet.get_by_test_id("count-in")).to_have_count(0)
        expect(sheet.get_by_test_id("click")).to_have_count(0)


def choose_spoken_count_in(page):
    """Chooses "5, 6, 7, 8" in spoken numbers, by touch, and closes the sheet."""
    page.get_by_test_id("countdown-dial").tap()
    sheet = page.get_by_test_id("countdown-sheet")
    sheet.get_by_text("5, 6, 7, 8").tap()
    sheet.get_by_test_id("count-in-sound").get_by_text("Spoken numbers").tap()
    expect(sheet.get_by_test_id("voice-language")).to_be_visible()
    return sheet


@has_parts(("One", 12))
def test_spoken_numbers_are_chosen_by_touch_and_heard(parts, chromium, server):  # noqa: F811
    # The recorder is no script of the server.
    with first_screen(chromium, server, **PHONE, script=RECORD, bypass_csp=True) as page:
        analyse(page)
        voices = []
        page.on("request", lambda request: "/voice-" in request.url and voices.append(request.url))
        open_card(page)
        assert voices == []
        with page.expect_response("**/voice-en.wav*"):
            choose_spoken_count_in(page)
        eventually(lambda: setting(server, "countInSound"), lambda value: value == "voice")
        page.keyboard.press("Escape")
        # The first press starts the audio, and with it the recorder.
        page.get_by_test_id("play").tap()
        page.wait_for_function("() => window.isRecording")
        page.get_by_test_id("countdown").tap()
        expect(page.get_by_test_id("countdown")).to_be_hidden()
        page.evaluate("() => { window.heard = []; }")
        page.get_by_test_id("play").tap()
        expect(page.get_by_test_id("countdown")).to_be_visible()
        expect(page.get_by_test_id("countdown")).to_be_hidden()
        heard = numpy.array(page.evaluate("() => window.heard.flatMap((block) => [...block])"), "<f4")
        assert len(voices) == 1

        # The track begins on count 6 of an eight of eight.
        attacks = []
        for number in (2, 3, 4, 5):
            samples, attack = voice("en")[number - 1]
            # From its beginning to well after its attack, where the next does not sound yet.
            wanted = (samples[: attack + 3_000] / 32_768).astype("<f4")
            places = [
                at for at in numpy.nonzero(heard == wanted[attack])[0] - 2 * attack
                if at >= 0 and numpy.array_equal(heard[at : at + 2 * len(wanted) : 2], wanted)]
            assert len(places) == 1, number
            attacks.append(places[0] + 2 * attack)
        assert list(numpy.diff(attacks)) == [PERIOD] * 3


@has_parts(("One", 12))
def test_without_its_voice_a_count_in_ticks_and_the_sheet_says_so(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, **PHONE) as page:
        analyse(page)
        page.route("**/voice-*", lambda route: route.abort())
        open_card(page)
        sheet = choose_spoken_count_in(page)
        expect(sheet.get_by_test_id("voice-missing")).to_be_visible()
        assert violations(page) == [] and too_small(page) == []
        page.unroute("**/voice-*")
        # Another choice tries again.
        with page.expect_response("**/voice-de.wav*"):
            sheet.get_by_text("Deutsch").tap()
        expect(sheet.get_by_test_id("voice-missing")).to_be_hidden()
        eventually(lambda: setting(server, "voiceLanguage"), lambda value: value == "de")
        with page.expect_response("**/voice-en.wav*"):
            sheet.get_by_text("As the app").tap()


@has_parts(("One", 12))
def test_four_counts_from_one_are_shown_and_said(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, **PHONE) as page:
        analyse(page)
        server.set("countInSound", "voice")
        open_card(page)
        page.get_by_test_id("countdown-dial").tap()
        page.get_by_test_id("countdown-sheet").get_by_text("1, 2, 3, 4").tap()
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("countdown-dial")).to_contain_text("1–4")
        page.evaluate(SEEN)
        page.get_by_test_id("play").tap()
        expect(page.get_by_test_id("countdown")).to_be_visible()
        expect(page.get_by_test_id("countdown")).to_be_hidden()
        seen = page.evaluate("() => window.seen")
        assert seen and seen == sorted(seen) and set(seen) <= {"1", "2", "3", "4"}


@has_parts(("One", 12))
def test_in_spanish_on_a_small_phone_every_choice_of_a_voice_is_in_reach(parts, chromium, server):  # noqa: F811
    small = {"viewport": {"width": 320, "height": 568}, "has_touch": True}
    with first_screen(chromium, server, **small, locale="es-ES") as page:
        analyse(page)
        with page.expect_response("**/voice-es.wav*"):
            open_card(page)
            page.get_by_test_id("countdown-dial").tap()
            sheet = page.get_by_test_id("countdown-sheet")
            sheet.get_by_text("1, 2, 3, 4").tap()
            sheet.get_by_test_id("count-in-sound").get_by_text("Números hablados").tap()
        sheet.get_by_text("Con la música").tap()
        sheet.get_by_test_id("click-sound").get_by_text("Números hablados").tap()
        expect(sheet.get_by_test_id("voice-language").get_by_label("El de la app")).to_be_checked()
        assert out_of_reach(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
        assert violations(page) == [] and too_small(page) == []


@has_parts(("One", 12))
def test_a_device_that_has_chosen_a_voice_has_it_without_a_network(parts, chromium, server):  # noqa: F811
    server.skip_welcome()
    device = Device(chromium, server)
    stored = """async () => {
      const voices = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        voices.push(...(await cache.keys()).map(({ url }) => url).filter((url) => url.includes('/voice-')));
      }
      return voices;
    }"""
    expect(device.page.get_by_test_id("routine-card")).to_be_visible()
    assert device.page.evaluate(stored) == []
    # On another device.
    server.set("clickSound", "voice")
    [address] = eventually(lambda: device.page.evaluate(stored), lambda found: len(found) == 1)
    assert "/voice-en.wav?" in address
    device.cut()
    page = device.restart()
    expect(page.get_by_test_id("routine-card")).to_be_visible()
    length = page.evaluate(
        "async (address) => (await (await fetch(address)).arrayBuffer()).byteLength", address)
    assert length == voice_file("en").stat().st_size
    device.close()
