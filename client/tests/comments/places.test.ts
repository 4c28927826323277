import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  byPlace, isBy, latestOf, mentionsOf, newComments, onTrack, placeOfComment, seenUntil, shownAt, shownFrames, type Records,
} from '../../src/comments/places';
import type { Comment, Move, Part } from '../../src/sync/records';

const part = (id: string, routine = 'r'): Part => ({ type: 'part', id, createdAt: 0, routine, title: id, position: id });
const move = (id: string, of: string): Move => ({ type: 'move', id, createdAt: 0, part: of, title: id, position: id });
const comment = (id: string, fields: Partial<Comment> = {}): Comment => (
  { type: 'comment', id, createdAt: 0, routine: 'r', text: id, ...fields }
);

const parts = [part('p1'), part('p2'), part('other', 'r2')];
const moves = [move('m1', 'p1'), move('m2', 'p1'), move('m3', 'p2')];
const library: Records = {
  get: ((type: 'move' | 'part', id: string) => (
    type === 'move' ? moves.find((each) => each.id === id) : parts.find((each) => each.id === id))) as Records['get'],
  parts: (routine) => parts.filter((each) => each.routine === routine),
  moves: (of) => moves.filter((each) => each.part === of),
};

test('a comment is where its move is, whatever part it had before', () => {
  const place = placeOfComment(library, 'r', { move: 'm3', part: 'p1', startFrame: 5 });
  assert.deepEqual([place?.part.id, place?.partIndex, place?.moveIndex, place?.startFrame], ['p2', 1, 0, null]);
});

test('what is on nothing that is there has no place', () => {
  for (const target of [{ move: 'gone' }, { part: 'gone', startFrame: 5 }, { part: 'other' }, {}]) {
    assert.equal(placeOfComment(library, 'r', target), null);
  }
  assert.equal(placeOfComment(library, 'r', { part: 'p2', startFrame: 5, endFrame: 9 })?.endFrame, 9);
});

test('one that is not sent yet is one’s own', () => {
  assert.equal(isBy('me', comment('a')), true);
  assert.equal(isBy('me', comment('a', { author: 'other' })), false);
});

test('new is what others wrote and what came in since: by its arrival, not by its clock', () => {
  const all = [
    comment('old', { author: 'x', arrived: 5 }), comment('mine', { author: 'me', arrived: 9 }), comment('waiting'),
    comment('late', { author: 'x', arrived: 8, createdAt: -1_000 }), comment('mention', { author: 'x', arrived: 9, mentions: 'y\nme' }),
    comment('next', { author: 'y', arrived: 6 }),
  ];
  assert.deepEqual(newComments(all, 'me', 5).map(({ id }) => id), ['mention', 'next', 'late']);
  assert.deepEqual(newComments(all, 'me', 9), []);
  assert.equal(latestOf(all), 9);
  assert.equal(latestOf([]), 0);
});

test('nothing is new that was there when somebody joined', () => {
  const space = { id: 'g', name: '', role: 'performer', since: 7 } as const;
  assert.equal(seenUntil(null, space), 7);
  assert.equal(seenUntil(9, space), 9);
  assert.equal(seenUntil(undefined, undefined), 0);
});

test('at most twenty people are mentioned', () => {
  assert.deepEqual(mentionsOf(comment('a', { mentions: 'x\n\ny' })), ['x', 'y']);
  assert.equal(mentionsOf(comment('a', { mentions: Array.from({ length: 30 }, (_, at) => at).join('\n') })).length, 20);
  assert.deepEqual(mentionsOf(comment('a')), []);
});

test('a moment is shown for three seconds, a stretch as long as it lasts, both within the part', () => {
  const all = [
    comment('stretch', { part: 'p1', startFrame: 100, endFrame: 200 }), comment('moment', { part: 'p1', startFrame: 50 }),
    comment('before', { part: 'p1', startFrame: 5 }), comment('reaching', { part: 'p1', startFrame: 0, endFrame: 60 }),
    comment('elsewhere', { part: 'p2', startFrame: 100 }), comment('move', { move: 'm1', part: 'p1', startFrame: 100 }),
  ];
  const shown = onTrack(all, 'p1', { startFrame: 10, endFrame: 300_000 });
  assert.deepEqual(shown.map(({ id }) => id), ['reaching', 'moment', 'stretch']);
  const at = (frame: number): string[] => shownAt(shown, frame).map(({ id }) => id);
  assert.deepEqual([at(49), at(50), at(100), at(200)], [['reaching'], ['reaching', 'moment'], ['moment', 'stretch'], ['moment']]);
  assert.deepEqual([at(49 + shownFrames), at(50 + shownFrames)], [['moment'], []]);
});

test('the list follows the routine', () => {
  const all = [
    comment('d', { part: 'p2', startFrame: 1 }), comment('c', { move: 'm2' }), comment('b', { move: 'm1', createdAt: 2 }),
    comment('a', { part: 'p1', startFrame: 9 }), comment('b1', { move: 'm1', createdAt: 1 }),
  ];
  const placed = all.flatMap((each) => {
    const place = placeOfComment(library, 'r', each);
    return place ? [{ comment: each, place }] : [];
  });
  assert.deepEqual(byPlace(placed).map((each) => each.comment.id), ['a', 'b1', 'b', 'c', 'd']);
});
