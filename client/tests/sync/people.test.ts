// Whose copy it is, the groups of its person, and what they may edit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalLibrary } from '../../src/sync/library';
import type { Role, Space } from '../../src/sync/wire';
import { FakeServer } from './support/fake-server';
import { Browser, Tab } from './support/world';

const group = (role: Role): Space => ({ id: 'class', name: 'Class', role });

/** A server as a person sees it, who is in one group. */
function serverOf(person: string, role: Role = 'performer'): FakeServer {
  const server = new FakeServer();
  Object.assign(server, { library: 'swan-1', person, spaces: [group(role)], people: true });
  return server;
}

async function openOn(server: FakeServer, browser = new Browser()): Promise<{ tab: Tab; library: LocalLibrary; browser: Browser }> {
  const tab = new Tab(browser, server);
  server.onEvent = (type, data) => tab.tell(type, data);
  return { tab, library: await tab.open(), browser };
}

const titles = (library: LocalLibrary): string[] => library.all('routine').map(({ title }) => title).sort();

test('the person and the groups are known without a network', async () => {
  const server = serverOf('ana', 'teacher');
  const { browser, tab, library } = await openOn(server);
  assert.equal(library.status.person, 'ana');
  assert.equal(library.status.people, true);
  assert.equal(library.isOwners, false);
  assert.deepEqual(library.spaces, [group('teacher')]);
  await tab.advance(1_000);
  await library.close();
  const next = new Tab(browser, server);
  next.fate = () => 'requestLost';
  const offline = await next.open();
  assert.equal(offline.status.person, 'ana');
  assert.deepEqual(offline.spaces, [group('teacher')]);
  assert.equal(offline.mayEditIn('class'), true);
});

test('a server that knows no people leaves everything to its one person', async () => {
  const { library } = await openOn(new FakeServer());
  assert.equal(library.isOwners, true);
  assert.equal(library.status.people, false);
  assert.deepEqual(library.spaces, []);
  assert.equal(library.mayEditIn(undefined), true);
});

test('only owners and teachers of a group edit what it has', async () => {
  const server = serverOf('ana', 'performer');
  const { tab, library } = await openOn(server);
  const roles: Role[] = ['performer', 'teacher', 'owner'];
  const may: boolean[] = [];
  for (const role of roles) {
    server.setSpaces([group(role)]);
    await tab.advance(1_000);
    may.push(library.mayEditIn('class'));
  }
  assert.deepEqual(may, [false, true, true]);
  assert.equal(library.mayEditIn('another'), false);
  assert.equal(library.mayEditIn(undefined), true);
});

test('an edit that is forbidden goes back to what the server has', async () => {
  const server = serverOf('ana', 'performer');
  const id = server.newId();
  server.edit('routine', id, { title: 'Swan' }, 'class');
  const { tab, library } = await openOn(server);
  assert.equal(library.get('routine', id)?.space, 'class');
  library.edit('routine', id, { title: 'Duck' });
  library.edit('routine', id, { pinned: 1 });
  await tab.advance(1_000);
  assert.equal(library.get('routine', id)?.title, 'Swan');
  assert.equal(library.get('routine', id)?.pinned, 1, 'a pin is one’s own');
  assert.equal(library.status.waiting, 0);
  assert.deepEqual(library.status.rejected.map(({ reason }) => reason), ['Only teachers edit it.']);
});

test('a routine is made in a group, even if its title is edited before it is sent', async () => {
  const server = serverOf('ana', 'teacher');
  const { tab, library } = await openOn(server);
  tab.fate = () => 'requestLost';
  const id = library.create('routine', { title: 'Swan' }, 'class');
  assert.equal(library.get('routine', id)?.space, 'class', 'it is there before the server has it');
  library.edit('routine', id, { title: 'Duck' });
  const own = library.create('routine', { title: 'Mine' });
  // A copy takes the fields of a routine, not its group.
  const copy = library.create('routine', { ...library.get('routine', id)!, title: 'Copy' });
  tab.fate = () => 'passes';
  await tab.advance(60_000);
  assert.equal(server.wire('routine', id)?.['space'], 'class');
  assert.equal(server.wire('routine', id)?.['title'], 'Duck');
  assert.equal(server.wire('routine', own)?.['space'], undefined);
  assert.equal(server.wire('routine', copy)?.['space'], undefined);
});

