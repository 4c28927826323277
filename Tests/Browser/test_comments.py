"""Comments on moves, eights and moments: written by one person, seen in place and as news by the others."""

import contextlib
import json
import time

import pytest
from devices_support import opened
from network_support import LAN
from offline_support import card, stored
from playwright.sync_api import expect
from prepared import filmed, has_parts
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme, settled
from studio import DESKTOP, PHONE, RATE, Server, eventually, first_screen, resting_box
from test_counts import FIRST, PERIOD, analyse
from test_moves import change, write
from test_people import add_person, asked, browser_of, first_part, make_group, open_swan, share, swan
from video_support import video_file

two_parts = has_parts(("One", 6), ("Two", 12))


@pytest.fixture
def server(tmp_path):
    with Server(tmp_path / "library", options=LAN) as server:
        server.skip_welcome()
        yield server


def begun(server):
    """Gives Swan a move, and to the group of Ana, who teaches, and Ben, who performs."""
    ana, ben = add_person(server, "Ana"), add_person(server, "Ben", "#3f76e4")
    (walk,) = write(server, [("move", {"part": first_part(server)["id"], "title": "Walk", "position": "a"})])
    group = make_group(server, "Monday", **{ana: "teacher", ben: "performer"})
    share(server, group)
    return ana, ben, group, walk


@pytest.fixture
def trio(parts, server):
    return begun(server)


@pytest.fixture
def stage(trio, chromium, server):
    """The owner, Ana and Ben, each with a browser at the list of routines."""
    ana, ben, *_ = trio
    with contextlib.ExitStack() as stack:
        yield (
            stack.enter_context(first_screen(chromium, server, **DESKTOP)),
            stack.enter_context(browser_of(chromium, server, ana, "Ana", **DESKTOP)),
            stack.enter_context(browser_of(chromium, server, ben, "Ben", **PHONE)))


def say(server, text, person=None, **fields):
    """A comment as if somebody had sent it; without a person the owner's."""
    (comment,) = write(server, [("comment", {"routine": swan(server), "text": text, **fields})])
    return comment


def comments(server):
    return [each for each in server.records("comment") if each.get("deletedAt") is None]


def shown_part(page):
    return page.locator("[data-testid=part-page]:not([inert])")


def write_on_move(page, text):
    """Writes on the only move, by its menu, or by its button where there is no menu."""
    move = shown_part(page).get_by_test_id("move-card")
    if page.get_by_test_id("action-add-move").count() > 0:
        move.get_by_test_id("move-number").click()
        page.get_by_test_id("move-comment").click()
    else:
        move.get_by_test_id("comment-write").click()
    page.get_by_test_id("comment-field").fill(text)
    page.get_by_test_id("comment-save").click()
    expect(page.get_by_test_id("comment-sheet")).to_have_count(0)


def sent(page):
    eventually(lambda: stored(page, "outbox"), lambda waiting: waiting == [])


@two_parts
def test_one_who_is_alone_sees_nothing_of_comments(parts, chromium, server):
    write(server, [("move", {"part": first_part(server)["id"], "title": "Walk", "position": "a"})])
    say(server, "To nobody", part=first_part(server)["id"], startFrame=RATE)
    with first_screen(chromium, server, **DESKTOP) as page:
        def look():
            open_swan(page)
            expect(page.get_by_test_id("spots")).to_have_count(0)
            page.get_by_test_id("action-more").click()
            expect(page.get_by_test_id("action-changes")).to_be_visible()
            expect(page.get_by_test_id("action-comments")).to_have_count(0)
            page.keyboard.press("Escape")
            shown_part(page).get_by_test_id("move-number").click()
            expect(page.get_by_test_id("move-record")).to_be_visible()
            expect(page.get_by_test_id("move-comment")).to_have_count(0)
            page.keyboard.press("Escape")
            for name in ("comment-here", "comment-mark", "comment-count", "comments-news"):
                expect(page.get_by_test_id(name)).to_have_count(0)
            page.get_by_test_id("routine-back").click()
            expect(card(page, "Swan").get_by_test_id("card-new")).to_have_count(0)
        look()
        # Nor is there where nobody else reads: alone in a group, or with a routine of one's own.
        add_person(server, "Ana")
        share(server, make_group(server, "Only me"))
        expect(card(page, "Swan").get_by_test_id("card-group")).to_have_text("Only me")
        look()


