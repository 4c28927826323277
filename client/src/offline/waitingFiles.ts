// Files that wait to be uploaded: stored in the browser while there is no network and when the page
// is hidden, so that closing the app loses none, and resumed by the next tab. The draft of a new
// routine is stored with them.

import { browserEnvironment } from '../sync/environment';
import type { LocalLibrary } from '../sync/library';
import { leaving } from '../ui/device';
import { fileSize } from '../ui/text';
import { lateWords } from '../words/lateWords';
import type { RoutineDraft } from '../uploads/draft';
import type { Drafts } from '../uploads/drafts';
import type { PartKind, Purpose, QueuedFile, UploadQueue } from '../uploads/queue';
import type { NamedBlob } from '../uploads/transfer';
import type { Claim, OfflineDatabase, StoredDraft, WaitingFile } from './database';
import { holdTabName, lastTabName, oneTabAtATime, openTabs } from './tabName';

/** The files and drafts to store, and what continues them. */
export interface UploadSources {
  readonly library: LocalLibrary;
  readonly drafts: Drafts;
  readonly uploads: UploadQueue;
  /** Uploads a stored file, by the kind of its purpose; `part` is empty without one. */
  readonly starts: Readonly<Record<'track' | PartKind, (file: File, part: string) => QueuedFile>> & {
    readonly recording: (file: File, move: string, at: number) => QueuedFile;
  };
}

/** The numbers of waiting files. */
export interface WaitingCounts {
  readonly songs: number;
  readonly videos: number;
  readonly recordings: number;
}

/** The field of a part that a file of these kinds is for: a part has one such file at a time. */
const partField = { replacement: 'track', video: 'video' } as const;
const mostBytes = 2e9;
const lookMilliseconds = 300;
/** A tab that is being reloaded holds its name again within this time. */
const reloadMilliseconds = 3_000;
const claimOf = (file: string): string => `claim-${file}`;

/** Stores waiting files. */
export class WaitingFiles {
  /** Stays the same when the tab is reloaded. */
  private tab = '';
  /** The ids of stored files, with their stored purposes. */
  private readonly stored = new Map<QueuedFile, { readonly id: string; readonly purpose: string }>();
  /** Files that closed tabs left for a missing routine or part, by id. */
  readonly left = new Map<string, WaitingFile>();
  private readonly tooLarge = new WeakSet<QueuedFile>();
  private readonly followed = new WeakSet<RoutineDraft>();
  /** The stored draft; null if unknown. */
  private storedDraft: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private looking: Promise<boolean> = Promise.resolve(true);

  constructor(
    private readonly sources: UploadSources,
    private readonly database: Pick<OfflineDatabase, 'all' | 'put' | 'delete'>,
    private readonly onChange: (counts: WaitingCounts) => void,
    private readonly say: (sentence: string) => void,
  ) {}

