"""The clipper: songs are uploaded, cut during playback, named and adjusted, by mouse, keys and touch."""

import io
import re
import time
import urllib.request
import wave

import numpy
import pytest
from playwright.sync_api import expect
from prepared import one_song
from studio import (
    DESKTOP, PHONE, RATE, drag_below, drop_files, eventually, first_screen, pick_song, resting_box, song,
    wav_file)
from test_moves import Finger, write
from test_webkit import find


def upload(page, server, name, content):
    """Uploads a song with the clipper's picker; returns its record when it is ready."""
    page.goto(server.origin + "/clipper")
    before = len(server.records("track"))
    pick_song(page, server.folder.parent, name, content)
    tracks = eventually(
        lambda: server.records("track"),
        lambda tracks: len(tracks) > before and all(track["state"] == "ready" for track in tracks), 60)
    return max(tracks, key=lambda track: track["createdAt"])


def opened(page, server, seconds=24, content=None):
    """Opens a song in the clipper."""
    track = upload(page, server, "Swan.wav", content or song(seconds))
    open_only(page)
    return track


def open_only(page):
    """Opens the only song of the list."""
    page.get_by_test_id("track-cut").click()
    expect(page.get_by_test_id("cutter")).to_be_visible()


@pytest.fixture
def with_song(begin_with):
    """A library with a song of 24 seconds."""
    begin_with(one_song)


@pytest.fixture
def studio(with_song, chromium, server):
    """A desktop page with a song of 24 seconds open."""
    with first_screen(chromium, server, "/clipper", **DESKTOP) as page:
        open_only(page)
        yield page


@pytest.fixture
def phone_page(with_song, chromium, server):
    """A phone with a song of 24 seconds open."""
    with first_screen(chromium, server, "/clipper", **PHONE) as page:
        open_only(page)
        yield page


def place(page, seconds):
    """Returns the position of a time of the song on the wave, in CSS pixels of the page."""
    stage = page.get_by_test_id("stage")
    expect(stage).to_have_attribute("data-end-frame", re.compile(r"\d"))
    start, end = (int(stage.get_attribute(f"data-{which}-frame")) for which in ("start", "end"))
    box = resting_box(page.get_by_test_id("stage-wave"))
    share = (seconds * RATE - start) / (end - start)
    return box["x"] + box["width"] * share, box["y"] + box["height"] * 0.4


def seek(page, seconds):
    page.mouse.click(*place(page, seconds))


def cut(page, *times):
    """Seeks to each time and cuts there."""
    for seconds in times:
        seek(page, seconds)
        page.get_by_test_id("cut-here").click()
        page.keyboard.press("Escape")


def ranges(page):
    """Returns start and end of every row, in seconds with one decimal."""
    rows = page.get_by_test_id("clip-row").evaluate_all(
        "(rows) => rows.map((row) => [Number(row.dataset.start), Number(row.dataset.end)])")
    return [(round(start / RATE, 1), round(end / RATE, 1)) for start, end in rows]


def frames(page):
    return page.get_by_test_id("clip-row").evaluate_all(
        "(rows) => rows.map((row) => [Number(row.dataset.start), Number(row.dataset.end)])")


def names(page):
    """Returns the names of the rows, or their placeholders."""
    return page.get_by_test_id("clip-title").evaluate_all(
        "(fields) => fields.map((field) => field.value || field.placeholder)")


def near(seen, wanted, tolerance=0.25):
    """Whether ranges in seconds are the expected ones within about a pixel."""
    flat = [time for pair in seen for time in pair]
    return len(seen) == len(wanted) and all(
        abs(one - other) <= tolerance
        for one, other in zip(flat, [time for pair in wanted for time in pair]))


def selected(page):
    """Returns start and end of the selection, in frames."""
    field = page.get_by_test_id("selection-range")
    return int(field.get_attribute("data-start")), int(field.get_attribute("data-end"))


def saved_clips(server):
    clips = sorted(server.records("clip"), key=lambda clip: clip["position"])
    return [(clip["title"], clip["startFrame"], clip["endFrame"]) for clip in clips]


def make_routine(page):
    """Makes a routine of the clips, with the offered title."""
    page.get_by_test_id("make-routine").click()
    page.get_by_test_id("make-routine-confirm").click()


def menu(page, row, item):
    page.get_by_test_id("clip-menu").nth(row).click()
    page.get_by_test_id(item).click()


# The list of songs.

def test_uploaded_songs_are_listed_newest_first(desktop, server):
    desktop.goto(server.origin + "/clipper")
    expect(desktop.get_by_test_id("clipper-empty")).to_be_visible()
    drop_files(desktop, [("one.wav", song(3)), ("notes.mp3", b"just some words " * 50)])
    expect(desktop.get_by_test_id("track")).to_have_count(1, timeout=30_000)
    # The upload may still be running.
    failed = desktop.get_by_test_id("clipper-upload").filter(has_text="notes.mp3")
    expect(failed).to_have_attribute("data-state", "failed", timeout=30_000)
    expect(failed).to_contain_text("not a sound file")
    failed.get_by_test_id("clipper-upload-cancel").click()
    expect(desktop.get_by_test_id("clipper-upload")).to_have_count(0, timeout=30_000)
    upload(desktop, server, "two.wav", song(4, 2))
    expect(desktop.get_by_test_id("track")).to_have_count(2)
    expect(desktop.get_by_test_id("track").first).to_contain_text("two")
    assert server.records("routine") == []


def test_a_song_has_its_own_address_and_leaving_the_page_stops_playback(studio, server):
    assert re.search(r"/clipper/[0-9a-f-]{36}$", studio.url)
    studio.keyboard.press(" ")
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    studio.go_back()
    expect(studio.get_by_test_id("tracks")).to_be_visible()
    studio.go_forward()
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    studio.get_by_test_id("cutter-back").click()
    expect(studio.get_by_test_id("tracks")).to_be_visible()
    studio.goto(f"{server.origin}/clipper/none")
    expect(studio.get_by_test_id("cutter-missing")).to_contain_text("not found")


# Cutting.

