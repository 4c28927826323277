import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoutineDraft, type DraftLibrary } from '../../src/uploads/draft';
import { UploadQueue, type FileUpload } from '../../src/uploads/queue';
import type { NamedBlob } from '../../src/uploads/transfer';
import type { Track } from '../../src/sync/records';

/** An upload that does what the test says. */
class FakeUpload implements FileUpload {
  state: FileUpload['state'] = 'waiting';
  progress = 0;
  problem: string | null = null;
  isUnusable = false;
  trackId: string | null = null;
  readonly alreadyKnown = false;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly studio: Studio) {}

  start(): void {
    this.become('uploading');
  }

  retry(): void {
    this.problem = null;
    this.become('uploading');
  }

  cancel(): Promise<void> {
    if (this.trackId !== null) this.studio.tracks.delete(this.trackId);
    this.become('cancelled');
    return Promise.resolve();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  finish(trackId: string): void {
    this.trackId = trackId;
    this.studio.addTrack(trackId);
    this.become('done');
  }

  fail(problem: string, isUnusable = true): void {
    this.problem = problem;
    this.isUnusable = isUnusable;
    this.become('failed');
  }

  private become(state: FileUpload['state']): void {
    this.state = state;
    for (const listener of [...this.listeners]) listener();
  }
}

/** A draft with its library and uploads. */
class Studio implements DraftLibrary {
  status = { online: true };
  readonly tracks = new Map<string, Track>();
  readonly uploads: FakeUpload[] = [];
  readonly made: { type: string; fields: Record<string, unknown>; space?: string }[] = [];
  readonly late: string[] = [];
  steps = 0;
  readonly draft: RoutineDraft;

  constructor(routineId?: string) {
    this.draft = new RoutineDraft({
      library: this,
      uploads: new UploadQueue(() => {
        const upload = new FakeUpload(this);
        this.uploads.push(upload);
        return upload;
      }),
      onLateProblem: (sentence) => this.late.push(sentence),
      ...(routineId === undefined ? {} : { routineId }),
    });
  }

  addTrack(id: string): Track {
    const track: Track = { type: 'track', id, createdAt: 1, title: `${id}.mp3`, state: 'ready', lengthFrames: 96_000 };
    this.tracks.set(id, track);
    return track;
  }

  get(_type: 'track', id: string): Track | undefined {
    return this.tracks.get(id);
  }

  parts(): { position: string; track: string }[] {
    return this.partsMade.map(({ position, track }) => ({ position: String(position), track: String(track) })).sort((one, other) => (
      one.position < other.position ? -1 : 1
    ));
  }

  create(type: string, fields: object, space?: string): string {
    this.made.push({ type, fields: { ...fields }, ...(space !== undefined && { space }) });
    return `${type}-${this.made.length}`;
  }

  transact(edits: () => void): void {
    this.steps += 1;
    edits();
  }

  get partsMade(): Record<string, unknown>[] {
    return this.made.filter(({ type }) => type === 'part').map(({ fields }) => fields);
  }

  /** The parts' names as the routine shows them. */
  get titlesInOrder(): unknown[] {
    return [...this.partsMade]
      .sort((one, other) => (String(one['position']) < String(other['position']) ? -1 : 1))
      .map(({ title }) => title);
  }

  upload(index: number): FakeUpload {
    const upload = this.uploads[index];
    assert(upload);
    return upload;
  }
}

function file(name: string, content: string): NamedBlob {
  return Object.assign(new Blob([content]), { name });
}

async function studioWith(...names: string[]): Promise<Studio> {
  const studio = new Studio();
  await studio.draft.addFiles(names.map((name) => file(name, name)));
  return studio;
}

test('each file becomes a row named after it, and its upload starts', async () => {
  const { draft, uploads } = await studioWith('01_Intro.mp3', 'Finale.wav');
  assert.deepEqual(draft.rows.map(({ title }) => title), ['Intro', 'Finale']);
  assert.deepEqual(uploads.map(({ state }) => state), ['uploading', 'uploading']);
});

