// The audio clock as read from the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AudioClock } from '../../src/audio/audioClock';
import { momentOf } from '../../src/audio/playbackPosition';
import { seeded } from '../lead/support';

test('reads that are late by up to a buffer make an exact clock', () => {
  const random = seeded(2);
  for (const buffer of [128, 480, 2_048]) {
    const clock = new AudioClock();
    let worst = 0;
    for (let at = 0; at < 20_000; at += 5 + random() * 30) {
      const rendered = Math.floor((at * 48) / buffer) * buffer;
      clock.note(rendered / 48_000, at);
      if (at > 2_000) worst = Math.max(worst, Math.abs((clock.frameAt(at) ?? 0) - at * 48));
    }
    // Some of the reads of the last second came early in a buffer.
    assert(worst < 48 + buffer / 8, `${buffer}: ${worst}`);
  }
});

test('a context that fell behind, or stood still, is noticed', () => {
  const clock = new AudioClock();
  assert.equal(clock.frameAt(5), null);
  for (let at = 0; at < 3_000; at += 20) clock.note(at / 1_000, at);
  for (let at = 3_000; at < 7_000; at += 20) clock.note((at - 500) / 1_000, at);
  assert.equal(clock.frameAt(7_000), 6_500 * 48);
  clock.reset();
  assert.equal(clock.frameAt(7_000), null);
});

const report = {
  kind: 'report', sequence: 1, state: 'playing', frame: 50_000, awaitedFrame: 0, runFrames: 10_000, countdownFramesLeft: 0,
  countdownFrames: 0, countInNumber: 0, repeat: 2, restFramesLeft: 0, percent: 50, turnsWithoutGap: true, contextFrame: 9_000,
} as const;
const bounds = { startFrame: 48_000, endFrame: 58_000, repeats: true };

test('what is heard is before what was reported, around a loop as well', () => {
  assert.equal(momentOf(report, 8_000, bounds)?.frame, 49_500);
  assert.equal(momentOf(report, 4_000, bounds)?.frame, 57_500);
  assert.equal(momentOf(report, 27_000, bounds)?.frame, 49_000);
  // From before the run nothing is known.
  assert.equal(momentOf(report, -12_000, bounds), null);
});

test('a countdown that has run out is music', () => {
  const counting = { ...report, state: 'countdown', frame: 48_000, countdownFramesLeft: 2_000, countdownFrames: 96_000 } as const;
  assert.deepEqual(momentOf(counting, 10_000, bounds), {
    state: 'countdown', frame: 48_000, framesLeft: 1_000, percent: 50, repeat: 2, turnsWithoutGap: true,
  });
  const over = momentOf(counting, 12_000, bounds);
  assert.deepEqual([over?.state, over?.frame], ['playing', 48_500]);
  const resting = { ...report, state: 'resting', restFramesLeft: 500 } as const;
  assert.equal(momentOf(resting, 9_100, bounds)?.framesLeft, 400);
});