def test_cuts_divide_the_song_into_consecutive_clips(studio, server):
    expect(studio.get_by_test_id("make-routine")).to_be_disabled()
    cut(studio, 12, 6, 18)
    assert near(ranges(studio), [(0, 6), (6, 12), (12, 18), (18, 24)])
    assert names(studio) == ["Part 1", "Part 2", "Part 3", "Part 4"]
    borders = frames(studio)
    assert [start for start, _ in borders[1:]] == [end for _, end in borders[:-1]]
    assert (borders[0][0], borders[-1][1]) == (0, 24 * RATE)
    eventually(lambda: saved_clips(server), lambda clips: len(clips) == 4)
    assert [list(clip[1:]) for clip in saved_clips(server)] == borders
    studio.reload()
    expect(studio.get_by_test_id("clip-row")).to_have_count(4)
    assert frames(studio) == borders


def test_a_cut_during_playback_keeps_playing_and_is_announced(studio):
    studio.keyboard.press(" ")
    studio.get_by_test_id("play").blur()
    eventually(lambda: needle(studio), lambda at: at > 0.5)
    studio.keyboard.press("c")
    expect(studio.get_by_test_id("clip-row")).to_have_count(2)
    expect(studio.get_by_role("status").filter(has_text=re.compile(r"^Cut at 0:0\d\.\d{3}\s?$"))).to_have_count(1)
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    expect(studio.get_by_test_id("naming")).to_contain_text("Name of part 2")


def test_a_cut_too_close_to_a_border_is_refused_with_a_message(studio):
    cut(studio, 12)
    studio.get_by_test_id("cut-here").click()
    expect(studio.get_by_test_id("toast")).to_contain_text("Too close to another cut")
    expect(studio.get_by_test_id("clip-row")).to_have_count(2)


def test_a_cut_can_be_undone(studio, server):
    cut(studio, 12)
    seek(studio, 6)
    studio.get_by_test_id("cut-here").click()
    expect(studio.get_by_test_id("clip-row")).to_have_count(3)
    studio.get_by_test_id("naming-undo").click()
    assert near(ranges(studio), [(0, 12), (12, 24)])


# Names during playback.

def test_the_name_field_receives_keys_while_it_has_the_focus(studio, server):
    naming = studio.get_by_test_id("naming")
    field = studio.get_by_test_id("naming-field")
    seek(studio, 6)
    studio.keyboard.press("c")
    expect(naming).to_contain_text("Name of part 2")
    studio.keyboard.press("n")
    expect(field).to_be_focused()
    studio.keyboard.type("chorus can")
    expect(studio.get_by_test_id("clip-row")).to_have_count(2), "a c in a name cuts nothing"
    studio.keyboard.press("Enter")
    expect(naming).to_contain_text("Name of part 1")
    expect(field).to_be_focused()
    studio.keyboard.type("Intro")
    studio.keyboard.press("Enter")
    expect(naming).to_have_count(0)
    assert names(studio) == ["Intro", "chorus can"]
    # Keys go to the stage again. Shift+Enter in a name field cuts at the needle.
    seek(studio, 12)
    studio.keyboard.press("c")
    expect(naming).to_contain_text("Name of part 3")
    studio.keyboard.press("n")
    expect(field).to_be_focused()
    studio.keyboard.type("Verse")
    studio.evaluate("() => document.activeElement.dataset.kept = '1'")
    seek(studio, 18)
    field.focus()
    studio.keyboard.press("Shift+Enter")
    expect(naming).to_contain_text("Name of part 4")
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    studio.keyboard.press("Escape")
    expect(naming).to_have_count(0)
    assert names(studio) == ["Intro", "chorus can", "Verse", "Part 4"]
    clips = eventually(lambda: saved_clips(server), lambda clips: len(clips) == 4 and clips[2][0])
    assert [clip[0] for clip in clips] == ["Intro", "chorus can", "Verse", ""]


def test_the_key_c_cuts_each_time_and_types_nothing(studio):
    studio.get_by_test_id("play").click()
    for count in range(2, 6):
        seek(studio, 4 * (count - 1))
        studio.keyboard.press("c")
        expect(studio.get_by_test_id("clip-row")).to_have_count(count)
        expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    assert names(studio) == [f"Part {number}" for number in range(1, 6)]
    # The button also cuts, and focuses no field.
    seek(studio, 20)
    studio.get_by_test_id("cut-here").click()
    expect(studio.get_by_test_id("clip-row")).to_have_count(6)
    expect(studio.get_by_test_id("naming-field")).not_to_be_focused()


def test_the_key_n_names_the_clip_at_the_needle_without_a_recent_cut(studio):
    cut(studio, 12)
    studio.get_by_test_id("naming-close").click()
    seek(studio, 6)
    expect(studio.get_by_test_id("clip-row").first).to_have_class(re.compile("is-current"))
    studio.keyboard.press("n")
    expect(studio.get_by_test_id("naming-field")).to_be_focused()
    studio.keyboard.type("Intro")
    expect(studio.get_by_test_id("naming-undo")).to_have_count(0)
    assert names(studio) == ["Intro", "Part 2"]


def test_a_cut_by_touch_offers_the_name_without_opening_the_keyboard(phone_page):
    x, y = place(phone_page, 12)
    phone_page.touchscreen.tap(x, y)
    phone_page.get_by_test_id("cut-here").tap()
    field = phone_page.get_by_test_id("naming-field")
    expect(field).to_be_visible()
    expect(phone_page.get_by_test_id("naming")).to_contain_text("Name of part 2")
    expect(field).not_to_be_focused()
    field.tap()
    expect(field).to_be_focused()
    phone_page.keyboard.type("שיר 🩰")
    assert names(phone_page) == ["Part 1", "שיר 🩰"]


