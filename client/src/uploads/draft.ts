// A routine in the making: its title, and the songs that become its parts while they upload.
// The same list adds songs to a routine that exists: each becomes a part, in its place, as soon as it is usable.

import { Listeners } from '../sync/listeners';
import type { FieldsOf, Track } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { positionBetween, positionsBetween } from '../sync/position';
import { truncateToFit, titleFromFileName } from '../ui/text';
import { haveSameContent } from './sameContent';

/** A file that was picked. */
export type SongFile = Blob & { readonly name?: string };

/** What the draft needs of an upload. */
export interface SongUpload {
  readonly state: 'waiting' | 'uploading' | 'importing' | 'done' | 'failed' | 'cancelled';
  readonly progress: number;
  readonly problem: string | null;
  /** Whether it failed for what the file is: sent once more, it ends the same. */
  readonly isUnusable: boolean;
  readonly trackId: string | null;
  start(): void;
  cancel(): Promise<void>;
  retry(): void;
  subscribe(listener: () => void): () => void;
}

/** What the draft needs of the library. */
export interface DraftLibrary {
  readonly status: { readonly online: boolean };
  get(type: 'track', id: string): Track | undefined;
  parts(routineId: string): readonly { readonly position: string; readonly track?: string | null }[];
  create(type: 'routine', fields: FieldsOf<'routine'>): string;
  create(type: 'part', fields: FieldsOf<'part'>): string;
  transact(edits: () => void): void;
}

/** One song in the list. */
export interface DraftRow {
  readonly key: string;
  readonly title: string;
  readonly fileName: string;
  /** Null for a song that was in the library before. */
  readonly upload: SongUpload | null;
  readonly file: SongFile | null;
  readonly knownTrack: string | null;
  /** Its place in the routine, once the routine exists. */
  readonly position: string | null;
}

/** How far a row is, for the screen. */
export type RowState = 'waiting' | 'uploading' | 'importing' | 'ready' | 'failed';

/** What a draft tells that is not on a row: a song that was skipped, one that was added late. */
export interface DraftNotice {
  readonly key: string;
  readonly text: string;
}

interface DraftOptions {
  readonly library: DraftLibrary;
  readonly makeUpload: (file: SongFile) => SongUpload;
  /** Called when a song could not become a part of a routine that exists already. */
  readonly onLateProblem?: (sentence: string) => void;
  /** Hears of the parts that were made. */
  readonly onParts?: (parts: readonly string[]) => void;
  readonly routineId?: string;
}

/** The list of songs of one routine. */
export class RoutineDraft {
  title = '';
  subtitle = '';
  rows: readonly DraftRow[] = [];
  notices: readonly DraftNotice[] = [];
  /** The routine that the songs go to, once there is one. */
  routineId: string | null;
  /** Counts changes, for `useSyncExternalStore`. */
  version = 0;

  private nextKey = 1;
  private readonly listeners = new Listeners();
  private readonly stops = new Map<string, () => void>();
  private adding: Promise<void> = Promise.resolve();

  constructor(private readonly options: DraftOptions) {
    this.routineId = options.routineId ?? null;
  }

  /** Calls `listener` after every change; returns what stops it. */
  readonly subscribe = this.listeners.add;

  /** Whether there is nothing yet that could be lost. */
  get isEmpty(): boolean {
    return this.rows.length === 0 && this.title.trim() === '' && this.subtitle.trim() === '';
  }

  /** Whether some text is too long to be saved; its field says so. */
  get isTooLong(): boolean {
    return excess(this.title, limits.routine.title) !== null
      || excess(this.subtitle, limits.routine.subtitle) !== null
      || this.rows.some((row) => this.stateOf(row) !== 'failed' && excess(row.title, limits.part.title) !== null);
  }

  /** Whether "Create" would make a routine that can be practised, if need be later. */
  get canCreate(): boolean {
    if (this.isTooLong) return false;
    // Without a network no song gets ready: those that wait follow by themselves.
    const isAway = !this.options.library.status.online;
    return this.title.trim() !== '' && this.rows.some((row) => {
      const state = this.stateOf(row);
      return state === 'ready' || (isAway && state !== 'failed');
    });
  }

