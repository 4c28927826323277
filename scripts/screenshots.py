"""Makes the pictures of the README anew from the built app and the sample routine: `make screenshots`."""

import base64
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

from studio import RATE, Server, eventually, open_chromium  # noqa: E402
from test_moves import write  # noqa: E402

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


def fill(server):
    """The sample with a section, a saved loop and clips, and two more routines on its song; returns a part's path."""
    assert server.request("POST", "/api/sample")[0] == 202
    eventually(lambda: server.records("track"), lambda tracks: tracks[0]["state"] == "ready", 60)
    server.skip_welcome()
    track = server.records("track")[0]["id"]
    verse = next(part for part in server.records("part") if part["title"] == "Verse")
    start = verse["startFrame"]
    server.edit("part", verse["id"], {
        "markerA": start + 2 * RATE, "markerB": start + 8 * RATE, "loopMode": "section", "rate": 0.8, "countdownSeconds": 5})
    write(server, [
        ("spot", {"part": verse["id"], "startFrame": start + first * RATE, "endFrame": start + last * RATE, "title": title})
        for first, last, title in [(2, 8, "Half turn"), (11, 15, "Shoulder")]])
    for title, subtitle, tags, length in [
            ("Northern Line", "Duet for two boards", "duet", 50), ("Paper Boats", "Contact juggling, three minutes", "solo", 41)]:
        [routine] = write(server, [("routine", {"title": title, "subtitle": subtitle, "tags": tags})])
        write(server, [("part", {
            "routine": routine, "title": title, "position": "a", "track": track, "startFrame": 0, "endFrame": length * RATE})])
    write(server, [
        ("clip", {"track": track, "startFrame": first * RATE, "endFrame": last * RATE, "title": title, "position": position})
        for first, last, title, position in [(0, 8, "Intro", "a"), (8, 24, "Verse", "b"), (24, 40, "Chorus", "c")]])
    return f"/routines/{verse['routine']}/parts/{verse['id']}", f"/clipper/{track}"


def picture(browser, server, screen, theme, path, *presses):
    """A PNG of the page at a path after some presses."""
    context = browser.new_context(service_workers="block", reduced_motion="reduce", color_scheme=theme, **screen)
    page = context.new_page()
    page.goto(server.origin + path)
    for press in presses:
        page.get_by_test_id(press).first.click()
    page.wait_for_load_state("networkidle")
    page.wait_for_function("""() => document.querySelector('[aria-busy=true]') === null
      && document.getAnimations().every((each) => each.playState !== 'running')""")
    png = page.screenshot()
    context.close()
    return screen, png


def side_by_side(browser, target, pictures):
    """Writes pictures beside each other, with round corners and a shadow, as WebP."""
    width = sum(screen["viewport"]["width"] for screen, _ in pictures) + 24 * (len(pictures) + 1)
    page = browser.new_page(viewport={"width": width, "height": 892})
    page.set_content(
        "<body style='margin:0;display:flex;gap:24px;padding:0 24px;height:892px;align-items:center;background:#7b727f'>"
        + "".join(
            f"<img style='border-radius:{28 if screen is PHONE else 12}px;box-shadow:0 6px 24px #0006' "
            f"src='data:image/png;base64,{base64.b64encode(png).decode()}'>" for screen, png in pictures))
    page.wait_for_function("() => [...document.images].every((image) => image.complete)")
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(page.screenshot())
        file.flush()
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", file.name, "-quality", "82", str(target)], check=True)
    page.close()


def main():
    folder = ROOT / "docs" / "screenshots"
    with tempfile.TemporaryDirectory() as data, Server(pathlib.Path(data) / "library") as server, open_chromium() as browser:
        part, song = fill(server)
        take = lambda *wanted: picture(browser, server, *wanted)  # noqa: E731
        side_by_side(browser, folder / "overview.webp", [
            take(PHONE, "dark", part, "player-expand"), take(DESKTOP, "dark", part)])
        side_by_side(browser, folder / "clipper.webp", [take(DESKTOP, "light", song), take(PHONE, "light", song)])
        side_by_side(browser, folder / "notebook.webp", [
            take(PHONE, "dark", "/"), take(PHONE, "dark", part, "action-more", "overview-two"),
            take(PHONE, "dark", part, "speed-dial"), take(PHONE, "light", part, "action-add-move"),
            take(PHONE, "light", "/", "routine-menu", "routine-export")])


if __name__ == "__main__":
    main()
