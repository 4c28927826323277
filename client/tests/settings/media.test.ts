// The media library and the actions on move types, with a library of plain arrays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteVideo, isUnused, mediaCount, mediaName, usesOf } from '../../src/settings/media';
import { deleteMoveType, movesOf } from '../../src/settings/moveTypeActions';
import type { LocalLibrary } from '../../src/sync/library';
import type { Move, MoveType, Part, Track, Video } from '../../src/sync/records';
import { searchFor } from '../../src/ui/search';
import { toasts } from '../../src/ui/toasts';
import { fileSize } from '../../src/ui/text';

const track = (more: Partial<Track>): Track => ({ type: 'track', id: 't', createdAt: 1, state: 'ready', ...more });
const part = (id: string, routine: string, position: string): Part => (
  { type: 'part', id, createdAt: 1, routine, title: id.toUpperCase(), position }
);
const withParts = (parts: readonly Part[], clips = 0) => ({
  partsUsing: () => parts,
  partsShowing: () => parts,
  clips: () => Array.from({ length: clips }) as never[],
  get: () => ({ title: 'Swan' }) as never,
});

test('a track is named by its title or its file name', () => {
  assert.equal(mediaName(track({ title: 'Swan', fileName: 'a.mp3' })), 'Swan');
  assert.equal(mediaName(track({ fileName: 'a.mp3' })), 'a.mp3');
  assert.equal(mediaName(track({})), 'Untitled');
});

test('a file that can’t be played is named with its extension', () => {
  assert.equal(mediaName(track({ title: 'cut', fileName: 'cut.mp3', state: 'failed' })), 'cut.mp3');
  assert.equal(mediaName(track({ title: 'cut', state: 'failed' })), 'cut');
});

test('tracks and videos are counted together', () => {
  assert.equal(mediaCount(2, 1), '2 tracks and 1 video');
  assert.equal(mediaCount(0, 2), '2 videos');
  assert.equal(mediaCount(0, 0), '0 tracks');
});

test('the parts that use a track are listed by routine, in order', () => {
  const library = withParts([part('b', 'r1', 'b'), part('c', 'r2', 'a'), part('a', 'r1', 'a')]);
  assert.deepEqual(usesOf(library, 't').map(({ name }) => name), ['Swan: A', 'Swan: B', 'Swan: C']);
});

test('tracks and videos are unused without parts and clips, unless they are being prepared', () => {
  assert.equal(isUnused(withParts([]), track({})), true);
  assert.equal(isUnused(withParts([]), track({ state: 'failed' })), true);
  assert.equal(isUnused(withParts([]), track({ state: 'importing' })), false);
  assert.equal(isUnused(withParts([], 1), track({})), false);
  assert.equal(isUnused(withParts([part('a', 'r', 'a')]), track({})), false);
  const video: Video = { type: 'video', id: 'v', createdAt: 1, state: 'failed' };
  assert.equal(isUnused(withParts([]), video), true);
  assert.equal(isUnused(withParts([]), { ...video, state: 'importing' }), false);
  assert.equal(isUnused(withParts([part('a', 'r', 'a')]), video), false);
});

test('sizes are formatted with units', () => {
  assert.deepEqual([820, 820_000, 4_500_000, 12_400_000, 3e9].map(fileSize), [`${(0.8).toLocaleString()} kB`, '820 kB', `${(4.5).toLocaleString()} MB`, '12 MB', '3 GB']);
});

test('a search finds all words in any place, without case and accents, sorted by name', () => {
  const names = (search: string): string[] => searchFor(
    [{ id: '1', name: 'Type 10', more: 'été' }, { id: '2', name: 'type 2', more: '' }], search,
    ({ name }) => name, ({ more }) => more,
  ).map(({ name }) => name);
  assert.deepEqual(names(''), ['type 2', 'Type 10']);
  assert.deepEqual(names('ETE type'), ['Type 10']);
  assert.deepEqual(names('ete 2'), []);
});

/** A mock library of moves and move types. */
class Notebook {
  moves = new Map<string, Move>(['a', 'b', 'c'].map((id, index) => [id, {
    type: 'move', id, createdAt: 1, part: 'p', title: id, position: id, moveType: index < 2 ? 'spin' : 'step',
  }]));
  types = new Set(['spin', 'step']);
  transactions = 0;

  get library(): Pick<LocalLibrary, 'all' | 'edit' | 'remove' | 'transact'> {
    return {
      all: () => [...this.moves.values()] as never,
      edit: (_type, id, fields) => {
        const move = this.moves.get(id);
        if (move) this.moves.set(id, { ...move, ...(fields as Partial<Move>) });
      },
      remove: (type, id) => {
        const move = this.moves.get(id);
        if (type === 'move') this.moves.delete(id);
        else this.types.delete(id);
        return () => {
          if (type === 'moveType') this.types.add(id);
          else if (move) this.moves.set(id, move);
        };
      },
      transact: (edits) => {
        this.transactions += 1;
        edits();
      },
    };
  }

  kinds(): unknown[] {
    return [...this.moves.values()].map(({ id, moveType }) => [id, moveType]).sort();
  }
}

const spin: MoveType = { type: 'moveType', id: 'spin', createdAt: 1, name: 'Spin' };

for (const moveType of ['step', null]) {
  test(`the moves of a deleted type become ${moveType ?? 'moves without a type'}, and undo restores the type`, () => {
    const book = new Notebook();
    const before = book.kinds();
    const undo = deleteMoveType(book.library, spin, { kind: 'retype', moveType });
    assert.deepEqual(book.kinds(), [['a', moveType], ['b', moveType], ['c', 'step']]);
    assert.deepEqual([...book.types], ['step']);
    undo();
    assert.deepEqual(book.kinds(), before);
    assert(book.types.has('spin'));
    assert.equal(book.transactions, 2, 'one to delete and one to undo');
  });
}

test('the moves of a deleted type can be deleted and restored with it', () => {
  const book = new Notebook();
  const before = book.kinds();
  assert.equal(movesOf(book.library, 'spin').length, 2);
  const undo = deleteMoveType(book.library, spin, { kind: 'delete' });
  assert.deepEqual(book.kinds(), [['c', 'step']]);
  undo();
  assert.deepEqual(book.kinds(), before);
});

test('a deleted video is unlinked everywhere, and undo restores the links', () => {
  const parts = new Map<string, Part>(['a', 'b', 'c'].map((id) => [id, {
    ...part(id, 'r', id), ...(id === 'c' ? {} : { video: 'v', videoOffset: 7, videoMirrored: 1 }),
  }]));
  const videos = new Set(['v']);
  const library = {
    partsShowing: (id: string) => [...parts.values()].filter(({ video }) => video === id),
    edit: (_type: string, id: string, fields: object) => parts.set(id, { ...parts.get(id), ...fields } as Part),
    remove: (_type: string, id: string) => {
      videos.delete(id);
      return () => videos.add(id);
    },
    transact: (edits: () => void) => edits(),
  } as unknown as Parameters<typeof deleteVideo>[0];
  const before = new Map(parts);
  deleteVideo(library, { type: 'video', id: 'v', createdAt: 1, title: 'Run' });
  assert.deepEqual([...parts.values()].map(({ video }) => video ?? null), [null, null, null]);
  assert.equal(videos.size, 0);
  toasts.kept[toasts.kept.length - 1]?.action?.run();
  assert.deepEqual(parts, before);
  assert(videos.has('v'));
  for (const toast of toasts.kept) toasts.dismiss(toast.id);
});
