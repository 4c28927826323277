"""Plans: the proposed session, plans of one's own, and the session that leads through the steps."""

import pytest
from devices_support import studio, swan  # noqa: F401
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations, wider_than_window
from screens import settled
from studio import DESKTOP, PHONE, RATE, eventually, first_screen
from test_counts import analyse
from test_move_counts import COUNT
from test_moves import write
from test_practice import parts, phone_page, routine  # noqa: F401
from test_remote import choose, pair_of_players

#: Writes down the commands that the page sends to the engine.
WATCH = """() => {
  window.sent = [];
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, ...rest) {
    const command = message?.command;
    const { kind } = command ?? {};
    if (kind === 'load') sent.push([kind, command.startFrame, command.endFrame]);
    if (kind === 'loop') sent.push([kind, command.mode, command.a, command.b]);
    if (kind === 'repeats') sent.push([kind, command.limit, command.restFrames]);
    if (kind === 'trainer') sent.push([kind, command.every, command.from, command.to, command.step]);
    if (kind === 'calls') sent.push([kind, command.calls.length / 3]);
    if (kind === 'play') sent.push([kind]);
    return post.call(this, message, ...rest);
  };
}"""


def sent(page, kind):
    """Returns the last command of a kind; None if there was none."""
    found = [command[1:] for command in page.evaluate("() => sent") if command[0] == kind]
    return found[-1] if found else None


def eventually_sent(page, kind, expected):
    assert eventually(lambda: sent(page, kind), lambda found: found == expected) == expected


def shown_parts(page, server):
    """Returns the parts of the routine that the page shows, in order."""
    routine = page.url.split("/routines/")[1].split("/")[0]
    return sorted(
        (part for part in server.records("part") if part["routine"] == routine), key=lambda part: part["position"])


def save_plan(page, server, title, *steps):
    """Stores a plan whose steps are lines with the parts' indexes, and waits until the page has it."""
    parts_of_page = shown_parts(page, server)
    ids = [part["id"] for part in parts_of_page]
    lines = []
    for kind, first, last, *numbers in steps:
        named = [ids[first], ids[last]] if first is not None else ["-", "-"]
        lines.append(" ".join(map(str, [kind, *named, *numbers])))
    write(server, [("plan", {"routine": parts_of_page[0]["routine"], "title": title, "steps": "\n".join(lines)})])
    open_sheet(page)
    page.get_by_test_id("practise-plan").get_by_text(title, exact=True).click()


def open_sheet(page):
    page.get_by_test_id("action-practise").click()
    expect(page.get_by_test_id("practise-sheet")).to_be_visible()


def start(page):
    page.get_by_test_id("practise-start").click()
    expect(page.get_by_test_id("session")).to_be_visible()


def at_step(page, index):
    expect(page.get_by_test_id("session")).to_have_attribute("data-step", str(index))


#: Two passes of the first part at rising speed, a rest, where the first two parts meet, the last two parts.
STEPS = [
    ("part", 0, 0, 2, 80, 100, 20, 0), ("rest", None, None, 1, 100, 100, 0, 600),
    ("transition", 0, 1, 1, 100, 100, 0, 0), ("chain", 1, 2, 1, 100, 100, 0, 0),
]


def test_two_taps_lead_from_the_list_to_a_session(parts, chromium, server):  # noqa: F811
    with first_screen(chromium, server, **PHONE) as page:
        page.get_by_test_id("routine-practise").tap()
        expect(page.get_by_test_id("step").first).to_be_visible()
        page.get_by_test_id("practise-start").tap()
        expect(page.get_by_test_id("session")).to_be_visible()
        expect(page.get_by_test_id("session-play")).to_have_accessible_name("Pause")


@has_parts(("One", 20), ("Two", 20))
def test_each_proposed_step_says_why_and_the_time_changes_with_the_length(phone_page):  # noqa: F811
    open_sheet(phone_page)
    steps = phone_page.get_by_test_id("step")
    expect(steps.first).to_be_visible()
    for step in steps.all():
        if step.get_attribute("data-kind") != "rest":
            assert step.locator("small").inner_text() != ""
    short = phone_page.get_by_test_id("practise-length").inner_text()
    phone_page.get_by_test_id("practise-minutes").get_by_text("60 min").tap()
    expect(phone_page.get_by_test_id("practise-length")).not_to_have_text(short)
    phone_page.get_by_test_id("sheet-close").tap()
    open_sheet(phone_page)
    expect(phone_page.get_by_test_id("practise-minutes").get_by_label("60 min")).to_be_checked()


