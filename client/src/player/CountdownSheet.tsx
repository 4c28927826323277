// The length of a part's countdown, and when it runs.

import type { Settings } from '../sync/settings';
import { useFromPlayer, useServices, useSetting } from '../services/services';
import { Choices } from '../ui/Choices';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { countdownText, type PracticeSettings, type SetPractice } from '../parts/practiceSettings';
import { ClickSettings, CountInChoice, CountInSound, VoiceChoice } from './ClickSettings';
import { Dial } from './Dial';
import './sheets.css';

const presets = [0, 3, 5, 10, 15, 20];

/** Length of the countdown, and when it runs; where the part has counts, also the count-in, the click and the voice. */
export function CountdownSheet({ settings, onSet, onClose }: {
  settings: Pick<PracticeSettings, 'countdownSeconds' | 'countdownRepeats'>; onSet: SetPractice; onClose: () => void;
}): JSX.Element {
  const hasBeats = useFromPlayer((snapshot) => snapshot.hasBeats);
  const countIn = useSetting('countIn');
  const isCountInSaid = useSetting('countInSound') === 'voice' && countIn !== 'seconds';
  const volume = useSetting('clickVolume');
  const isClickSaid = useSetting('clickSound') === 'voice' && volume > 0;
  return (
    <Sheet title={lateWords.player.countdown} onClose={onClose} testId="countdown-sheet">
      <div className="stack">
        {hasBeats && <CountInChoice />}
        {hasBeats && countIn !== 'seconds' && <CountInSound />}
        {(!hasBeats || countIn === 'seconds') && (
          <CountdownSeconds
            seconds={settings.countdownSeconds} onChange={(value) => onSet({ countdownSeconds: value })}
          />
        )}
        <RepeatsChoice
          value={settings.countdownRepeats}
          onChoose={(value) => onSet({ countdownRepeats: value })}
        />
        {hasBeats && <ClickSettings />}
        {hasBeats && (isCountInSaid || isClickSaid) && <VoiceChoice />}
      </div>
    </Sheet>
  );
}

/** The length, 0 for none. */
export function CountdownSeconds({
  seconds, onChange,
}: { seconds: number; onChange: (seconds: number) => void }): JSX.Element {
  return (
    <Dial
      label={lateWords.player.countdown} name="countdown-seconds" value={seconds} least={0} most={600} sliderMost={30}
      presets={presets} text={countdownText} onChange={onChange}
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
      legend={lateWords.player.whenRepeating} value={value} testId="countdown-repeats" form="column"
      choices={[
        { value: 'every', label: lateWords.player.countEveryTime },
        { value: 'first', label: lateWords.player.countOnce },
      ]}
      onChoose={onChoose}
    />
  );
}
