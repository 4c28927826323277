// How often a loop is played, and the pause between two repeats.

import { Choices } from '../ui/Choices';
import { NumberField } from '../ui/NumberField';
import { Sheet } from '../ui/Sheet';
import type { PracticeFields, PracticeSettings, SetPractice } from '../parts/practiceSettings';
import './sheets.css';

const limits = [0, 2, 3, 4, 5, 8].map((value) => ({ value, label: value === 0 ? 'No end' : `${value} times` }));
const rests = [0, 1, 2, 3, 5, 10].map((value) => ({ value, label: value === 0 ? 'None' : `${value} s` }));

/** Limit and pause. */
export function RepeatSheet({ fields, settings, onSet, onClose }: {
  fields: PracticeFields; settings: PracticeSettings; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const { repeatLimit, restSeconds } = settings;
  return (
    <Sheet title="Repeats" onClose={onClose} testId="repeat-sheet">
      <div className="stack">
        {(fields.loopMode ?? 'off') === 'off' && (
          <p className="note">Nothing repeats yet: press Loop, or set A and B.</p>
        )}
        <Choices
          legend="How often a loop is heard" choices={limits} value={repeatLimit} testId="repeat-limit"
          onChoose={(value) => onSet({ repeatLimit: value === 0 ? null : value })}
        />
        <NumberField
          label="Any other number" value={repeatLimit} least={0} most={999} testId="repeat-number"
          text={(value) => (value === 0 ? 'No end' : String(value))}
          onChange={(value) => onSet({ repeatLimit: value === 0 ? null : value })}
        />
        <Choices
          legend="Pause between repeats" choices={rests} value={restSeconds} testId="rest-choices"
          onChoose={(value) => onSet({ restSeconds: value === 0 ? null : value })}
        />
        <NumberField
          label="Any other pause" value={restSeconds} least={0} most={600} testId="rest-number"
          text={(value) => (value === 0 ? 'None' : `${value} s`)}
          onChange={(value) => onSet({ restSeconds: value === 0 ? null : value })}
        />
      </div>
    </Sheet>
  );
}
