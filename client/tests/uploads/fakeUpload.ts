// An upload whose states a test decides.

import type { SongUpload } from '../../src/uploads/draft';

/** Stands for an upload to the server. */
export class FakeUpload implements SongUpload {
  state: SongUpload['state'] = 'waiting';
  progress = 0;
  problem: string | null = null;
  isUnusable = false;
  trackId: string | null = null;
  private readonly listeners = new Set<() => void>();

  start(): void {
    this.become('uploading');
  }

  retry(): void {
    this.become('uploading');
  }

  cancel(): Promise<void> {
    this.become('cancelled');
    return Promise.resolve();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  become(state: SongUpload['state'], trackId: string | null = this.trackId): void {
    this.state = state;
    this.trackId = trackId;
    for (const listener of [...this.listeners]) listener();
  }
}
