// Two browsers edit offline for a while and come back in either order, over and over, with lost and
// doubled requests: real libraries against a real server. Use: node rounds.mjs ORIGIN ROUNDS SEED

import assert from 'node:assert/strict';
import { Cells } from '../../../client/tests/sync/support/cells';
import { Device, shown } from '../../../client/tests/sync/support/device';
import { Random } from '../../../client/tests/sync/support/random';
import type { ServerLike } from '../../../client/tests/sync/support/world';
import type { SyncAnswer } from '../../../client/src/sync/wire';

declare const process: { readonly argv: readonly string[] };

const [origin = '', rounds = '200', seed = '1'] = process.argv.slice(2);
const random = new Random(Number(seed));
const fates = ['requestLost', 'answerLost', 'twice', 'passes'] as const;
let requests = 0;
const cells = new Cells();

const server: ServerLike = {
  handle: async (url, request) => {
    requests += 1;
    const headers = { ...(request.headers as Record<string, string>), Origin: origin };
    // A connection of Node's knows nothing of `keepalive` after a page is gone.
    const response = await fetch(origin + url, {
      method: request.method ?? 'GET', body: request.body ?? null, headers,
    });
    if (url.endsWith('/api/sync') && response.ok) {
      cells.note(String(request.body), (await response.clone().json()) as SyncAnswer);
    }
    return response;
  },
};

async function device(name: string): Promise<Device> {
  const made = await Device.start(name, server, random);
  made.tab.now = Date.now();
  return made;
}

async function comeBack(each: Device): Promise<void> {
  each.tab.isOnline = true;
  each.tab.intercept = () => null;
  each.tab.fate = () => (random.chance(0.6) ? random.pick(fates) ?? 'passes' : 'passes');
  each.tab.happens('online');
  await each.tab.advance(5_000);
}

async function round(number: number, devices: readonly Device[]): Promise<void> {
  for (const each of devices) each.tab.isOnline = false;
  for (let step = 6 + random.below(15); step > 0; step -= 1) await random.pick(devices)?.step();
  for (const each of random.chance(0.5) ? devices : [...devices].reverse()) await comeBack(each);
  for (const each of [...devices, ...devices]) {
    each.tab.fate = () => 'passes';
    await each.tab.advance(60_000);
    assert.equal(await each.library.refresh(), true, `round ${number}`);
  }
  const [one, other] = devices;
  assert(one && other);
  for (const { library, name } of devices) {
    assert.equal(library.status.waiting, 0, `${name}, round ${number}`);
    assert.deepEqual(library.status.rejected, [], `${name}, round ${number}`);
  }
  assert.deepEqual(shown(one.library), shown(other.library), `round ${number}`);
  // What only one device writes is there as it was last written, on both.
  for (const { library } of devices) {
    for (const { own } of devices) {
      for (const [setting, value] of own) {
        assert.equal(library.get('setting', setting)?.value, value, `${setting}, round ${number}`);
      }
    }
  }
}

async function main(): Promise<void> {
  const devices = [await device('phone'), await device('laptop')];
  for (let number = 0; number < Number(rounds); number += 1) await round(number, devices);
  const fresh = await device('fresh');
  assert.equal(await fresh.library.refresh(), true);
  assert.deepEqual(shown(fresh.library), shown(devices[0]?.library ?? fresh.library));
  const fields = await cells.check(origin);
  const count = fresh.library.all('routine').length + fresh.library.all('move').length;
  console.log(JSON.stringify({ rounds: Number(rounds), requests, routinesAndMoves: count, fields }));
}

void main();
