// The exchange with the server: its times, its stored state, and failures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/sync/wire';
import { FakeServer, problem } from './support/fake-server';
import { Browser, opened, syncs, Tab } from './support/world';

test('edits in quick succession are sent together, 150 ms after the last', async () => {
  const { server, tab, library } = await opened();
  const before = syncs(server);
  const id = library.create('routine', { title: 'S' });
  await tab.advance(100);
  library.edit('routine', id, { subtitle: 'Lake' });
  await tab.advance(149);
  assert.equal(syncs(server), before);
  await tab.advance(1);
  assert.equal(syncs(server), before + 1);
  assert.equal(server.wire('routine', id)?.['subtitle'], 'Lake');
  assert.equal(library.status.waiting, 0);
});

test('typing without a pause is sent about every second', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: '-' });
  for (let step = 0; step < 30; step += 1) {
    library.edit('routine', id, { title: `Title ${step}` });
    await tab.advance(100);
  }
  const sent = syncs(server);
  assert(sent >= 3 && sent <= 6, `${sent} requests in three seconds`);
});

test('unsent typing becomes one change', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'S' });
  for (const title of ['Sw', 'Swa', 'Swan']) library.edit('routine', id, { title });
  library.edit('routine', id, { subtitle: 'L' });
  assert.equal(library.status.waiting, 2);
  assert.equal(tab.browser.disk.values('outbox').length, 0);
  await tab.settle();
  assert.equal(tab.browser.disk.values('outbox').length, 2);
  await tab.advance(1_000);
  assert.equal(server.heard.length, 2);
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
  assert.equal(tab.browser.disk.values('outbox').length, 0);
});

test('a change that may have been sent is never replaced by a later one', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'S' });
  tab.fate = () => 'answerLost';
  await tab.advance(200);
  library.edit('routine', id, { title: 'Swan' });
  assert.equal(library.status.waiting, 2);
  tab.fate = () => 'passes';
  await tab.advance(2_000);
  assert.equal(library.status.waiting, 0);
  assert.equal(server.heard.length, 3);
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
});

test('while a change is in the outbox, the server’s value of its field is not shown', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'First' });
  await tab.advance(1_000);
  tab.isOnline = false;
  library.edit('routine', id, { title: 'Mine' });
  await tab.advance(1_000);
  tab.isOnline = true;
  server.edit('routine', id, { title: 'Theirs', subtitle: 'Theirs' });
  const seen: unknown[] = [];
  library.subscribe(() => seen.push(library.get('routine', id)?.title));
  await library.refresh();
  assert.equal(library.get('routine', id)?.subtitle, 'Theirs');
  // The result depends on the server's clock, and is the same on both sides.
  assert.equal(library.get('routine', id)?.title, server.wire('routine', id)?.['title']);
  assert(seen.every((title) => title === 'Mine' || title === server.wire('routine', id)?.['title']));
});

test('an edit after a sync has a later stamp than all stamps of the server', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'First' });
  await tab.advance(1_000);
  for (let edit = 0; edit < 50_000; edit += 1) server.edit('routine', id, { title: `T${edit}` });
  await library.refresh();
  library.edit('routine', id, { title: 'Last' });
  await tab.advance(1_000);
  assert.equal(server.wire('routine', id)?.['title'], 'Last');
});

test('the view does not flicker while a response arrives in pages', async () => {
  const { server, tab, library } = await opened();
  server.pageSize = 2;
  const ids = [1, 2, 3, 4, 5].map((n) => library.create('routine', { title: `Old ${n}` }));
  await tab.advance(1_000);
  for (let n = 0; n < 4; n += 1) server.edit('moveType', server.newId(), { name: 'Type' });
  const last = ids[4] ?? '';
  library.edit('routine', last, { title: 'New' });
  const seen = new Set<unknown>();
  library.subscribe(() => seen.add(library.get('routine', last)?.title));
  await tab.advance(1_000);
  assert.deepEqual([...seen], ['New']);
  assert.equal(library.status.waiting, 0);
  assert.equal(library.all('moveType').length, 4);
});

