// The speed of the part, and the trainer that changes it from repeat to repeat.

import { useFromPlayer } from '../services/services';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { NumberField } from '../ui/NumberField';
import { Sheet } from '../ui/Sheet';
import {
  fastest, firstTrainer, percentNow, percentOf, slowest, speedFields, takenOver, trainerFields, trainerOf,
  type PracticeFields, type SetPractice,
} from '../parts/practiceSettings';
import './sheets.css';
import { ValueSlider } from './ValueSlider';

const presets = [50, 60, 70, 75, 80, 90, 100, 110, 125].map((value) => ({ value, label: `${value} %` }));
const percentText = (value: number): string => `${value} %`;

interface SpeedSheetProps {
  readonly fields: PracticeFields;
  readonly onSet: SetPractice;
  readonly onClose: () => void;
  /** Without a loop of its own there is nothing to train. */
  readonly canTrain?: boolean;
  /** False once the page has switched: the speed that is heard belongs to another part. */
  readonly isHeard?: boolean;
}

/** Speed and trainer. */
export function SpeedSheet({
  fields, onSet, onClose, canTrain = true, isHeard = true,
}: SpeedSheetProps): JSX.Element {
  const heard = useFromPlayer((snapshot) => snapshot.percent);
  const percent = isHeard ? percentNow(fields, heard) : percentOf(fields);
  const choose = (value: number): void => onSet(takenOver(fields, value));
  return (
    <Sheet title="Speed" onClose={onClose} testId="speed-sheet">
      <div className="stack">
        <ValueSlider
          label="Speed" name="speed" value={percent} least={slowest} most={fastest}
          text={percentText(percent)} spoken={percentText(percent)}
          lessLabel="1 % slower" moreLabel="1 % faster" onChange={choose}
        />
        <Choices
          legend="The pitch stays as it is" choices={presets} value={percent} onChoose={choose}
          testId="speed-presets"
        />
        {canTrain && <Trainer fields={fields} onSet={onSet} isHeard={isHeard} />}
      </div>
    </Sheet>
  );
}

function Trainer({ fields, onSet, isHeard }: Pick<SpeedSheetProps, 'fields' | 'onSet' | 'isHeard'>): JSX.Element {
  const now = useFromPlayer((snapshot) => snapshot.percent);
  const trainer = trainerOf(fields);
  const isOn = trainer.every > 0;
  const set = (changes: Partial<typeof trainer>): void => onSet(trainerFields({ ...trainer, ...changes }));
  const toggle = (): void => {
    // It trains from repeat to repeat, so a loop is required.
    const mustLoop = !isOn && (fields.loopMode ?? 'off') === 'off';
    onSet({
      ...trainerFields({ ...trainer, every: isOn ? 0 : firstTrainer.every }),
      ...(mustLoop && { loopMode: 'whole' }),
    });
  };
  return (
    <section className="sheet-section" aria-label="Speed trainer">
      <label className="switch">
        <input type="checkbox" role="switch" checked={isOn} data-testid="trainer-switch" onChange={toggle} />
        <span>
          <b>Speed trainer</b>
          <small>Changes the speed from repeat to repeat.</small>
        </span>
      </label>
      {isOn && (
        <div className="sheet-fields" data-testid="trainer-fields">
          <NumberField label="From" value={trainer.from} least={slowest} most={fastest} step={5} text={percentText} onChange={(from) => set({ from })} testId="trainer-from" />
          <NumberField label="To" value={trainer.to} least={slowest} most={fastest} step={5} text={percentText} onChange={(to) => set({ to })} testId="trainer-to" />
          <NumberField label="Step" value={trainer.step} least={1} most={100} text={percentText} onChange={(step) => set({ step })} testId="trainer-step" />
          <NumberField label="Times at each speed" value={trainer.every} least={1} most={99} onChange={(every) => set({ every })} testId="trainer-every" />
          {isHeard && (
            <>
              <p className="note" role="status" data-testid="trainer-now">{`Now ${now} %`}</p>
              <Button
                data-testid="trainer-take-over"
                onClick={() => onSet({ ...trainerFields({ ...trainer, every: 0 }), ...speedFields(now) })}
              >
                {`Stay at ${now} %`}
              </Button>
            </>
          )}
        </div>
      )}
    </section>
  );
}
