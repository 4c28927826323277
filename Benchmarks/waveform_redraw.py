"""The clipper's waveform of an hour-long track: how long one picture of the screen takes to draw."""

import statistics
import subprocess

from studio import PROGRAM, Child, Server, open_chromium, sample_song, skip_welcome

SCREENS = [("390×844, three pixels in one", 390, 844, 3), ("3840×1080", 3840, 1080, 1)]
PICTURES = 180

# Times what the stage does for one picture of the screen, and waits for the pixels themselves: a
# canvas only writes down what is to be drawn, reading one pixel back makes it happen.
MEASURES = """
window.redraws = [];
const whole = window.requestAnimationFrame.bind(window);
const clear = CanvasRenderingContext2D.prototype.clearRect;
let drawn = null;
CanvasRenderingContext2D.prototype.clearRect = function (x, y, width, height) {
  if (this.canvas.className === 'stage-canvas') drawn = { context: this, columns: width };
  return clear.call(this, x, y, width, height);
};
window.requestAnimationFrame = (act) => whole((time) => {
  const started = performance.now();
  act(time);
  if (!drawn) return;
  const scripted = performance.now();
  drawn.context.getImageData(0, 0, 1, 1);
  const { columns, context: { canvas } } = drawn;
  drawn = null;
  redraws.push({
    script: scripted - started, pixels: performance.now() - started, share: columns / canvas.width,
  });
});
window.turnWheel = async (turns) => {
  const wave = document.querySelector('[data-testid=stage-wave]');
  const { left, width } = wave.getBoundingClientRect();
  redraws.length = 0;
  for (const [deltaX, deltaY] of turns) {
    const clientX = left + width * 0.4;
    wave.dispatchEvent(
      new WheelEvent('wheel', { deltaX, deltaY, clientX, bubbles: true, cancelable: true }));
    await new Promise(whole);
  }
  await new Promise(whole);
  return redraws;
};
"""


def run(folder, table, short=False):
    minutes, pictures = (1, 24) if short else (60, PICTURES)
    library = long_library(folder, minutes)
    with Server(library) as server:
        skip_welcome(server)
        records = server.json("POST", "/api/sync", {"since": 0, "changes": []})["records"]
        track = next(record["id"] for record in records if record["type"] == "track")
        with open_chromium() as browser:
            for name, width, height, ratio in SCREENS[:1] if short else SCREENS:
                context = browser.new_context(
                    viewport={"width": width, "height": height}, device_scale_factor=ratio)
                measure(context, f"{server.origin}/clipper/{track}", name, table, pictures)
                context.close()


def long_library(folder, minutes):
    """A library whose only track is the sample song again and again."""
    song, hour, library = sample_song(folder), folder / "hour.flac", folder / "library"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-stream_loop", str(minutes - 1), "-i", song,
         "-compression_level", "0", hour], check=True)
    Child([PROGRAM, "import", hour, "--routine", "Hour", "--data", library])
    return library


def measure(context, address, name, table, pictures):
    page = context.new_page()
    page.add_init_script(MEASURES)
    page.goto(address)
    page.locator(".stage-wave[data-drawn=true]").wait_for()
    # There and back between the whole hour and a tenth of a second, twice: the second time every
    # tile is here, as it is under the fingers of somebody who looks for a place.
    there = [(0, -120)] * (pictures // 4)
    turns = there + [(0, 120)] * len(there)
    page.evaluate("turnWheel", turns)
    page.wait_for_timeout(1_000)
    add(table, f"an hour's wave on {name}: zooming", page.evaluate("turnWheel", turns * 2), pictures)
    page.evaluate("turnWheel", there[:25])
    page.locator(".stage-wave[data-drawn=true]").wait_for()
    page.wait_for_timeout(1_000)
    redraws = page.evaluate("turnWheel", [(3, 0)] * pictures)
    add(table, f"an hour's wave on {name}: moving along by three pixels",
        [one for one in redraws if one["share"] < 1], pictures)
    page.close()


def add(table, what, redraws, pictures):
    assert len(redraws) > pictures / 4, f"{len(redraws)} redraws"
    pixels = [one["pixels"] for one in redraws]
    script = statistics.median(one["script"] for one in redraws)
    table.add(
        what,
        f"{statistics.median(pixels):.1f} ms, {script:.1f} of it script (longest {max(pixels):.1f} ms)",
        aim="< 4 ms")
