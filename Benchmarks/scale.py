"""A library of 1,000 routines, 10,000 parts and 100,000 moves, in Chromium on a phone's screen."""

import dataclasses
import json
import statistics
import time

from filled_library import fill
from studio import Server, open_chromium, skip_welcome


@dataclasses.dataclass
class Size:
    """How large the library is, and how often each thing is done."""
    routines: int
    parts: int
    moves: int
    rounds: int
    frames: int
    #: Searched for; the first routine of the list must be none of them.
    words: tuple


LARGE = Size(1_000, 10_000, 100_000, 5, 300, ("Swan", "Lantern", "Quiet", "Harbour", "Winter"))
SMALL = Size(40, 80, 320, 1, 20, ("Swan",))

# What the page measures by itself, so that the way to the browser and back counts for nothing. A
# thing is on the screen in the frame after the one whose callback finds it in the document.
MEASURES = """
window.measures = {
  async until(holds, act) {
    const started = performance.now();
    act();
    while (!holds()) {
      if (performance.now() - started > 20000) throw new Error('It never came.');
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - started;
  },
  async frames(act, count) {
    const lengths = [];
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < count; frame += 1) {
      act(frame);
      const now = await new Promise(requestAnimationFrame);
      lengths.push(now - last);
      last = now;
    }
    return lengths;
  },
  async copied() {
    const asked = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await asked(indexedDB.open('segmance'));
    const segments = await asked(database.transaction('records').objectStore('records').getAll());
    database.close();
    const ids = new Set();
    for (const segment of segments) {
      for (const { type, id } of JSON.parse(segment)) {
        if (['routine', 'part', 'move'].includes(type)) ids.add(id);
      }
    }
    return ids.size;
  },
  all: (name) => [...document.querySelectorAll(`[data-testid=${name}]`)],
  scroll: (count) => measures.frames(() => document.scrollingElement.scrollBy(0, 60), count),
  type(text) {
    const field = document.querySelector('[data-testid=routines-search]');
    const input = field.matches('input') ? field : field.querySelector('input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  },
  search(text) {
    const first = measures.all('routine-card')[0];
    const holds = () => {
      const cards = measures.all('routine-card');
      return cards.length > 0 && cards[0] !== first
        && cards.every((card) => card.textContent.includes(text));
    };
    return measures.until(holds, () => measures.type(text));
  },
  open: (card) => measures.until(
    () => measures.all('move-card').length > 0,
    () => measures.all('routine-card')[card].querySelector('a').click()),
  reorder() {
    const card = measures.all('move-card')[0];
    const { id } = card.dataset;
    const list = card.closest('.moves');
    card.querySelector('[data-testid=move-number]').focus();
    const key = { key: 'ArrowDown', altKey: true, bubbles: true, cancelable: true };
    return measures.until(
      () => list.querySelectorAll('[data-testid=move-card]')[1].dataset.id === id,
      () => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key)));
  },
};
"""


def run(folder, table, short=False):
    size = SMALL if short else LARGE
    library = folder / "library"
    seconds = fill(folder, library, size.routines, size.parts, size.moves)
    what = f"{size.routines:,} routines, {size.parts:,} parts, {size.moves:,} moves"
    table.add(f"filling a library: {what}", f"{seconds:.1f} s")
    with Server(library) as server:
        table.add("large library: to the first answer", f"{server.start_seconds * 1000:.0f} ms", aim="< 200 ms")
        skip_welcome(server)
        seconds, count = first_sync(server)
        table.add(f"large library: {count:,} records out, as pages", f"{seconds:.2f} s")
        with open_chromium() as browser:
            measure(browser, server, table, size)
        table.add("large library: server's memory afterwards", f"{server.resident_megabytes():.0f} MB")


def measure(browser, server, table, size):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    add = Row(table)
    started = time.monotonic()
    page, seconds = start(context, server)
    add("first visit: list on the screen", [seconds], "")
    wait_for_records(page, size)
    add("first visit: every record in the browser's copy", [time.monotonic() - started], "")
    page.close()
    starts = []
    for _ in range(size.rounds):
        page, seconds = start(context, server)
        starts.append(seconds)
        wait_for_records(page, size)
        page.close()
    add("cold start with its copy: list on the screen", starts, "< 1500 ms")

    page, _ = start(context, server)
    wait_for_records(page, size)
    frames = page.evaluate("(count) => measures.scroll(count)", size.frames)
    late = sum(length > 1.5 * 1000 / 60 for length in frames)
    table.add(
        "large library: scrolling the list, a frame: median, longest",
        f"{statistics.median(frames):.1f} ms, {max(frames):.0f} ms",
        f"{late} of {len(frames)} late", aim="16.7 ms")
    page.evaluate("scrollTo(0, 0)")
    times = []
    for words in size.words:
        times.append(page.evaluate("(words) => measures.search(words)", words) / 1000)
        page.evaluate("measures.type('')")
        page.wait_for_timeout(300)
    add("search: answer on the screen", times, "< 50 ms")
    opened, moved = [], []
    for number in range(size.rounds):
        opened.append(page.evaluate("(card) => measures.open(card)", number) / 1000)
        page.wait_for_timeout(500)
        moved.append(page.evaluate("measures.reorder()") / 1000)
        page.wait_for_timeout(500)
        page.get_by_test_id("routine-back").click()
        page.get_by_test_id("routine-card").first.wait_for()
    add("opening a routine: moves on the screen", opened, "< 150 ms")
    add("reordering moves: new order on the screen", moved, "one frame: < 17 ms")
    context.close()


class Row:
    """Adds rows with the median and the longest of some times."""

    def __init__(self, table):
        self.table = table

    def __call__(self, what, seconds, aim):
        text = f"{statistics.median(seconds) * 1000:.0f} ms"
        if len(seconds) > 1:
            text += f" (longest {max(seconds) * 1000:.0f} ms)"
        self.table.add(f"large library: {what}", text, aim=aim)


def start(context, server, script=MEASURES):
    """Opens the page; returns it and the seconds until the first routine can be touched."""
    page = context.new_page()
    page.add_init_script(script)
    started = time.monotonic()
    page.goto(server.origin, wait_until="commit")
    page.get_by_test_id("routine-card").first.wait_for()
    return page, time.monotonic() - started


def wait_for_records(page, size):
    """Waits until the browser's copy holds every record."""
    while page.evaluate("measures.copied()") < size.routines + size.parts + size.moves:
        page.wait_for_timeout(100)


def first_sync(server):
    started = time.monotonic()
    body, count = {"since": 0, "changes": []}, 0
    more = True
    while more:
        answer = json.loads(server.request("POST", "/api/sync", json.dumps(body)))
        body["since"], more = answer["seq"], answer["more"]
        count += len(answer["records"])
    return time.monotonic() - started, count
