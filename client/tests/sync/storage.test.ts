// The browser's database over reloads, crashes and full disks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/sync/store';
import type { Batch, Store } from '../../src/sync/store';
import { Writer } from '../../src/sync/writer';
import { FakeServer } from './support/fake-server';
import { Browser, Tab, turn } from './support/world';

test('an offline edit survives a reload and is sent later', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const first = new Tab(browser, server);
  const library = await first.open();
  first.isOnline = false;
  const id = library.create('routine', { title: 'Swan' });
  await first.settle();
  first.kill();
  browser.disk.crash();
  const second = new Tab(browser, server);
  second.isOnline = false;
  const reopened = await second.open();
  assert.equal(reopened.get('routine', id)?.title, 'Swan');
  assert.equal(reopened.status.waiting, 1);
  second.isOnline = true;
  second.happens('online');
  await second.settle();
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
});

test('a crash between a response and its storage loses and duplicates nothing', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const first = new Tab(browser, server);
  const library = await first.open();
  const id = library.create('routine', { title: 'Swan' });
  await first.settle();
  browser.disk.commitFailure = new Error('The plug was pulled.');
  await first.advance(200);
  assert.equal(library.status.waiting, 0);
  first.kill();
  browser.disk.crash();
  browser.disk.commitFailure = null;
  assert.equal(browser.disk.values('outbox').length, 1);
  assert.equal(browser.disk.records('routine').length, 0);
  const second = new Tab(browser, server);
  const reopened = await second.open();
  assert.equal(reopened.status.waiting, 0);
  assert.equal(reopened.get('routine', id)?.title, 'Swan');
  assert.equal(server.heard.length, 2);
  assert.equal(server.seq, 1);
});

test('a change is removed from the stored outbox in the transaction that stores its acknowledgement', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const tab = new Tab(browser, server);
  const library = await tab.open();
  library.create('routine', { title: 'Swan' });
  await tab.settle();
  const commits = browser.disk.commits;
  const steps: string[] = [];
  const timer = () => `${browser.disk.values('outbox').length}/${browser.disk.records('routine').length}`;
  library.subscribe(() => steps.push(timer()));
  await tab.advance(200);
  steps.push(timer());
  assert(steps.every((step) => step === '1/0' || step === '0/1'), steps.join(' '));
  assert.equal(browser.disk.commits, commits + 1);
});

test('a browser without a database works in memory and reports it', async () => {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  const library = await tab.open({ indexedDB: null });
  assert.match(library.status.problem ?? '', /does not let Segmance store/);
  const id = library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
  assert.equal(library.status.waiting, 0);
});

test('a database that fails to open or never opens does not block the library', async () => {
  const server = new FakeServer();
  const broken = new Tab(new Browser(), server);
  broken.browser.disk.openFailure = new Error('Broken.');
  assert.match((await broken.open()).status.problem ?? '', /does not let Segmance store/);
  const silent = new Tab(new Browser(), server);
  const request = {} as IDBOpenDBRequest;
  const opening = silent.open({ indexedDB: { open: () => request } as unknown as IDBFactory });
  await silent.advance(5_000);
  assert.match((await opening).status.problem ?? '', /does not let Segmance store/);
  // It fails in the end, and the database's own time limit does not run on behind the next test.
  request.onerror?.(new Event('error'));
});

test('a database that opens and never answers requests does not block the library', async () => {
  const request = (): object => ({});
  const objectStore = () => ({ getAll: request, getAllKeys: request, count: request, get: request });
  const silence = { transaction: () => ({ objectStore }), close: () => undefined };
  const mute = {
    open() {
      const opening = { result: silence, onsuccess: () => undefined };
      queueMicrotask(() => opening.onsuccess());
      return opening;
    },
  };
  const tab = new Tab(new Browser(), new FakeServer());
  const opening = tab.open({ indexedDB: mute as unknown as IDBFactory });
  await tab.advance(20_000);
  assert.match((await opening).status.problem ?? '', /does not let Segmance store/);
});

