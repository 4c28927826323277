// The sheet of a spot: its name, and its deletion.

import { useEffect } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import { Button } from '../ui/Button';
import { SavedField } from '../ui/LimitedField';
import { limits } from '../sync/validation';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

interface SpotSheetProps {
  readonly spotId: string;
  readonly onClose: () => void;
}

/** The sheet; input is saved at once. */
export function SpotSheet({ spotId, onClose }: SpotSheetProps): JSX.Element | null {
  const { library } = useServices();
  const spot = useFromLibrary((current) => current.get('spot', spotId));
  const isGone = spot === undefined;
  useEffect(() => {
    // Deleted here or on another device.
    if (isGone) onClose();
  }, [isGone]);
  if (!spot) return null;
  const remove = (): void => {
    const undo = library.remove('spot', spotId);
    toasts.say(lateWords.player.spotDeleted, { action: { label: words.common.undo, run: undo } });
  };
  return (
    <Sheet
      title={lateWords.player.spot} size="small" onClose={onClose} testId="spot-sheet"
      footer={(
        <>
          <Button icon="trash" onClick={remove} data-testid="spot-delete">{words.common.delete}</Button>
          <Button kind="primary" onClick={onClose} data-testid="spot-done">{words.common.done}</Button>
        </>
      )}
    >
      <SavedField
        label={lateWords.player.spotName} id={spotId} value={spot.title ?? ''} limit={limits.spot.title} isFirst
        testId="spot-name" save={(title) => library.edit('spot', spotId, { title: title === '' ? null : title })}
      />
    </Sheet>
  );
}
