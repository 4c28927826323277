"""The system around the page: media keys, the lock screen, the screen's sleep, and a phone that
takes the sound away. The system is a stand-in; the player and its audio clock are real."""

import pytest

SECOND = 48_000


@pytest.fixture
def browser(audio_browser):
    """A page with a part loaded and bound to the system."""
    audio_browser.call(
        """() => {
          const part = {
            id: 'part', trackId: 'noise', trackLengthFrames: 1083457, startFrame: 48000,
            endFrame: 528000,
          };
          stage.load(part);
          stage.turned = [];
          stage.unbind = bindMediaSession(stage.player, {
            title: '2. Chorus', artist: 'Swan', startFrame: 48000, endFrame: 528000,
            onPrevious: () => stage.turned.push('previous'),
            onNext: () => stage.turned.push('next'),
          });
          stage.sleep = keepAwakeWhilePlaying(stage.player);
        }"""
    )
    return audio_browser


def until(browser, state, frame=0):
    return browser.call("(state, frame) => stage.until(state, frame)", state, frame)


def key(browser, action, **details):
    browser.call("(action, details) => system.handlers[action](details)", action, details)


def test_media_keys_play_pause_and_turn(browser):
    browser.press()
    until(browser, "playing")
    assert browser.call("() => system.session.playbackState") == "playing"
    key(browser, "pause")
    until(browser, "paused")
    assert browser.call("() => system.session.playbackState") == "paused"
    key(browser, "play")
    until(browser, "playing")
    key(browser, "nexttrack")
    key(browser, "previoustrack")
    assert browser.call("() => stage.turned") == ["next", "previous"]


def test_the_lock_screen_shows_and_moves_the_position_within_the_part(browser):
    assert browser.call("() => system.session.metadata.title") == "2. Chorus"
    assert browser.call("() => system.session.position") == {
        "duration": 10, "position": 0, "playbackRate": 1,
    }
    key(browser, "seekto", seekTime=4)
    assert browser.call("() => stage.player.position()") == 5 * SECOND
    key(browser, "seekforward", seekOffset=2)
    assert browser.call("() => stage.player.position()") == 7 * SECOND
    key(browser, "seekbackward")
    assert browser.call("() => stage.player.position()") == SECOND


def test_unbinding_leaves_nothing_behind(browser):
    browser.call("() => { stage.unbind(); stage.sleep(); }")
    assert browser.call(
        "() => Object.values(system.handlers).every((handler) => handler === null)"
    )
    assert browser.call("() => system.session.playbackState") == "none"
    browser.press()
    until(browser, "playing")
    assert browser.call("() => system.session.playbackState") == "none"
    assert browser.call("() => system.locks.asked") == 0


def test_the_screen_stays_awake_while_playing_and_after_the_page_was_hidden(browser):
    browser.press()
    until(browser, "playing")
    assert browser.call("() => system.locks") == {"asked": 1, "released": 0}
    browser.call("() => document.dispatchEvent(new Event('visibilitychange'))")
    assert browser.call("() => system.locks.asked") == 2
    browser.press()
    until(browser, "paused")
    assert browser.call("() => system.locks") == {"asked": 2, "released": 2}


def test_the_audio_session_is_for_playback_before_the_context_is_made(browser):
    assert browser.call("() => system.contexts.length") == 0, "no context before a gesture"
    browser.press()
    until(browser, "playing")
    assert browser.call("() => system.sessionTypes") == ["playback"]


@pytest.mark.parametrize("event", ["visibilitychange", "pointerdown"])
def test_sound_that_was_taken_away_comes_back(browser, event):
    browser.press()
    until(browser, "playing", 60_000)
    browser.call("() => system.contexts[0].suspend()")
    taken = until(browser, "loading")
    assert taken["wantsToPlay"]
    browser.call("(event) => document.dispatchEvent(new Event(event))", event)
    back = until(browser, "playing", taken["frame"] + 4_800)
    assert back["frame"] < taken["frame"] + 5 * SECOND


def test_leaving_the_part_is_silence(browser):
    browser.press()
    until(browser, "playing")
    browser.call("() => stage.player.load(null, {})")
    assert browser.call("() => stage.player.snapshot.state") == "empty"
    assert browser.call("() => system.session.playbackState") == "none"
    assert browser.call("() => system.locks") == {"asked": 1, "released": 1}


def test_a_player_that_is_disposed_of_closes_its_context(browser):
    browser.press()
    until(browser, "playing")
    browser.call("() => stage.close()")
    assert browser.call("() => system.contexts.map((context) => context.state)") == ["closed"]
