// When the local copy is fetched anew: another library, a restored one, deletions that were purged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeServer, problem } from './support/fake-server';
import { Browser, Tab } from './support/world';

test('a server with a new library gives a new copy, and the outbox is kept', async () => {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  for (let n = 0; n < 5; n += 1) library.create('routine', { title: `Old ${n}` });
  await tab.advance(1_000);
  const fresh = new FakeServer();
  fresh.pageSize = 1;
  fresh.edit('routine', fresh.newId(), { title: 'New 1' });
  fresh.edit('routine', fresh.newId(), { title: 'New 2' });
  Object.assign(tab, { server: fresh });
  tab.fate = () => 'requestLost';
  library.create('routine', { title: 'Typed meanwhile' });
  await tab.advance(500);
  tab.fate = () => 'passes';
  await tab.advance(5_000);
  const titles = () => library.all('routine').map(({ title }) => title).sort();
  assert.deepEqual(titles(), ['New 1', 'New 2', 'Typed meanwhile']);
  const again = await new Tab(tab.browser, fresh).open();
  assert.deepEqual(again.all('routine').map(({ title }) => title).sort(), titles());
});

test('a restored library is fetched whole, even if its sequence number is higher than the copy’s', async () => {
  const server = new FakeServer();
  server.library = 'first life';
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  library.create('routine', { title: 'Not in the backup' });
  await tab.advance(1_000);
  const restored = new FakeServer();
  restored.library = 'second life';
  restored.pageSize = 2;
  for (let n = 1; n <= 5; n += 1) restored.edit('routine', restored.newId(), { title: `Back ${n}` });
  Object.assign(tab, { server: restored });
  tab.fate = () => 'requestLost';
  library.create('routine', { title: 'Typed meanwhile' });
  await tab.advance(500);
  tab.fate = () => 'passes';
  await tab.advance(5_000);
  const titles = () => library.all('routine').map(({ title }) => title).sort();
  const all = ['Back 1', 'Back 2', 'Back 3', 'Back 4', 'Back 5', 'Typed meanwhile'];
  assert.deepEqual(titles(), all);
  assert.equal(library.status.waiting, 0);
  const again = await new Tab(tab.browser, restored).open();
  assert.deepEqual(again.all('routine').map(({ title }) => title).sort(), all);
  const before = restored.log.length;
  restored.edit('routine', restored.newId(), { title: 'Back 6' });
  await library.refresh();
  assert.equal(titles().length, 7);
  assert(restored.log.length - before <= 2, 'it is fetched whole only once');
});

test('a copy of an earlier version adopts its library id without fetching all records again', async () => {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  server.library = 'told at last';
  const before = server.log.length;
  library.create('routine', { title: 'Duck' });
  await tab.advance(1_000);
  assert.equal(server.log.length - before, 1);
  assert.equal(library.all('routine').length, 2);
});

test('a copy that missed a purged deletion is fetched again once', async () => {
  const server = new FakeServer();
  const first = new Tab(new Browser(), server);
  const library = await first.open();
  const id = library.create('routine', { title: 'Deleted and forgotten' });
  await first.advance(1_000);
  await library.close();
  first.kill();
  const beside = new Tab(new Browser(), server);
  const other = await beside.open();
  other.remove('routine', id);
  await beside.advance(1_000);
  other.create('routine', { title: 'After it' });
  await beside.advance(1_000);
  server.purge();
  const requests = server.log.length;
  await other.refresh();
  assert.equal(server.log.length, requests + 1, 'who heard of the deletion goes on');
  const later = await new Tab(first.browser, server).open();
  assert.deepEqual(later.all('routine').map(({ title }) => title), ['After it']);
  await later.refresh();
  assert.equal(server.log.length, requests + 4, 'it is fetched whole only once');
});

test('an interrupted first copy is resumed, despite earlier purged deletions', async () => {
  const server = new FakeServer();
  const gone = server.newId();
  for (let n = 0; n < 6; n += 1) server.edit('routine', server.newId(), { title: `R${n}` });
  server.edit('routine', gone, { title: 'Gone', deletedAt: 5 });
  server.purge();
  server.pageSize = 2;
  const tab = new Tab(new Browser(), server);
  let asked = 0;
  tab.intercept = () => {
    asked += 1;
    return asked === 2 ? problem(503, 'Busy.') : null;
  };
  const library = await tab.open();
  await tab.advance(2_000);
  assert.equal(library.all('routine').length, 6);
  assert.equal(asked, 4);
});

test('a deletion that is purged between two pages is not missed', async () => {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  const id = library.create('routine', { title: 'Deleted meanwhile' });
  await tab.advance(1_000);
  for (let n = 0; n < 4; n += 1) server.edit('routine', server.newId(), { title: `New ${n}` });
  server.edit('routine', id, { deletedAt: 5 });
  server.pageSize = 2;
  let asked = 0;
  tab.intercept = () => {
    asked += 1;
    if (asked === 2) server.purge();
    return null;
  };
  void library.refresh();
  await tab.advance(5_000);
  assert.equal(library.all('routine').length, 4);
  assert.equal(library.get('routine', id), undefined);
});
