// The caller: whether it says the names of moves, how far ahead, and how.

import { speechLanguages } from '../generated/speech';
import { useFromPlayer, useServices, useSetting } from '../services/services';
import { Choices } from '../ui/Choices';
import { NumberField } from '../ui/NumberField';
import { Sheet } from '../ui/Sheet';
import { Switch } from '../ui/Switch';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { languageName } from '../words/voiceNames';
import './sheets.css';

/** The sheet of the caller; its settings are those of the library. */
export function CallerSheet({ onClose }: { onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const text = lateWords.player.caller;
  const isOn = useSetting('caller');
  const countsAhead = useSetting('callerCounts');
  const duck = useSetting('callerDuck');
  const volume = useSetting('callerVolume');
  const language = useSetting('callerLanguage');
  const missing = useFromPlayer((snapshot) => snapshot.missingNames);
  return (
    <Sheet title={text.title} onClose={onClose} testId="caller-sheet">
      <div className="stack">
        <Switch
          label={text.say} hint={text.hint} isOn={isOn} testId="caller" onChange={() => library.set('caller', !isOn)}
        />
        {isOn && (
          <>
            {missing > 0 && <p className="note" role="status" data-testid="names-missing">{text.missing(missing)}</p>}
            <NumberField
              label={text.ahead} value={countsAhead} least={1} most={16} testId="caller-counts"
              onChange={(value) => library.set('callerCounts', value)}
            />
            <Choices
              legend={text.music} value={duck} testId="caller-duck"
              choices={([100, 40, 15] as const).map((value) => ({ value, label: text.ducks[value] }))}
              onChoose={(value) => library.set('callerDuck', value)}
            />
            <NumberField
              label={text.volume} value={volume} least={5} most={125} text={percentText} testId="caller-volume"
              onChange={(value) => library.set('callerVolume', value)}
            />
            <label className="field">
              <span>{text.language}</span>
              <select
                className="input select" value={language} data-testid="caller-language"
                onChange={({ target }) => library.set('callerLanguage', target.value as typeof language)}
              >
                <option value="interface">{lateWords.player.voiceOfInterface}</option>
                {speechLanguages.map((code) => <option key={code} value={code}>{languageName(code)}</option>)}
              </select>
            </label>
          </>
        )}
      </div>
    </Sheet>
  );
}
