"""How far apart browsers play that follow one: two to eight Chromiums on this machine, of which one leads.

Each page records its engine's reports, and with each of them what the browser says of the audio clock
(`getOutputTimestamp`), by the clock of the machine, which all of them share. So what is compared is neither the
server's time, which the pages agree on, nor their own reckoning. A count is a position, so this holds for counts as
well; when they are drawn on the screens is compared besides.
"""

import contextlib
import statistics

from studio import Server, launched, open_chromium, skip_welcome

RATE = 48_000
BROWSERS = (2, 4, 8)
SECONDS = 20
AIM = 15
#: How often positions are compared.
STEP_MILLISECONDS = 100

RECORD = """(() => {
  window.recorded = { reports: [], counts: [] };
  const wall = (now) => performance.timeOrigin + now;
  const Plain = window.AudioWorkletNode;
  window.AudioWorkletNode = class extends Plain {
    constructor(context, ...rest) {
      super(context, ...rest);
      this.port.addEventListener('message', ({ data }) => {
        if (data.kind !== 'report') return;
        const { contextTime, performanceTime } = context.getOutputTimestamp();
        window.recorded.reports.push([
          wall(performance.now()), data.state, data.frame, data.contextFrame, data.percent, data.runFrames,
          contextTime, wall(performanceTime)]);
      });
    }
  };
  let last = '';
  const look = () => {
    const text = document.querySelector('[data-testid=count-now]')?.textContent ?? '';
    if (text !== last) window.recorded.counts.push([wall(performance.now()), text]);
    last = text;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""


def run(folder, table, short=False):
    seconds = 2 if short else SECONDS
    with Server(folder / "library") as server:
        sample = server.json("POST", "/api/sample")
        server.wait_for_job(sample["job"])
        skip_welcome(server)
        for browsers in BROWSERS[:1] if short else BROWSERS:
            measure(server, table, browsers, seconds, short)


def measure(server, table, browsers, seconds, short):
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(open_chromium())
        others = [launched(first.browser_type) for _ in range(browsers - 1)]
        for browser in others:
            stack.callback(browser.close)
        pages = [opened(browser, server) for browser in (first, *others)]
        leader, *followers = pages
        leader.get_by_test_id("player-lead").click()
        leader.get_by_test_id("leading").wait_for()
        late = followers[-1] if browsers > 2 else None
        for page in followers:
            if page is not late:
                join(page)
        if leader.get_by_test_id("loop").get_attribute("aria-pressed") == "false":
            leader.get_by_test_id("loop").click()
        leader.get_by_test_id("play").click()
        for page in followers:
            if page is not late:
                page.wait_for_selector("[data-testid=following][data-playing=true]")
        pressed = None
        if late:
            pressed = now(leader)
            join(late)
            late.wait_for_selector("[data-testid=following][data-playing=true]")
        leader.wait_for_timeout(1_000 if short else 5_000)
        begin = now(leader)
        leader.wait_for_timeout(seconds * 1_000)
        end = now(leader)
        recorded = [page.evaluate("() => window.recorded") for page in pages]
    add(table, browsers, recorded, begin, end, short)
    if pressed:
        fallen_in(table, browsers, recorded, pressed, begin)


def opened(browser, server):
    """A page at the routine."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.add_init_script(RECORD)
    page.goto(server.origin)
    page.locator("[data-testid=routine-card] a").first.click()
    return page


def join(page):
    page.get_by_test_id("lead-join").click()
    page.get_by_test_id("following").wait_for()


def now(page):
    return page.evaluate("() => performance.timeOrigin + performance.now()")


def position(reports, wall):
    """The frame that is heard at a time of the machine; None where the page did not report, or began anew."""
    near = [each for each in reports if abs(each[0] - wall) < 1_000]
    before = [each for each in near if each[7] <= wall + 500]
    if not before:
        return None
    # How far the audio clock is at the output, as the browser says: the median of a second.
    lead = statistics.median(each[6] * 1_000 - each[7] for each in near)
    heard = (wall + lead) * RATE / 1_000
    known = [each for each in near if each[3] - each[5] * 100 / each[4] <= heard and each[1] == "playing"]
    if not known:
        return None
    report = min(known, key=lambda each: abs(each[3] - heard))
    return report[2] + (heard - report[3]) * report[4] / 100


def differences(recorded, begin, end):
    """By how many milliseconds each follower is away from the leader, at each step; around the loop's end none."""
    leader, *followers = [page["reports"] for page in recorded]
    found, steps = [], 0
    wall = begin
    while wall < end:
        led = position(leader, wall)
        for follower in followers:
            own = position(follower, wall)
            steps += 1
            if led is not None and own is not None and abs(own - led) < RATE:
                found.append(abs(own - led) * 1_000 / RATE)
        wall += STEP_MILLISECONDS
    return sorted(found), steps


def count_differences(recorded, begin, end):
    """By how many milliseconds the same count appears earlier or later on a follower's screen."""
    leader, *followers = [page["counts"] for page in recorded]
    found = []
    for wall, text in leader:
        if not begin <= wall < end or not text:
            continue
        for follower in followers:
            same = [abs(at - wall) for at, other in follower if other == text]
            if same and min(same) < 1_000:
                found.append(min(same))
    return sorted(found)


def share(values, part):
    return values[min(len(values) - 1, int(len(values) * part))]


def add(table, browsers, recorded, begin, end, short):
    sound, steps = differences(recorded, begin, end)
    counts = count_differences(recorded, begin, end)
    for name, values in (("sound", sound), ("counts on the screens", counts)):
        what = f"{browsers} browsers in step: {name}, followers against the leader"
        if not values:
            table.add(what, "not measured")
            continue
        compared = f" of {len(values)}" + (f" ({steps - len(values)} left out)" if values is sound else "")
        # Promised of two. When a count is drawn is the browser's affair, and on a busy machine it is late.
        is_promised = values is sound and browsers == 2 and not short
        table.add(
            what,
            f"median {statistics.median(values):.1f} ms, 95 % {share(values, 0.95):.1f} ms, "
            f"worst {values[-1]:.1f} ms{compared}",
            aim=f"95 % ≤ {AIM} ms" if is_promised else "",
            missed=is_promised and share(values, 0.95) > AIM)


def fallen_in(table, browsers, recorded, pressed, end):
    """Adds how long after the press who comes late is in step for good."""
    leader, late = recorded[0]["reports"], recorded[-1]["reports"]
    wall, since = pressed, None
    while wall < end:
        led, own = position(leader, wall), position(late, wall)
        is_in_step = led is not None and own is not None and abs(own - led) * 1_000 / RATE <= AIM
        since = (since or wall) if is_in_step else None
        wall += STEP_MILLISECONDS / 4
    table.add(
        f"{browsers} browsers in step: who comes late, from the press on until the sound is within {AIM} ms",
        "not measured" if since is None else f"{(since - pressed) / 1_000:.1f} s")
