// Signing in at a browser that is not paired, by a password, a passkey or at a provider. Nothing where nobody can.

import { useEffect, useState, type ReactNode } from 'react';
import { useServices } from '../services/services';
import { ServerError } from '../sync/requests';
import { Button } from '../ui/Button';
import { Switch } from '../ui/Switch';
import { proposedName } from '../ui/platform';
import { lateWords } from '../words/lateWords';
import { departToSignIn, fetchChallenge, fetchWays, signInByPasskey, signInByPassword, type Ways } from './api';
import { depart, enter as goIn, reasonOfArrival } from './departure';
import { hasPasskeys, signWithPasskey } from './passkeys';
import { PasswordField } from './PasswordField';

/** The form, and what comes after it if there is one. */
export function SignInForm({ after }: { after: ReactNode }): JSX.Element | null {
  const { library, navigation } = useServices();
  const [ways, setWays] = useState<Ways | null>(null);
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, setShown] = useState(false);
  const [stays, setStays] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isHere = true;
    // Without an answer there is still the way by a code.
    fetchWays().then((found) => isHere && setWays(found), () => undefined);
    return () => {
      isHere = false;
    };
  }, []);
  const text = lateWords.signIn;
  const isOffered = { password: ways?.password === true, passkey: ways?.passkey === true && hasPasskeys() };
  const provider = ways?.provider ?? null;
  if (!isOffered.password && !isOffered.passkey && provider === null) return null;

  const enter = async (work: () => Promise<number | null | 'calledOff'>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const endsAt = await work();
      if (endsAt !== 'calledOff') await goIn({ library, navigation }, endsAt);
    } catch (failure) {
      setProblem(failure instanceof ServerError && failure.status === 403 ? text.wrong : reasonOfArrival(failure));
    } finally {
      setBusy(false);
    }
  };
  const browser = { name: proposedName(navigator), stays };
  const byPasskey = async (): Promise<number | null | 'calledOff'> => {
    const signed = await signWithPasskey(await fetchChallenge());
    return signed === null ? 'calledOff' : signInByPasskey(signed, browser);
  };
  return (
    <>
      <form
        className="door-form" data-testid="sign-in" aria-label={text.signIn}
        onSubmit={(event) => {
          event.preventDefault();
          void enter(() => signInByPassword(login, password, browser));
        }}
      >
        <h2>{text.signIn}</h2>
        {isOffered.password && (
          <>
            <label className="field">
              <span>{text.login}</span>
              <input
                className="input" dir="auto" autoComplete="username" autoCapitalize="none" spellCheck={false} value={login} maxLength={60}
                enterKeyHint="next" data-testid="sign-in-login" onChange={(event) => setLogin(event.target.value)}
              />
            </label>
            <PasswordField
              label={text.password} value={password} isShown={isShown} autoComplete="current-password" testId="sign-in-password"
              onChange={setPassword}
            />
            <Switch label={text.show} isOn={isShown} testId="sign-in-show" onChange={() => setShown(!isShown)} />
          </>
        )}
        <Switch label={text.stays} hint={text.staysHint} isOn={stays} testId="sign-in-stays" onChange={() => setStays(!stays)} />
        {problem !== null && <p className="problem" role="alert" data-testid="sign-in-problem">{problem}</p>}
        <div className="sign-in-ways">
          {isOffered.password && (
            <Button kind="primary" type="submit" data-testid="sign-in-go" disabled={isBusy || login.trim() === '' || password === ''}>
              {text.signIn}
            </Button>
          )}
          {provider !== null && (
            <Button
              kind={isOffered.password ? 'plain' : 'primary'} data-testid="sign-in-provider" disabled={isBusy}
              onClick={() => void enter(async () => {
                depart(await departToSignIn(), { stays });
                return 'calledOff';
              })}
            >
              {text.byProvider(provider)}
            </Button>
          )}
          {isOffered.passkey && (
            <Button data-testid="sign-in-passkey" disabled={isBusy} onClick={() => void enter(byPasskey)}>{text.byPasskey}</Button>
          )}
        </div>
      </form>
      {after}
    </>
  );
}
