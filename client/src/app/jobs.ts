// Remembers how far the server's jobs have come, by the track they work on.

import type { Job } from '../sync/wire';

/** The jobs heard of since the page was loaded. */
export class Jobs {
  private readonly byTrack = new Map<string, Job>();
  private readonly listeners = new Set<() => void>();

  /** Takes a job event. */
  heard = (job: Job): void => {
    if (!job.track) return;
    this.byTrack.set(job.track, job);
    for (const listener of this.listeners) listener();
  };

  /** Calls `listener` after every event; returns what stops it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Gives the last job heard of that works on a track. */
  of(trackId: string): Job | undefined {
    return this.byTrack.get(trackId);
  }
}
