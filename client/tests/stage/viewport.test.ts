// What is seen of a track: under any zooming and panning it stays inside the track.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  centreOn, endFrame, finestFramesPerPixel, follow, frameAt, isFinest, isWhole, moveEdge, panBy, panTo, pixelAt,
  resized, reveal, shownFrames, showRange, wholeView, zoomAbout, zoomTo, type Viewport,
} from '../../src/clipper/stage/viewport';
import { seeded } from './random';

const second = 48_000;
const hour = 3_600 * second;

/** Views that somebody came to by a hundred random steps, for tracks from one frame to ten hours. */
function wander(seed: number, check: (view: Viewport, last: Viewport) => void): void {
  const random = seeded(seed);
  for (let round = 0; round < 40; round += 1) {
    const length = Math.max(1, Math.floor(10 ** (random() * 9.2)));
    let view = wholeView(length, 40 + Math.floor(random() * 4_000));
    for (let step = 0; step < 100; step += 1) {
      const pixel = (random() * 1.4 - 0.2) * view.width;
      const frame = Math.floor(random() * length * 1.2 - length * 0.1);
      const moves: (() => Viewport)[] = [
        () => zoomAbout(view, pixel, 2 ** (random() * 6 - 3)),
        () => zoomAbout(view, pixel, 1.5),
        () => zoomTo(view, frame, pixel, 10 ** (random() * 8 - 3)),
        () => panBy(view, (random() - 0.5) * 4 * view.width),
        () => panTo(view, frame),
        () => centreOn(view, frame),
        () => showRange(view, frame, frame + Math.floor(random() * 10 ** (random() * 7))),
        () => reveal(view, frame),
        () => moveEdge(view, random() < 0.5 ? 'left' : 'right', frame),
        () => resized(view, 1 + Math.floor(random() * 4_000)),
        () => follow(view, frame, frame - 800, random() < 0.5),
      ];
      const last = view;
      view = (moves[Math.floor(random() * moves.length)] ?? moves[0])?.() ?? view;
      check(view, last);
    }
  }
}

const near = (one: number, other: number, tolerance: number): void => {
  assert(Math.abs(one - other) <= tolerance, `${one} is not ${other} (± ${tolerance})`);
};

test('no zooming, panning or following ever leaves the track', () => {
  wander(1, (view) => {
    const tolerance = view.lengthFrames * 1e-9;
    assert(view.startFrame >= 0, `start ${view.startFrame}`);
    assert(view.startFrame + shownFrames(view) <= view.lengthFrames + tolerance, 'behind the end');
    assert(view.framesPerPixel > 0);
    assert(isWhole(view) || view.framesPerPixel >= Math.min(finestFramesPerPixel, view.lengthFrames / view.width));
    assert(endFrame(view) <= view.lengthFrames);
  });
});

test('a frame comes back from its pixel', () => {
  wander(2, (view) => {
    for (const pixel of [0, 1, view.width / 3, view.width]) {
      near(pixelAt(view, frameAt(view, pixel)), pixel, 1e-3);
    }
  });
});

test('zooming keeps the frame under the pointer, unless an end of the track is in the way', () => {
  const random = seeded(3);
  for (let round = 0; round < 2_000; round += 1) {
    let view = zoomAbout(wholeView(hour, 1_000), random() * 1_000, 2 ** (random() * 20));
    const pixel = random() * 1_000;
    const before = frameAt(view, pixel);
    view = zoomAbout(view, pixel, 2 ** (random() * 2 - 1));
    const touchesEnd = view.startFrame === 0 || endFrame(view) > view.lengthFrames - 1;
    if (!touchesEnd) near(frameAt(view, pixel), before, 1e-3 * view.framesPerPixel + 1e-5);
  }
});

test('two fingers keep the frame between them', () => {
  const view = zoomTo(wholeView(hour, 400), 100 * second, 130, 250);
  near(frameAt(view, 130), 100 * second, 1e-6);
  assert.equal(view.framesPerPixel, 250);
});