test('a refused change is shown with its reason, and the typed text is kept', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  const refuse = server.handle.bind(server);
  server.handle = async (url, request) => {
    const body = JSON.parse(String(request.body)) as { since: number; changes: Change[] };
    const bad = body.changes.filter((change) => change.fields['title'] === 'Bad');
    body.changes = body.changes.filter((change) => !bad.includes(change));
    const answer = await refuse(url, { ...request, body: JSON.stringify(body) });
    const rejected = bad.map((change) => ({ id: change.id, reason: 'That is not allowed.' }));
    return new Response(JSON.stringify({ ...(await answer.json()), rejected }));
  };
  library.edit('routine', id, { title: 'Bad' });
  library.edit('routine', id, { subtitle: 'Good' });
  await tab.advance(1_000);
  const [rejected] = library.status.rejected;
  assert.equal(rejected?.reason, 'That is not allowed.');
  assert.deepEqual(rejected?.fields, { title: 'Bad' });
  assert.equal(rejected?.record, id);
  assert.equal(library.get('routine', id)?.title, 'Swan');
  assert.equal(library.get('routine', id)?.subtitle, 'Good');
  assert.equal(library.status.waiting, 0);
  const again = await new Tab(tab.browser, server).open();
  assert.equal(again.status.rejected.length, 1);
  again.dismissRejected(rejected?.id ?? '');
  await tab.settle();
  assert.equal(library.status.rejected.length, 0);
  assert.equal(tab.browser.disk.values('rejected').length, 0);
});

test('a change that the server cannot read does not block the others', async () => {
  const { server, tab, library } = await opened();
  const honest = server.handle.bind(server);
  server.handle = async (url, request) =>
    String(request.body).includes('Poison') ? problem(400, 'Unreadable.') : honest(url, request);
  for (let n = 0; n < 20; n += 1) {
    library.create('routine', { title: n === 13 ? 'Poison' : `Good ${n}` });
  }
  await tab.advance(2_000);
  assert.equal(server.records.size, 19);
  assert.equal(library.status.waiting, 0);
  assert.equal(library.status.rejected[0]?.fields['title'], 'Poison');
  assert.equal(library.status.rejected[0]?.reason, 'Unreadable.');
});

test('changes that a proxy refuses stay in the outbox, and too large requests are split', async () => {
  const { server, tab, library } = await opened();
  const page = (status: number): Response => new Response('<html>No</html>', { status });
  tab.intercept = () => page(400);
  for (let n = 0; n < 4; n += 1) library.create('routine', { title: `Good ${n}` });
  await tab.advance(120_000);
  assert.deepEqual([library.status.rejected.length, library.status.waiting], [0, 4]);
  tab.intercept = () => page(413);
  await tab.advance(120_000);
  assert.deepEqual([library.status.rejected.length, library.status.waiting], [0, 4]);
  tab.intercept = (_url, { body }) => (String(body).length > 300 ? page(413) : null);
  await tab.advance(120_000);
  assert.deepEqual([library.status.rejected.length, library.status.waiting, server.records.size], [0, 0, 4]);
});

test('offline edits wait with growing retry delays, and are sent at once when the network returns', async () => {
  const { server, tab, library } = await opened();
  tab.isOnline = false;
  const id = library.create('routine', { title: 'Offline' });
  await tab.advance(60_000);
  assert.equal(library.status.online, false);
  assert.equal(library.status.problem, null);
  assert.equal(library.status.waiting, 1);
  const attempts = tab.requests.length;
  await tab.advance(60_000);
  assert(tab.requests.length - attempts <= 3, `${tab.requests.length - attempts} in a minute`);
  tab.isOnline = true;
  tab.happens('online');
  await tab.settle();
  assert.equal(server.wire('routine', id)?.['title'], 'Offline');
  assert.equal(library.status.online, true);
});

test('a response that arrives after the network failed does not count as online', async () => {
  const { tab, library } = await opened();
  const answered = tab.intercept;
  tab.intercept = () => {
    tab.intercept = answered;
    queueMicrotask(() => {
      tab.isOnline = false;
      tab.happens('offline');
    });
    return null;
  };
  library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  assert.equal(library.status.online, false);
});

test('a network that returns during a failing attempt is used at once', async () => {
  const { tab, library } = await opened();
  tab.isOnline = false;
  library.create('routine', { title: 'Swan' });
  await tab.advance(60_000);
  const { intercept } = tab;
  // An earlier attempt fails after the network has returned.
  tab.isOnline = true;
  tab.intercept = () => {
    tab.intercept = intercept;
    tab.happens('online');
    throw new TypeError('fetch failed');
  };
  assert.equal(await library.refresh(), true);
  assert.equal(library.status.online, true);
  assert.equal(library.status.waiting, 0);
});

