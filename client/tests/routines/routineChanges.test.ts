import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byPart, changeText, textsOf, type RoutineChange } from '../../src/routines/routineChanges';

function change(kind: RoutineChange['kind'], values: Partial<RoutineChange> = {}): RoutineChange {
  return { kind, type: 'move', record: 'm', title: 'Turn', part: 'p', partTitle: 'Intro', was: {}, now: {}, at: 5, back: [], ...values };
}

test('changes are said in plain words', () => {
  const said: [RoutineChange, string][] = [
    [change('added'), '“Turn” is new.'],
    [change('added', { type: 'part', now: { moves: 1 } }), '“Turn” is new, with 1 move.'],
    [change('removed'), '“Turn” was deleted.'],
    [change('removed', { type: 'part', was: { moves: 0 } }), '“Turn” was removed.'],
    [change('renamed', { was: { title: 'Ocho' }, now: { title: 'Turn' } }), '“Ocho” is called “Turn” now.'],
    [change('subtitle', { was: { subtitle: '' }, now: { subtitle: 'for two' } }), 'The subtitle “for two” is new.'],
    [change('subtitle', { was: { subtitle: 'for two' }, now: { subtitle: null } }), 'The subtitle “for two” was removed.'],
    [change('moved', { was: { place: 1 }, now: { place: 3 } }), '“Turn” was number 1, and is number 3 now.'],
    [change('otherPart', { was: { part: 'Intro' }, now: { part: 'Verse' } }), '“Turn” came here from “Intro”.'],
    [change('length', { was: { countLength: 1 }, now: { countLength: 2.5 } }), '“Turn” took 1 count, and takes 2.5 counts now.'],
    [change('length', { was: { countLength: null }, now: { countLength: 8 } }),
      '“Turn” took the time until the next move, and takes 8 counts now.'],
    [change('counts', { was: { startCount: null }, now: { startCount: 0 } }), '“Turn” lies on counts now.'],
    [change('counts', { was: { startCount: 0 }, now: { startCount: null } }), '“Turn” lies on no counts any more.'],
    [change('counts', { was: { startCount: 8 }, now: { startCount: 9 } }), '“Turn” begins 1 count later.'],
    [change('shifted', { now: { moves: 3, startCount: -4 } }), '“Turn” and 2 more begin 4 counts earlier.'],
    [change('type', { was: { type: null }, now: { type: 'Lift' } }), 'The type of “Turn” was none, and is “Lift” now.'],
    [change('notes', { was: { notes: null }, now: { notes: 'slow' } }), '“Turn” has notes now.'],
    [change('notes', { was: { notes: 'slow' }, now: { notes: '' } }), '“Turn” has no notes any more.'],
    [change('cut', { was: { startFrame: 0, endFrame: 480_000 }, now: { startFrame: 24_000, endFrame: 480_000 } }),
      '“Turn” was 0:00.0–0:10.0, and is 0:00.5–0:10.0 now.'],
    [change('cut', { was: { startFrame: null, endFrame: null }, now: { startFrame: 0, endFrame: 48_000 } }),
      '“Turn” was all of the song, and is 0:00.0–0:01.0 now.'],
    [change('song', { was: { track: 'Swan' }, now: { track: null } }), 'The song of “Turn” was “Swan”, and is none now.'],
    [change('video', { was: { video: null }, now: { video: 'Film' } }), 'The video of “Turn” was none, and is “Film” now.'],
    [change('videoOffset'), 'The video of “Turn” was shifted against the music.'],
  ];
  for (const [each, sentence] of said) assert.equal(changeText(each), sentence);
});

test('notes are shown as they were and are', () => {
  const notes = change('notes', { was: { notes: 'slow' }, now: { notes: 'fast' } });
  assert.equal(changeText(notes), '“Turn” has other notes.');
  assert.deepEqual(textsOf(notes), { was: 'slow', now: 'fast' });
  assert.deepEqual(textsOf(change('renamed', { was: { title: 'a' }, now: { title: 'b' } })), { was: null, now: null });
});

test('the changes of a part are together, in their order', () => {
  const { part: _, ...ofRoutine } = change('subtitle');
  const groups = byPart([ofRoutine, change('added'), change('notes'), change('added', { part: 'q' })]);
  assert.deepEqual(groups.map(({ part, changes }) => [part, changes.length]), [[null, 1], ['p', 2], ['q', 1]]);
});
