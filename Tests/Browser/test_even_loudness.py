"""Songs of a routine that are played equally loud: switched on by touch, heard, in a run, and without a network."""

import re
import subprocess

import numpy
import pytest
from offline_support import keep, wait_until_stored
from playwright.sync_api import expect
from screen_checks import too_small, violations
from studio import PHONE, RATE, eventually, first_screen, open_card, wav_file
from test_click import RECORD
from test_moves import change, write

SECONDS = 4
#: Writes down the levels that the page sends to the engine.
WATCH = """
window.levels = null;
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (message, ...rest) {
  if (message?.command?.kind === 'levels') window.levels = message.command.levels;
  return post.call(this, message, ...rest);
};
"""


def tone(hertz, level, peak=None):
    """A stereo tone with so many dB below full scale, which is its loudness in LUFS near 1 kHz; and a short peak."""
    time = numpy.arange(SECONDS * RATE) / RATE
    samples = 10 ** (level / 20) * numpy.sin(2 * numpy.pi * hertz * time)
    if peak is not None:
        # A period of a tone, so that it has no more between its samples.
        at = numpy.arange(48)
        samples[RATE : RATE + 48] = 10 ** (peak / 20) * numpy.sin(2 * numpy.pi * at / 48)
    return numpy.repeat(numpy.round(32_767 * samples).astype("<i2")[:, None], 2, axis=1)


LOUD, SOFT = tone(1_000, -10, -0.1), tone(960, -26, -12)


def two_songs(server):
    """The routine "Swan" of two songs, at −10 and −26 LUFS; the soft one is played in two parts."""
    [routine] = write(server, [("routine", {"title": "Swan"})])
    loud, soft = (
        server.add("track", f"{name}.wav", wav_file(samples))["id"] for name, samples in (("Loud", LOUD), ("Soft", SOFT)))
    stretches = [(loud, 0, SECONDS), (soft, 0, 2), (soft, 2, SECONDS)]
    write(server, [
        ("part", {"routine": routine, "title": f"Part {at + 1}", "position": f"{at + 10}V", "track": track,
                  "startFrame": start * RATE, "endFrame": end * RATE})
        for at, (track, start, end) in enumerate(stretches)])


def one_song(server):
    """The routine "Swan" of two parts of one song."""
    [routine] = write(server, [("routine", {"title": "Swan"})])
    track = server.add("track", "Loud.wav", wav_file(LOUD))["id"]
    write(server, [
        ("part", {"routine": routine, "title": f"Part {at}", "position": f"{at + 10}V", "track": track,
                  "startFrame": at * RATE, "endFrame": (at + 1) * RATE})
        for at in range(2)])


@pytest.fixture
def swan(begin_with):
    """A library with a routine of two songs, of which one is much louder."""
    begin_with(two_songs)


def routine_of(server):
    return server.records("routine")[0]


def decibels(page):
    """The levels that the engine has: their frames, and their gains in dB."""
    levels = page.evaluate("() => window.levels ?? []")
    return [(level["frame"], 20 * numpy.log10(level["gain"])) for level in levels]


def eventually_levels(page, *expected):
    """Waits until the engine has these levels, within 0.2 dB."""
    return eventually(lambda: decibels(page), lambda levels: len(levels) == len(expected) and all(
        frame == wanted and abs(gain - wanted_gain) < 0.2
        for (frame, gain), (wanted, wanted_gain) in zip(levels, expected)))


def measured(samples):
    """The loudness and the true peak of a recording of one of two equal channels, as ffmpeg finds them."""
    stereo = numpy.repeat(samples.astype("<f4")[:, None], 2, axis=1)
    told = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostats", "-f", "f32le", "-ar", str(RATE), "-ac", "2", "-i", "pipe:0", "-af",
         "ebur128=peak=true:framelog=verbose", "-f", "null", "-"],
        input=stereo.tobytes(), check=True, capture_output=True).stderr.decode()
    summary = told[told.rindex("Summary"):]
    return [float(re.search(rf"{name}:\s+(-?[\d.]+)", summary)[1]) for name in ("I", "Peak")]


def record_run(page):
    """Plays the routine from its start to its end; returns the samples of the left channel."""
    # The first press starts the audio, and with it the recorder.
    page.get_by_test_id("play").tap()
    page.wait_for_function("() => window.isRecording")
    page.get_by_test_id("play").tap()
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    page.evaluate("() => { window.heard = []; }")
    page.get_by_test_id("action-run").tap()
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "false", timeout=60_000)
    heard = numpy.array(page.evaluate("() => window.heard.flatMap((block) => [...block])"), "<f4")
    # After its end the last value is led to zero over 239 frames.
    end = numpy.nonzero(heard)[0][-1] + 1 - 239
    return heard, end - 2 * SECONDS * RATE


def switch_on(page):
    page.get_by_test_id("edit-routine").tap()
    switch = page.get_by_test_id("edit-even-loudness")
    expect(switch).not_to_be_checked()
    switch.tap()
    expect(switch).to_be_checked()
    page.get_by_test_id("edit-done").tap()


