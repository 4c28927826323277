// Random histories of several devices with lost, doubled and refused requests, restarts and crashes:
// in the end all copies are the same and no edit is lost. SEGMANCE_HISTORIES sets how many.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalLibrary } from '../../src/sync/library';
import type { RecordType } from '../../src/sync/records';
import { FakeServer, problem } from './support/fake-server';
import { Random } from './support/random';
import { Browser, Tab, turn } from './support/world';

const histories = Number(process.env['SEGMANCE_HISTORIES'] ?? 300);
const types: readonly RecordType[] = ['routine', 'part', 'move', 'moveType', 'setting'];

/** One device, or one of two tabs on a device, that is restarted now and then. */
class Device {
  /** What this device last wrote into fields that no other writes. */
  readonly own = new Map<string, string>();
  private undo: (() => void) | null = null;

  private constructor(
    readonly name: string,
    private readonly browser: Browser,
    private readonly server: FakeServer,
    private readonly random: Random,
    public tab: Tab,
    public library: LocalLibrary,
    private readonly isAlone: boolean,
  ) {}

  /** Starts a device, or one more tab in the browser of another device. */
  static async start(
    name: string, server: FakeServer, random: Random, beside: Device | null = null,
  ): Promise<Device> {
    const browser = beside?.browser ?? new Browser();
    const tab = new Tab(browser, server, random);
    tab.now += random.below(7_200_000) - 3_600_000;
    return new Device(name, browser, server, random, tab, await tab.open(), beside === null);
  }

  /** Does one thing that a person or fate might do. */
  async step(): Promise<void> {
    const { random, tab, library } = this;
    this.edit(library);
    if (random.chance(0.4)) await tab.advance(random.below(3_000));
    if (random.chance(0.15)) {
      const fates = ['requestLost', 'answerLost', 'twice', 'passes'] as const;
      tab.fate = () => (random.chance(0.5) ? random.pick(fates) ?? 'passes' : 'passes');
    }
    if (random.chance(0.1)) tab.intercept = () => (random.chance(0.2) ? problem(503, 'Busy.') : null);
    if (random.chance(0.1)) tab.isOnline = !tab.isOnline;
    if (random.chance(0.1)) void library.refresh();
    if (random.chance(0.05)) tab.happens('hidden');
    if (random.chance(0.04)) await this.restart();
  }

  /** The browser is killed: once everything typed is on its disk, but at any point of an exchange. */
  private async restart(): Promise<void> {
    const { browser, random } = this;
    for (let idle = 0; idle < 3; idle = browser.disk.active === 0 ? idle + 1 : 0) await turn();
    const now = this.tab.now;
    this.tab.kill();
    // What other tabs are about to store is theirs to lose.
    if (this.isAlone) browser.disk.crash();
    this.tab = new Tab(browser, this.server, random);
    this.tab.now = now + random.below(5_000);
    this.library = await this.tab.open();
    this.undo = null;
  }

  private edit(library: LocalLibrary): void {
    const { random } = this;
    const title = `${this.name} ${random.below(1_000)}`;
    const routine = random.pick(library.all('routine'));
    const part = random.pick(library.all('part'));
    const move = random.pick(library.all('move'));
    switch (random.below(10)) {
      case 0:
        library.create('routine', { title });
        break;
      case 1:
        if (routine) library.create('part', { routine: routine.id, title, position: 'V' });
        break;
      case 2:
        if (part) library.create('move', { part: part.id, title, position: 'V' });
        break;
      case 3:
        if (routine) library.edit('routine', routine.id, { title });
        break;
      case 4:
        if (move) library.edit('move', move.id, random.chance(0.5) ? { title } : { notes: title });
        break;
      case 5:
        if (part) library.reorder('part', part.id, random.below(4));
        break;
      case 6:
        if (routine && random.chance(0.3)) this.undo = library.remove('routine', routine.id);
        else if (part && random.chance(0.3)) this.undo = library.remove('part', part.id);
        break;
      case 7:
        this.undo?.();
        break;
      case 8:
        library.set('theme', title);
        break;
      default: {
        const name = `own-${this.name}-${random.below(3)}`;
        library.set(name, title);
        this.own.set(name, title);
      }
    }
  }
}

/** Everything that a device shows. */
function shown(library: LocalLibrary): unknown {
  const lists = types.map((type) => library.all(type).map((record) => plain({ ...record })));
  const orders = library.all('routine').map(({ id }) => library.parts(id).map((part) => part.id));
  return [lists, orders];
}

function plain(record: Record<string, unknown>): unknown {
  delete record['seq'];
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function history(seed: number): Promise<void> {
  const random = new Random(seed);
  const server = new FakeServer();
  server.pageSize = 1 + random.below(6);
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
    assert.deepEqual(shown(library), shown(fresh.library), `${name}, seed ${seed}`);
    for (const [setting, value] of own) {
      assert.equal(fresh.library.setting(setting, ''), value, `${setting}, seed ${seed}`);
    }
  }
  for (const { tab } of devices) {
    const reopened = new Tab(tab.browser, server, random);
    reopened.isOnline = false;
    assert.deepEqual(shown(await reopened.open()), shown(fresh.library), `on disk, seed ${seed}`);
  }
}

test(`${histories} random histories end in the same copies everywhere, and no edit is lost`, async () => {
  for (let seed = 0; seed < histories; seed += 1) await history(seed);
});
