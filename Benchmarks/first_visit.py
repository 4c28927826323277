"""How long until the app can be used: the first visit over a simulated 4G, later ones without a network.

4G here is Chromium's throttling at 9 Mbit/s down, 3 Mbit/s up, 60 ms a round trip, without a cache.
Usable means that the first screen stands and its button for a new routine can be pressed, by the
page's own clock from the beginning of the navigation; that the press opens the editor is checked.
"""

import statistics

from studio import Server, open_chromium, skip_welcome

RUNS = 7
PROFILE = {
    "offline": False, "latency": 60, "downloadThroughput": 9e6 / 8, "uploadThroughput": 3e6 / 8}


def run(folder, table, short=False):
    runs = 1 if short else RUNS
    with Server(folder / "library") as server, open_chromium() as browser:
        skip_welcome(server)
        first = [first_visit(browser, server) for _ in range(runs)]
        later = [later_visits(browser, server) for _ in range(runs)]
    table.add(
        f"first visit over 4G, usable, median of {runs}", f"{statistics.median(first):.2f} s", "", "",
        "≤ 2.5 s")
    table.add(
        f"later visit without a network, usable, median of {runs}",
        f"{statistics.median(later):.2f} s", "", "", "≤ 0.5 s")


def first_visit(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", PROFILE)
    seconds = until_usable(page, server)
    context.close()
    return seconds


def later_visits(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(server.origin)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.close()
    context.set_offline(True)
    page = context.new_page()
    seconds = until_usable(page, server)
    context.close()
    return seconds


def until_usable(page, server):
    """Seconds from asking for the page until its main button is there, by the page's own clock."""
    page.goto(server.origin, wait_until="commit")
    page.wait_for_selector("[data-testid=create-first], [data-testid=create-routine]")
    seconds = page.evaluate("() => performance.now() / 1000")
    page.locator("[data-testid=create-first], [data-testid=create-routine]").first.click()
    page.wait_for_selector("[data-testid=editor-title]")
    return seconds
