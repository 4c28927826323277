import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clearSection, dragMarker, loopStateOf, ordered, pressLoop, pressSection, sectionStep, setMarker, snappedChange,
  stepMarker, type LoopState, type Stops,
} from '../../src/parts/section';
import { shortestStretchFrames } from '../../src/timeline';

const bounds = { startFrame: 100_000, endFrame: 900_000 };
const nothing: LoopState = { loopMode: 'off', markerA: null, markerB: null };

test('the section button sets A, then B and starts the section, then switches it off and on', () => {
  const a = pressSection(nothing, 200_000, bounds);
  assert.deepEqual(a, { loopMode: 'off', markerA: 200_000, markerB: null });
  assert.equal(sectionStep(a), 'setB');
  const b = pressSection(a, 300_000, bounds);
  assert.deepEqual(b, { loopMode: 'section', markerA: 200_000, markerB: 300_000 });
  const off = pressSection(b, 250_000, bounds);
  assert.deepEqual(off, { ...b, loopMode: 'off' });
  assert.deepEqual(pressSection(off, 1, bounds), b);
});

test('markers in the wrong order are swapped', () => {
  const a = pressSection(nothing, 500_000, bounds);
  assert.deepEqual(pressSection(a, 200_000, bounds), {
    loopMode: 'section', markerA: 200_000, markerB: 500_000,
  });
  const b = setMarker(nothing, 'b', 300_000, bounds);
  assert.deepEqual(b, { loopMode: 'off', markerA: null, markerB: 300_000 });
  assert.deepEqual(setMarker(b, 'a', 700_000, bounds), {
    loopMode: 'section', markerA: 300_000, markerB: 700_000,
  });
});

test('an active section switches the whole loop off, and the whole loop switches the section off', () => {
  const looping: LoopState = { loopMode: 'whole', markerA: 200_000, markerB: null };
  const section = pressSection(looping, 300_000, bounds);
  assert.equal(section.loopMode, 'section');
  assert.deepEqual(pressLoop(section), { loopMode: 'whole', markerA: 200_000, markerB: 300_000 });
  assert.equal(pressLoop(pressLoop(section)).loopMode, 'off');
});

test('clearing removes both markers and keeps the whole loop', () => {
  assert.deepEqual(clearSection({ loopMode: 'section', markerA: 1, markerB: 2 }), nothing);
  assert.deepEqual(clearSection({ loopMode: 'whole', markerA: 1, markerB: 2 }), {
    loopMode: 'whole', markerA: null, markerB: null,
  });
});

test('a section is never shorter than a tenth of a second and never leaves the part', () => {
  for (let one = 90_000; one <= 910_000; one += 3_777) {
    for (const distance of [0, 1, 4_799, 4_800, 60_000, -2, -70_000]) {
      const { markerA, markerB } = ordered(one, one + distance, bounds);
      assert(markerA >= bounds.startFrame && markerB <= bounds.endFrame);
      assert(markerB - markerA >= shortestStretchFrames, `${one} ${distance}`);
    }
  }
});

test('two quick presses make a section of a second, and the first one stays', () => {
  const second = 48_000;
  const a = pressSection(nothing, 200_000, bounds);
  assert.deepEqual(pressSection(a, 200_400, bounds), { loopMode: 'section', markerA: 200_000, markerB: 200_000 + second });
  assert.deepEqual(setMarker(a, 'b', 199_000, bounds), { loopMode: 'section', markerA: 200_000 - second, markerB: 200_000 });
  const late = pressSection(nothing, 899_000, bounds);
  assert.deepEqual(pressSection(late, 899_500, bounds), { loopMode: 'section', markerA: 900_000 - second, markerB: 900_000 });
  const short = { startFrame: 0, endFrame: 20_000 };
  assert.deepEqual(pressSection(pressSection(nothing, 5_000, short), 6_000, short), { loopMode: 'section', markerA: 0, markerB: 20_000 });
});

test('a drag makes a section as short as a tenth of a second', () => {
  const state: LoopState = { loopMode: 'section', markerA: 200_000, markerB: 300_000 };
  assert.equal(dragMarker(state, 'b', 200_001, bounds).state.markerB, 200_000 + shortestStretchFrames);
});

test('a part shorter than the shortest section is its own section', () => {
  const short = { startFrame: 10, endFrame: 100 };
  assert.deepEqual(ordered(50, 50, short), { markerA: 10, markerB: 100 });
});

test('a marker dragged past the other exchanges letters with it, and the other does not move', () => {
  let held: { state: LoopState; which: 'a' | 'b' } = {
    state: { loopMode: 'section', markerA: 200_000, markerB: 300_000 }, which: 'a',
  };
  for (let frame = 200_000; frame <= 500_000; frame += 1_111) {
    held = dragMarker(held.state, held.which, frame, bounds);
    assert([held.state.markerA, held.state.markerB].includes(300_000), `at ${frame}`);
  }
  assert.equal(held.which, 'b');
  assert.equal(held.state.markerA, 300_000);
});

