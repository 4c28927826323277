// Files that wait to be uploaded: stored while there is no network, and taken up by the next tab.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Drafts } from '../../src/uploads/drafts';
import { UploadQueue, type Purpose, type QueuedFile } from '../../src/uploads/queue';
import { replaceAudio } from '../../src/uploads/replacement';
import { addTrack } from '../../src/uploads/tracks';
import type { Claim, OfflineDatabase, StoredDraft, WaitingFile } from '../../src/offline/database';
import { WaitingFiles } from '../../src/offline/waitingFiles';
import { formatWaiting } from '../../src/status/formatWaiting';
import { RoutineDraft } from '../../src/uploads/draft';
import type { LocalLibrary } from '../../src/sync/library';
import { NameRecordings } from '../../src/moves/nameRecordings';
import type { Move, Part } from '../../src/sync/records';
import { leaving } from '../../src/ui/device';
import { VideoLinks } from '../../src/video/links';
import { FakeUpload } from '../uploads/fakeUpload';

const room = { quota: 1e12, usage: 0 };
/** Names of locks that other tabs hold. */
const held = new Set<string>();
const locks = {
  query: () => Promise.resolve({ held: [...held].map((name) => ({ name })) }),
  request: async (_name: string, ...rest: readonly unknown[]) => (rest.at(-1) as () => Promise<unknown>)(),
};
Object.defineProperty(globalThis, 'navigator', {
  configurable: true, value: { storage: { estimate: () => Promise.resolve(room) }, locks },
});

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
Object.defineProperty(globalThis, 'document', { configurable: true, value: page });

/** The page goes out of sight, and comes back. */
async function hide(): Promise<void> {
  for (const state of ['hidden', 'visible']) {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
  }
  await pass();
}

const timers: (() => void)[] = [];
globalThis.setTimeout = ((callback: () => void) => timers.push(callback)) as unknown as typeof setTimeout;

/** Lets every timer ring, and all that follows from it happen. */
async function pass(): Promise<void> {
  for (const ring of timers.splice(0)) ring();
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}

/** What one browser stores: the same for all of its tabs. */
class Disk {
  readonly waiting = new Map<string, WaitingFile>();
  readonly claims = new Map<string, Claim>();
  /** Files whose bytes were written over: in WebKit what was read of them before is lost. */
  readonly rewritten: string[] = [];
  readonly drafts = new Map<string, StoredDraft>();
  /** What fails from now on: "put drafts", say. */
  readonly failing = new Set<string>();
  /** Lets what is stored from now on wait. */
  isBusy = false;
  private readonly held: (() => void)[] = [];

  /** Stores what waited. */
  free(): void {
    this.isBusy = false;
    for (const store of this.held.splice(0)) store();
  }

  get database(): Pick<OfflineDatabase, 'all' | 'put' | 'delete'> {
    return {
      all: (store: string) => {
        if (this.failing.has(`all ${store}`)) return Promise.reject(new Error('The disk is broken.'));
        return Promise.resolve(
          store === 'waiting' ? [...this.waiting.values(), ...this.claims.values()] : [...this.drafts.values()]);
      },
      put: (store: string, value: unknown) => {
        const { id, name } = value as Partial<WaitingFile>;
        const isFailing = [store, id, name].some((each) => this.failing.has(`put ${each}`));
        if (isFailing) return Promise.reject(new Error('There is no room.'));
        const keep = (): void => {
          if (store === 'waiting') this.putWaiting(value as WaitingFile | Claim);
          else this.drafts.set((value as StoredDraft).tab, value as StoredDraft);
        };
        if (this.isBusy) {
          return new Promise<void>((resolve) => {
            this.held.push(() => {
              keep();
              resolve();
            });
          });
        }
        keep();
        return Promise.resolve();
      },
      delete: (store: string, keys: readonly string[]) => {
        if (this.failing.has(`delete ${store}`)) return Promise.reject(new Error('The disk is broken.'));
        for (const key of keys) {
          for (const records of store === 'waiting' ? [this.waiting, this.claims] : [this.drafts]) records.delete(key);
        }
        return Promise.resolve();
      },
    } as Pick<OfflineDatabase, 'all' | 'put' | 'delete'>;
  }

  get purposes(): unknown[] {
    return [...this.waiting.values()].map(({ id, purpose }) => this.claims.get(`claim-${id}`)?.now.purpose ?? purpose);
  }

