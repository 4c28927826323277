import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addClip, addToRoutine, cutAtAll, cutTrack, deleteClip, importLabels, makeRoutine, mergeWithNext, resetClips, routineOfClips,
} from '../../src/clipper/actions';
import type { Track } from '../../src/sync/records';
import { toasts } from '../../src/ui/toasts';
import { FakeServer } from '../sync/support/fake-server';
import { Browser, Tab } from '../sync/support/world';

const second = 48_000;
const track = {
  type: 'track', id: '00000000-0000-7000-8000-000000000001', createdAt: 0, title: 'Swan', state: 'ready',
  lengthFrames: 240 * second,
} as Track;

/** A library with a song, and its clips as texts: title and seconds. */
async function opened() {
  const library = await new Tab(new Browser(), new FakeServer()).open();
  // Clips are shown only with their track, so a track record must exist.
  library.edit('track', track.id, { title: 'Swan' });
  const read = (): string[] => library.clips(track.id).map((clip) => (
    `${clip.title ?? ''} ${clip.startFrame / second}–${clip.endFrame / second}`.trim()
  ));
  const ids = (): string[] => library.clips(track.id).map(({ id }) => id);
  return { library, read, ids };
}

/** Presses the button of the latest toast. */
function undo(): void {
  const toast = toasts.kept[toasts.kept.length - 1];
  assert.equal(toast?.action?.label, 'Undo');
  toast?.action?.run();
  for (const { id } of toasts.kept) toasts.dismiss(id);
}

test('cuts during playback make consecutive clips, and each can be undone', async () => {
  const { library, read } = await opened();
  const first = cutTrack(library, track, 60 * second);
  assert.deepEqual(read(), ['0–60', '60–240']);
  const other = cutTrack(library, track, 30 * second);
  assert.deepEqual(read(), ['0–30', '30–60', '60–240']);
  assert('undo' in first && 'undo' in other);
  assert.equal(library.get('clip', other.id)?.startFrame, 30 * second);
  other.undo();
  assert.deepEqual(read(), ['0–60', '60–240']);
  first.undo();
  assert.deepEqual(read(), []);
  assert('refused' in cutTrack(library, track, 10));
});

test('the second half comes right after the first, and the first keeps its name', async () => {
  const { library, read, ids } = await opened();
  cutTrack(library, track, 120 * second);
  library.edit('clip', ids()[0] ?? '', { title: 'Verse' });
  library.reorder('clip', ids()[1] ?? '', 0);
  cutTrack(library, track, 60 * second);
  assert.deepEqual(read(), ['120–240', 'Verse 0–60', '60–120']);
});

test('clips that are cut from the end to the beginning are ordered by time', async () => {
  const { library } = await opened();
  for (let at = 238; at > 0; at -= 2) cutTrack(library, track, at * second);
  const starts = library.clips(track.id).map(({ startFrame }) => startFrame / second);
  assert.deepEqual(starts, Array.from({ length: 120 }, (_, index) => index * 2));
});

test('many simultaneous cuts are one undo step', async () => {
  const { library, read } = await opened();
  cutAtAll(library, track, [30, 60, 60.01, 90].map((at) => at * second));
  assert.deepEqual(read(), ['0–30', '30–60', '60–90', '90–240']);
  undo();
  assert.deepEqual(read(), []);
});

test('a duplicate clip is refused with a message', async () => {
  const { library, read } = await opened();
  assert('id' in addClip(library, track, 31 * second, 62 * second));
  assert.deepEqual(read(), ['Swan 0:31–1:02 31–62']);
  const again = addClip(library, track, 31 * second, 62 * second);
  assert.match('refused' in again ? again.refused : '', /in the list already: “Swan 0:31–1:02”/);
  assert.equal(read().length, 1);
});