test('a server error is reported until it is over', async () => {
  const { tab, library } = await opened();
  tab.intercept = () => problem(503, 'The disk of the server is full.');
  library.create('routine', { title: 'Swan' });
  await tab.advance(500);
  assert.match(library.status.problem ?? '', /^The disk of the server is full\. .*kept here/);
  assert.equal(library.status.online, true);
  tab.intercept = () => null;
  await tab.advance(60_000);
  assert.equal(library.status.problem, null);
  assert.equal(library.status.waiting, 0);
});

test('an unpaired device keeps its copy and its outbox, and reports it', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'Swan' });
  await tab.advance(1_000);
  tab.intercept = () => problem(401, 'Pair this device.');
  library.edit('routine', id, { title: 'Swan Lake' });
  await tab.advance(60_000);
  assert.equal(library.status.unpaired, true);
  assert.equal(library.status.waiting, 1);
  assert.equal(library.get('routine', id)?.title, 'Swan Lake');
  tab.kill();
  const reopened = new Tab(tab.browser, server);
  reopened.intercept = () => problem(401, 'Pair this device.');
  const again = await reopened.open();
  assert.equal(again.get('routine', id)?.title, 'Swan Lake');
  reopened.intercept = () => null;
  await reopened.advance(60_000);
  assert.equal(again.status.waiting, 0);
  assert.equal(again.status.unpaired, false);
});

test("a guest network's login page is not accepted as a response", async () => {
  const { tab, library } = await opened();
  tab.intercept = () => new Response('<html>Welcome to our café</html>', { status: 200 });
  library.create('routine', { title: 'Swan' });
  await tab.advance(500);
  assert.equal(library.status.online, false);
  assert.equal(library.status.waiting, 1);
  assert.equal(library.all('routine').length, 1);
});

test('an invalid response is refused as a whole and not stored', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'Swan' });
  const part = { type: 'routine', id: server.newId(), seq: 1, createdAt: 1, title: 'Half' };
  for (const wrong of [
    { seq: 2, records: [part, null] }, { seq: 2, records: [{ ...part, seq: 'last' }] }, { seq: -1, records: [] },
    // Without its id, the refused change would count as accepted.
    { seq: 2, records: [], rejected: [{ reason: 'No.' }] },
  ]) {
    tab.intercept = (url) => (url.endsWith('/api/sync') ? new Response(JSON.stringify(wrong)) : null);
    await tab.advance(40_000);
    assert.deepEqual([library.status.online, library.status.waiting], [false, 1], JSON.stringify(wrong));
    assert.deepEqual(library.all('routine').map(({ title }) => title), ['Swan']);
  }
  tab.kill();
  const later = new Tab(tab.browser, server);
  const again = await later.open();
  await later.advance(1_000);
  assert.deepEqual([again.status.waiting, again.status.problem], [0, null]);
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
});

test('an event about a change causes one fetch', async () => {
  const { server, tab, library } = await opened();
  server.onEvent = (type, data) => tab.tell(type, data);
  const before = syncs(server);
  server.edit('routine', server.newId(), { title: 'From elsewhere' });
  await tab.settle();
  assert.equal(library.all('routine')[0]?.title, 'From elsewhere');
  assert.equal(syncs(server), before + 1);
  // The event of the page's own edit arrives before the response: no further request follows.
  library.create('routine', { title: 'From here' });
  await tab.advance(1_000);
  assert.equal(syncs(server), before + 2);
  // The event of another change during the exchange causes one more request.
  tab.intercept = (url) => {
    if (url.endsWith('/api/sync')) {
      tab.intercept = () => null;
      queueMicrotask(() => server.edit('routine', server.newId(), { title: 'Meanwhile' }));
    }
    return null;
  };
  library.create('routine', { title: 'From here too' });
  await tab.advance(1_000);
  assert.equal(library.all('routine').length, 4);
});

test('edits while the server is unreachable cause no further attempts', async () => {
  const { tab, library } = await opened();
  const id = library.create('routine', { title: '-' });
  tab.isOnline = false;
  await tab.advance(10_000);
  const before = tab.requests.length;
  for (let second = 0; second < 60; second += 1) {
    library.edit('routine', id, { title: `Second ${second}` });
    await tab.advance(1_000);
  }
  assert(tab.requests.length - before <= 6, `${tab.requests.length - before} attempts`);
});

