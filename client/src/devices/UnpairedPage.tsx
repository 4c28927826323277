// Instructions for a device that is not paired, or no longer. Its stored data stays unchanged.

import { useEffect, useState } from 'react';
import { useLibraryStatus, useServices } from '../services/services';
import { pairingWords } from '../install/installing';
import { Button } from '../ui/Button';
import { isStandalone } from '../ui/device';
import { Mark } from '../ui/Icon';
import { plural } from '../ui/time';
import { fetchSession } from './api';
import { isHandheld } from '../ui/platform';
import { tokenIn } from './token';

/** The page. */
export function UnpairedPage({ onAside }: { onAside: () => void }): JSX.Element {
  const { navigation } = useServices();
  const { loaded, waiting, unpaired } = useLibraryStatus();
  const [isIn, setIn] = useState(false);
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    let isHere = true;
    fetchSession().then(
      ({ role }) => isHere && setIn(role !== 'stranger'),
      // Without an answer the page shows the general instructions.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [unpaired]);
  useEffect(() => {
    document.title = 'Not paired · Segmance';
  }, []);
  const device = isHandheld(navigator) ? 'phone' : 'computer';
  const words = pairingWords({ browser: navigator, isStandalone: isStandalone() });
  const join = (): void => {
    const token = tokenIn(text);
    setWrong(token === null);
    if (token !== null) navigation.go({ page: 'pair', token }, { replace: true });
  };
  const goOn = (): void => {
    onAside();
    navigation.go({ page: 'routines' }, { replace: true });
  };
  if (isIn && !unpaired) {
    return (
      <main data-testid="door-open">
        <Mark size={72} />
        <h1>{`This ${device} is let in already`}</h1>
        <Button kind="primary" onClick={goOn}>To the routines</Button>
      </main>
    );
  }
  return (
    <main data-testid="unpaired">
      <Mark size={72} />
      <h1>{loaded ? `This ${device} is no longer paired` : `This ${device} is not paired`}</h1>
      <p>Routines and songs are only shown to devices that their owner has paired.</p>
      <ol className="door-steps">
        <li>On the computer that runs Segmance, or on a device that is paired, open <b>Settings</b>, then <b>Devices</b>.</li>
        <li>Press <b>Add a device</b>. {words.scan}</li>
      </ol>
      <form
        className="door-form"
        onSubmit={(event) => {
          event.preventDefault();
          join();
        }}
      >
        <label className="field">
          <span>{words.field}</span>
          <input
            className="input" dir="ltr" autoComplete="off" autoCapitalize="none" spellCheck={false} value={text}
            enterKeyHint="go" data-testid="token-field" aria-invalid={isWrong} aria-describedby={isWrong ? 'token-wrong' : undefined}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Button kind="primary" type="submit" data-testid="token-go">Go on</Button>
      </form>
      {isWrong && (
        <p className="problem" role="alert" id="token-wrong">
          That is no pairing code. It is the long address below the code, or what stands behind its #.
        </p>
      )}
      {loaded && (
        <div className="door-kept" data-testid="door-kept">
          <p>
            {waiting > 0
              ? `${plural(waiting, 'change')} made here ${waiting === 1 ? 'is' : 'are'} kept, and sent once this ${device} is paired again.`
              : 'What this device has kept is still here.'}
          </p>
          <Button data-testid="door-aside" onClick={goOn}>Go on with what is kept here</Button>
        </div>
      )}
    </main>
  );
}