test('create waits for a title and one usable song', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3');
  const { draft } = studio;
  assert.equal(draft.canCreate, false);
  draft.describe({ title: 'Swan' });
  assert.equal(draft.canCreate, false);
  studio.upload(0).finish('t1');
  assert.equal(draft.canCreate, true);
  draft.describe({ title: '   ' });
  assert.equal(draft.canCreate, false);
});

test('create waits until every text can be saved', async () => {
  const family = '👨‍👩‍👧‍👦';
  const studio = await studioWith('a.mp3');
  const { draft } = studio;
  const [row] = draft.rows;
  assert(row);
  studio.upload(0).finish('t1');
  draft.describe({ title: family.repeat(50) });
  assert.equal(draft.canCreate, false);
  draft.describe({ title: 'Swan', subtitle: family.repeat(110) });
  assert.equal(draft.canCreate, false);
  draft.describe({ subtitle: '' });
  draft.rename(row.key, family.repeat(110));
  assert.equal(draft.canCreate, false);
  draft.rename(row.key, family.repeat(70));
  assert.equal(draft.canCreate, true);
});

test('a song that gets ready while its name is too long keeps as much of it as fits', async () => {
  const family = '👨‍👩‍👧‍👦';
  const studio = new Studio('r1');
  await studio.draft.addFiles([file('a.mp3', 'a')]);
  studio.draft.rename(studio.draft.rows[0]?.key ?? '', family.repeat(110));
  studio.upload(0).finish('t1');
  assert.deepEqual(studio.partsMade.map(({ title }) => title), [family.repeat(76)]);
});

test('a file with the same content is skipped under any name, and says so', async () => {
  const { draft, uploads } = await studioWith('a.mp3');
  await draft.addFiles([file('copy of a.mp3', 'a.mp3'), file('same length', 'b.mp3')]);
  assert.deepEqual(draft.rows.map(({ title }) => title), ['a', 'same length']);
  assert.equal(uploads.length, 2);
  assert.match(draft.notices[0]?.text ?? '', /“copy of a\.mp3” is the same song as “a”/);
});

test('two picks at once still find each other’s doubles', async () => {
  // The song that is there already has the same length, so that comparing takes a while.
  const studio = new Studio();
  await studio.draft.addFiles([file('other.mp3', 'y')]);
  await Promise.all([
    studio.draft.addFiles([file('one.mp3', 'x')]), studio.draft.addFiles([file('two.mp3', 'x')]),
  ]);
  assert.deepEqual(studio.draft.rows.map(({ title }) => title), ['other', 'one']);
});

test('a song that the server knows as another row’s track is skipped and its track stays', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3');
  studio.upload(0).finish('t1');
  studio.upload(1).finish('t1');
  assert.deepEqual(studio.draft.rows.map(({ title }) => title), ['a']);
  assert(studio.tracks.has('t1'));
  assert.equal(studio.upload(1).state, 'done');
});

test('the routine and its parts are made in one step, in the order of the list', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3', 'c.mp3');
  const { draft } = studio;
  ['t1', 't2', 't3'].forEach((track, index) => studio.upload(index).finish(track));
  draft.describe({ title: ' Swan ', subtitle: ' gala ' });
  draft.move(draft.rows[2]?.key ?? '', 0);
  draft.rename(draft.rows[1]?.key ?? '', 'Verse');
  const routineId = draft.create();
  assert.equal(studio.steps, 1);
  assert.deepEqual(studio.made[0], { type: 'routine', fields: { title: 'Swan', subtitle: 'gala' } });
  const inOrder = [...studio.partsMade].sort((one, other) => (String(one['position']) < String(other['position']) ? -1 : 1));
  assert.deepEqual(inOrder.map(({ position: _position, ...fields }) => fields), [
    { routine: routineId, track: 't3', startFrame: 0, endFrame: 96_000, title: 'c' },
    { routine: routineId, track: 't1', startFrame: 0, endFrame: 96_000, title: 'Verse' },
    { routine: routineId, track: 't2', startFrame: 0, endFrame: 96_000, title: 'b' },
  ]);
});

