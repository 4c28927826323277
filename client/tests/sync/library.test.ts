// The local view and its edits: display, order, undo, and object identity.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalLibrary } from '../../src/sync/library';
import { FakeServer } from './support/fake-server';
import { Browser, Tab } from './support/world';

async function opened(): Promise<{ server: FakeServer; tab: Tab; library: LocalLibrary }> {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  return { server, tab, library: await tab.open() };
}

function addPart(library: LocalLibrary, routine: string, position: string): string {
  return library.create('part', { routine, title: `Part ${position}`, position });
}

test('an edit is shown at once and notifies each listener once', async () => {
  const { library } = await opened();
  let calls = 0;
  library.subscribe(() => (calls += 1));
  const before = library.version;
  const id = library.create('routine', { title: 'Swan' });
  assert.equal(library.get('routine', id)?.title, 'Swan');
  assert.equal(calls, 1);
  assert.notEqual(library.version, before);
  library.edit('routine', id, { title: 'Swan' });
  assert.equal(calls, 1);
});

test('a transaction notifies once and reads its own edits', async () => {
  const { library } = await opened();
  let calls = 0;
  library.subscribe(() => (calls += 1));
  library.transact(() => {
    const routine = library.create('routine', { title: 'Swan' });
    addPart(library, routine, 'V');
    assert.equal(library.parts(routine).length, 1);
  });
  assert.equal(calls, 1);
});

test('a transaction that throws changes nothing', async () => {
  const { library, tab, server } = await opened();
  const kept = library.create('routine', { title: 'Kept' });
  assert.throws(
    () =>
      library.transact(() => {
        library.create('routine', { title: 'Swan' });
        library.edit('routine', kept, { title: 'Changed' });
        library.create('routine', { title: '' });
      }),
    { name: 'RangeError', message: 'This can’t be empty.' },
  );
  await tab.advance(1_000);
  assert.deepEqual(library.all('routine').map(({ title }) => title), ['Kept']);
  assert.equal(server.records.size, 1);
});

test('parts and moves are ordered by position, then by id', async () => {
  const { library } = await opened();
  const routine = library.create('routine', { title: 'Swan' });
  const [b, a, c] = ['V', 'K', 'V'].map((position) => addPart(library, routine, position));
  assert.deepEqual(library.parts(routine).map(({ id }) => id), [a, b, c]);
});

test('corrections of a track are listed as they are applied, and leave with it', async () => {
  const { library, server, tab } = await opened();
  const track = '0193a5b0-0000-7000-8000-000000000001';
  const correct = (kind: 'one' | 'halve', order: number): string => library.create('gridCorrection', { track, kind, order });
  const [last, first, second] = [correct('one', 9), correct('halve', 3), correct('one', 3)];
  assert.deepEqual(library.gridCorrections(track), []);
  server.edit('track', track, { title: 'Song' });
  await tab.advance(1_000);
  assert.deepEqual(library.gridCorrections(track).map(({ id }) => id), [first, second, last]);
  const undo = library.remove('gridCorrection', first);
  assert.deepEqual(library.gridCorrections(track).map(({ id }) => id), [second, last]);
  undo();
  server.edit('track', track, { deletedAt: 5 });
  await tab.advance(60_000);
  assert.deepEqual(library.gridCorrections(track), []);
});

test('a record is shown only with its parent and the records that it needs', async () => {
  const { library, server, tab } = await opened();
  const routine = library.create('routine', { title: 'Swan' });
  const part = addPart(library, routine, 'V');
  const move = library.create('move', { part, title: 'Turn', position: 'V' });
  const undo = library.remove('routine', routine);
  assert.equal(library.get('part', part), undefined);
  assert.equal(library.get('move', move), undefined);
  assert.deepEqual([...library.moves(part), ...library.all('move'), ...library.all('part')], []);
  undo();
  assert.equal(library.moves(part)[0]?.id, move);
  assert.equal(library.all('move').length, 1);
  await tab.advance(1_000);
  server.edit('part', server.newId(), { title: 'No routine', position: 'V' });
  server.edit('moveType', server.newId(), { colour: '#ffffff' });
  await library.refresh();
  assert.equal(library.all('part').length, 1);
  assert.equal(library.all('moveType').length, 0);
});