@has_parts(("One", 2), ("Two", 2), ("Three", 2))
def test_a_session_plays_its_steps_and_goes_on_by_itself(phone_page, server):  # noqa: F811
    page = phone_page
    # Nothing is announced, so that nothing waits for it.
    page.route("**/api/speech**", lambda route: route.abort())
    page.evaluate(WATCH)
    save_plan(page, server, "Mine", *STEPS)
    expect(page.get_by_test_id("step")).to_have_count(4)
    start(page)
    expect(page.get_by_test_id("session-title")).to_have_text("One")
    expect(page.get_by_test_id("session-at")).to_have_text("Step 1 of 4")
    eventually_sent(page, "loop", ["whole", 0, 0])
    eventually_sent(page, "repeats", [2, 0])
    eventually_sent(page, "trainer", [1, 80, 100, 20])
    # The engine ends the step, and the rest begins.
    at_step(page, 1)
    expect(page.get_by_test_id("session-rest")).to_be_visible()
    page.get_by_test_id("session-skip").tap()
    at_step(page, 2)
    expect(page.get_by_test_id("session-title")).to_have_text("One into Two")
    # Without counts four seconds on either side, or as much as there is.
    eventually_sent(page, "loop", ["section", 0, 4 * RATE])
    at_step(page, 3)
    eventually_sent(page, "load", [0, 4 * RATE])
    expect(page.get_by_test_id("session-title")).to_have_text("Two to Three")
    at_step(page, 4)
    expect(page.get_by_test_id("session-end")).to_be_visible()
    page.get_by_test_id("session-done").tap()
    expect(page.get_by_test_id("session")).to_have_count(0)
    # The shown part plays as it was set.
    eventually_sent(page, "repeats", [0, 0])
    eventually_sent(page, "loop", ["off", 0, 0])


def test_keys_and_pedals_skip_repeat_and_lengthen(routine, server):  # noqa: F811
    page = routine
    page.evaluate(WATCH)
    save_plan(page, server, "Mine", ("part", 0, 0, 3, 100, 100, 0, 0), ("part", 1, 1, 1, 100, 100, 0, 0))
    start(page)
    eventually_sent(page, "repeats", [3, 0])
    page.keyboard.press("+")
    eventually_sent(page, "repeats", [5, 0])
    expect(page.get_by_test_id("session-detail")).to_have_text("1 of 5 · 100%")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("session-play")).to_have_accessible_name("Play")
    page.keyboard.press("PageDown")
    at_step(page, 1)
    # Nothing of it was heard yet, so that it leads to the step before.
    page.keyboard.press("PageUp")
    at_step(page, 0)
    eventually_sent(page, "repeats", [3, 0])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("session-end")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("session")).to_have_count(0)


def test_back_ends_a_session_and_stops_the_music(phone_page, server):  # noqa: F811
    save_plan(phone_page, server, "Mine", ("part", 0, 0, 9, 100, 100, 0, 0))
    start(phone_page)
    expect(phone_page.get_by_test_id("session-play")).to_have_accessible_name("Pause")
    phone_page.go_back()
    expect(phone_page.get_by_test_id("session")).to_have_count(0)
    expect(phone_page.get_by_test_id("play")).to_have_attribute("data-playing", "false")


def test_a_step_is_announced_before_it_is_played(phone_page, server):  # noqa: F811
    page = phone_page
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/api/speech" in request.url else None)
    page.evaluate(WATCH)
    save_plan(page, server, "Mine", ("part", 0, 0, 4, 70, 85, 5, 0))
    start(page)
    eventually_sent(page, "calls", [1])
    # In the music it is over.
    eventually_sent(page, "calls", [0])
    assert any("One.%204%20times%2C%20from%2070%20to%2085%20percent" in url for url in asked)
    commands = [command[0] for command in page.evaluate("() => sent")]
    assert commands.index("calls") < commands.index("play")


def test_without_speech_a_step_begins_in_silence(phone_page, server):  # noqa: F811
    page = phone_page
    page.route("**/api/speech**", lambda route: route.abort())
    page.evaluate(WATCH)
    save_plan(page, server, "Mine", ("part", 0, 0, 9, 100, 100, 0, 0))
    start(page)
    assert eventually(lambda: sent(page, "play"), lambda found: found is not None) == []


