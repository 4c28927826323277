// The one dial of a run through the whole routine: its speed.

import { NumberField } from '../ui/NumberField';
import { fastest, slowest } from '../parts/practiceSettings';
import './practiceControls.css';
import { percentText } from '../words/format';
import { words } from '../words/words';

/** The speed of the run; the parts' own speeds only apply to practising them. */
export function RunSpeed({ percent, onPercent }: {
  percent: number; onPercent: (percent: number) => void;
}): JSX.Element {
  return (
    <div className="dials-box" data-testid="run-dials">
      <NumberField
        label={words.player.runSpeed} value={percent} least={slowest} most={fastest} step={5}
        text={percentText} onChange={onPercent} testId="run-speed"
      />
    </div>
  );
}