@pytest.mark.timed
def test_a_song_of_four_minutes_becomes_a_routine_of_eight_parts_in_one_pass(desktop, server):
    """Counts the presses. A click on the wave replaces half a minute of listening and is not counted."""
    opened(desktop, server, seconds=240)
    wanted = ["Intro", "Verse", "Chorus", "Verse 2", "Chorus 2", "Bridge", "Chorus 3", "Outro"]
    counted = {"taps": 0, "cuts": 0, "names": 0}
    desktop.get_by_test_id("play").click()
    counted["taps"] += 1
    for part in range(1, 8):
        seek(desktop, part * 30)
        desktop.keyboard.press("c")
        counted["cuts"] += 1
        desktop.keyboard.press("n")
        if part == 1:
            desktop.keyboard.type(wanted[1])
            desktop.keyboard.press("Enter")
            desktop.keyboard.type(wanted[0])
            counted["names"] += 1
        else:
            desktop.keyboard.type(wanted[part])
        desktop.keyboard.press("Enter")
        counted["names"] += 1
        expect(desktop.get_by_test_id("naming")).to_have_count(0)
        expect(desktop.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    began = time.monotonic()
    make_routine(desktop)
    counted["taps"] += 1
    expect(desktop.get_by_test_id("routine-page")).to_be_visible()
    expect(desktop.get_by_test_id("jump-button")).to_contain_text("1. Intro")
    assert time.monotonic() - began < 10
    assert counted == {"taps": 2, "cuts": 7, "names": 8}
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 8)
    parts.sort(key=lambda part: part["position"])
    assert [part["title"] for part in parts] == wanted
    assert parts[0]["startFrame"] == 0 and parts[-1]["endFrame"] == 240 * RATE
    assert all(one["endFrame"] == other["startFrame"] for one, other in zip(parts, parts[1:]))
    assert server.records("routine")[0]["title"] == "Swan"


def test_the_routine_of_the_clips_can_be_opened_again_and_back_leads_to_the_list(studio, server):
    cut(studio, 12)
    make_routine(studio)
    expect(studio.get_by_test_id("routine-page")).to_be_visible()
    studio.get_by_test_id("routine-back").click()
    expect(studio.get_by_test_id("routine-card")).to_have_count(1)
    studio.go_back()
    studio.get_by_test_id("open-routine").click()
    expect(studio.get_by_test_id("jump-button")).to_contain_text("1. Part 1")
    eventually(lambda: server.records("part"), lambda parts: len(parts) == 2)
    assert len(server.records("routine")) == 1
    studio.go_back()
    # After a change of the clips, another routine is created.
    cut(studio, 6)
    expect(studio.get_by_test_id("make-routine")).to_be_enabled()
    expect(studio.get_by_test_id("open-routine")).to_have_count(0)


# Selecting and clipping.

def test_a_selection_is_set_by_keys_and_becomes_a_clip(studio, server):
    expect(studio.get_by_test_id("clip")).to_be_disabled()
    seek(studio, 6)
    studio.keyboard.press("i")
    seek(studio, 12)
    studio.keyboard.press("o")
    start, end = selected(studio)
    assert abs(start - 6 * RATE) < 6_000 and abs(end - 12 * RATE) < 6_000
    studio.keyboard.press("Enter")
    expect(studio.get_by_test_id("clip-row")).to_have_count(1)
    assert frames(studio) == [[start, end]]
    assert re.fullmatch(r"Swan 0:0[56]–0:1[12]", names(studio)[0])
    studio.keyboard.press("Enter")
    expect(studio.get_by_test_id("toast").last).to_contain_text("in the list already")
    expect(studio.get_by_test_id("clip-row")).to_have_count(1)


def test_handles_never_pass_each_other_and_nudges_are_exact(studio):
    x, y = place(studio, 6)
    studio.mouse.move(x, y)
    studio.mouse.down()
    studio.mouse.move(place(studio, 9)[0], y, steps=6)
    studio.mouse.move(place(studio, 12)[0], y, steps=6)
    studio.mouse.up()
    # The selection is drawn shortly after the mouse moves.
    start, end = eventually(
        lambda: selected(studio),
        lambda seen: abs(seen[0] - 6 * RATE) < 6_000 and abs(seen[1] - 12 * RATE) < 6_000)
    handle = resting_box(studio.get_by_test_id("handle-start"))
    studio.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    studio.mouse.down()
    studio.mouse.move(place(studio, 20)[0], y, steps=10)
    studio.mouse.up()
    eventually(lambda: selected(studio), lambda seen: seen == (end - 4_800, end))
    studio.get_by_test_id("selection-more").click()
    studio.get_by_test_id("nudge-start--1").click()
    assert selected(studio) == (end - 4_800 - RATE, end)
    studio.get_by_test_id("nudge-end-0.1").click()
    assert selected(studio) == (end - 4_800 - RATE, end + 4_800)
    studio.get_by_test_id("nudge-start--10").click()
    studio.get_by_test_id("nudge-start--10").click()
    assert selected(studio) == (0, end + 4_800)
    field = studio.get_by_test_id("exact-start")
    field.fill("0:02.250")
    studio.keyboard.press("Enter")
    assert selected(studio) == (2.25 * RATE, end + 4_800)
    field.fill("soon")
    expect(studio.get_by_role("alert").filter(has_text="Enter a time like")).to_be_visible()
    # The invalid text stays in the field with its message.
    field.blur()
    expect(field).to_have_value("soon")
    expect(field).to_have_accessible_description("Enter a time like 1:02.250.")
    field.press("Escape")
    expect(field).to_have_value("0:02.250")
    field.fill("soon")
    studio.get_by_test_id("nudge-start-1").click()
    expect(field).to_have_value("0:03.250")
    field.fill("")
    field.blur()
    expect(field).to_have_value("0:03.250")
    expect(studio.get_by_test_id("selection-length")).to_contain_text("long")


def test_a_long_press_by_touch_selects_and_the_selection_plays(phone_page, server):
    finger = Finger(phone_page)
    wave_ = phone_page.get_by_test_id("stage-wave")
    finger.down(wave_, across=0.25)
    finger.rest(600)
    finger.move(60, 0)
    finger.up()
    start, end = eventually(
        lambda: selected(phone_page),
        lambda seen: abs(seen[0] - 6 * RATE) < RATE and seen[1] - seen[0] > RATE)
    play = phone_page.get_by_test_id("selection-play")
    phone_page.get_by_test_id("selection-more").tap()
    phone_page.get_by_test_id("exact-end").fill(f"{start / RATE + 1:.3f}")
    phone_page.get_by_test_id("exact-end").press("Enter")
    play.scroll_into_view_if_needed()
    play.tap()
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    # Playback stops at the end, and the needle returns to the start of the selection.
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "false", timeout=5_000)
    phone_page.get_by_test_id("clip").tap()
    expect(phone_page.get_by_test_id("clip-row")).to_have_count(1)
    phone_page.get_by_test_id("set-start").tap()
    assert selected(phone_page)[0] == start


