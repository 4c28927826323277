import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestsOf, speedPicture } from '../../src/progress/speedPicture';

const box = { width: 100, height: 75 };

test('only days with a new best are kept', () => {
  const days = [[1, 50], [2, 40], [3, 50], [4, 60], [9, 0], [10, 61]].map(([day = 0, percent = 0]) => ({ day, percent }));
  assert.deepEqual(bestsOf(days).map(({ day }) => day), [1, 4, 10]);
  assert.deepEqual(bestsOf([{ day: 1, percent: 0 }]), []);
});

test('the line rises on the days of the bests and goes on until today', () => {
  const picture = speedPicture([{ day: 100, percent: 50 }, { day: 120, percent: 75 }], 100, 140, box);
  // From 25 percent on the ground to the target at the top: a unit for each percent.
  assert.equal(picture.line, 'M0 50H50V25H100');
  assert.equal(picture.area, 'M0 50H50V25H100V75H0Z');
  assert.equal(picture.targetY, 0);
  assert.deepEqual(picture.end, { x: 50, y: 25 });
  assert.deepEqual([picture.firstDay, picture.lastDay], [100, 140]);
});

test('a best above the target raises the top', () => {
  const picture = speedPicture([{ day: 0, percent: 125 }], 100, 50, box);
  assert.deepEqual([picture.end.y, picture.targetY], [0, 18.75]);
});

test('the first days of practice stand at the end of two weeks', () => {
  const picture = speedPicture([{ day: 500, percent: 80 }], 100, 500, box);
  assert.deepEqual([picture.firstDay, picture.lastDay, picture.end.x], [487, 500, 100]);
});

test('a day of a clock that was ahead is inside the picture', () => {
  const picture = speedPicture([{ day: 500, percent: 80 }, { day: 503, percent: 90 }], 100, 501, box);
  assert.deepEqual([picture.lastDay, picture.end.x], [503, 100]);
});

test('any speeds and targets stay inside the box', () => {
  for (let percent = 1; percent <= 200; percent += 13) {
    for (let target = 25; target <= 200; target += 25) {
      const { line, targetY } = speedPicture([{ day: 3, percent: 25 }, { day: 7, percent }], target, 9, box);
      const numbers = [...line.matchAll(/[\d.-]+/g)].map(Number);
      assert.equal([...numbers, targetY].every((value) => value >= 0 && value <= 100), true, `${percent} of ${target}: ${line}`);
    }
  }
});
