// A device without access: it loses nothing, and reports it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeServer, problem } from './support/fake-server';
import { Browser, Tab } from './support/world';

const notPaired = (): Response => problem(401, 'This device is not paired.');

test('an unpaired device keeps its data and sends its changes after pairing again', async () => {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  assert.equal(library.status.unpaired, false);
  tab.intercept = notPaired;
  library.create('routine', { title: 'Nutcracker' });
  await tab.advance(1_000);
  assert.equal(library.status.unpaired, true);
  assert.equal(library.status.waiting, 1);
  assert.equal(library.status.problem, null, 'the page for it says more than a sentence');
  assert.equal(library.all('routine').length, 2);
  assert.equal(tab.browser.disk.values('outbox').length, 1);
  tab.intercept = () => null;
  library.reconnect();
  await tab.advance(1_000);
  assert.equal(library.status.unpaired, false);
  assert.equal(library.status.waiting, 0);
  assert.equal(server.heard.length, 2);
});

test('without a network the pairing state does not change', async () => {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  tab.intercept = notPaired;
  const library = await tab.open();
  await tab.advance(100);
  assert.equal(library.status.unpaired, true);
  assert.equal(library.status.loaded, false);
  tab.isOnline = false;
  await tab.advance(60_000);
  assert.equal(library.status.online, false);
  assert.equal(library.status.unpaired, true, 'what the server said last holds');
});

test('after an event stream is cut the device checks its access at once', async () => {
  const tab = new Tab(new Browser(), new FakeServer());
  const library = await tab.open();
  tab.tell('open', null);
  await tab.settle();
  tab.intercept = notPaired;
  tab.tell('error', null);
  await tab.settle();
  assert.equal(library.status.unpaired, true);
});

test('messages between pages reach the listeners', async () => {
  const tab = new Tab(new Browser(), new FakeServer());
  const library = await tab.open();
  const told: unknown[] = [];
  const stop = library.onServerMessage((each) => told.push(each));
  tab.tell('remote', { from: 'a' });
  tab.tell('players', { clients: [] });
  stop();
  tab.tell('players', { clients: [] });
  assert.deepEqual(told, [
    { type: 'remote', value: { from: 'a' } }, { type: 'players', value: { clients: [] } },
  ]);
});