test('a marker dragged to the end of the part keeps the minimum distance from the other', () => {
  const state: LoopState = { loopMode: 'section', markerA: 200_000, markerB: 900_000 };
  assert.deepEqual(dragMarker(state, 'a', 990_000, bounds).state, {
    loopMode: 'section', markerA: 895_200, markerB: 900_000,
  });
});

test('stored markers outside the part, or a section without both markers, loop nothing', () => {
  assert.deepEqual(loopStateOf({ loopMode: 'section', markerA: 5, markerB: 300_000 }, bounds), {
    loopMode: 'off', markerA: null, markerB: 300_000,
  });
  assert.deepEqual(loopStateOf({}, bounds), nothing);
});

/** Counts each 20,000 frames, 110,000 being the first in the part. */
const counts: Stops = {
  nearest: (frame) => Math.min(900_000, Math.max(100_000, 110_000 + Math.round((frame - 110_000) / 20_000) * 20_000)),
  next: (frame, direction) => {
    const count = direction > 0 ? Math.floor((frame - 110_000) / 20_000) + 1 : Math.ceil((frame - 110_000) / 20_000) - 1;
    const next = Math.min(900_000, Math.max(100_000, 110_000 + count * 20_000));
    return next === frame ? null : next;
  },
};
const section = (markerA: number, markerB: number): LoopState => ({ loopMode: 'section', markerA, markerB });

test('A and B snap to the nearest count, and stay inside the part', () => {
  const a = pressSection(nothing, 204_000, bounds, counts);
  assert.equal(a.markerA, 210_000);
  assert.deepEqual(pressSection(a, 311_000, bounds, counts), section(210_000, 310_000));
  assert.equal(setMarker(nothing, 'a', 101_000, bounds, counts).markerA, 110_000);
  assert.equal(setMarker(nothing, 'a', 99_000, bounds, counts).markerA, 100_000);
  assert.equal(setMarker(nothing, 'b', 905_000, bounds, counts).markerB, 900_000);
});

test('two quick presses that snap make a section of whole counts, a second at least', () => {
  const a = pressSection(nothing, 204_000, bounds, counts);
  assert.deepEqual(pressSection(a, 205_000, bounds, counts), section(210_000, 270_000));
  assert.deepEqual(setMarker(a, 'b', 199_000, bounds, counts), section(150_000, 210_000));
  const late = pressSection(nothing, 895_000, bounds, counts);
  assert.deepEqual(pressSection(late, 899_000, bounds, counts), section(852_000, 900_000));
});

test('a dragged marker snaps, never onto the other one', () => {
  assert.equal(dragMarker(section(210_000, 310_000), 'b', 401_000, bounds, counts).state.markerB, 410_000);
  assert.equal(dragMarker(section(210_000, 310_000), 'b', 211_000, bounds, counts).state.markerB, 230_000);
  const passed = dragMarker(section(210_000, 310_000), 'b', 209_000, bounds, counts);
  assert.deepEqual(passed, { state: section(190_000, 210_000), which: 'a' });
});

test('a marker is stepped to the next count, and without counts by a tenth of a second', () => {
  const state = section(204_000, 310_000);
  assert.equal(stepMarker(state, 'a', 1, bounds, counts)?.markerA, 210_000);
  assert.equal(stepMarker(state, 'a', -1, bounds, counts)?.markerA, 190_000);
  assert.deepEqual(stepMarker(state, 'b', 1, bounds, null), { ...state, markerB: 314_800 });
  assert.equal(stepMarker(section(101_000, 310_000), 'a', -1, bounds, null)?.markerA, 100_000);
});

test('a marker is not stepped over the border of the part, nor over the other marker', () => {
  assert.equal(stepMarker(section(100_000, 310_000), 'a', -1, bounds, counts), null);
  assert.equal(stepMarker(section(100_000, 310_000), 'a', -1, bounds, null), null);
  assert.equal(stepMarker(section(290_000, 310_000), 'a', 1, bounds, counts), null);
  assert.equal(stepMarker(section(290_000, 310_000), 'b', -1, bounds, counts), null);
  assert.equal(stepMarker(nothing, 'a', 1, bounds, counts), null);
});

test('of markers that a remote sets only the moved ones snap', () => {
  const before = section(204_000, 310_000);
  assert.deepEqual(snappedChange(before, section(204_000, 393_000), counts), section(204_000, 390_000));
  assert.deepEqual(snappedChange(nothing, { ...nothing, markerA: 393_000 }, counts), { ...nothing, markerA: 390_000 });
  assert.deepEqual(snappedChange(before, section(204_000, 393_000), null), section(204_000, 393_000));
});
