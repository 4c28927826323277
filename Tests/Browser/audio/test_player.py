"""The player in a real page, with real presses and a real audio clock."""

import pytest
from audio_support import LIVE

pytestmark = LIVE

SECOND = 48_000


def part(track_id="noise", start=0, end=900_000, length=1_083_457):
    return {
        "id": "part",
        "trackId": track_id,
        "trackLengthFrames": length,
        "startFrame": start,
        "endFrame": end,
    }


def load(browser, part, **settings):
    browser.call("(part, settings) => stage.load(part, settings)", part, settings)


def snapshot(browser):
    return browser.call("() => stage.player.snapshot")


def seen(browser):
    return browser.call("() => stage.seen")


def until(browser, state, frame=0):
    return browser.call("(state, frame) => stage.until(state, frame)", state, frame)


def test_loading_is_silent_and_fetches_the_first_chunks(audio_browser, audio_server):
    load(audio_browser, part(start=100))
    assert snapshot(audio_browser)["state"] == "ready"
    assert snapshot(audio_browser)["frame"] == 100
    assert not snapshot(audio_browser)["wantsToPlay"]


def test_a_press_plays_and_a_second_press_pauses(audio_browser):
    load(audio_browser, part(start=100))
    audio_browser.press()
    assert snapshot(audio_browser)["wantsToPlay"]
    playing = until(audio_browser, "playing", 10_000)
    assert playing["frame"] < 900_000
    audio_browser.press()
    paused = until(audio_browser, "paused")
    assert not paused["wantsToPlay"]
    states = [entry["state"] for entry in seen(audio_browser)]
    order = [state for index, state in enumerate(states) if state not in states[:index]]
    assert order in (["loading", "playing", "paused"], ["playing", "paused"],
                     ["ready", "loading", "playing", "paused"])


def test_a_press_changes_the_snapshot_at_once(audio_browser):
    load(audio_browser, part())
    answered = audio_browser.call(
        "() => { stage.player.play(); return stage.player.snapshot; }"
    )
    assert answered["wantsToPlay"]
    assert answered["state"] in ("loading", "playing")
    answered = audio_browser.call(
        "() => { stage.player.pause(); return stage.player.snapshot; }"
    )
    assert answered["state"] == "paused"


@pytest.mark.timed
def test_the_position_advances_with_the_audio_clock(audio_browser):
    load(audio_browser, part())
    audio_browser.press()
    until(audio_browser, "playing", 5_000)
    positions = audio_browser.call(
        """() => new Promise((resolve) => {
          const taken = [];
          const take = () => {
            taken.push([performance.now(), stage.player.position()]);
            if (taken.length < 30) requestAnimationFrame(take); else resolve(taken);
          };
          take();
        })"""
    )
    frames = [frame for _, frame in positions]
    assert frames == sorted(frames) and frames[-1] > frames[0]
    elapsed = (positions[-1][0] - positions[0][0]) * 48
    # The tolerance is 50 %, because the audio clock of a busy machine is irregular.
    assert elapsed * 0.5 - 4_800 < frames[-1] - frames[0] < elapsed * 1.5 + 4_800


@pytest.mark.parametrize("percent, frame", [(100, 20_000), (50, 12_000)])
def test_the_position_includes_the_output_latency(audio_browser, percent, frame):
    load(audio_browser, part(), percent=percent)
    audio_browser.press()
    until(audio_browser, "playing", frame)
    # Reads the position with two latencies at nearly the same time of the audio clock.
    before, heard, after = audio_browser.call(
        """() => {
          const context = system.contexts[system.contexts.length - 1];
          const positionAt = (outputLatency) => {
            Object.defineProperty(
              context, 'outputLatency', { configurable: true, value: outputLatency });
            return stage.player.position();
          };
          return [positionAt(0), positionAt(0.3), positionAt(0)];
        }"""
    )
    behind = 0.3 * SECOND * percent / 100
    # The tolerance is for rounding to whole frames.
    assert before - behind - 1 <= heard <= after - behind + 1


@pytest.mark.timed
def test_a_start_is_reported_for_the_time_when_it_is_heard(audio_browser):
    load(audio_browser, part(), countdownSeconds=1)
    audio_browser.call(
        "() => { Object.defineProperty("
        "AudioContext.prototype, 'outputLatency', { configurable: true, get: () => 0.25 }); }")
    audio_browser.press()
    until(audio_browser, "countdown")
    taken = audio_browser.call(
        """() => new Promise((resolve) => {
          const taken = [];
          const take = () => {
            const { startsIn, snapshot } = stage.player;
            taken.push([startsIn, stage.player.position(), snapshot.countdownFramesLeft]);
            if (taken[taken.length - 1][1] < 24000) requestAnimationFrame(take);
            else resolve(taken);
          };
          take();
        })""")
    assert 0.5 < taken[0][0] <= 1.26
    # A new audio clock can skip blocks, which makes the start later than predicted.
    steady = [wait for wait, _, left in taken if left < 0.8 * SECOND]
    assert len(steady) > 20
    # The tolerance is one block, because the audio clock advances between two calls.
    assert all(later <= wait + 0.01 for wait, later in zip(steady, steady[1:]))
    assert all(frame < 500 for wait, frame, _ in taken if wait > 0)
    assert sum(frame == 0 for wait, frame, _ in taken if wait == 0) <= 2
    assert min(wait for wait in steady if wait > 0) < 0.1 and steady[-1] == 0


