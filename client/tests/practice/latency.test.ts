// Latency from taps and recordings, through the real module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chirps, tapClicks } from '../../src/generated/practice';
import { isMeasured, latencyOfRecording, latencyOfTaps, latencySound } from '../../src/practice/latency';
import { practice, second } from './studio';

const taps = (count: number, late: number): number[] => (
  Array.from({ length: count }, (_, click) => 1 + click * tapClicks.periodSeconds + late)
);

test('steady taps give the latency, and whether it is sure', () => {
  const clicks = { first: 1, reported: 0 };
  const found = latencyOfTaps(practice, clicks, taps(20, 0.25));
  assert.equal(Math.abs(found.seconds - 0.25) < 1e-6, true);
  assert.equal(found.certainty, 'sure');
  assert.equal(found.obstacle, 'nothing');
  assert.equal(found.marginSeconds > 0.003 && found.marginSeconds <= 0.01, true);
  assert.equal(latencyOfTaps(practice, clicks, []).obstacle, 'tooFew');
  assert.equal(latencyOfTaps(practice, clicks, taps(9, 0.25)).certainty, 'unsure');
});

test('a measurement is over when it is sure, at the latest after the last click', () => {
  assert.equal(isMeasured(practice, tapClicks.least, 'unsure'), false);
  assert.equal(isMeasured(practice, tapClicks.least, 'sure'), true);
  assert.equal(isMeasured(practice, tapClicks.most, 'none'), true);
});

test('a recording of chirps gives the latency', () => {
  const chirp = latencySound(practice, 'chirp');
  const samples = new Float32Array(10 * second);
  const frames = chirps.offsetsSeconds.map((offset) => Math.round((0.1 + offset) * second));
  for (const frame of frames) {
    chirp.forEach((value: number, index: number) => { samples[frame + 12_000 + index] = 0.1 * value; });
  }
  const found = latencyOfRecording(practice, samples, frames, 0);
  assert.equal(Math.abs(found.seconds - 0.24) < 0.0005, true);
  assert.equal(found.certainty, 'sure');
  assert.equal(found.used, frames.length);
  assert.equal(latencyOfRecording(practice, samples, frames, null).obstacle, 'unknownInput');
  assert.equal(latencyOfRecording(practice, new Float32Array(second), frames, 0).obstacle, 'silent');
});

test('clicks begin at once, and the ones between are quieter', () => {
  const loudest = (samples: Float32Array): number => samples.reduce((most: number, value: number) => Math.max(most, Math.abs(value)), 0);
  const click = latencySound(practice, 'click');
  assert.equal(loudest(click.subarray(0, 48)) === loudest(click), true);
  assert.equal(loudest(latencySound(practice, 'between')) * 6 < loudest(click), true);
});

test('measurements leave no memory behind', () => {
  const samples = new Float32Array(second);
  samples.fill(0.01);
  const measure = (): void => {
    latencyOfRecording(practice, samples, [0], 0);
    latencyOfTaps(practice, { first: 0, reported: 0 }, taps(40, 0.1));
  };
  measure();
  const before = practice.memory.buffer.byteLength;
  for (let turn = 0; turn < 20; turn += 1) measure();
  assert.equal(practice.memory.buffer.byteLength, before);
});
