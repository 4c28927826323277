// Devices whose clock is wrong: edits are stamped anew, and keep their order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/sync/wire';
import { FakeServer } from './support/fake-server';
import { Browser, opened, syncs, Tab, turn, type ServerLike } from './support/world';

test('edits of a phone whose clock is days ahead are merged in order and hide no later edit', async () => {
  const { server, tab, library } = await opened();
  server.wallClock = () => 1_700_000_000_000;
  const id = library.create('routine', { title: 'In time' });
  await tab.advance(1_000);
  tab.now += 5 * 86_400_000;
  library.edit('routine', id, { title: 'First' });
  const part = library.create('part', { routine: id, title: 'One', position: 'V' });
  library.edit('routine', id, { subtitle: 'Sub' });
  assert.equal(library.get('routine', id)?.title, 'First');
  await tab.advance(1_000);
  assert.deepEqual([library.status.waiting, library.status.rejected.length], [0, 0]);
  assert.equal(server.wire('routine', id)?.['title'], 'First');
  assert.equal(server.wire('routine', id)?.['subtitle'], 'Sub');
  assert.equal(server.wire('part', part)?.['title'], 'One');
  assert.equal(tab.browser.disk.values('outbox').length, 0);
  library.edit('routine', id, { title: 'Second' });
  await tab.advance(1_000);
  assert.equal(server.wire('routine', id)?.['title'], 'Second');
  // A later edit of a device with a correct clock wins.
  const beside = new Tab(new Browser(), server);
  const other = await beside.open();
  other.edit('routine', id, { title: 'By the other' });
  await beside.advance(1_000);
  await library.refresh();
  assert.equal(library.get('routine', id)?.title, 'By the other');
});

test('an edit made before the response arrives stays the later edit', async () => {
  const { server, tab, library } = await opened();
  server.wallClock = () => 1_700_000_000_000;
  const id = library.create('routine', { title: 'In time' });
  await tab.advance(1_000);
  tab.now += 5 * 86_400_000;
  library.edit('routine', id, { title: 'First' });
  let asked = 0;
  tab.intercept = () => {
    asked += 1;
    if (asked === 1) library.edit('routine', id, { subtitle: 'Meanwhile' });
    if (asked <= 2) library.edit('routine', id, { title: asked === 1 ? 'Second' : 'Third' });
    return null;
  };
  await tab.advance(2_000);
  assert.equal(library.status.waiting, 0);
  assert.equal(library.get('routine', id)?.title, 'Third');
  assert.equal(server.wire('routine', id)?.['title'], 'Third');
});

test('edits of a clock ahead are accepted after the clock was corrected and the page reopened', async () => {
  const server = new FakeServer();
  server.wallClock = () => 1_700_000_000_000;
  const first = new Tab(new Browser(), server);
  const library = await first.open();
  first.now += 400 * 86_400_000;
  first.isOnline = false;
  const id = library.create('routine', { title: 'By a wrong clock' });
  await first.advance(1_000);
  first.kill();
  const second = new Tab(first.browser, server);
  const later = await second.open();
  later.edit('routine', id, { title: 'By the right one' });
  await second.advance(2_000);
  assert.deepEqual([later.status.waiting, later.status.rejected.length], [0, 0]);
  assert.equal(server.wire('routine', id)?.['title'], 'By the right one');
});

test('with a clock ahead, each of two tabs adopts the changes that the other restamped', async () => {
  const server = new FakeServer();
  server.wallClock = () => 1_700_000_000_000;
  const browser = new Browser();
  const [one, two] = [new Tab(browser, server), new Tab(browser, server)];
  const [library, beside] = [await one.open(), await two.open()];
  one.now = two.now += 5 * 86_400_000;
  const id = library.create('routine', { title: 'First' });
  await one.settle();
  beside.edit('routine', id, { title: 'Second' });
  await one.advance(2_000);
  await two.advance(8_000);
  await one.advance(8_000);
  for (const { status } of [library, beside]) assert.deepEqual([status.waiting, status.rejected.length], [0, 0]);
  assert.equal(server.wire('routine', id)?.['title'], 'Second');
  assert.equal(browser.disk.values('outbox').length, 0);
});

test('after the clock was corrected the stamps are correct, even in an open page', async () => {
  const { server, tab, library } = await opened();
  server.wallClock = () => 1_700_000_000_000;
  tab.now += 5 * 86_400_000;
  const id = library.create('routine', { title: 'Ahead' });
  await tab.advance(1_000);
  assert.equal(library.status.waiting, 0);
  tab.now = 1_700_003_600_000;
  tab.isOnline = false;
  library.edit('routine', id, { title: 'An hour later' });
  tab.isOnline = true;
  await tab.advance(1_000);
  assert.match(server.heard.at(-1)?.at ?? '', /^1700003600000-/);
});