  /** Resumes files that closed tabs left, and starts to store waiting ones. */
  async begin(): Promise<void> {
    const { library, drafts, uploads } = this.sources;
    const name = lastTabName();
    if (name === null) this.takeName(crypto.randomUUID());
    else this.tab = name;
    // An unreadable leftover is treated as another tab's, so that it is not overwritten.
    if (!(await succeeds(this.adopt(({ tab }) => tab === this.tab)))) this.takeName(crypto.randomUUID());
    await succeeds(openTabs().then((open) => this.adoptOthersLater(open)));
    const soon = (): void => {
      if (this.timer !== undefined) return;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        void this.look(false);
      }, lookMilliseconds);
    };
    for (const source of [library, uploads]) source.subscribe(soon);
    const followDrafts = (): void => {
      for (const draft of drafts.all) {
        if (this.followed.has(draft)) continue;
        this.followed.add(draft);
        draft.subscribe(soon);
      }
      // A routine was just started or created from its draft: its waiting files must be updated at
      // once.
      void this.look(false);
    };
    drafts.subscribe(followDrafts);
    followDrafts();
    // A hidden page may be closed without a further event.
    browserEnvironment().page.onHidden(() => void this.look(true));
  }

  /** Stores all uploads and the draft, as before a reload; returns a sentence if one of them can't be stored. */
  async storeAll(): Promise<string | null> {
    await this.look(true);
    const unsafe = this.sources.uploads.unsent.find((queued) => !this.stored.has(queued));
    if (unsafe) return lateWords.offline.waitForFile(nameOf(unsafe.file));
    return this.currentDraft() === this.storedDraft ? null : lateWords.offline.wouldBeLost;
  }

  /** Holds a name until the tab is closed: after that any tab may take its files. */
  private takeName(tab: string): void {
    this.tab = tab;
    holdTabName(tab);
  }

  /**
   * Stores waiting files and removes finished ones; returns whether that succeeded. One call at a
   * time.
   */
  private look(all: boolean): Promise<boolean> {
    this.looking = this.looking.then(async () => {
      const { library, uploads } = this.sources;
      // With the purposes of this moment: those of a routine made meanwhile need its places first.
      const here = uploads.unsent.map((queued) => ({ queued, purpose: queued.purpose }));
      const { online } = library.status;
      let isDone = true;
      const attempt = async (work: Promise<void>): Promise<void> => {
        if (!(await succeeds(work))) isDone = false;
      };
      await attempt(this.storePlaces());
      for (const { queued, purpose } of here) {
        // A stored file may have a new purpose.
        const isWanted = all || !online || queued.upload.problem !== null || this.stored.has(queued);
        if (isWanted) await attempt(this.store(queued, purpose));
      }
      // Some files may have been resumed since this call began.
      const unsent = new Set(uploads.unsent);
      for (const queued of [...this.stored.keys()]) if (!unsent.has(queued)) await attempt(this.forget(queued));
      await attempt(this.storeDraft());
      leaving.isSafe = isDone && here.length > 0 && here.every(({ queued }) => this.stored.has(queued));
      const count = (kind: Purpose['kind']): number => [...this.stored.keys()].filter(({ purpose }) => purpose.kind === kind).length;
      const [videos, recordings] = [count('video'), count('recording')];
      this.onChange({ songs: this.stored.size - videos - recordings, videos, recordings });
      return isDone;
    });
    return this.looking;
  }

  private async forget(queued: QueuedFile): Promise<void> {
    // In this order: a file that stays stored would be uploaded again, long after it has arrived.
    await this.remove(this.stored.get(queued)?.id ?? '');
    this.stored.delete(queued);
  }

  private remove(id: string): Promise<void> {
    return this.database.delete('waiting', [id, claimOf(id)]);
  }

  private claim(id: string, purpose: Purpose, tab = this.tab): Promise<void> {
    return this.database.put('waiting', { id: claimOf(id), now: { purpose, tab } });
  }

  private async store(queued: QueuedFile, purpose: Purpose): Promise<void> {
    const { file } = queued;
    const known = this.stored.get(queued);
    const wanted = JSON.stringify(purpose);
    if (known?.purpose === wanted || this.tooLarge.has(queued)) return;
    const name = nameOf(file);
    if (!known && !(await hasRoomFor(file.size))) {
      this.tooLarge.add(queued);
      this.say(lateWords.offline.tooLarge(name, fileSize(file.size)));
      return;
    }
    // Resumed from another tab in the meantime.
    if (!known && this.stored.has(queued)) return;
    const id = known?.id ?? crypto.randomUUID();
    if (known) await this.claim(id, purpose);
    else await this.database.put('waiting', { id, name, file, purpose, tab: this.tab, at: Date.now() });
    this.stored.set(queued, { id, purpose: wanted });
  }

  /**
   * Stores the positions of a new routine's songs before any song is stored with it: a page killed
   * in between would leave a draft of an existing routine.
   */
  private async storePlaces(): Promise<void> {
    const isOld = (queued: QueuedFile | null): boolean => (
      queued !== null && this.stored.get(queued)?.purpose.startsWith('{"kind":"draft"') === true
    );
    const made = [...this.sources.drafts.all].find(
      ({ routineId, rows }) => routineId !== null && rows.some(({ queued }) => isOld(queued)));
    if (!made?.routineId) return;
    const places = { ...this.draftToStore(made), routine: made.routineId };
    await this.database.put('drafts', places);
    this.storedDraft = JSON.stringify(places);
  }

  /** The draft of a new routine, as it is stored; empty if there is none. */
  private currentDraft(): string {
    const { current } = this.sources.drafts;
    const isThere = current !== null && !current.isEmpty && current.routineId === null;
    return isThere ? JSON.stringify(this.draftToStore(current)) : '';
  }

  private async storeDraft(): Promise<void> {
    const text = this.currentDraft();
    if (text === this.storedDraft) return;
    if (text === '') await this.database.delete('drafts', [this.tab]);
    else await this.database.put('drafts', JSON.parse(text) as StoredDraft);
    this.storedDraft = text;
  }

  private draftToStore(draft: RoutineDraft): StoredDraft {
    const rows = draft.rows.map((row) => ({
      title: row.title,
      track: draft.stateOf(row) === 'ready' ? row.knownTrack ?? row.queued?.upload.trackId ?? null : row.knownTrack,
      file: row.queued ? this.stored.get(row.queued)?.id ?? null : null,
      position: row.position,
    }));
    return {
      tab: this.tab, title: draft.title, subtitle: draft.subtitle, ...(draft.space !== null && { space: draft.space }), rows,
    };
  }

  private adoptOthersLater(openBefore: ReadonlySet<string>): void {
    setTimeout(() => void succeeds(oneTabAtATime(() => this.adoptOthers(openBefore))), reloadMilliseconds);
  }

  /**
   * Takes over the files of tabs that are closed, and were so before: for a moment, one that is being reloaded does not
   * hold its name. Those that were closed since are for the next look.
   */
  private async adoptOthers(openBefore: ReadonlySet<string>): Promise<void> {
    const open = await openTabs();
    if ([...openBefore].some((tab) => !open.has(tab))) this.adoptOthersLater(open);
    await this.adopt(({ tab }) => tab !== this.tab && !open.has(tab) && !openBefore.has(tab));
  }

  private async adopt(isLeft: (record: { readonly tab: string }) => boolean): Promise<void> {
    const files = (await this.allFiles()).filter(isLeft).sort((one, other) => one.at - other.at);
    const drafts = (await this.database.all('drafts')).filter(isLeft);
    const byId = new Map(files.map((each) => [each.id, each]));
    const taken: string[] = [];
    for (const draft of drafts) if (await this.adoptDraft(draft, byId)) taken.push(draft.tab);
    const last = new Map([...byId.values()].map((each) => [placeOf(each), each]));
    for (const each of byId.values()) {
      await succeeds(last.get(placeOf(each)) === each ? this.adoptFile(each) : this.remove(each.id));
    }
    // Only after their results are stored, which include this tab's own draft.
    if (await this.look(false)) await this.database.delete('drafts', taken.filter((tab) => tab !== this.tab));
  }

  private async allFiles(): Promise<WaitingFile[]> {
    const records = await this.database.all('waiting');
    const claims = new Map(records.filter(isClaim).map(({ id, now }) => [id, now]));
    return records.flatMap((each) => (isClaim(each) ? [] : { ...each, ...claims.get(claimOf(each.id)) }));
  }

  /** Continues a draft, and removes its files from `files`; returns whether it did. */
  private async adoptDraft(left: StoredDraft, files: Map<string, WaitingFile>): Promise<boolean> {
    const { drafts, library } = this.sources;
    const own = left.rows.map(({ file }) => (file === null ? undefined : files.get(file)));
    // Killed just after its routine was created: the songs go to their positions.
    if (left.routine !== undefined) {
      let isPlaced = true;
      for (const [index, { title, position = null }] of left.rows.entries()) {
        const file = own[index];
        if (!file) continue;
        const purpose: Purpose = { kind: 'part', routine: left.routine, title, position };
        files.set(file.id, { ...file, purpose });
        // It may have to wait for another start, which no longer finds its position here.
        isPlaced = await succeeds(this.claim(file.id, purpose, file.tab)) && isPlaced;
      }
      return isPlaced;
    }
    for (const file of own) if (file) files.delete(file.id);
    if (drafts.current && !drafts.current.isEmpty) {
      // Another draft was started meanwhile. This one waits for a start without one.
      if (left.tab === this.tab) this.takeName(crypto.randomUUID());
      return false;
    }
    const draft = drafts.open();
    draft.describe({ title: left.title, subtitle: left.subtitle, space: left.space ?? null });
    for (const [index, { title, track: trackId }] of left.rows.entries()) {
      const before = draft.rows.length;
      const track = trackId === null ? undefined : library.get('track', trackId);
      const waiting = own[index];
      if (track) draft.addTrack(track);
      if (waiting) await (track ? this.own(null, waiting) : this.addTo(draft, waiting));
      const row = draft.rows[before];
      if (row) draft.rename(row.key, title);
    }
    return true;
  }

  private async adoptFile(left: WaitingFile): Promise<void> {
    const { library, drafts, uploads, starts } = this.sources;
    // A file whose draft is lost is at least a song.
    const purpose: Purpose = left.purpose.kind === 'draft' ? { kind: 'track' } : left.purpose;
    const waiting = { ...left, purpose };
    const target = targetOf(purpose);
    // A purpose that is not known here is a later version's.
    const isKnown = purpose.kind === 'part' || purpose.kind in starts;
    if (!isKnown || (target && !library.get(...target))) {
      if (isKnown && target && library.isDeleted(...target)) await this.discard(waiting);
      // It waits for a later start: the library may lack edits, or be outdated.
      else this.left.set(left.id, left);
    } else if (purpose.kind === 'part') {
      const draft = drafts.forRoutine(purpose.routine);
      const row = await this.addTo(draft, waiting);
      if (row) draft.rename(row.key, purpose.title);
      if (row && purpose.position !== null) draft.place(row.key, purpose.position);
    } else if ('part' in purpose) {
      // Files picked later take precedence, here or elsewhere, as do finished ones.
      const { kind, part, instead } = purpose;
      const isFree = uploads.of(kind, part) === null && isStill(instead, library.get('part', part)?.[partField[kind]]);
      await this.own(isFree ? starts[kind](fileOf(waiting), part) : null, waiting);
    } else if (purpose.kind === 'recording') {
      const { move, at } = purpose;
      const isFree = uploads.ofMove(move) === null;
      await this.own(isFree ? starts.recording(fileOf(waiting), move, at) : null, waiting);
    } else {
      await this.own(starts.track(fileOf(waiting), ''), waiting);
    }
  }

  /** Deletes a leftover file that the user does not need. */
  async throwAway(id: string): Promise<void> {
    await this.remove(id);
    this.left.delete(id);
  }

  /**
   * Deletes an unneeded file, unless the library exists only in this page: it may lack the record
   * that needs the file.
   */
  private async discard({ id }: WaitingFile): Promise<void> {
    if (!this.sources.library.status.isUnstored) await this.remove(id);
  }

  private async addTo(draft: RoutineDraft, waiting: WaitingFile): Promise<RoutineDraft['rows'][number] | undefined> {
    const file = fileOf(waiting);
    await draft.addFiles([file]);
    const row = draft.rows.find((each) => each.queued?.file === file);
    await this.own(row?.queued, waiting);
    return row;
  }

  /** Makes a stored file this tab's; without an upload, because it is unneeded, no tab's. */
  private async own(queued: QueuedFile | null | undefined, waiting: WaitingFile): Promise<void> {
    if (!queued) {
      await this.discard(waiting);
      return;
    }
    const { id, purpose } = waiting;
    // Registered first, so that it is not stored again meanwhile.
    this.stored.set(queued, { id, purpose: JSON.stringify(purpose) });
    // If that fails, the upload runs anyway.
    await succeeds(this.claim(id, purpose));
  }
}

