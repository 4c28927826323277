import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countMarks, eightStep, spacingOf } from '../../src/clipper/stage/countMarks';
import type { Beat } from '../../src/counts/grid';

const period = 24_000;

/** Beats of half a second; the first two are a pick-up. */
function beats(count: number): Beat[] {
  return Array.from({ length: count }, (_, at) => ({
    frame: at * period, place: 1, metre: 4, count: (at + 6) % 8 + 1, eight: Math.floor((at + 6) / 8),
  }));
}

const song = beats(480);
const spacing = spacingOf(song);
const all = (framesPerPixel: number): ReturnType<typeof countMarks> => (
  countMarks(song, spacing, -Infinity, Infinity, framesPerPixel)
);

test('near, every count has a line and a number, and every eight its own', () => {
  const marks = countMarks(song, spacing, 0, 20 * period, 500);
  assert.deepEqual(marks.eightLabels, [
    { frame: 2 * period, text: '1' }, { frame: 10 * period, text: '2' }, { frame: 18 * period, text: '3' },
  ]);
  assert.deepEqual(marks.eights, [2, 10, 18].map((beat) => beat * period));
  assert.equal(marks.counts.length, 18);
  // A pick-up counts up to the last count of an eight.
  assert.deepEqual(marks.countLabels.slice(0, 3).map(({ text }) => text), ['7', '8', '2']);
});

test('further away the numbers of counts go first, then their lines, then every second eight', () => {
  const shown = [500, 1_500, 3_000, 9_000, 20_000].map((framesPerPixel) => {
    const { eights, counts, countLabels } = all(framesPerPixel);
    return [eights.length, counts.length, countLabels.length];
  });
  assert.deepEqual(shown, [[60, 420, 420], [60, 420, 0], [60, 0, 0], [30, 0, 0], [15, 0, 0]]);
});

test('at every zoom lines and numbers have their room, and what is shown stays shown nearer', () => {
  let nearer: ReadonlySet<number> | null = null;
  for (let framesPerPixel = 10; framesPerPixel < 1_000_000; framesPerPixel *= 1.1) {
    const { eights, counts, eightLabels, countLabels } = all(framesPerPixel);
    const gaps = (frames: readonly number[]): readonly number[] => (
      frames.slice(1).map((frame, at) => (frame - (frames[at] ?? 0)) / framesPerPixel)
    );
    const lines = [...eights, ...counts].sort((one, other) => one - other);
    const labels = [...eightLabels, ...countLabels].sort((one, other) => one.frame - other.frame);
    assert(gaps(lines).every((gap) => gap >= 12));
    assert(gaps(eights).every((gap) => gap >= 24));
    assert(gaps(labels.map(({ frame }) => frame)).every((gap) => gap >= 26));
    const lined = new Set(lines);
    assert(labels.every(({ frame }) => lined.has(frame)));
    if (nearer) for (const line of lines) assert(nearer.has(line));
    nearer = lined;
  }
});

test('marked eights do not change while the view is panned', () => {
  const whole = new Set(all(9_000).eights);
  for (let start = 0; start < 200; start += 7) {
    const { eights } = countMarks(song, spacing, start * period, (start + 100) * period, 9_000);
    assert(eights.length > 0 && eights.every((frame) => whole.has(frame)));
  }
});

test('a song of one eight or of one beat needs no step', () => {
  assert.equal(eightStep(spacingOf(beats(5)).eightFrames, 1e9, 24), 1);
  assert.equal(spacingOf(beats(1)).countFrames, Infinity);
  assert.deepEqual(countMarks([], spacingOf([]), 0, 100, 1).eights, []);
});

test('a few fast beats do not thin out the lines of the whole song', () => {
  const fast = song.map((beat, at) => (at === 100 ? { ...beat, frame: beat.frame + period - 10 } : beat));
  assert.deepEqual(spacingOf(fast), spacing);
});