def test_the_selection_loops_until_the_loop_is_switched_off(studio):
    seek(studio, 6)
    studio.keyboard.press("[")
    seek(studio, 6.6)
    studio.keyboard.press("]")
    studio.keyboard.press("l")
    expect(studio.get_by_test_id("loop")).to_have_attribute("aria-pressed", "true")
    studio.keyboard.press(" ")
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    heard = needles(studio, rounds=2)
    assert all(5.8 <= at <= 6.9 for at in heard)
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "true")


def test_the_song_loops_again_after_a_clip_was_played(desktop, server):
    opened(desktop, server, seconds=3)
    cut(desktop, 1)
    desktop.get_by_test_id("loop").click()
    desktop.get_by_test_id("clip-play").nth(1).click()
    expect(desktop.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    desktop.get_by_test_id("play").click()
    expect(desktop.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    desktop.get_by_test_id("play").click()
    # Playback passes the end and continues.
    needles(desktop, rounds=1)
    expect(desktop.get_by_test_id("play")).to_have_attribute("data-playing", "true")


NEEDLE = """() => {
  const stage = document.querySelector('[data-testid=stage]');
  const wave = document.querySelector('[data-testid=stage-wave]').getBoundingClientRect();
  const box = document.querySelector('[data-testid=stage-needle]').getBoundingClientRect();
  return (Number(stage.dataset.startFrame)
    + (box.left - wave.left) * Number(stage.dataset.framesPerPixel)) / 48_000;
}"""


def needle(page):
    """Returns the position of the needle, in seconds."""
    return page.evaluate(NEEDLE)


def needles(page, rounds):
    """Returns the needle's position per frame, in seconds, until it has jumped back `rounds` times."""
    return page.evaluate(
        """(rounds) => new Promise((resolve, reject) => {
          const look = """ + NEEDLE + """;
          const seen = [look()];
          setTimeout(reject, 30_000, 'The needle does not turn back.');
          const next = () => {
            const at = look();
            if (at < seen.at(-1) - 0.2) rounds -= 1;
            seen.push(at);
            if (rounds > 0) requestAnimationFrame(next); else resolve(seen);
          };
          next();
        })""", rounds)


# Borders.

def hold_border(page, border, seconds):
    """Drags a border with the mouse without releasing it."""
    handle = resting_box(border)
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] - 10)
    page.mouse.down()
    page.mouse.move(place(page, seconds)[0], handle["y"] + handle["height"] - 10, steps=10)


def drag_border(page, border, seconds):
    hold_border(page, border, seconds)
    page.mouse.up()


def test_a_border_moves_both_clips_and_does_not_pass_the_next_border(studio, server):
    cut(studio, 6, 12)
    border = studio.locator("[data-testid^=border-][data-testid$=-end]").nth(0)
    drag_border(studio, border, 8)
    eventually(lambda: ranges(studio), lambda seen: near(seen, [(0, 8), (8, 12), (12, 24)]))
    assert near(ranges(studio), [(0, 8), (8, 12), (12, 24)])
    drag_border(studio, border, 20)
    first, second, third = eventually(
        lambda: frames(studio),
        lambda seen: seen[0][1] == seen[1][0] == seen[1][1] - 4_800 and seen[1][1] == seen[2][0])
    eventually(lambda: [list(clip[1:]) for clip in saved_clips(server)], lambda clips: clips == [first, second, third])
    assert [list(clip[1:]) for clip in saved_clips(server)] == [first, second, third]


def test_dragging_ends_when_another_device_deletes_the_clip(studio, server):
    cut(studio, 6, 12)
    border = studio.locator("[data-testid^=border-][data-testid$=-end]").nth(0)
    eventually(lambda: len(saved_clips(server)), lambda count: count == 3)
    first = min(server.records("clip"), key=lambda clip: clip["position"])
    hold_border(studio, border, 8)
    eventually(lambda: ranges(studio), lambda seen: near(seen, [(0, 8), (8, 12), (12, 24)]))
    server.edit("clip", first["id"], {"deletedAt": int(time.time() * 1000)})
    expect(studio.get_by_test_id("clip-row")).to_have_count(2)
    assert near(ranges(studio), [(6, 12), (12, 24)])
    studio.mouse.up()
    drag_border(studio, border, 14)
    seen = eventually(lambda: ranges(studio), lambda seen: near(seen, [(6, 14), (14, 24)]))
    assert near(seen, [(6, 14), (14, 24)])


def test_a_cut_made_while_a_border_is_dragged_stays(studio, server):
    cut(studio, 12)
    seek(studio, 4)
    hold_border(studio, studio.locator("[data-testid^=border-][data-testid$=-end]").nth(0), 14)
    eventually(lambda: ranges(studio), lambda seen: near(seen, [(0, 14), (14, 24)]))
    studio.keyboard.press("c")
    expect(studio.get_by_test_id("clip-row")).to_have_count(3)
    studio.mouse.move(place(studio, 16)[0], place(studio, 16)[1], steps=3)
    studio.mouse.up()
    seen = ranges(studio)
    assert near(seen, [(0, 4), (4, 12), (12, 24)])
    saved = eventually(
        lambda: [list(clip[1:]) for clip in saved_clips(server)], lambda clips: clips == frames(studio))
    assert saved == frames(studio)


def test_a_border_moves_by_touch_and_by_keys(phone_page):
    cut(phone_page, 12)
    border = phone_page.locator("[data-testid^=border-][data-testid$=-end]").nth(0)
    finger = Finger(phone_page)
    finger.down(border)
    finger.move(-80, 0)
    finger.up()
    eventually(lambda: ranges(phone_page), lambda seen: seen[0][1] < 11)
    (_, end), (start, _) = frames(phone_page)
    assert end == start and end < 11 * RATE
    border.focus()
    phone_page.keyboard.press("ArrowRight")
    assert eventually(lambda: frames(phone_page)[0][1], lambda moved: moved != end) == end + 480


