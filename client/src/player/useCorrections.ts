// The corrections of a track's counts: every press writes one record.

import { orderOfNext } from '../counts/corrections';
import { useFromLibrary, useServices } from '../services/services';
import type { GridCorrection } from '../sync/records';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** The corrections of a track. */
export interface Corrections {
  readonly count: number;
  /** Writes one more. */
  add(kind: GridCorrection['kind'], fields?: Pick<GridCorrection, 'startFrame' | 'endFrame' | 'value' | 'taps'>): void;
  /** Removes the newest. */
  undo(): void;
  /** Removes all; a toast brings them back. */
  reset(): void;
}

/** Returns the corrections of a track. */
export function useCorrections(trackId: string): Corrections {
  const { library } = useServices();
  const count = useFromLibrary((current) => current.gridCorrections(trackId).length);
  return {
    count,
    add: (kind, fields = {}) => void library.create('gridCorrection', {
      track: trackId, kind, order: orderOfNext(library.gridCorrections(trackId), Date.now()), ...fields,
    }),
    undo: () => {
      const [newest] = library.gridCorrections(trackId).slice(-1);
      if (newest) library.remove('gridCorrection', newest.id);
    },
    reset: () => {
      const restore = library.gridCorrections(trackId).map(({ id }) => library.remove('gridCorrection', id));
      toasts.say(lateWords.player.countsReset, {
        action: { label: words.common.undo, run: () => restore.forEach((each) => each()) },
      });
    },
  };
}
