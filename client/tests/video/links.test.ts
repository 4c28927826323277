// Linking videos to parts: uploads, undo, what another part already knows, and asking for the offset.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditOf, Part } from '../../src/sync/records';
import type { Job } from '../../src/sync/wire';
import { Alignments } from '../../src/video/alignment';
import { linkVideo, mirrorVideo, unlinkVideo, videoFields, type VideoLibrary } from '../../src/video/actions';
import { UploadQueue } from '../../src/uploads/queue';
import { VideoLinks } from '../../src/video/links';
import { toasts } from '../../src/ui/toasts';
import { FakeUpload } from '../uploads/fakeUpload';

const part = (id: string, more: Partial<Part> = {}): Part => (
  { type: 'part', id, createdAt: 1, routine: 'r', title: id.toUpperCase(), position: id, track: 't', ...more }
);

/** Parts that can be edited. */
class Studio {
  readonly parts = new Map<string, Part>();
  readonly videos = new Set(['old']);

  constructor(...parts: readonly Part[]) {
    for (const each of parts) this.parts.set(each.id, each);
  }

  get library(): VideoLibrary {
    return {
      get: ((type: 'part' | 'video', id: string) => (
        type === 'part' ? this.parts.get(id) : this.videos.has(id) ? { type, id } : undefined
      )) as VideoLibrary['get'],
      edit: (_type, id, fields) => {
        const old = this.parts.get(id);
        if (old) this.parts.set(id, { ...old, ...(fields as EditOf<'part'>) } as Part);
      },
      partsShowing: (videoId) => [...this.parts.values()].filter(({ video }) => video === videoId),
    };
  }

  video(id: string): unknown[] {
    const found = this.parts.get(id);
    return found ? Object.values(videoFields(found)) : [];
  }
}

function undo(): void {
  toasts.kept[toasts.kept.length - 1]?.action?.run();
  for (const toast of toasts.kept) toasts.dismiss(toast.id);
}

function uploading(studio: Studio): {
  links: VideoLinks; queue: UploadQueue; uploads: FakeUpload[]; removed: string[];
} {
  const uploads: FakeUpload[] = [];
  const removed: string[] = [];
  const queue = new UploadQueue(() => assert.fail('This is no song.'));
  const links = new VideoLinks(studio.library, queue, () => {
    const upload = new FakeUpload();
    uploads.push(upload);
    return upload;
  }, (id) => {
    removed.push(id);
    return Promise.resolve();
  });
  return { links, queue, uploads, removed };
}

const file = { name: 'run.mp4' } as File;

test('a part has its video as soon as the server knows it, not before', () => {
  const studio = new Studio(part('a'));
  const { links, queue, uploads } = uploading(studio);
  links.start('a', file);
  assert.equal(queue.of('video', 'a')?.file.name, 'run.mp4');
  assert.equal(queue.isSending, true);
  assert.deepEqual(studio.video('a'), [null, null, null]);
  uploads[0]?.become('importing', 'v');
  assert.deepEqual(studio.video('a'), ['v', null, null]);
  assert.equal(queue.isSending, false);
  uploads[0]?.become('done');
  assert.equal(queue.of('video', 'a'), null);
});

test('giving an upload up unlinks what it brought, and only that', () => {
  const studio = new Studio(part('a'), part('b'));
  const { links, uploads } = uploading(studio);
  links.start('a', file);
  uploads[0]?.become('importing', 'v');
  links.cancel('a');
  assert.equal(uploads[0]?.state, 'cancelled');
  assert.deepEqual(studio.video('a'), [null, null, null]);
  links.start('b', file);
  uploads[1]?.become('importing', 'v');
  studio.library.edit('part', 'b', { video: 'other' });
  links.cancel('b');
  assert.equal(studio.parts.get('b')?.video, 'other', 'chosen meanwhile');
});

test('given up, or of no use, a replacing video gives the earlier one back as it was', () => {
  for (const isUnusable of [false, true]) {
    const studio = new Studio(part('a', { video: 'old', videoOffset: 48_000, videoMirrored: 1 }));
    const { links, uploads } = uploading(studio);
    links.start('a', file);
    uploads[0]?.become('importing', 'v');
    assert.deepEqual(studio.video('a'), ['v', null, null]);
    if (isUnusable) Object.assign(uploads[0]!, { isUnusable, problem: 'It has no picture.' }).become('failed', null);
    else links.cancel('a');
    assert.deepEqual(studio.video('a'), ['old', 48_000, 1]);
    const said = toasts.kept.map(({ text }) => text);
    assert.equal(said.includes('“run.mp4” can’t be used. It has no picture.'), isUnusable);
    for (const toast of toasts.kept) toasts.dismiss(toast.id);
  }
});