  private putWaiting(record: WaitingFile | Claim): void {
    if ('now' in record) {
      this.claims.set(record.id, record);
    } else {
      if (this.waiting.has(record.id)) this.rewritten.push(record.name);
      this.waiting.set(record.id, record);
    }
  }
}

/** A tab with one part, "a", unless it was deleted. */
class Tab {
  readonly said: string[] = [];
  readonly uploads: FakeUpload[] = [];
  words = '';
  part: Part | undefined = { type: 'part', id: 'a', createdAt: 1, routine: 'r', title: 'A', position: 'a' };
  readonly status = { online: false, isUnstored: false };
  /** Routines that are not here; deleted unless that is not known. */
  readonly missing = new Set<string>();
  knowsDeletions = true;
  readonly queue: UploadQueue;
  readonly videoLinks: VideoLinks;
  readonly recordings: NameRecordings;
  move: Move | undefined = { type: 'move', id: 'm', createdAt: 1, part: 'a', title: 'Kick', position: 'a' };
  readonly replaceAudio: (part: string, file: File) => QueuedFile;
  readonly files: WaitingFiles;
  /** The routine in the making. */
  draft: RoutineDraft | null = null;
  readonly openDraft: () => RoutineDraft;

  constructor(disk: Disk) {
    const library = {
      status: this.status,
      subscribe: () => () => undefined,
      get: (type: string, id: string) => (
        type === 'routine' ? (this.missing.has(id) ? undefined : { id })
          : type === 'part' && id === this.part?.id ? this.part
            : type === 'move' && id === this.move?.id ? this.move : undefined
      ),
      isDeleted: () => this.knowsDeletions,
      spots: () => [],
      remove: () => undefined,
      edit: (type: string, _id: string, fields: object) => {
        if (type === 'move' && this.move) this.move = { ...this.move, ...fields };
        else if (this.part) this.part = { ...this.part, ...fields };
      },
      partsShowing: () => [],
      parts: () => [],
      create: () => 'routine',
      transact: (edits: () => void) => edits(),
    } as unknown as LocalLibrary;
    const makeUpload = (): FakeUpload => {
      const upload = new FakeUpload();
      this.uploads.push(upload);
      return upload;
    };
    const queue = this.queue = new UploadQueue(makeUpload);
    this.videoLinks = new VideoLinks(library, queue, makeUpload, () => Promise.resolve());
    this.recordings = new NameRecordings(library, queue, makeUpload);
    this.replaceAudio = (part, file) => replaceAudio({ library, uploads: queue }, part, file);
    const listeners: (() => void)[] = [];
    const current = (): RoutineDraft | null => this.draft;
    const openDraft = (): RoutineDraft => {
      if (!this.draft) {
        this.draft = new RoutineDraft({ library, uploads: queue });
        for (const listener of listeners) listener();
      }
      return this.draft;
    };
    this.openDraft = openDraft;
    this.files = new WaitingFiles({
      library,
      drafts: {
        get current() {
          return current();
        },
        get all() {
          return current() ? [current()] : [];
        },
        open: openDraft,
        forRoutine: (routineId: string) => {
          const old = this.draft?.routineId === routineId ? this.draft : null;
          this.draft = old ?? new RoutineDraft({ library, uploads: queue, routineId });
          return this.draft;
        },
        subscribe: (listener: () => void) => listeners.push(listener),
      } as unknown as Drafts,
      uploads: queue,
      starts: {
        track: (file) => addTrack(queue, file),
        replacement: (file, part) => this.replaceAudio(part, file),
        video: (file, part) => this.videoLinks.start(part, file),
        recording: (file, move, at) => this.recordings.start(move, file, at),
      },
    }, disk.database, (counts) => {
      this.words = formatWaiting(0, counts);
    }, (sentence) => this.said.push(sentence));
  }

  async begin(): Promise<this> {
    await this.files.begin();
    await pass();
    return this;
  }
}

const film = new File(['film'], 'run.mp4', { type: 'video/mp4' });

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

test('a song of a routine that is made while it goes up is stored with its place', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  tab.status.online = true;
  const draft = tab.openDraft();
  draft.describe({ title: 'Swan' });
  await draft.addFiles([new File(['song'], 'One.wav')]);
  await hide();
  assert.deepEqual(disk.purposes, [{ kind: 'draft' }]);
  assert.equal(disk.drafts.size, 1);
  draft.create();
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'part', routine: 'routine', title: 'One', position: draft.rows[0]?.position }]);
  assert.equal(disk.drafts.size, 0);
});

