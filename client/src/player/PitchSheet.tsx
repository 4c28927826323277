// The transposition of a part; the speed stays.

import { Sheet } from '../ui/Sheet';
import { plural } from '../ui/time';
import { highest, lowest, semitonesText, type PracticeFields, type SetPractice } from '../parts/practiceSettings';
import { Dial } from './Dial';
import './sheets.css';

const presets = [-2, -1, 0, 1, 2];

const spoken = (semitones: number): string => (
  semitones === 0 ? 'As recorded' : `${plural(Math.abs(semitones), 'semitone')} ${semitones > 0 ? 'up' : 'down'}`
);

/** The transposition. */
export function PitchSheet({ fields, onSet, onClose }: {
  fields: PracticeFields; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const semitones = fields.semitones ?? 0;
  return (
    <Sheet title="Pitch" onClose={onClose} testId="pitch-sheet">
      <div className="stack">
        <Dial
          label="Pitch in semitones" name="pitch" value={semitones} least={lowest} most={highest} presets={presets}
          text={semitonesText} spoken={spoken} onChange={(value) => onSet({ semitones: value === 0 ? null : value })}
        />
        <p className="note is-middle">{spoken(semitones)}</p>
      </div>
    </Sheet>
  );
}