@pytest.mark.timed
def test_snapshots_come_about_thirty_times_a_second_and_keep_their_identity(audio_browser):
    load(audio_browser, part())
    audio_browser.press()
    until(audio_browser, "playing", 2 * SECOND)
    playing = [entry for entry in seen(audio_browser) if entry["state"] == "playing"]
    rate = len(playing) / ((playing[-1]["frame"] - playing[0]["frame"]) / SECOND)
    assert 15 < rate < 60
    audio_browser.press()
    until(audio_browser, "paused")
    assert audio_browser.call("() => stage.player.snapshot === stage.player.snapshot")


@pytest.mark.timed
def test_the_countdown_is_reported_and_then_the_part_plays(audio_browser):
    load(audio_browser, part(), countdownSeconds=1)
    audio_browser.press()
    until(audio_browser, "playing", 1)
    counted = [
        entry["countdownFramesLeft"] for entry in seen(audio_browser)
        if entry["state"] == "countdown"
    ]
    assert counted[0] <= SECOND and counted == sorted(counted, reverse=True)
    assert len(counted) > 10


@pytest.mark.timed
@pytest.mark.parametrize("presses", [49, 50])
def test_fast_repeated_presses_leave_one_countdown_or_none(audio_browser, presses):
    load(audio_browser, part(), countdownSeconds=1)
    audio_browser.press()
    until(audio_browser, "countdown")
    audio_browser.press()
    audio_browser.call("(presses) => stage.hammer(presses)", presses)
    after = snapshot(audio_browser)
    if presses % 2 == 0:
        assert (after["state"], after["wantsToPlay"]) == ("paused", False)
        # Waits longer than the countdown, so that a remaining countdown would be seen. Reads the engine's
        # own report, because the player's snapshot shows a pause at once.
        state = audio_browser.call(
            "() => new Promise((resolve) => {"
            " setTimeout(() => resolve(stage.player.report.state), 1_300); })")
        assert state == "paused"
    else:
        assert after["wantsToPlay"]
        until(audio_browser, "playing", 1)


def test_play_after_the_end_starts_at_the_beginning(audio_browser):
    load(audio_browser, part(end=20_000))
    audio_browser.press()
    ended = until(audio_browser, "ended")
    assert not ended["wantsToPlay"]
    assert ended["frame"] == 20_000
    told = len(seen(audio_browser))
    audio_browser.press()
    # The part of 0.4 s can end before the test reads the state.
    until(audio_browser, "ended")
    again = [entry["frame"] for entry in seen(audio_browser)[told:] if entry["state"] == "playing"]
    assert again and again[0] < 20_000


def test_a_section_loops(audio_browser):
    load(audio_browser, part(), loopMode="section", markerA=60_000, markerB=48_000)
    audio_browser.press()
    audio_browser.call(
        """() => new Promise((resolve) => {
          const stop = stage.player.subscribe(() => {
            if (stage.player.snapshot.repeat >= 4) { stop(); resolve(null); }
          });
        })"""
    )
    frames = [entry["frame"] for entry in seen(audio_browser) if entry["state"] == "playing"]
    assert all(48_000 <= frame < 60_000 for frame in frames)
    audio_browser.call("() => stage.player.seek(0)")
    assert 48_000 <= snapshot(audio_browser)["frame"] < 60_000


def test_repeated_seek_steps_add_up_before_the_engine_reports(audio_browser):
    load(audio_browser, part())
    audio_browser.press()
    until(audio_browser, "playing", 1_000)
    frame = audio_browser.call(
        """() => {
          stage.player.seek(100000);
          for (let press = 0; press < 3; press += 1) stage.player.skip(48000);
          return stage.player.position();
        }"""
    )
    assert frame == 100_000 + 3 * SECOND
    until(audio_browser, "playing", frame + 5_000)


def test_a_missing_chunk_is_reported_with_a_message(audio_browser):
    load(audio_browser, part("missing"))
    problem = until(audio_browser, "problem")
    assert "missing" in problem["problem"]
    load(audio_browser, part())
    assert snapshot(audio_browser)["problem"] is None


def test_a_damaged_chunk_is_reported_with_a_message(audio_browser):
    load(audio_browser, part("damaged"))
    assert "damaged" in until(audio_browser, "problem")["problem"]


def test_an_engine_that_fails_at_a_command_is_reported_with_a_message(
    audio_browser, audio_server
):
    kind, worklet = audio_server.files["/worklet.js"]
    broken = worklet.replace(b"exports.engine_play(handle)", b"exports.no_such_function()")
    assert broken != worklet
    audio_server.files["/worklet.js"] = (kind, broken)
    try:
        load(audio_browser, part())
        audio_browser.press()
        assert "could not be started" in until(audio_browser, "problem")["problem"]
    finally:
        audio_server.files["/worklet.js"] = (kind, worklet)


