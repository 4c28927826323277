"""The count-in and the click of a part that has counts."""

from playwright.sync_api import expect
from prepared import has_parts
from studio import PHONE, RATE, eventually, first_screen, open_card
from test_accessibility import too_small, violations
from test_practice import parts  # noqa: F401

PERIOD = RATE // 2


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
        sheet.get_by_text("4 counts").click()
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
        expect(page.get_by_test_id("countdown-dial")).to_contain_text("4 counts")

        # All numbers that a screen showed; a busy machine may leave some out.
        page.evaluate(
            """() => {
              window.seen = [];
              const look = () => {
                const text = document.querySelector('[data-testid=countdown-number]')?.textContent;
                if (text && window.seen.at(-1) !== text) window.seen.push(text);
                requestAnimationFrame(look);
              };
              look();
            }""")
        page.get_by_test_id("play").click()
        expect(page.get_by_test_id("countdown")).to_be_visible()
        expect(page.get_by_test_id("countdown")).to_be_hidden()
        seen = page.evaluate("window.seen")
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
