// A routine in the making, whose songs wait to be uploaded: it is stored with them, and goes on in the next tab.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Purpose } from '../../src/uploads/queue';
import { leaving } from '../../src/ui/device';
import { Disk, film, held, hide, pass, Tab, timers } from './waitingTabs';

test('a song of a routine that is made while it goes up is stored with its place', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  tab.status.online = true;
  const draft = tab.openDraft();
  draft.describe({ title: 'Swan' });
  await draft.addFiles([new File(['song'], 'One.wav')]);
  await hide();
  assert.deepEqual(disk.purposes, [{ kind: 'draft' }]);
  assert.equal(disk.drafts.size, 1);
  draft.create();
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'part', routine: 'routine', title: 'One', position: draft.rows[0]?.position }]);
  assert.equal(disk.drafts.size, 0);
});

test('a routine in the making that a closed tab left goes on in the next one', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.openDraft().describe({ title: 'Swan' });
  await first.openDraft().addFiles([new File(['song'], 'One.wav')]);
  await pass();
  timers.length = 0;
  const second = await new Tab(disk).begin();
  assert.equal(second.draft?.title, 'Swan');
  assert.deepEqual(second.draft?.rows.map(({ fileName }) => fileName), ['One.wav']);
  assert.equal(disk.drafts.size, 1);
  assert.equal(disk.waiting.size, 1);
});

test('a routine in the making stays with its tab while that is reloaded, and is taken over once it is closed', async () => {
  const lock = 'segmance-tab-other';
  for (const isClosed of [false, true]) {
    const disk = new Disk();
    disk.drafts.set('other', { tab: 'other', title: 'Swan', subtitle: '', rows: [] });
    held.add(lock);
    const tab = new Tab(disk);
    await tab.files.begin();
    held.delete(lock);
    await pass();
    assert.equal(tab.draft, null, 'it may only be reloading');
    if (!isClosed) held.add(lock);
    await pass();
    assert.equal(tab.draft?.title, isClosed ? 'Swan' : undefined);
    assert.equal(disk.drafts.has('other'), !isClosed);
    held.delete(lock);
    timers.length = 0;
  }
});

test('a routine in the making that cannot be stored holds a reload up', async () => {
  const disk = new Disk();
  disk.failing.add('put drafts');
  const tab = await new Tab(disk).begin();
  tab.openDraft().describe({ title: 'Swan' });
  assert.match(await tab.files.storeAll() ?? '', /a reload would lose them/);
  disk.failing.clear();
  assert.equal(await tab.files.storeAll(), null);
});

test('a routine that was begun meanwhile is not mixed with one that a closed tab left, and both are kept', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.openDraft().describe({ title: 'Swan' });
  await first.openDraft().addFiles([new File(['song'], 'One.wav')]);
  await pass();
  timers.length = 0;
  const second = new Tab(disk);
  second.openDraft().describe({ title: 'Duck' });
  await second.begin();
  assert.equal(second.draft?.title, 'Duck');
  assert.equal(second.draft?.rows.length, 0);
  assert.equal(second.uploads.length, 0, 'nor does its song go up by itself');
  assert.deepEqual([...disk.drafts.values()].map(({ title }) => title).sort(), ['Duck', 'Swan']);
  assert.equal(disk.waiting.size, 1);
  second.draft?.discard();
  await pass();
  timers.length = 0;
  const third = await new Tab(disk).begin();
  assert.equal(third.draft?.title, 'Swan');
  assert.equal(third.draft?.rows.length, 1);
});

test('a reload does not write what is begun at once over what was there before', async () => {
  const kept = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value),
  };
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: sessionStorage });
  try {
    const disk = new Disk();
    const first = await new Tab(disk).begin();
    first.openDraft().describe({ title: 'Swan' });
    await first.openDraft().addFiles([new File(['song'], 'One.wav')]);
    await pass();
    timers.length = 0;
    const second = new Tab(disk);
    second.openDraft().describe({ title: 'Duck' });
    await second.begin();
    assert.equal(second.draft?.title, 'Duck');
    assert.deepEqual([...disk.drafts.values()].map(({ title }) => title).sort(), ['Duck', 'Swan']);
    assert.equal(disk.drafts.get(kept.get('segmance.tab') ?? '')?.title, 'Duck', 'a reload goes on with it');
    second.draft?.discard();
    await pass();
    timers.length = 0;
    const third = await new Tab(disk).begin();
    assert.equal(third.draft?.title, 'Swan');
    assert.equal(third.draft?.rows.length, 1);
  } finally {
    Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: undefined });
  }
});

