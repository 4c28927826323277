"""Run-throughs: the whole routine without stopping, what was missed in it, and the review."""

import pytest
from devices_support import DESKTOP, studio, swan  # noqa: F401
from offline_support import Device, stored
from playwright.sync_api import expect
from prepared import has_parts, songs
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import PHONE, RATE, Server, eventually, first_screen, open_card, resting_box
from test_counts import analyse
from test_media_keys import SYSTEM, press
from test_moves import change, write
from test_practice import parts, phone_page  # noqa: F401
from test_remote import choose, pair_of_players

SIZES = [(390, 844), (844, 390), (1280, 800), (320, 640)]


def by_position(server):
    return sorted(server.records("part"), key=lambda part: part["position"])


def runs(server):
    return server.records("runThrough")


def missed(server):
    """Returns the moves, or else the parts, that the only run-through has missed."""
    run = runs(server)[0]
    lines = [line.split() for line in (run.get("misses") or "").splitlines()]
    return [part if move == "-" else move for part, _, move in lines]


def has_missed(server, *expected):
    eventually(lambda: missed(server), lambda found: found == list(expected))


@pytest.fixture
def moves(phone_page, server):  # noqa: F811
    """Two parts with counts: in the first one Walk and then Turn, eight counts each. The run goes at half the speed."""
    analyse(phone_page, 0.9)
    first, _ = by_position(server)
    write(server, [
        ("move", {"part": first["id"], "title": title, "position": position, "startCount": start, "countLength": 8})
        for title, position, start in [("Walk", "a", 0), ("Turn", "b", 8)]])
    expect(phone_page.get_by_test_id("move-time").filter(has_text="Eight 2")).to_be_visible()
    return phone_page


def move(server, title):
    return next(each["id"] for each in server.records("move") if each["title"] == title)


def open_sheet(page):
    page.get_by_test_id("action-more").click()
    page.get_by_test_id("action-run-through").click()
    expect(page.get_by_test_id("run-throughs")).to_be_visible()


def start(page, percent=50, button="run-start"):
    """Starts a run-through; at half the speed there is time to press within a move."""
    if page.get_by_test_id("run-throughs").count() == 0:
        open_sheet(page)
    speed = page.get_by_test_id("run-speed")
    speed.fill(str(percent))
    speed.press("Enter")
    page.get_by_test_id(button).click()
    expect(page.get_by_test_id("run-through")).to_be_visible()


def until(page, title, count=2):
    """Waits until a move is danced, and its count has come that is later than a person reacts."""
    page.wait_for_function(
        """([title, count]) => {
          const text = (name) => document.querySelector(`[data-testid=stage-${name}]`)?.textContent ?? '';
          return text('current') === `Now: ${title}` && Number(text('number')) >= count;
        }""", arg=[title, count])


def until_heard(page, seconds):
    """Waits until so much of all that is played is over: the bar is what is left of it."""
    page.wait_for_function(
        """(share) => {
          const scale = document.querySelector('[data-testid=stage-left]').style.transform;
          return scale !== '' && 1 - Number(scale.slice(7, -1)) >= share;
        }""", arg=seconds)


def tap(page, x=0.3, y=0.6):
    size = page.viewport_size
    page.touchscreen.tap(size["width"] * x, size["height"] * y)


def shows_missed(page, title):
    expect(page.get_by_test_id("run-missed")).to_have_text(f"Missed: {title}")


def review(page):
    expect(page.get_by_test_id("run-review")).to_be_visible()
    return page.get_by_test_id("review-miss")