def test_a_clip_is_adjusted_with_the_handles(studio, server):
    cut(studio, 6, 12)
    menu(studio, 1, "clip-adjust")
    expect(studio.get_by_test_id("selection-name")).to_have_text("Part 2")
    studio.get_by_test_id("selection-more").click()
    before = frames(studio)
    studio.get_by_test_id("nudge-end-1").click()
    after = frames(studio)
    assert after == [before[0], [before[1][0], before[1][1] + RATE], [before[2][0] + RATE, before[2][1]]]
    studio.get_by_test_id("adjust-done").click()
    expect(studio.get_by_test_id("clip")).to_be_visible()


def silence_song():
    """Twelve seconds of a tone of 110 Hz with a pause from 5.9 to 6.1 seconds."""
    at = numpy.arange(12 * RATE) / RATE
    tone = numpy.sin(2 * numpy.pi * 110 * at) * 9_000
    tone[int(5.9 * RATE):int(6.1 * RATE)] = 0
    samples = tone.astype("<i2")
    return wav_file(numpy.column_stack([samples, samples])), samples


def crosses_zero(samples, frame):
    return samples[frame] == 0 or (samples[frame - 1] < 0) != (samples[frame] < 0)


def test_borders_snap_to_silence_and_to_zero_crossings(desktop, server):
    content, samples = silence_song()
    opened(desktop, server, content=content)
    cut(desktop, 3)
    border = desktop.locator("[data-testid^=border-][data-testid$=-end]").nth(0)
    desktop.get_by_test_id("snap").click()
    desktop.get_by_text("Silence: the quietest").click()
    desktop.get_by_test_id("sheet-close").click()
    expect(desktop.get_by_test_id("snap")).to_contain_text("silence")
    drag_border(desktop, border, 6.15)
    eventually(lambda: frames(desktop)[0][1] / RATE, lambda end: 5.9 < end < 6.1)
    desktop.keyboard.down("Alt")
    drag_border(desktop, border, 6.15)
    desktop.keyboard.up("Alt")
    # With Alt the border does not snap.
    eventually(lambda: frames(desktop)[0][1] / RATE, lambda end: end > 6.12)
    desktop.get_by_test_id("snap").click()
    desktop.get_by_text("Silence: the quietest").click()
    desktop.get_by_text("Zero crossings").click()
    desktop.get_by_test_id("sheet-close").click()
    before = frames(desktop)[0][1]
    eventually(lambda: saved_clips(server)[0][2], lambda end: end == before)
    drag_border(desktop, border, 4)
    # The border is first at the pointer's position, and snaps after the samples have loaded.
    end = eventually(
        lambda: saved_clips(server)[0][2], lambda end: end != before and crosses_zero(samples, end))
    assert abs(end - 4 * RATE) < 0.1 * RATE and crosses_zero(samples, end)
    desktop.reload()
    expect(desktop.get_by_test_id("snap")).to_contain_text("zero crossings")


def test_a_border_is_saved_when_released_and_again_after_snapping_to_loaded_samples(desktop, server):
    content, samples = silence_song()
    opened(desktop, server, content=content)
    cut(desktop, 3)
    desktop.get_by_test_id("snap").click()
    desktop.get_by_text("Zero crossings").click()
    desktop.get_by_test_id("sheet-close").click()
    held = []
    desktop.route("**/chunks/*", lambda route: held.append(route))
    drag_border(desktop, desktop.locator("[data-testid^=border-][data-testid$=-end]").nth(0), 4.002)
    left = eventually(lambda: saved_clips(server)[0][2], lambda end: abs(end - 4 * RATE) < 0.05 * RATE)
    assert not crosses_zero(samples, left), "it has not snapped yet"
    for route in held:
        route.continue_()
    desktop.unroute("**/chunks/*")
    end = eventually(lambda: saved_clips(server)[0][2], lambda end: crosses_zero(samples, end))
    assert crosses_zero(samples, end) and abs(end - left) <= 480


def test_a_second_border_can_be_dragged_while_the_first_waits_for_samples(desktop, server):
    content, _ = silence_song()
    opened(desktop, server, content=content)
    cut(desktop, 3, 9)
    desktop.get_by_test_id("snap").click()
    desktop.get_by_text("Zero crossings").click()
    desktop.get_by_test_id("sheet-close").click()
    held = []
    desktop.route("**/chunks/*", lambda route: held.append(route))
    first, second = (desktop.locator("[data-testid^=border-][data-testid$=-end]").nth(at) for at in (0, 1))
    drag_border(desktop, first, 4)
    drag_border(desktop, second, 8)
    for route in held:
        route.continue_()
    desktop.unroute("**/chunks/*")
    seen = eventually(lambda: ranges(desktop), lambda seen: near(seen, [(0, 4), (4, 8), (8, seen[2][1])]))
    assert len(seen) == 3


def test_late_samples_do_not_revert_the_selection(desktop, server):
    content, samples = silence_song()
    opened(desktop, server, content=content)
    cut(desktop, 3)
    desktop.get_by_test_id("snap").click()
    desktop.get_by_text("Zero crossings").click()
    desktop.get_by_test_id("sheet-close").click()
    border = desktop.locator("[data-testid^=border-][data-testid$=-end]").nth(0)

    def snaps_at(seconds):
        """Releases the samples, and waits until the border has snapped to them."""
        for route in held:
            route.continue_()
        desktop.unroute("**/chunks/*")
        drag_border(desktop, border, seconds)
        eventually(
            lambda: saved_clips(server)[0][2],
            lambda end: abs(end / RATE - seconds) < 0.1 and crosses_zero(samples, end))

    held = []
    desktop.route("**/chunks/*", lambda route: held.append(route))
    x, y = place(desktop, 5)
    desktop.mouse.move(x, y)
    desktop.mouse.down()
    desktop.mouse.move(place(desktop, 8)[0], y, steps=6)
    desktop.mouse.up()
    desktop.get_by_test_id("selection-more").click()
    desktop.get_by_test_id("exact-end").fill("0:07.000")
    desktop.keyboard.press("Enter")
    snaps_at(3.5)
    assert selected(desktop)[1] == 7 * RATE
    # The next block of samples starts at ten seconds.
    held.clear()
    desktop.route("**/chunks/*", lambda route: held.append(route))
    drag_border(desktop, desktop.get_by_test_id("handle-end"), 11)
    eventually(lambda: selected(desktop)[1], lambda end: end > 10.5 * RATE)
    desktop.get_by_test_id("selection-clear").click()
    expect(desktop.get_by_test_id("selection-name")).to_have_text("Whole song")
    snaps_at(11.5)
    expect(desktop.get_by_test_id("selection-name")).to_have_text("Whole song")


