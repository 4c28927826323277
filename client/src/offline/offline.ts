// What the rest of the app sees of being offline: few words, so that the first screen need not wait
// for the work behind them (work.ts), which is fetched once that screen stands.

import type { ComponentType } from 'react';
import type { Services } from '../app/services';
import type { WaitingCounts } from './waitingFiles';
import type { OfflineWork } from './work';

/** How a routine stands that is to be kept on this device. */
export interface Keeping {
  readonly state: 'kept' | 'keeping' | 'partly';
  /** Bytes that are here, and about how many there are in all. */
  readonly bytes: number;
  readonly total: number;
  /** A sentence that says why it does not go on; null while it does. */
  readonly problem: string | null;
}

/** What there is to tell; the object is replaced, never changed. */
export interface OfflineNews {
  /** By routine. */
  readonly kept: ReadonlyMap<string, Keeping>;
  /** Files that wait to be uploaded, and stay if the page is closed. */
  readonly waitingFiles: WaitingCounts;
  /** Goes to the new version; null: there is none. */
  readonly update: (() => void) | null;
  /** The hint how to put the app on the home screen, while it is useful. */
  readonly Hint: ComponentType | null;
}

/** A browser's own question whether to install the app, held back until one asks for it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The face of the offline work. */
export class Offline {
  news: OfflineNews = { kept: new Map(), waitingFiles: { songs: 0, videos: 0 }, update: null, Hint: null };
  installPrompt: InstallPrompt | null = null;
  private readonly listeners = new Set<() => void>();
  private working: Promise<OfflineWork> | null = null;

  constructor() {
    // It comes early, and only once.
    window.addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.installPrompt = event as InstallPrompt;
      this.tell({});
    });
  }

  /** Calls back after every change; returns what stops it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Begins the work, once. After a failure the next call tries again. */
  work(services: Services): Promise<OfflineWork> {
    this.working ??= import('../app/later').then(({ OfflineWork }) => OfflineWork.begin(services));
    this.working.catch(() => {
      this.working = null;
    });
    return this.working;
  }

  tell(news: Partial<OfflineNews>): void {
    this.news = { ...this.news, ...news };
    for (const listener of this.listeners) listener();
  }
}
