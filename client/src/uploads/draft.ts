// A new routine: its title, and the songs that become its parts while they upload. The same list
// adds songs to an existing routine: each becomes a part, at its position, as soon as it is usable.

import { Listeners } from '../sync/listeners';
import type { FieldsOf, Track } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { positionBetween, positionsBetween } from '../sync/position';
import { truncateToFit, titleFromFileName } from '../ui/text';
import { trackTitle } from '../ui/trackTitle';
import { lateWords } from '../words/lateWords';
import type { Purpose, QueuedFile, UploadQueue } from './queue';
import { haveSameContent } from './sameContent';
import type { NamedBlob } from './transfer';

/** The parts of the library that the draft uses. */
export interface DraftLibrary {
  readonly status: { readonly online: boolean };
  get(type: 'track', id: string): Track | undefined;
  parts(routineId: string): readonly { readonly position: string; readonly track?: string | null }[];
  create(type: 'routine', fields: FieldsOf<'routine'>, space?: string): string;
  create(type: 'part', fields: FieldsOf<'part'>): string;
  transact(edits: () => void): void;
}

/** One song in the list. */
export interface DraftRow {
  readonly key: string;
  readonly title: string;
  readonly fileName: string;
  /** Null for a song that was already in the library. */
  readonly queued: QueuedFile | null;
  readonly knownTrack: string | null;
  /** Its position in the routine, once the routine exists. */
  readonly position: string | null;
}

/** The state of a row, for the screen. */
export type RowState = 'waiting' | 'uploading' | 'importing' | 'ready' | 'failed';

/** A notice that belongs to no row: a song that was skipped, or one that was added late. */
export interface DraftNotice {
  readonly key: string;
  readonly text: string;
}

/** What a list of songs is made of. */
export interface DraftOptions {
  readonly library: DraftLibrary;
  readonly uploads: Pick<UploadQueue, 'add' | 'cancel' | 'forget'>;
  /** Called if a song could not become a part of an existing routine. */
  readonly onLateProblem?: (sentence: string) => void;
  /** Called with the ids of new parts. */
  readonly onParts?: (parts: readonly string[]) => void;
  readonly routineId?: string;
}

/** The list of songs of one routine. */
export class RoutineDraft {
  title = '';
  subtitle = '';
  /** The group that gets the routine; null: it is the person's own. Set before the first song, which is uploaded there. */
  space: string | null = null;
  rows: readonly DraftRow[] = [];
  notices: readonly DraftNotice[] = [];
  /** The routine that gets the songs, once it exists. */
  routineId: string | null;
  /** Counts changes, for `useSyncExternalStore`. */
  version = 0;

  private nextKey = 1;
  private readonly listeners = new Listeners();
  private adding: Promise<void> = Promise.resolve();

  constructor(private readonly options: DraftOptions) {
    this.routineId = options.routineId ?? null;
  }

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Whether there is no input that could be lost. */
  get isEmpty(): boolean {
    return this.rows.length === 0 && this.title.trim() === '' && this.subtitle.trim() === '';
  }

  /** Whether a text is too long to be saved; its field reports that. */
  get isTooLong(): boolean {
    return excess(this.title, limits.routine.title) !== null
      || excess(this.subtitle, limits.routine.subtitle) !== null
      || this.rows.some((row) => this.stateOf(row) !== 'failed' && excess(row.title, limits.part.title) !== null);
  }

  /** Whether "Create" would make a routine that can be practised, possibly later. */
  get canCreate(): boolean {
    if (this.isTooLong) return false;
    // Without a network no song can finish: waiting ones follow by themselves.
    const isAway = !this.options.library.status.online;
    return this.title.trim() !== '' && this.rows.some((row) => {
      const state = this.stateOf(row);
      return state === 'ready' || (isAway && state !== 'failed');
    });
  }

  /** The number of unfinished songs. */
  get unfinished(): number {
    return this.rows.filter((row) => {
      const state = this.stateOf(row);
      return state !== 'ready' && state !== 'failed';
    }).length;
  }

  /** The songs that failed; "Create" leaves them out. */
  get refused(): readonly DraftRow[] {
    return this.rows.filter((row) => this.stateOf(row) === 'failed');
  }

  /** Returns the state of a row. */
  stateOf(row: DraftRow): RowState {
    if (row.queued === null) return this.trackOf(row) ? 'ready' : 'failed';
    const { state } = row.queued.upload;
    switch (state) {
      case 'done':
        return this.trackOf(row) ? 'ready' : 'importing';
      case 'failed':
      case 'cancelled':
        return 'failed';
      default:
        return state;
    }
  }

