// Files that wait to be uploaded: stored while there is no network, and taken up by the next tab.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Purpose } from '../../src/uploads/queue';
import { addTrack } from '../../src/uploads/tracks';
import { formatWaiting } from '../../src/status/formatWaiting';
import { leaving } from '../../src/ui/device';
import { Disk, film, hide, pass, room, Tab, timers } from './waitingTabs';

test('a video picked without a network is stored, counted, and linked by the next tab', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.videoLinks.start('a', film);
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'video', part: 'a', instead: null }]);
  assert.equal(first.words, '1 video');
  assert.equal(leaving.isSafe, true);
  timers.length = 0;

  const second = await new Tab(disk).begin();
  await pass();
  assert.equal(second.queue.of('video', 'a')?.file.name, 'run.mp4');
  assert.equal(second.words, '1 video');
  assert.equal(disk.waiting.size, 1, 'it waits until the server has it');
  second.uploads[0]?.become('importing', 'v');
  await pass();
  assert.equal(second.part?.video, 'v');
  assert.equal(disk.waiting.size, 0);
  assert.equal(second.words, '');
});

test('before a reload a video that is going up is stored, too', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  tab.status.online = true;
  tab.videoLinks.start('a', film);
  await pass();
  assert.equal(disk.waiting.size, 0, 'there is a network: it only goes up');
  assert.equal(await tab.files.storeAll(), null);
  assert.deepEqual(disk.purposes, [{ kind: 'video', part: 'a', instead: null }]);
});

test('a video larger than the room, or than a browser keeps, is named before a reload and said at once', async () => {
  for (const [size, quota] of [[5_000, 1_000], [2.1e9, 1e12]] as const) {
    room.quota = quota;
    const disk = new Disk();
    const tab = await new Tab(disk).begin();
    tab.videoLinks.start('a', { name: 'long.mp4', size } as File);
    await pass();
    assert.match(tab.said[0] ?? '', /“long.mp4” \(.+\) is too large to be kept here/);
    assert.match(await tab.files.storeAll() ?? '', /“long.mp4” is still uploading/);
    assert.equal(leaving.isSafe, false);
    assert.equal(disk.waiting.size, 0);
    assert.equal(tab.said.length, 1, 'it is said once');
  }
  room.quota = 1e12;
});

test('a file whose part was deleted meanwhile waits no longer', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.videoLinks.start('a', film);
  await pass();
  timers.length = 0;
  const second = new Tab(disk);
  second.part = undefined;
  await second.begin();
  assert.equal(second.uploads.length, 0);
  assert.equal(disk.waiting.size, 0);
});

test('a file whose routine or part is only not here, or that is for something unknown, stays for a later start', async () => {
  const purposes: Purpose[] = [
    { kind: 'part', routine: 'swan', title: 'One', position: 'V' }, { kind: 'video', part: 'a' },
    { kind: 'other', part: 'a' } as unknown as Purpose, { kind: 'other', part: 'a' } as unknown as Purpose,
  ];
  const begun = async (set: (tab: Tab) => void): Promise<unknown[]> => {
    const disk = new Disk();
    for (const [at, purpose] of purposes.entries()) {
      disk.waiting.set(`${at}`, { id: `${at}`, name: 'One.wav', file: film, purpose, tab: 'gone', at });
    }
    const tab = new Tab(disk);
    tab.part = undefined;
    tab.missing.add('swan');
    set(tab);
    await tab.begin();
    assert.equal(tab.uploads.length, 0);
    return disk.purposes;
  };
  assert.deepEqual(await begun((tab) => {
    tab.knowsDeletions = false;
  }), purposes);
  assert.deepEqual(await begun((tab) => {
    tab.status.isUnstored = true;
  }), purposes);
  assert.deepEqual(await begun(() => undefined), purposes.slice(2), 'unless they were deleted');
});

test('a song that replaces a part’s audio is taken up by the next tab', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.replaceAudio('a', new File(['song'], 'Two.wav'));
  first.videoLinks.start('a', film);
  await pass();
  assert.equal(first.words, '1 song and 1 video');
  timers.length = 0;
  const second = await new Tab(disk).begin();
  assert.equal(second.uploads.length, 2);
  assert.equal(second.queue.of('replacement', 'a')?.upload.state, 'uploading');
});

test('a song for the library goes on in the next tab, and so does one of a routine in the making that is lost', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  addTrack(first.queue, new File(['song'], 'One.wav'));
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'track' }]);
  disk.waiting.set('f', { id: 'f', name: 'Two.wav', file: film, purpose: { kind: 'draft' }, tab: 'gone', at: 1 });
  timers.length = 0;
  const second = await new Tab(disk).begin();
  assert.deepEqual(second.queue.all('track').map(({ file }) => file.name).sort(), ['One.wav', 'Two.wav']);
  assert.deepEqual(disk.purposes, [{ kind: 'track' }, { kind: 'track' }]);
  for (const upload of second.uploads) upload.become('done', 't');
  await pass();
  assert.equal(disk.waiting.size, 0);
});

