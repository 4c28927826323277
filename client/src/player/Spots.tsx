// The spots of a part as chips: a press loops one. Beside them what keeps the section from A to B.

import { useMemo } from 'react';
import { isAt, pressSpot, saveSpot, spotsWithin, unsavedSection, type SpotWithin } from '../parts/spots';
import { fractionOf } from '../parts/progress';
import { mayEditRoutine, useFromLibrary, useOverlay, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { clock } from '../ui/time';
import { words } from '../words/words';
import { spotSheet } from './lazy';
import './spots.css';
import type { PartLoop, PlayablePart } from './usePartLoop';

interface SpotsProps {
  readonly part: Part;
  readonly playable: PlayablePart;
  readonly loop: PartLoop;
}

function useSpots(part: Part, playable: PlayablePart): readonly SpotWithin[] {
  const spots = useFromLibrary((library) => library.spots(part.id));
  return useMemo(() => spotsWithin(spots, playable), [spots, playable]);
}

/** The row of chips; without spots and without a section there is none. */
export function Spots({ part, playable, loop }: SpotsProps): JSX.Element | null {
  const { library, player } = useServices();
  const spots = useSpots(part, playable);
  const [isOpen, open, close] = useOverlay('spot');
  // A section is one's own, a spot the group's.
  const mayEdit = useFromLibrary((current) => mayEditRoutine(current, part.routine));
  const unsaved = mayEdit ? unsavedSection(loop.state, spots) : null;
  const chosen = spots.find((spot) => isAt(loop.state, spot));
  if (spots.length === 0 && !unsaved) return null;
  const press = (spot: SpotWithin): void => {
    const next = pressSpot(loop.state, spot, playable);
    loop.set(next);
    if (next.loopMode === 'off') return;
    player.seek(spot.startFrame);
    player.play();
  };
  return (
    <div className="spots" role="group" aria-label={words.player.spots} data-testid="spots">
      {unsaved && (
        <button
          type="button" className="spot is-new" data-testid="spot-save" aria-haspopup="dialog"
          onClick={() => {
            saveSpot(library, part.id, unsaved);
            open();
          }}
        >
          <Icon name="plus" size={20} />
          {words.player.saveSpot}
        </button>
      )}
      {spots.map((each) => (
        <button
          key={each.spot.id} type="button" className="spot" data-testid="spot"
          aria-pressed={each === chosen && loop.state.loopMode === 'section'} onClick={() => press(each)}
        >
          {each.spot.title && <bdi>{each.spot.title}</bdi>}
          <span className="time">
            {`${clock(each.startFrame - playable.startFrame)}–${clock(each.endFrame - playable.startFrame)}`}
          </span>
        </button>
      ))}
      {chosen && mayEdit && (
        <IconButton
          icon="edit" label={words.player.editSpot} aria-haspopup="dialog" data-testid="spot-edit" onClick={open}
        />
      )}
      {isOpen && chosen && <spotSheet.Page spotId={chosen.spot.id} onClose={close} />}
    </div>
  );
}

/** The spots above the waveform, each as a line over its length. */
export function SpotMarks({ part, playable, loop }: SpotsProps): JSX.Element {
  const spots = useSpots(part, playable);
  return (
    <>
      {spots.map(({ spot, startFrame, endFrame }) => (
        <i
          key={spot.id} className={isAt(loop.state, { startFrame, endFrame }) ? 'spot-mark is-chosen' : 'spot-mark'}
          data-testid="spot-mark"
          style={{
            left: `${fractionOf(startFrame, playable) * 100}%`,
            right: `${(1 - fractionOf(endFrame, playable)) * 100}%`,
          }}
        />
      ))}
    </>
  );
}
