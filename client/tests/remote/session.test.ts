import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RemoteSession } from '../../src/remote/session';
import type { ServerMessageType } from '../../src/sync/events';
import { Clock, SimulatedPlayer } from './support';

const turn = (): Promise<void> => new Promise((resolve) => {
  setImmediate(resolve);
});

type Told = { readonly type: ServerMessageType; readonly value: unknown };

/** A server that lists its pages and relays their messages. */
class Hub {
  readonly clock = new Clock();
  readonly pages = new Map<string, { name: string; hear: (told: Told) => void; isBusy?: () => boolean }>();
  private made = 0;

  open(name: string): { session: RemoteSession; player: SimulatedPlayer } {
    const player = new SimulatedPlayer(this.clock);
    this.made += 1;
    const id = `page-${this.made}`;
    let hear: (told: Told) => void = () => undefined;
    const session = new RemoteSession({
      newId: () => id,
      onServerMessage: (listener) => {
        hear = listener;
        return () => {
          hear = () => undefined;
        };
      },
      appear: (query, isBusy) => {
        const name = new URLSearchParams(query).get('name') ?? '';
        if (query === '') this.pages.delete(id);
        else this.pages.set(id, { name, hear: (told) => hear(told), isBusy });
        this.announce();
      },
      fetchPlayers: () => Promise.resolve(this.players),
      post: (body) => this.pass(body),
      now: this.clock.now,
      timer: this.clock.timer,
    }, player, name);
    return { session, player };
  }

  get players(): unknown {
    return { clients: [...this.pages].map(([id, { name }]) => ({ id, name })) };
  }

  announce(): void {
    for (const { hear } of this.pages.values()) hear({ type: 'players', value: this.players });
  }

  /** Runs pending requests and timers. */
  async settle(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 20) {
      await turn();
      this.clock.pass(20);
    }
    await turn();
  }

  private async pass(body: string): Promise<void> {
    await turn();
    const value = JSON.parse(body) as { from: string; to: string | null };
    if (value.to !== null && !this.pages.has(value.to)) throw new Error('gone');
    for (const [id, { hear }] of this.pages) {
      if (id !== value.from && (value.to === null || value.to === id)) hear({ type: 'remote', value });
    }
  }
}

test('pages find each other, and one controls the other', async () => {
  const hub = new Hub();
  const laptop = hub.open('Laptop & speaker');
  const phone = hub.open('Phone');
  await phone.session.look();
  await hub.settle(400);
  assert.deepEqual(phone.session.players, [{ id: 'page-1', name: 'Laptop & speaker' }]);
  assert.equal(phone.session.standing.get('page-1')?.title, 'Chorus');
  const [target] = phone.session.players ?? [];
  assert(target !== undefined);
  phone.session.control(target);
  await hub.settle(400);
  assert.equal(phone.session.remote?.reach, 'joined');
  assert.deepEqual(laptop.session.watchers, [{ id: 'page-2', name: 'Phone' }]);
  phone.session.remote?.play();
  await hub.settle(400);
  assert.deepEqual(laptop.player.taken, [{ verb: 'play' }]);
  phone.session.release();
  await hub.settle(400);
  assert.deepEqual(laptop.session.watchers, []);
  // Choosing the player again works at once.
  phone.session.control(target);
  await hub.settle(400);
  phone.session.remote?.pause();
  await hub.settle(400);
  assert.deepEqual(laptop.player.taken, [{ verb: 'play' }, { verb: 'pause' }]);
  assert.equal(phone.session.remote?.state?.wantsToPlay, false);
});

test('a page is busy while it plays, and while it controls another or is controlled', async () => {
  const hub = new Hub();
  const laptop = hub.open('Laptop');
  const phone = hub.open('Phone');
  const busy = (): (boolean | undefined)[] => [...hub.pages.values()].map(({ isBusy }) => isBusy?.());
  assert.deepEqual(busy(), [false, false]);
  await phone.session.look();
  const [target] = phone.session.players ?? [];
  assert(target !== undefined);
  phone.session.control(target);
  await hub.settle(400);
  assert.deepEqual(busy(), [true, true]);
  phone.session.remote?.play();
  await hub.settle(400);
  phone.session.release();
  await hub.settle(400);
  assert.deepEqual(busy(), [true, false]);
  laptop.player.take({ verb: 'pause' });
  assert.deepEqual(busy(), [false, false]);
});

test('a page that closes is removed from all lists, even before the server notices', async () => {
  const hub = new Hub();
  const laptop = hub.open('Laptop');
  const phone = hub.open('Phone');
  await phone.session.look();
  const before = hub.players;
  laptop.session.close();
  await hub.settle(400);
  assert.deepEqual(phone.session.players, []);
  // The server still lists the page.
  for (const { hear } of hub.pages.values()) hear({ type: 'players', value: before });
  assert.deepEqual(phone.session.players, []);
});

test('a list from an event replaces one that was being fetched', async () => {
  const hub = new Hub();
  const phone = hub.open('Phone');
  const looking = phone.session.look();
  const laptop = hub.open('Laptop');
  await looking;
  assert.deepEqual(phone.session.players, [{ id: 'page-2', name: 'Laptop' }]);
  laptop.session.close();
});

test('two pages can control each other', async () => {
  const hub = new Hub();
  const one = hub.open('One');
  const other = hub.open('Other');
  await hub.settle(100);
  one.session.control({ id: 'page-2', name: 'Other' });
  other.session.control({ id: 'page-1', name: 'One' });
  await hub.settle(400);
  one.session.remote?.play();
  await hub.settle(400);
  assert.equal(other.player.state?.wantsToPlay, true);
  assert.equal(one.player.state?.wantsToPlay, false);
});

test('messages for other pages and invalid messages are ignored', async () => {
  const hub = new Hub();
  const laptop = hub.open('Laptop');
  const play = { kind: 'do', sequence: 1, action: { verb: 'play' } };
  const page = hub.pages.get('page-1');
  page?.hear({ type: 'remote', value: { from: 'x', to: 'page-9', command: play } });
  page?.hear({ type: 'remote', value: { from: 'x', to: null, command: play } });
  page?.hear({ type: 'remote', value: { from: 'page-1', to: 'page-1', command: play } });
  page?.hear({ type: 'remote', value: 'nonsense' });
  page?.hear({ type: 'players', value: null });
  assert.deepEqual(laptop.player.taken, []);
  page?.hear({ type: 'remote', value: { from: 'x', to: 'page-1', command: play } });
  assert.equal(laptop.player.taken.length, 1);
});
