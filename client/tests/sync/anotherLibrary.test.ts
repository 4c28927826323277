// Another library answers at the address: a wrong folder is served, or the first library is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalLibrary } from '../../src/sync/library';
import { FakeServer } from './support/fake-server';
import { Browser, Tab } from './support/world';

/** A device with a copy and an unsent edit, and a server with another library. */
async function misled(): Promise<{
  own: FakeServer; other: FakeServer; tab: Tab; library: LocalLibrary; id: string; browser: Browser;
}> {
  const [own, other] = [new FakeServer(), new FakeServer()];
  own.library = 'swan-1';
  other.library = 'duck-1';
  const browser = new Browser();
  const tab = new Tab(browser, own);
  const library = await tab.open();
  const id = library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  tab.intercept = (url, request) => other.handle(url, request);
  library.edit('routine', id, { subtitle: 'Lake' });
  await tab.advance(1_000);
  return { own, other, tab, library, id, browser };
}

test('another library gets no changes, and the outbox is sent to its own library', async () => {
  const { own, other, tab, library, id, browser } = await misled();
  assert.equal(library.status.another, true);
  assert.equal(library.status.online, false, 'nothing is uploaded to it');
  assert.equal(library.status.waiting, 1);
  assert.equal(library.get('routine', id)?.title, 'Swan');
  assert.equal(other.heard.length, 0);
  tab.happens('hidden');
  await tab.settle();
  assert.equal(other.heard.length, 0, 'nor when the page is put away');
  const next = new Tab(browser, other);
  assert.equal((await next.open()).get('routine', id)?.subtitle, 'Lake');
  await next.advance(1_000);
  assert.equal(other.heard.length, 0);
  tab.intercept = () => null;
  library.reconnect();
  await tab.advance(60_000);
  assert.equal(library.status.another, false);
  assert.equal(library.status.online, true);
  assert.equal(library.status.waiting, 0);
  assert.equal(own.wire('routine', id)?.['subtitle'], 'Lake');
});

test('the user can accept the other library, with the outbox', async () => {
  const { other, tab, library, id } = await misled();
  other.edit('routine', other.newId(), { title: 'Duck' });
  library.takeAnother();
  await tab.advance(1_000);
  assert.equal(library.status.another, false);
  assert.equal(library.status.waiting, 0);
  assert.deepEqual(library.all('routine').map(({ title }) => title), ['Duck']);
  assert.equal(other.wire('routine', id)?.['subtitle'], 'Lake');
  library.edit('routine', library.all('routine')[0]?.id ?? '', { title: 'Eider' });
  await tab.advance(1_000);
  assert.equal(library.status.waiting, 0);
});

test('a restored library counts as the same library', async () => {
  const { own, tab, library, id } = await misled();
  tab.intercept = () => null;
  own.library = 'swan-2';
  library.reconnect();
  await tab.advance(60_000);
  assert.equal(library.status.another, false);
  assert.equal(own.wire('routine', id)?.['subtitle'], 'Lake');
});
