import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittedType, isBeside, largestSize, smallestType, type FittedType } from '../../src/stageView/fitting';

test('the largest size that fits is found, and the least one if none does', () => {
  for (const limit of [12, 13, 50, 399, 400, 800]) {
    assert.equal(largestSize((size) => size <= limit, 12, 400), Math.min(limit, 400));
  }
  assert.equal(largestSize(() => false, 12, 400), 12);
  assert.equal(largestSize(() => true, 12, 12), 12);
});

/** Text of letters 0.6 em wide on lines of 1.1 em, wrapped as a browser does. */
const measured = (text: string, width: number, height: number) => ({ size, breaksWords }: FittedType): boolean => {
  const perLine = Math.floor(width / (0.6 * size));
  let lines = 1;
  let used = 0;
  for (const word of text.split(' ')) {
    if (word.length > perLine && !breaksWords) return false;
    if (used > 0 && used + 1 + word.length > perLine) {
      lines += 1;
      used = 0;
    }
    used += (used > 0 ? 1 : 0) + word.length;
    if (perLine < 1) return false;
    lines += Math.ceil(used / perLine) - 1;
    used = ((used - 1) % perLine) + 1;
  }
  return lines * 1.1 * size <= height;
};
const fit = (text: string, width: number, height: number): FittedType => (
  fittedType(measured(text, width, height), { width, height }, height)
);

test('a text is as large as it can be without breaking a word', () => {
  assert.deepEqual(fit('Turn', 350, 280), { size: 145, breaksWords: false });
  assert.deepEqual(fit('Pirouette', 350, 280), { size: 64, breaksWords: false });
  assert.deepEqual(fit('Turn left', 350, 280), { size: 127, breaksWords: false });
  const long = fit('Grapevine to the left, then a slow walk back to the first spot', 350, 280);
  assert.equal(long.breaksWords, false);
  assert(long.size >= 40, `${long.size}`);
});

test('only a word of more than some twenty letters is broken', () => {
  assert.equal(fit('Zusammenarbeitsübung', 350, 280).breaksWords, false);
  const broken = fit('x'.repeat(60), 350, 280);
  assert.equal(broken.breaksWords, true);
  assert(broken.size > 30, `${broken.size}`);
  // Where nothing fits, it is the smallest type.
  assert.deepEqual(fit('x'.repeat(60), 10, 10), { size: smallestType, breaksWords: false });
});

test('the number stands beside the moves in a wide room', () => {
  assert.deepEqual([[844, 390], [390, 844], [1280, 800], [600, 600], [460, 358]].map(([width = 0, height = 0]) => isBeside({ width, height })),
    [true, false, true, false, true]);
});