test('a part whose name was emptied is named after its file', async () => {
  const studio = await studioWith('a.mp3');
  studio.upload(0).finish('t1');
  studio.draft.describe({ title: 'Swan' });
  studio.draft.rename(studio.draft.rows[0]?.key ?? '', '  ');
  studio.draft.create();
  assert.equal(studio.partsMade[0]?.['title'], 'a');
});

test('songs still on their way when the routine is made follow into their place', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3', 'c.mp3');
  studio.draft.describe({ title: 'Swan' });
  studio.upload(0).finish('t1');
  studio.upload(2).finish('t3');
  const routineId = studio.draft.create();
  assert.equal(studio.draft.unfinished, 1);
  studio.upload(1).finish('t2');
  assert.equal(studio.draft.unfinished, 0);
  const byPosition = [...studio.partsMade].sort((one, other) => (String(one['position']) < String(other['position']) ? -1 : 1));
  assert.deepEqual(byPosition.map(({ title }) => title), ['a', 'b', 'c']);
  assert(byPosition.every(({ routine }) => routine === routineId));
});

test('a song that fails after the routine was made says so', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3');
  studio.draft.describe({ title: 'Swan' });
  studio.upload(0).finish('t1');
  studio.draft.create();
  studio.upload(1).fail('This is not audio.');
  assert.deepEqual(studio.late, ['“b” was not added. This is not audio.']);
  assert.equal(studio.draft.rows.length, 0);
});

test('a song that the server had no room for after the routine was made is not forgotten', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3');
  studio.draft.describe({ title: 'Swan' });
  studio.upload(0).finish('t1');
  studio.draft.create();
  studio.upload(1).fail('The disk is full.', false);
  assert.deepEqual(studio.late, ['“b” was not added. The disk is full. Segmance tries again when you next open it.']);
  assert.deepEqual(studio.draft.rows.map(({ title }) => title), ['b']);
  studio.upload(1).retry();
  studio.upload(1).finish('t2');
  assert.equal(studio.draft.rows.length, 0);
  assert.deepEqual(studio.partsMade.map(({ title }) => title), ['a', 'b']);
});

test('a song that fails on its way to a routine that exists says so, and stays to be tried again', async () => {
  const studio = new Studio('r1');
  await studio.draft.addFiles([file('a.mp3', 'a')]);
  studio.upload(0).fail('This is not audio.');
  assert.deepEqual(studio.late, ['“a” was not added. This is not audio.']);
  assert.deepEqual(studio.draft.rows.map(({ title }) => title), ['a']);
});

test('a failed song says why, can be tried again, and is left out when the routine is made', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3');
  const { draft } = studio;
  studio.upload(1).fail('This is not audio.');
  const row = draft.rows[1];
  assert(row);
  assert.equal(draft.stateOf(row), 'failed');
  assert.equal(draft.problemOf(row), 'This is not audio.');
  draft.retry(row.key);
  assert.equal(draft.stateOf(row), 'uploading');
  studio.upload(1).fail('This is not audio.');
  studio.upload(0).finish('t1');
  draft.describe({ title: 'Swan' });
  assert.deepEqual(draft.refused.map(({ fileName }) => fileName), ['b.mp3']);
  draft.create();
  assert.deepEqual(draft.refused, []);
  assert.equal(studio.partsMade.length, 1);
  assert.equal(studio.upload(1).state, 'cancelled');
});

