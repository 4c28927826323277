// An upload whose states a test decides.

import type { FileUpload } from '../../src/uploads/queue';

/** Stands for an upload to the server. */
export class FakeUpload implements FileUpload {
  state: FileUpload['state'] = 'waiting';
  progress = 0;
  problem: string | null = null;
  isUnusable = false;
  trackId: string | null = null;
  alreadyKnown = false;
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

  become(state: FileUpload['state'], trackId: string | null = this.trackId): void {
    this.state = state;
    this.trackId = trackId;
    for (const listener of [...this.listeners]) listener();
  }
}