test('fields of any records are set together, deleted ones too, and set back', async () => {
  const { library } = await opened();
  const routine = library.create('routine', { title: 'Swan' });
  const part = addPart(library, routine, 'V');
  const move = library.create('move', { part, title: 'Turn', position: 'V', startCount: 4 });
  library.remove('part', part);
  const undo = library.bringBack([
    { type: 'part', record: part, fields: { deletedAt: null, title: 'Entrance' } },
    { type: 'move', record: move, fields: { startCount: 8, notes: 'slow' } },
  ]);
  assert.equal(library.get('part', part)?.title, 'Entrance');
  assert.equal(library.get('move', move)?.startCount, 8);
  undo();
  assert.equal(library.get('part', part), undefined);
  assert(library.isDeleted('part', part));
  library.bringBack([{ type: 'part', record: part, fields: { deletedAt: null } }]);
  assert.notEqual(library.get('part', part)?.title, 'Entrance');
  assert.deepEqual([library.get('move', move)?.startCount, library.get('move', move)?.notes ?? null], [4, null]);
  // What is not valid sets nothing.
  assert.throws(() => library.bringBack([
    { type: 'move', record: move, fields: { startCount: 9 } }, { type: 'part', record: part, fields: { title: '' } },
  ]), RangeError);
  assert.equal(library.get('move', move)?.startCount, 4);
});

test('a record counts as deleted only if it or its parent was deleted', async () => {
  const library = await new Tab(new Browser(), new FakeServer()).open();
  const routine = library.create('routine', { title: 'Swan' });
  const part = library.create('part', { routine, title: 'One', position: 'V' });
  const deleted = (): boolean[] => [routine, 'other'].map((id) => library.isDeleted('routine', id))
    .concat([part, 'other'].map((id) => library.isDeleted('part', id)));
  assert.deepEqual(deleted(), [false, false, false, false]);
  const undo = library.remove('routine', routine);
  assert.deepEqual(deleted(), [true, false, true, false]);
  undo();
  library.remove('part', part);
  assert.deepEqual(deleted(), [false, false, true, false]);
});

test('the list of a track’s uses follows its parts', async () => {
  const { library, server } = await opened();
  const track = server.newId();
  server.edit('track', track, { title: 'Song', state: 'ready', lengthFrames: 1 });
  await library.refresh();
  const routine = library.create('routine', { title: 'Swan' });
  const part = library.create('part', { routine, track, title: 'One', position: 'V' });
  assert.deepEqual(library.partsUsing(track).map(({ id }) => id), [part]);
  library.edit('part', part, { track: null });
  assert.deepEqual(library.partsUsing(track), []);
  assert.equal(library.get('part', part)?.track ?? null, null);
});

test('lists and records keep their identity until they change', async () => {
  const { library, tab } = await opened();
  const routine = library.create('routine', { title: 'Swan' });
  const other = library.create('routine', { title: 'Other' });
  const [one, two] = ['K', 'V'].map((position) => addPart(library, routine, position));
  const [parts, otherParts, routines] = [
    library.parts(routine), library.parts(other), library.all('routine'),
  ];
  const first = library.get('part', one ?? '');
  await tab.advance(1_000);
  assert.equal(library.parts(routine), parts);
  assert.equal(library.all('routine'), routines);
  library.edit('part', two ?? '', { title: 'New' });
  assert.notEqual(library.parts(routine), parts);
  assert.equal(library.parts(routine)[0], first);
  assert.equal(library.parts(other), otherParts);
  assert.equal(library.all('routine'), routines);
});

