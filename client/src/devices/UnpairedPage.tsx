// Instructions for a device that is not paired, or no longer. Its stored data stays unchanged.

import { useEffect, useState } from 'react';
import { useLibraryStatus, useServices } from '../services/services';
import { pairingWords } from '../install/installing';
import { SignInForm } from '../signIn/SignInForm';
import { Button } from '../ui/Button';
import { isStandalone } from '../ui/device';
import { Mark } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
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
    document.title = `${lateWords.devices.notPaired} · Segmance`;
  }, []);
  const texts = lateWords.devices;
  const isPhone = isHandheld(navigator);
  const { scan, field } = pairingWords({ browser: navigator, isStandalone: isStandalone() });
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
        <h1>{isPhone ? texts.phoneHasAccess : texts.computerHasAccess}</h1>
        <Button kind="primary" onClick={goOn}>{texts.toRoutines}</Button>
      </main>
    );
  }
  const noLonger = isPhone ? texts.phoneNoLonger : texts.computerNoLonger;
  const notPaired = isPhone ? texts.phoneNotPaired : texts.computerNotPaired;
  return (
    <main data-testid="unpaired">
      <Mark size={72} />
      <h1>{loaded ? noLonger : notPaired}</h1>
      <p>{texts.onlyPaired}</p>
      <SignInForm after={<h2>{lateWords.signIn.orCode}</h2>} />
      <ol className="door-steps">
        <li>{texts.openDevices}</li>
        <li>{`${texts.pressAdd} ${scan}`}</li>
      </ol>
      <form
        className="door-form"
        onSubmit={(event) => {
          event.preventDefault();
          join();
        }}
      >
        <label className="field">
          <span>{field}</span>
          <input
            className="input" dir="ltr" autoComplete="off" autoCapitalize="none" spellCheck={false} value={text}
            enterKeyHint="go" data-testid="token-field" aria-invalid={isWrong} aria-describedby={isWrong ? 'token-wrong' : undefined}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Button kind="primary" type="submit" data-testid="token-go">{texts.goOn}</Button>
      </form>
      {isWrong && (
        <p className="problem" role="alert" id="token-wrong">
          {texts.tokenWrong}
        </p>
      )}
      {loaded && (
        <div className="door-kept" data-testid="door-kept">
          <p>{waiting > 0 ? texts.changesKept(waiting) : texts.stillHere}</p>
          <Button data-testid="door-aside" onClick={goOn}>{texts.continueOffline}</Button>
        </div>
      )}
    </main>
  );
}