@two_parts
def test_a_comment_on_a_move_is_news_to_the_others_and_stands_on_the_move(stage, server):
    owner, ana, ben = stage
    open_swan(ben)
    write_on_move(ben, "Arms up?\nOr not")
    # In place, for who wrote it.
    expect(ben.get_by_test_id("comment-text")).to_have_text("Arms up?\nOr not")
    expect(ben.get_by_test_id("comment-count")).to_have_text("1")
    expect(ben.get_by_test_id("comments-news")).to_have_count(0)
    for page, said in ((owner, "1 new comment"), (ana, "2 new comments")):
        expect(card(page, "Swan").get_by_test_id("card-new")).to_have_text(said)
        open_swan(page)
        page.get_by_test_id("part-number").nth(1).click()
        page.get_by_test_id("comments-news").click()
        row = page.get_by_test_id("comments-new").get_by_test_id("comment-row").first
        expect(row).to_contain_text("Ben")
        expect(row).to_contain_text("Part 1, move 1: Walk")
        expect(row).to_contain_text("Arms up?")
        # What comes while the list is open is new in it, too, and seen afterwards.
        if page is owner:
            write_on_move_again(ben, "And the legs?")
        expect(page.get_by_test_id("comments-new").get_by_test_id("comment-row")).to_have_count(2)
        row.click()
        expect(page.get_by_test_id("comments-sheet")).to_have_count(0)
        # The page turns to the part, and the comments of the move are open.
        expect(shown_part(page).get_by_test_id("comment-text").first).to_have_text("Arms up?\nOr not")
        expect(page.get_by_test_id("comments-news")).to_have_count(0)
        page.get_by_test_id("routine-back").click()
        expect(card(page, "Swan").get_by_test_id("card-new")).to_have_count(0)
    # Another device of the same person has nothing new either.
    sent(owner)
    assert next(each for each in server.records("routine") if each["id"] == swan(server))["commentsSeen"] > 0


def write_on_move_again(page, text):
    shown_part(page).get_by_test_id("comment-write").click()
    page.get_by_test_id("comment-field").fill(text)
    page.get_by_test_id("comment-save").click()


@two_parts
def test_a_mention_is_suggested_and_comes_first(trio, stage, server):
    owner, ana, ben = stage
    open_swan(ana)
    write_on_move(ana, "For all")
    shown_part(ana).get_by_test_id("comment-write").click()
    field = ana.get_by_test_id("comment-field")
    field.press_sequentially("Please @b")
    expect(ana.get_by_test_id("comment-person")).to_have_text("Ben")
    ana.get_by_test_id("comment-person").click()
    expect(field).to_have_value("Please @Ben ")
    field.press_sequentially("look")
    ana.get_by_test_id("comment-save").click()
    expect(card(ben, "Swan").get_by_test_id("card-new")).to_have_attribute("data-mention", "true")
    expect(card(ben, "Swan").get_by_test_id("card-new")).to_contain_text("2 new comments")
    expect(card(owner, "Swan").get_by_test_id("card-new")).to_contain_text("2 new comments")
    expect(card(owner, "Swan").get_by_test_id("card-new")).to_have_attribute("data-mention", "false")
    open_swan(ben)
    ben.get_by_test_id("comments-news").click()
    rows = ben.get_by_test_id("comments-new").get_by_test_id("comment-row")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Please @Ben look")
    expect(rows.first.get_by_test_id("comment-is-new")).to_have_text("For you")
    expect(rows.last.get_by_test_id("comment-is-new")).to_have_text("New")
    [mention] = [each for each in comments(server) if each.get("mentions")]
    assert mention["text"] == "Please @Ben look" and mention["mentions"] == trio[1]


