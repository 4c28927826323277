// Remembers how far the server's jobs have come, by the track or video they work on.

import type { Job } from '../sync/wire';

/** The jobs heard of since the page was loaded. */
export class Jobs {
  private readonly byMedia = new Map<string, Job>();
  private readonly listeners = new Set<() => void>();

  /** Takes a job event. */
  heard = (job: Job): void => {
    // Listening to a video is not what keeps it from being shown.
    const media = job.kind === 'align' ? null : job.video ?? job.track;
    if (!media) return;
    this.byMedia.set(media, job);
    for (const listener of this.listeners) listener();
  };

  /** Calls `listener` after every event; returns what stops it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Gives the last job heard of that works on a track or video. */
  of(mediaId: string): Job | undefined {
    return this.byMedia.get(mediaId);
  }
}
