// The part for which a sheet was opened. The page may turn to another one meanwhile, in a run or by a
// remote; what is chosen in the sheet still is for the first.

import { useEffect, useState } from 'react';
import { useFromLibrary } from '../services/services';
import type { Part } from '../sync/records';

/** Gives the part that was shown first; when it goes, its sheet closes. */
export function useOpenedPart(shown: Part, onClose: () => void): Part {
  const [id] = useState(shown.id);
  const part = useFromLibrary((library) => library.get('part', id));
  const isGone = part === undefined;
  useEffect(() => {
    if (isGone) onClose();
    // Once: the sheet goes with it.
  }, [isGone]);
  return part ?? shown;
}
