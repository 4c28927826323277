"""The caller: its sheet, what it has the engine say and when, without a network, and in the sample routine."""

import pytest
from playwright.sync_api import expect
from offline_support import keep, kept_addresses
from prepared import has_parts
from screen_checks import too_small, violations
from studio import RATE, eventually
from test_counts import analyse
from test_move_counts import COUNT, ONE, lay
from test_moves import change, write
from test_practice import parts, phone_page  # noqa: F401
from test_record_name import name_wav  # noqa: F401 (a fixture)

# Writes down the commands that the page sends to the engine.
WATCH = """() => {
  window.sent = [];
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, ...rest) {
    const command = message?.command;
    if (command?.kind === 'calls') sent.push(['calls', ...command.calls]);
    if (command?.kind === 'names') sent.push(['names', command.recordings.length / 3]);
    if (command?.kind === 'caller') sent.push(['caller', command.volume, command.duck]);
    return post.call(this, message, ...rest);
  };
}"""


@pytest.fixture
def laid(phone_page, server):  # noqa: F811
    """A part of twelve seconds with counts, and two moves on them."""
    page = phone_page
    analyse(page, 0.9)
    page.evaluate(WATCH)
    [part] = server.records("part")[:1]
    write(server, [
        ("move", {"part": part["id"], "title": title, "position": position})
        for title, position in [("Walk", "a"), ("Turn & jump", "b")]])
    expect(page.get_by_test_id("move-card").filter(has_text="Walk")).to_be_visible()
    lay(server, Walk=(0, 4), **{"Turn & jump": (8, 4)})
    expect(page.get_by_test_id("move-time")).to_have_count(2)
    return page


def sent(page, kind):
    """Returns the last command of a kind; None if there was none."""
    found = [command[1:] for command in page.evaluate("() => sent") if command[0] == kind]
    return found[-1] if found else None


def eventually_sent(page, kind, expected):
    assert eventually(lambda: sent(page, kind), lambda found: found == expected) == expected


def open_caller(page):
    page.get_by_test_id("player-expand").tap()
    page.get_by_test_id("open-caller").tap()
    expect(page.get_by_test_id("caller-sheet")).to_be_visible()


def close_sheet(page):
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("caller-sheet")).to_have_count(0)


def numbers(*calls):
    return [number for call in calls for number in call]


#: Where the two moves begin.
WALK, TURN = ONE, ONE + 8 * COUNT


@has_parts(("One", 12))
def test_the_caller_is_switched_on_and_says_each_move_so_many_counts_ahead(laid, server):
    open_caller(laid)
    laid.get_by_test_id("caller").tap()
    expect(laid.get_by_test_id("caller-counts")).to_have_value("4")
    assert violations(laid) == [] and too_small(laid) == []
    laid.get_by_test_id("caller-counts-less").tap()
    laid.get_by_test_id("caller-duck").get_by_text("Very soft").click()
    close_sheet(laid)
    expect(laid.get_by_test_id("open-caller")).to_have_attribute("aria-label", "Caller: on")
    laid.get_by_test_id("play").tap()
    eventually_sent(laid, "calls", numbers((WALK, WALK - 3 * COUNT, 1), (TURN, TURN - 3 * COUNT, 2)))
    assert sent(laid, "names") == [2]
    assert sent(laid, "caller") == [1, 0.15]
    # While it plays: another move, another length of the way, off.
    lay(server, **{"Turn & jump": (10.5, 2)})
    moved = TURN + 5 * COUNT // 2
    eventually_sent(laid, "calls", numbers((WALK, WALK - 3 * COUNT, 1), (moved, moved - 3 * COUNT, 2)))
    laid.get_by_test_id("open-caller").tap()
    expect(laid.get_by_test_id("caller-sheet")).to_be_visible()
    laid.get_by_test_id("caller-volume-less").tap()
    eventually_sent(laid, "caller", [0.99, 0.15])
    laid.get_by_test_id("caller").tap()
    eventually_sent(laid, "calls", [])
    eventually_sent(laid, "caller", [0, 0.15])


@has_parts(("One", 12))
def test_a_name_is_fetched_in_the_chosen_language_and_again_when_it_changes(laid, server):
    asked = []
    laid.on("request", lambda request: "/api/speech" in request.url and asked.append(request.url.split("?")[1]))
    open_caller(laid)
    laid.get_by_test_id("caller").tap()
    laid.get_by_test_id("caller-language").select_option("fr")
    close_sheet(laid)
    laid.get_by_test_id("play").tap()
    eventually_sent(laid, "calls", numbers((WALK, WALK - 4 * COUNT, 1), (TURN, TURN - 4 * COUNT, 2)))
    assert "language=fr&version=1&text=Turn%20%26%20jump" in asked
    [walk] = [move for move in server.records("move") if move["title"] == "Walk"]
    with laid.expect_request("**/api/speech?language=fr&version=1&text=Run"):
        change(server, "move", walk["id"], {"title": "Run"})