# The list.

def test_clips_are_merged_deleted_reset_and_restored(studio):
    cut(studio, 6, 12)
    menu(studio, 0, "clip-merge")
    assert near(ranges(studio), [(0, 12), (12, 24)])
    studio.get_by_test_id("toast-action").last.click()
    assert near(ranges(studio), [(0, 6), (6, 12), (12, 24)])
    menu(studio, 1, "clip-delete")
    assert near(ranges(studio), [(0, 6), (12, 24)])
    # A cut in the gap creates a clip there.
    cut(studio, 9)
    assert near(ranges(studio), [(0, 6), (6, 9), (9, 12), (12, 24)])
    studio.get_by_test_id("cutter-menu").click()
    studio.get_by_test_id("reset").click()
    expect(studio.get_by_test_id("confirm")).to_contain_text("4 clips")
    studio.get_by_test_id("confirm-action").click()
    expect(studio.get_by_test_id("clip-row")).to_have_count(0)
    studio.get_by_test_id("toast-action").last.click()
    assert near(ranges(studio), [(0, 6), (6, 9), (9, 12), (12, 24)])


@pytest.mark.moving("rows that give way")
def test_clips_are_reordered_by_keys_and_by_dragging(studio, server):
    cut(studio, 6, 12)
    studio.get_by_test_id("clip-title").nth(2).fill("Finale")
    grips = studio.get_by_test_id("clips").get_by_test_id("grip")
    grips.nth(2).focus()
    studio.keyboard.press("ArrowUp")
    assert names(studio) == ["Part 1", "Finale", "Part 3"]
    studio.locator("[data-sortable]").wait_for()
    drag_below(studio, grips.nth(0), grips.nth(2))
    eventually(lambda: names(studio), lambda seen: seen[0] == "Finale")
    assert names(studio) == ["Finale", "Part 2", "Part 3"]
    eventually(lambda: saved_clips(server), lambda clips: clips and clips[0][0] == "Finale")
    assert [start for _, start, _ in saved_clips(server)][2] == 0


@pytest.mark.moving("rows that give way")
def test_clips_are_reordered_by_touch(phone_page):
    cut(phone_page, 12)
    phone_page.keyboard.press("Escape")
    grips = phone_page.get_by_test_id("clips").get_by_test_id("grip")
    grips.nth(1).scroll_into_view_if_needed()
    phone_page.locator("[data-sortable]").wait_for()
    finger = Finger(phone_page)
    finger.down(grips.nth(0))
    finger.rest(200)
    finger.move(0, 110)
    finger.rest(300)
    finger.up()
    eventually(lambda: ranges(phone_page), lambda seen: seen[0][0] > 1)
    assert near(ranges(phone_page), [(12, 24), (0, 12)])


def test_a_press_on_a_wave_that_has_just_appeared_seeks_to_its_position(phone, server):
    # On a busy phone the browser reports sizes long after the page reacts to presses.
    phone.context.add_init_script("""
        const Observer = window.ResizeObserver;
        window.ResizeObserver = class extends Observer {
          constructor(tell) { super((...told) => setTimeout(() => tell(...told), 1500)); }
        };""")
    opened(phone, server)
    cut(phone, 12)
    assert near(ranges(phone), [(0, 12), (12, 24)])


def test_a_clip_plays_from_its_start_to_its_end(studio):
    cut(studio, 12)
    studio.get_by_test_id("clip-play").nth(1).click()
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    studio.wait_for_function("() => document.querySelectorAll('[data-testid=clip-play]')[1].ariaLabel.startsWith('Pause')")
    at = eventually(lambda: needle(studio), lambda at: at > 12.05)
    assert at < 24
    studio.get_by_test_id("clip-play").nth(1).click()
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    # After that, playback covers the whole song again.
    seek(studio, 3)
    studio.keyboard.press("c")
    assert near(ranges(studio), [(0, 3), (3, 12), (12, 24)])


def test_a_selection_that_changes_during_playback_ends_at_its_new_end(studio):
    studio.get_by_test_id("selection-more").click()
    seek(studio, 3)
    studio.keyboard.press("i")
    studio.get_by_test_id("selection-play").click()
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "true")
    # Playing to the old end would take 21 seconds.
    studio.get_by_test_id("exact-end").fill("0:04.200")
    studio.keyboard.press("Enter")
    expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "false", timeout=8_000)
    # The needle is drawn in the next animation frame.
    assert abs(eventually(lambda: needle(studio), lambda at: abs(at - 3) < 0.1) - 3) < 0.1
    assert selected(studio)[1] == 4.2 * RATE


def test_two_devices_see_each_others_cuts(studio, chromium, server):
    context = chromium.new_context(service_workers="block")
    other = context.new_page()
    other.goto(studio.url)
    expect(other.get_by_test_id("cutter")).to_be_visible()
    cut(studio, 12)
    expect(other.get_by_test_id("clip-row")).to_have_count(2)
    cut(other, 6)
    expect(studio.get_by_test_id("clip-row")).to_have_count(3)
    studio.get_by_test_id("clip-title").first.fill("Intro")
    expect(other.get_by_test_id("clip-title").first).to_have_value("Intro")
    assert frames(studio) == frames(other)
    context.close()


# Using the clips.

