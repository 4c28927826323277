// A device in random histories. It edits, loses its network and is killed at random.

import type { LocalLibrary } from '../../../src/sync/library';
import type { RecordType } from '../../../src/sync/records';
import { problem } from './fake-server';
import { Random } from './random';
import { Browser, Tab, turn, type ServerLike } from './world';

const types: readonly RecordType[] = ['routine', 'part', 'move', 'moveType', 'setting', 'practiceEntry', 'runThrough'];

/** A device, or one of two tabs on a device, which is restarted at random. */
export class Device {
  /** The latest values that this device wrote into fields that no other device writes. */
  readonly own = new Map<string, string>();
  private undo: (() => void) | null = null;
  /** The entry of the log that this tab began last. */
  private entry: string | null = null;
  /** The milliseconds by which its clock is ahead. */
  private ahead = 0;

  private constructor(
    readonly name: string,
    private readonly browser: Browser,
    private readonly server: ServerLike,
    private readonly random: Random,
    public tab: Tab,
    public library: LocalLibrary,
    private readonly isAlone: boolean,
  ) {}

  /** Starts a device, or another tab in the browser of a device, with an approximately correct clock. */
  static async start(
    name: string, server: ServerLike, random: Random, beside: Device | null = null, now: number | null = null,
  ): Promise<Device> {
    const browser = beside?.browser ?? new Browser();
    const tab = new Tab(browser, server, random);
    tab.now = (now ?? tab.now) + random.below(7_200_000) - 3_600_000;
    return new Device(name, browser, server, random, tab, await tab.open(), beside === null);
  }

  /** Performs one random action or failure. */
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
    if (random.chance(0.03)) this.jump(random.below(5) * 86_400_000);
    if (random.chance(0.05)) void library.openLog();
    if (random.chance(0.04)) await this.restart();
  }

  /** Sets the device's clock. */
  private jump(milliseconds: number): void {
    this.ahead += milliseconds;
    this.tab.now += milliseconds;
  }

  /** Kills the browser after all edits are stored, at any point of an exchange. */
  private async restart(): Promise<void> {
    const { browser, random } = this;
    for (let idle = 0; idle < 3; idle = browser.disk.active === 0 ? idle + 1 : 0) await turn();
    if (random.chance(0.5)) this.jump(-this.ahead);
    const now = this.tab.now;
    this.tab.kill();
    // Other tabs may lose writes that are not committed.
    if (this.isAlone) browser.disk.crash();
    this.tab = new Tab(browser, this.server, random);
    this.tab.now = now + random.below(5_000);
    this.library = await this.tab.open();
    this.undo = null;
  }

  /** Begins an entry of the log, or writes more into the one that this tab began. */
  private practise(library: LocalLibrary, routine: string | undefined): void {
    const { random } = this;
    const heard = `${this.name} ${random.below(1_000)}`;
    if (!routine) return;
    const startedAt = this.tab.now;
    if (random.chance(0.2)) library.create('runThrough', { routine, startedAt, notes: heard });
    else if (this.entry === null || random.chance(0.3)) {
      this.entry = library.create('practiceEntry', { routine, startedAt, heard });
    } else library.edit('practiceEntry', this.entry, { heard });
  }

  private edit(library: LocalLibrary): void {
    const { random } = this;
    const title = `${this.name} ${random.below(1_000)}`;
    const routine = random.pick(library.all('routine'));
    const part = random.pick(library.all('part'));
    const move = random.pick(library.all('move'));
    switch (random.below(13)) {
      case 10:
      case 11:
        this.practise(library, routine?.id);
        break;
      case 12: {
        const entry = random.pick(library.all('practiceEntry'));
        if (entry && random.chance(0.3)) this.undo = library.remove('practiceEntry', entry.id);
        break;
      }
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
        library.edit('setting', 'theme', { value: title });
        break;
      default: {
        const name = `own-${this.name}-${random.below(3)}`;
        library.edit('setting', name, { value: title });
        this.own.set(name, title);
      }
    }
  }
}

/** Returns everything that a device shows, with its log. */
export async function shown(library: LocalLibrary): Promise<unknown> {
  await library.openLog();
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
