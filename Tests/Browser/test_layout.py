"""The desktop layout, and layout shifts while a screen loads."""

import pytest
from playwright.sync_api import expect
from studio import Server, eventually

# Records layout shifts without user input, as a share of the window (Layout Instability, W3C).
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.shifts.push([entry.value, entry.sources.map(({ node, previousRect, currentRect }) => (
        `${node?.className || node?.nodeName}: ${previousRect.y}-${previousRect.bottom} to ${currentRect.y}-${currentRect.bottom}`))]);
    }
  }).observe({ type: 'layout-shift', buffered: true });
"""
MOST_SHIFT = 0.01


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A server with the sample routine."""
    with Server(tmp_path_factory.mktemp("layout") / "library") as server:
        assert server.request("POST", "/api/sample")[0] == 202
        eventually(lambda: server.records("track"), lambda tracks: tracks[0]["state"] == "ready", 60)
        yield server


def test_a_desktop_shows_parts_at_the_side_moves_in_the_middle_and_the_player_below(chromium, library):
    library.skip_welcome()
    context = chromium.new_context(service_workers="block", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{library.origin}/routines/{library.records('routine')[0]['id']}")
    expect(page.get_by_test_id("part-number")).to_have_count(4)
    expect(page.get_by_test_id("play")).to_be_enabled()

    def edges(locator):
        box = locator.bounding_box()
        return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]

    head = edges(page.locator(".practice-head"))
    side = edges(page.get_by_role("navigation", name="Parts"))
    moves = edges(page.get_by_test_id("pager"))
    player = edges(page.get_by_test_id("player"))
    assert (head[0], head[1], head[2]) == (0, 0, 1280)
    assert side[0] == 0 and 200 <= side[2] - side[0] <= 400 and abs(side[1] - head[3]) < 1
    assert abs(moves[0] - side[2]) < 1 and moves[2] == 1280 and abs(moves[1] - side[1]) <= 1
    assert player[0] == 0 and player[2] == 1280 and player[3] == 800
    assert abs(side[3] - player[1]) < 1 and abs(moves[3] - player[1]) < 1
    assert moves[3] - moves[1] > 800 / 3, "moves have a third of the window at least"
    for name in page.locator(".part-name").all():
        left, _, right, _ = edges(name)
        assert side[0] < left < right < side[2]
    cards = page.locator(".part-page:not([inert])").get_by_test_id("move-card")
    left, top, right, _ = edges(cards.first)
    assert moves[0] < left < right < moves[2] and moves[1] < top < moves[3]
    assert abs((left + right) / 2 - (moves[0] + moves[2]) / 2) < 12, "they stand in the middle"
    for name in ("section", "seek-back", "play", "seek-forward", "loop", "speed-dial", "scrubber"):
        expect(page.get_by_test_id("player").get_by_test_id(name)).to_be_in_viewport(ratio=1)
    context.close()


@pytest.mark.parametrize("width, height", [(390, 844), (1280, 800)])
@pytest.mark.moving("what appears could push the rest")
def test_a_loading_screen_has_no_layout_shift(chromium, library, width, height):
    library.set("welcomeSeen", True)
    library.set("tipsSeen", "")
    routine = library.records("routine")[0]["id"]
    library.edit("routine", routine, {"lastPractisedAt": 1_800_000_000_000})
    for path, last in [("/", ".card .waveform[data-drawn=true]"),
                       (f"/routines/{routine}", "[data-testid=play]:enabled")]:
        context = chromium.new_context(
            service_workers="block", viewport={"width": width, "height": height})
        context.add_init_script(SHIFTS)
        page = context.new_page()
        for start in ("cold", "warm"):
            page.goto(library.origin + path)
            page.locator(last).first.wait_for()
            if start == "cold":
                # The lazily loaded script can also cause layout shifts.
                page.wait_for_function(
                    "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/lateBundle-'))")
            page.evaluate(
                "() => new Promise((done) => requestIdleCallback(() => requestAnimationFrame(() => setTimeout(done))))")
            shifts = page.evaluate("() => window.shifts")
            assert sum(value for value, _ in shifts) < MOST_SHIFT, f"{start} start of {path}: {shifts}"
        context.close()
