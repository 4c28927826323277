// Writes the practice log: one entry for what is heard of a routine on one page, for at most an hour.
//
// An entry is written when playback rests and when the page is hidden, and meanwhile at most every two minutes, so
// that a page that is killed loses little. Nothing here has a timer: the engine's reports come while something sounds.

import type { Player } from '../audio/player';
import type { LocalLibrary } from '../sync/library';
import { HeardSum } from './entry';
import { followHeard, type HeardPiece } from './heard';

/** The part of the library that is needed. */
export type LogLibrary = Pick<LocalLibrary, 'create' | 'edit' | 'isDeleted' | 'setting'>;

/** The device's clock: Unix milliseconds, and the minutes ahead of UTC. */
export interface LocalClock {
  now(): number;
  utcOffset(): number;
}

export const ownClock: LocalClock = { now: () => Date.now(), utcOffset: () => -new Date().getTimezoneOffset() };

const longestEntryMilliseconds = 3_600_000;
const longestPauseMilliseconds = 1_800_000;
const betweenWritesMilliseconds = 120_000;
/** With less heard than this there is no entry. */
const shortestEntrySeconds = 5;

interface Entry {
  readonly startedAt: number;
  readonly utcOffset: number;
  readonly sum: HeardSum;
  /** When something was heard last. */
  heardAt: number;
  writtenAt: number;
  /** Null until it was written. */
  id: string | null;
}

/** Records what is heard of one routine, until `close`. */
export class PracticeRecorder {
  private entry: Entry | null = null;
  private readonly stops: readonly (() => void)[];

  constructor(
    private readonly library: LogLibrary,
    player: Pick<Player, 'onReport' | 'subscribe' | 'snapshot'>,
    private readonly routineId: string,
    private readonly clock: LocalClock = ownClock,
  ) {
    let sounds = false;
    this.stops = [
      followHeard(player, (piece) => this.hear(piece)),
      player.subscribe(() => {
        const before = sounds;
        sounds = player.snapshot.wantsToPlay;
        if (before && !sounds) this.write();
      }),
    ];
  }

  /** Writes what was heard. */
  write(): void {
    const { entry } = this;
    if (!entry || entry.sum.seconds < shortestEntrySeconds || !this.isOn) return;
    entry.writtenAt = this.clock.now();
    const { startedAt, utcOffset } = entry;
    const fields = { routine: this.routineId, startedAt, utcOffset, heard: entry.sum.text };
    // All fields: after another library was taken over it may have no such entry.
    if (entry.id === null) entry.id = this.library.create('practiceEntry', fields);
    else this.library.edit('practiceEntry', entry.id, fields);
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.write();
  }

  private get isOn(): boolean {
    return this.library.setting('practiceLog');
  }

  private hear(piece: HeardPiece): void {
    if (!this.isOn) {
      // What was heard before stays as it was written.
      this.entry = null;
      return;
    }
    const now = this.clock.now();
    if (this.entry && !this.takesMore(this.entry, now)) {
      if (this.entry.id === null || !this.library.isDeleted('practiceEntry', this.entry.id)) this.write();
      this.entry = null;
    }
    this.entry ??= {
      startedAt: Math.round(now - piece.seconds * 1_000), utcOffset: this.clock.utcOffset(), sum: new HeardSum(), heardAt: now,
      writtenAt: now, id: null,
    };
    this.entry.sum.add(piece);
    this.entry.heardAt = now;
    if (now - this.entry.writtenAt >= betweenWritesMilliseconds) this.write();
  }

  private takesMore({ startedAt, heardAt, sum, id }: Entry, now: number): boolean {
    return now - startedAt < longestEntryMilliseconds
      && now - heardAt < longestPauseMilliseconds
      // A clock that was set back.
      && now >= heardAt - longestPauseMilliseconds
      && !sum.isFull
      && (id === null || !this.library.isDeleted('practiceEntry', id));
  }
}
