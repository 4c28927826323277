// What the rest of the app sees of being offline: few words, so that the first screen need not wait
// for the work behind them (work.ts), which is fetched once that screen stands.

import { Listeners } from '../sync/listeners';
import type { OfflineState } from './offlineState';
import type { OfflineWork } from './work';

/** A browser's own question whether to install the app, held back until one asks for it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

const absent = 'This part is not on this device. It plays when the server can be reached.';

/** The face of the offline work. */
export class Offline {
  state: OfflineState = { kept: new Map(), isHere: null, waitingFiles: { songs: 0, videos: 0 }, update: null, Hint: null };
  installPrompt: InstallPrompt | null = null;
  private readonly listeners = new Listeners();
  private working: Promise<OfflineWork> | null = null;

  /** `load` fetches the offline work and begins it. */
  constructor(private readonly load: () => Promise<OfflineWork>) {
    // It comes early, and only once.
    window.addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.installPrompt = event as InstallPrompt;
      this.update({});
    });
  }

  /** Calls back after every change; returns what stops it. */
  readonly subscribe = this.listeners.add;

  /** Begins the work, once. After a failure the next call tries again. */
  work(): Promise<OfflineWork> {
    this.working ??= this.load();
    this.working.catch(() => {
      this.working = null;
    });
    return this.working;
  }

  /** Keeps the audio of parts that were made here, within the room for what was practised lately. */
  keepRecent(parts: readonly string[]): void {
    this.work().then(({ keeper }) => (keeper && keeper.budget > 0 ? keeper.practised(parts) : undefined)).catch((failure: unknown) => console.error(failure));
  }

  /** Says why a part can't be heard without the server; null if it can, or that is not known. */
  absenceOf(part: string): string | null {
    return this.state.isHere?.(part) === false ? absent : null;
  }

  update(news: Partial<OfflineState>): void {
    this.state = { ...this.state, ...news };
    this.listeners.tell();
  }
}
