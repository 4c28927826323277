// The interface of the offline work for the rest of the app. It is small, so that the first screen
// need not wait for the work itself (work.ts), which is loaded after that screen.

import { Listeners } from '../sync/listeners';
import type { OfflineState } from './offlineState';
import { words } from '../words/words';
import type { OfflineWork } from './work';

/** A browser's own install prompt, deferred until the user asks for it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The public interface of the offline work. */
export class Offline {
  state: OfflineState = { kept: new Map(), isHere: null, waitingFiles: { songs: 0, videos: 0, recordings: 0 }, update: null, Hint: null };
  installPrompt: InstallPrompt | null = null;
  private readonly listeners = new Listeners();
  private working: Promise<OfflineWork> | null = null;

  /** `load` loads the offline work and starts it. */
  constructor(private readonly load: () => Promise<OfflineWork>) {
    // The event comes early, and only once.
    window.addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.installPrompt = event as InstallPrompt;
      this.update({});
    });
  }

  /** Calls back after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Starts the work, once. After a failure the next call tries again. */
  work(): Promise<OfflineWork> {
    this.working ??= this.load();
    this.working.catch(() => {
      this.working = null;
    });
    return this.working;
  }

  /**
   * Keeps the audio of parts that were created here, within the budget for recently practised
   * parts.
   */
  keepRecent(parts: readonly string[]): void {
    this.work().then(({ keeper }) => (keeper && keeper.budget > 0 ? keeper.practised(parts) : undefined)).catch((failure: unknown) => console.error(failure));
  }

  /**
   * Returns why a part can't be played without the server; null if it can, or if that is unknown.
   */
  absenceOf(part: string): string | null {
    return this.state.isHere?.(part) === false ? words.offline.absent : null;
  }

  update(news: Partial<OfflineState>): void {
    this.state = { ...this.state, ...news };
    this.listeners.tell();
  }
}
