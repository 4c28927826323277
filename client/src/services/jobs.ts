// Keeps the progress of the server's jobs, by track or video.

import { Listeners } from '../sync/listeners';
import type { Job } from '../sync/wire';

/** The jobs reported since the page was loaded. */
export class Jobs {
  private readonly byMedia = new Map<string, Job>();
  private readonly listeners = new Listeners();

  /** Takes a job event. */
  heard = (job: Job): void => {
    // An alignment does not prevent a video from being shown.
    const media = job.kind === 'align' ? null : job.video ?? job.track;
    if (!media) return;
    this.byMedia.set(media, job);
    this.listeners.tell();
  };

  /** Calls `listener` after every event; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Returns the latest reported job for a track or video. */
  of(mediaId: string): Job | undefined {
    return this.byMedia.get(mediaId);
  }
}
