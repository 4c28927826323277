import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsBy } from '../../src/clipper/countSteps';
import type { TrackCounts } from '../../src/clipper/useTrackCounts';
import type { Borders } from '../../src/clipper/useBorders';

/** Counts each 1,000 frames from 0 to 100,000. */
const counts = {
  grid: {
    movedByCounts: (frame: number, by: number) => within(frame + 1_000 * by),
    movedByEights: (frame: number, by: number) => within(frame + 8_000 * by),
  },
} as unknown as TrackCounts;
const within = (frame: number): number | null => (frame < 0 || frame > 100_000 ? null : frame);

const bordersWith = (
  selection: Borders['selection'], end: { minFrame: number; maxFrame: number } | null,
): Borders => ({ selection, endOf: () => end } as unknown as Borders);

test('a track without counts has no steps', () => {
  assert.equal(stepsBy(null, bordersWith(null, null), 90_000), null);
});

test('an end of the selection moves by a count or an eight, not past the other end or the song', () => {
  const step = stepsBy(counts, bordersWith({ startFrame: 20_000, endFrame: 30_000 }, null), 90_000);
  assert.equal(step?.('start', 20_000, { unit: 'count', direction: 1 }), 21_000);
  assert.equal(step?.('start', 20_000, { unit: 'eight', direction: -1 }), 12_000);
  // It would leave less than a tenth of a second.
  assert.equal(step?.('start', 20_000, { unit: 'eight', direction: 1 }), null);
  assert.equal(step?.('end', 30_000, { unit: 'eight', direction: -1 }), null);
  assert.equal(step?.('end', 85_000, { unit: 'eight', direction: 1 }), null);
  assert.equal(step?.('start', 500, { unit: 'count', direction: -1 }), null);
});

test('an end of a piece moves within the limits of its border', () => {
  const step = stepsBy(counts, bordersWith({ startFrame: 20_000, endFrame: 50_000 }, { minFrame: 45_000, maxFrame: 52_000 }), 90_000);
  assert.equal(step?.('end', 50_000, { unit: 'count', direction: 1 }), 51_000);
  assert.equal(step?.('end', 50_000, { unit: 'eight', direction: 1 }), null);
  assert.equal(step?.('end', 50_000, { unit: 'eight', direction: -1 }), null);
});
