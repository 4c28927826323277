// Uploads: pieces, broken connections, imports, the same bytes again, and cancelling.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore } from '../../src/uploads/semaphore';
import type { LocalLibrary } from '../../src/sync/library';
import { NetworkError } from '../../src/sync/requests';
import { uploadedBytes } from '../../src/uploads/tus';
import { Upload } from '../../src/uploads/upload';
import { FakeServer, problem } from '../sync/support/fake-server';
import { Browser, Tab } from '../sync/support/world';

interface Stage {
  readonly server: FakeServer;
  readonly tab: Tab;
  readonly library: LocalLibrary;
  upload(bytes: string, name?: string, pieceBytes?: number): Upload;
}

async function stage(): Promise<Stage> {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  const lane = new Semaphore(2);
  server.onEvent = (type, data) => tab.tell(type, data);
  return {
    server, tab, library,
    upload: (bytes, name = 'song.mp3', pieceBytes = 4) =>
      new Upload(Object.assign(new Blob([bytes]), { name }), {
        ...tab.environment, library, lane, pieceBytes,
      }),
  };
}

function count(server: FakeServer, line: RegExp): number {
  return server.log.filter((each) => line.test(each)).length;
}

test('a file is uploaded in pieces, imported, and in the library when it is done', async () => {
  const { server, tab, library, upload } = await stage();
  const song = upload('0123456789', 'Füße 🕺.mp3');
  const steps: string[] = [];
  const lengths: unknown[] = [];
  song.subscribe(() => {
    steps.push(song.state);
    if (song.state === 'done') {
      lengths.push(library.get('track', song.trackId ?? '')?.lengthFrames);
    }
  });
  assert.equal(song.state, 'waiting');
  song.start();
  await tab.advance(10_000);
  assert.equal(song.state, 'done');
  assert.deepEqual([...new Set(steps)], ['uploading', 'importing', 'done']);
  assert.deepEqual(lengths, [480_000]);
  assert.equal(song.progress, 1);
  assert.equal(song.alreadyKnown, false);
  assert.equal(server.trackBytes.get(song.trackId ?? ''), '0123456789');
  assert.equal(library.get('track', song.trackId ?? '')?.title, 'Füße 🕺.mp3');
  assert.equal(count(server, /^PATCH/), 3);
});

test('the record’s id is reported as soon as the server has returned it', async () => {
  const { server, tab, upload } = await stage();
  server.holdsJobs = true;
  const song = upload('0123456789');
  const told: (string | null)[] = [];
  song.subscribe(() => told.push(song.trackId));
  song.start();
  await tab.advance(1_000);
  assert.equal(song.state, 'importing');
  assert.notEqual(told[told.length - 1], null);
});

test('progress never decreases without errors', async () => {
  const { server, tab, upload } = await stage();
  server.holdsJobs = true;
  const song = upload('0123456789');
  const seen: number[] = [];
  song.subscribe(() => seen.push(song.progress));
  song.start();
  await tab.advance(1_000);
  const [job] = server.jobs.values();
  tab.tell('job', { ...job, progress: 0.5 });
  server.finishJob(job?.id ?? '', 'done');
  await tab.advance(1_000);
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
  assert(seen.includes(0.8) && seen.includes(1), seen.join(' '));
});

test('an import that waits for space reports it and continues', async () => {
  const { server, tab, upload } = await stage();
  server.holdsJobs = true;
  const song = upload('0123456789');
  song.start();
  await tab.advance(1_000);
  const [job] = server.jobs.values();
  tab.tell('job', { ...job, state: 'queued', message: 'The disk is full.' });
  await tab.settle();
  assert.deepEqual([song.state, song.problem], ['importing', 'The disk is full.']);
  tab.tell('job', { ...job, state: 'running', message: null });
  await tab.settle();
  assert.equal(song.problem, null);
  server.finishJob(job?.id ?? '', 'done');
  await tab.advance(1_000);
  assert.equal(song.state, 'done');
});

