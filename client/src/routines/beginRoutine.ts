// Begins a new routine.

import type { Services } from '../services/services';
import { toasts } from '../ui/toasts';
import { words } from '../words/words';
import { routineEditor } from './lazy';

/** Opens the sheet with the new routine, and adds files to it. */
export function beginRoutine({ drafts, navigation }: Pick<Services, 'drafts' | 'navigation'>, files: readonly File[] = []): void {
  navigation.open('create');
  routineEditor.load().then(
    () => void drafts.open().addFiles(files),
    () => {
      navigation.close('create');
      toasts.say(words.ui.notLoadedNow, { kind: 'problem' });
    },
  );
}
