// The transposition of a part; the speed stays.

import { Sheet } from '../ui/Sheet';
import { plural } from '../ui/time';
import { highest, lowest, semitonesText, type PracticeFields, type SetPractice } from '../parts/practiceSettings';
import './sheets.css';
import { ValueSlider } from './ValueSlider';

const spoken = (semitones: number): string => (
  semitones === 0 ? 'as recorded' : `${plural(Math.abs(semitones), 'semitone')} ${semitones > 0 ? 'up' : 'down'}`
);

/** The transposition. */
export function PitchSheet({ fields, onSet, onClose }: {
  fields: PracticeFields; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const semitones = fields.semitones ?? 0;
  const choose = (value: number): void => {
    const within = Math.min(highest, Math.max(lowest, value));
    onSet({ semitones: within === 0 ? null : within });
  };
  return (
    <Sheet title="Pitch" onClose={onClose} testId="pitch-sheet">
      <div className="stack">
        <ValueSlider
          label="Pitch in semitones" name="pitch" value={semitones} least={lowest} most={highest}
          text={semitonesText(semitones)} spoken={spoken(semitones)}
          lessLabel="One semitone down" moreLabel="One semitone up" onChange={choose}
        />
        <p className="note">{`${spoken(semitones).replace(/^./, (letter) => letter.toUpperCase())}. The speed stays as it is.`}</p>
      </div>
    </Sheet>
  );
}