test('what failed for want of room is kept for the next tab, what the file is to blame for is not', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.videoLinks.start('a', film);
  await pass();
  const [upload] = first.uploads;
  assert(upload);
  first.status.online = true;
  upload.problem = 'The disk is full.';
  upload.become('failed');
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'video', part: 'a', instead: null }]);
  timers.length = 0;

  const second = await new Tab(disk).begin();
  const again = second.uploads[0];
  assert.equal(again?.state, 'uploading');
  if (again) again.isUnusable = true;
  again?.become('failed');
  await pass();
  assert.equal(disk.waiting.size, 0);
});

test('what the next tab takes up is not stored once more while the disk is busy', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.replaceAudio('a', new File(['song'], 'Two.wav'));
  await pass();
  timers.length = 0;
  disk.isBusy = true;
  const second = new Tab(disk);
  void second.files.begin();
  await pass();
  await pass();
  assert.equal(second.uploads.length, 1);
  disk.free();
  second.status.online = false;
  await pass();
  await pass();
  assert.equal(disk.waiting.size, 1);
});

test('what is going up is stored when the page goes out of sight, until it has arrived', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  tab.status.online = true;
  tab.replaceAudio('a', new File(['song'], 'Two.wav'));
  await pass();
  assert.equal(disk.waiting.size, 0, 'there is a network: it only goes up');
  await hide();
  assert.deepEqual(disk.purposes, [{ kind: 'replacement', part: 'a', instead: null }]);
  tab.queue.cancel(tab.queue.of('replacement', 'a'));
  await pass();
  assert.equal(disk.waiting.size, 0);
});

test('the bytes of what waits are written once, whichever tab takes it up and wherever it goes', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.videoLinks.start('a', film);
  first.openDraft().describe({ title: 'Swan' });
  await first.openDraft().addFiles([new File(['song'], 'One.wav')]);
  await pass();
  timers.length = 0;
  const second = new Tab(disk);
  second.openDraft().describe({ title: 'Duck' });
  await second.begin();
  assert.equal(second.queue.of('video', 'a')?.file.name, 'run.mp4');
  timers.length = 0;
  const third = await new Tab(disk).begin();
  const draft = third.openDraft();
  assert.deepEqual(draft.rows.map(({ fileName }) => fileName), ['One.wav']);
  draft.create();
  await pass();
  timers.length = 0;
  const fourth = await new Tab(disk).begin();
  assert.equal(fourth.draft?.routineId, 'routine');
  assert.deepEqual(fourth.draft?.rows.map(({ position }) => position), [draft.rows[0]?.position]);
  assert.deepEqual(disk.rewritten, []);
  fourth.draft?.discard();
  await pass();
  assert.deepEqual([disk.waiting.size, disk.claims.size], [1, 1], 'what is not needed any more leaves nothing');
});

test('a file that was picked since is not given up for one that waited for the same part', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.replaceAudio('a', new File(['song'], 'Old.wav'));
  first.videoLinks.start('a', film);
  await pass();
  timers.length = 0;
  const second = new Tab(disk);
  second.replaceAudio('a', new File(['song'], 'New.wav'));
  second.videoLinks.start('a', new File(['film'], 'new.mp4'));
  await second.begin();
  await pass();
  assert.deepEqual(second.queue.all('replacement').map(({ file }) => file.name), ['New.wav']);
  assert.equal(second.queue.of('video', 'a')?.file.name, 'new.mp4');
  assert.deepEqual([...disk.waiting.values()].map(({ name }) => name).sort(), ['New.wav', 'new.mp4']);
});

test('a file that cannot be taken up keeps nothing else from it', async () => {
  const complain = console.error;
  console.error = () => undefined;
  const disk = new Disk();
  disk.failing.add('put claim-1').add('delete waiting');
  const purposes: Purpose[] = [
    // For this part there is another one: it is to be deleted, and can't be.
    { kind: 'replacement', part: 'a' }, { kind: 'part', routine: 'r', title: 'A', position: 'V' }, { kind: 'video', part: 'a' },
  ];
  for (const [at, purpose] of purposes.entries()) {
    disk.waiting.set(`${at}`, { id: `${at}`, name: 'x', file: film, purpose, tab: 'gone', at });
  }
  const tab = new Tab(disk);
  tab.replaceAudio('a', new File(['song'], 'New.wav'));
  await tab.begin();
  assert.deepEqual(tab.draft?.rows.map(({ title }) => title), ['A']);
  assert.equal(tab.queue.of('video', 'a')?.file.name, 'x');
  assert.equal(tab.words, '2 songs and 1 video');
  console.error = complain;
});