def test_steps_are_changed_and_kept_as_a_plan(phone_page, server):  # noqa: F811
    page = phone_page
    open_sheet(page)
    expect(page.get_by_test_id("step").first).to_be_visible()
    page.get_by_test_id("practise-edit").tap()
    while page.get_by_test_id("step").count() > 1:
        page.get_by_test_id("step-menu").last.tap()
        page.get_by_test_id("step-remove").tap()
    page.get_by_test_id("step-add").tap()
    page.get_by_test_id("step-kind").select_option("transition")
    page.get_by_test_id("step-first").select_option(label="Two")
    page.get_by_test_id("step-passes-more").tap()
    page.get_by_test_id("step-menu").last.tap()
    page.get_by_test_id("step-up").tap()
    first = page.get_by_test_id("step").first
    expect(first).to_contain_text("Two into Three")
    expect(first).to_contain_text("3 ×")
    assert violations(page) == []
    page.get_by_test_id("practise-edit").tap()
    page.get_by_test_id("practise-save").tap()
    page.get_by_test_id("plan-name").get_by_role("textbox").fill("Evening")
    page.get_by_test_id("rename-done").tap()
    [plan] = eventually(lambda: server.records("plan"), lambda found: [each.get("title") for each in found] == ["Evening"])
    ids = [part["id"] for part in shown_parts(page, server)]
    assert plan["steps"].splitlines()[0].split()[:4] == ["transition", ids[1], ids[2], "3"]
    page.reload()
    open_sheet(page)
    page.get_by_test_id("practise-plan").get_by_text("Evening").tap()
    expect(page.get_by_test_id("step")).to_have_count(2)
    page.get_by_test_id("plan-menu").tap()
    page.get_by_test_id("plan-delete").tap()
    expect(page.get_by_test_id("practise-plan")).to_have_count(0)
    page.get_by_test_id("toast").get_by_role("button", name="Undo").tap()
    expect(page.get_by_test_id("practise-plan")).to_contain_text("Evening")


def test_a_plan_of_another_device_appears_and_its_hostile_lines_are_left_out(phone_page, server):  # noqa: F811
    [routine_id] = [record["id"] for record in server.records("routine")]
    first = shown_parts(phone_page, server)[0]["id"]
    lines = [f"part {first} {first} 2 100 100 0 0", "nonsense", "part x y 1 1 1 1 1", f"part {first} {first} 99999999999 -5 1e9 ∞ 0"]
    open_sheet(phone_page)
    write(server, [("plan", {"routine": routine_id, "title": "Theirs", "steps": "\n".join(lines)})])
    phone_page.get_by_test_id("practise-plan").get_by_text("Theirs").tap()
    expect(phone_page.get_by_test_id("step").first).to_contain_text("2 ×")
    assert phone_page.get_by_test_id("step").count() <= 2


def test_a_routine_without_music_has_nothing_to_practise(chromium, server):
    server.skip_welcome()
    [routine_id] = write(server, [("routine", {"title": "Empty"})])
    write(server, [("part", {"routine": routine_id, "title": "Silence", "position": "a"})])
    with first_screen(chromium, server, path=f"/routines/{routine_id}", **PHONE) as page:
        open_sheet(page)
        expect(page.get_by_test_id("practise-nothing")).to_be_visible()
        expect(page.get_by_test_id("practise-start")).to_be_disabled()


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (844, 390), (1280, 800)], ids=str)
def test_sheet_and_session_fit(phone_page, server, size):  # noqa: F811
    page = phone_page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    save_plan(page, server, "Mine", *STEPS)
    settled(page)
    assert violations(page) == [] and too_small(page) == [] and not wider_than_window(page)
    start(page)
    expect(page.get_by_test_id("session-play")).to_have_accessible_name("Pause")
    assert violations(page) == [] and too_small(page) == [] and not wider_than_window(page)
    for name in ("session-again", "session-play", "session-longer", "session-skip", "session-close"):
        box = page.get_by_test_id(name).bounding_box()
        assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1]


def test_a_remote_shows_the_step_and_presses_its_buttons(chromium, studio, swan):  # noqa: F811
    with pair_of_players(chromium, studio, swan) as (phone, laptop):
        save_plan(laptop, studio, "Mine", ("part", 0, 0, 3, 100, 100, 0, 0), ("rest", None, None, 1, 100, 100, 0, 600))
        start(laptop)
        choose(phone, expand=True)
        expect(phone.get_by_test_id("remote-title")).to_have_text(shown_parts(laptop, studio)[0]["title"])
        assert violations(phone) == [] and too_small(phone) == []
        phone.get_by_test_id("remote-session-longer").tap()
        expect(laptop.get_by_test_id("session-detail")).to_contain_text("1 of 5")
        phone.get_by_test_id("remote-session-next").tap()
        at_step(laptop, 1)
        expect(phone.get_by_test_id("remote-title")).to_have_text("Rest")
        phone.get_by_test_id("remote-session-again").tap()
        at_step(laptop, 0)
        phone.keyboard.press("PageDown")
        at_step(laptop, 1)


