"""The count that is shown, against the sound that comes out: by the page's own clock, not by the test's."""

import shutil

import numpy
import pytest
from playwright.sync_api import expect
from studio import PHONE, RATE, ROOT, Server, eventually, first_screen, open_card, wav_file
from test_counts import PERIOD, analyse
from test_moves import change, write

#: A screen shows 60 pictures a second.
SCREEN_FRAME = RATE / 60
LATENCY = 0.25

# The sound takes a quarter of a second to the ear, as with wireless headphones. The browser states it, or states
# little and it was measured. A recorder beside the engine writes
# down at which frame of the audio clock each beat is rendered. Each change of the count is written down with the
# time of the audio clock that the page read last: the one it was drawn by.
WATCH = """
const latency = %s;
const stated = %s;
Object.defineProperty(AudioContext.prototype, 'outputLatency', { get: () => stated });
if (stated !== latency) {
  localStorage['segmance.latency'] = JSON.stringify([{
    output: '', milliseconds: 1000 * latency, margin: 5, isSure: true, way: 'taps', reported: 1000 * stated }]);
}
// What is stored is read with the second script.
const getItem = Storage.prototype.getItem;
Storage.prototype.getItem = function (name) {
  if (name === 'segmance.latency') window.isFollowed = true;
  return getItem.call(this, name);
};
window.beats = [];
window.shown = [];
const reads = [];
let ticks = [0, 0];
const clock = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'currentTime').get;
Object.defineProperty(BaseAudioContext.prototype, 'currentTime', {
  get() {
    reads.push(clock.call(this));
    return reads.at(-1);
  },
});
const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (target, ...others) {
  const { context } = this;
  if (target === context.destination) {
    context.audioWorklet.addModule('/recorder.js').then(() => {
      const recorder = new AudioWorkletNode(context, 'recorder');
      recorder.port.onmessage = ({ data }) => window.beats.push(data);
      connect.call(this, recorder);
      connect.call(recorder, context.destination);
      window.isRecording = true;
    });
  }
  return connect.call(this, target, ...others);
};
window.watch = () => {
  const now = document.querySelector('[data-testid=count-now]');
  window.beats = [];
  window.shown = [];
  const tick = () => {
    ticks = [ticks[1], reads.length];
    requestAnimationFrame(tick);
  };
  tick();
  // Between the change and this no other task runs.
  new MutationObserver(() => window.shown.push({
    count: Number(now.textContent),
    at: (reads.at(-1) - latency) * 48000,
    // What the frame of the screen before was drawn by, or earlier.
    before: (reads[ticks[0]] - latency) * 48000,
  })).observe(now, { childList: true, characterData: true, subtree: true });
};
"""

# A beat begins where it is loud after a fifth of a second without.
RECORDER = """
registerProcessor('recorder', class extends AudioWorkletProcessor {
  loudAt = -Infinity;
  process([[samples]]) {
    samples?.forEach((sample, at) => {
      if (Math.abs(sample) < 0.1) return;
      if (currentFrame + at - this.loudAt > 9600) this.port.postMessage(currentFrame + at);
      this.loudAt = currentFrame + at;
    });
    return true;
  }
});
"""


def beaten(seconds):
    """Returns a WAV file with a short noise on each beat of `analyse`, and silence between."""
    samples = numpy.zeros(seconds * RATE)
    noise = numpy.random.default_rng(7).uniform(-1, 1, RATE // 25) * numpy.linspace(1, 0, RATE // 25)
    for frame in range(RATE // 2, len(samples) - len(noise), PERIOD):
        samples[frame:frame + len(noise)] = noise * 24_000
    return wav_file(numpy.column_stack([samples, samples]).astype("<i2"))


def beaten_song(server, rate):
    """The routine "Swan" of one part, at a speed."""
    [routine] = write(server, [("routine", {"title": "Swan"})])
    track = server.add("track", "Beats.wav", beaten(12))
    [part] = write(server, [("part", {
        "routine": routine, "title": "One", "position": "a", "track": track["id"], "startFrame": 0, "endFrame": 12 * RATE})])
    change(server, "part", part, {"rate": rate})


@pytest.mark.parametrize("rate, stated", [(1, LATENCY), (0.5, LATENCY), (1, 0.02)])
def test_the_count_changes_within_a_frame_of_the_screen_of_what_is_heard(
        begin_with, tmp_path, chromium, rate, stated):
    begin_with(beaten_song, rate)
    # Only the server can answer with a script of the audio thread.
    client = shutil.copytree(ROOT / "dist" / "client", tmp_path / "client")
    (client / "recorder.js").write_text(RECORDER)
    with Server(tmp_path / "library", client=client) as server, \
            first_screen(chromium, server, script=WATCH % (LATENCY, stated), **PHONE) as page:
        open_card(page)
        analyse(page, 0.9)
        page.get_by_test_id("player-expand").tap()
        expect(page.get_by_test_id("count-place")).to_have_text("Pick-up, count 6")
        # The recorder is there before the sound that is measured.
        page.get_by_test_id("play").tap()
        page.wait_for_function("() => window.isRecording")
        page.get_by_test_id("play").tap()
        page.get_by_test_id("scrubber").press("Home")
        expect(page.get_by_test_id("count-place")).to_have_text("Pick-up, count 6")
        page.wait_for_function("() => window.isFollowed")
        page.evaluate("() => watch()")
        page.get_by_test_id("play").tap()
        eventually(lambda: page.evaluate("() => shown.length"), lambda count: count >= 8, 60)
        shown, beats = page.evaluate("() => [shown, beats]")
    assert len(beats) >= 8
    # The first beat of the track has count 7. A screen that is late by a whole beat leaves a count out.
    heard = {}
    beat = 0
    for each in shown:
        while (beat + 6) % 8 + 1 != each["count"]:
            beat += 1
        heard[beat] = each
        beat += 1
    assert len(heard) >= 6
    early = {beat: beats[beat] - each["at"] for beat, each in heard.items()}
    late = {beat: each["before"] - beats[beat] for beat, each in heard.items()}
    assert max(early.values()) <= SCREEN_FRAME, early
    assert max(late.values()) <= SCREEN_FRAME, late