test('removing a row and discarding the draft leave nothing behind', async () => {
  const studio = await studioWith('a.mp3', 'b.mp3');
  const { draft } = studio;
  studio.upload(0).finish('t1');
  draft.remove(draft.rows[0]?.key ?? '');
  assert.equal(studio.tracks.size, 0);
  draft.describe({ title: 'Swan' });
  draft.discard();
  assert.equal(studio.upload(1).state, 'cancelled');
  assert(draft.isEmpty);
  assert.deepEqual(studio.made, []);
});

test('a song of the library needs no upload and is not there twice', () => {
  const studio = new Studio();
  const track = studio.addTrack('t1');
  studio.draft.addTrack(track);
  studio.draft.addTrack(track);
  assert.equal(studio.draft.rows.length, 1);
  studio.draft.describe({ title: 'Swan' });
  assert.equal(studio.draft.canCreate, true);
  studio.draft.discard();
  assert(studio.tracks.has('t1'));
});

test('songs added to a routine that exists become parts at its end, in the order of the list', async () => {
  const studio = new Studio('r1');
  studio.create('part', { routine: 'r1', title: 'old', position: 'k' });
  await studio.draft.addFiles([file('a.mp3', 'a'), file('b.mp3', 'b')]);
  studio.upload(1).finish('t2');
  studio.upload(0).finish('t1');
  assert.deepEqual(studio.titlesInOrder, ['old', 'a', 'b']);
  assert.equal(studio.draft.rows.length, 0);
});

test('a song on its way to a routine that exists can be moved, also past one that has arrived', async () => {
  const studio = new Studio('r1');
  studio.create('part', { routine: 'r1', title: 'old', position: 'k' });
  await studio.draft.addFiles(['a.mp3', 'b.mp3', 'c.mp3', 'd.mp3'].map((name) => file(name, name)));
  const move = (title: string, to: number): void => (
    studio.draft.move(studio.draft.rows.find((row) => row.title === title)?.key ?? '', to)
  );
  studio.upload(1).finish('t2');
  move('d', 0);
  move('a', 2);
  for (const index of [0, 2, 3]) studio.upload(index).finish(`u${index}`);
  assert.deepEqual(studio.titlesInOrder, ['old', 'd', 'b', 'c', 'a']);
});

test('songs that are taken up again stand in the list as in their routine', async () => {
  const studio = new Studio('r1');
  await studio.draft.addFiles([file('a.mp3', 'a'), file('b.mp3', 'b')]);
  studio.draft.place(studio.draft.rows[0]?.key ?? '', 'x');
  assert.deepEqual(studio.draft.rows.map(({ title }) => title), ['b', 'a']);
});

test('a song that the routine has already is skipped, and says so', async () => {
  const studio = new Studio('r1');
  await studio.draft.addFiles([file('a.mp3', 'a')]);
  studio.upload(0).finish('t1');
  await studio.draft.addFiles([file('again.mp3', 'a')]);
  studio.upload(1).finish('t1');
  assert.equal(studio.partsMade.length, 1);
  assert.match(studio.draft.notices[0]?.text ?? '', /“again\.mp3” is already in this routine/);
  assert(studio.tracks.has('t1'));
});

test('listeners hear of every change until they stop', async () => {
  const studio = await studioWith('a.mp3');
  let heard = 0;
  const stop = studio.draft.subscribe(() => {
    heard += 1;
  });
  studio.upload(0).finish('t1');
  assert.equal(heard, 1);
  stop();
  studio.draft.describe({ title: 'x' });
  assert.equal(heard, 1);
});

test('a routine is made in the chosen group, and its songs go there', async () => {
  const studio = new Studio();
  studio.draft.describe({ title: 'Swan', space: 'class' });
  await studio.draft.addFiles([new File(['one'], 'One.mp3')]);
  assert.deepEqual(studio.draft.rows.map(({ queued }) => queued?.purpose), [{ kind: 'draft', space: 'class' }]);
  studio.upload(0).finish('t1');
  studio.draft.create();
  assert.deepEqual(studio.made.map(({ type, space }) => [type, space]), [['routine', 'class'], ['part', undefined]]);
});