test('who is taken out of a group loses its routines at the next contact', async () => {
  const server = serverOf('ana', 'performer');
  server.edit('routine', server.newId(), { title: 'Swan' }, 'class');
  server.edit('routine', server.newId(), { title: 'Mine' });
  const { tab, browser, library } = await openOn(server);
  assert.deepEqual(titles(library), ['Mine', 'Swan']);
  server.setSpaces([]);
  await tab.advance(1_000);
  assert.deepEqual(titles(library), ['Mine']);
  assert.deepEqual(library.spaces, []);
  await library.close();
  const next = new Tab(browser, server);
  next.fate = () => 'requestLost';
  assert.deepEqual(titles(await next.open()), ['Mine'], 'nothing of it is stored');
});

/** Two tabs of Ana's, each with an unsent edit, whose browser is then paired for Ben. */
async function passedOn(): Promise<{
  anas: FakeServer; bens: FakeServer; tabs: readonly [Tab, Tab]; libraries: readonly [LocalLibrary, LocalLibrary]; browser: Browser;
}> {
  const [anas, bens] = [serverOf('ana'), serverOf('ben')];
  anas.edit('routine', anas.newId(), { title: 'Of Ana' });
  for (let at = 0; at < 3; at += 1) bens.newId();
  bens.edit('routine', bens.newId(), { title: 'Of Ben' });
  const browser = new Browser();
  const tabs = [new Tab(browser, anas), new Tab(browser, anas)] as const;
  const libraries = [await tabs[0].open(), await tabs[1].open()] as const;
  for (const tab of tabs) tab.fate = () => 'requestLost';
  libraries[0].create('routine', { title: 'Unsent of Ana' });
  await tabs[0].advance(1_000);
  for (const tab of tabs) {
    tab.intercept = (url, request) => bens.handle(url, request);
    tab.fate = () => 'passes';
  }
  return { anas, bens, tabs, libraries, browser };
}

test('a browser that is paired for another person begins empty, in every tab', async () => {
  const { bens, tabs, libraries, browser } = await passedOn();
  libraries[0].reconnect();
  await tabs[0].advance(60_000);
  await tabs[1].advance(60_000);
  for (const library of libraries) {
    assert.deepEqual(titles(library), ['Of Ben']);
    assert.equal(library.status.person, 'ben');
    assert.equal(library.status.waiting, 0);
    assert.deepEqual(library.status.rejected, []);
  }
  assert.deepEqual(bens.heard, [], 'nothing of Ana’s was sent as Ben’s');
  await libraries[0].close();
  const next = new Tab(browser, bens);
  next.fate = () => 'requestLost';
  const stored = await next.open();
  assert.deepEqual(titles(stored), ['Of Ben']);
  assert.equal(stored.status.waiting, 0);
});

test('a copy of an earlier version is the owner’s, and is not fetched again', async () => {
  const server = new FakeServer();
  server.library = 'swan-1';
  const { tab, library } = await openOn(server);
  library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  Object.assign(server, { person: 'owner', spaces: [], people: false });
  const before = server.log.length;
  library.create('routine', { title: 'Duck' });
  await tab.advance(1_000);
  assert.deepEqual(titles(library), ['Duck', 'Swan']);
  assert.equal(server.log.length - before, 1);
  assert.equal(library.status.person, 'owner');
});

test('a copy of an earlier version is not shown to another person', async () => {
  const server = new FakeServer();
  server.library = 'swan-1';
  const { tab, library } = await openOn(server);
  library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  const anas = serverOf('ana');
  // Not taken for a library that has begun anew.
  anas.seq = 10;
  tab.intercept = (url, request) => anas.handle(url, request);
  library.reconnect();
  await tab.advance(1_000);
  assert.deepEqual(titles(library), []);
  assert.equal(library.status.person, 'ana');
});

test('groups with other members are the same value until they change', async () => {
  const server = serverOf('ana', 'teacher');
  const { tab, library } = await openOn(server);
  const { spaces } = library.status;
  server.edit('routine', server.newId(), { title: 'Swan' });
  await tab.advance(1_000);
  assert.equal(library.status.spaces, spaces);
  server.setSpaces([{ id: 'two', name: '', role: 'owner', with: ['Ben'] }]);
  await tab.advance(1_000);
  assert.deepEqual(library.spaces, [{ id: 'two', name: '', role: 'owner', with: ['Ben'] }]);
});