@pytest.mark.parametrize("percent", [100, 80])
def test_a_chunk_missing_during_playback_is_reported_and_played_when_available(
    audio_browser, audio_server, percent
):
    audio_server.lost.add(("noise", 1))
    load(audio_browser, part(start=470_000), percent=percent)
    audio_browser.press()
    problem = until(audio_browser, "problem")
    # At a lower speed the engine needs the chunk before the current one ends.
    assert "missing" in problem["problem"] and problem["frame"] <= 480_000
    audio_server.lost.clear()
    audio_browser.press()
    until(audio_browser, "playing", 490_000)


def test_a_short_network_failure_only_delays_playback(audio_browser, audio_server):
    audio_server.failures = 3
    load(audio_browser, part())
    audio_browser.press()
    until(audio_browser, "playing", 1_000)
    assert "problem" not in {entry["state"] for entry in seen(audio_browser)}


def test_a_track_of_an_hour_plays_within_the_memory_limit(audio_browser, audio_server):
    hour = part("hour", end=3_600 * SECOND, length=3_600 * SECOND)
    load(audio_browser, hour)
    audio_browser.press()
    until(audio_browser, "playing", 1_000)
    for minute in (59, 7, 33, 12, 48):
        frame = minute * 60 * SECOND
        audio_browser.call("(frame) => stage.player.seek(frame)", frame)
        until(audio_browser, "playing", frame + 4_800)
        assert 0 < audio_browser.call("() => stage.player.decodedChunks") <= 24


def test_changing_to_another_part_of_the_track_fetches_no_chunk_twice(audio_browser, audio_server):
    load(audio_browser, part())
    audio_browser.press()
    until(audio_browser, "playing", 1_000)
    audio_browser.call("() => stage.player.load(null, {})")
    assert snapshot(audio_browser)["state"] == "empty"
    load(audio_browser, part(start=200_000, end=400_000))
    audio_browser.press()
    until(audio_browser, "playing", 201_000)
    assert len(audio_server.requests) == len(set(audio_server.requests))


def test_another_track_never_plays_the_audio_of_the_previous_one(
    audio_browser, audio_server
):
    load(audio_browser, part())
    audio_browser.press()
    until(audio_browser, "playing", 1_000)
    # The next track loads slowly, and the engine still has the previous track's audio.
    audio_server.failures = 2
    load(audio_browser, part("hour"))
    audio_browser.press()
    until(audio_browser, "playing")
    assert audio_browser.call("() => stage.player.decodedChunks") > 0
    assert ("hour", 0) in audio_server.requests[2:]


@pytest.mark.timed
def test_a_setting_changed_while_paused_applies_to_the_next_press(audio_browser):
    load(audio_browser, part())
    audio_browser.press()
    until(audio_browser, "playing", 1_000)
    audio_browser.press()
    audio_browser.call("() => stage.player.update({ countdownSeconds: 2 })")
    audio_browser.press()
    # Checks the snapshot at once, and then the engine's state.
    counting = until(audio_browser, "countdown")
    assert counting["countdownFrames"] == 2 * SECOND
    until(audio_browser, "playing")
    told = [entry["countdownFramesLeft"] for entry in seen(audio_browser)]
    assert len([left for left in told if 0 < left < 2 * SECOND]) > 20


def test_a_command_without_effect_notifies_no_listener(audio_browser):
    load(audio_browser, part())
    same = audio_browser.call(
        """() => {
          const before = stage.player.snapshot;
          stage.seen = [];
          stage.player.update({ restSeconds: 1 });
          stage.player.pause();
          return stage.player.snapshot === before && stage.seen.length === 0;
        }"""
    )
    assert same


def test_a_preview_works_without_a_part(audio_browser):
    audio_browser.call("() => stage.player.previewTick('piano', 100)")
    assert snapshot(audio_browser)["state"] == "empty"


@pytest.mark.timed
def test_a_count_in_tells_its_numbers_and_survives_new_beats(audio_browser):
    load(audio_browser, part(), countIn="four", clickVolume=100)
    # 200 beats a minute, from the part's first frame on.
    audio_browser.call(
        """(gap) => stage.player.setBeats(Array.from({ length: 9 }, (_, i) => (
          { frame: i * gap, count: i % 8 + 1, place: i % 4 + 1, metre: 4 })))""", 14_400)
    audio_browser.press()
    until(audio_browser, "playing", 1)
    counting = [entry for entry in seen(audio_browser) if entry["state"] == "countdown"]
    assert sorted({entry["countInNumber"] for entry in counting}) == [5, 6, 7, 8]
    assert {entry["countdownFrames"] for entry in counting} == {4 * 14_400}
    assert snapshot(audio_browser)["countInNumber"] == 0
    audio_browser.call("() => stage.player.setBeats([])")
    until(audio_browser, "playing", 20_000)