test('after a broken connection the upload resumes at its offset', async () => {
  const { server, tab, upload } = await stage();
  const song = upload('0123456789abcdef');
  let requests = 0;
  tab.fate = (url) => {
    if (!url.includes('/api/uploads/')) return 'passes';
    requests += 1;
    return requests === 2 ? 'requestLost' : requests === 5 ? 'answerLost' : 'passes';
  };
  const problems = new Set<string | null>();
  song.subscribe(() => problems.add(song.problem));
  song.start();
  await tab.advance(30_000);
  assert.equal(song.state, 'done');
  assert.equal(server.trackBytes.get(song.trackId ?? ''), '0123456789abcdef');
  assert.equal(count(server, /^POST \/api\/uploads/), 1);
  assert.equal(count(server, /^HEAD/), 2);
  assert.equal(count(server, /^PATCH/), 4);
  assert.deepEqual([...problems], [null, 'The connection broke. Trying again…']);
});

test('when the network returns the upload continues at once', async () => {
  const { tab, upload } = await stage();
  const song = upload('0123456789');
  tab.isOnline = false;
  song.start();
  await tab.advance(20_000);
  tab.isOnline = true;
  const { now } = tab;
  tab.happens('online');
  await tab.settle();
  await tab.settle();
  assert.equal(song.state, 'done');
  assert.equal(tab.now, now);
});

test('without a network for a day the upload waits, reports it, and resumes automatically', async () => {
  const { server, tab, upload } = await stage();
  const song = upload('0123456789');
  let pieces = 0;
  tab.fate = (url) => (url.includes('/api/uploads/') && ++pieces > 1 ? 'requestLost' : 'passes');
  song.start();
  await tab.advance(24 * 3_600_000);
  assert.equal(song.state, 'uploading');
  assert.match(song.problem ?? '', /continues by itself/);
  tab.fate = () => 'passes';
  await tab.advance(30_000);
  assert.equal(song.state, 'done');
  assert.equal(song.problem, null);
  assert.equal(count(server, /^POST \/api\/uploads/), 1);
  assert.equal(server.trackBytes.get(song.trackId ?? ''), '0123456789');
});

test('an unpaired device keeps its upload, which continues after pairing again', async () => {
  const { tab, upload } = await stage();
  const song = upload('0123456789');
  tab.intercept = () => problem(401, 'Not paired.');
  song.start();
  await tab.advance(600_000);
  assert.equal(song.state, 'uploading');
  tab.intercept = () => null;
  await tab.advance(30_000);
  assert.equal(song.state, 'done');
});

test('an upload fails after repeated server errors, and a retry resumes it', async () => {
  const { tab, upload } = await stage();
  const song = upload('0123456789');
  tab.intercept = (url) => (url.includes('/api/uploads/') ? problem(503, 'Busy.') : null);
  song.start();
  await tab.advance(300_000);
  assert.equal(song.state, 'failed');
  assert.equal(song.isUnusable, false);
  assert.match(song.problem ?? '', /continues where it stopped/);
  tab.intercept = () => null;
  song.retry();
  await tab.advance(1_000);
  assert.equal(song.state, 'done');
});

test('an upload that the server has deleted starts again', async () => {
  const { server, tab, upload } = await stage();
  const song = upload('0123456789');
  let isForgotten = false;
  tab.intercept = (_url, request) => {
    if (request.method === 'PATCH' && !isForgotten) {
      isForgotten = true;
      server.uploads.clear();
    }
    return null;
  };
  song.start();
  await tab.advance(30_000);
  assert.equal(song.state, 'done');
  assert.equal(count(server, /^POST \/api\/uploads/), 2);
});

test('the same bytes again are the same track, which is reported', async () => {
  const { server, tab, upload } = await stage();
  const [first, second] = [upload('same'), upload('same', 'other name.mp3')];
  first.start();
  await tab.advance(1_000);
  second.start();
  await tab.advance(1_000);
  assert.equal(second.state, 'done');
  assert.equal(second.trackId, first.trackId);
  assert.deepEqual([first.alreadyKnown, second.alreadyKnown], [false, true]);
  await second.cancel();
  assert.equal(server.trackBytes.size, 1);
});

test('a response that is lost after the track was made leads to the same track', async () => {
  const { server, tab, upload } = await stage();
  const song = upload('0123456789');
  let lost = false;
  tab.fate = (url) => {
    if (!url.endsWith('/api/tracks') || lost) return 'passes';
    lost = true;
    return 'answerLost';
  };
  song.start();
  await tab.advance(30_000);
  assert.equal(song.state, 'done');
  assert.equal(server.trackBytes.size, 1);
  assert.equal(server.trackBytes.has(song.trackId ?? ''), true);
});

