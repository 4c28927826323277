// The state of the offline work for the interface.

import type { ComponentType } from 'react';
import type { Keeping } from './keeper';
import type { WaitingCounts } from './waitingFiles';

/** The state; the object is replaced, never changed. */
export interface OfflineState {
  /** By routine. */
  readonly kept: ReadonlyMap<string, Keeping>;
  /**
   * Whether a part's audio is on this device; null if nothing is stored. A new function after each
   * change.
   */
  readonly isHere: ((part: string) => boolean) | null;
  /** Files that wait to be uploaded, and survive closing the page. */
  readonly waitingFiles: WaitingCounts;
  /** Switches to the new version; null if there is none. */
  readonly update: (() => void) | null;
  /** The hint about adding the app to the home screen, while it is useful. */
  readonly Hint: ComponentType | null;
}
