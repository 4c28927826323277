// Random histories of several devices and a crashing server, with real libraries and a real server. A
// request can be lost, sent twice, or arrive long after its timeout. Pages and the server are killed.
// At the end all copies are equal, and every field has its latest edit.
// Use: node histories.mjs PROGRAM FOLDER COUNT SEED

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Cells } from '../../../client/tests/sync/support/cells';
import { Device, shown } from '../../../client/tests/sync/support/device';
import { Random } from '../../../client/tests/sync/support/random';
import { Tab } from '../../../client/tests/sync/support/world';
import type { ServerLike } from '../../../client/tests/sync/support/world';
import type { SyncAnswer } from '../../../client/src/sync/wire';

/** A library grows with each history. A new one after some histories keeps the comparisons short. */
const historiesPerLibrary = 20;
const [program = '', folder = '', count = '100', seed = '1'] = process.argv.slice(2);

/** The server, the connection to it, and a record of every edit that it accepted. */
class Studio implements ServerLike {
  requests = 0;
  late = 0;
  falls = 0;
  private readonly cells = new Cells();
  private readonly held: (() => Promise<Response>)[] = [];
  private origin = '';
  private child: ReturnType<typeof spawn> | null = null;

  constructor(private readonly library: string, private readonly random: Random) {}

  async start(): Promise<void> {
    const words = ['serve', '--port', '0', '--data', this.library];
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.child = child;
    this.origin = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        const port = /^Segmance is at \S+:(\d+)/.exec(String(text))?.[1];
        if (port) resolve(`http://localhost:${port}`);
      });
      child.on('exit', () => reject(new Error('The server ended at its start.')));
    });
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child) return;
    this.child = null;
    const ended = new Promise((resolve) => child.on('exit', () => resolve(null)));
    child.kill('SIGKILL');
    await ended;
  }

  /** Kills the server after a short delay, and starts it again. */
  async fall(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(() => resolve(null), milliseconds));
    await this.kill();
    this.falls += 1;
    await this.start();
  }

  async handle(url: string, request: RequestInit): Promise<Response> {
    this.requests += 1;
    const body = typeof request.body === 'string' ? request.body : null;
    const isSync = body !== null && url.endsWith('/api/sync');
    const send = async () => {
      const response = await fetch(this.origin + url, {
        method: request.method ?? 'GET', body,
        headers: { ...(request.headers as Record<string, string>), Origin: this.origin },
      });
      // An accepted request without a response is sent again.
      if (isSync && response.ok) this.cells.note(body, (await response.clone().json()) as SyncAnswer);
      return response;
    };
    if (isSync) {
      if (this.random.chance(0.1)) {
        this.held.push(send);
        if (this.random.chance(0.5)) throw new TypeError('fetch failed');
      }
    }
    return send();
  }

  /** Delivers one of the delayed requests. */
  async deliverLate(): Promise<void> {
    const [send] = this.held.splice(this.random.below(this.held.length), 1);
    if (!send) return;
    this.late += 1;
    const answer = await send().catch(() => null);
    await answer?.text();
  }

  async deliverAll(): Promise<void> {
    while (this.held.length > 0) await this.deliverLate();
  }

  /** Compares the server's values with the latest edit of every field; returns the number of fields. */
  check(): Promise<number> {
    return this.cells.check(this.origin);
  }
}

async function start(
  name: string, studio: Studio, random: Random, beside: Device | null = null,
): Promise<Device> {
  return Device.start(name, studio, random, beside, Date.now());
}

async function history(number: number, studio: Studio, random: Random): Promise<void> {
  const devices: Device[] = [];
  for (const name of ['anna', 'ben', 'cleo'].slice(0, 2 + random.below(2))) {
    const device = await start(`${name}-${number}`, studio, random);
    devices.push(device);
    if (random.chance(0.3)) devices.push(await start(`${name}2-${number}`, studio, random, device));
  }
  const fall = random.chance(0.05) ? studio.fall(random.below(60)) : null;
  for (let step = 15 + random.below(25); step > 0; step -= 1) {
    await random.pick(devices)?.step();
    if (random.chance(0.2)) await studio.deliverLate();
  }
  await fall;
  for (const { tab } of devices) {
    tab.fate = () => 'passes';
    tab.intercept = () => null;
    tab.isOnline = true;
  }
  for (const { tab, library } of devices) {
    await tab.advance(60_000);
    await library.refresh();
  }
  await studio.deliverAll();
  for (let round = 0; round < 2; round += 1) {
    for (const { tab, library } of devices) {
      await tab.advance(60_000);
      // The connection is unreliable to the end, so an exchange can need retries.
      let isDone = false;
      for (let attempt = 0; attempt < 20 && !isDone; attempt += 1) isDone = await library.refresh();
      assert(isDone, 'A device got no answer any more.');
    }
  }
  await compare(devices, studio, random);
}

async function compare(devices: readonly Device[], studio: Studio, random: Random): Promise<void> {
  const fresh = await start('fresh', studio, random);
  for (let attempt = 0; attempt < 20 && !(await fresh.library.refresh()); attempt += 1);
  const whole = await shown(fresh.library);
  for (const { name, library, own, tab } of devices) {
    assert.equal(library.status.waiting, 0, `${name} has edits that never arrived.`);
    assert.deepEqual(library.status.rejected, [], `An edit of ${name} was refused.`);
    same(await shown(library), whole, `The copy of ${name} differs.`);
    for (const [setting, value] of own) {
      assert.equal(fresh.library.get('setting', setting)?.value, value, `Lost: ${setting}.`);
    }
    const reopened = new Tab(tab.browser, studio, random);
    reopened.isOnline = false;
    same(await shown(await reopened.open()), whole, `What ${name} has stored differs.`);
  }
}

function same(one: unknown, other: unknown, sentence: string): void {
  assert(JSON.stringify(one) === JSON.stringify(other), sentence);
}

async function main(): Promise<void> {
  const told = { histories: 0, requests: 0, late: 0, falls: 0, fields: 0 };
  for (let number = 0; number < Number(count); ) {
    const random = new Random(Number(seed) * 1_000_003 + number);
    const studio = new Studio(`${folder}/library-${seed}-${number}`, random);
    await studio.start();
    try {
      for (let end = number + historiesPerLibrary; number < end && number < Number(count); number += 1) {
        await history(number, studio, random).catch((failure: unknown) => {
          throw new Error(`History ${number} of seed ${seed}: ${String(failure)}`);
        });
        told.histories += 1;
      }
      told.fields += await studio.check();
    } finally {
      await studio.kill();
    }
    told.requests += studio.requests;
    told.late += studio.late;
    told.falls += studio.falls;
  }
  console.log(JSON.stringify(told));
}

main().catch((failure: unknown) => {
  console.error(String(failure).replace(/\s+/g, ' '));
  process.exit(1);
});