@has_parts(("One", 12))
def test_a_move_with_a_recording_is_called_in_that_voice(laid, server, name_wav):  # noqa: F811
    recording = server.add("recording", "Turn.wav", name_wav.read_bytes())["id"]
    [turn] = [move for move in server.records("move") if move["title"].startswith("Turn")]
    open_caller(laid)
    laid.get_by_test_id("caller").tap()
    close_sheet(laid)
    laid.get_by_test_id("play").tap()
    eventually_sent(laid, "names", [2])
    with laid.expect_response(f"**/api/recordings/{recording}/voice") as answered:
        change(server, "move", turn["id"], {"recording": recording})
    assert answered.value.ok
    eventually_sent(laid, "names", [2])
    eventually_sent(laid, "calls", numbers((WALK, WALK - 4 * COUNT, 1), (TURN, TURN - 4 * COUNT, 2)))


@has_parts(("One", 12))
def test_names_that_cannot_be_fetched_are_told_and_tried_again(laid):
    laid.context.route("**/api/speech**", lambda route: route.abort())
    open_caller(laid)
    laid.get_by_test_id("caller").tap()
    expect(laid.get_by_test_id("names-missing")).to_contain_text("2 names could not be fetched")
    assert violations(laid) == []
    laid.context.unroute("**/api/speech**")
    close_sheet(laid)
    laid.get_by_test_id("play").tap()
    eventually_sent(laid, "calls", numbers((WALK, WALK - 4 * COUNT, 1), (TURN, TURN - 4 * COUNT, 2)))


@has_parts(("One", 12), ("Chorus", 8))
def test_in_a_run_the_parts_are_said_too(laid, server):
    open_caller(laid)
    laid.get_by_test_id("caller").tap()
    close_sheet(laid)
    laid.get_by_test_id("player-collapse").tap()
    laid.get_by_test_id("action-run").tap()
    second = 12 * RATE
    eventually_sent(laid, "calls", numbers(
        (0, -8 * COUNT, 1), (WALK, WALK - 4 * COUNT, 2), (TURN, TURN - 4 * COUNT, 3),
        (second, second - 8 * COUNT, 4)))


@has_parts(("One", 12))
def test_without_counts_there_is_nothing_to_call(phone_page):  # noqa: F811
    analyse(phone_page, 0.1)
    phone_page.get_by_test_id("player-expand").tap()
    expect(phone_page.get_by_test_id("time-total")).to_be_visible()
    expect(phone_page.get_by_test_id("open-caller")).to_have_count(0)


@has_parts(("One", 12))
def test_kept_names_are_there_without_a_network(parts, device, server):  # noqa: F811
    [part] = server.records("part")
    write(server, [
        ("move", {"part": part["id"], "title": title, "position": position, "startCount": count})
        for title, position, count in [("Walk", "a", 0), ("Turn & jump", "b", None), ("Leap", "c", 8)]])
    change(server, "setting", "caller", {"value": True})
    keep(device.page, "Swan")
    address = "/api/speech?language=en&version=1&text="
    # That of a move without counts is not said.
    expected = {address + name for name in ("One", "Walk", "Leap")}
    names = lambda: {kept for kept in kept_addresses(device.page) if "/api/speech" in kept}  # noqa: E731
    assert eventually(names, lambda found: found == expected) == expected
    device.cut()
    server.stop()
    page = device.restart()
    said = "async (address) => (await (await fetch(address)).arrayBuffer()).byteLength"
    assert page.evaluate(said, address + "Leap") > 10_000
    # Another name is not answered with a kept one.
    assert page.evaluate("(address) => fetch(address).then(({ ok }) => ok, () => false)", address + "Fall") is False


def test_the_sample_routine_lies_on_counts_and_is_called(phone, server):
    assert server.request("POST", "/api/sample")[0] == 202
    moves = eventually(lambda: server.records("move"), lambda found: len(found) == 13)
    assert all(move.get("startCount") is not None for move in moves)
    phone.evaluate(WATCH)
    phone.get_by_test_id("routine-card").filter(has_text="Lantern Street").click()
    # Once the beats of the song are found.
    expect(phone.get_by_test_id("move-time").first).to_contain_text("Eight 1 · 1–8", timeout=60_000)
    phone.get_by_test_id("play").tap()
    calls = eventually(lambda: sent(phone, "calls"), bool)
    # The second move is called on the fifth count, within 20 ms.
    assert calls[3] == pytest.approx(8 * 25_600, abs=960)
    assert calls[4] == pytest.approx(4 * 25_600, abs=960)
