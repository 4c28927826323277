"""Many tabs of one browser, which has six lines to the server for all of them."""

import re
import time

from studio import Server, eventually

#: Puts a page where nobody sees it; Playwright shows all of its own.
HIDE = """() => {
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def listeners(server):
    """How many pages listen to events. That one is gone shows when the server tells it something."""
    server.set("unused", time.monotonic())
    _, content = server.request("GET", "/metrics")
    return int(re.search(rb"^segmance_event_streams (\d+)", content, re.MULTILINE).group(1))


def test_tabs_that_nobody_sees_leave_the_lines_to_the_one_that_is_used(chromium, tmp_path):
    with Server(tmp_path / "library", options=["--metrics"]) as server:
        server.skip_welcome()
        server.edit("routine", "0190a000-0000-7000-8000-000000000001", {"title": "Swan"})
        context = chromium.new_context(service_workers="block")
        for _ in range(6):
            page = context.new_page()
            page.clock.install()
            page.goto(server.origin)
            page.get_by_test_id("routine-card").wait_for()
            page.evaluate(HIDE)
            page.clock.fast_forward(61_000)
        page = context.new_page()
        page.goto(server.origin)
        page.get_by_test_id("routine-card").click()
        page.get_by_test_id("edit-routine").click()
        page.get_by_test_id("edit-title").fill("Swan Lake")
        page.get_by_test_id("edit-done").click()
        eventually(
            lambda: [routine["title"] for routine in server.records("routine")],
            lambda titles: titles == ["Swan Lake"])
        eventually(lambda: listeners(server), lambda seen: seen == 1)
        context.close()
