// Renders again whenever a draft changes.

import { useSyncExternalStore } from 'react';
import type { RoutineDraft } from '../uploads/draft';

/** Subscribes to a draft. */
export function useDraft(draft: RoutineDraft): void {
  useSyncExternalStore(draft.subscribe, () => draft.version);
}