  /** Returns the problem of a row as a sentence, or null. */
  problemOf(row: DraftRow): string | null {
    if (row.queued === null) return this.trackOf(row) ? null : lateWords.uploads.notInLibrary;
    return row.queued.upload.problem;
  }

  /** Returns the length of a row's song, once known. */
  lengthOf(row: DraftRow): number | null {
    return this.trackOf(row)?.lengthFrames ?? null;
  }

  /** Sets the title, the subtitle or the group. */
  describe(fields: { title?: string; subtitle?: string; space?: string | null }): void {
    this.title = fields.title ?? this.title;
    this.subtitle = fields.subtitle ?? this.subtitle;
    if (fields.space !== undefined) this.space = fields.space;
    this.changed();
  }

  /**
   * Adds files and starts their uploads; a file that is already in the list is skipped with a
   * notice.
   */
  addFiles(files: readonly NamedBlob[]): Promise<void> {
    // One batch at a time: each file is compared with all previous ones.
    this.adding = this.adding.then(async () => {
      for (const file of files) await this.addFile(file);
    });
    return this.adding;
  }

  /** Adds a song from the library. */
  addTrack(track: Track): void {
    const fileName = track.fileName ?? '';
    if (this.rows.some((row) => this.trackIdOf(row) === track.id)) return;
    this.append({
      title: truncateToFit(trackTitle(track), limits.part.title), fileName, queued: null, knownTrack: track.id,
    });
  }

  /** Renames a row. */
  rename(key: string, title: string): void {
    this.rows = this.rows.map((row) => (row.key === key ? { ...row, title } : row));
    this.changed();
  }

  /** Sets a row's position in the routine, and so in the list. */
  place(key: string, position: string): void {
    this.rows = this.rows.map((row) => (row.key === key ? { ...row, position } : row))
      .sort((one, other) => ((one.position ?? '') < (other.position ?? '') ? -1 : 1));
    this.changed();
  }

  /** Moves a row to another index of the list. */
  move(key: string, toIndex: number): void {
    const from = this.rows.findIndex((row) => row.key === key);
    const row = this.rows[from];
    if (!row) return;
    const rows = this.rows.filter((other) => other !== row);
    const to = Math.max(0, Math.min(rows.length, toIndex));
    rows.splice(to, 0, { ...row, position: this.placeBefore(rows[to]) });
    this.rows = rows;
    this.changed();
  }

  /** Removes a row; its upload is deleted from the server, too. */
  remove(key: string): void {
    const row = this.rows.find((other) => other.key === key);
    if (!row) return;
    this.giveUp(row);
    this.changed();
  }

  /** Retries a failed row, from where it stopped. */
  retry(key: string): void {
    this.rows.find((row) => row.key === key)?.queued?.upload.retry();
  }

  /** Removes a notice. */
  dismissNotice(key: string): void {
    this.notices = this.notices.filter((notice) => notice.key !== key);
    this.changed();
  }

  /** Cancels everything and deletes all uploads. */
  discard(): void {
    for (const row of this.rows) this.giveUp(row);
    this.title = '';
    this.subtitle = '';
    this.notices = [];
    this.changed();
  }

  /**
   * Creates the routine with all usable songs, in one step. Unfinished songs keep their position
   * and follow when they are usable; failed ones are left out.
   */
  create(): string {
    const { library } = this.options;
    for (const row of this.refused) this.giveUp(row);
    const positions = positionsBetween(null, null, this.rows.length);
    this.rows = this.rows.map((row, index) => ({ ...row, position: positions[index] ?? null }));
    let routineId = '';
    let made: readonly string[] = [];
    library.transact(() => {
      const subtitle = this.subtitle.trim();
      routineId = library.create('routine', {
        title: this.title.trim(), ...(subtitle === '' ? {} : { subtitle }),
      }, this.space ?? undefined);
      made = this.rows.flatMap((row) => this.makePart(row, routineId) ?? []);
    });
    this.options.onParts?.(made);
    this.routineId = routineId;
    for (const row of this.rows) if (this.stateOf(row) === 'ready') this.forget(row);
    this.changed();
    return routineId;
  }

  private async addFile(file: NamedBlob): Promise<void> {
    const name = file.name ?? '';
    for (const row of this.rows) {
      // An unreadable file fails in its own row, with a reason.
      if (row.queued && await haveSameContent(row.queued.file, file).catch(() => false)) {
        this.skip(name, row);
        return;
      }
    }
    this.options.uploads.add(file, this.purposeOfDraft, (queued) => {
      const key = this.append({ title: titleFromFileName(name), fileName: name, queued, knownTrack: null });
      return { changed: () => this.uploadChanged(key) };
    });
  }

