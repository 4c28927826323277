// What the app shows of the offline work.

import type { ComponentType } from 'react';
import type { Keeping } from './keeper';
import type { WaitingCounts } from './waitingFiles';

/** What there is to tell; the object is replaced, never changed. */
export interface OfflineState {
  /** By routine. */
  readonly kept: ReadonlyMap<string, Keeping>;
  /** Tells whether a part's audio is on this device; null where nothing is kept. Another function after each change. */
  readonly isHere: ((part: string) => boolean) | null;
  /** Files that wait to be uploaded, and stay if the page is closed. */
  readonly waitingFiles: WaitingCounts;
  /** Goes to the new version; null: there is none. */
  readonly update: (() => void) | null;
  /** The hint how to put the app on the home screen, while it is useful. */
  readonly Hint: ComponentType | null;
}
