// The log in the browser's copy: stored apart, read when it is asked for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/sync/store';
import type { Batch } from '../../src/sync/store';
import type { LocalLibrary } from '../../src/sync/library';
import type { WireRecord } from '../../src/sync/wire';
import { FakeIndexedDB } from './support/fake-indexeddb';
import { FakeServer } from './support/fake-server';
import { Random } from './support/random';
import { Browser, Tab, turn } from './support/world';

const routine = '0190a000-0000-7000-8000-00000000000a';
const entry = (heard: string) => ({ routine, startedAt: 1_700_000_000_000, heard });

/** What is visible of each entry, in the order of their ids. */
const heard = (library: LocalLibrary): (string | null | undefined)[] => library.all('practiceEntry').map((each) => each.heard);

/** A browser whose copy holds a routine and two entries, and the server. */
async function practised(): Promise<{ server: FakeServer; browser: Browser }> {
  const server = new FakeServer();
  const browser = new Browser();
  server.edit('routine', routine, { title: 'Swan' });
  for (const each of ['one', 'two']) server.edit('practiceEntry', server.newId(), entry(each));
  const tab = new Tab(browser, server);
  await tab.open();
  tab.kill();
  return { server, browser };
}

/** Opens the library without a network. */
async function offline(browser: Browser, server: FakeServer): Promise<LocalLibrary> {
  const tab = new Tab(browser, server, new Random(7));
  tab.isOnline = false;
  return await tab.open();
}

test('the log is read only when it is asked for, once, and is then complete', async () => {
  const { server, browser } = await practised();
  const library = await offline(browser, server);
  assert.deepEqual([library.isLogOpen, heard(library)], [false, []]);
  assert.equal(library.get('routine', routine)?.title, 'Swan');
  let told = 0;
  library.subscribe(() => { told += 1; });
  await Promise.all([library.openLog(), library.openLog()]);
  assert.deepEqual([library.isLogOpen, heard(library)], [true, ['one', 'two']]);
  assert.equal(told, 1);
});

test('records of the log are stored under keys of their own, the others as before', async () => {
  const { browser } = await practised();
  const kinds = browser.disk.keys('records').map((key) => typeof key);
  assert.deepEqual(kinds, ['number', 'string']);
});

test('an entry that was begun before the log is opened lies on top of the stored ones', async () => {
  const { server, browser } = await practised();
  const library = await offline(browser, server);
  const id = library.create('practiceEntry', entry('three'));
  assert.deepEqual(heard(library), ['three']);
  await library.openLog();
  assert.deepEqual(heard(library).sort(), ['one', 'three', 'two']);
  library.edit('practiceEntry', id, { heard: 'three and more' });
  assert.equal(library.get('practiceEntry', id)?.heard, 'three and more');
});

test('an edit of an entry that was not read yet is kept, and shown on top of it', async () => {
  const { server, browser } = await practised();
  const first = await offline(browser, server);
  await first.openLog();
  const [one] = first.all('practiceEntry');
  const library = await offline(browser, server);
  library.edit('practiceEntry', one?.id ?? '', { heard: 'changed' });
  assert.deepEqual(heard(library), [], 'it has no routine yet');
  await library.openLog();
  assert.deepEqual(heard(library), ['changed', 'two']);
});

test('entries that arrive while the log is read are not replaced by older ones', async () => {
  const { server, browser } = await practised();
  const tab = new Tab(browser, server);
  const library = await tab.open();
  const [one] = [...server.records.values()].filter(({ type }) => type === 'practiceEntry');
  server.edit('practiceEntry', one?.id ?? '', { heard: 'newer' });
  const opening = library.openLog();
  tab.tell('changed', { seq: server.seq });
  await opening;
  await tab.settle();
  assert.deepEqual(heard(library), ['newer', 'two']);
});

test('what another tab practises is shown in a tab with an open log', async () => {
  const { server, browser } = await practised();
  const left = new Tab(browser, server, new Random(1));
  const one = await left.open();
  const two = await new Tab(browser, server, new Random(2)).open();
  await two.openLog();
  one.create('practiceEntry', entry('three'));
  await turn();
  assert.equal(heard(two).length, 3);
  await left.advance(1_000);
  assert.equal(two.status.waiting, 0);
  assert.equal(heard(two).length, 3);
});

test('another library replaces the log too, in tabs where it is open, and where it is being opened', async () => {
  for (const asksFor of ['before', 'meanwhile', 'after'] as const) {
    const { server, browser } = await practised();
    const left = new Tab(browser, server, new Random(1));
    const right = new Tab(browser, server, new Random(2));
    const [one, two] = [await left.open(), await right.open()];
    if (asksFor === 'before') {
      await one.openLog();
      await two.openLog();
    }
    const fresh = new FakeServer();
    fresh.edit('practiceEntry', fresh.newId(), entry('of another'));
    for (const tab of [left, right]) Object.assign(tab, { server: fresh });
    const refreshed = one.refresh();
    if (asksFor === 'meanwhile') void two.openLog();
    await refreshed;
    await left.settle();
    await right.settle();
    await one.openLog();
    await two.openLog();
    assert.deepEqual([heard(one), heard(two)], [['of another'], ['of another']], asksFor);
    const later = await offline(browser, fresh);
    await later.openLog();
    assert.deepEqual(heard(later), ['of another'], asksFor);
  }
});

