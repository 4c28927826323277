// Several tabs of one browser: their messages and their shared storage.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox } from '../../src/sync/outbox';
import { openStore } from '../../src/sync/store';
import type { Batch } from '../../src/sync/store';
import { LocalView } from '../../src/sync/view';
import type { Change, WireRecord } from '../../src/sync/wire';
import { FakeIndexedDB } from './support/fake-indexeddb';
import { FakeServer, problem } from './support/fake-server';
import { Random } from './support/random';
import { Browser, Tab, turn } from './support/world';

async function twoTabs() {
  const server = new FakeServer();
  const browser = new Browser();
  const [left, right] = [
    new Tab(browser, server, new Random(1)), new Tab(browser, server, new Random(2)),
  ];
  return { server, browser, left, right, one: await left.open(), two: await right.open() };
}

test('an edit in one tab is shown in the other before the server has it', async () => {
  const { left, right, one, two } = await twoTabs();
  left.isOnline = right.isOnline = false;
  const id = one.create('routine', { title: 'S' });
  one.edit('routine', id, { title: 'Swan' });
  await turn();
  assert.equal(two.get('routine', id)?.title, 'Swan');
  assert.equal(two.status.waiting, 1);
});

test('an acknowledgement in one tab empties the outbox of both', async () => {
  const { left, one, two, server } = await twoTabs();
  const id = one.create('routine', { title: 'Swan' });
  await left.advance(1_000);
  assert.equal(two.status.waiting, 0);
  assert.equal(two.get('routine', id)?.title, 'Swan');
  assert.equal(server.heard.length, 1);
});

test('the other tab sends the edits of a closed tab', async () => {
  const { left, right, one, server } = await twoTabs();
  const id = one.create('routine', { title: 'Swan' });
  await left.settle();
  left.kill();
  await right.advance(6_000);
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
});

test('the later of two edits in two tabs wins in both', async () => {
  const { left, right, one, two, server } = await twoTabs();
  const id = one.create('routine', { title: 'One' });
  await turn();
  left.now += 60_000;
  one.edit('routine', id, { title: 'Ahead' });
  await turn();
  two.edit('routine', id, { title: 'Later' });
  await turn();
  assert.equal(one.get('routine', id)?.title, 'Later');
  await right.advance(10_000);
  await left.advance(10_000);
  assert.equal(server.wire('routine', id)?.['title'], 'Later');
});

test('when one tab adopts a new library, the other follows', async () => {
  const { left, right, one, two } = await twoTabs();
  one.create('routine', { title: 'Old' });
  await left.advance(1_000);
  one.create('routine', { title: 'Old too' });
  await left.advance(1_000);
  const fresh = new FakeServer();
  fresh.edit('routine', fresh.newId(), { title: 'New' });
  Object.assign(left, { server: fresh });
  Object.assign(right, { server: fresh });
  await one.refresh();
  await left.settle();
  await right.settle();
  assert.deepEqual(two.all('routine').map(({ title }) => title), ['New']);
});

test('a tab that missed the response of another tab fetches its records', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const left = new Tab(browser, server, new Random(1));
  const one = await left.open();
  browser.disk.commitFailure = new Error('Not now.');
  server.edit('routine', server.newId(), { title: 'Missed' });
  await one.refresh();
  const right = new Tab(browser, server, new Random(2));
  right.isOnline = false;
  const two = await right.open();
  server.edit('routine', server.newId(), { title: 'Heard' });
  await one.refresh();
  await turn();
  assert.deepEqual(two.all('routine').map(({ title }) => title), ['Heard']);
  right.isOnline = true;
  await two.refresh();
  assert.deepEqual(two.all('routine').map(({ title }) => title), ['Missed', 'Heard']);
});

test('an edit that another tab has sent is not stored again by a retry', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const [one, two] = [new Tab(browser, server), new Tab(browser, server)];
  const library = await one.open();
  await two.open();
  browser.disk.commitFailure = new Error('Not now.');
  one.isOnline = false;
  library.create('routine', { title: 'Brought by the other' });
  await one.settle();
  browser.disk.commitFailure = null;
  await two.advance(8_000);
  assert.equal(server.records.size, 1);
  await one.advance(20_000);
  assert.equal(browser.disk.values('outbox').length, 0);
});

test('tabs without space for a new copy do not make each other fetch it repeatedly', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const [one, two] = [new Tab(browser, server), new Tab(browser, server)];
  const [library, beside] = [await one.open(), await two.open()];
  for (const n of [1, 2]) server.edit('routine', `r${n}`, { title: `R${n}` });
  await library.refresh();
  await beside.refresh();
  server.edit('routine', 'r1', { deletedAt: 1 });
  server.purge();
  browser.disk.commitFailure = Object.assign(new Error('Full'), { name: 'QuotaExceededError' });
  const before = server.log.length;
  one.intercept = two.intercept = () => (server.log.length > before + 20 ? problem(503, 'Enough.') : null);
  void library.refresh();
  for (let n = 0; n < 20; n += 1) {
    await one.advance(500);
    await two.advance(500);
  }
  assert(server.log.length - before <= 4, `${server.log.length - before} requests`);
  assert.deepEqual(library.all('routine').map(({ title }) => title), ['R2']);
});

test('the changes of all tabs are sent in the order of their stamps', () => {
  const outbox = new Outbox();
  const stamps = ['3', '1', '2', '5', '4'];
  for (const at of stamps) {
    outbox.add({ id: `c${at}`, type: 'setting', record: 'theme', fields: {}, at }, at !== '5');
  }
  assert.deepEqual(outbox.take(3, 1_000).map(({ at }) => at), ['1', '2', '3']);
  assert.deepEqual(outbox.take(9, 1_000).map(({ at }) => at), ['1', '2', '3', '4', '5']);
});

