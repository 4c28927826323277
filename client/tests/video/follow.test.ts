// The video follows the music: in step over loops at every speed, and paused where it has no picture.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoTime } from '../../src/video/follow';
import { inStep, Studio } from './studio';

const second = 48_000;
const section = { startFrame: 20 * second, endFrame: 28 * second, frame: 20 * second };

for (const percent of [25, 50, 100, 150, 200]) {
  test(`at ${percent} % the picture is in step with a looped section`, () => {
    const studio = new Studio({ ...section, percent }, 2 * second);
    studio.pass(3);
    const share = inStep(studio.pass(60));
    assert(share > 0.98, `${share}`);
  });
}

test('at a seam the picture jumps back without a seek of the shown deck', () => {
  const studio = new Studio(section, 0);
  studio.pass(3);
  const shown = studio.shown;
  const before = shown.seeks;
  studio.pass(4);
  assert.equal(studio.shown.seeks, before);
  studio.pass(2);
  assert.notEqual(studio.shown, shown, 'the other player shows the next turn');
});

test('with one deck the seam is a seek ahead of the position', () => {
  const studio = new Studio(section, 0, { decks: 1 });
  studio.pass(30);
  const share = inStep(studio.pass(60));
  assert(share > 0.93, `${share}`);
  assert(studio.shown.seeks < 20, `${studio.shown.seeks} seeks`);
});

test('drift is corrected by the playback rate, not by seeks', () => {
  const studio = new Studio({ endFrame: 3_000 * second, wraps: false }, 0, { duration: 3_000 });
  studio.pass(2);
  const { seeks } = studio.shown;
  const rates = new Set<number>();
  for (let at = 0; at < 200; at += 1) {
    studio.pass(0.3);
    rates.add(studio.shown.rate);
  }
  assert.equal(studio.shown.seeks, seeks);
  assert(Math.abs(studio.error) < 0.02);
  assert([...rates].every((rate) => Math.abs(rate - 1) <= 0.08));
});

test('a seek of the player is followed, and the duration of seeks is measured', () => {
  const studio = new Studio({ endFrame: 3_000 * second, wraps: false }, 0, { duration: 3_000, seekSeconds: 0.4 });
  for (let at = 1; at <= 8; at += 1) {
    studio.heard = { ...studio.heard, frame: at * 90 * second };
    studio.pass(3);
  }
  assert(studio.follower.latencies.seek > 0.3, `${studio.follower.latencies.seek}`);
  studio.heard = { ...studio.heard, frame: 5 * second };
  const errors = studio.pass(1.5);
  assert(Math.abs(errors[errors.length - 1] ?? 1) < 0.1);
  assert(studio.shown.seeks <= 18, `${studio.shown.seeks} seeks for nine jumps`);
});

test('while paused the video shows the exact frame and seeks once', () => {
  const studio = new Studio({ ...section, isMoving: false, frame: 23 * second }, 0);
  studio.pass(2);
  assert.equal(studio.shown.time, 23);
  assert.equal(studio.shown.isPaused, true);
  assert.equal(studio.shown.seeks, 1);
});

test('a deck that lands slightly beside the target is not sought repeatedly', () => {
  const studio = new Studio({ ...section, isMoving: false, frame: 23 * second }, 0);
  const obey = studio.shown.obey.bind(studio.shown);
  studio.shown.obey = (order) => obey(order.seekTo === null ? order : { ...order, seekTo: order.seekTo - 0.02 });
  studio.pass(5);
  assert.equal(studio.shown.seeks, 1);
});

test('during the countdown the video waits at the first frame and starts with the sound', () => {
  const studio = new Studio({ ...section, isMoving: false, startsIn: 3, wraps: false }, 0);
  studio.pass(2.5);
  assert.equal(studio.shown.time, 20);
  assert.equal(studio.shown.isPaused, true);
  const errors = studio.pass(2).slice(31);
  assert(errors.every((error) => Math.abs(error) < 0.03), `${Math.max(...errors.map(Math.abs))}`);
});

for (const startsIn of [0.03, 0.06, 0.3]) {
  test(`after a seek whose sound is heard in ${startsIn} s, the picture starts with it`, () => {
    const studio = new Studio({ endFrame: 3_000 * second, wraps: false }, 0, { duration: 3_000 });
    studio.pass(10);
    studio.heard = { ...studio.heard, frame: 90 * second, isMoving: false, startsIn };
    const { seeks } = studio.shown;
    studio.pass(startsIn + 0.2);
    const errors = studio.pass(1);
    assert.equal(studio.shown.seeks, seeks + 1);
    assert(inStep(errors) === 1, `${Math.max(...errors.map(Math.abs))}`);
  });
}

test('if the music begins before the video, the video starts at its first frame in time', () => {
  const studio = new Studio({ endFrame: 40 * second, wraps: false }, 5 * second);
  studio.pass(3);
  assert.equal(studio.material, 'before');
  assert.equal(studio.shown.time, 0);
  assert.equal(studio.shown.isPaused, true);
  studio.pass(4);
  assert.equal(studio.material, 'here');
  assert(Math.abs(studio.error) < 0.04, `${studio.error}`);
});

test('after the end of the video its last frame stays', () => {
  const studio = new Studio({ endFrame: 40 * second, wraps: false }, 0, { duration: 10 });
  studio.pass(14);
  assert.equal(studio.material, 'after');
  assert.equal(studio.shown.isPaused, true);
  assert(studio.shown.time > 9.9);
});

test('a loop too short to see shows its first frame', () => {
  const studio = new Studio({ startFrame: 10 * second, endFrame: 10 * second + 12_000 }, 0);
  studio.pass(3);
  assert.equal(studio.material, 'short');
  assert.equal(studio.shown.time, 10);
  assert.equal(studio.shown.isPaused, true);
  assert(studio.shown.seeks <= 1);
});

test('an offset is the frame of the track at the start of the video', () => {
  assert.equal(videoTime(96_000, 48_000), 1);
  assert.equal(videoTime(0, 48_000), -1);
});