  /** How many songs are still on their way. */
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

  /** Tells how far a row is. */
  stateOf(row: DraftRow): RowState {
    if (row.upload === null) return this.trackOf(row) ? 'ready' : 'failed';
    switch (row.upload.state) {
      case 'done':
        return this.trackOf(row) ? 'ready' : 'importing';
      case 'failed':
      case 'cancelled':
        return 'failed';
      default:
        return row.upload.state;
    }
  }

  /** Says in a sentence what is wrong with a row, or nothing. */
  problemOf(row: DraftRow): string | null {
    if (row.upload === null) return this.trackOf(row) ? null : 'This song is no longer in the library.';
    return row.upload.problem;
  }

  /** Gives the length of a row's song, once known. */
  lengthOf(row: DraftRow): number | null {
    return this.trackOf(row)?.lengthFrames ?? null;
  }

  /** Sets the title or the subtitle. */
  describe(fields: { title?: string; subtitle?: string }): void {
    this.title = fields.title ?? this.title;
    this.subtitle = fields.subtitle ?? this.subtitle;
    this.changed();
  }

  /** Adds files and starts their uploads; one that is in the list already is skipped, and says so. */
  addFiles(files: readonly SongFile[]): Promise<void> {
    // One batch after the other: each file is compared with all that came before it.
    this.adding = this.adding.then(async () => {
      for (const file of files) await this.addFile(file);
    });
    return this.adding;
  }

  /** Adds a song that is in the library. */
  addTrack(track: Track): void {
    const fileName = track.fileName ?? '';
    if (this.rows.some((row) => this.trackIdOf(row) === track.id)) return;
    this.append({
      title: titleFromFileName(track.title ?? fileName), fileName, upload: null, file: null,
      knownTrack: track.id,
    });
  }

  /** Renames a row. */
  rename(key: string, title: string): void {
    this.rows = this.rows.map((row) => (row.key === key ? { ...row, title } : row));
    this.changed();
  }

  /** Gives a row its place in the routine, and so in the list. */
  place(key: string, position: string): void {
    this.rows = this.rows.map((row) => (row.key === key ? { ...row, position } : row))
      .sort((one, other) => ((one.position ?? '') < (other.position ?? '') ? -1 : 1));
    this.changed();
  }

  /** Moves a row to another place in the list. */
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

  /** Takes a row out; what it uploaded goes from the server, too. */
  remove(key: string): void {
    const row = this.rows.find((other) => other.key === key);
    if (!row) return;
    this.forget(row);
    this.giveUp(row);
    this.changed();
  }

  /** Tries a failed row again, from where it was. */
  retry(key: string): void {
    this.rows.find((row) => row.key === key)?.upload?.retry();
  }

  /** Takes a notice off the list. */
  dismissNotice(key: string): void {
    this.notices = this.notices.filter((notice) => notice.key !== key);
    this.changed();
  }

  /** Gives everything up and leaves nothing behind. */
  discard(): void {
    for (const row of this.rows) {
      this.forget(row);
      this.giveUp(row);
    }
    this.title = '';
    this.subtitle = '';
    this.notices = [];
    this.changed();
  }

  /**
   * Makes the routine with all usable songs, in one step. Songs still on their way keep their place
   * and follow when they are usable; failed ones are left out.
   */
  create(): string {
    const { library } = this.options;
    for (const row of this.refused) {
      this.forget(row);
      this.giveUp(row);
    }
    const positions = positionsBetween(null, null, this.rows.length);
    this.rows = this.rows.map((row, index) => ({ ...row, position: positions[index] ?? null }));
    let routineId = '';
    let made: readonly string[] = [];
    library.transact(() => {
      const subtitle = this.subtitle.trim();
      routineId = library.create('routine', {
        title: this.title.trim(), ...(subtitle === '' ? {} : { subtitle }),
      });
      made = this.rows.flatMap((row) => this.makePart(row, routineId) ?? []);
    });
    this.options.onParts?.(made);
    this.routineId = routineId;
    for (const row of this.rows) if (this.stateOf(row) === 'ready') this.forget(row);
    this.changed();
    return routineId;
  }

