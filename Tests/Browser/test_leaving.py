"""Leaving a routine's page: playback stops, and repeated visits leak no audio objects."""

import re

import pytest
from playwright.sync_api import expect
from prepared import songs

OPENINGS = 50
# The browser fills its own caches during the first openings.
WARMING_UP = 5

# Counts the page's audio objects with weak references, and measures the output level.
LISTENER = """
window.made = { contexts: [], nodes: [] };
window.loudness = () => {
  const samples = new Float32Array(2048);
  let highest = 0;
  for (const analyser of analysers) {
    analyser.deref()?.getFloatTimeDomainData(samples);
    for (const sample of samples) highest = Math.max(highest, Math.abs(sample));
  }
  return highest;
};
const analysers = [];
window.AudioContext = class extends AudioContext {
  constructor(options) {
    super(options);
    made.contexts.push(new WeakRef(this));
  }
};
window.AudioWorkletNode = class extends AudioWorkletNode {
  constructor(context, name, options) {
    super(context, name, options);
    made.nodes.push(new WeakRef(this));
    const analyser = new AnalyserNode(context, { fftSize: 2048 });
    this.connect(analyser);
    analysers.push(new WeakRef(analyser));
    // Chromium counts the buffers of the audio thread, too, whose garbage a page can't collect: so much memory at once
    // makes V8 do it there. The engine knows no such command.
    const post = this.port.postMessage.bind(this.port);
    let sequence = 0;
    this.port.postMessage = (message, ...rest) => {
      ({ sequence } = message);
      post(message, ...rest);
    };
    made.waste = () => {
      for (let round = 0; round < 40; round += 1) {
        const waste = new ArrayBuffer(16_000_000);
        post({ sequence, command: { kind: 'waste', waste } }, [waste]);
      }
    };
  }
};
window.contextStates = () => made.contexts
  .map((made) => made.deref()?.state ?? 'gone').filter((state) => state !== 'gone');
"""


@pytest.fixture
def library(begin_with):
    begin_with(songs, ("One", 12))


@pytest.fixture
def listened(library, desktop):
    """The page with a controlled clock and a measured output level."""
    desktop.add_init_script(LISTENER)
    desktop.clock.install()
    desktop.reload()
    return desktop


def open_play_and_leave(page):
    page.get_by_test_id("routine-card").click()
    page.get_by_test_id("play").click()
    page.wait_for_function("() => loudness() > 0.01")
    page.get_by_test_id("routine-back").click()
    expect(page.get_by_test_id("routine-card")).to_be_visible()


def contexts(page):
    """Returns the states of the audio contexts that the page made and that still exist."""
    return page.evaluate("contextStates()")


class Memory:
    """Chromium's counters for the page, after a garbage collection."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable")

    def now(self):
        """The lowest of several counts: what is kept is in each of them, what waits to be collected is not."""
        looks = [self.look() for _ in range(8)]
        return {name: min(look[name] for look in looks) for name in looks[0]}

    def look(self):
        self.page.evaluate("made.waste()")
        for _ in range(2):
            self.session.send("HeapProfiler.collectGarbage")
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return {metric["name"]: metric["value"] for metric in metrics}


@pytest.mark.long
def test_fifty_openings_leave_nothing_behind(listened):
    page = listened
    memory = Memory(page)
    for opening in range(OPENINGS):
        open_play_and_leave(page)
        # The output is silent at once. The audio thread keeps running for a quick return.
        page.wait_for_function("() => loudness() === 0")
        page.clock.fast_forward(2_000)
        # Then the context is suspended.
        page.wait_for_function("() => contextStates().join() === 'suspended'")
        if opening + 1 == WARMING_UP:
            warm = memory.now()
    now = memory.now()
    assert page.evaluate("() => [made.contexts.length, made.nodes.length]") == [1, 1]
    # Chromium's counts of audio nodes and processors: the destination, the engine's node and the
    # test's analyser.
    assert now["AudioHandlers"] == warm["AudioHandlers"] == 3
    assert now["AudioWorkletProcessors"] == warm["AudioWorkletProcessors"] == 1
    # The page's counts are those after the first openings. A leak per opening would add 45. A few
    # objects come and go with toasts and hovering.
    for kind in ("JSEventListeners", "Nodes", "ContextLifecycleStateObservers",
                 "ArrayBufferContents"):
        assert now[kind] < warm[kind] + 15, kind
    # One engine has 77 kB of code, and one decoded chunk has 4 MB. Without audio, each opening costs 3
    # to 9 kB, and the cost falls: it is the browser's own compiled code and counters.
    grown = now["JSHeapUsedSize"] - warm["JSHeapUsedSize"]
    assert grown < (OPENINGS - WARMING_UP) * 25_000


def test_a_part_plays_from_its_start_after_its_context_was_suspended(listened):
    page = listened
    open_play_and_leave(page)
    page.clock.fast_forward(2_000)
    page.wait_for_function("() => contextStates().join() === 'suspended'")
    page.get_by_test_id("routine-card").click()
    expect(page.get_by_test_id("time-now")).to_have_text("0:00")
    page.get_by_test_id("play").click()
    page.wait_for_function("() => loudness() > 0.01")
    expect(page.get_by_test_id("time-now")).to_have_text(re.compile(r"^0:0[2-9]$"))
    assert contexts(page) == ["running"]
