"""Ten years of practice log: whether a start, a routine and its overview are as fast as without, and what a year costs."""

import dataclasses
import random
import shutil
import statistics
import time
import uuid

from filled_library import BATCH, FRAMES_PER_SECOND, NOTHING_NEW, fill
from scale import MEASURES, start, wait_for_records
from studio import Server, alternately, open_chromium, skip_welcome

DAY = 86_400_000
#: In an entry each of ten parts has a line.
PARTS = 10


@dataclasses.dataclass
class Size:
    """How long was practised, and how often each thing is done."""
    routines: int
    parts: int
    moves: int
    entries: int
    run_throughs: int
    #: The days of the year whose cost is measured.
    days: int
    #: How often an entry is written while it is practised: every two minutes of an hour.
    writes: int
    rounds: int


LARGE = Size(20, 200, 2_000, 7_500, 500, 365, 30, 9)
SMALL = Size(2, 20, 40, 60, 5, 5, 3, 1)

MEASURES_OF_LOG = MEASURES + """
measures.logged = async () => {
  const asked = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const database = await asked(indexedDB.open('segmance'));
  const segments = await asked(
    database.transaction('records').objectStore('records').getAll(IDBKeyRange.lowerBound('')));
  database.close();
  return [
    new Set(segments.flatMap((text) => JSON.parse(text).map(({ id }) => id))).size,
    segments.reduce((sum, text) => sum + text.length, 0),
  ];
};
measures.overview = (layout) => measures.until(
  () => measures.all('moves').some((list) => list.dataset.layout === layout),
  () => document.querySelector(`[data-testid=overview-${layout}]`).click());
measures.log = () => measures.until(
  () => measures.all('log-item').length > 0,
  () => document.querySelector('[data-testid=room-practice-log]').click());
"""


def run(folder, table, short=False):
    size = SMALL if short else LARGE
    libraries = [folder / "without", folder / "with"]
    fill(folder, libraries[0], size.routines, size.parts, size.moves)
    shutil.copytree(*libraries)
    with Server(libraries[1]) as server:
        practise(server, size.entries, size.run_throughs)
    with Server(libraries[0]) as without, Server(libraries[1]) as with_log, open_chromium() as browser:
        for server in (without, with_log):
            skip_welcome(server)
        pages = [
            Visitor(browser, with_log, size, size.entries + size.run_throughs), Visitor(browser, without, size, 0)]
        for what, act, aim in (
            ("cold start with its copy: list on the screen", Visitor.start, "≤ 1.1"),
            ("opening a routine: moves on the screen", Visitor.open_routine, "one frame more: 17 ms"),
            ("overview of its moves on the screen", Visitor.show_overview, "one frame more: 17 ms"),
        ):
            ours, peer = alternately(size.rounds, lambda: act(pages[0]), lambda: act(pages[1]))
            table.add(
                f"ten years of log: {what}", f"{ours * 1000:.0f} ms", f"without a log: {peer * 1000:.0f} ms",
                f"{ours / peer:.2f}", aim)
        opened = statistics.median(pages[0].open_log() for _ in range(size.rounds))
        table.add(f"ten years of log: opening it, {size.entries + size.run_throughs:,} records", f"{opened * 1000:.0f} ms")
    cost_of_a_year(folder / "year", table, size)


def cost_of_a_year(folder, table, size):
    """An hour a day, written every two minutes."""
    folder.mkdir()
    library = folder / "library"
    fill(folder, library, 1, PARTS, PARTS)
    before = disk(library)
    with Server(library) as server:
        practise(server, size.days, 0, size.writes)
    grown = disk(library) - before
    table.add(
        f"a year of log, {size.days} hours, ten parts: on the server's disk", f"{grown / 1e6:.2f} MB", aim="< 2 MB",
        missed=grown >= 2_000_000)
    with Server(library) as server, open_chromium() as browser:
        skip_welcome(server)
        year = Visitor(browser, server, dataclasses.replace(size, routines=1, parts=PARTS, moves=PARTS), size.days)
        stored = year.page.evaluate("measures.logged()")[1]
    table.add(
        "a year of log: in the browser's copy", f"{stored / 1e6:.2f} MB", aim="< 2 MB", missed=stored >= 2_000_000)