test('a file without audio fails with the server’s reason', async () => {
  const { server, tab, upload } = await stage();
  server.holdsJobs = true;
  const song = upload('not audio');
  song.start();
  await tab.advance(1_000);
  assert.equal(song.state, 'importing');
  const [job] = server.jobs.values();
  server.finishJob(job?.id ?? '', 'failed', 'This file holds no sound.');
  await tab.settle();
  assert.equal(song.state, 'failed');
  assert.equal(song.problem, 'This file holds no sound.');
  assert.equal(song.isUnusable, true);
  server.holdsJobs = false;
  song.retry();
  assert.equal(song.isUnusable, false);
  await tab.advance(1_000);
  assert.equal(song.state, 'done');
});

test('a full server fails the upload without blaming the file', async () => {
  const { tab, upload } = await stage();
  tab.intercept = () => problem(507, 'The disk is full.');
  const song = upload('0123456789');
  song.start();
  await tab.advance(60_000);
  assert.equal(song.state, 'failed');
  assert.equal(song.isUnusable, false);
});

test('a permanently refused upload is not retried', async () => {
  const { server, tab, upload } = await stage();
  tab.intercept = () => problem(413, 'This file is larger than 4 GB.');
  const song = upload('0123456789');
  song.start();
  await tab.advance(60_000);
  assert.equal(song.state, 'failed');
  assert.equal(song.problem, 'This file is larger than 4 GB.');
  assert.equal(song.isUnusable, true);
  assert.equal(server.uploads.size, 0);
  assert.equal(tab.requests.filter(({ url }) => url.includes('uploads')).length, 1);
});

test('a refusal for other reasons fails the upload without blaming the file', async () => {
  const { tab, upload } = await stage();
  const page = (status: number): Response => new Response('<html>No</html>', { status });
  const refusals = [problem(421, 'Wrong host.'), problem(403, 'Wrong origin.'), page(403), page(404), page(413)];
  for (const refusal of refusals) {
    tab.intercept = (url) => (url.endsWith('/api/uploads') ? refusal.clone() : null);
    const song = upload('0123456789');
    song.start();
    await tab.advance(60_000);
    assert.deepEqual([song.state, song.isUnusable], ['failed', false], `${refusal.status}`);
    tab.intercept = () => null;
    song.retry();
    await tab.advance(60_000);
    assert.equal(song.state, 'done');
  }
});

test('an empty file and an unreadable file are reported', async () => {
  const { tab, upload, library } = await stage();
  const empty = upload('');
  empty.start();
  await tab.settle();
  assert.equal(empty.problem, 'This file is empty.');
  const file = new Blob(['0123456789']);
  const unreadable = () => Promise.reject(new DOMException('Gone', 'NotReadableError'));
  file.slice = () => Object.assign(new Blob(['']), { arrayBuffer: unreadable });
  tab.fate = (url) => (url.includes('/api/uploads/') ? 'requestLost' : 'passes');
  const gone = new Upload(file, { ...tab.environment, library, lane: new Semaphore(1) });
  gone.start();
  await tab.advance(1_000);
  assert.equal(gone.problem, 'This file can no longer be read. Choose it again.');
});

test('an import is polled without events', async () => {
  const { server, tab, upload } = await stage();
  server.holdsJobs = true;
  server.onEvent = () => undefined;
  const song = upload('0123456789');
  song.start();
  await tab.advance(3_000);
  const [job] = server.jobs.values();
  server.jobs.set(job?.id ?? '', { ...(job as NonNullable<typeof job>), progress: 0.5 });
  await tab.advance(3_000);
  assert.equal(song.progress, 0.8);
  server.finishJob(job?.id ?? '', 'done');
  await tab.advance(3_000);
  assert.equal(song.state, 'done');
});

test('an upload is not done before the local library has the track', async () => {
  const { server, tab, library, upload } = await stage();
  const song = upload('0123456789');
  tab.fate = (url) => (url.endsWith('/api/sync') ? 'requestLost' : 'passes');
  song.start();
  await tab.advance(10_000);
  assert.equal(song.state, 'importing');
  assert.equal(server.trackBytes.size, 1);
  tab.fate = () => 'passes';
  await tab.advance(10_000);
  assert.equal(song.state, 'done');
  assert.equal(library.get('track', song.trackId ?? '')?.state, 'ready');
});