@has_parts(("One", 12), ("Two", 6))
def test_a_tap_anywhere_notes_the_move_of_that_moment_and_the_review_lists_it(moves, server):
    start(moves)
    expect(moves.get_by_test_id("run-foot")).to_have_text("Tap anywhere when something goes wrong")
    until(moves, "Walk")
    tap(moves, 0.9, 0.4)
    shows_missed(moves, "Walk")
    # It is stored at once, and the music goes on.
    has_missed(server, move(server, "Walk"))
    expect(moves.get_by_test_id("run-through")).to_have_attribute("data-playing", "true")
    moves.get_by_test_id("run-take-back").tap()
    expect(moves.get_by_test_id("run-missed")).to_have_count(0)
    has_missed(server)
    until(moves, "Turn")
    tap(moves, 0.1, 0.8)
    # A move is missed once.
    tap(moves, 0.1, 0.8)
    shows_missed(moves, "Turn")
    expect(moves.get_by_test_id("run-through")).to_have_attribute("data-misses", "1")
    moves.get_by_test_id("run-end").tap()
    misses = review(moves)
    expect(misses).to_have_count(1)
    expect(misses).to_contain_text("Turn")
    expect(misses).to_contain_text("1. One · Eight 2, count ")
    has_missed(server, move(server, "Turn"))
    [run] = runs(server)
    first, _ = by_position(server)
    [covered] = [line.split() for line in run["covered"].splitlines()]
    assert covered[0] == first["id"] and int(covered[1]) == 0 and 6 * RATE < int(covered[2]) <= 12 * RATE
    assert run["percent"] == 50
    # Closed, the list of run-throughs is below; and the page stands still.
    moves.get_by_test_id("sheet-close").tap()
    expect(moves.get_by_test_id("run-row")).to_contain_text("Part 1 · 50% · 1 miss")
    moves.get_by_test_id("sheet-close").tap()
    expect(moves.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    expect(moves.get_by_test_id("action-run")).to_have_attribute("aria-pressed", "false")


@has_parts(("One", 12), ("Two", 6))
def test_keys_and_pedals_note_misses_and_nothing_else_moves_the_music(moves, server):
    moves.keyboard.press("r")
    start(moves)
    stage, foot = moves.get_by_test_id("run-through"), moves.get_by_test_id("run-foot")
    expect(moves.get_by_test_id("run-tap")).to_be_focused()
    until(moves, "Walk")
    # A pedal that turns pages; held, it repeats.
    moves.keyboard.down("PageDown")
    moves.keyboard.down("PageDown")
    moves.keyboard.up("PageDown")
    shows_missed(moves, "Walk")
    moves.keyboard.press("Backspace")
    expect(stage).to_have_attribute("data-misses", "0")
    for key in ("a", "l", "n", "s", "+"):
        moves.keyboard.press(key)
    expect(moves.get_by_test_id("add-move")).to_have_count(0)
    moves.keyboard.press("Space")
    expect(stage).to_have_attribute("data-misses", "1")
    expect(stage).to_have_attribute("data-playing", "true")
    until(moves, "Turn")
    moves.keyboard.press("m")
    shows_missed(moves, "Turn")
    # Paused by its button alone; then a pedal notes nothing.
    moves.get_by_test_id("run-pause").press("Enter")
    expect(stage).to_have_attribute("data-playing", "false")
    expect(moves.get_by_test_id("run-go-on")).to_be_focused()
    moves.keyboard.press("ArrowRight")
    expect(stage).to_have_attribute("data-misses", "2")
    moves.keyboard.press("Enter")
    expect(stage).to_have_attribute("data-playing", "true")
    expect(moves.get_by_test_id("run-tap")).to_be_focused()
    expect(foot).to_contain_text("2 misses")
    moves.keyboard.press("Escape")
    expect(review(moves)).to_have_count(2)
    has_missed(server, move(server, "Walk"), move(server, "Turn"))


def three_and_one_silent(server):
    """Three short parts, and one without a song between them."""
    songs(server, ("One", 3), ("Two", 2), ("Three", 2))
    [track] = {part["routine"] for part in server.records("part")}
    write(server, [("part", {"routine": track, "title": "Silent", "position": "11Z"})])


def test_it_plays_all_parts_without_stopping_skips_those_without_a_song_and_ends_in_the_review(begin_with, chromium, tmp_path):
    begin_with(three_and_one_silent)
    with Server(tmp_path / "library") as server, first_screen(chromium, server, **PHONE) as page:
        open_card(page)
        page.get_by_test_id("part-number").nth(1).tap()
        open_sheet(page)
        # From the start, although another part is shown.
        start(page, 100)
        expect(page.get_by_test_id("stage-part")).to_have_text("1. One")
        expect(page.get_by_test_id("run-through")).to_have_attribute("data-playing", "true")
        page.wait_for_function("() => document.querySelector('[data-testid=stage-part]')?.textContent === '2. Two'")
        page.keyboard.press("m")
        expect(page.get_by_test_id("run-through")).to_have_attribute("data-misses", "1")
        expect(review(page)).to_have_count(1)
        first, second, silent, third = by_position(server)
        assert silent["title"] == "Silent"
        eventually(
            lambda: [line.split() for line in runs(server)[0]["covered"].splitlines()],
            lambda lines: lines == [[first["id"], "0", str(3 * RATE)], [second["id"], "0", str(2 * RATE)],
                                    [third["id"], "0", str(2 * RATE)]])


@has_parts(("One", 3), ("Two", 2))
def test_a_short_run_through_in_which_nothing_was_missed_leaves_nothing(phone_page, server):  # noqa: F811
    start(phone_page, 100, "run-start")
    expect(phone_page.get_by_test_id("run-through")).to_have_count(0)
    expect(phone_page.get_by_test_id("run-review")).to_have_count(0)
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "false")
    assert runs(server) == []
    # From a part on.
    phone_page.get_by_test_id("part-number").nth(1).tap()
    start(phone_page, 25, "run-start-part")
    expect(phone_page.get_by_test_id("stage-part")).to_have_text("2. Two")
    phone_page.go_back()
    expect(phone_page.get_by_test_id("run-through")).to_have_count(0)