def test_the_clips_are_added_to_a_routine(studio, server):
    cut(studio, 12)
    studio.get_by_test_id("add-to-routine").click()
    expect(studio.get_by_test_id("make-routine-instead")).to_be_visible()
    write(server, [("routine", {"title": "Gala"})])
    studio.get_by_test_id("add-to-this").filter(has_text="Gala").click()
    expect(studio.get_by_test_id("toast").last).to_contain_text("2 parts added to “Gala”.")
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 2)
    assert sorted(part["title"] for part in parts) == ["Part 1", "Part 2"]
    studio.get_by_test_id("toast-action").last.click()
    assert eventually(lambda: server.records("part"), lambda parts: parts == []) == []


def test_labels_are_exported_and_imported(studio, server, tmp_path):
    cut(studio, 12)
    studio.get_by_test_id("clip-title").nth(1).fill("Chorus")
    studio.get_by_test_id("download-clips").click()
    with studio.expect_download() as download:
        studio.get_by_test_id("labels-out").click()
    labels = download.value.path().read_text()
    lines = [line.split("\t") for line in labels.splitlines()]
    assert [line[2] for line in lines] == ["Part 1", "Chorus"]
    assert float(lines[1][1]) == 24
    with studio.expect_download() as download:
        studio.get_by_test_id("cue-out").click()
    assert download.value.suggested_filename == "Swan.cue"
    assert "    INDEX 01 00:12:0" in download.value.path().read_text()
    studio.get_by_test_id("sheet-close").click()
    file = tmp_path / "labels.txt"
    file.write_text(labels + "1,5\t3,5\tNew\nnonsense\n20\t20\tPoint\n")
    studio.get_by_test_id("labels-file").set_input_files(file)
    faults = studio.get_by_test_id("label-faults")
    expect(faults).to_contain_text("Line 4 does not begin with a start and an end")
    expect(faults).to_contain_text("“Chorus” is in the list already.")
    faults.get_by_test_id("sheet-close").click()
    assert names(studio) == ["Part 1", "Chorus", "Point", "New"]
    assert ranges(studio)[2:] == [(20, 24), (1.5, 3.5)]
    studio.get_by_test_id("toast-action").last.click()
    assert names(studio) == ["Part 1", "Chorus"]


def test_a_downloaded_clip_has_the_exact_frames(studio, server):
    cut(studio, 12)
    start, end = frames(studio)[0]
    menu(studio, 0, "clip-download")
    studio.get_by_text("WAV", exact=True).click()
    link = studio.get_by_test_id("download-clip")
    with urllib.request.urlopen(server.origin + link.get_attribute("href")) as answer:
        with wave.open(io.BytesIO(answer.read())) as file:
            assert file.getnframes() == end - start
    with studio.expect_download():
        link.click()


def test_all_clips_are_downloaded_as_a_zip(studio, server):
    import zipfile

    cut(studio, 6, 12)
    studio.get_by_test_id("clip-title").first.fill("Intro")
    borders = frames(studio)
    studio.get_by_test_id("download-clips").click()
    studio.get_by_text("WAV", exact=True).click()
    fade = studio.get_by_test_id("fade-in")
    for wrong in ("12", "1.5."):
        fade.fill(wrong)
        expect(fade).to_have_accessible_description("Enter 0 to 10 seconds. Until then there is no fade.")
    fade.fill("0.1")
    expect(fade).to_have_accessible_description("")
    with studio.expect_download(timeout=60_000) as download:
        studio.get_by_test_id("zip").click()
    expect(studio.get_by_test_id("zip-done")).to_be_visible()
    with zipfile.ZipFile(download.value.path()) as archive:
        files = [name for name in archive.namelist() if name.endswith(".wav")]
        assert files == ["01 Intro.wav", "02 Part 2.wav", "03 Part 3.wav"]
        lengths = [wave.open(io.BytesIO(archive.read(name))).getnframes() for name in files]
    assert lengths == [end - start for start, end in borders]


def test_a_short_network_failure_does_not_cancel_a_zip_export(studio):
    cut(studio, 6)
    asked = []

    def answer(route):
        asked.append(route.request.url)
        route.abort() if len(asked) <= 2 else route.continue_()

    # The page gets no events about the job, so it polls.
    studio.route("**/api/events*", lambda route: route.abort())
    studio.route("**/api/jobs/*", answer)
    studio.reload()
    studio.get_by_test_id("download-clips").click()
    with studio.expect_download(timeout=60_000):
        studio.get_by_test_id("zip").click()
    expect(studio.get_by_test_id("zip-done")).to_be_visible()
    assert len(asked) > 2


def test_suggested_cuts_are_offered_and_accepted(desktop, server):
    sections = numpy.concatenate([
        numpy.frombuffer(song(10, seed)[44:], "<i2").reshape(-1, 2) for seed in (1, 8, 3)])
    opened(desktop, server, content=wav_file(sections))
    desktop.get_by_test_id("suggest").click()
    expect(desktop.get_by_test_id("guess").first).to_be_visible(timeout=60_000)
    expect(desktop.get_by_test_id("guesses")).to_contain_text("where the music may change")
    guessed = int(desktop.get_by_test_id("guess").first.get_attribute("data-frame"))
    count = desktop.get_by_test_id("guess").count()
    desktop.get_by_test_id("guess").first.click()
    expect(desktop.get_by_test_id("clip-row")).to_have_count(2)
    assert frames(desktop)[0][1] == guessed
    expect(desktop.get_by_test_id("guess")).to_have_count(count - 1)
    if count > 1:
        desktop.get_by_test_id("guesses-all").click()
        expect(desktop.get_by_test_id("clip-row")).to_have_count(count + 1)
    expect(desktop.get_by_test_id("guess")).to_have_count(0)


# Borders of parts.