def disk(library):
    """The bytes of the database, which a stopped server leaves in one file."""
    return sum(file.stat().st_size for file in library.glob("segmance.sqlite*"))


def practise(server, entries, run_throughs, writes=1):
    """Writes entries, each as often as its page does, and run-throughs."""
    chance = random.Random(24)
    records = server.json("POST", "/api/sync", {"since": 0, "changes": []})["records"]
    routine = next(record["id"] for record in records if record["type"] == "routine")
    parts = [record for record in records if record["type"] == "part"][:PARTS]
    clock = int(time.time() * 1000) - 500_000
    changes = []

    def change(kind, record, fields):
        nonlocal clock
        clock += 1
        changes.append({
            "id": str(uuid.uuid4()), "type": kind, "record": record, "fields": fields,
            "at": f"{clock:013d}-0000-0000beef"})

    for entry in range(entries):
        record = str(uuid.uuid4())
        started = clock - 3_650 * DAY + entry * DAY // 2
        for write in range(1, writes + 1):
            fields = {"heard": "\n".join(
                f"{part['id']} {part['startFrame']} {part['endFrame']} {chance.randint(1, 30)} "
                f"{360 * write // writes} {chance.randint(50, 110)} 1" for part in parts)}
            if write == 1:
                fields |= {"routine": routine, "startedAt": started, "utcOffset": 60}
            change("practiceEntry", record, fields)
    for run_through in range(run_throughs):
        change("runThrough", str(uuid.uuid4()), {
            "routine": routine, "startedAt": clock - 3_650 * DAY + run_through * 7 * DAY, "percent": 100,
            "covered": "\n".join(f"{part['id']} {part['startFrame']} {part['endFrame']}" for part in parts),
            "misses": "\n".join(
                f"{part['id']} {part['startFrame'] + FRAMES_PER_SECOND} -" for part in parts[:chance.randint(0, 4)])})
    for first in range(0, len(changes), BATCH):
        answer = server.json("POST", "/api/sync", {"since": NOTHING_NEW, "changes": changes[first:first + BATCH]})
        if answer.get("rejected"):
            raise SystemExit(f"not taken: {answer['rejected'][0]}")


class Visitor:
    """A phone with a copy of a library."""

    def __init__(self, browser, server, size, logged):
        self.server = server
        self.size = size
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        self.page = None
        self.start()
        while self.page.evaluate("measures.logged()")[0] < logged:
            self.page.wait_for_timeout(100)

    def start(self):
        if self.page:
            self.page.close()
        self.page, seconds = start(self.context, self.server, MEASURES_OF_LOG)
        wait_for_records(self.page, self.size)
        return seconds

    def open_routine(self):
        if self.page.get_by_test_id("routine-back").count():
            self.page.get_by_test_id("routine-back").click()
        self.page.get_by_test_id("routine-card").first.wait_for()
        self.page.wait_for_timeout(300)
        return self.page.evaluate("measures.open(0)") / 1000

    def show_overview(self):
        self.open_routine()
        seconds = self.choose_layout("two")
        self.choose_layout("list")
        return seconds

    def choose_layout(self, layout):
        self.page.get_by_test_id("action-more").click()
        self.page.get_by_test_id(f"overview-{layout}").wait_for()
        return self.page.evaluate("(layout) => measures.overview(layout)", layout) / 1000

    def open_log(self):
        self.page.goto(f"{self.server.origin}/settings")
        self.page.get_by_test_id("room-practice-log").wait_for()
        return self.page.evaluate("measures.log()") / 1000
