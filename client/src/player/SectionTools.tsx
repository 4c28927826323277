// A and B with their times, what moves them a little, and the switch that makes them snap to counts.

import { clearSection, snappedChange, stepMarker } from '../parts/section';
import { stopsOf } from '../parts/stops';
import { useFromCounts, useServices, useSetting } from '../services/services';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { clockWithTenths } from '../ui/time';
import { words } from '../words/words';
import './sectionTools.css';
import type { PartLoop, PlayablePart } from './usePartLoop';

interface SectionToolsProps {
  readonly playable: PlayablePart;
  readonly loop: PartLoop;
}

/** The markers that are set, each between its two buttons, and the button that clears them. */
export function MarkerTools({ playable, loop }: SectionToolsProps): JSX.Element | null {
  const { markerA, markerB } = loop.state;
  if ((markerA ?? markerB) === null) return null;
  return (
    <div className="marker-tools">
      {markerA !== null && <Steps which="a" frame={markerA} loop={loop} playable={playable} />}
      {markerB !== null && <Steps which="b" frame={markerB} loop={loop} playable={playable} />}
      <IconButton icon="close" label={words.player.clearSection} data-testid="section-clear" onClick={loop.clear} />
    </div>
  );
}

/** A marker's time between its buttons, which stop at the part's borders and at the other marker. */
function Steps({ which, frame, loop, playable }: SectionToolsProps & { which: 'a' | 'b'; frame: number }): JSX.Element {
  const services = useServices();
  const byCount = useSnaps();
  const letter = which.toUpperCase();
  const { earlier, later } = words.player;
  const button = (direction: -1 | 1): JSX.Element => {
    const label = (direction < 0 ? earlier : later)(letter, byCount);
    return (
      <button
        type="button" className="marker-step" aria-label={label} title={label}
        data-testid={`marker-${which}-${direction < 0 ? 'earlier' : 'later'}`}
        onClick={() => {
          const next = stepMarker(loop.state, which, direction, playable, stopsOf(services));
          if (next) loop.set(next);
        }}
      >
        <Icon name={direction < 0 ? 'minus' : 'plus'} size={20} />
      </button>
    );
  };
  return (
    <div className="marker-steps" role="group" aria-label={which === 'a' ? words.player.markA : words.player.markB}>
      {button(-1)}
      <b className={`time word-${which}`}>
        {letter}
        <span>{clockWithTenths(frame - playable.startFrame)}</span>
      </b>
      {button(1)}
    </div>
  );
}

const useSnaps = (): boolean => {
  const isOn = useSetting('markerSnap');
  return useFromCounts((counts) => counts.hasCounts) && isOn;
};

/** The switch beside markers, where the part has counts; switched on, it moves them to the nearest ones. */
export function SnapSwitch({ loop }: Pick<SectionToolsProps, 'loop'>): JSX.Element | null {
  const { library, counts } = useServices();
  const canSnap = useFromCounts(({ hasCounts }) => hasCounts);
  const snaps = useSnaps();
  const { state } = loop;
  if (!canSnap || (state.markerA ?? state.markerB) === null) return null;
  return (
    <button
      type="button" className="snap-switch" role="switch" aria-checked={snaps} aria-label={words.player.snapMarkers}
      title={words.player.snapMarkers} data-testid="marker-snap"
      onClick={() => {
        library.set('markerSnap', !snaps);
        if (!snaps) loop.set(snappedChange(clearSection(state), state, counts));
      }}
    >
      <span className="snap-box">{snaps && <Icon name="check" size={16} />}</span>
      {words.player.snap}
    </button>
  );
}
