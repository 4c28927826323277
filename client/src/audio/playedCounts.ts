// The counts of what the player plays: of a part, or of each part of a run.

import type { CountLength, CountPosition, Direction, Grid } from '../counts/grid';
import { Listeners } from '../sync/listeners';
import type { Stretch } from '../timeline';
import { placeInRun } from './run';
import type { PlayableStretch, PlayerPart } from './types';

/** A frame of what is played, in the track that sounds there. */
interface Place {
  readonly grid: Grid;
  readonly stretch: PlayableStretch;
  /** In the run, from 0. */
  readonly index: number;
  /** What is added to a frame of the track. */
  readonly shift: number;
}

/** A part, and the counts of its track. */
export interface PartCounts {
  readonly grid: Grid;
  readonly stretch: Stretch;
}

/** The counts of the part or the run that is loaded. All frames are the player's. */
export class PlayedCounts {
  private part: PlayerPart | null = null;
  private readonly grids = new Map<string, Grid>();
  private readonly listeners = new Listeners();
  /** Changes with everything that is told here. */
  version = 0;

  /** Calls back after each change of the counts or of what is played; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Sets what is played. */
  load(part: PlayerPart | null): void {
    this.part = part;
    this.tell();
  }

  /** Sets the grid of a track, which is kept until the next one; null if it has no counts. */
  setGrid(trackId: string, grid: Grid | null): void {
    if (grid) this.grids.set(trackId, grid);
    else this.grids.delete(trackId);
    this.tell();
  }

  /** Whether there are counts anywhere in what is played. */
  get hasCounts(): boolean {
    return this.stretches.some(({ trackId, startFrame, endFrame }) => (
      (this.grids.get(trackId)?.counts(startFrame, endFrame) ?? 0) > 0
    ));
  }

  /** The length of the part in eights; null for a run, and without counts. */
  get length(): CountLength | null {
    const { part } = this;
    if (!part || part.run) return null;
    return this.grids.get(part.trackId)?.length(part.startFrame, part.endFrame) ?? null;
  }

  /** Returns the count at a frame, and its eight in the part that sounds there; null where there are no counts. */
  place(frame: number): CountPosition | null {
    const at = this.at(frame);
    return at && at.grid.positionIn(frame - at.shift, at.stretch);
  }

  /** Returns how many counts a frame is after the first 1 of the part that sounds there; null where there are no counts. */
  count(frame: number): number | null {
    const at = this.at(frame);
    return at && at.grid.countAt(frame - at.shift, at.stretch);
  }

  /** Returns the frame so many counts after the first 1 of the part that sounds at another frame; null if there is none. */
  frameOf(count: number, near: number): number | null {
    const at = this.at(near);
    const frame = at && at.grid.frameAt(count, at.stretch);
    return at === null || frame === null ? null : frame + at.shift;
  }

  /** Whether several parts are played in one go: then the player's frames are not those of one track. */
  get isRun(): boolean {
    return this.part?.run !== undefined;
  }

  /** Returns the counts of a part of a track, if they are known; keep them no longer than a render. */
  of(trackId: string, stretch: Stretch): PartCounts | null {
    const grid = this.grids.get(trackId);
    return grid && grid.counts(stretch.startFrame, stretch.endFrame) > 0 ? { grid, stretch } : null;
  }

  /**
   * Returns where a step by an eight leads, inside the bounds of playback; null where there are no counts. In
   * a run, a step back from the start of a part leads into the part before.
   */
  step(frame: number, direction: Direction, bounds: Stretch): number | null {
    let at = this.at(frame);
    let from = at && frame - at.shift;
    if (!at || from === null) return null;
    if (direction < 0 && at.index > 0 && at.grid.counts(at.stretch.startFrame, from) < 1) {
      at = this.at(at.stretch.startFrame + at.shift - 1);
      if (!at) return null;
      from = at.stretch.endFrame - 1;
    }
    const { shift } = at;
    const startFrame = Math.max(at.stretch.startFrame, bounds.startFrame - shift);
    const endFrame = Math.min(at.stretch.endFrame, bounds.endFrame - shift);
    const to = at.grid.stepped(from, direction, { startFrame, endFrame });
    return to === null ? null : to + shift;
  }

  /** Returns the nearest count or border of the part; the frame itself where there are no counts. */
  nearest(frame: number): number {
    const at = this.at(frame);
    return at?.grid.nearestStop(frame, at.stretch) ?? frame;
  }

  /** Returns the next count or border of the part; null at the border. */
  next(frame: number, direction: Direction): number | null {
    const at = this.at(frame);
    return at && at.grid.nextStop(frame, direction, at.stretch);
  }

  private get stretches(): readonly PlayableStretch[] {
    return this.part ? this.part.run ?? [this.part] : [];
  }

  private at(frame: number): Place | null {
    const { part } = this;
    if (!part) return null;
    const place = part.run ? placeInRun(part.run, frame) : { index: 0, frame };
    const stretch = this.stretches[place.index];
    const grid = stretch && this.grids.get(stretch.trackId);
    return grid ? { grid, stretch, index: place.index, shift: frame - place.frame } : null;
  }

  private tell(): void {
    this.version += 1;
    this.listeners.tell();
  }
}