@two_parts
def test_who_wrote_a_comment_edits_it_and_the_teachers_delete_it(stage, server):
    _, ana, ben = stage
    open_swan(ben)
    write_on_move(ben, "Frist")
    ben.get_by_test_id("comment-menu").click()
    ben.get_by_test_id("comment-edit").click()
    field = ben.get_by_test_id("comment-field")
    expect(field).to_have_value("Frist")
    # Nothing empty, and nothing too long, is saved; what is typed stays when the sheet is closed.
    field.fill("  \n")
    expect(ben.get_by_test_id("comment-save")).to_be_disabled()
    field.fill("x" * 1_001)
    expect(ben.get_by_test_id("too-long")).to_be_visible()
    expect(ben.get_by_test_id("comment-save")).to_be_disabled()
    field.fill("First")
    ben.get_by_test_id("sheet-close").click()
    ben.get_by_test_id("comment-menu").click()
    ben.get_by_test_id("comment-edit").click()
    expect(field).to_have_value("First")
    ben.get_by_test_id("comment-save").click()
    expect(ben.get_by_test_id("comment-text")).to_have_text("First")
    open_swan(ana)
    ana.get_by_test_id("comment-count").click()
    expect(ana.get_by_test_id("comment-text")).to_have_text("First")
    ana.get_by_test_id("comment-menu").click()
    expect(ana.get_by_test_id("comment-delete")).to_be_visible()
    expect(ana.get_by_test_id("comment-edit")).to_have_count(0)
    # By the key: to click, the driver would first scroll the menu to the middle of the row of parts, and turn to the next one.
    expect(ana.get_by_test_id("comment-delete")).to_be_focused()
    ana.keyboard.press("Enter")
    expect(ana.get_by_test_id("comment-count")).to_have_count(0)
    expect(ben.get_by_test_id("comment-count")).to_have_count(0)
    ana.get_by_test_id("toast").get_by_text("Undo").click()
    expect(ana.get_by_test_id("comment-count")).to_have_text("1")
    expect(ben.get_by_test_id("comment-count")).to_have_text("1")
    # A performer deletes their own alone.
    ana.get_by_test_id("comment-write").click()
    ana.get_by_test_id("comment-field").fill("Second")
    ana.get_by_test_id("comment-save").click()
    expect(ben.get_by_test_id("comment-count")).to_have_text("2")
    # The list is open since Ben wrote in it, or opens by its number.
    if ben.get_by_test_id("comment").count() == 0:
        ben.get_by_test_id("comment-count").click()
    other = ben.get_by_test_id("comment").filter(has_text="Second")
    expect(other).to_be_visible()
    expect(other.get_by_test_id("comment-menu")).to_have_count(0)
    ben.get_by_test_id("comment-menu").click()
    ben.get_by_test_id("comment-delete").click()
    expect(ana.get_by_test_id("comment-count")).to_have_text("1")
    ben.get_by_test_id("toast").get_by_text("Undo").click()
    expect(ana.get_by_test_id("comment-count")).to_have_text("2")


@has_parts(("One", 12), ("Two", 6))
def test_a_moment_and_an_eight_are_marked_on_the_wave_and_lead_there(stage, server):
    _, ana, ben = stage
    for page in (ana, ben):
        open_swan(page)
        analyse(page, 0.9)
    expect(ana.get_by_test_id("current-count")).to_be_visible()
    wave = ana.get_by_test_id("scrubber")
    box = resting_box(wave)
    wave.click(position={"x": box["width"] * 8.25 / 12, "y": box["height"] / 2})
    ana.get_by_test_id("comment-here").click()
    ana.get_by_test_id("comment-where").get_by_text("Eight 2").click()
    ana.get_by_test_id("comment-field").fill("Slower here")
    ana.get_by_test_id("comment-save").click()
    expect(ana.get_by_test_id("comment-chip")).to_contain_text("eight 2")
    [eight] = eventually(lambda: comments(server), lambda found: len(found) == 1)
    assert (eight["startFrame"], eight["endFrame"]) == (FIRST + 8 * PERIOD, FIRST + 16 * PERIOD)
    wave.click(position={"x": box["width"] / 12, "y": box["height"] / 2})
    expect(ana.get_by_test_id("comment-chip")).not_to_contain_class("is-shown")
    ana.get_by_test_id("comment-here").click()
    ana.get_by_test_id("comment-field").fill("Breathe")
    ana.get_by_test_id("comment-save").click()
    expect(ana.get_by_test_id("comment-mark")).to_have_count(2)
    # Ben is led there from the other part: the large player opens at the moment, where it is bright.
    ben.get_by_test_id("part-number").nth(1).click()
    ben.get_by_test_id("comments-news").click()
    ben.get_by_test_id("comment-row").filter(has_text="Breathe").click()
    expect(ben.get_by_test_id("player")).to_have_attribute("data-mode", "expanded")
    chips = ben.get_by_test_id("comment-chip")
    expect(chips).to_have_count(2)
    expect(chips.filter(has_text="Breathe")).to_contain_class("is-shown")
    expect(chips.filter(has_text="Slower here")).not_to_contain_class("is-shown")
    expect(ben.get_by_test_id("time-now")).to_have_text("0:01")
    chips.filter(has_text="Slower here").click()
    expect(ben.get_by_test_id("comment-shown")).to_contain_text("Part 1, eight 2")
    expect(ben.get_by_test_id("comment-shown").get_by_test_id("comment-text")).to_have_text("Slower here")
    expect(ben.get_by_test_id("comment-shown").get_by_test_id("comment-menu")).to_have_count(0)
    ben.get_by_test_id("sheet-close").click()
    expect(chips.filter(has_text="Slower here")).to_contain_class("is-shown")


