// Tabs of one browser with files that wait to be uploaded, on a disk that they share. Timers ring when a test lets them.

import type { Drafts } from '../../src/uploads/drafts';
import { UploadQueue, type QueuedFile } from '../../src/uploads/queue';
import { replaceAudio } from '../../src/uploads/replacement';
import { addTrack } from '../../src/uploads/tracks';
import type { Claim, OfflineDatabase, StoredDraft, WaitingFile } from '../../src/offline/database';
import { WaitingFiles } from '../../src/offline/waitingFiles';
import { formatWaiting } from '../../src/status/formatWaiting';
import { RoutineDraft } from '../../src/uploads/draft';
import type { LocalLibrary } from '../../src/sync/library';
import { NameRecordings } from '../../src/moves/nameRecordings';
import type { Move, Part } from '../../src/sync/records';
import { VideoLinks } from '../../src/video/links';
import { FakeUpload } from '../uploads/fakeUpload';

/** The browser's storage. */
export const room = { quota: 1e12, usage: 0 };
/** Names of locks that other tabs hold. */
export const held = new Set<string>();
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
export async function hide(): Promise<void> {
  for (const state of ['hidden', 'visible']) {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
  }
  await pass();
}

/** The timers that have not rung. */
export const timers: (() => void)[] = [];
globalThis.setTimeout = ((callback: () => void) => timers.push(callback)) as unknown as typeof setTimeout;

/** Lets every timer ring, and all that follows from it happen. */
export async function pass(): Promise<void> {
  for (const ring of timers.splice(0)) ring();
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}

/** What one browser stores: the same for all of its tabs. */
export class Disk {
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
export class Tab {
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

/** A video that somebody picks. */
export const film = new File(['film'], 'run.mp4', { type: 'video/mp4' });
