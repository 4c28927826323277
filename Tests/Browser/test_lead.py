"""Leading: one page plays, others follow it, each on a screen of its own."""

import contextlib

import pytest
from network_support import LAN
from playwright.sync_api import expect
from prepared import has_parts
from screen_checks import too_small, violations, wider_than_window
from screens import change_theme
from studio import DESKTOP, Server, first_screen
from test_language import choose
from test_people import add_person, asked, browser_of, first_part, make_group, open_swan, share, swan

two_parts = has_parts(("One", 6), ("Two", 4))

pytestmark = two_parts


@pytest.fixture
def server(tmp_path, parts):
    with Server(tmp_path / "library", options=LAN) as server:
        server.skip_welcome()
        yield server


@pytest.fixture
def troupe(server):
    """Swan in a group in which Ana teaches and Ben performs."""
    ana, ben = add_person(server, "Ana"), add_person(server, "Ben", "#3f76e4")
    group = make_group(server, "Monday", **{ana: "teacher", ben: "performer"})
    share(server, group)
    return ana, ben, group


def lead(page):
    """Leads the routine that is open, from the menu of its page."""
    page.get_by_test_id("action-more").click()
    page.get_by_test_id("action-lead").click()
    expect(page.get_by_test_id("leading")).to_be_visible()


def join(page):
    page.get_by_test_id("lead-join").click()
    expect(page.get_by_test_id("following")).to_be_visible()


def play(page):
    page.get_by_test_id("play").click()


def expect_following(page, **wanted):
    """Waits until the follower's player is as wanted."""
    for name, value in wanted.items():
        expect(page.get_by_test_id("following")).to_have_attribute(f"data-{name}", value)


def shown_part(page, title):
    expect(page.get_by_test_id("jump-button")).to_contain_text(title)


@contextlib.contextmanager
def leading(chromium, server, troupe):
    """Ana, who leads Swan, and Ben, who has joined; both on phones over TLS."""
    ana, ben, _ = troupe
    with contextlib.ExitStack() as stack:
        leader = stack.enter_context(browser_of(chromium, server, ana, "Ana"))
        open_swan(leader)
        lead(leader)
        follower = stack.enter_context(browser_of(chromium, server, ben, "Ben"))
        expect(follower.get_by_test_id("lead-note")).to_contain_text("Ana leads Swan")
        join(follower)
        expect(leader.get_by_test_id("followers")).to_have_text("1 follows")
        yield leader, follower