test('a full disk is reported, edits are still sent, and nothing is missing when there is space', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const tab = new Tab(browser, server);
  const library = await tab.open();
  browser.disk.commitFailure = Object.assign(new Error('Full'), { name: 'QuotaExceededError' });
  const first = library.create('routine', { title: 'First' });
  await tab.advance(1_000);
  assert.match(library.status.problem ?? '', /storage of this device is full/);
  assert.equal(server.wire('routine', first)?.['title'], 'First');
  server.edit('routine', server.newId(), { title: 'Second' });
  await library.refresh();
  await tab.settle();
  browser.disk.commitFailure = null;
  library.create('routine', { title: 'Third' });
  await tab.advance(1_000);
  assert.equal(library.status.problem, null);
  const offline = new Tab(browser, server);
  offline.isOnline = false;
  const reopened = await offline.open();
  const titles = reopened.all('routine').map(({ title }) => title).sort();
  assert.deepEqual(titles, ['First', 'Second', 'Third']);
});

test('a database that the system closes is opened again, with or without an event', async () => {
  for (const tells of [true, false]) {
    const server = new FakeServer();
    const browser = new Browser();
    const tab = new Tab(browser, server);
    const library = await tab.open();
    tab.isOnline = false;
    for (const connection of browser.disk.connections) connection.lose(tells);
    library.create('routine', { title: 'Swan' });
    assert.equal(await library.stored(), true);
    assert.equal(library.status.problem, null);
    tab.kill();
    const reopened = new Tab(browser, server);
    reopened.isOnline = false;
    assert.deepEqual((await reopened.open()).all('routine').map(({ title }) => title), ['Swan']);
  }
});

test('a database that was cleared under the page is reported as not storing anything', async () => {
  const browser = new Browser();
  const tab = new Tab(browser, new FakeServer());
  const library = await tab.open();
  tab.isOnline = false;
  library.create('routine', { title: 'Swan' });
  assert.equal(await library.stored(), true);
  browser.disk.tables.clear();
  for (const connection of browser.disk.connections) connection.lose(true);
  library.create('routine', { title: 'Duck' });
  assert.equal(await library.stored(), false);
  assert.match(library.status.problem ?? '', /could not store the latest changes/);
});

test('writing to a full disk is retried automatically', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const tab = new Tab(browser, server);
  const library = await tab.open();
  browser.disk.commitFailure = new Error('Once');
  library.create('routine', { title: 'First' });
  await tab.advance(1_000);
  browser.disk.commitFailure = null;
  await tab.advance(20_000);
  assert.equal(library.status.problem, null);
  assert.equal(browser.disk.records('routine').length, 1);
});

test('pages that arrive during a write are stored in one transaction without a gap', async () => {
  const batches: Batch[] = [];
  const waiting: (() => void)[] = [];
  const store: Store = {
    load: () => Promise.reject(new Error('Not asked for.')),
    loadLog: () => Promise.reject(new Error('Not asked for.')),
    commit: (batch) => {
      batches.push(batch);
      return new Promise((resolve) => waiting.push(resolve));
    },
    close: () => undefined,
  };
  const writer = new Writer(store, () => () => undefined, () => undefined);
  const reach = (since: number) => ({ since, complete: true, clock: null });
  const page = (from: number, to: number) => ({
    from, reach: reach(to), records: [{ type: 'routine', id: `r${to}`, seq: to, createdAt: 0 }],
  });
  writer.add(page(0, 1));
  writer.add(page(1, 2));
  writer.add(page(2, 3));
  const settled = writer.settled();
  waiting[0]?.();
  await turn();
  waiting[1]?.();
  await settled;
  assert.deepEqual(batches.map(({ from, reach: to }) => [from, to?.since]), [[0, 1], [1, 3]]);
  assert.deepEqual([...(batches[1]?.records.keys() ?? [])], ['routine/r2', 'routine/r3']);
});

