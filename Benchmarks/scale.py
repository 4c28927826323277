"""A library of 1,000 routines, 10,000 parts and 100,000 moves, in Chromium on a phone's screen."""

import json
import statistics
import time

from studio import PROGRAM, Child, Server, open_chromium, skip_welcome

ROUTINES, PARTS, MOVES = 1_000, 10_000, 100_000
ROUNDS = 5

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
  scroll: () => measures.frames(() => document.scrollingElement.scrollBy(0, 60), 300),
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
    const id = card.dataset.move;
    card.querySelector('[data-testid=move-number]').focus();
    const key = { key: 'ArrowDown', altKey: true, bubbles: true, cancelable: true };
    return measures.until(
      () => measures.all('move-card').filter((one) => one.closest('.moves') === document
        .querySelector(`[data-move="${id}"]`).closest('.moves'))[1].dataset.move === id,
      () => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key)));
  },
};
"""


def run(folder, table):
    library = folder / "library"
    filled = Child([
        PROGRAM, "fill", "--routines", ROUTINES, "--parts", PARTS, "--moves", MOVES,
        "--data", library])
    what = f"{ROUTINES:,} routines, {PARTS:,} parts, {MOVES:,} moves"
    table.add(f"filling a library: {what}", f"{filled.seconds:.1f} s")
    with Server(library) as server:
        table.add("… to the first answer", f"{server.start_seconds * 1000:.0f} ms", aim="< 200 ms")
        skip_welcome(server)
        seconds, count = first_sync(server)
        table.add(f"… {count:,} records out, as pages", f"{seconds:.2f} s")
        with open_chromium() as browser:
            measure(browser, server, table)
        table.add("… server's memory afterwards", f"{server.resident_megabytes():.0f} MB")


def measure(browser, server, table):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    add = Row(table)
    started = time.monotonic()
    page, seconds = start(context, server)
    add("first visit: list on the screen", [seconds], "")
    wait_for_records(page)
    add("first visit: every record in the browser's copy", [time.monotonic() - started], "")
    page.close()
    starts = []
    for _ in range(ROUNDS):
        page, seconds = start(context, server)
        starts.append(seconds)
        wait_for_records(page)
        page.close()
    add("cold start with its copy: list on the screen", starts, "< 1500 ms")

    page, _ = start(context, server)
    wait_for_records(page)
    frames = page.evaluate("measures.scroll()")
    late = sum(length > 1.5 * 1000 / 60 for length in frames)
    table.add(
        "… scrolling the list, a frame: median, longest",
        f"{statistics.median(frames):.1f} ms, {max(frames):.0f} ms",
        f"{late} of {len(frames)} late", aim="16.7 ms")
    page.evaluate("scrollTo(0, 0)")
    times = []
    for words in ("Swan", "Lantern", "Quiet", "Harbour", "Winter"):
        times.append(page.evaluate("(words) => measures.search(words)", words) / 1000)
        page.evaluate("measures.type('')")
        page.wait_for_timeout(300)
    add("search: answer on the screen", times, "< 50 ms")
    opened, moved = [], []
    for number in range(ROUNDS):
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
        self.table.add(f"… {what}", text, aim=aim)


def start(context, server):
    """Opens the page; returns it and the seconds until the first routine can be touched."""
    page = context.new_page()
    page.add_init_script(MEASURES)
    started = time.monotonic()
    page.goto(server.origin, wait_until="commit")
    page.get_by_test_id("routine-card").first.wait_for()
    return page, time.monotonic() - started


def wait_for_records(page):
    """Waits until the browser's copy holds every record."""
    while page.evaluate("measures.copied()") < ROUTINES + PARTS + MOVES:
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