def test_followers_play_the_leaders_part_at_the_same_speed_in_the_same_loop(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        expect_following(follower, playing="false")
        leader.keyboard.press("l")
        play(leader)
        expect_following(follower, playing="true", loop="whole", percent="100")
        leader.keyboard.press("-")
        expect_following(follower, playing="true", percent="95")
        # What is followed is no choice of one's own.
        assert "rate" not in first_part(server) or first_part(server)["rate"] is None
        leader.keyboard.press("PageDown")
        shown_part(leader, "Two")
        shown_part(follower, "Two")
        expect_following(follower, playing="false", percent="100")
        play(leader)
        expect_following(follower, playing="true")
        play(leader)
        expect_following(follower, playing="false")


def test_who_comes_late_falls_in_and_hears_the_note(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        leader.keyboard.press("l")
        play(leader)
        leader.get_by_test_id("lead-say").fill("From the top, watch the arms")
        expect(follower.get_by_test_id("lead-words")).to_have_text("From the top, watch the arms")
        with first_screen(chromium, server, "/settings", **DESKTOP) as late:
            expect(late.get_by_test_id("lead-note")).to_contain_text("Ana leads Swan")
            join(late)
            expect(late.get_by_test_id("routine-page")).to_be_visible()
            expect_following(late, playing="true", loop="whole")
            expect(late.get_by_test_id("lead-words")).to_have_text("From the top, watch the arms")
            expect(leader.get_by_test_id("followers")).to_have_text("2 follow")
            late.get_by_test_id("follow-leave").click()
            expect(late.get_by_test_id("following")).to_have_count(0)
            expect(late.get_by_test_id("play")).to_have_attribute("data-playing", "false")
            # It may be joined again.
            expect(late.get_by_test_id("lead-note")).to_be_visible()
        expect(leader.get_by_test_id("followers")).to_have_text("1 follows")
        leader.get_by_test_id("lead-say").fill("")
        expect(follower.get_by_test_id("lead-words")).to_have_count(0)


def test_a_whole_routine_is_followed_from_part_to_part(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        leader.get_by_test_id("action-run").click()
        expect_following(follower, playing="true")
        shown_part(follower, "One")
        shown_part(follower, "Two")
        expect_following(follower, playing="false")


def test_a_lost_connection_goes_on_and_falls_back_in_step(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        leader.keyboard.press("l")
        play(leader)
        expect_following(follower, playing="true")
        leader.context.set_offline(True)
        leader.keyboard.press("-")
        expect(leader.get_by_test_id("sync-note")).to_be_visible()
        expect_following(follower, playing="true", percent="100")
        leader.context.set_offline(False)
        expect_following(follower, playing="true", percent="95")
        # The server, too.
        [address] = asked(server, "GET", "/api/network")["addresses"]
        server.stop()
        expect(follower.get_by_test_id("sync-note")).to_be_visible()
        leader.keyboard.press("-")
        expect_following(follower, playing="true", percent="95")
        again = [*LAN[:-1], address.rsplit(":", 1)[1]]
        with Server(server.folder, port=server.port, options=again):
            expect_following(follower, playing="true", percent="90")
            expect(leader.get_by_test_id("leading")).to_be_visible()


def test_who_touches_the_controls_leaves_and_may_follow_again(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        leader.keyboard.press("l")
        play(leader)
        expect_following(follower, playing="true")
        follower.keyboard.press("Space")
        expect(follower.get_by_test_id("following")).to_have_count(0)
        expect(follower.get_by_test_id("toast")).to_contain_text("You don’t follow Ana any more.")
        expect(leader.get_by_test_id("followers")).to_have_text("nobody follows yet")
        follower.get_by_test_id("toast-action").click()
        expect_following(follower, playing="true")
        follower.keyboard.press("ArrowRight")
        expect(follower.get_by_test_id("following")).to_have_count(0)
        join(follower)
        expect_following(follower, playing="true")
        follower.keyboard.press("PageDown")
        expect(follower.get_by_test_id("following")).to_have_count(0)
        shown_part(follower, "Two")


def test_the_sound_may_be_off_here_while_all_is_in_step(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        play(leader)
        expect_following(follower, playing="true")
        sound = follower.get_by_test_id("follow-sound")
        expect(sound).to_have_attribute("aria-pressed", "true")
        sound.click()
        expect(sound).to_have_attribute("aria-pressed", "false")
        expect_following(follower, playing="true")
        follower.get_by_test_id("follow-leave").click()
        join(follower)
        # As it was chosen on this device.
        expect(follower.get_by_test_id("follow-sound")).to_have_attribute("aria-pressed", "false")


def test_when_the_leader_stops_or_goes_all_are_free(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        leader.keyboard.press("l")
        play(leader)
        expect_following(follower, playing="true")
        leader.get_by_test_id("lead-stop").click()
        expect(follower.get_by_test_id("following")).to_have_count(0)
        expect(follower.get_by_test_id("toast")).to_contain_text("Ana doesn’t lead any more.")
        expect(follower.get_by_test_id("play")).to_have_attribute("data-playing", "false")
        # The leader's own music goes on.
        expect(leader.get_by_test_id("play")).to_have_attribute("data-playing", "true")
        lead(leader)
        join(follower)
        leader.reload()
        expect(follower.get_by_test_id("following")).to_have_count(0)
        expect(follower.get_by_test_id("lead-note")).to_have_count(0)


def test_performers_may_not_lead_and_another_teacher_takes_over(chromium, server, troupe):
    with leading(chromium, server, troupe) as (leader, follower):
        follower.get_by_test_id("action-more").click()
        expect(follower.get_by_test_id("action-changes")).to_be_visible()
        expect(follower.get_by_test_id("action-lead")).to_have_count(0)
        follower.keyboard.press("Escape")
        server.request("PATCH", "/api/people/owner", {"name": "Olga"})
        with first_screen(chromium, server, **DESKTOP) as owner:
            open_swan(owner)
            owner.get_by_test_id("player-lead").click()
            expect(owner.get_by_test_id("leading")).to_be_visible()
            expect(leader.get_by_test_id("leading")).to_have_count(0)
            expect(leader.get_by_test_id("toast")).to_contain_text("You don’t lead any more")
            expect(leader.get_by_test_id("lead-note")).to_contain_text("Olga leads Swan")
            expect(follower.get_by_test_id("following")).to_contain_text("You follow Olga")


def test_who_is_taken_out_of_the_group_follows_no_more(chromium, server, troupe):
    _, ben, group = troupe
    with leading(chromium, server, troupe) as (leader, follower):
        leader.keyboard.press("l")
        play(leader)
        expect_following(follower, playing="true")
        asked(server, "DELETE", f"/api/groups/{group}/members/{ben}")
        expect(follower.get_by_test_id("following")).to_have_count(0)
        expect(follower.get_by_test_id("routine-missing")).to_be_visible()
        expect(follower.get_by_test_id("lead-note")).to_have_count(0)
        expect(leader.get_by_test_id("leading")).to_be_visible()


def test_ones_own_other_device_may_follow_and_one_who_is_alone_sees_nothing(chromium, server):
    with first_screen(chromium, server, **DESKTOP) as one:
        open_swan(one)
        one.get_by_test_id("action-more").click()
        expect(one.get_by_test_id("action-changes")).to_be_visible()
        expect(one.get_by_test_id("action-lead")).to_have_count(0)
        expect(one.get_by_test_id("player-lead")).to_have_count(0)
        one.keyboard.press("Escape")
        with first_screen(chromium, server, **DESKTOP) as other:
            open_swan(other)
            one.get_by_test_id("player-lead").click()
            expect(other.get_by_test_id("lead-note")).to_contain_text("Your other device leads Swan")
            join(other)
            play(one)
            expect_following(other, playing="true")


def checked(page):
    """Whether a page is accessible and fits, in both themes."""
    for _ in range(2):
        change_theme(page)
        assert violations(page) == []
        assert too_small(page) == []
        assert wider_than_window(page) == []


@pytest.mark.parametrize("language", ["English", "Español"])
def test_the_bars_are_accessible_and_fit_a_small_phone(chromium, server, troupe, language):
    ana, ben, _ = troupe
    small = {"viewport": {"width": 320, "height": 640}}
    with contextlib.ExitStack() as stack:
        leader = stack.enter_context(browser_of(chromium, server, ana, "Ana", **small))
        follower = stack.enter_context(browser_of(chromium, server, ben, "Ben", **small))
        for page in (leader, follower):
            page.get_by_test_id("tab-settings").click()
            choose(page, language)
            page.get_by_test_id("tab-routines").click()
        open_swan(leader)
        lead(leader)
        leader.get_by_test_id("lead-say").fill("From the top, watch the arms")
        expect(follower.get_by_test_id("lead-note")).to_be_visible()
        checked(follower)
        join(follower)
        expect(follower.get_by_test_id("lead-words")).to_be_visible()
        checked(follower)
        checked(leader)