def test_two_songs_are_equally_loud_in_a_run_once_it_is_switched_on(swan, chromium, server):
    with first_screen(chromium, server, **PHONE, script=WATCH + RECORD, bypass_csp=True) as page:
        open_card(page)
        switch_on(page)
        eventually(lambda: routine_of(server).get("evenLoudness"), lambda value: value == 1)
        heard, start = record_run(page)
        # The soft song can go up by 11, to a peak of −1 dBTP; the loud one comes down to it.
        (_, fall), (_, rise), _ = eventually_levels(page, (0, -5), (SECONDS * RATE, 11), (6 * RATE, 11))
        border = start + SECONDS * RATE
        loud, soft = measured(heard[start:border]), measured(heard[border : border + SECONDS * RATE])
        assert abs(loud[0] - soft[0]) <= 0.5, (loud, soft)
        assert abs(loud[0] + 15) <= 0.5
        assert max(loud[1], soft[1]) <= -1
        # The rise begins at the join, with the fade of the first song's last value.
        assert numpy.abs(heard[start:border] - LOUD[:, 0] / 32_768 * 10 ** (fall / 20)).max() < 1e-6
        assert numpy.abs(heard[border + 240 :][: SECONDS * RATE - 240] - SOFT[240:, 0] / 32_768 * 10 ** (rise / 20)).max() < 1e-6


def test_while_it_is_off_every_sample_is_that_of_the_songs(swan, chromium, server):
    with first_screen(chromium, server, **PHONE, script=WATCH + RECORD, bypass_csp=True) as page:
        open_card(page)
        heard, start = record_run(page)
        assert decibels(page) == []
        border = start + SECONDS * RATE
        assert (heard[start : border] == (LOUD[:, 0] / 32_768).astype("<f4")).all()
        # The last value of the first song is led to zero over the first frames of the second.
        assert (heard[border + 240 : border + SECONDS * RATE] == (SOFT[240:, 0] / 32_768).astype("<f4")).all()


def test_it_is_switched_while_it_plays_and_on_another_device(swan, chromium, server):
    routine = routine_of(server)["id"]
    with first_screen(chromium, server, **PHONE, script=WATCH) as page:
        open_card(page)
        page.get_by_test_id("play").tap()
        assert decibels(page) == []
        change(server, "routine", routine, {"evenLoudness": 1})
        eventually_levels(page, (0, -5))
        # A border that moves is measured anew: without its peak the soft song goes higher.
        soft = max(server.records("part"), key=lambda part: part["startFrame"])
        first = next(
            part for part in server.records("part") if part["track"] == soft["track"] and part["id"] != soft["id"])
        change(server, "part", first["id"], {"startFrame": round(1.2 * RATE)})
        eventually_levels(page, (0, -0.9))
        change(server, "routine", routine, {"evenLoudness": None})
        eventually_levels(page)


@pytest.fixture
def one(begin_with):
    """A library with a routine of two parts of one song."""
    begin_with(one_song)


def test_parts_of_one_song_keep_their_differences_and_have_no_switch(one, chromium, server):
    with first_screen(chromium, server, **PHONE, script=WATCH) as page:
        open_card(page)
        page.get_by_test_id("edit-routine").tap()
        expect(page.get_by_test_id("edit-pin")).to_be_visible()
        expect(page.get_by_test_id("edit-even-loudness")).to_have_count(0)
        # Where it is on, it can be switched off.
        change(server, "routine", routine_of(server)["id"], {"evenLoudness": 1})
        expect(page.get_by_test_id("edit-even-loudness")).to_be_checked()
        page.get_by_test_id("edit-done").tap()
        page.get_by_test_id("play").tap()
        assert decibels(page) == []


def test_without_a_network_a_kept_routine_is_equally_loud(swan, device, server):
    device.context.add_init_script(WATCH)
    change(server, "routine", routine_of(server)["id"], {"evenLoudness": 1})
    page = device.page
    keep(page, "Swan")
    wait_until_stored(page, server)
    device.cut()
    server.stop()
    page = device.restart()
    open_card(page)
    page.get_by_test_id("play").tap()
    eventually_levels(page, (0, -5))


def test_without_the_analyses_the_songs_are_heard_as_they_are(swan, chromium, server):
    change(server, "routine", routine_of(server)["id"], {"evenLoudness": 1})
    with first_screen(chromium, server, **PHONE, script=WATCH) as page:
        page.route("**/api/tracks/*/analysis*", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            open_card(page)
        page.get_by_test_id("play").tap()
        expect(page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        assert decibels(page) == []


@pytest.mark.parametrize("locale", ["en", "es"])
def test_the_switch_is_accessible_on_a_small_phone(locale, swan, chromium, server):
    with first_screen(
            chromium, server, viewport={"width": 320, "height": 568}, has_touch=True, locale=locale) as page:
        open_card(page)
        page.get_by_test_id("edit-routine").tap()
        page.get_by_test_id("edit-even-loudness").scroll_into_view_if_needed()
        assert violations(page) == [] and too_small(page) == []
        sheet = page.get_by_test_id("edit-routine-sheet")
        assert sheet.evaluate("(element) => element.scrollWidth <= element.clientWidth")