def test_practise_works_without_a_network(phone_page, server, chromium):  # noqa: F811
    page = phone_page
    save_plan(page, server, "Mine", ("part", 0, 0, 9, 100, 100, 0, 0))
    page.get_by_test_id("sheet-close").tap()
    page.context.set_offline(True)
    open_sheet(page)
    page.get_by_test_id("practise-plan").get_by_text("Mine").tap()
    page.evaluate(WATCH)
    start(page)
    eventually_sent(page, "repeats", [9, 0])
    expect(page.get_by_test_id("session-play")).to_have_accessible_name("Pause")


@has_parts(("One", 12), ("Two", 12), ("Three", 12))
def test_a_run_through_in_a_session_takes_misses_and_goes_on_after_its_review(phone_page, server):  # noqa: F811
    page = phone_page
    page.route("**/api/speech**", lambda route: route.abort())
    save_plan(page, server, "Mine", ("runThrough", 0, 2, 1, 100, 100, 0, 0), ("rest", None, None, 1, 100, 100, 0, 600))
    start_button = page.get_by_test_id("practise-start")
    start_button.tap()
    expect(page.get_by_test_id("run-through")).to_be_visible()
    expect(page.get_by_test_id("run-through")).to_have_attribute("data-playing", "true")
    # Before the first sound nothing can be missed.
    def missed():
        page.get_by_test_id("run-tap").tap()
        return page.get_by_test_id("run-missed").count()
    eventually(missed, lambda count: count == 1)
    page.get_by_test_id("run-end").tap()
    expect(page.get_by_test_id("review-miss").first).to_be_visible()
    page.get_by_test_id("run-review").get_by_test_id("sheet-close").tap()
    at_step(page, 1)
    expect(page.get_by_test_id("session-rest")).to_be_visible()
    expect(page.get_by_test_id("run-throughs")).to_have_count(0)
    page.go_back()
    expect(page.get_by_test_id("session")).to_have_count(0)
    assert len(server.records("runThrough")) == 1


def test_what_was_missed_on_any_device_comes_first(phone_page, server):  # noqa: F811
    page = phone_page
    one, two, three = shown_parts(page, server)
    yesterday = page.evaluate("() => Date.now()") - 24 * 3_600_000
    heard = "\n".join(f"{part['id']} {part['startFrame']} {part['endFrame']} 6 60 100 1" for part in (one, two, three))
    covered = "\n".join(f"{part['id']} {part['startFrame']} {part['endFrame']}" for part in (one, two, three))
    write(server, [
        ("practiceEntry", {"routine": one["routine"], "startedAt": yesterday, "utcOffset": 0, "heard": heard}),
        ("runThrough", {"routine": one["routine"], "startedAt": yesterday, "utcOffset": 0, "percent": 100, "covered": covered,
                        "misses": f"{two['id']} {RATE // 2} -"})])
    page.reload()
    open_sheet(page)
    missed = page.get_by_test_id("step").filter(has_text="Missed in the last run-through")
    expect(missed.first).to_contain_text("Two")
    assert page.get_by_test_id("step").filter(has_text="not practised yet").count() == 0


def test_what_a_session_plays_is_in_the_log(phone_page, server):  # noqa: F811
    page = phone_page
    page.route("**/api/speech**", lambda route: route.abort())
    save_plan(page, server, "Mine", ("part", 1, 1, 3, 100, 110, 5, 0))
    start(page)
    expect(page.get_by_test_id("session-end")).to_be_visible()
    page.get_by_test_id("session-done").tap()
    two = shown_parts(page, server)[1]
    [entry] = eventually(lambda: server.records("practiceEntry"), lambda found: len(found) == 1)
    [line] = [line.split() for line in entry["heard"].splitlines()]
    assert line[:4] == [two["id"], "0", str(2 * RATE), "3"] and line[5:] == ["110", "1"]


@has_parts(("One", 12), ("Two", 12))
def test_a_transition_in_a_song_with_counts_is_an_eight_on_either_side(phone_page, server):  # noqa: F811
    page = phone_page
    page.route("**/api/speech**", lambda route: route.abort())
    # Twice as fast, so that an eight takes two seconds and not the four of a song without counts.
    write(server, [
        ("gridCorrection", {"track": part["track"], "kind": "double", "order": 1}) for part in shown_parts(page, server)])
    analyse(page, 0.9)
    page.evaluate(WATCH)
    save_plan(page, server, "Mine", ("rest", None, None, 1, 100, 100, 0, 600), ("transition", 0, 1, 1, 100, 100, 0, 0))
    with page.expect_response("**/analysis**"):
        start(page)
    page.get_by_test_id("session-skip").tap()
    _, a, b = eventually(lambda: sent(page, "loop"), lambda found: found is not None and found[0] == "section")
    assert (12 * RATE - a, b - 12 * RATE) == (4 * COUNT, 4 * COUNT)
