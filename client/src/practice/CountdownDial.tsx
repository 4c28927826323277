// How long the countdown is, and when it runs.

import { useState } from 'react';
import { useOverlay, useServices, useSetting } from '../app/services';
import { Choices } from '../ui/Choices';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';

/** The lengths offered at a press, in seconds. */
export const countdownChoices = [0, 3, 5, 10, 15, 20].map((value) => ({
  value, label: value === 0 ? 'Off' : `${value} s`,
}));

const longest = 600;

interface CountdownProps {
  readonly seconds: number;
  /** Says before what it counts. */
  readonly legend: string;
  readonly onChoose: (seconds: number) => void;
}

/** The dial below the buttons; pressed, it opens the choice. */
export function CountdownDial(props: CountdownProps): JSX.Element {
  const [isOpen, open, close] = useOverlay('countdown');
  return (
    <>
      <button
        type="button" className="dial" data-testid="countdown-dial" aria-haspopup="dialog" onClick={open}
      >
        <Icon name="timer" />
        <span className="dial-value time">{props.seconds === 0 ? 'Off' : `${props.seconds} s`}</span>
        <span className="dial-name">Countdown</span>
      </button>
      {isOpen && <CountdownSheet {...props} onClose={close} />}
    </>
  );
}

function CountdownSheet({
  seconds, legend, onChoose, onClose,
}: CountdownProps & { readonly onClose: () => void }): JSX.Element {
  return (
    <Sheet title="Countdown" onClose={onClose} testId="countdown-sheet">
      <div className="stack">
        <Choices
          legend={legend} choices={countdownChoices} value={seconds}
          onChoose={onChoose} testId="countdown-choices"
        />
        <SecondsField seconds={seconds} onChange={onChoose} />
        <CountdownRepeats />
      </div>
    </Sheet>
  );
}

/** Any other number of seconds. */
export function SecondsField({
  seconds, onChange,
}: { seconds: number; onChange: (seconds: number) => void }): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  return (
    <label className="field">
      <span>Any other number of seconds</span>
      <input
        className="input time" type="text" inputMode="numeric" data-testid="countdown-seconds"
        value={text ?? String(seconds)}
        onChange={(event) => {
          const digits = event.target.value.replace(/\D/g, '').slice(0, 3);
          setText(digits);
          if (digits !== '') onChange(Math.min(longest, Number(digits)));
        }}
        onBlur={() => setText(null)}
      />
    </label>
  );
}

/** Whether the countdown runs again before each repeat. */
export function CountdownRepeats(): JSX.Element {
  const { library } = useServices();
  const repeats = useSetting<'every' | 'first'>('countdownRepeats', 'every');
  return (
    <Choices
      legend="When the part repeats" value={repeats} testId="countdown-repeats" isSingle
      choices={[
        { value: 'every', label: 'Count before each repeat' },
        { value: 'first', label: 'Only before the first' },
      ]}
      onChoose={(value) => library.set('countdownRepeats', value)}
    />
  );
}