def test_the_borders_of_a_part_are_moved_in_its_routine(studio, server):
    cut(studio, 6, 12)
    make_routine(studio)
    studio.get_by_test_id("edit-routine").click()
    studio.get_by_test_id("edit-part-menu").nth(1).click()
    studio.get_by_test_id("edit-part-borders").click()
    expect(studio.get_by_test_id("cutter")).to_contain_text("Borders of Part 2")
    expect(studio.get_by_test_id("cut-here")).to_have_count(0)
    studio.get_by_test_id("selection-more").click()
    before = frames(studio)
    studio.get_by_test_id("nudge-start-1").click()
    moved = [[before[0][0], before[0][1] + RATE], [before[1][0] + RATE, before[1][1]], before[2]]
    assert frames(studio) == moved, "the neighbour's border moves along"
    studio.get_by_text("Neighbour’s border moves too").click()
    studio.get_by_test_id("nudge-start-1").click()
    assert frames(studio) == [moved[0], [moved[1][0] + RATE, moved[1][1]], moved[2]]
    studio.get_by_test_id("adjust-done").click()
    expect(studio.get_by_test_id("routine-page")).to_be_visible()
    parts = eventually(
        lambda: sorted(server.records("part"), key=lambda part: part["position"]),
        lambda parts: len(parts) == 3 and parts[1]["startFrame"] == moved[1][0] + RATE)
    assert [part["startFrame"] for part in parts] == [0, moved[1][0] + RATE, before[2][0]]
    # The clips are separate and stay unchanged.
    assert [list(clip[1:]) for clip in saved_clips(server)] == before


def test_an_end_outside_the_allowed_range_is_refused(studio, server):
    cut(studio, 6, 12, 18)
    make_routine(studio)
    studio.get_by_test_id("edit-routine").click()
    studio.get_by_test_id("edit-part-menu").nth(1).click()
    studio.get_by_test_id("edit-part-borders").click()
    expect(studio.get_by_test_id("cutter")).to_contain_text("Borders of Part 2")
    before = frames(studio)

    def expect_refusal(name, seconds, between):
        start, end = (f"0:{frame / RATE:06.3f}" for frame in between)
        sentence = f"The {name} must be between {start} and {end}."
        seek(studio, seconds)
        studio.get_by_test_id(f"set-{name}").click()
        expect(studio.get_by_test_id("toast").filter(has_text=sentence)).to_be_visible()
        assert frames(studio) == before
        # Closes the toast, because the next one has the same text.
        studio.reload()
        expect(studio.get_by_test_id("cutter")).to_contain_text("Borders of Part 2")

    (one, two), (three, four) = before[1], before[2]
    assert two == three
    # The part and its neighbour keep their minimum length.
    expect_refusal("end", 2, (one + 4_800, four - 4_800))
    expect_refusal("end", 20, (one + 4_800, four - 4_800))
    expect_refusal("start", 13, (4_800, two - 4_800))
    seek(studio, 10)
    studio.get_by_test_id("set-end").click()
    moved = eventually(lambda: frames(studio), lambda seen: seen != before)
    assert moved[1][0] == one and abs(moved[1][1] - 10 * RATE) < 6_000
    assert moved[2] == [moved[1][1], four]


def test_a_part_plays_in_its_routine_and_in_the_border_editor(studio):
    def plays(look):
        before = look()
        studio.get_by_test_id("play").click()
        eventually(look, lambda seen: seen != before)
        studio.get_by_test_id("play").click()
        expect(studio.get_by_test_id("play")).to_have_attribute("data-playing", "false")

    cut(studio, 12)
    make_routine(studio)
    # The second time the next page needs no requests before it is shown.
    for _ in range(2):
        studio.get_by_test_id("edit-routine").click()
        studio.get_by_test_id("edit-part-menu").first.click()
        studio.get_by_test_id("edit-part-borders").click()
        expect(studio.get_by_test_id("cutter")).to_contain_text("Borders of Part 1")
        plays(lambda: needle(studio))
        studio.get_by_test_id("cutter-back").click()
        expect(studio.get_by_test_id("routine-page")).to_be_visible()
        plays(lambda: studio.get_by_test_id("time-now").inner_text())


def test_the_clipper_fits_on_the_smallest_phone(chromium, server, desktop):
    track = opened(desktop, server)
    cut(desktop, 12)
    context = chromium.new_context(
        service_workers="block", viewport={"width": 320, "height": 568}, has_touch=True)
    page = context.new_page()
    page.goto(f"{server.origin}/clipper/{track['id']}")
    expect(page.get_by_test_id("clip-row")).to_have_count(2)
    page.get_by_test_id("selection-more").click()
    small = page.evaluate(
        """() => [...document.querySelectorAll('.cutter button, .cutter input')]
          .filter((each) => each.checkVisibility() && !each.hidden && !each.closest('.stage'))
          .map((each) => [each, each.getBoundingClientRect()])
          .filter(([each, box]) => box.width > 1 && (box.height < 43.5 || box.width < 40 || box.right > innerWidth + 1))
          .map(([each, box]) => `${each.outerHTML.slice(0, 90)} ${box.width}×${box.height}`)""")
    context.close()
    assert small == []


def test_the_delete_key_deletes_only_the_clip_that_is_adjusted(studio):
    cut(studio, 6, 12)
    studio.keyboard.press("Delete")
    expect(studio.get_by_test_id("clip-row")).to_have_count(3)
    studio.locator("[data-testid^=band-]").nth(1).click()
    expect(studio.get_by_test_id("selection-name")).to_have_text("Part 2")
    studio.keyboard.press("Delete")
    assert near(ranges(studio), [(0, 6), (12, 24)])
    studio.keyboard.press("Control+z")
    assert near(ranges(studio), [(0, 6), (6, 12), (12, 24)])
    studio.keyboard.press("?")
    expect(studio.get_by_test_id("key-table")).to_contain_text("Cut here")


@pytest.mark.long
def test_a_song_is_cut_in_webkit(webkit, server):
    assert server.request("POST", "/api/sample")[0] == 202
    eventually(lambda: server.records("track"), lambda tracks: tracks and tracks[0]["state"] == "ready", 60)
    webkit.get(f"{server.origin}/clipper/{server.records('track')[0]['id']}")
    find(webkit, "seek-forward").click()
    find(webkit, "cut-here").click()
    assert "Name of part 2" in find(webkit, "naming").text
    find(webkit, "naming-field").send_keys("Chorus")
    clips = eventually(
        lambda: saved_clips(server), lambda clips: len(clips) == 2 and clips[1][0] == "Chorus")
    assert [start for _, start, _ in clips] == [0, 5 * RATE]
    find(webkit, "make-routine").click()
    find(webkit, "make-routine-confirm").click()
    find(webkit, "routine-page")