  private append(row: Omit<DraftRow, 'key' | 'position'>): string {
    const key = `song-${this.nextKey}`;
    this.nextKey += 1;
    this.rows = [...this.rows, { ...row, key, position: this.placeBefore(undefined) }];
    this.changed();
    return key;
  }

  /** Returns a position right before a row, or at the end; null while there is no routine. */
  private placeBefore(next: DraftRow | undefined): string | null {
    if (this.routineId === null) return null;
    const end = next?.position ?? null;
    const before = [...this.options.library.parts(this.routineId), ...this.rows]
      .flatMap(({ position }) => position ?? [])
      .filter((position) => end === null || position < end).sort().pop();
    return positionBetween(before ?? null, end);
  }

  private uploadChanged(key: string): void {
    const row = this.rows.find((other) => other.key === key);
    if (!row?.queued) return;
    const state = this.stateOf(row);
    if (state === 'ready') {
      const known = this.options.routineId === undefined ? [] : this.options.library.parts(this.options.routineId);
      if (known.some((part) => part.track === this.trackIdOf(row))) {
        this.forget(row);
        this.note(lateWords.uploads.inRoutine(row.fileName));
        return;
      }
      const twin = this.rows.find((other) => other !== row && this.trackIdOf(other) === this.trackIdOf(row));
      if (twin) {
        // The duplicate row holds the track: this row is removed without deleting it from the
        // server.
        this.forget(row);
        this.skip(row.fileName, twin);
        return;
      }
      if (this.routineId !== null) this.follow(row, this.routineId);
    } else if (state === 'failed' && this.routineId !== null) {
      // An upload that failed because the server lacked space or time is kept for the next start.
      const { isUnusable, problem } = row.queued.upload;
      // The list of a routine being edited keeps it, for a retry or removal.
      if (isUnusable && this.options.routineId === undefined) this.forget(row);
      const sentence = lateWords.uploads.notAdded(row.title, problem ?? '');
      this.options.onLateProblem?.(isUnusable ? sentence : `${sentence} ${lateWords.uploads.triesAgain}`);
    }
    this.changed();
  }

  /** Adds a song that became usable after its routine was created. */
  private follow(row: DraftRow, routineId: string): void {
    this.options.library.transact(() => {
      const part = this.makePart(row, routineId);
      if (part !== null) this.options.onParts?.([part]);
    });
    this.forget(row);
  }

  private makePart(row: DraftRow, routineId: string): string | null {
    const track = this.trackOf(row);
    if (!track || row.position === null) return null;
    return this.options.library.create('part', {
      routine: routineId,
      track: track.id,
      startFrame: 0,
      endFrame: track.lengthFrames ?? 0,
      // A song may become ready while its name is still too long.
      title: row.title.trim() === '' ? titleFromFileName(row.fileName) : truncateToFit(row.title.trim(), limits.part.title),
      position: row.position,
    });
  }

  private skip(fileName: string, twin: DraftRow): void {
    this.note(lateWords.uploads.sameSong(fileName, twin.title));
  }

  private note(text: string): void {
    this.notices = [...this.notices, { key: `notice-${this.nextKey}`, text }];
    this.nextKey += 1;
    this.changed();
  }

  private giveUp(row: DraftRow): void {
    this.options.uploads.cancel(row.queued);
    this.forget(row);
  }

  private forget(row: DraftRow): void {
    if (row.queued) this.options.uploads.forget(row.queued);
    this.rows = this.rows.filter((other) => other.key !== row.key);
  }

  /** Returns what happens with a row's file if the page is closed. */
  private purposeOf({ title, position }: DraftRow): Purpose {
    return this.routineId === null ? this.purposeOfDraft : { kind: 'part', routine: this.routineId, title, position };
  }

  private get purposeOfDraft(): Purpose {
    return { kind: 'draft', ...(this.space !== null && { space: this.space }) };
  }

  private trackIdOf(row: DraftRow): string | null {
    return row.knownTrack ?? row.queued?.upload.trackId ?? null;
  }

  /** Returns the row's track once it can be practised. */
  private trackOf(row: DraftRow): Track | null {
    const id = this.trackIdOf(row);
    const track = id === null ? undefined : this.options.library.get('track', id);
    return track?.state === 'ready' && track.lengthFrames ? track : null;
  }

  private changed(): void {
    for (const row of this.rows) if (row.queued) row.queued.purpose = this.purposeOf(row);
    this.version += 1;
    this.listeners.tell();
  }
}
