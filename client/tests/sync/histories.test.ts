// Random histories of several devices with lost, repeated and refused requests, restarts and crashes.
// All copies are equal at the end and no edit is lost. SEGMANCE_HISTORIES sets the number of histories.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Device, shown } from './support/device';
import { FakeServer } from './support/fake-server';
import { Random } from './support/random';
import { Tab } from './support/world';

const histories = Number(process.env['SEGMANCE_HISTORIES'] ?? 300);
async function history(seed: number): Promise<void> {
  const random = new Random(seed);
  const server = new FakeServer();
  server.pageSize = 1 + random.below(6);
  if (random.chance(0.7)) server.wallClock = () => 1_700_000_000_000;
  const devices: Device[] = [];
  for (const name of ['anna', 'ben', 'cleo'].slice(0, 2 + random.below(2))) {
    const device = await Device.start(name, server, random);
    devices.push(device);
    if (random.chance(0.4)) devices.push(await Device.start(`${name}2`, server, random, device));
  }
  for (let step = 20 + random.below(30); step > 0; step -= 1) {
    await random.pick(devices)?.step();
  }
  for (const { tab } of devices) {
    tab.fate = () => 'passes';
    tab.intercept = () => null;
    tab.isOnline = true;
  }
  for (const { tab, library } of [...devices, ...devices]) {
    await tab.advance(60_000);
    assert.equal(await library.refresh(), true);
  }
  const fresh = await Device.start('fresh', server, random);
  for (const { name, library, own } of devices) {
    assert.equal(library.status.waiting, 0, `${name}, seed ${seed}`);
    assert.deepEqual(library.status.rejected, []);
    assert.deepEqual(await shown(library), await shown(fresh.library), `${name}, seed ${seed}`);
    for (const [setting, value] of own) {
      assert.equal(fresh.library.get('setting', setting)?.value, value, `${setting}, seed ${seed}`);
    }
  }
  for (const { tab } of devices) {
    const reopened = new Tab(tab.browser, server, random);
    reopened.isOnline = false;
    assert.deepEqual(await shown(await reopened.open()), await shown(fresh.library), `on disk, seed ${seed}`);
  }
}

test(`${histories} random histories end in the same copies everywhere, and no edit is lost`, async () => {
  for (let seed = 0; seed < histories; seed += 1) await history(seed);
});