def test_a_comment_stands_over_the_video_at_its_moment(begin_with, chromium, tmp_path):
    begin_with(filmed, video_file(seconds=12), 0, ("One", 10))
    with Server(tmp_path / "library", options=LAN) as server:
        ana, *_ = begun(server)
        say(server, "Look up", part=first_part(server)["id"], startFrame=4 * RATE)
        with browser_of(chromium, server, ana, "Ana", **DESKTOP) as page:
            open_swan(page)
            page.get_by_test_id("action-video").click()
            expect(page.get_by_test_id("video")).to_have_attribute("data-following", "true")
            wave = page.get_by_test_id("scrubber")
            box = resting_box(wave)
            wave.click(position={"x": box["width"] * 0.5, "y": box["height"] / 2})
            expect(page.get_by_test_id("picture-comments")).to_have_text("the owner Look up")
            wave.click(position={"x": box["width"] * 0.2, "y": box["height"] / 2})
            expect(page.get_by_test_id("picture-comments")).to_have_count(0)
            assert violations(page) == []


@two_parts
def test_what_is_written_without_a_network_arrives_later_and_is_new_then(stage, server):
    owner, ana, ben = stage
    open_swan(ben)
    expect(ben.get_by_test_id("comment-write")).to_be_visible()
    # The names are known from before.
    eventually(lambda: ben.evaluate("() => localStorage.getItem('segmance.troupe')"), lambda names: names is not None)
    ben.context.set_offline(True)
    write_on_move(ben, "From the train")
    expect(ben.get_by_test_id("comment-text")).to_have_text("From the train")
    expect(ben.get_by_test_id("comment")).to_contain_text("Ben")
    # Meanwhile somebody else looks at what there is.
    say(server, "Earlier", move=server.records("move")[0]["id"])
    open_swan(ana)
    ana.get_by_test_id("comments-news").click()
    expect(ana.get_by_test_id("comments-new").get_by_test_id("comment-row")).to_have_count(1)
    ana.get_by_test_id("sheet-close").click()
    expect(ana.get_by_test_id("comments-news")).to_have_count(0)
    ben.context.set_offline(False)
    # It is older than Ana's look, and new to her all the same.
    expect(ana.get_by_test_id("comments-news")).to_have_text("1 new comment")
    expect(ben.get_by_test_id("comments-news")).to_have_text("1 new comment")


@two_parts
def test_who_joins_later_finds_nothing_new_and_who_leaves_has_nothing_left(trio, chromium, server):
    ana, ben, group, walk = trio
    say(server, "Before", move=walk)
    cyd = add_person(server, "Cyd")
    asked(server, "PUT", f"/api/groups/{group}/members/{cyd}", {"role": "performer"})
    with browser_of(chromium, server, cyd, "Cyd") as page, browser_of(chromium, server, ana, "Ana") as other:
        expect(card(page, "Swan")).to_be_visible()
        open_swan(page)
        expect(page.get_by_test_id("comment-count")).to_have_text("1")
        expect(page.get_by_test_id("comments-news")).to_have_count(0)
        say(server, "Afterwards", move=walk)
        expect(page.get_by_test_id("comments-news")).to_have_text("1 new comment")
        write_on_move_again_of(page, "Bye")
        sent(page)
        asked(server, "DELETE", f"/api/groups/{group}/members/{cyd}")
        expect(page.get_by_test_id("routine-missing")).to_be_visible()
        eventually(lambda: json.dumps(stored(page, "records")), lambda text: "Afterwards" not in text and "Bye" not in text)
        # What they said stays, also when they are gone from the server.
        open_swan(other)
        other.get_by_test_id("comment-count").click()
        said = other.get_by_test_id("comment").filter(has_text="Bye")
        expect(said).to_contain_text("Cyd")
        asked(server, "DELETE", f"/api/people/{cyd}")
        other.reload()
        other.get_by_test_id("comment-count").click()
        expect(said).to_contain_text("somebody who left")


def write_on_move_again_of(page, text):
    page.get_by_test_id("comment-count").click()
    write_on_move_again(page, text)
    expect(page.get_by_test_id("comment-sheet")).to_have_count(0)


