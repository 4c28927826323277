// Makes a routine of the clips: offers the song's title, to be confirmed or changed.

import { useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Track } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { Button } from '../ui/Button';
import { LimitedField } from '../ui/LimitedField';
import { Sheet } from '../ui/Sheet';
import { truncateToFit } from '../ui/text';
import { trackTitle } from '../ui/trackTitle';
import { useMedia } from '../ui/useMedia';
import { lateWords } from '../words/lateWords';
import { makeRoutine } from './actions';

/**
 * The sheet. The new routine opens; Back from it leads to the routines, where it is listed. A finger
 * confirms without a keyboard coming up, so the field gets the focus only where there are keys.
 */
export function MakeRoutine({ track, onClose }: { track: Track; onClose: () => void }): JSX.Element {
  const { library, navigation, offline } = useServices();
  const [title, setTitle] = useState(() => truncateToFit(trackTitle(track), limits.routine.title).trim());
  const count = useFromLibrary((current) => current.clips(track.id)).length;
  const hasKeys = useMedia('(hover: hover) and (pointer: fine)');
  const said = lateWords.clipper;
  const isUsable = title.trim() !== '' && excess(title, limits.routine.title) === null;
  return (
    <Sheet title={said.makeRoutine} size="small" onClose={onClose} testId="make-routine-sheet">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isUsable) return;
          const { routine, parts } = makeRoutine(library, track, title.trim());
          offline.keepRecent(parts);
          navigation.go({ page: 'routines' });
          navigation.go({ page: 'routine', routineId: routine, partId: null });
        }}
      >
        <LimitedField
          label={said.routineTitle} value={title} limit={limits.routine.title} isFirst={hasKeys}
          testId="make-routine-title" onChange={setTitle}
        />
        <Button
          type="submit" kind="primary" icon="check" disabled={!isUsable} data-first={hasKeys ? undefined : ''}
          data-testid="make-routine-confirm"
        >
          {said.createWithParts(count)}
        </Button>
      </form>
    </Sheet>
  );
}
