// How much higher or lower the part is heard; the speed stays.

import { useServices } from '../app/services';
import { IconButton } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { plural } from '../ui/time';
import { highest, lowest, semitonesText, type PracticeFields, type SetPractice } from './practiceSettings';
import './sheets.css';

const spoken = (semitones: number): string => (
  semitones === 0 ? 'as recorded' : `${plural(Math.abs(semitones), 'semitone')} ${semitones > 0 ? 'up' : 'down'}`
);

/** The transposition. */
export function PitchSheet({ fields, onSet, onClose }: {
  fields: PracticeFields; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const { player } = useServices();
  const semitones = fields.semitones ?? 0;
  const choose = (value: number): void => {
    const within = Math.min(highest, Math.max(lowest, value));
    player.update({ semitones: within });
    onSet({ semitones: within === 0 ? null : within });
  };
  return (
    <Sheet title="Pitch" onClose={onClose} testId="pitch-sheet">
      <div className="stack">
        <div className="speed-row">
          <IconButton
            icon="minus" label="One semitone down" disabled={semitones <= lowest} data-testid="pitch-less"
            onClick={() => choose(semitones - 1)}
          />
          <output className="speed-value time" data-testid="pitch-value">{semitonesText(semitones)}</output>
          <IconButton
            icon="plus" label="One semitone up" disabled={semitones >= highest} data-testid="pitch-more"
            onClick={() => choose(semitones + 1)}
          />
        </div>
        <input
          className="slider" type="range" min={lowest} max={highest} step={1} value={semitones} aria-label="Pitch in semitones"
          aria-valuetext={spoken(semitones)} data-testid="pitch-slider"
          onChange={(event) => choose(Number(event.target.value))}
        />
        <p className="sheet-note">{`${spoken(semitones).replace(/^./, (letter) => letter.toUpperCase())}. The speed stays as it is.`}</p>
      </div>
    </Sheet>
  );
}