test('merging keeps the first name, and can be undone with the second one', async () => {
  const { library, read, ids } = await opened();
  cutTrack(library, track, 60 * second);
  const [one = '', two = ''] = ids();
  library.edit('clip', one, { title: 'Verse' });
  library.edit('clip', two, { title: 'Chorus' });
  mergeWithNext(library, track.id, one);
  assert.deepEqual(read(), ['Verse 0–240']);
  undo();
  assert.deepEqual(read(), ['Verse 0–60', 'Chorus 60–240']);
  mergeWithNext(library, track.id, two);
  assert.deepEqual(read(), ['Verse 0–60', 'Chorus 60–240']);
});

test('deleting and resetting can be undone', async () => {
  const { library, read, ids } = await opened();
  cutTrack(library, track, 60 * second);
  deleteClip(library, track.id, ids()[0] ?? '');
  assert.deepEqual(read(), ['60–240']);
  undo();
  resetClips(library, track.id);
  assert.deepEqual(read(), []);
  undo();
  assert.deepEqual(read(), ['0–60', '60–240']);
});

test('labels become clips, points become cuts, and one undo reverts all of them', async () => {
  const { library, read } = await opened();
  const imported = importLabels(library, track, [
    '10\t20\tIntro', '10\t20\tAgain', '239.99\t500\tLate', 'bad', '30\t30\tDrop', '200\t500\tOutro',
  ].join('\n'));
  assert.deepEqual([imported.clips, imported.cuts], [2, 1]);
  assert.deepEqual(imported.problems.length, 3);
  assert.deepEqual(read(), ['Intro 10–20', '20–30', 'Drop 30–200', 'Outro 200–240']);
  imported.undo();
  assert.deepEqual(read(), []);
});

test('a point at the start of the song names the first clip, and one undo reverts all', async () => {
  const { library, read } = await opened();
  const imported = importLabels(library, track, '0\t0\tIntro\n30\t30\tVerse');
  assert.deepEqual(read(), ['Intro 0–30', 'Verse 30–240']);
  assert.deepEqual([imported.cuts, imported.names, imported.problems], [1, 1, []]);
  imported.undo();
  assert.deepEqual(read(), []);
});

test('a point at the start of the song does not replace an existing name', async () => {
  const { library, read } = await opened();
  cutTrack(library, track, 60 * second);
  const named = importLabels(library, track, '0.05\t0.05\tIntro\n0\t0\tAgain\n0\t0\t');
  assert.deepEqual(read(), ['Intro 0–60', '60–240']);
  assert.deepEqual(named.problems, ['“Again”: the first clip has a name already, or does not begin with the song.']);
  named.undo();
  assert.deepEqual(read(), ['0–60', '60–240']);
});

test('a routine has the clips as parts, in order, with the shown names', async () => {
  const { library, ids } = await opened();
  for (const at of [60, 120]) cutTrack(library, track, at * second);
  library.edit('clip', ids()[1] ?? '', { title: 'Chorus' });
  library.reorder('clip', ids()[2] ?? '', 0);
  assert.equal(routineOfClips(library, track.id), null);
  const { routine, parts: partIds } = makeRoutine(library, track, 'Swan');
  const parts = (): unknown => library.parts(routine).map((part) => (
    [part.title, part.track, (part.startFrame ?? 0) / second, (part.endFrame ?? 0) / second]
  ));
  const made = [
    ['Part 1', track.id, 120, 240], ['Part 2', track.id, 0, 60], ['Chorus', track.id, 60, 120],
  ];
  assert.equal(library.get('routine', routine)?.title, 'Swan');
  assert.deepEqual(parts(), made);
  assert.deepEqual(library.parts(routine).map(({ id }) => id), partIds);
  // The routine is found until the clips change or the routine is deleted.
  assert.equal(routineOfClips(library, track.id), routine);
  cutTrack(library, track, 30 * second);
  assert.equal(routineOfClips(library, track.id), null);
  mergeWithNext(library, track.id, ids()[1] ?? '');
  assert.equal(routineOfClips(library, track.id), routine);
  addToRoutine(library, track, routine);
  assert.equal(library.parts(routine).length, 6);
  undo();
  assert.deepEqual(parts(), made);
});
