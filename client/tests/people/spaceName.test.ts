import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spaceName, spaceNameOf } from '../../src/people/spaceName';
import { shownRoutines } from '../../src/routines/routineSearch';
import type { Routine } from '../../src/sync/records';
import type { Space } from '../../src/sync/wire';

const spaces: readonly Space[] = [
  { id: 'g', name: 'Monday class', role: 'performer' },
  { id: 'a', name: '', role: 'owner', with: ['Ana'] },
  { id: 'b', name: '', role: 'performer', with: [''] },
  { id: 'c', name: '', role: 'teacher' },
];

test('a group without a name says who shares with whom', () => {
  assert.deepEqual(spaces.map(spaceName), ['Monday class', 'Shared with Ana', 'Shared by the owner', 'Shared']);
});

test('a routine of one’s own is in no group', () => {
  assert.equal(spaceNameOf(spaces, {}), null);
  assert.equal(spaceNameOf(spaces, { space: 'g' }), 'Monday class');
  assert.equal(spaceNameOf(spaces, { space: 'unknown' }), null);
});

test('the search of the list finds the group', () => {
  const routine = (id: string, title: string, space?: string): Routine => (
    { type: 'routine', id, title, createdAt: 0, ...(space !== undefined && { space }) } as Routine
  );
  const routines = [routine('1', 'Swan', 'g'), routine('2', 'Duck', 'a'), routine('3', 'Goose')];
  const found = (search: string): string[] => (
    shownRoutines(routines, { search, tags: [], order: 'title' }, spaces).map(({ title }) => title)
  );
  assert.deepEqual(found('monday'), ['Swan']);
  assert.deepEqual(found('ana'), ['Duck']);
  assert.deepEqual(found('shared swan'), []);
});
