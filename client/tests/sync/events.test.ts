// The page's event stream, which uses one of a browser's six connections for all tabs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeServer } from './support/fake-server';
import { Browser, Tab } from './support/world';

async function opened(isHidden = false) {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  tab.isHidden = isHidden;
  const library = await tab.open();
  return { server, tab, library, isOpen: () => tab.sources.some(({ readyState }) => readyState !== 2) };
}

test('a page hidden for a minute closes its event stream, and is up to date when shown again', async () => {
  const { server, tab, library, isOpen } = await opened();
  await tab.advance(100_000);
  assert(isOpen(), 'it shows');
  tab.happens('hidden');
  await tab.advance(59_000);
  assert(isOpen(), 'it may show again any moment');
  await tab.advance(1_000);
  assert(!isOpen());
  server.edit('routine', server.newId(), { title: 'Missed' });
  await tab.advance(100_000);
  assert.equal(library.status.online, true);
  assert.equal(tab.sources.length, 1);
  tab.happens('visible');
  await tab.settle();
  assert(isOpen());
  assert.deepEqual(library.all('routine').map(({ title }) => title), ['Missed']);
  await tab.advance(100_000);
  assert(isOpen());
});

test('a page that is shown again within a minute keeps its event stream', async () => {
  const { tab } = await opened();
  tab.happens('hidden');
  await tab.advance(50_000);
  tab.happens('visible');
  await tab.advance(100_000);
  assert.deepEqual(tab.sources.map(({ readyState }) => readyState), [1]);
});

test('a page that was never shown, or whose network is back, also closes its event stream', async () => {
  const { tab, isOpen } = await opened(true);
  assert(isOpen());
  await tab.advance(60_000);
  assert(!isOpen());
  tab.happens('online');
  assert(isOpen());
  await tab.advance(60_000);
  assert(!isOpen());
});

test('a busy hidden page keeps its event stream until it is no longer busy', async () => {
  const { tab, library, isOpen } = await opened();
  let isBusy = true;
  library.appear('?client=x', () => isBusy);
  tab.happens('hidden');
  await tab.advance(600_000);
  assert(isOpen());
  isBusy = false;
  await tab.advance(60_000);
  assert(!isOpen());
});

test('a closed library opens no event stream', async () => {
  const { tab, library, isOpen } = await opened();
  tab.happens('hidden');
  await library.close();
  tab.happens('visible');
  await tab.advance(100_000);
  assert(!isOpen());
});
