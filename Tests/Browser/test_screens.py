"""Every screen, visited once on a touch page and once on a desktop.

On the touch page: axe-core in both themes, the size of targets, the width on the smallest phone, and room at the sizes
of phones and of a tablet. On the desktop: room.
"""

import pytest
from screen_checks import COLOUR_RULES, out_of_reach, too_small, violations, wider_than_window
from screens import SCREENS, change_theme, library, resize, show, undo_cut  # noqa: F401 (a fixture)

PHONE, TURNED, SMALLEST, TABLET = (390, 844), (844, 390), (320, 568), (768, 1024)


@pytest.fixture(scope="module")
def touch_page(chromium, library):
    """A touch page in the light theme, with its own copy of the library."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True,
        color_scheme="light")
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def desktop_page(chromium, library):
    """A desktop's page with its own copy of the library."""
    context = chromium.new_context(service_workers="block", viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_a_touch_screen_is_accessible_and_has_room_for_every_control(touch_page, library, screen):
    resize(touch_page, *PHONE)
    show(touch_page, library, screen)
    try:
        found = {"axe in the light theme": violations(touch_page)}
        change_theme(touch_page)
        found["axe in the dark theme"] = violations(touch_page, *COLOUR_RULES)
        change_theme(touch_page)
        found["too small"] = too_small(touch_page)
        found["out of reach on a phone"] = out_of_reach(touch_page)
        for name, size in (("a turned phone", TURNED), ("a small phone", SMALLEST), ("a tablet", TABLET)):
            # A menu closes when the width changes, so its screen is opened again.
            has_menu = touch_page.get_by_role("menu").count() > 0
            resize(touch_page, *size)
            if size is SMALLEST:
                found[f"too wide for {name}"] = wider_than_window(touch_page)
            if has_menu:
                show(touch_page, library, screen)
            found[f"out of reach on {name}"] = out_of_reach(touch_page)
        assert not any(found.values()), {what: each for what, each in found.items() if each}
    finally:
        undo_cut(touch_page)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_desktop_has_room_for_every_control(desktop_page, library, screen):
    # A wide screen shows the large player and the buttons of the clips from the start.
    show(desktop_page, library, screen, without=("player-expand", "clips-menu"))
    try:
        assert out_of_reach(desktop_page) == []
    finally:
        undo_cut(desktop_page)


@pytest.fixture(scope="module")
def enlarged(chromium, library):
    """A page at 200 % in a window of 1280 × 1024."""
    context = chromium.new_context(
        service_workers="block", viewport={"width": 640, "height": 512})
    yield context.new_page()
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_no_screen_scrolls_horizontally(enlarged, library, screen):
    show(enlarged, library, screen)
    try:
        assert wider_than_window(enlarged) == []
    finally:
        undo_cut(enlarged)
