// The transposition of a part; the speed stays.

import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import {
  highest, isNaturalVoice, lowest, naturalVoiceFields, semitonesText, type PracticeFields, type SetPractice,
} from '../parts/practiceSettings';
import { Switch } from '../ui/Switch';
import { Dial } from './Dial';
import './sheets.css';

const presets = [-2, -1, 0, 1, 2];

const spoken = (semitones: number): string => (
  semitones === 0
    ? lateWords.player.originalPitch
    : semitones > 0 ? lateWords.player.semitonesUp(semitones) : lateWords.player.semitonesDown(-semitones)
);

/** The transposition, and whether voices stay natural. */
export function PitchSheet({ fields, onSet, onClose }: {
  fields: PracticeFields; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const semitones = fields.semitones ?? 0;
  const isNatural = isNaturalVoice(fields);
  return (
    <Sheet title={lateWords.player.pitch} onClose={onClose} testId="pitch-sheet">
      <div className="stack">
        <Dial
          label={lateWords.player.pitchLabel} name="pitch" value={semitones} least={lowest} most={highest} presets={presets}
          text={semitonesText} spoken={spoken} onChange={(value) => onSet({ semitones: value === 0 ? null : value })}
        />
        <p className="note is-middle">{spoken(semitones)}</p>
        <Switch
          label={lateWords.player.naturalVoice} hint={lateWords.player.naturalVoiceHint} testId="natural-voice"
          isOn={semitones !== 0 && isNatural} isDisabled={semitones === 0}
          onChange={() => onSet(naturalVoiceFields(fields, !isNatural))}
        />
      </div>
    </Sheet>
  );
}
