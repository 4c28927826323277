// Remembers how far the server's jobs have come, by the track or video they work on.

import { Listeners } from '../sync/listeners';
import type { Job } from '../sync/wire';

/** The jobs heard of since the page was loaded. */
export class Jobs {
  private readonly byMedia = new Map<string, Job>();
  private readonly listeners = new Listeners();

  /** Takes a job event. */
  heard = (job: Job): void => {
    // Listening to a video is not what keeps it from being shown.
    const media = job.kind === 'align' ? null : job.video ?? job.track;
    if (!media) return;
    this.byMedia.set(media, job);
    this.listeners.tell();
  };

  /** Calls `listener` after every event; returns what stops it. */
  readonly subscribe = this.listeners.add;

  /** Gives the last job heard of that works on a track or video. */
  of(mediaId: string): Job | undefined {
    return this.byMedia.get(mediaId);
  }
}