test('an older version of a record never replaces a newer one', () => {
  const view = new LocalView();
  const record = { type: 'routine', id: 'r', createdAt: 0 };
  assert.equal(view.takeRecord({ ...record, seq: 8, title: 'New' }), true);
  assert.equal(view.takeRecord({ ...record, seq: 5, title: 'Old' }), false);
  assert.equal(view.get('routine', 'r')?.title, 'New');
});

test('tabs that store responses in any order leave no gap in the stored copy', async () => {
  // The invariant: every record up to a stored sequence number is stored in its latest version.
  for (let seed = 0; seed < 500; seed += 1) {
    const random = new Random(seed);
    const disk = new FakeIndexedDB();
    const stores = [await openStore(disk.factory, 'x'), await openStore(disk.factory, 'x')];
    const since = [0, 0];
    const fetched: Batch[][] = [[], []];
    const latest = new Map<string, number>();
    let seq = 0;
    for (let step = 0; step < 60; step += 1) {
      for (let edits = random.below(3); edits > 0; edits -= 1) {
        latest.set(`r${random.below(4)}`, (seq += 1));
      }
      const tab = random.below(2);
      const from = since[tab] ?? 0;
      if (random.chance(0.5)) {
        const all = [...latest].filter(([, at]) => at > from).sort((a, b) => a[1] - b[1]);
        const page = all.slice(0, 1 + random.below(3));
        const to = page.length < all.length ? page[page.length - 1]?.[1] ?? from : seq;
        fetched[tab]?.push(batch(from, to, page));
        since[tab] = to;
      } else if (random.chance(0.2)) {
        // The tab gets the records that the other one fetched.
        since[tab] = Math.max(...since);
      } else {
        const first = fetched[tab]?.shift();
        if (first) await stores[tab]?.commit(first);
      }
      const reach = disk.values('meta')[0] as { since: number } | undefined;
      const stored = new Map(
        disk.records('routine').map((record) => [record.id, record.seq]),
      );
      for (const [id, at] of latest) {
        if (at <= (reach?.since ?? 0)) assert.equal(stored.get(id), at, `seed ${seed}, ${id}`);
      }
    }
  }
});

function batch(from: number, to: number, page: readonly [string, number][]): Batch {
  const records = page.map(([id, seq]): [string, WireRecord] => [
    id, { type: 'routine', id, seq, createdAt: 0 },
  ]);
  return {
    clear: false, from, records: new Map(records), outbox: new Map(), rejected: new Map(),
    reach: { since: to, complete: true, clock: null },
  };
}

test('many small segments are merged when the library is opened, and nothing is lost', async () => {
  const disk = new FakeIndexedDB();
  const store = await openStore(disk.factory, 'x');
  for (let seq = 1; seq <= 450; seq += 1) {
    await store.commit(batch(seq - 1, seq, [[`r${seq % 40}`, seq]]));
  }
  assert.equal(disk.values('records').length, 450);
  const expected = disk.records('routine').sort((a, b) => a.seq - b.seq);
  const before = await store.load();
  // This request waits for the merge, like every later one.
  const after = await store.load();
  assert.equal(disk.values('records').length, 1);
  for (const stored of [before, after]) {
    assert.deepEqual([...stored.records].sort((a, b) => a.seq - b.seq), expected);
    assert.equal(stored.reach?.since, 450);
  }
});

test('writes during the merge of segments are not lost', async () => {
  const disk = new FakeIndexedDB();
  const [store, other] = [await openStore(disk.factory, 'x'), await openStore(disk.factory, 'x')];
  for (let seq = 1; seq <= 450; seq += 1) await store.commit(batch(seq - 1, seq, [['r', seq]]));
  const written = disk.commits;
  await store.load();
  assert.equal(disk.commits, written, 'joining was waited for');
  await Promise.all([
    store.commit(batch(450, 451, [['r', 451]])), other.commit(batch(451, 452, [['s', 452]])),
  ]);
  const stored = await store.load();
  assert.deepEqual(stored.records.map(({ id, seq }) => [id, seq]), [['r', 451], ['s', 452]]);
  assert.equal(disk.values('records').length, 3);
});

test('all records are readable from a full disk on which segments cannot be merged', async () => {
  const browser = new Browser();
  const store = await openStore(browser.disk.factory, 'x');
  for (let seq = 1; seq <= 450; seq += 1) await store.commit(batch(seq - 1, seq, [['r', seq]]));
  const edit: Change = {
    id: 'c', type: 'routine', record: 'r', fields: { title: 'Swan' }, at: '1700000000000-0000-0000beef',
  };
  await store.commit({ ...batch(450, 450, []), outbox: new Map([['c', edit]]) });
  browser.disk.commitFailure = Object.assign(new Error('Full'), { name: 'QuotaExceededError' });
  const stored = await store.load();
  assert.deepEqual(stored.records.map(({ seq }) => seq), [450]);
  assert.deepEqual(stored.outbox, [edit]);
  const tab = new Tab(browser, new FakeServer());
  tab.isOnline = false;
  const library = await tab.open();
  assert.deepEqual(library.all('routine').map(({ title }) => title), ['Swan']);
  assert.equal(library.status.waiting, 1);
  assert.equal(library.status.loaded, true);
});
