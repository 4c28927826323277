// The watch over the sound output, with a player and devices of the test's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCalibrations, type Calibration } from '../../src/latency/calibrations';
import { OutputWatch } from '../../src/latency/outputWatch';
import { Listeners } from '../../src/sync/listeners';

const speaker: Calibration = { output: '', milliseconds: 250, margin: 6, isSure: true, way: 'taps', reported: 30 };

async function studio({ stored = [] as Calibration[], name = '', reported = 0.03, writes = true } = {}) {
  const progress = new Listeners();
  const devices = new Listeners();
  const written = new Listeners();
  const state = { text: JSON.stringify(stored), name, reported, isSounding: true, now: 0 };
  const given: (number | null)[] = [];
  const told: string[] = [];
  const watch = new OutputWatch();
  watch.start({
    setLatency: (seconds) => given.push(seconds),
    get reportedLatency() { return state.reported; },
    get isSounding() { return state.isSounding; },
    subscribe: progress.add,
    outputName: () => Promise.resolve(state.name),
    onDevices: devices.add,
    onWritten: written.add,
    read: () => state.text,
    write: (text) => { if (writes) state.text = text; },
    clock: () => state.now,
    tellChange: (which) => told.push(which),
  });
  const settled = (): Promise<void> => Promise.resolve().then(() => undefined).then(() => undefined).then(() => undefined);
  await settled();
  return {
    watch, state, told,
    latency: () => given[given.length - 1],
    stored: () => readCalibrations(state.text),
    /** Plays for so many seconds. */
    play: (seconds: number) => {
      for (let second = 0; second < 4 * seconds; second += 1) {
        state.now += 250;
        progress.tell();
      }
    },
    changeDevices: (now: string) => {
      state.name = now;
      devices.tell();
      return settled();
    },
    writeElsewhere: (all: Calibration[]) => {
      state.text = JSON.stringify(all);
      written.tell();
    },
  };
}

test('without a calibration the browser’s figure applies, and nothing is said', async () => {
  const { latency, play, changeDevices, told, watch } = await studio();
  play(10);
  await changeDevices('');
  assert.equal(latency(), null);
  assert.deepEqual(told, []);
  assert.equal(watch.milliseconds, 30);
});

test('a stored calibration applies at once, and while the browser’s figure stays about the same', async () => {
  const { latency, play, told, state } = await studio({ stored: [speaker] });
  assert.equal(latency(), 0.25);
  for (const reported of [0.03, 0.06, 0, 0.08]) {
    state.reported = reported;
    play(5);
  }
  assert.equal(latency(), 0.25);
  assert.deepEqual(told, []);
});

test('a much different figure is another output, which is asked about once', async () => {
  const { latency, play, told, state, watch } = await studio({ stored: [speaker] });
  state.reported = 0.2;
  play(2);
  assert.equal(latency(), 0.25);
  play(10);
  assert.equal(latency(), null);
  assert.deepEqual(told, ['']);
  assert.equal(watch.isAsking, true);
  state.reported = 0.03;
  play(10);
  assert.equal(latency(), 0.25);
  assert.equal(watch.isAsking, false);
});

test('a figure that is strange for a moment changes nothing', async () => {
  const { latency, play, told, state } = await studio({ stored: [speaker] });
  play(3);
  state.reported = 0.3;
  play(1);
  state.reported = 0.03;
  play(5);
  state.isSounding = false;
  state.reported = 0.3;
  play(20);
  assert.equal(latency(), 0.25);
  assert.deepEqual(told, []);
});

test('to keep applies what was measured to the output that plays now', async () => {
  const { latency, play, state, watch, stored } = await studio({ stored: [speaker] });
  state.reported = 0.2;
  play(10);
  watch.keep();
  assert.equal(latency(), 0.25);
  assert.equal(watch.isAsking, false);
  play(20);
  assert.equal(latency(), 0.25);
  assert.deepEqual(stored().map(({ reported }) => reported), [200, 30]);
});

test('devices that come or go without a name are asked about, and what was measured applies meanwhile', async () => {
  const { latency, told, changeDevices, watch } = await studio({ stored: [speaker] });
  await changeDevices('');
  await changeDevices('');
  assert.deepEqual(told, ['']);
  assert.equal(latency(), 0.25);
  assert.equal(watch.isAsking, true);
  watch.keep();
  await changeDevices('');
  assert.deepEqual(told, ['', '']);
});

test('named outputs have their own latencies, and a new one is told of', async () => {
  const { latency, told, changeDevices, watch } = await studio({ name: 'Speakers' });
  watch.save({ milliseconds: 40, margin: 5, isSure: true, way: 'microphone' });
  await changeDevices('AirPods');
  assert.equal(latency(), null);
  assert.deepEqual(told, ['AirPods']);
  watch.save({ milliseconds: 251.4, margin: 5.2, isSure: true, way: 'taps' });
  assert.equal(latency(), 0.251);
  await changeDevices('Speakers');
  assert.equal(latency(), 0.04);
  await changeDevices('AirPods');
  assert.equal(latency(), 0.251);
  assert.deepEqual(told, ['AirPods']);
});

test('a known name at the start is no change', async () => {
  const { told, latency } = await studio({ name: 'Speakers', stored: [{ ...speaker, output: 'AirPods' }] });
  assert.deepEqual(told, []);
  assert.equal(latency(), null);
});

test('to forget brings back the browser’s figure', async () => {
  const { watch, latency, stored } = await studio({ stored: [speaker] });
  watch.forget();
  assert.equal(latency(), null);
  assert.deepEqual(stored(), []);
  assert.equal(watch.isAsking, false);
});

test('a browser that stores nothing keeps the latency for this visit', async () => {
  const { watch, latency, play } = await studio({ writes: false });
  watch.save({ milliseconds: 180, margin: 0, isSure: true, way: 'hand' });
  play(5);
  assert.equal(latency(), 0.18);
});

test('what another tab has measured applies here', async () => {
  const { writeElsewhere, latency } = await studio();
  writeElsewhere([speaker]);
  assert.equal(latency(), 0.25);
});