test('a routine in the making leaves its old place only once it is stored in its new one', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.openDraft().describe({ title: 'Swan' });
  await pass();
  timers.length = 0;
  disk.failing.add('put drafts');
  const complain = console.error;
  console.error = () => undefined;
  const second = await new Tab(disk).begin();
  assert.equal(second.draft?.title, 'Swan');
  assert.deepEqual([...disk.drafts.values()].map(({ title }) => title), ['Swan']);
  disk.failing.clear();
  console.error = complain;
});

test('a routine that is made while its songs are being stored has its places stored before any of them', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  const complain = console.error;
  console.error = () => undefined;
  disk.failing.add('put One.wav');
  const draft = tab.openDraft();
  draft.describe({ title: 'Swan' });
  await draft.addFiles([new File(['one'], 'One.wav'), new File(['two!'], 'Two.wav')]);
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'draft' }]);
  disk.failing.clear();
  disk.isBusy = true;
  await hide();
  draft.create();
  const known: unknown[] = [];
  disk.claims.set = (id, claim) => {
    known.push([...disk.drafts.values()].map(({ routine }) => routine));
    return Map.prototype.set.call(disk.claims, id, claim) as typeof disk.claims;
  };
  disk.free();
  await pass();
  await pass();
  assert.deepEqual(disk.purposes.map((purpose) => (purpose as Purpose).kind), ['part', 'part']);
  assert.deepEqual(known, [['routine'], ['routine']]);
  console.error = complain;
});

test('a page killed while the songs of its new routine are stored anew leaves them to that routine', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  const draft = first.openDraft();
  draft.describe({ title: 'Swan' });
  await draft.addFiles([new File(['one'], 'One.wav'), new File(['two!'], 'Two.wav')]);
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'draft' }, { kind: 'draft' }]);
  disk.failing.add('put waiting').add('delete drafts');
  const complain = console.error;
  console.error = () => undefined;
  draft.create();
  await pass();
  const places = draft.rows.map(({ position }) => position);
  timers.length = 0;
  disk.failing.clear();
  const second = await new Tab(disk).begin();
  await pass();
  assert.equal(second.draft?.routineId, 'routine');
  assert.deepEqual(second.draft?.rows.map(({ title, position }) => [title, position]), [['One', places[0]], ['Two', places[1]]]);
  assert.equal(second.draft?.title, '', 'no other routine is in the making');
  assert.equal(disk.drafts.size, 0);
  assert.equal(disk.waiting.size, 2);
  console.error = complain;
});

test('so it does where that routine is not here yet', async () => {
  const disk = new Disk();
  disk.waiting.set('f', { id: 'f', name: 'One.wav', file: film, purpose: { kind: 'draft' }, tab: 'gone', at: 1 });
  const rows = [{ title: 'One', track: null, file: 'f', position: 'V' }];
  disk.drafts.set('gone', { tab: 'gone', title: 'Swan', subtitle: '', rows, routine: 'swan' });
  disk.waiting.set('v', { id: 'v', name: 'run.mp4', file: film, purpose: { kind: 'video', part: 'a' }, tab: 'gone', at: 2 });
  const complain = console.error;
  console.error = () => undefined;
  for (const isFull of [true, false]) {
    if (isFull) disk.failing.add('put waiting');
    else disk.failing.clear();
    const tab = new Tab(disk);
    tab.missing.add('swan');
    tab.knowsDeletions = false;
    await tab.begin();
    assert.equal(disk.drafts.size, isFull ? 1 : 0);
    assert.equal(tab.queue.of('video', 'a')?.file.name, 'run.mp4', 'and keeps no other from going up');
    timers.length = 0;
  }
  console.error = complain;
  assert.deepEqual(disk.purposes[0], { kind: 'part', routine: 'swan', title: 'One', position: 'V' });
  const next = await new Tab(disk).begin();
  assert.deepEqual(next.draft?.rows.map(({ title, position }) => [title, position]), [['One', 'V']]);
});

test('a file that cannot be stored keeps the others and the routine in the making from nothing', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  const complain = console.error;
  console.error = () => undefined;
  disk.failing.add('put Bad.wav');
  tab.openDraft().describe({ title: 'Swan' });
  await tab.openDraft().addFiles([new File(['bad'], 'Bad.wav'), new File(['good'], 'Good.wav')]);
  await pass();
  assert.deepEqual([...disk.waiting.values()].map(({ name }) => name), ['Good.wav']);
  assert.equal([...disk.drafts.values()][0]?.rows.length, 2);
  assert.equal(leaving.isSafe, false);
  disk.failing.clear();
  await hide();
  assert.equal(leaving.isSafe, true);
  console.error = complain;
});
