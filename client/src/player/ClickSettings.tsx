// What is counted before a part that has counts, and the click while it plays.

import { useFromPlayer, useServices, useSetting } from '../services/services';
import { Choices } from '../ui/Choices';
import { NumberField } from '../ui/NumberField';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';

/** Seconds, or counts in the song's tempo. */
export function CountInChoice(): JSX.Element {
  const { library } = useServices();
  const countIn = useSetting('countIn');
  const { countIns } = lateWords.player;
  return (
    <Choices
      legend={lateWords.player.countIn} value={countIn} testId="count-in"
      choices={(['seconds', 'four', 'eight', 'bar'] as const).map((value) => ({ value, label: countIns[value] }))}
      onChoose={(value) => library.set('countIn', value)}
    />
  );
}

/** Whether the click is off, goes with the music or is heard alone, and its volume. */
export function ClickSettings(): JSX.Element {
  const { library, player } = useServices();
  const volume = useSetting('clickVolume');
  const isAlone = useFromPlayer((snapshot) => snapshot.isClickAlone);
  const { clicks } = lateWords.player;
  const choose = (value: keyof typeof clicks): void => {
    if (value === 'off' || volume === 0) library.set('clickVolume', value === 'off' ? 0 : 100);
    // Not stored: nobody should look for the reason why a song is silent on another day.
    player.update({ musicVolume: value === 'alone' ? 0 : 100 });
  };
  return (
    <section className="sheet-section">
      <Choices
        legend={lateWords.player.click} value={volume === 0 ? 'off' : isAlone ? 'alone' : 'music'} testId="click"
        choices={(['off', 'music', 'alone'] as const).map((value) => ({ value, label: clicks[value] }))}
        onChoose={choose}
      />
      {volume > 0 && (
        <NumberField
          label={lateWords.player.clickVolume} value={volume} least={5} most={125} text={percentText} testId="click-volume"
          onChange={(value) => library.set('clickVolume', value)}
        />
      )}
    </section>
  );
}
