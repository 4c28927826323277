// The speed of the part, and the trainer that changes it from repeat to repeat.

import { useState } from 'react';
import { useFromPlayer } from '../services/services';
import { Button } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { Sheet } from '../ui/Sheet';
import { Switch } from '../ui/Switch';
import {
  fastest, firstTrainer, percentNow, percentOf, slowest, speedFields, takenOver, trainerFields, trainerOf, trainerText,
  type PracticeFields, type SetPractice,
} from '../parts/practiceSettings';
import { Dial } from './Dial';
import './sheets.css';

const presets = [50, 60, 70, 80, 90, 100];

interface SpeedSheetProps {
  readonly fields: PracticeFields;
  readonly onSet: SetPractice;
  readonly onClose: () => void;
  /** Without a loop of its own there is nothing to train. */
  readonly canTrain?: boolean;
  /** The part's speed to be reached, in percent, and how to change it; absent where there is no part. */
  readonly target?: { readonly percent: number; readonly onSet: (percent: number) => void };
  /** False once the page has switched: the speed that is heard belongs to another part. */
  readonly isHeard?: boolean;
}

/** Speed and trainer. */
export function SpeedSheet({
  fields, onSet, onClose, target, canTrain = true, isHeard = true,
}: SpeedSheetProps): JSX.Element {
  const heard = useFromPlayer((snapshot) => snapshot.percent);
  const percent = isHeard ? percentNow(fields, heard) : percentOf(fields);
  return (
    <Sheet title={lateWords.player.speed} onClose={onClose} testId="speed-sheet">
      <div className="stack">
        <Dial
          label={lateWords.player.speed} name="speed" value={percent} least={slowest} most={fastest} grain={5} presets={presets}
          text={percentText} onChange={(value) => onSet(takenOver(fields, value))}
        />
        {target && (
          <section className="sheet-section" aria-label={lateWords.player.target}>
            <NumberField
              label={lateWords.player.target} value={target.percent} least={slowest} most={fastest} step={5} text={percentText}
              onChange={target.onSet} testId="target-speed"
            />
            <p className="small-note">{lateWords.player.targetHint}</p>
          </section>
        )}
        {canTrain && <Trainer fields={fields} onSet={onSet} isHeard={isHeard} />}
      </div>
    </Sheet>
  );
}

function Trainer({ fields, onSet, isHeard }: Pick<SpeedSheetProps, 'fields' | 'onSet' | 'isHeard'>): JSX.Element {
  const now = useFromPlayer((snapshot) => snapshot.percent);
  const trainer = trainerOf(fields);
  const isOn = trainer.every > 0;
  // It is set when it is switched on; a running one is a sentence.
  const [isSetting, setSetting] = useState(false);
  const set = (changes: Partial<typeof trainer>): void => onSet(trainerFields({ ...trainer, ...changes }));
  const toggle = (): void => {
    // It trains from repeat to repeat, so a loop is required.
    const mustLoop = !isOn && (fields.loopMode ?? 'off') === 'off';
    setSetting(!isOn);
    onSet({
      ...trainerFields({ ...trainer, every: isOn ? 0 : firstTrainer.every }),
      ...(mustLoop && { loopMode: 'whole' }),
    });
  };
  return (
    <section className="sheet-section" aria-label={lateWords.player.trainer}>
      <Switch
        label={lateWords.player.trainer} hint={isOn ? trainerText(trainer) : lateWords.player.trainerHint}
        isOn={isOn} onChange={toggle} testId="trainer-switch"
      />
      {isOn && isHeard && (
        <div className="trainer-now">
          <p className="note" role="status" data-testid="trainer-now">{lateWords.player.trainerNow(now)}</p>
          <Button
            data-testid="trainer-take-over"
            onClick={() => onSet({ ...trainerFields({ ...trainer, every: 0 }), ...speedFields(now) })}
          >
            {lateWords.player.trainerStay(now)}
          </Button>
        </div>
      )}
      {isOn && (
        <details
          className="sheet-more" open={isSetting} onToggle={(event) => setSetting(event.currentTarget.open)}
        >
          <summary data-testid="trainer-set">{lateWords.player.trainerSteps}</summary>
          <div className="sheet-fields" data-testid="trainer-fields">
            <NumberField label={lateWords.player.trainerFrom} value={trainer.from} least={slowest} most={fastest} step={5} text={percentText} onChange={(from) => set({ from })} testId="trainer-from" />
            <NumberField label={lateWords.player.trainerTo} value={trainer.to} least={slowest} most={fastest} step={5} text={percentText} onChange={(to) => set({ to })} testId="trainer-to" />
            <NumberField label={lateWords.player.trainerStep} value={trainer.step} least={1} most={100} text={percentText} onChange={(step) => set({ step })} testId="trainer-step" />
            <NumberField label={lateWords.player.trainerEvery} value={trainer.every} least={1} most={99} onChange={(every) => set({ every })} testId="trainer-every" />
          </div>
        </details>
      )}
    </section>
  );
}