test('with eight edits being written the next one waits for one of them, not for all', async () => {
  const ends: (() => void)[] = [];
  const store: Store = {
    load: () => Promise.reject(new Error('Not asked for.')),
    loadLog: () => Promise.reject(new Error('Not asked for.')),
    commit: () => new Promise((resolve) => ends.push(resolve)),
    close: () => undefined,
  };
  const outcomes: unknown[] = [];
  const writer = new Writer(store, () => () => undefined, (failure) => outcomes.push(failure));
  for (const id of 'abcdefghi') {
    writer.add({ put: [{ id, type: 'move', record: 'm', fields: { title: id }, at: id }] });
  }
  assert.equal(ends.length, 8);
  // Ends one that is not the first, because writes can end in any order.
  ends[3]?.();
  await turn();
  assert.equal(ends.length, 9);
  for (const end of ends) end();
  await writer.settled();
  assert.deepEqual(outcomes, [null]);
});

test('an edit is written at once, and after a failure all later edits are written again in order', async () => {
  const flights: { readonly batch: Batch; readonly end: (failure?: Error) => void }[] = [];
  const store: Store = {
    load: () => Promise.reject(new Error('Not asked for.')),
    loadLog: () => Promise.reject(new Error('Not asked for.')),
    commit: (batch) => new Promise((resolve, reject) => {
      flights.push({ batch, end: (failure) => (failure ? reject(failure) : resolve()) });
    }),
    close: () => undefined,
  };
  const outcomes: unknown[] = [];
  let retry = (): void => undefined;
  const writer = new Writer(store, (_milliseconds, callback) => {
    retry = callback;
    return () => undefined;
  }, (failure) => outcomes.push(failure));
  const change = (id: string) => ({ id, type: 'move', record: 'm', fields: { title: id }, at: id }) as const;
  const page = { from: 0, reach: { since: 1, complete: true, clock: null } };
  writer.add({ put: [change('a')] });
  writer.add({ put: [change('b')], drop: ['a'] });
  assert.equal(flights.length, 2, 'the second letter waits for nothing');
  writer.add(page);
  writer.add({ put: [change('c')], drop: ['b'] });
  assert.equal(flights.length, 2, 'what came from the server waits for those under way');
  const full = new Error('Full');
  flights[0]?.end(full);
  await turn();
  assert.deepEqual(outcomes, [], 'how it went is known when all are over');
  flights[1]?.end();
  await turn();
  assert.deepEqual(outcomes, [full]);
  retry();
  const again = flights[2]?.batch;
  assert.deepEqual([...(again?.outbox ?? [])].map(([id, put]) => [id, put?.id ?? null]), [
    ['a', null], ['b', null], ['c', 'c'],
  ]);
  assert.equal(again?.reach?.since, 1);
  flights[2]?.end();
  await writer.settled();
  assert.deepEqual(outcomes, [full, null]);
});

test('records of an unknown type of a later version are stored and not shown', async () => {
  const server = new FakeServer();
  const browser = new Browser();
  const tab = new Tab(browser, server);
  await tab.open();
  server.edit('future', 'f', { title: 'Of tomorrow' });
  server.edit('routine', 'r', { title: 'Swan' });
  tab.tell('changed', { seq: 2 });
  await tab.settle();
  tab.kill();
  const store = await openStore(browser.disk.factory, 'x');
  const { records, reach } = await store.load();
  assert.deepEqual(records.map(({ type, title }) => [type, title]), [['future', 'Of tomorrow'], ['routine', 'Swan']]);
  assert.equal(reach?.since, 2);
  const offline = new Tab(browser, server);
  offline.isOnline = false;
  const reopened = await offline.open();
  assert.deepEqual(reopened.all('routine').map(({ title }) => title), ['Swan']);
  assert.equal(reopened.get('future' as 'routine', 'f'), undefined);
});