test('a late response does not date edits before another tab’s later exchange', async () => {
  const server = new FakeServer();
  let now = 1_700_000_000_000;
  server.wallClock = () => (now += 1_000_000);
  let release: () => void = () => undefined;
  const slow: ServerLike = {
    handle: async (url, request) => {
      const answer = await server.handle(url, request);
      if (isSlow) await new Promise<void>((resolve) => (release = resolve));
      return answer;
    },
  };
  let isSlow = false;
  const browser = new Browser();
  const [one, two] = [new Tab(browser, slow), new Tab(browser, server)];
  const [library, beside] = [await one.open(), await two.open()];
  const id = library.create('routine', { title: 'In time' });
  await one.advance(1_000);
  one.now = two.now += 5 * 86_400_000;
  isSlow = true;
  library.edit('routine', id, { title: 'First' });
  void library.refresh();
  for (let n = 0; n < 20; n += 1) await turn();
  await two.advance(8_000);
  assert.equal(server.wire('routine', id)?.['title'], 'First');
  library.edit('routine', id, { title: 'Second' });
  isSlow = false;
  release();
  await one.advance(8_000);
  await two.advance(8_000);
  assert.equal(server.wire('routine', id)?.['title'], 'Second');
  assert.deepEqual([library, beside].map((each) => each.get('routine', id)?.title), ['Second', 'Second']);
});

test('a restamped change is stored before it is sent, and the replaced one is deleted', async () => {
  const { server, tab, library } = await opened();
  server.wallClock = () => 1_700_000_000_000;
  tab.now += 5 * 86_400_000;
  library.create('routine', { title: 'Ahead' });
  await tab.settle();
  let free: () => void = () => undefined;
  tab.browser.disk.busy = new Promise<void>((resolve) => (free = resolve));
  const before = syncs(server);
  void library.refresh();
  for (let n = 0; n < 20; n += 1) await turn();
  assert.equal(syncs(server), before + 1);
  let stored: unknown[] = [];
  tab.intercept = (_, request) => {
    stored = tab.browser.disk.values('outbox');
    assert.deepEqual(stored, (JSON.parse(String(request.body)) as { changes: Change[] }).changes);
    return null;
  };
  tab.browser.disk.busy = null;
  free();
  await tab.advance(1_000);
  assert.equal(syncs(server), before + 2);
  assert.equal(stored.length, 1);
});

test('with a full disk a restamped edit does not return as a later one', async () => {
  const server = new FakeServer();
  server.wallClock = () => 1_700_000_000_000;
  const first = new Tab(new Browser(), server);
  const library = await first.open();
  const id = library.create('routine', { title: 'In time' });
  await first.advance(1_000);
  first.now += 5 * 86_400_000;
  library.edit('routine', id, { title: 'Ahead' });
  await first.settle();
  const { disk } = first.browser;
  assert.equal(disk.values('outbox').length, 1);
  disk.commitFailure = Object.assign(new Error('Full'), { name: 'QuotaExceededError' });
  await first.advance(1_000);
  assert.equal(server.wire('routine', id)?.['title'], 'Ahead');
  first.kill();
  disk.commitFailure = null;
  server.edit('routine', id, { title: 'By another' });
  const later = await new Tab(first.browser, server).open();
  assert.equal(later.get('routine', id)?.title, 'By another');
  assert.equal(disk.values('outbox').length, 0);
});

test('a server that accepts no stamp is not asked endlessly', async () => {
  const { server, tab, library } = await opened();
  library.create('routine', { title: 'Kept' });
  tab.intercept = (_, request) => {
    const { changes } = JSON.parse(String(request.body)) as { changes: Change[] };
    server.log.push('POST /api/sync');
    const rejected = changes.map(({ id }) => ({ id, reason: 'The clock is ahead.', code: 'clock' }));
    const answer = { seq: 0, records: [], rejected, more: false, clock: '1700000000000-0000-ffffffff' };
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
  };
  const before = syncs(server);
  await tab.advance(10_000);
  assert(syncs(server) - before < 10, `${syncs(server) - before} requests`);
  assert.equal(library.status.waiting, 1);
  assert.match(library.status.problem ?? '', /takes no stamps/);
});
