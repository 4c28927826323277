// The loudness of stretches, and the gains of songs, through the real module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evenGains, levelOf, type LevelSteps } from '../../src/practice/levels';
import { practice, second } from './studio';

const steps: LevelSteps = {
  stepFrames: 4_800,
  loudness: [...Array<number>(100).fill(-1_400), ...Array<number>(100).fill(-2_600)],
  peaks: [...Array<number>(100).fill(-300), ...Array<number>(100).fill(-1_500)],
};

function near(actual: number, expected: number): void {
  assert.equal(Math.abs(actual - expected) < 1e-6, true, `${actual} is not ${expected}`);
}

test('a stretch is as loud as its steps', () => {
  const soft = levelOf(practice, steps, [{ startFrame: 10 * second, endFrame: 20 * second }]);
  near(soft.loudness, -26);
  assert.equal(soft.truePeak, -15);
  const both = levelOf(practice, steps, [
    { startFrame: 0, endFrame: 2 * second }, { startFrame: 10 * second, endFrame: 12 * second }]);
  assert.equal(both.loudness > -18 && both.loudness < -14, true);
  assert.equal(both.truePeak, -3);
});

test('what is silent or empty has no loudness, and no gain', () => {
  const silent = levelOf(practice, { ...steps, loudness: steps.loudness.map(() => -12_000) }, [{ startFrame: 0, endFrame: second }]);
  assert.equal(silent.loudness, NaN);
  assert.equal(levelOf(practice, { stepFrames: 4_800, loudness: [], peaks: [] }, []).loudness, NaN);
  const gains = evenGains(practice, [
    { loudness: -14, truePeak: -3 }, silent, { loudness: -26, truePeak: -15 }]);
  assert.equal(gains.length, 3);
  near(gains[0] ?? 0, 1);
  near(gains[1] ?? 0, 1);
  near(gains[2] ?? 0, 10 ** (12 / 20));
  assert.deepEqual(evenGains(practice, []), []);
});

test('memory does not grow with each question', () => {
  const ask = (): void => {
    levelOf(practice, steps, [{ startFrame: 0, endFrame: 20 * second }]);
    evenGains(practice, [{ loudness: -14, truePeak: -3 }, { loudness: -26, truePeak: -15 }]);
  };
  for (let round = 0; round < 20; round += 1) ask();
  const before = practice.memory.buffer.byteLength;
  for (let round = 0; round < 500; round += 1) ask();
  assert.equal(practice.memory.buffer.byteLength, before);
});
