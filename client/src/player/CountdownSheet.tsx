// The length of a part's countdown, and when it runs.

import type { Settings } from '../sync/settings';
import { useServices, useSetting } from '../services/services';
import { Choices } from '../ui/Choices';
import { NumberField } from '../ui/NumberField';
import { Sheet } from '../ui/Sheet';
import type { PracticeSettings, SetPractice } from '../parts/practiceSettings';

/** The offered lengths, in seconds. */
export const countdownChoices = [0, 3, 5, 10, 15, 20].map((value) => ({
  value, label: value === 0 ? 'Off' : `${value} s`,
}));

/** Length of the countdown, and when it runs. */
export function CountdownSheet({ settings, onSet, onClose }: {
  settings: Pick<PracticeSettings, 'countdownSeconds' | 'countdownRepeats'>; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const choose = (value: number): void => {
    onSet({ countdownSeconds: value });
  };
  return (
    <Sheet title="Countdown" onClose={onClose} testId="countdown-sheet">
      <div className="stack">
        <Choices
          legend="Before it starts" choices={countdownChoices} value={settings.countdownSeconds}
          onChoose={choose} testId="countdown-choices"
        />
        <CountdownSeconds seconds={settings.countdownSeconds} onChange={choose} />
        <RepeatsChoice
          value={settings.countdownRepeats}
          onChoose={(value) => onSet({ countdownRepeats: value })}
        />
      </div>
    </Sheet>
  );
}

/** Any other number of seconds. */
export function CountdownSeconds({
  seconds, onChange,
}: { seconds: number; onChange: (seconds: number) => void }): JSX.Element {
  return (
    <NumberField
      label="Any other number" value={seconds} least={0} most={600} onChange={onChange}
      testId="countdown-seconds"
    />
  );
}

/** Whether the countdown runs again before each repeat, unless a part says otherwise. */
export function CountdownRepeats(): JSX.Element {
  const { library } = useServices();
  const repeats = useSetting('countdownRepeats');
  return <RepeatsChoice value={repeats} onChoose={(value) => library.set('countdownRepeats', value)} />;
}

function RepeatsChoice({ value, onChoose }: {
  value: Settings['countdownRepeats']; onChoose: (value: Settings['countdownRepeats']) => void;
}): JSX.Element {
  return (
    <Choices
      legend="When the part repeats" value={value} testId="countdown-repeats" isSingle
      choices={[
        { value: 'every', label: 'Count before each repeat' },
        { value: 'first', label: 'Only before the first' },
      ]}
      onChoose={onChoose}
    />
  );
}