for (const moment of ['waiting', 'uploading', 'making', 'importing', 'done'] as const) {
  test(`an upload cancelled while ${moment} leaves nothing on the server`, async () => {
    const { server, tab, upload } = await stage();
    server.holdsJobs = moment === 'importing';
    const song = upload('0123456789');
    const cancels = { isAsked: false };
    const later = new Set<string>();
    const cancel = () => {
      if (cancels.isAsked) return;
      cancels.isAsked = true;
      void song.cancel();
      song.subscribe(() => later.add(song.state));
    };
    tab.intercept = (url, request) => {
      if (moment === 'uploading' && request.method === 'PATCH') cancel();
      if (moment === 'making' && url.endsWith('/api/tracks')) cancel();
      return null;
    };
    if (moment !== 'waiting') song.start();
    if (moment !== 'waiting') await tab.advance(5_000);
    cancel();
    await song.cancel();
    await tab.advance(5_000);
    assert.equal(song.state, 'cancelled');
    assert([...later].every((state) => state === 'cancelled'), [...later].join(' '));
    assert.equal(server.uploads.size, 0);
    assert.equal(server.trackBytes.size, 0);
    assert([...server.jobs.values()].every((job) => job.state !== 'running'));
    song.start();
    song.retry();
    await tab.advance(1_000);
    assert.equal(song.state, 'cancelled');
  });
}

test('cleaning up after a cancel continues when the network returns', async () => {
  const { server, tab, upload } = await stage();
  const song = upload('0123456789');
  song.start();
  await tab.advance(1_000);
  tab.isOnline = false;
  void song.cancel();
  await tab.advance(5_000);
  assert.equal(server.trackBytes.size, 1);
  tab.isOnline = true;
  await tab.advance(20_000);
  assert.equal(server.trackBytes.size, 0);
});

test('a late cancel does not delete a track that a part uses', async () => {
  const { server, tab, library, upload } = await stage();
  const song = upload('0123456789');
  song.start();
  await tab.advance(1_000);
  const routine = library.create('routine', { title: 'Swan' });
  const track = song.trackId ?? '';
  library.create('part', { routine, track, title: 'One', position: 'V' });
  await song.cancel();
  assert.equal(server.trackBytes.size, 1);
});

test('two files are uploaded at a time and the others wait', async () => {
  const { tab, upload } = await stage();
  const songs = ['one', 'two', 'three', 'four', 'five'].map((bytes) => upload(bytes));
  let isHeld = true;
  tab.fate = (url) => (isHeld && url.includes('/api/uploads') ? 'requestLost' : 'passes');
  for (const song of songs) song.start();
  await tab.advance(2_000);
  const states = () => songs.map(({ state }) => state).join(' ');
  assert.equal(states(), 'uploading uploading waiting waiting waiting');
  await songs[2]?.cancel();
  await songs[3]?.cancel();
  isHeld = false;
  await tab.advance(60_000);
  assert.equal(states(), 'done done cancelled cancelled done');
});

test('the piece size adapts to the speed of the network', async () => {
  const { server, tab, library } = await stage();
  const file = new Blob(['x'.repeat(20 << 20)]);
  const sizes: number[] = [];
  tab.intercept = (_url, request) => {
    if (request.body instanceof Blob) {
      sizes.push(request.body.size);
      tab.now += sizes.length < 4 ? 100 : 4_000;
    }
    return null;
  };
  const song = new Upload(file, { ...tab.environment, library, lane: new Semaphore(1) });
  song.start();
  await tab.advance(60_000);
  assert.equal(song.state, 'done');
  assert.equal(server.trackBytes.get(song.trackId ?? '')?.length, 20 << 20);
  assert.deepEqual(sizes.slice(0, 3), [1 << 20, 4 << 20, 8 << 20]);
  assert.equal(sizes.reduce((sum, size) => sum + size, 0), 20 << 20);
  assert((sizes[4] ?? 0) < (sizes[3] ?? 0), sizes.join(' '));
});

test('an offset that is not digits is refused', async () => {
  const ask = (header: string): Promise<number> => uploadedBytes(
    {
      fetch: () => Promise.resolve(new Response(null, { headers: { 'Upload-Offset': header } })),
      timer: () => () => undefined,
    },
    '/api/uploads/x', new AbortController().signal,
  );
  assert.equal(await ask('1048576'), 1_048_576);
  for (const header of ['', '-5', '0x10', '1e3', '5, 5', '9007199254740993']) {
    await assert.rejects(ask(header), NetworkError);
  }
});