test('a routine in the making that a closed tab left goes on in the next one', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.openDraft().describe({ title: 'Swan' });
  await first.openDraft().addFiles([new File(['song'], 'One.wav')]);
  await pass();
  timers.length = 0;
  const second = await new Tab(disk).begin();
  assert.equal(second.draft?.title, 'Swan');
  assert.deepEqual(second.draft?.rows.map(({ fileName }) => fileName), ['One.wav']);
  assert.equal(disk.drafts.size, 1);
  assert.equal(disk.waiting.size, 1);
});

test('the bytes of what waits are written once, whoever takes it up and wherever it goes', async () => {
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

test('a routine in the making stays with its tab while that is reloaded, and is taken over once it is closed', async () => {
  const lock = 'segmance-tab-other';
  for (const isClosed of [false, true]) {
    const disk = new Disk();
    disk.drafts.set('other', { tab: 'other', title: 'Swan', subtitle: '', rows: [] });
    held.add(lock);
    const tab = new Tab(disk);
    await tab.files.begin();
    held.delete(lock);
    await pass();
    assert.equal(tab.draft, null, 'it may only be reloading');
    if (!isClosed) held.add(lock);
    await pass();
    assert.equal(tab.draft?.title, isClosed ? 'Swan' : undefined);
    assert.equal(disk.drafts.has('other'), !isClosed);
    held.delete(lock);
    timers.length = 0;
  }
});

test('a routine in the making that cannot be stored holds a reload up', async () => {
  const disk = new Disk();
  disk.failing.add('put drafts');
  const tab = await new Tab(disk).begin();
  tab.openDraft().describe({ title: 'Swan' });
  assert.match(await tab.files.storeAll() ?? '', /a reload would lose them/);
  disk.failing.clear();
  assert.equal(await tab.files.storeAll(), null);
});

test('one that was begun meanwhile is not mixed with it, and both are kept', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.openDraft().describe({ title: 'Swan' });
  await first.openDraft().addFiles([new File(['song'], 'One.wav')]);
  await pass();
  timers.length = 0;
  const second = new Tab(disk);
  second.openDraft().describe({ title: 'Duck' });
  await second.begin();
  assert.equal(second.draft?.title, 'Duck');
  assert.equal(second.draft?.rows.length, 0);
  assert.equal(second.uploads.length, 0, 'nor does its song go up by itself');
  assert.deepEqual([...disk.drafts.values()].map(({ title }) => title).sort(), ['Duck', 'Swan']);
  assert.equal(disk.waiting.size, 1);
  second.draft?.discard();
  await pass();
  timers.length = 0;
  const third = await new Tab(disk).begin();
  assert.equal(third.draft?.title, 'Swan');
  assert.equal(third.draft?.rows.length, 1);
});

test('a reload does not write what is begun at once over what was there before', async () => {
  const kept = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value),
  };
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: sessionStorage });
  try {
    const disk = new Disk();
    const first = await new Tab(disk).begin();
    first.openDraft().describe({ title: 'Swan' });
    await first.openDraft().addFiles([new File(['song'], 'One.wav')]);
    await pass();
    timers.length = 0;
    const second = new Tab(disk);
    second.openDraft().describe({ title: 'Duck' });
    await second.begin();
    assert.equal(second.draft?.title, 'Duck');
    assert.deepEqual([...disk.drafts.values()].map(({ title }) => title).sort(), ['Duck', 'Swan']);
    assert.equal(disk.drafts.get(kept.get('segmance.tab') ?? '')?.title, 'Duck', 'a reload goes on with it');
    second.draft?.discard();
    await pass();
    timers.length = 0;
    const third = await new Tab(disk).begin();
    assert.equal(third.draft?.title, 'Swan');
    assert.equal(third.draft?.rows.length, 1);
  } finally {
    Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: undefined });
  }
});