test('a log that is read slowly does not come back after another library has replaced it', async () => {
  const { server, browser } = await practised();
  const tab = new Tab(browser, server);
  const library = await tab.open();
  const fresh = new FakeServer();
  fresh.edit('practiceEntry', fresh.newId(), entry('of another'));
  Object.assign(tab, { server: fresh });
  let goOn = (): void => undefined;
  browser.disk.busy = new Promise((resolve) => { goOn = resolve; });
  library.set('theme', 'dark');
  const opening = library.openLog();
  void library.refresh();
  for (let n = 0; n < 50; n += 1) await turn();
  assert.deepEqual(heard(library), ['of another']);
  goOn();
  await opening;
  assert.deepEqual(heard(library), ['of another']);
});

test('without a database the log is in memory, and open', async () => {
  const { server } = await practised();
  const library = await new Tab(new Browser(), server).open({ indexedDB: null });
  assert.equal(library.isLogOpen, true);
  await library.openLog();
  assert.deepEqual(heard(library), ['one', 'two']);
});

test('a log that could not be read can be asked for again', async () => {
  const { server, browser } = await practised();
  const library = await offline(browser, server);
  browser.disk.openFailure = new Error('Broken.');
  for (const connection of browser.disk.connections) connection.lose(true);
  await assert.rejects(library.openLog());
  assert.equal(library.isLogOpen, false);
  browser.disk.openFailure = null;
  await library.openLog();
  assert.deepEqual(heard(library), ['one', 'two']);
});

test('an entry that is rewritten for hours without a network leaves two changes in the outbox', async () => {
  const { server, browser } = await practised();
  const tab = new Tab(browser, server);
  const library = await tab.open();
  tab.isOnline = false;
  const id = library.create('practiceEntry', entry('0'));
  for (let n = 1; n <= 50; n += 1) {
    await tab.advance(120_000);
    library.edit('practiceEntry', id, { heard: String(n) });
  }
  await tab.settle();
  assert.equal(library.status.waiting, 2);
  assert.equal(browser.disk.values('outbox').length, 2);
  tab.isOnline = true;
  tab.happens('online');
  await tab.settle();
  assert.equal(server.wire('practiceEntry', id)?.['heard'], '50');
  assert.equal(library.status.waiting, 0);
});

// Segments.

const batch = (seq: number, type: string, id: string): Batch => {
  const record: WireRecord = { type, id, seq, createdAt: 0 };
  return {
    clear: false, from: seq - 1, records: new Map([[`${type}/${id}`, record]]), outbox: new Map(), rejected: new Map(),
    reach: { since: seq, complete: true, clock: null },
  };
};
const versions = (records: readonly WireRecord[]): string[] => records.map(({ id, seq }) => `${id} ${seq}`).sort();

test('many small segments of the log are joined, after a start and after reading it, and nothing is lost', async () => {
  const disk = new FakeIndexedDB();
  const store = await openStore(disk.factory, 'x');
  for (let seq = 1; seq <= 450; seq += 1) await store.commit(batch(seq, 'practiceEntry', `e${seq % 40}`));
  const expected = versions(disk.records('practiceEntry'));
  assert.equal(expected.length, 40);
  assert.deepEqual((await store.load()).records, []);
  assert.deepEqual(versions(await store.loadLog()), expected);
  assert.equal(disk.keys('records').length, 1);
  // What was joined is not rewritten at the next starts.
  const joined = disk.keys('records')[0];
  for (let seq = 451; seq <= 500; seq += 1) await store.commit(batch(seq, 'practiceEntry', `e${seq % 40}`));
  await store.load();
  assert.deepEqual(versions(await store.loadLog()), versions(disk.records('practiceEntry')));
  assert.equal(disk.keys('records').length, 51);
  assert(disk.keys('records').includes(joined ?? ''));
});

test('records of the log that an earlier version stored among the others are read, and moved', async () => {
  const disk = new FakeIndexedDB();
  const store = await openStore(disk.factory, 'x');
  await store.commit(batch(1, 'routine', 'r'));
  const mixed = [
    { type: 'practiceEntry', id: 'e', seq: 3, createdAt: 0 }, { type: 'routine', id: 's', seq: 2, createdAt: 0 },
  ];
  disk.tables.get('records')?.set(disk.lastKey += 1, JSON.stringify(mixed));
  assert.deepEqual(versions((await store.load()).records), ['e 3', 'r 1', 's 2']);
  assert.deepEqual(versions((await store.load()).records), ['r 1', 's 2'], 'the next start reads less');
  assert.deepEqual(versions(await store.loadLog()), ['e 3']);
});

test('an open tab of an earlier version may store and join records of the log among the others', async () => {
  const disk = new FakeIndexedDB();
  const store = await openStore(disk.factory, 'x');
  await store.commit(batch(1, 'practiceEntry', 'a'));
  await store.commit(batch(2, 'routine', 'r'));
  await store.load();
  // As the earlier version joins: it reads every segment, and writes one.
  const all = disk.values('records').flatMap((text) => JSON.parse(String(text)) as WireRecord[]);
  disk.tables.get('records')?.clear();
  disk.tables.get('records')?.set(disk.lastKey += 1, JSON.stringify(all));
  disk.tables.get('records')?.set(
    disk.lastKey += 1, JSON.stringify([{ type: 'practiceEntry', id: 'b', seq: 3, createdAt: 0 }]),
  );
  assert.deepEqual(versions(await store.loadLog()), ['a 1', 'b 3']);
});

test('after the segments of a start are joined the log does not read them', async () => {
  const disk = new FakeIndexedDB();
  const store = await openStore(disk.factory, 'x');
  for (let seq = 1; seq <= 250; seq += 1) await store.commit(batch(seq, 'routine', 'r'));
  await store.load();
  await store.commit(batch(251, 'practiceEntry', 'e'));
  assert.equal(disk.keys('records').length, 2);
  disk.read = 0;
  assert.deepEqual(versions(await store.loadLog()), ['e 251']);
  assert.equal(disk.read, 1);
});
