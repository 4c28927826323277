// How often a loop is played, and the pause between two repeats.

import { NumberField } from '../ui/NumberField';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import {
  limitText, spokenLimit, type PracticeFields, type PracticeSettings, type SetPractice,
} from '../parts/practiceSettings';
import { Dial } from './Dial';
import './sheets.css';

const presets = [0, 2, 3, 4, 8];

/** Limit and pause. */
export function RepeatSheet({ fields, settings, onSet, onClose }: {
  fields: PracticeFields; settings: PracticeSettings; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const { repeatLimit, restSeconds } = settings;
  return (
    <Sheet title={lateWords.player.repeats} onClose={onClose} testId="repeat-sheet">
      <div className="stack">
        {(fields.loopMode ?? 'off') === 'off' && (
          <p className="note is-middle">{lateWords.player.nothingRepeats}</p>
        )}
        <Dial
          label={lateWords.player.repeats} name="repeat-number" value={repeatLimit} least={0} most={999} sliderMost={12}
          presets={presets} text={limitText} spoken={spokenLimit}
          onChange={(value) => onSet({ repeatLimit: value === 0 ? null : value })}
        />
        <section className="sheet-section">
          <NumberField
            label={lateWords.player.pauseBetween} value={restSeconds} least={0} most={600} testId="rest-number"
            text={(value) => (value === 0 ? lateWords.player.none : `${value} s`)}
            onChange={(value) => onSet({ restSeconds: value === 0 ? null : value })}
          />
        </section>
      </div>
    </Sheet>
  );
}