test('a routine in the making leaves its old place only once it is stored in its new one', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  first.openDraft().describe({ title: 'Swan' });
  await pass();
  timers.length = 0;
  disk.failing.add('put drafts');
  const complain = console.error;
  console.error = () => undefined;
  const second = await new Tab(disk).begin();
  assert.equal(second.draft?.title, 'Swan');
  assert.deepEqual([...disk.drafts.values()].map(({ title }) => title), ['Swan']);
  disk.failing.clear();
  console.error = complain;
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

test('a routine that is made while its songs are being stored has its places stored before any of them', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  const complain = console.error;
  console.error = () => undefined;
  disk.failing.add('put One.wav');
  const draft = tab.openDraft();
  draft.describe({ title: 'Swan' });
  await draft.addFiles([new File(['one'], 'One.wav'), new File(['two!'], 'Two.wav')]);
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'draft' }]);
  disk.failing.clear();
  disk.isBusy = true;
  await hide();
  draft.create();
  const known: unknown[] = [];
  disk.claims.set = (id, claim) => {
    known.push([...disk.drafts.values()].map(({ routine }) => routine));
    return Map.prototype.set.call(disk.claims, id, claim) as typeof disk.claims;
  };
  disk.free();
  await pass();
  await pass();
  assert.deepEqual(disk.purposes.map((purpose) => (purpose as Purpose).kind), ['part', 'part']);
  assert.deepEqual(known, [['routine'], ['routine']]);
  console.error = complain;
});

test('a page killed while the songs of its new routine are stored anew leaves them to that routine', async () => {
  const disk = new Disk();
  const first = await new Tab(disk).begin();
  const draft = first.openDraft();
  draft.describe({ title: 'Swan' });
  await draft.addFiles([new File(['one'], 'One.wav'), new File(['two!'], 'Two.wav')]);
  await pass();
  assert.deepEqual(disk.purposes, [{ kind: 'draft' }, { kind: 'draft' }]);
  disk.failing.add('put waiting').add('delete drafts');
  const complain = console.error;
  console.error = () => undefined;
  draft.create();
  await pass();
  const places = draft.rows.map(({ position }) => position);
  timers.length = 0;
  disk.failing.clear();
  const second = await new Tab(disk).begin();
  await pass();
  assert.equal(second.draft?.routineId, 'routine');
  assert.deepEqual(second.draft?.rows.map(({ title, position }) => [title, position]), [['One', places[0]], ['Two', places[1]]]);
  assert.equal(second.draft?.title, '', 'no other routine is in the making');
  assert.equal(disk.drafts.size, 0);
  assert.equal(disk.waiting.size, 2);
  console.error = complain;
});

test('so it does where that routine is not here yet', async () => {
  const disk = new Disk();
  disk.waiting.set('f', { id: 'f', name: 'One.wav', file: film, purpose: { kind: 'draft' }, tab: 'gone', at: 1 });
  const rows = [{ title: 'One', track: null, file: 'f', position: 'V' }];
  disk.drafts.set('gone', { tab: 'gone', title: 'Swan', subtitle: '', rows, routine: 'swan' });
  disk.waiting.set('v', { id: 'v', name: 'run.mp4', file: film, purpose: { kind: 'video', part: 'a' }, tab: 'gone', at: 2 });
  const complain = console.error;
  console.error = () => undefined;
  for (const isFull of [true, false]) {
    if (isFull) disk.failing.add('put waiting');
    else disk.failing.clear();
    const tab = new Tab(disk);
    tab.missing.add('swan');
    tab.knowsDeletions = false;
    await tab.begin();
    assert.equal(disk.drafts.size, isFull ? 1 : 0);
    assert.equal(tab.queue.of('video', 'a')?.file.name, 'run.mp4', 'and keeps no other from going up');
    timers.length = 0;
  }
  console.error = complain;
  assert.deepEqual(disk.purposes[0], { kind: 'part', routine: 'swan', title: 'One', position: 'V' });
  const next = await new Tab(disk).begin();
  assert.deepEqual(next.draft?.rows.map(({ title, position }) => [title, position]), [['One', 'V']]);
});

test('a file that cannot be stored keeps the others and the routine in the making from nothing', async () => {
  const disk = new Disk();
  const tab = await new Tab(disk).begin();
  const complain = console.error;
  console.error = () => undefined;
  disk.failing.add('put Bad.wav');
  tab.openDraft().describe({ title: 'Swan' });
  await tab.openDraft().addFiles([new File(['bad'], 'Bad.wav'), new File(['good'], 'Good.wav')]);
  await pass();
  assert.deepEqual([...disk.waiting.values()].map(({ name }) => name), ['Good.wav']);
  assert.equal([...disk.drafts.values()][0]?.rows.length, 2);
  assert.equal(leaving.isSafe, false);
  disk.failing.clear();
  await hide();
  assert.equal(leaving.isSafe, true);
  console.error = complain;
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

test('a file waits in vain for a part that has got another one since, from another device, say', async () => {
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
