import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortestStretchFrames } from '../../src/timeline';
import { selectionBetween, setEnd, withEnd, type Selection } from '../../src/clipper/model/selection';
import { Random } from '../sync/support/random';

test('random dragging keeps the handles in order and inside the song', () => {
  const random = new Random(7);
  for (let round = 0; round < 500; round += 1) {
    const length = shortestStretchFrames + random.below(2_000_000);
    let selection: Selection | null = null;
    for (let drag = 0; drag < 40; drag += 1) {
      const frame = random.next() * 3 * length - length;
      const which = random.chance(0.5) ? 'start' : 'end';
      if (selection === null || random.chance(0.1)) {
        selection = selectionBetween(random.next() * 2 * length - length / 2, frame, length);
      } else if (random.chance(0.3)) selection = setEnd(selection, which, frame, length);
      else selection = withEnd(selection, which, frame, length);
      const { startFrame, endFrame }: Selection = selection;
      assert(
        Number.isInteger(startFrame) && Number.isInteger(endFrame) && startFrame >= 0 && endFrame <= length
        && endFrame - startFrame >= shortestStretchFrames,
        JSON.stringify({ selection, frame, which, length }),
      );
    }
  }
});

test('a handle stops a tenth of a second before the other handle', () => {
  const selection = { startFrame: 48_000, endFrame: 96_000 };
  assert.deepEqual(withEnd(selection, 'start', 200_000, 480_000), { startFrame: 91_200, endFrame: 96_000 });
  assert.deepEqual(withEnd(selection, 'end', 0, 480_000), { startFrame: 48_000, endFrame: 52_800 });
});

test('a selection can be drawn backwards', () => {
  assert.deepEqual(selectionBetween(90_000, 10_000, 480_000), { startFrame: 10_000, endFrame: 90_000 });
  assert.deepEqual(selectionBetween(480_000, 480_000, 480_000), { startFrame: 475_200, endFrame: 480_000 });
});

test('a start after the end selects the rest of the song, and an end before the start selects all before it', () => {
  const selection = { startFrame: 48_000, endFrame: 96_000 };
  assert.deepEqual(setEnd(selection, 'start', 200_000, 480_000), { startFrame: 200_000, endFrame: 480_000 });
  assert.deepEqual(setEnd(selection, 'end', 20_000, 480_000), { startFrame: 0, endFrame: 20_000 });
  assert.deepEqual(setEnd(null, 'start', 20_000, 480_000), { startFrame: 20_000, endFrame: 480_000 });
});
