"""The cost of the engine where it runs: in Chromium's audio worklet, playing a real part."""

import json
import statistics

from studio import Server, open_chromium, skip_welcome

SECONDS = 20
BLOCK_MICROSECONDS = 128 / 48_000 * 1e6
# Chromium itself notes when it calls a processor's `process` and when that returns: the product is
# measured as it is, and `Date.now` in a worklet would be too coarse. Without the minus, Chromium notes all else
# besides, 6 MB a second.
CATEGORY = "disabled-by-default-audio-worklet"
CALL = "AudioWorkletProcessor::Process"


def run(folder, table, short=False):
    seconds = 1 if short else SECONDS
    with Server(folder / "library") as server:
        sample = server.json("POST", "/api/sample")
        server.wait_for_job(sample["job"])
        skip_welcome(server)
        with open_chromium() as browser:
            for percent in (100,) if short else (100, 50):
                context = browser.new_context(viewport={"width": 1280, "height": 800})
                page = context.new_page()
                page.goto(server.origin)
                play(page, percent)
                browser.start_tracing(page=page, categories=["-*", CATEGORY])
                page.wait_for_timeout(seconds * 1_000)
                trace = json.loads(browser.stop_tracing())
                assert page.get_by_test_id("play").get_attribute("data-playing") == "true"
                context.close()
                calls = [event for event in trace["traceEvents"]
                         if event["name"] == CALL and "dur" in event]
                # A machine that stutters skips blocks; fewer than these would measure something else.
                blocks = seconds * 48_000 / 128
                assert short or blocks * 0.9 < len(calls) < blocks * 1.1, f"{len(calls)} calls"
                add(table, percent, calls)


def play(page, percent):
    """Plays the sample's first part round and round at a speed, until it has settled."""
    page.get_by_test_id("routine-card").click()
    page.get_by_test_id("speed-dial").click()
    page.get_by_test_id("speed-sheet").get_by_text(f"{percent}%", exact=True).first.click()
    page.get_by_test_id("sheet-close").click()
    if page.get_by_test_id("loop").get_attribute("aria-pressed") == "false":
        page.get_by_test_id("loop").click()
    page.get_by_test_id("play").click()
    page.wait_for_function(
        "() => /0:0[2-9]/.test(document.querySelector('[data-testid=time-now]').textContent)")


def add(table, percent, calls):
    by_clock = sorted(event["dur"] for event in calls)
    figures = [
        # Of the processor's time; the others by the clock, with whatever interrupts the thread.
        ("mean", statistics.mean(event["tdur"] for event in calls)),
        ("99.9 %", by_clock[int(len(calls) * 0.999)]), ("worst", by_clock[-1])]
    cells = [f"{name} {micros:.0f} µs ({100 * micros / BLOCK_MICROSECONDS:.1f} %)"
             for name, micros in figures]
    table.add(
        f"engine in Chromium's worklet, a part at {percent} %: process() (share of 2.67 ms)",
        ", ".join(cells), aim="mean ≤ 5 %, worst ≤ 35 %" if percent == 50 else "")