@has_parts(("One", 12))
def test_a_killed_page_without_a_network_loses_no_miss(parts, chromium, server):  # noqa: F811
    server.skip_welcome()
    device = Device(chromium, server)
    page = device.page
    open_card(page)
    # The sheet's code is fetched before the network is cut.
    open_sheet(page)
    expect(page.get_by_test_id("run-list")).to_be_attached()
    page.wait_for_function("() => document.querySelector('[data-testid=run-start]')?.disabled === false")
    start(page, 50)
    until_heard(page, 0.1)
    device.cut()
    tap(page)
    shows_missed(page, "One")
    eventually(lambda: stored(page, "outbox"), lambda changes: any("misses" in str(change) for change in changes))
    device.crash()
    page = device.restart()
    page.get_by_test_id("routine-card").click()
    open_sheet(page)
    expect(page.get_by_test_id("run-row")).to_contain_text("1 miss")
    page.get_by_test_id("run-row").click()
    expect(review(page)).to_contain_text("1. One")
    # Reviewed without a network, and sent later.
    page.get_by_test_id("review-notes").fill("Breathe")
    device.join()
    eventually(lambda: runs(server), lambda found: [run.get("notes") for run in found] == ["Breathe"])
    device.close()


@has_parts(("One", 12), ("Two", 6))
def test_two_devices_see_the_same_run_through_and_change_it(moves, server, chromium):
    with first_screen(chromium, server, **DESKTOP) as laptop:
        open_card(laptop)
        open_sheet(laptop)
        start(moves)
        until(moves, "Walk")
        tap(moves)
        shows_missed(moves, "Walk")
        # While it is still played.
        expect(laptop.get_by_test_id("run-row")).to_contain_text("1 miss")
        until(moves, "Turn")
        tap(moves)
        moves.get_by_test_id("run-end").tap()
        expect(review(moves)).to_have_count(2)
        laptop.get_by_test_id("run-row").click()
        expect(review(laptop)).to_have_count(2)
        laptop.get_by_role("button", name="Take back: Walk").click()
        expect(review(moves)).to_have_count(1)
        expect(review(moves)).to_contain_text("Turn")
        laptop.get_by_test_id("toast").get_by_text("Undo").click()
        expect(review(moves)).to_have_count(2)
        moves.get_by_test_id("review-notes").fill("Later")
        expect(laptop.get_by_test_id("review-notes")).to_have_value("Later")