  private async addFile(file: SongFile): Promise<void> {
    const name = file.name ?? '';
    for (const row of this.rows) {
      if (row.file && row.file.size === file.size && await this.areSame(row.file, file)) {
        this.skip(name, row);
        return;
      }
    }
    const upload = this.options.makeUpload(file);
    const key = this.append({
      title: titleFromFileName(name), fileName: name, upload, file, knownTrack: null,
    });
    this.stops.set(key, upload.subscribe(() => this.uploadChanged(key)));
    upload.start();
  }

  private async areSame(one: SongFile, other: SongFile): Promise<boolean> {
    try {
      return await haveSameContent(one, other);
    } catch {
      // A file that can't be read here fails on its own row, with its reason.
      return false;
    }
  }

  private append(row: Omit<DraftRow, 'key' | 'position'>): string {
    const key = `song-${this.nextKey}`;
    this.nextKey += 1;
    this.rows = [...this.rows, { ...row, key, position: this.placeBefore(undefined) }];
    this.changed();
    return key;
  }

  /** Gives a place right before a row, or at the end; none while there is no routine. */
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
    if (!row) return;
    const state = this.stateOf(row);
    if (state === 'ready') {
      const known = this.options.routineId === undefined ? [] : this.options.library.parts(this.options.routineId);
      if (known.some((part) => part.track === this.trackIdOf(row))) {
        this.forget(row);
        this.note(`“${row.fileName}” is in this routine already, so it was skipped.`);
        return;
      }
      const twin = this.rows.find((other) => other !== row && this.trackIdOf(other) === this.trackIdOf(row));
      if (twin) {
        // The twin holds the track: this row goes without taking it from the server.
        this.forget(row);
        this.skip(row.fileName, twin);
        return;
      }
      if (this.routineId !== null) this.follow(row, this.routineId);
    } else if (state === 'failed' && this.routineId !== null) {
      // What only the server lacked room or time for stays on its way: stored, for the next start.
      const isOver = row.upload === null || row.upload.isUnusable;
      // The list of a routine that one edits keeps it, to be tried again or taken away.
      if (isOver && this.options.routineId === undefined) this.forget(row);
      const sentence = `“${row.title}” was not added. ${row.upload?.problem ?? ''}`.trim();
      this.options.onLateProblem?.(isOver ? sentence : `${sentence} The next start tries again.`);
    }
    this.changed();
  }

  /** Adds a song that became usable after its routine was made. */
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
      // A song may get ready while its name is still too long.
      title: row.title.trim() === '' ? titleFromFileName(row.fileName) : truncateToFit(row.title.trim(), limits.part.title),
      position: row.position,
    });
  }

  private skip(fileName: string, twin: DraftRow): void {
    this.note(`“${fileName}” is the same song as “${twin.title}”, so it was skipped.`);
  }

  private note(text: string): void {
    this.notices = [...this.notices, { key: `notice-${this.nextKey}`, text }];
    this.nextKey += 1;
    this.changed();
  }

  private giveUp(row: DraftRow): void {
    row.upload?.cancel().catch(() => {
      // The server sweeps away what an unfinished upload left when it can't be told so now.
    });
  }

  private forget(row: DraftRow): void {
    this.stops.get(row.key)?.();
    this.stops.delete(row.key);
    this.rows = this.rows.filter((other) => other.key !== row.key);
  }

  private trackIdOf(row: DraftRow): string | null {
    return row.knownTrack ?? row.upload?.trackId ?? null;
  }

  /** Gives the row's track once it can be practised. */
  private trackOf(row: DraftRow): Track | null {
    const id = this.trackIdOf(row);
    const track = id === null ? undefined : this.options.library.get('track', id);
    return track?.state === 'ready' && track.lengthFrames ? track : null;
  }

  private changed(): void {
    this.version += 1;
    this.listeners.tell();
  }
}
