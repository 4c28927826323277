// Measured latencies: which one applies to the output that plays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedLatency, calibrationOf, readCalibrations, withCalibration, type Calibration } from '../../src/latency/calibrations';
import { nameOfDefault } from '../../src/latency/outputName';

const measured = (output: string, milliseconds: number, reported: number | null = null): Calibration => (
  { output, milliseconds, margin: 6, isSure: true, way: 'taps', reported }
);

test('what was stored is read again, and anything else is left out', () => {
  const all = [measured('Speaker', 250, 30), measured('', -20)];
  assert.deepEqual(readCalibrations(JSON.stringify(all)), all);
  for (const text of [null, '', '{', '{}', '7', 'null', '[null,7,"a"]', JSON.stringify([{ ...all[0], milliseconds: 9_000 }])]) {
    assert.deepEqual(readCalibrations(text), []);
  }
  assert.deepEqual(readCalibrations(JSON.stringify([7, all[1], { ...all[0], way: 'guess' }])), [all[1]]);
  assert.equal(readCalibrations(JSON.stringify(Array.from({ length: 90 }, (_, index) => measured(`${index}`, 1)))).length, 20);
});

test('a latency stays in its range and is a whole number', () => {
  assert.deepEqual([-80, 250.4, 4_000].map(boundedLatency), [-50, 250, 600]);
});

test('each named output has one calibration, the newest first', () => {
  const all = withCalibration(withCalibration([measured('A', 100)], measured('B', 200)), measured('A', 150));
  assert.deepEqual(all.map(({ output, milliseconds }) => [output, milliseconds]), [['A', 150], ['B', 200]]);
});

test('outputs without a name are told apart by what the browser states', () => {
  const all = withCalibration(withCalibration([measured('', 40, 20)], measured('', 260, 180)), measured('', 45, 30));
  assert.deepEqual(all.map(({ milliseconds }) => milliseconds), [45, 260]);
  assert.equal(calibrationOf(all, { name: '', reported: 190 }).calibration?.milliseconds, 260);
  assert.equal(calibrationOf(all, { name: '', reported: 25 }).calibration?.milliseconds, 45);
  assert.deepEqual(calibrationOf(all, { name: '', reported: 400 }), { calibration: null, isOther: true });
});

test('a named output has its own calibration, and another one has none', () => {
  const all = [measured('A', 100, 20), measured('B', 200, 20)];
  assert.equal(calibrationOf(all, { name: 'B', reported: 20 }).calibration?.milliseconds, 200);
  assert.equal(calibrationOf(all, { name: 'B', reported: 500 }).calibration?.milliseconds, 200);
  assert.deepEqual(calibrationOf(all, { name: 'C', reported: 20 }), { calibration: null, isOther: true });
  assert.deepEqual(calibrationOf([], { name: 'C', reported: 20 }), { calibration: null, isOther: false });
});

test('a calibration without a name applies once the browser tells the name, and the other way round', () => {
  assert.equal(calibrationOf([measured('', 100, 20)], { name: 'A', reported: 20 }).calibration?.milliseconds, 100);
  assert.equal(calibrationOf([measured('A', 100, 20)], { name: '', reported: null }).calibration?.milliseconds, 100);
});

test('the default output has the name of its device', () => {
  const device = { deviceId: 'x1', groupId: 'g1', label: 'AirPods' };
  const other = { deviceId: 'x2', groupId: 'g2', label: 'Speakers' };
  const standard = { deviceId: 'default', groupId: 'g1', label: 'Default - AirPods' };
  assert.equal(nameOfDefault([standard, other, device]), 'AirPods');
  assert.equal(nameOfDefault([standard, other]), 'Default - AirPods');
  assert.equal(nameOfDefault([{ deviceId: '', groupId: '', label: '' }]), '');
  assert.equal(nameOfDefault([other]), 'Speakers');
  assert.equal(nameOfDefault([other, device]), '');
  assert.equal(nameOfDefault([]), '');
});