test('a video that is chosen, or unlinked, stays so whatever was on its way', () => {
  const studio = new Studio(part('a', { video: 'old', videoOffset: 7 }), part('b'));
  const { links, queue, uploads } = uploading(studio);
  for (const state of ['uploading', 'importing'] as const) {
    links.start('a', file);
    uploads.at(-1)?.become(state, state === 'importing' ? 'v' : null);
    links.choose('a', 'other');
    uploads.at(-1)?.become('importing', 'w');
    assert.deepEqual([studio.parts.get('a')?.video, queue.of('video', 'a')], ['other', null]);
    undo();
    assert.deepEqual(studio.video('a'), ['old', 7, null]);
    links.start('a', file);
    uploads.at(-1)?.become(state, state === 'importing' ? 'v' : null);
    links.unlink('a');
    uploads.at(-1)?.become('importing', 'w');
    assert.deepEqual([studio.parts.get('a')?.video, queue.of('video', 'a')], [null, null]);
    undo();
    assert.deepEqual(studio.video('a'), ['old', 7, null]);
  }
  links.start('b', file);
  links.unlink('b');
  assert.deepEqual([queue.of('video', 'b'), toasts.kept], [null, []], 'there was none to come back');
});

test('choosing the video that is on its way leaves it so', () => {
  const studio = new Studio(part('a'));
  const { links, uploads } = uploading(studio);
  links.start('a', file);
  uploads[0]?.become('importing', 'v');
  links.choose('a', 'v');
  assert.deepEqual([uploads[0]?.state, studio.parts.get('a')?.video], ['importing', 'v']);
});

test('an earlier video that is gone does not come back', () => {
  const studio = new Studio(part('a', { video: 'old' }));
  const { links, uploads } = uploading(studio);
  links.start('a', file);
  uploads[0]?.become('importing', 'v');
  studio.videos.clear();
  links.cancel('a');
  assert.deepEqual(studio.video('a'), [null, null, null]);
  for (const toast of toasts.kept) toasts.dismiss(toast.id);
});

test('a failed upload stays to be tried again; a failed conversion is told by its record', () => {
  const studio = new Studio(part('a'));
  const { links, queue, uploads } = uploading(studio);
  links.start('a', file);
  uploads[0]?.become('failed');
  assert.equal(queue.of('video', 'a')?.upload.state, 'failed');
  uploads[0]?.retry();
  uploads[0]?.become('importing', 'v');
  uploads[0]?.become('failed', null);
  assert.equal(queue.of('video', 'a'), null);
  assert.equal(studio.parts.get('a')?.video, 'v');
});

test('a second video for a part takes the place of the first upload', () => {
  const studio = new Studio(part('a'));
  const { links, uploads } = uploading(studio);
  links.start('a', file);
  links.start('a', file);
  assert.deepEqual(uploads.map(({ state }) => state), ['cancelled', 'uploading']);
});

test('unlinking takes the video from this part only, and undo brings all of it back', () => {
  const studio = new Studio(
    part('a', { video: 'v', videoOffset: 48_000, videoMirrored: 1 }), part('b', { video: 'v', videoOffset: 7 }),
  );
  unlinkVideo(studio.library, studio.parts.get('a') as Part);
  assert.deepEqual(studio.video('a'), [null, null, null]);
  assert.deepEqual(studio.video('b'), ['v', 7, null]);
  undo();
  assert.deepEqual(studio.video('a'), ['v', 48_000, 1]);
});

test('a part of the same track takes the offset over, one of another track does not', () => {
  const studio = new Studio(
    part('a', { video: 'v', videoOffset: -96_000, videoMirrored: 1 }), part('b'), part('c', { track: 'other' }),
    part('d', { track: null }),
  );
  for (const id of ['b', 'c', 'd']) linkVideo(studio.library, id, 'v');
  assert.deepEqual(studio.video('b'), ['v', -96_000, 1]);
  assert.deepEqual(studio.video('c'), ['v', null, 1]);
  assert.deepEqual(studio.video('d'), ['v', null, 1]);
});

test('a replaced video comes back by undo', () => {
  const studio = new Studio(part('a', { video: 'v', videoOffset: 5, videoMirrored: 1 }));
  linkVideo(studio.library, 'a', 'w');
  assert.deepEqual(studio.video('a'), ['w', null, null]);
  undo();
  assert.deepEqual(studio.video('a'), ['v', 5, 1]);
});

test('mirroring is remembered as one, and not at all', () => {
  const studio = new Studio(part('a', { video: 'v' }));
  mirrorVideo(studio.library, studio.parts.get('a') as Part);
  assert.equal(studio.parts.get('a')?.videoMirrored, 1);
  mirrorVideo(studio.library, studio.parts.get('a') as Part);
  assert.equal(studio.parts.get('a')?.videoMirrored, null);
});

