"""Many tabs of one browser, which has six connections to the server for all tabs."""

import re
import time

from studio import Server, eventually

#: Makes a page hidden, because Playwright reports every page as visible.
HIDE = """() => {
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def listeners(server):
    """Returns the number of event streams. The server notices a closed stream when it sends an event."""
    server.set("unused", time.monotonic())
    _, content = server.request("GET", "/metrics")
    return int(re.search(rb"^segmance_event_streams (\d+)", content, re.MULTILINE).group(1))


def test_hidden_tabs_leave_the_connections_to_the_visible_one(chromium, tmp_path):
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
