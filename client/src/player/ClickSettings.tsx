// What is counted before a part that has counts, the click while it plays, and the voice that says both.

import { voiceLanguages } from '../builtAssets';
import { useFromPlayer, useServices, useSetting } from '../services/services';
import { Choices } from '../ui/Choices';
import { NumberField } from '../ui/NumberField';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { voiceNames } from '../words/voiceNames';

/** Seconds, or counts in the song's tempo. */
export function CountInChoice(): JSX.Element {
  const { library } = useServices();
  const countIn = useSetting('countIn');
  const { countIns } = lateWords.player;
  return (
    <Choices
      legend={lateWords.player.countIn} value={countIn} testId="count-in"
      choices={(['seconds', 'four', 'fourFromOne', 'eight', 'bar'] as const).map((value) => ({ value, label: countIns[value] }))}
      onChoose={(value) => library.set('countIn', value)}
    />
  );
}

/** Whether a count-in ticks or is said. */
export function CountInSound(): JSX.Element {
  const { library } = useServices();
  const sound = useSetting('countInSound');
  const { countInSounds } = lateWords.player;
  return (
    <Choices
      legend={lateWords.player.countInSound} value={sound} testId="count-in-sound"
      choices={(['ticks', 'voice'] as const).map((value) => ({ value, label: countInSounds[value] }))}
      onChoose={(value) => library.set('countInSound', value)}
    />
  );
}

/** The language in which counts are said, and whether its voice is missing. */
export function VoiceChoice(): JSX.Element {
  const { library } = useServices();
  const chosen = useSetting('voiceLanguage');
  const isMissing = useFromPlayer((snapshot) => snapshot.isVoiceMissing);
  return (
    <section className="sheet-section">
      <Choices
        legend={lateWords.player.voiceLanguage} value={chosen} testId="voice-language"
        choices={[
          { value: 'interface' as const, label: lateWords.player.voiceOfInterface },
          ...voiceLanguages.map((value) => ({ value, label: voiceNames[value] })),
        ]}
        onChoose={(value) => library.set('voiceLanguage', value)}
      />
      {isMissing && <p className="note" role="status" data-testid="voice-missing">{lateWords.player.voiceMissing}</p>}
    </section>
  );
}

/** Whether the click is off, goes with the music or is heard alone, and its volume. */
export function ClickSettings(): JSX.Element {
  const { library, player } = useServices();
  const volume = useSetting('clickVolume');
  const isAlone = useFromPlayer((snapshot) => snapshot.isClickAlone);
  const sound = useSetting('clickSound');
  const { clicks, clickSounds } = lateWords.player;
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
        <>
          <Choices
            legend={lateWords.player.clickSound} value={sound} testId="click-sound"
            choices={(['click', 'voice'] as const).map((value) => ({ value, label: clickSounds[value] }))}
            onChoose={(value) => library.set('clickSound', value)}
          />
          <NumberField
            label={lateWords.player.clickVolume} value={volume} least={5} most={125} text={percentText} testId="click-volume"
            onChange={(value) => library.set('clickVolume', value)}
          />
        </>
      )}
    </section>
  );
}