// The offset.

const question = { video: 'v', track: 't', start: 0, end: 480_000 };

interface Reply { readonly status: number; readonly body: unknown }

function asking(...replies: readonly (Reply | null)[]) {
  const asked: string[] = [];
  const listeners = new Set<(job: Job) => void>();
  const timers: (() => void)[] = [];
  const waiting = [...replies];
  const alignments = new Alignments({
    fetch: (address, request) => {
      asked.push(`${request?.method ?? 'GET'} ${address}`);
      const reply = waiting.shift();
      if (!reply) return Promise.reject(new TypeError('no network'));
      return Promise.resolve(new Response(JSON.stringify(reply.body), { status: reply.status }));
    },
    onJob: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    timer: (milliseconds, callback) => {
      // The others end a request that takes too long.
      if (milliseconds === 2_000) timers.push(callback);
      return () => undefined;
    },
  });
  const tell = (state: Job['state'], progress = 0): void => {
    for (const listener of [...listeners]) listener({ id: 'j', kind: 'align', state, progress, message: null });
  };
  return { alignments, asked, tell, timers };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise<void>((resolve) => setImmediate(() => resolve()));
};

test('an answer that is known comes at once, and is not asked for twice', async () => {
  const { alignments, asked } = asking({ status: 200, body: { offset: -1_200, confidence: 9, isCertain: true } });
  assert.deepEqual(await alignments.ask(question), { state: 'found', offset: -1_200, isCertain: true });
  await alignments.ask(question);
  assert.deepEqual(asked, ['POST /api/videos/v/alignment']);
});

test('who asks while a search is on its way that then fails for the network asks once more', async () => {
  const { alignments, asked } = asking(null, { status: 200, body: { offset: 7, confidence: 9, isCertain: true } });
  const lost = alignments.ask(question);
  const answer = alignments.ask(question);
  assert.equal((await lost).state, 'failed');
  assert.deepEqual(await answer, { state: 'found', offset: 7, isCertain: true });
  assert.equal(asked.length, 2);
});

test('who asks while a search is on its way has its answer', async () => {
  const { alignments, asked } = asking({ status: 200, body: { offset: 7, confidence: 9, isCertain: true } });
  const [one, other] = await Promise.all([alignments.ask(question), alignments.ask(question)]);
  assert.deepEqual(one, other);
  assert.equal(asked.length, 1);
});

test('a search is followed by its job, and then asked for its answer', async () => {
  const { alignments, asked, tell } = asking(
    { status: 202, body: { job: 'j' } }, { status: 200, body: { offset: 44.6, confidence: 1, isCertain: false } },
  );
  const answer = alignments.ask(question);
  await settled();
  tell('running', 0.5);
  assert.deepEqual(alignments.of(question), { state: 'waiting', progress: 0.5 });
  tell('done');
  assert.deepEqual(await answer, { state: 'found', offset: 45, isCertain: false });
  assert.equal(asked[1], 'GET /api/videos/v/alignment?track=t&start=0&end=480000');
});

test('without events the answer is asked for again after a while', async () => {
  const { alignments, timers } = asking(
    { status: 202, body: { job: 'j' } }, { status: 202, body: { job: 'j' } },
    { status: 200, body: { offset: 3, confidence: 1, isCertain: true } },
  );
  const answer = alignments.ask(question);
  await settled();
  timers[0]?.();
  await settled();
  timers[1]?.();
  assert.equal((await answer).state, 'found');
});

test('a refusal is told in the server’s words; without a network it may be asked again', async () => {
  const silent = asking({ status: 409, body: { detail: 'This video has no sound.' } });
  assert.deepEqual(await silent.alignments.ask(question), {
    state: 'failed', sentence: 'This video has no sound.', isPassing: false,
  });
  const away = asking(null, { status: 200, body: { offset: 0, confidence: 1, isCertain: true } });
  assert.equal((await away.alignments.ask(question)).state, 'failed');
  assert.equal((await away.alignments.ask(question)).state, 'found');
});


test('a video that is still prepared is given up after a reload, unless another part shows it', () => {
  const studio = new Studio(part('a', { video: 'v', videoMirrored: 1 }), part('b', { video: 'v' }));
  const { links, removed } = uploading(studio);
  const given = (id: string): void => links.giveUp(studio.parts.get(id)!);
  given('a');
  assert.deepEqual([studio.video('a'), removed], [[null, null, null], []]);
  given('b');
  assert.deepEqual([studio.video('b'), removed], [[null, null, null], ['v']]);
  given('b');
  assert.deepEqual(removed, ['v']);
});