def test_a_remote_notes_misses_while_a_run_through_is_played(chromium, studio, swan):  # noqa: F811
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        choose(phone, expand=True)
        expect(phone.get_by_test_id("remote-miss")).to_have_count(0)
        start(laptop, 50)
        until_heard(laptop, 0.05)
        phone.get_by_test_id("remote-miss").tap()
        shows_missed(laptop, "Entrance")
        # By a key of the remote's page, or a pedal there.
        laptop.get_by_test_id("run-take-back").click()
        expect(laptop.get_by_test_id("run-through")).to_have_attribute("data-misses", "0")
        phone.keyboard.press("PageDown")
        shows_missed(laptop, "Entrance")
        expect(phone.get_by_test_id("remote-title")).to_have_text("1. Entrance")
        laptop.get_by_test_id("run-end").click()
        expect(review(laptop)).to_have_count(1)
        expect(phone.get_by_test_id("remote-miss")).to_have_count(0)


@has_parts(("One", 12), ("Two", 6))
def test_the_next_key_of_a_headset_notes_a_miss(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, script=SYSTEM, **DESKTOP) as page:
        open_card(page)
        start(page)
        until_heard(page, 0.1)
        press(page, "nexttrack")
        shows_missed(page, "One")
        expect(page.get_by_test_id("stage-part")).to_have_text("1. One")
        page.get_by_test_id("run-end").click()
        review(page)
        page.get_by_test_id("sheet-close").click()
        page.get_by_test_id("sheet-close").click()
        press(page, "nexttrack")
        expect(page.get_by_test_id("jump-button")).to_contain_text("2. Two")


@pytest.fixture
def reviewed(moves, server):
    """Two run-throughs, the second one of today: it has missed Walk, and the one before it Turn."""
    first, second = by_position(server)
    covered = f"{first['id']} 0 {12 * RATE}\n{second['id']} 0 {6 * RATE}"
    write(server, [
        ("runThrough", {"routine": first["routine"], "startedAt": began, "utcOffset": 0, "percent": 100, "covered": covered,
                        "misses": f"{first['id']} {frame} {move(server, title)}"})
        for title, frame, began in [("Turn", 7 * RATE, 1_790_000_000_000), ("Walk", 3 * RATE, 1_790_090_000_000)]])
    open_sheet(moves)
    moves.get_by_test_id("run-row").first.tap()
    expect(review(moves)).to_contain_text("Eight 1, count 4")
    return moves