@two_parts
def test_who_opens_a_link_sees_no_comment(trio, chromium, server):
    *_, walk = trio
    say(server, "Between us", move=walk)
    say(server, "Between us", part=first_part(server)["id"], startFrame=RATE)
    link = asked(server, "POST", "/api/links", {
        "routine": swan(server), "expiresAt": int(time.time() * 1000) + 86_400_000})
    context = chromium.new_context(**DESKTOP, ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(link["address"])
        expect(page.get_by_test_id("routine-page")).to_be_visible()
        expect(shown_part(page).get_by_test_id("move-title")).to_have_text("Walk")
        for name in ("comment-here", "comment-mark", "comment-count", "comment-write", "comments-news"):
            expect(page.get_by_test_id(name)).to_have_count(0)
        records = page.evaluate(f"() => fetch('/api/links/{link['id']}/records').then((answer) => answer.text())")
        assert "Walk" in records and "Between us" not in records and "comment" not in records
    finally:
        context.close()


@two_parts
def test_a_comment_goes_with_its_move_to_another_part_and_comes_back_with_it(stage, server):
    _, ana, _ = stage
    open_swan(ana)
    write_on_move(ana, "Stay with me")
    shown_part(ana).get_by_test_id("move-number").click()
    ana.get_by_test_id("move-to").click()
    ana.get_by_test_id("jump-part").filter(has_text="Two").click()
    ana.get_by_test_id("action-more").click()
    ana.get_by_test_id("action-comments").click()
    expect(ana.get_by_test_id("comment-row")).to_contain_text("Part 2, move 1: Walk")
    ana.get_by_test_id("comment-row").click()
    expect(shown_part(ana).get_by_test_id("comment-text")).to_have_text("Stay with me")
    shown_part(ana).get_by_test_id("move-number").press("Delete")
    ana.get_by_test_id("action-more").click()
    ana.get_by_test_id("action-comments").click()
    expect(ana.get_by_test_id("no-comments")).to_be_visible()
    ana.get_by_test_id("toast-action").last.click()
    expect(ana.get_by_test_id("comment-row")).to_contain_text("Part 2, move 1: Walk")


@two_parts
def test_comments_are_accessible_and_fit_a_narrow_phone(trio, chromium, server):
    ana, ben, _, walk = trio
    long = "Wolfeschlegelsteinhausenbergerdorff " * 4 + "@Ben سماء"
    for text in (long, "Arms"):
        say(server, text, move=walk, mentions=ben)
    part = first_part(server)["id"]
    say(server, long, part=part, startFrame=2 * RATE)
    say(server, "Slower", part=part, startFrame=3 * RATE, endFrame=5 * RATE)
    for person, name in ((ana, "Ana"), (ben, "Ben")):
        for viewport, locale in (({"width": 320, "height": 640}, "es-ES"), ({"width": 1280, "height": 800}, "en-US")):
            # New to both people again.
            say(server, "Again", move=walk)
            with browser_in(chromium, server, person, viewport, locale) as page:
                def look():
                    settled(page)
                    assert violations(page) == [] and too_small(page) == [] and wider_than_window(page) == []
                    change_theme(page)
                    assert violations(page) == []
                expect(card(page, "Swan").get_by_test_id("card-new")).to_be_visible()
                look()
                open_swan(page)
                expect(page.get_by_test_id("comments-news")).to_be_visible()
                page.get_by_test_id("comment-count").click()
                look()
                page.get_by_test_id("comment-write").first.click()
                page.get_by_test_id("comment-field").fill("Hola @")
                expect(page.get_by_test_id("comment-person")).to_have_count(2)
                look()
                page.get_by_test_id("sheet-close").click()
                if viewport["width"] == 320:
                    page.get_by_test_id("player-expand").click()
                expect(page.get_by_test_id("comment-chip")).to_have_count(2)
                look()
                page.get_by_test_id("comment-here").click()
                look()
                page.get_by_test_id("sheet-close").click()
                page.get_by_test_id("comment-chip").first.click()
                look()
                page.get_by_test_id("sheet-close").click()
                if viewport["width"] == 320:
                    page.get_by_test_id("player-collapse").click()
                page.get_by_test_id("comments-news").click()
                look()


@contextlib.contextmanager
def browser_in(chromium, server, person, viewport, locale):
    """A new browser of a person, whatever its language says."""
    address = asked(server, "POST", "/api/pairings", {"person": person})["address"]
    with opened(chromium, address, viewport=viewport, locale=locale, has_touch=True) as page:
        page.get_by_test_id("pair-name").fill("x")
        page.get_by_test_id("pair-join").click()
        page.get_by_test_id("toast").get_by_role("button").last.click()
        yield page
