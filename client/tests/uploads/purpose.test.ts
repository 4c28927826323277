import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spaceOf, type Purpose } from '../../src/uploads/purpose';

const records: { readonly [key: string]: object } = {
  'routine/shared': { space: 'class' }, 'routine/own': {},
  'part/there': { routine: 'shared' }, 'part/here': { routine: 'own' }, 'move/there': { part: 'there' }, 'move/here': { part: 'here' },
};
const library = { get: (type: string, id: string) => records[`${type}/${id}`] } as unknown as Parameters<typeof spaceOf>[0];

test('a file goes where the routine is that it is for', () => {
  const cases: readonly [Purpose, string | undefined][] = [
    [{ kind: 'track' }, undefined],
    [{ kind: 'draft' }, undefined],
    [{ kind: 'draft', space: 'class' }, 'class'],
    [{ kind: 'part', routine: 'shared', title: '', position: null }, 'class'],
    [{ kind: 'part', routine: 'own', title: '', position: null }, undefined],
    [{ kind: 'part', routine: 'gone', title: '', position: null }, undefined],
    [{ kind: 'replacement', part: 'there' }, 'class'],
    [{ kind: 'replacement', part: 'here' }, undefined],
    [{ kind: 'video', part: 'there' }, 'class'],
    [{ kind: 'recording', move: 'there', at: 0 }, 'class'],
    [{ kind: 'recording', move: 'here', at: 0 }, undefined],
    [{ kind: 'recording', move: 'gone', at: 0 }, undefined],
  ];
  for (const [purpose, space] of cases) assert.equal(spaceOf(library, purpose), space, JSON.stringify(purpose));
});