test('one can come as near as sixteen pixels a frame, and as far as the whole track', () => {
  let view = wholeView(hour, 390);
  assert(isWhole(view) && !isFinest(view));
  assert.equal(endFrame(view), hour);
  for (let press = 0; press < 60; press += 1) view = zoomAbout(view, 100, 2);
  assert(isFinest(view) && !isWhole(view));
  assert.equal(shownFrames(view), 390 / 16);
  for (let press = 0; press < 60; press += 1) view = zoomAbout(view, 100, 0.5);
  assert(isWhole(view));
  assert.equal(view.startFrame, 0);
});

test('a track shorter than the finest zoom is simply seen whole', () => {
  const view = zoomAbout(wholeView(10, 800), 400, 8);
  assert.equal(view.framesPerPixel, 10 / 800);
  assert(isWhole(view) && isFinest(view));
});

test('a stretch is shown whole, in the middle, with room beside it', () => {
  const view = showRange(wholeView(hour, 900), 60 * second, 70 * second);
  near(pixelAt(view, 60 * second), 45, 0.01);
  near(pixelAt(view, 70 * second), 855, 0.01);
});

test('a revealed frame is seen, and what was seen already does not move', () => {
  const view = showRange(wholeView(hour, 900), 600 * second, 700 * second);
  assert.equal(reveal(view, 650 * second), view);
  for (const frame of [0, 100 * second, 590 * second, 715 * second, 2_000 * second, hour]) {
    const pixel = pixelAt(reveal(view, frame), frame);
    assert(pixel >= -0.01 && pixel <= 900.01, `${frame} at ${pixel}`);
  }
});

test('an edge of the overview moves alone', () => {
  const view = showRange(wholeView(hour, 900), 600 * second, 700 * second);
  const right = endFrame(view);
  const wider = moveEdge(view, 'left', 500 * second);
  near(wider.startFrame, 500 * second, 1e-3);
  near(endFrame(wider), right, 1e-3);
  const narrower = moveEdge(view, 'right', 620 * second);
  near(narrower.startFrame, view.startFrame, 1e-3);
  near(endFrame(narrower), 620 * second, 1e-3);
  assert(shownFrames(moveEdge(view, 'left', hour)) > 0, 'edges do not pass one another');
});

test('another width shows the same stretch', () => {
  const view = showRange(wholeView(hour, 900), 600 * second, 700 * second);
  const turned = resized(view, 390);
  near(turned.startFrame, view.startFrame, 1e-3);
  near(endFrame(turned), endFrame(view), 1e-3);
  assert(isWhole(resized(wholeView(hour, 900), 390)));
});

test('following holds the needle in the middle once it has come there', () => {
  let view = zoomAbout(wholeView(hour, 400), 0, 100);
  let last = 0;
  for (let frame = 0; frame < 120 * second; frame += 800) {
    view = follow(view, frame, frame - 800, true);
    const pixel = pixelAt(view, frame);
    assert(pixel <= 200 + 1e-6, `at ${pixel}`);
    assert(pixel >= last - 1e-6, 'the needle never jumps back');
    last = Math.min(pixel, 200);
  }
});

test('a needle in the left half moves nothing', () => {
  const view = showRange(wholeView(hour, 400), 600 * second, 700 * second);
  assert.equal(follow(view, 620 * second, 619 * second, true), view);
});

test('a needle far away is fetched, and one at the right glides to the middle', () => {
  const view = zoomAbout(wholeView(hour, 400), 0, 100);
  near(pixelAt(follow(view, 1_000 * second, 0, true), 1_000 * second), 100, 1e-6);
  let glided = view;
  const at = frameAt(view, 390);
  for (let picture = 0; picture < 60; picture += 1) glided = follow(glided, at, at, true);
  near(pixelAt(glided, at), 200, 1);
});

test('without motion the view turns page by page', () => {
  let view = zoomAbout(wholeView(hour, 400), 0, 100);
  const starts = new Set<number>();
  for (let frame = 0; frame < 360 * second; frame += 4_000) {
    view = follow(view, frame, frame - 4_000, false);
    starts.add(view.startFrame);
    const pixel = pixelAt(view, frame);
    assert(pixel >= 0 && pixel <= 380.1);
  }
  assert(starts.size <= 13, `${starts.size} pages for 10 widths`);
});