/**
 * Waits for one of several operations, whose failure must not affect the others; returns whether it
 * succeeded. The library reports storage problems; the uploads run while the page is open.
 */
async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (failure) {
    console.error(failure);
    return false;
  }
}

/**
 * Whether a part is unchanged since a file was picked for it; earlier versions did not store
 * `before`.
 */
function isStill(before: string | null | undefined, now: string | null | undefined): boolean {
  return before === undefined || before === (now ?? null);
}

/** Returns the record that a file is for. */
function targetOf(purpose: Purpose): readonly [type: 'part' | 'routine' | 'move', id: string] | null {
  if ('part' in purpose) return ['part', purpose.part];
  if ('move' in purpose) return ['move', purpose.move];
  return 'routine' in purpose ? ['routine', purpose.routine] : null;
}

/** The destination of a file: of several files with the same destination, the last counts. */
function placeOf({ id, purpose }: WaitingFile): string {
  if (purpose.kind === 'recording') return `${purpose.kind} ${purpose.move}`;
  return 'part' in purpose && purpose.kind in partField ? `${purpose.kind} ${purpose.part}` : id;
}

function isClaim(record: WaitingFile | Claim): record is Claim {
  return 'now' in record;
}

function nameOf(file: NamedBlob): string {
  return file.name ?? 'audio';
}

function fileOf({ file, name }: WaitingFile): File {
  return new File([file], name, { type: file.type });
}

async function hasRoomFor(bytes: number): Promise<boolean> {
  if (bytes > mostBytes) return false;
  const { quota, usage } = await navigator.storage?.estimate?.() ?? {};
  return quota === undefined || usage === undefined || bytes < (quota - usage) * 0.9;
}