@has_parts(("One", 12), ("Two", 6))
def test_the_review_shows_both_run_throughs_and_adds_a_miss_by_touch_and_by_keys(reviewed, server):
    strip, at, add = (reviewed.get_by_test_id(f"review-{name}") for name in ("strip", "at", "add"))
    box = resting_box(strip)

    def share(mark):
        found = reviewed.get_by_test_id(mark)
        expect(found).to_have_count(1)
        seen = found.bounding_box()
        return (seen["x"] + seen["width"] / 2 - box["x"]) / box["width"]

    assert share("review-missed") == pytest.approx(3 / 18, abs=0.02)
    assert share("review-earlier") == pytest.approx(7 / 18, abs=0.02)
    reviewed.touchscreen.tap(box["x"] + box["width"] * 9 / 18, box["y"] + box["height"] / 2)
    expect(at).to_contain_text("Turn")
    add.tap()
    expect(review(reviewed)).to_have_count(2)
    expect(add).to_be_disabled()
    order = eventually(lambda: runs(server)[-1]["misses"].splitlines(), lambda lines: len(lines) == 2)
    assert [line.split()[2] for line in order] == [move(server, "Walk"), move(server, "Turn")]
    # By keys: from move to move, and from part to part. In a part whose moves have no counts it is a place.
    strip.focus()
    reviewed.keyboard.press("Home")
    expect(strip).to_have_attribute("aria-valuetext", "One, 1. One · Pick-up, count 6")
    reviewed.keyboard.press("ArrowRight")
    expect(strip).to_have_attribute("aria-valuetext", "Walk, 1. One · Eight 1, count 1")
    reviewed.keyboard.press("PageUp")
    reviewed.keyboard.press("ArrowRight")
    expect(at).to_contain_text("Two")
    add.press("Enter")
    expect(review(reviewed)).to_have_count(3)
    reviewed.get_by_role("button", name="Take back: Walk").tap()
    expect(review(reviewed)).to_have_count(2)
    reviewed.get_by_test_id("toast").last.get_by_text("Undo").click()
    expect(review(reviewed)).to_have_count(3)


@has_parts(("One", 12), ("Two", 6))
def test_a_run_through_is_deleted_and_that_is_undone(reviewed, server):
    reviewed.get_by_test_id("review-notes").fill("Breathe")
    eventually(lambda: [run.get("notes") for run in runs(server)], lambda notes: "Breathe" in notes)
    reviewed.get_by_test_id("review-delete").tap()
    expect(reviewed.get_by_test_id("run-row")).to_have_count(1)
    reviewed.get_by_test_id("toast").get_by_text("Undo").click()
    expect(reviewed.get_by_test_id("run-row")).to_have_count(2)
    # What was missed keeps its part when its move is gone.
    change(server, "move", move(server, "Walk"), {"deletedAt": 1_790_000_000_000})
    reviewed.get_by_test_id("run-row").first.tap()
    expect(review(reviewed)).to_contain_text("1. One")


@has_parts(("One", 12), ("Two", 6))
def test_sheet_and_review_are_accessible_and_fit_the_smallest_phone(reviewed):
    box = resting_box(reviewed.get_by_test_id("review-strip"))
    reviewed.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(2):
        settled(reviewed)
        assert violations(reviewed) == []
        change_theme(reviewed)
        assert violations(reviewed) == []
        assert too_small(reviewed) == []
        for width, height in SIZES:
            reviewed.set_viewport_size({"width": width, "height": height})
            assert wider_than_window(reviewed) == []
        reviewed.set_viewport_size({"width": 390, "height": 844})
        reviewed.get_by_test_id("sheet-close").tap()
        expect(reviewed.get_by_test_id("run-review")).to_have_count(0)


@has_parts(("One", 12), ("Two", 6))
def test_in_a_page_from_right_to_left_time_still_goes_to_the_right(reviewed):
    reviewed.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    box = resting_box(reviewed.get_by_test_id("review-strip"))
    mark = reviewed.get_by_test_id("review-missed").bounding_box()
    assert mark["x"] - box["x"] < box["width"] / 3
    reviewed.touchscreen.tap(box["x"] + box["width"] * 17 / 18, box["y"] + box["height"] / 2)
    expect(reviewed.get_by_test_id("review-at")).to_contain_text("Two")
    assert wider_than_window(reviewed) == []


@has_parts(("One", 12), ("Two", 6))
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.full_chromium("the shell does not resize a page that fills the screen")
def test_while_it_is_played_it_is_accessible_in_every_size(moves, theme):
    moves.emulate_media(color_scheme=theme)
    start(moves)
    until(moves, "Walk")
    tap(moves)
    shows_missed(moves, "Walk")
    moves.get_by_test_id("run-pause").tap()
    expect(moves.get_by_test_id("run-go-on")).to_be_visible()
    for width, height in SIZES:
        moves.set_viewport_size({"width": width, "height": height})
        assert violations(moves) == []
        assert too_small(moves) == []
        assert wider_than_window(moves) == []


