// The moving view: drawn once per animation frame, following the needle until the user pans.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StageView } from '../../src/clipper/stage/stageView';
import { panBy, pixelAt, shownFrames, zoomAbout } from '../../src/clipper/stage/viewport';
import { seeded } from './random';

const hour = 3_600 * 48_000;

function stageOf(width = 400): StageView {
  const stage = new StageView(hour);
  stage.resize(width);
  stage.paint();
  return stage;
}

test('many changes cause one drawing, and no change causes none', () => {
  const stage = stageOf();
  let paints = 0;
  stage.onPaint(() => {
    paints += 1;
  });
  stage.show(zoomAbout(stage.view, 10, 4));
  stage.show(panBy(stage.view, 20));
  stage.paint();
  stage.paint();
  assert.equal(paints, 1);
  stage.show({ ...stage.view });
  stage.paint();
  assert.equal(paints, 1);
});

test('elements are placed again after a zoom or a long pan, and never too late', () => {
  const stage = stageOf();
  stage.show(zoomAbout(stage.view, 200, 500));
  stage.paint();
  let placings = 0;
  stage.subscribe(() => {
    placings += 1;
  });
  const random = seeded(51);
  for (let step = 0; step < 1_000; step += 1) {
    stage.show(panBy(stage.view, (random() - 0.45) * 60));
    stage.paint();
    const { startFrame, endFrame, originFrame } = stage.frame;
    assert(startFrame <= stage.view.startFrame && endFrame >= stage.view.startFrame + shownFrames(stage.view));
    assert(Math.abs(pixelAt(stage.view, originFrame)) < 4 * 400, 'layers are never moved far');
  }
  assert(placings > 0 && placings < 60, `${placings} placings`);
});

test('the view follows the needle until the user pans', () => {
  const stage = stageOf();
  stage.show(zoomAbout(stage.view, 0, 100));
  stage.followNeedle(1_000 * 48_000, true);
  assert(pixelAt(stage.view, 1_000 * 48_000) > 0 && pixelAt(stage.view, 1_000 * 48_000) < 400);
  stage.setFollowing(false);
  const { view } = stage;
  stage.followNeedle(2_000 * 48_000, true);
  assert.equal(stage.view, view);
  stage.setFollowing(true);
  stage.keepFollowing(1_000 * 48_000);
  assert(stage.isFollowing);
  stage.keepFollowing(0);
  assert(!stage.isFollowing);
});

test('a drag scrolls the view at the edge in its direction', () => {
  const stage = stageOf();
  stage.show(zoomAbout(stage.view, 200, 100));
  const start = stage.view.startFrame;
  let moves = 0;
  const onMoved = (): void => {
    moves += 1;
  };
  stage.pull = { begin: 200, pixel: 300, onMoved };
  stage.pullAtEdge();
  assert.equal(stage.view.startFrame, start);
  stage.pull.pixel = 398;
  stage.pullAtEdge();
  assert(stage.view.startFrame > start && moves === 1);
  stage.followNeedle(0, true);
  assert(stage.view.startFrame > start, 'the needle waits meanwhile');
  stage.pull = { begin: 2, pixel: 5, onMoved };
  const there = stage.view.startFrame;
  stage.pullAtEdge();
  assert.equal(stage.view.startFrame, there, 'one that begins at the edge and leaves it does not pull');
});