test('job reports reach the listeners', async () => {
  const { tab, library } = await opened();
  const seen: string[] = [];
  const stop = library.onJob((job) => seen.push(`${job.id} ${job.state} ${job.progress}`));
  tab.tell('job', { id: 'a', kind: 'import', state: 'running', progress: 0.5, message: null });
  tab.tell('job', { nonsense: true });
  stop();
  tab.tell('job', { id: 'a', kind: 'import', state: 'done', progress: 1, message: null });
  assert.deepEqual(seen, ['a running 0.5']);
});

test('an event stream that the server closed is opened again', async () => {
  const { server, tab, library } = await opened();
  const [source] = tab.sources;
  source?.close();
  source?.emit('error');
  await tab.advance(6_000);
  assert.equal(tab.sources.length, 2);
  server.edit('routine', server.newId(), { title: 'Missed' });
  tab.sources[1]?.emit('open');
  await tab.settle();
  assert.equal(library.all('routine').length, 1);
});

test('the outbox is sent at once when the page is hidden', async () => {
  const { server, tab, library } = await opened();
  const id = library.create('routine', { title: 'Swan' });
  tab.happens('hidden');
  await tab.settle();
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
  const last = tab.requests[tab.requests.length - 1];
  assert.equal(last?.request.keepalive, true);
  await tab.advance(1_000);
  assert.equal(library.status.waiting, 0);
});

test('a running exchange does not delay text that is typed before the page is hidden', async () => {
  const { server, tab, library } = await opened();
  tab.fate = () => 'requestLost';
  const refreshed = library.refresh();
  tab.fate = () => 'passes';
  const id = library.create('routine', { title: 'Swan' });
  tab.happens('hidden');
  assert.equal(await refreshed, false);
  await tab.settle();
  assert.equal(server.wire('routine', id)?.['title'], 'Swan');
});

test('many edits are sent in several requests, in their order', async () => {
  const { server, tab, library } = await opened();
  const routine = library.create('routine', { title: 'Long' });
  const part = library.create('part', { routine, title: 'Part', position: 'V' });
  const before = syncs(server);
  library.transact(() => {
    for (let n = 0; n < 2_500; n += 1) {
      library.create('move', { part, title: `Move ${n}`, position: 'V', notes: 'x'.repeat(1_000) });
    }
  });
  await tab.advance(1_000);
  assert.equal(library.status.waiting, 0);
  assert.equal(library.moves(part).length, 2_500);
  assert(syncs(server) - before >= 3, `${syncs(server) - before} requests`);
  assert(server.heard.every((change, n) => (server.heard[n - 1]?.at ?? '') < change.at));
  assert(tab.requests.every(({ request }) => String(request.body).length < 1_100_000));
});

test('skeletons are shown only until the first complete copy has arrived', async () => {
  const server = new FakeServer();
  server.pageSize = 1;
  for (let n = 0; n < 3; n += 1) server.edit('routine', server.newId(), { title: `R${n}` });
  const tab = new Tab(new Browser(), server);
  let requests = 0;
  tab.fate = () => (++requests > 2 ? 'requestLost' : 'passes');
  const library = await tab.open();
  assert.equal(library.all('routine').length, 2);
  assert.equal(library.status.loaded, false);
  const second = new Tab(tab.browser, server);
  second.isOnline = false;
  assert.equal((await second.open()).status.loaded, false);
  tab.fate = () => 'passes';
  await library.refresh();
  assert.equal(library.status.loaded, true);
  const third = new Tab(tab.browser, server);
  third.isOnline = false;
  assert.equal((await third.open()).status.loaded, true);
});

test('after close nothing is sent and no listener is called', async () => {
  const { tab, library } = await opened();
  library.create('routine', { title: 'Swan' });
  await library.close();
  const requests = tab.requests.length;
  let calls = 0;
  library.subscribe(() => (calls += 1));
  tab.happens('online');
  tab.happens('hidden');
  await tab.advance(60_000);
  assert.equal(tab.requests.length, requests);
  assert.equal(calls, 0);
  assert.equal(tab.browser.disk.values('outbox').length, 1);
});
