// The ruler at every zoom: round times without overlap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  labelStep, rulerMarks, rulerText, smallStep, spokenExactTime,
} from '../../src/clipper/stage/ruler';
import { seeded } from './random';

const second = 48_000;
const millisecond = 48;

test('labels never touch, from ten hours down to single frames', () => {
  const random = seeded(7);
  for (let round = 0; round < 3_000; round += 1) {
    const length = Math.floor(10 ** (3 + random() * 6.2));
    const width = 300 + random() * 3_500;
    const framesPerPixel = Math.min(length / width, 2 ** (random() * 22 - 4));
    const start = random() * Math.max(0, length - width * framesPerPixel);
    const { labels, small } = rulerMarks(start, start + width * framesPerPixel, length, framesPerPixel);
    labels.forEach((label, index) => {
      const next = labels[index + 1];
      if (!next) return;
      const gap = (next.frame - label.frame) / framesPerPixel;
      // Seven pixels per digit at a font size of twelve pixels, and a visible gap.
      assert(gap >= label.text.length * 7 + 10, `${label.text} and ${next.text}: ${gap} px`);
      assert.notEqual(label.text, next.text);
    });
    for (const frame of [...small, ...labels.map((label) => label.frame)]) {
      assert(Number.isInteger(frame) && frame >= start && frame <= length);
    }
    assert(small.length < width / 5, `${small.length} small lines on ${width} px`);
  }
});

test('at least one label is always shown', () => {
  for (let framesPerPixel = 1 / 16; framesPerPixel < 500_000; framesPerPixel *= 1.3) {
    const { labels } = rulerMarks(0, 320 * framesPerPixel, 36_000 * second, framesPerPixel);
    assert(labels.length >= 2, `at ${framesPerPixel}`);
  }
});

test('the precision of labels depends on the zoom', () => {
  const at = 62 * second + 250 * millisecond;
  assert.equal(rulerText(3_600 * second, 60 * second), '1:00:00');
  assert.equal(rulerText(62 * second, second), '1:02');
  assert.equal(rulerText(at, 100 * millisecond), '1:02.2');
  assert.equal(rulerText(at, 10 * millisecond), '1:02.25');
  assert.equal(rulerText(at, 2 * millisecond), '1:02.250');
  assert.equal(rulerText(at, 8), '1:02.250', 'a whole millisecond is written in full');
  assert.equal(rulerText(at + 16, 8), '+16', 'frames since it are counted');
});

test('labels are at the same times for every start of the view', () => {
  const one = rulerMarks(0, 400_000, 10_000_000, 500).labels.map((label) => label.frame);
  const other = rulerMarks(12_345, 412_345, 10_000_000, 500).labels.map((label) => label.frame);
  assert.deepEqual(other.filter((frame) => frame <= 400_000), one.filter((frame) => frame >= 12_345));
});

test('minor ticks divide the step of the labels', () => {
  for (let framesPerPixel = 1 / 16; framesPerPixel < 500_000; framesPerPixel *= 1.7) {
    const step = labelStep(framesPerPixel, 3_600 * second);
    assert.equal(step % smallStep(step, framesPerPixel), 0);
  }
});

test('the accessible text of a time is exact', () => {
  assert.equal(spokenExactTime(0), '0 seconds');
  assert.equal(spokenExactTime(second), '1 second');
  assert.equal(spokenExactTime(62 * second + 12_000), '1 minute 2.25 seconds');
  assert.equal(spokenExactTime(3_600 * second), '60 minutes 0 seconds');
});
