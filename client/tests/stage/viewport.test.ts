// The viewport stays inside the track for any zooming and panning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  centreOn, endFrame, finestFramesPerPixel, follow, frameAt, isFinest, isWhole, moveEdge, panBy, panTo, pixelAt,
  resized, reveal, shownFrames, showRange, wholeView, zoomAbout, zoomTo, type Viewport,
} from '../../src/clipper/stage/viewport';
import { seeded } from './random';

const second = 48_000;
const hour = 3_600 * second;

/** Views after a hundred random steps, for tracks from one frame to ten hours. */
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

test('zooming, panning and following never leave the track', () => {
  wander(1, (view) => {
    const tolerance = view.lengthFrames * 1e-9;
    assert(view.startFrame >= 0, `start ${view.startFrame}`);
    assert(view.startFrame + shownFrames(view) <= view.lengthFrames + tolerance, 'behind the end');
    assert(view.framesPerPixel > 0);
    assert(isWhole(view) || view.framesPerPixel >= Math.min(finestFramesPerPixel, view.lengthFrames / view.width));
    assert(endFrame(view) <= view.lengthFrames);
  });
});

test('converting between frame and pixel is reversible', () => {
  wander(2, (view) => {
    for (const pixel of [0, 1, view.width / 3, view.width]) {
      near(pixelAt(view, frameAt(view, pixel)), pixel, 1e-3);
    }
  });
});

test('zooming keeps the frame under the pointer, except at the ends of the track', () => {
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

test('a pinch keeps the frame between the fingers', () => {
  const view = zoomTo(wholeView(hour, 400), 100 * second, 130, 250);
  near(frameAt(view, 130), 100 * second, 1e-6);
  assert.equal(view.framesPerPixel, 250);
});

test('the zoom ranges from sixteen pixels per frame to the whole track', () => {
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

test('a track shorter than the finest zoom is shown whole', () => {
  const view = zoomAbout(wholeView(10, 800), 400, 8);
  assert.equal(view.framesPerPixel, 10 / 800);
  assert(isWhole(view) && isFinest(view));
});

test('a stretch is shown whole and centred with a margin', () => {
  const view = showRange(wholeView(hour, 900), 60 * second, 70 * second);
  near(pixelAt(view, 60 * second), 45, 0.01);
  near(pixelAt(view, 70 * second), 855, 0.01);
});

test('revealing a frame makes it visible, and a visible frame does not move the view', () => {
  const view = showRange(wholeView(hour, 900), 600 * second, 700 * second);
  assert.equal(reveal(view, 650 * second), view);
  for (const frame of [0, 100 * second, 590 * second, 715 * second, 2_000 * second, hour]) {
    const pixel = pixelAt(reveal(view, frame), frame);
    assert(pixel >= -0.01 && pixel <= 900.01, `${frame} at ${pixel}`);
  }
});

test('dragging an edge of the overview keeps the other edge', () => {
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

test('a change of width keeps the shown stretch', () => {
  const view = showRange(wholeView(hour, 900), 600 * second, 700 * second);
  const turned = resized(view, 390);
  near(turned.startFrame, view.startFrame, 1e-3);
  near(endFrame(turned), endFrame(view), 1e-3);
  assert(isWhole(resized(wholeView(hour, 900), 390)));
});

test('following keeps the needle in the middle after it has reached it', () => {
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

test('a needle in the left half does not move the view', () => {
  const view = showRange(wholeView(hour, 400), 600 * second, 700 * second);
  assert.equal(follow(view, 620 * second, 619 * second, true), view);
});

test('the view jumps to a needle far away and glides to a needle on the right', () => {
  const view = zoomAbout(wholeView(hour, 400), 0, 100);
  near(pixelAt(follow(view, 1_000 * second, 0, true), 1_000 * second), 100, 1e-6);
  let glided = view;
  const at = frameAt(view, 390);
  for (let picture = 0; picture < 60; picture += 1) glided = follow(glided, at, at, true);
  near(pixelAt(glided, at), 200, 1);
});

test('with reduced motion the view moves page by page', () => {
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
