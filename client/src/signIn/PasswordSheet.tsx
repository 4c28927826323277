// Setting or changing one's own password, and the name to sign in with.

import { useState } from 'react';
import { longestPersonName } from '../people/api';
import { characterCount, excess } from '../sync/validation';
import { reasonOf } from '../sync/requests';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { Switch } from '../ui/Switch';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { setPassword } from './api';
import { PasswordField } from './PasswordField';

/** The server's limits, in characters. */
const shortestPassword = 12;
const longestPassword = 128;

interface PasswordSheetProps {
  readonly person: string;
  /** The name so far; null without a password. */
  readonly login: string | null;
  readonly proposedLogin: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The sheet. */
export function PasswordSheet({ person, login: before, proposedLogin, onDone, onClose }: PasswordSheetProps): JSX.Element {
  const [login, setLogin] = useState(before ?? proposedLogin);
  const [current, setCurrent] = useState('');
  const [password, setPasswordText] = useState('');
  const [isShown, setShown] = useState(false);
  const [signOutOthers, setSignOutOthers] = useState(before !== null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.signIn;
  const length = characterCount(password);
  const isUsable = !isBusy && login.trim() !== '' && excess(login, longestPersonName) === null
    && length >= shortestPassword && length <= longestPassword && (before === null || current !== '');
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await setPassword(person, { login: login.trim(), password, signOutOthers, ...(before !== null && { current }) });
      onDone();
    } catch (failure) {
      setProblem(reasonOf(failure));
      setBusy(false);
    }
  };
  return (
    <Sheet title={before === null ? text.setPassword : text.changePassword} onClose={onClose}>
      <form
        className="door-form" data-testid="password-sheet"
        onSubmit={(event) => {
          event.preventDefault();
          if (isUsable) void save();
        }}
      >
        <label className="field">
          <span>{text.login}</span>
          <input
            className="input" dir="auto" autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={longestPersonName}
            value={login} data-testid="password-login" onChange={(event) => setLogin(event.target.value)}
          />
        </label>
        {before !== null && (
          <PasswordField
            label={text.currentPassword} value={current} isShown={isShown} autoComplete="current-password" testId="password-current"
            onChange={setCurrent}
          />
        )}
        <PasswordField
          label={text.newPassword} hint={text.passwordHint(shortestPassword)} value={password} isShown={isShown} autoComplete="new-password"
          testId="password-new" onChange={setPasswordText}
        />
        <Switch label={text.show} isOn={isShown} testId="password-show" onChange={() => setShown(!isShown)} />
        {before !== null && (
          <Switch
            label={text.signOutOthers} hint={text.signOutOthersHint} isOn={signOutOthers} testId="password-others" onChange={() => setSignOutOthers(!signOutOthers)}
          />
        )}
        {problem !== null && <p className="problem" role="alert" data-testid="password-problem">{problem}</p>}
        <Button kind="primary" type="submit" data-testid="password-save" disabled={!isUsable}>{words.common.save}</Button>
      </form>
    </Sheet>
  );
}