test('settings have defaults, also for unknown values of another version', async () => {
  const { library } = await opened();
  assert.equal(library.setting('seekStepSeconds'), 5);
  library.set('seekStepSeconds', 10);
  assert.equal(library.setting('seekStepSeconds'), 10);
  library.edit('setting', 'seekStepSeconds', { value: 'many' });
  assert.equal(library.setting('seekStepSeconds'), 5);
  library.set('routinesLayout', 'three');
  assert.equal(library.setting('routinesLayout'), 'three');
  library.edit('setting', 'routinesLayout', { value: 'spiral' });
  assert.equal(library.setting('routinesLayout'), 'list');
});

test('a copy of a whole record has only its fields', async () => {
  const { library, tab } = await opened();
  const first = library.create('routine', { title: 'Swan', subtitle: 'Lake' });
  await tab.advance(1_000);
  const record = library.get('routine', first);
  assert(record);
  const copy = library.create('routine', record);
  assert.notEqual(copy, first);
  assert.equal(library.get('routine', copy)?.subtitle, 'Lake');
});

test('reordering moves a part to its new place and changes no other', async () => {
  const { library, tab, server } = await opened();
  const routine = library.create('routine', { title: 'Swan' });
  const [a, b, c, d] = ['1', '2', '3', '4'].map((position) => addPart(library, routine, position));
  const order = () => library.parts(routine).map(({ id }) => id);
  await tab.advance(1_000);
  const heard = server.heard.length;
  library.reorder('part', d ?? '', 1);
  assert.deepEqual(order(), [a, d, b, c]);
  library.reorder('part', a ?? '', 3);
  assert.deepEqual(order(), [d, b, c, a]);
  library.reorder('part', c ?? '', 0);
  assert.deepEqual(order(), [c, d, b, a]);
  library.reorder('part', c ?? '', 0);
  await tab.advance(1_000);
  assert.equal(server.heard.length - heard, 3);
});

test('reordering works where two devices chose the same positions', async () => {
  const { library } = await opened();
  const routine = library.create('routine', { title: 'Swan' });
  const [a, b, c, d] = ['V', 'V', 'V', 'V'].map((position) => addPart(library, routine, position));
  library.reorder('part', d ?? '', 1);
  assert.deepEqual(library.parts(routine).map(({ id }) => id), [a, d, b, c]);
  library.reorder('part', c ?? '', 2);
  assert.deepEqual(library.parts(routine).map(({ id }) => id), [a, d, c, b]);
});

test('after random edits every list equals a fresh computation', async () => {
  const { Random } = await import('./support/random');
  const random = new Random(11);
  const { library } = await opened();
  const routines = ['A', 'B', 'C'].map((title) => library.create('routine', { title }));
  const parts: string[] = [];
  const undos: (() => void)[] = [];
  for (let step = 0; step < 1_500; step += 1) {
    const routine = random.pick(routines) ?? '';
    const part = random.pick(parts);
    if (!part || random.chance(0.2)) parts.push(addPart(library, routine, 'V'));
    else if (random.chance(0.2)) undos.push(library.remove('part', part));
    else if (random.chance(0.1)) undos.push(library.remove('routine', routine));
    else if (random.chance(0.3)) undos.splice(random.below(undos.length), 1)[0]?.();
    else if (random.chance(0.3)) library.edit('part', part, { routine });
    else library.reorder('part', part, random.below(5));
    for (const id of routines) {
      const shown = parts.map((each) => library.get('part', each));
      const expected = shown.filter((each) => each?.routine === id).map((each) => each?.id);
      const listed = library.parts(id);
      assert.deepEqual(listed.map((each) => each.id).sort(), expected.sort());
      assert(listed.every((each, index) => (listed[index - 1]?.position ?? '') <= each.position));
    }
    const all = library.all('part').map((each) => each.id);
    assert.deepEqual(all, parts.filter((each) => library.get('part', each)).sort());
  }
});