def run_record(server, began, *titles):
    """A run-through of both parts which has missed these moves of the first one."""
    first, second = by_position(server)
    frames = {"Walk": 3 * RATE, "Turn": 7 * RATE}
    return ("runThrough", {
        "routine": first["routine"], "startedAt": began, "utcOffset": 0, "percent": 100,
        "covered": f"{first['id']} 0 {12 * RATE}\n{second['id']} 0 {6 * RATE}",
        "misses": "\n".join(f"{first['id']} {frames[title]} {move(server, title)}" for title in titles)})


@has_parts(("One", 12), ("Two", 6))
def test_what_was_missed_glows_everywhere_and_fades_as_it_goes_well(moves, server):
    cards = moves.get_by_test_id("move-card")
    turn = cards.filter(has_text="Turn").get_by_test_id("weak")
    first, second = (moves.get_by_test_id("part-number").nth(at) for at in range(2))
    places = [card.bounding_box() for card in cards.all()]
    expect(moves.get_by_test_id("weak")).to_have_count(0)
    began = 1_700_000_000_000
    write(server, [run_record(server, began, "Turn"), run_record(server, began + 1_000, "Turn")])
    expect(turn).to_have_attribute("data-level", "3")
    expect(turn).to_have_text("weak: missed 2 of the last 2")
    expect(first).to_have_accessible_name("1. One, weak: missed 2 of the last 2")
    expect(first.get_by_test_id("weak")).to_be_visible()
    expect(cards.filter(has_text="Walk").get_by_test_id("weak")).to_have_count(0)
    # Nothing has moved.
    assert [card.bounding_box() for card in cards.all()] == places
    # In the overview, and in the stage view.
    moves.get_by_test_id("action-more").tap()
    moves.get_by_test_id("overview-two").tap()
    expect(turn).to_have_attribute("data-level", "3")
    for _ in range(2):
        settled(moves)
        assert violations(moves) == []
        change_theme(moves)
    assert wider_than_window(moves) == []
    cards.filter(has_text="Turn").get_by_test_id("move-time").tap()
    moves.get_by_test_id("action-stage").tap()
    expect(moves.get_by_test_id("stage-current")).to_have_text("Now: Turn")
    expect(moves.locator(".stageview-weak").get_by_test_id("weak")).to_have_attribute("data-level", "3")
    moves.get_by_test_id("stage-close").tap()
    # It fades with each run-through that goes well.
    write(server, [run_record(server, began + 3_000)])
    expect(turn).to_have_attribute("data-level", "2")
    write(server, [run_record(server, began + at * 1_000) for at in (4, 5, 6)])
    expect(turn).to_have_count(0)


@has_parts(("One", 12), ("Two", 6))
def test_a_run_through_of_ones_own_glows_after_it_and_stays_after_a_reload(moves, server):
    start(moves)
    until(moves, "Walk")
    tap(moves)
    shows_missed(moves, "Walk")
    until(moves, "Turn")
    moves.get_by_test_id("run-end").tap()
    review(moves)
    moves.get_by_test_id("sheet-close").tap()
    moves.get_by_test_id("sheet-close").tap()
    walk = moves.get_by_test_id("move-card").filter(has_text="Walk").get_by_test_id("weak")
    expect(walk).to_be_visible()
    moves.reload()
    expect(walk).to_be_visible()
    # Deleted, nothing is known any more.
    open_sheet(moves)
    moves.get_by_test_id("run-row").tap()
    moves.get_by_test_id("review-delete").tap()
    moves.get_by_test_id("sheet-close").tap()
    expect(moves.get_by_test_id("weak")).to_have_count(0)
