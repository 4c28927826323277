"""The count that is heard: from the analysis and from corrections, in time with the sound."""

import uuid

from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations
from studio import RATE, eventually, resting_box
from test_practice import parts, phone_page  # noqa: F401

PERIOD = RATE // 2
FIRST = RATE // 2 + 2 * PERIOD  # The first eight, after a pick-up of three beats.


def analyse(page, confidence, metre=4):
    """Answers with an analysis of a beat each half second, the first after half a second, and opens the page anew."""
    frames = list(range(RATE // 2, 12 * RATE, PERIOD))
    beats = {
        "tempo": 120, "metre": metre, "confidence": confidence, "frames": frames,
        "places": [(at - 2) % metre + 1 for at in range(len(frames))],
        "eights": list(range(FIRST, 12 * RATE, 8 * PERIOD))}
    answer_with(page, beats)


def answer_with(page, beats):
    """Answers with an analysis that found these beats, and opens the page anew, which asks for it."""
    answer = {"attacks": [], "changes": [], "beats": beats}
    page.route("**/api/tracks/*/analysis*", lambda route: route.fulfill(json=answer))
    with page.expect_response("**/analysis*"):
        page.reload()
    expect(page.get_by_test_id("play")).to_be_enabled()


def seek(page, seconds):
    box = resting_box(page.get_by_test_id("scrubber"))
    page.mouse.click(box["x"] + box["width"] * seconds / 12, box["y"] + box["height"] / 2)


@has_parts(("One", 12))
def test_the_count_and_its_eight_are_shown_for_the_place_in_the_song(phone_page):
    analyse(phone_page, 0.9)
    phone_page.get_by_test_id("player-expand").click()
    now, place = (phone_page.get_by_test_id(f"count-{name}") for name in ("now", "place"))
    expect(place).to_have_text("Pick-up, count 6")
    expect(now).to_have_text("6")
    seek(phone_page, 8.25)
    expect(place).to_have_text("Eight 2, count 6")
    expect(now).to_have_text("6")
    assert violations(phone_page) == [] and too_small(phone_page) == []
    count, wave = (phone_page.get_by_test_id(name).bounding_box() for name in ("current-count", "scrubber"))
    assert count["height"] >= 40
    assert count["x"] >= 0 and count["x"] + count["width"] <= phone_page.viewport_size["width"]
    assert wave["height"] >= 80


@has_parts(("One", 12))
def test_the_count_follows_what_is_heard_at_another_speed(phone_page, server):
    analyse(phone_page, 0.9)
    phone_page.get_by_test_id("player-expand").click()
    expect(phone_page.get_by_test_id("count-place")).to_have_text("Pick-up, count 6")
    [part] = server.records("part")
    server.edit("part", part["id"], {"rate": 1.5})
    expect(phone_page.get_by_test_id("speed-dial")).to_contain_text("150")
    # Needle and count of each frame of the screen; both follow the same position of the player.
    phone_page.evaluate(
        """() => {
          window.seen = [];
          const needle = document.querySelector('.scrubber-needle');
          const now = document.querySelector('[data-testid=count-now]');
          const look = () => {
            window.seen.push([parseFloat(needle.style.transform.slice(11)), Number(now.textContent)]);
            requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }""")
    phone_page.get_by_test_id("play").click()
    seen = eventually(
        lambda: phone_page.evaluate("window.seen"), lambda seen: seen[-1][0] > 40)
    # The output's latency, which is known some moments after the start, moves both back once.
    frames = [(percent / 100 * 12 * RATE, count) for percent, count in seen if percent / 100 * 12 * RATE >= FIRST]
    # Needle and count ask for the position one after the other: between that the audio clock goes on.
    apart = RATE // 50
    wrong = [
        (frame, count) for frame, count in frames
        if count not in {(int(frame + off) - FIRST) // PERIOD % 8 + 1 for off in (-apart, 0, apart)}]
    assert wrong == []
    assert frames == sorted(frames, key=lambda seen: seen[0])
    # A busy machine draws fewer frames.
    assert len({count for _, count in frames}) >= 5


@has_parts(("One", 12))
def test_an_uncertain_analysis_shows_no_count_until_it_is_corrected(phone_page, server):
    analyse(phone_page, 0.49)
    phone_page.get_by_test_id("player-expand").click()
    expect(phone_page.get_by_test_id("scrubber")).to_be_visible()
    expect(phone_page.get_by_test_id("current-count")).to_be_hidden()
    [track] = server.records("track")
    one, silent = str(uuid.uuid4()), str(uuid.uuid4())
    server.edit("gridCorrection", one, {
        "track": track["id"], "kind": "one", "order": 1, "startFrame": 2 * RATE})
    expect(phone_page.get_by_test_id("count-place")).to_have_text("Pick-up, count 5")
    seek(phone_page, 2.25)
    expect(phone_page.get_by_test_id("count-place")).to_have_text("Eight 1, count 1")
    server.edit("gridCorrection", silent, {
        "track": track["id"], "kind": "noCounts", "order": 2, "startFrame": 0, "endFrame": 3 * RATE})
    expect(phone_page.get_by_test_id("current-count")).to_be_hidden()
    server.edit("gridCorrection", silent, {"deletedAt": 5})
    expect(phone_page.get_by_test_id("count-place")).to_have_text("Eight 1, count 1")
    server.edit("gridCorrection", one, {"deletedAt": 6})
    expect(phone_page.get_by_test_id("current-count")).to_be_hidden()


def open_counts(page, seconds):
    """Opens the large player at a place, and the sheet of its counts by a press on the count."""
    page.get_by_test_id("player-expand").click()
    expect(page.get_by_test_id("current-count")).to_be_visible()
    seek(page, seconds)
    page.get_by_test_id("current-count").click()
    expect(page.get_by_test_id("counts-sheet")).to_be_visible()


def press(page, *names):
    for name in names:
        page.get_by_test_id(name).click()


def close_counts(page):
    press(page, "sheet-close")
    # A press beside it would only close it.
    expect(page.get_by_test_id("counts-sheet")).to_have_count(0)


def place_is(page, text):
    expect(page.get_by_test_id("sheet-count-place")).to_have_text(text)


def corrections(server):
    """The stored corrections that are not deleted, in their order."""
    found = (each for each in server.records("gridCorrection") if not each.get("deletedAt"))
    return sorted(found, key=lambda each: each["order"])


@has_parts(("One", 12))
def test_this_is_1_moves_the_counts_that_are_shown(phone_page, server):
    analyse(phone_page, 0.9)
    open_counts(phone_page, 8.1)
    place_is(phone_page, "Eight 2, count 6")
    press(phone_page, "count-one")
    # A beat that is 1 at 8 seconds is 1 at 4 seconds as well, and the song begins with one.
    place_is(phone_page, "Eight 3, count 1")
    [one] = eventually(lambda: corrections(server), lambda found: len(found) == 1)
    assert one["kind"] == "one" and abs(one["startFrame"] - 8.1 * RATE) < 0.1 * RATE
    assert violations(phone_page) == [] and too_small(phone_page) == []
    close_counts(phone_page)
    expect(phone_page.get_by_test_id("count-place")).to_have_text("Eight 3, count 1")


@has_parts(("One", 12))
def test_half_time_is_undone_and_all_corrections_are_reset(phone_page, server):
    analyse(phone_page, 0.9)
    open_counts(phone_page, 8.1)
    place_is(phone_page, "Eight 2, count 6")
    expect(phone_page.get_by_test_id("counts-undo")).to_have_count(0)
    press(phone_page, "count-halve")
    place_is(phone_page, "Eight 1, count 7")
    press(phone_page, "counts-undo")
    place_is(phone_page, "Eight 2, count 6")
    expect(phone_page.get_by_test_id("counts-undo")).to_have_count(0)
    eventually(lambda: server.records("gridCorrection"), lambda found: all(each.get("deletedAt") for each in found))
    press(phone_page, "count-later", "count-later")
    place_is(phone_page, "Eight 2, count 4")
    press(phone_page, "counts-reset")
    place_is(phone_page, "Eight 2, count 6")
    phone_page.get_by_role("button", name="Undo", exact=True).click()
    place_is(phone_page, "Eight 2, count 4")


@has_parts(("One", 12))
def test_a_song_with_twice_the_tempo_and_a_wrong_1_is_right_after_three_presses(phone_page, server):
    # The music has a beat each second, and its 1 at half a second; the analysis has twice as many.
    analyse(phone_page, 0.9)
    phone_page.get_by_test_id("player-expand").click()
    expect(phone_page.get_by_test_id("count-place")).to_have_text("Pick-up, count 6")
    seek(phone_page, 8.6)
    expect(phone_page.get_by_test_id("count-place")).to_have_text("Eight 2, count 7")
    phone_page.evaluate(
        "() => { window.presses = 0; addEventListener('click', () => { window.presses += 1; }, true); }")
    press(phone_page, "current-count", "count-halve", "count-one")
    place_is(phone_page, "Eight 2, count 1")
    assert phone_page.evaluate("() => window.presses") == 3
    # Five seconds at a time.
    for step, place in (("back", "Eight 1, count 4"), ("back", "Pick-up, count 8"), ("forward", "Eight 1, count 5")):
        press(phone_page, f"counts-{step}")
        place_is(phone_page, place)
    found = eventually(lambda: corrections(server), lambda found: len(found) == 2)
    assert [each["kind"] for each in found] == ["halve", "one"]


# Taps with each second of the player's clock; in the page, since a pause ends tapping. Then reads what is said, and
# presses a button.
TAP = """async ({ taps, button }) => {
  const one = (name) => document.querySelector(`[data-testid=${name}]`);
  const clock = document.querySelector('.compact-clock');
  const frame = () => new Promise((done) => { requestAnimationFrame(done); });
  for (let made = 0; made < taps; made += 1) {
    for (const before = clock.textContent; clock.textContent === before;) await frame();
    one('count-tap').dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true }));
  }
  const says = `${taps} taps`;
  while (one('counts-said').textContent.slice(0, says.length) !== says) await frame();
  const isDisabled = one('taps-done').disabled;
  one(button).click();
  return isDisabled;
}"""


@has_parts(("One", 60))
def test_taps_along_with_a_song_without_counts_are_one_correction(phone_page, server):
    answer_with(phone_page, None)
    press(phone_page, "action-more", "action-counts")
    said = phone_page.get_by_test_id("counts-said")
    expect(said).to_have_text("Press play, then tap along.")
    expect(phone_page.get_by_test_id("no-counts")).to_be_visible()
    expect(phone_page.get_by_test_id("count-one")).to_be_disabled()
    press(phone_page, "counts-play")
    expect(said).to_have_text("Tap along with the song.")
    assert phone_page.evaluate(TAP, {"taps": 3, "button": "taps-cancel"}) is True
    expect(said).to_have_text("Tap along with the song.")
    assert phone_page.evaluate(TAP, {"taps": 4, "button": "taps-done"}) is False
    expect(said).to_have_text("1 correction")
    [taps] = eventually(lambda: corrections(server), lambda found: len(found) == 1)
    frames = [int(frame) for frame in taps["taps"].split(" ")]
    assert taps["kind"] == "taps" and len(frames) == 4
    assert all(before < after for before, after in zip(frames, frames[1:]))
    assert [taps["startFrame"], taps["endFrame"]] == [frames[0], frames[3] + 1]
