// The part for which a sheet was opened. The page may switch to another part meanwhile, in a run or
// by a remote; the choices in the sheet still apply to the first.

import { useEffect, useState } from 'react';
import { useFromLibrary } from '../services/services';
import type { Part } from '../sync/records';

/** Returns the part that was shown first; when it is deleted, its sheet closes. */
export function useOpenedPart(shown: Part, onClose: () => void): Part {
  const [id] = useState(shown.id);
  const part = useFromLibrary((library) => library.get('part', id));
  const isGone = part === undefined;
  useEffect(() => {
    if (isGone) onClose();
    // Once: this closes the sheet.
  }, [isGone]);
  return part ?? shown;
}
