"""The count that is heard: from the analysis and from corrections, in time with the sound."""

import uuid

from playwright.sync_api import expect
from prepared import has_parts
from studio import RATE, eventually
from test_accessibility import too_small, violations
from test_practice import parts, phone_page  # noqa: F401

PERIOD = RATE // 2
FIRST = RATE // 2 + 2 * PERIOD  # The first eight, after a pick-up of three beats.


def analyse(page, confidence, metre=4):
    """Answers with an analysis of a beat each half second, the first after half a second."""
    frames = list(range(RATE // 2, 12 * RATE, PERIOD))
    beats = {
        "tempo": 120, "metre": metre, "confidence": confidence, "frames": frames,
        "places": [(at - 2) % metre + 1 for at in range(len(frames))],
        "eights": list(range(FIRST, 12 * RATE, 8 * PERIOD))}
    answer = {"attacks": [], "changes": [], "beats": beats}
    page.route("**/api/tracks/*/analysis*", lambda route: route.fulfill(json=answer))


def seek(page, seconds):
    box = page.get_by_test_id("scrubber").bounding_box()
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
    wrong = [
        (frame, count) for frame, count in ((percent / 100 * 12 * RATE, count) for percent, count in seen)
        # A needle is drawn to some digits of a percent.
        if count not in {(int(frame + off) - FIRST) // PERIOD % 8 + 1 for off in (-5, 5)}]
    assert wrong == []
    counts = [count for _, count in seen]
    changes = [b for a, b in zip(counts, counts[1:]) if a != b]
    assert len(changes) >= 7
    assert all(b == a % 8 + 1 for a, b in zip(changes, changes[1:]))


@has_parts(("One", 12))
def test_an_uncertain_analysis_shows_no_count_until_it_is_corrected(phone_page, server):
    analyse(phone_page, 0.49)
    with phone_page.expect_response("**/analysis*"):
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
