import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOf, shownRoutines, type Wanted } from '../../src/routines/routineSearch';
import type { Part, Routine } from '../../src/sync/records';
import { partAudio, partLength } from '../../src/parts/partAudio';
import { layoutOf, nextLayout } from '../../src/ui/layout';

const routine = (id: string, title: string, more: Partial<Routine> = {}): Routine => (
  { type: 'routine', id, createdAt: 1, title, ...more }
);
const part = (more: Partial<Part>): Part => (
  { type: 'part', id: 'p', createdAt: 1, routine: 'r', title: 'P', position: 'a', ...more }
);
const library = [
  routine('1', 'Zebra', { lastPractisedAt: 30 }),
  routine('2', 'été', { subtitle: 'Gala Été', lastPractisedAt: 20 }),
  routine('3', 'Act 10'),
  routine('4', 'Act 2', { lastPractisedAt: 40 }),
];
const titles = (wanted: Partial<Wanted>, routines = library): string[] => (
  shownRoutines(routines, { search: '', tags: [], order: 'title', ...wanted }).map(({ title }) => title)
);

test('titles are sorted without case and accents, and numbers by their value', () => {
  assert.deepEqual(titles({}), ['Act 2', 'Act 10', 'été', 'Zebra']);
});

test('the routine practised last comes first', () => {
  assert.deepEqual(titles({ order: 'practised' }), ['Act 2', 'Zebra', 'été', 'Act 10']);
});

test('the newest routine comes first, whenever it was practised', () => {
  const made = [routine('1', 'Old', { createdAt: 1, lastPractisedAt: 9 }), routine('2', 'New', { createdAt: 5 })];
  assert.deepEqual(titles({ order: 'newest' }, made), ['New', 'Old']);
  assert.deepEqual(titles({ order: 'practised' }, made), ['Old', 'New']);
});

test('pinned routines stand above the others, in the same order among themselves', () => {
  const pinned = [...library, routine('5', 'Tango', { pinned: 1 }), routine('6', 'Salsa', { pinned: 1 }), routine('7', 'Aria', { pinned: 0 })];
  assert.deepEqual(titles({}, pinned), ['Salsa', 'Tango', 'Act 2', 'Act 10', 'Aria', 'été', 'Zebra']);
});

test('tags filter the list and are found by the search', () => {
  const tagged = [routine('1', 'A', { tags: 'Summer\nduo' }), routine('2', 'B', { tags: 'été\nsummer' }), routine('3', 'C')];
  assert.deepEqual(titles({ tags: ['summer'] }, tagged), ['A', 'B']);
  assert.deepEqual(titles({ tags: ['summer', 'Duo'] }, tagged), ['A']);
  assert.deepEqual(titles({ search: 'b ete' }, tagged), ['B']);
});

test('an unknown order is the usual one', () => {
  assert.deepEqual(['title', 'newest', 'toString', null].map(orderOf), ['title', 'newest', 'practised', 'practised']);
});

test('a search looks for every word in title and subtitle, without case and accents', () => {
  assert.deepEqual(titles({ search: ' GALA ete ' }), ['été']);
  assert.deepEqual(titles({ search: 'act' }), ['Act 2', 'Act 10']);
  assert.deepEqual(titles({ search: 'act zebra' }), []);
});

test('the list itself is not reordered', () => {
  titles({ order: 'practised' });
  assert.equal(library[0]?.title, 'Zebra');
});

test('the layout button cycles through the layouts', () => {
  assert.deepEqual([nextLayout('list'), nextLayout('two'), nextLayout('three')], ['two', 'three', 'list']);
});

test('an unknown layout of a later version is shown as a list', () => {
  assert.deepEqual(['three', 'grid', 'toString', null].map(layoutOf), ['three', 'list', 'list', 'list']);
});

test('the length of a part is the distance of its borders or the length of its track', () => {
  const track = { type: 'track', id: 't', createdAt: 1, state: 'ready', lengthFrames: 100 } as const;
  assert.equal(partLength(part({ startFrame: 5, endFrame: 10 }), track), 5);
  assert.equal(partLength(part({}), track), 100);
  assert.equal(partLength(part({}), undefined), 0);
  assert.equal(partLength(part({ startFrame: 10, endFrame: 5 }), track), 0);
});

test('a part that cannot be played has a reason', () => {
  const track = { type: 'track', id: 't', createdAt: 1, state: 'ready', lengthFrames: 100 } as const;
  const kind = (one: Part, other: Parameters<typeof partAudio>[1]): string => partAudio(one, other).kind;
  assert.equal(kind(part({}), undefined), 'none');
  assert.equal(kind(part({ track: 't' }), undefined), 'broken');
  assert.equal(kind(part({ track: 't' }), { ...track, state: 'failed' }), 'broken');
  assert.equal(kind(part({ track: 't' }), { ...track, state: 'importing' }), 'importing');
  assert.equal(kind(part({ track: 't', startFrame: 50, endFrame: 50 }), track), 'broken');
});

test('a part without borders is the whole track, and parts are clamped to their track', () => {
  const track = { type: 'track', id: 't', createdAt: 1, state: 'ready', lengthFrames: 100 } as const;
  const bounds = (one: Part): unknown => {
    const audio = partAudio(one, track);
    return audio.kind === 'ready' ? audio.bounds : audio.kind;
  };
  assert.deepEqual(bounds(part({ track: 't' })), { startFrame: 0, endFrame: 100 });
  assert.deepEqual(bounds(part({ track: 't', startFrame: 20, endFrame: 500 })), { startFrame: 20, endFrame: 100 });
});