test('what cannot be read stays as it is, and what is picked now is stored', async () => {
  const complain = console.error;
  console.error = () => undefined;
  const kept = new Map([['segmance.tab', 'own']]);
  const sessionStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: () => undefined };
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: sessionStorage });
  const disk = new Disk();
  disk.drafts.set('own', { tab: 'own', title: 'Swan', subtitle: '', rows: [] });
  disk.failing.add('all waiting');
  const tab = await new Tab(disk).begin();
  tab.status.online = true;
  tab.openDraft().describe({ title: 'Duck' });
  await tab.openDraft().addFiles([new File(['song'], 'One.wav')]);
  await hide();
  assert.deepEqual([...disk.waiting.values()].map(({ name }) => name), ['One.wav']);
  assert.deepEqual([...disk.drafts.values()].map(({ title }) => title), ['Swan', 'Duck']);
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: undefined });
  console.error = complain;
});

test('a file is not used for a part that got another one meanwhile, from another device', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.replaceAudio('a', new File(['song'], 'Old.wav'));
  first.videoLinks.start('a', film);
  await pass();
  timers.length = 0;
  for (const isUnstored of [true, false]) {
    const second = new Tab(disk);
    second.status.isUnstored = isUnstored;
    second.part = { type: 'part', id: 'a', createdAt: 1, routine: 'r', title: 'A', position: 'a', track: 't', video: 'v' };
    await second.begin();
    assert.equal(second.uploads.length, 0);
    assert.equal(disk.waiting.size, isUnstored ? 2 : 0, 'a library in memory may lack an edit');
    timers.length = 0;
  }
});

test('of two files that two tabs left for one part the later one goes up', async () => {
  const disk = new Disk();
  for (const [at, name] of [[2, 'Late.wav'], [1, 'Early.wav']] as const) {
    const file = new File(['song'], name);
    disk.waiting.set(name, { id: name, name, file, purpose: { kind: 'replacement', part: 'a' }, tab: name, at });
  }
  const tab = await new Tab(disk).begin();
  assert.equal(tab.uploads.length, 1);
  assert.deepEqual([...disk.waiting.keys()], ['Late.wav']);
});

test('what has arrived is not taken up again because it could not be deleted at once', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  tab.videoLinks.start('a', film);
  await pass();
  const complain = console.error;
  console.error = () => undefined;
  disk.failing.add('delete waiting');
  tab.uploads[0]?.become('importing', 'v');
  await pass();
  assert.equal(disk.waiting.size, 1);
  disk.failing.clear();
  await hide();
  assert.equal(disk.waiting.size, 0);
  console.error = complain;
});

test('what waits is told by kind', () => {
  assert.equal(formatWaiting(0, { songs: 0, videos: 0, recordings: 0 }), '');
  assert.equal(formatWaiting(1, { songs: 0, videos: 2, recordings: 0 }), '1 change and 2 videos');
  assert.equal(formatWaiting(3, { songs: 2, videos: 1, recordings: 0 }), '3 changes, 2 songs, and 1 video');
});

const spoken = new File(['kick'], 'Kick.webm', { type: 'audio/webm' });

test('a name recorded without a network is stored, counted, and given to its move by the next tab', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.recordings.start('m', spoken, 7);
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'recording', move: 'm', at: 7 }]);
  assert.equal(first.words, '1 recording');
  assert.equal(leaving.isSafe, true);
  timers.length = 0;

  const second = await new Tab(disk).begin();
  await pass();
  assert.equal(second.queue.ofMove('m')?.file.name, 'Kick.webm');
  second.uploads[0]?.become('importing', 'r');
  await pass();
  assert.equal(second.move?.recording, undefined, 'not before it is ready');
  second.uploads[0]?.become('done', 'r');
  await pass();
  assert.equal(second.move?.recording, 'r');
  assert.equal(disk.waiting.size, 0);
  assert.equal(second.words, '');
});

test('of two names recorded for a move without a network the last is stored', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  tab.recordings.start('m', spoken, 7);
  await pass();
  tab.recordings.start('m', new File(['turn'], 'Turn.webm'), 8);
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'recording', move: 'm', at: 8 }]);
});

test('the recorded name of a deleted move is deleted at the next start; of an unknown one it waits', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.recordings.start('m', spoken, 7);
  await pass();
  timers.length = 0;
  const second = new Tab(disk);
  second.move = undefined;
  second.knowsDeletions = false;
  await second.begin();
  await pass();
  assert.equal(second.files.left.size, 1);
  assert.equal(disk.waiting.size, 1);
  timers.length = 0;
  const third = new Tab(disk);
  third.move = undefined;
  await third.begin();
  await pass();
  assert.equal(disk.waiting.size, 0);
});
