// Before what a link shows: its passcode, or why it can't be opened.

import { useEffect, useState } from 'react';
import type { OpenLink } from '../services/openLink';
import { NetworkError, ServerError } from '../sync/requests';
import { Button } from '../ui/Button';
import { Mark } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { requestOpening } from './api';

/** Why a link is not open. */
export type DoorState =
  | 'opening' | 'passcode' | 'wrongPasscode' | 'ended' | 'unknown' | 'tooMany' | 'unreachable' | 'withoutCookies' | 'failed';

/** Returns the state after a failed opening. */
export function stateAfter(failure: unknown, hadPasscode: boolean): DoorState {
  if (failure instanceof NetworkError) return 'unreachable';
  switch (failure instanceof ServerError ? failure.status : 0) {
    case 403: return hadPasscode ? 'wrongPasscode' : 'passcode';
    case 404: return 'unknown';
    case 410: return 'ended';
    case 429: return 'tooMany';
    default: return 'failed';
  }
}

interface LinkDoorProps {
  readonly id: string;
  readonly secret: string;
  /** The state to begin with. */
  readonly state: DoorState;
  /** Whether it was open in this browser until now: if it is not known any more, it has ended. */
  readonly wasOpen: boolean;
  readonly onOpen: (link: OpenLink) => void;
  /** The link has ended: nothing of it stays here. */
  readonly onEnded: () => void;
}

/** The page; it opens the link at once, and asks for a passcode if there is one. */
export function LinkDoor({ id, secret, state: first, wasOpen, onOpen, onEnded }: LinkDoorProps): JSX.Element {
  const [state, setState] = useState<DoorState>(first);
  const [passcode, setPasscode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.links;
  const open = async (code: string | null): Promise<void> => {
    setBusy(true);
    try {
      onOpen(await requestOpening(id, secret, code));
    } catch (failure) {
      const next = stateAfter(failure, code !== null);
      if (next === 'ended' || next === 'unknown') onEnded();
      setState(next === 'unknown' && wasOpen ? 'ended' : next);
      setBusy(false);
    }
  };
  useEffect(() => {
    document.title = `${lateWords.links.door} · Segmance`;
    if (first === 'opening') void open(null);
  }, []);
  const asks = state === 'passcode' || state === 'wrongPasscode' || (state === 'tooMany' && passcode !== '');
  return (
    <div className="door">
      <main data-testid="link-door" data-state={state} aria-busy={state === 'opening' || isBusy}>
        <Mark size={72} />
        <h1>{text.doors[state]}</h1>
        <p role="status">{text.doorReasons[state]}</p>
        {asks && (
          <form
            className="door-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (passcode !== '' && !isBusy) void open(passcode);
            }}
          >
            <label className="field">
              <span>{text.passcode}</span>
              <input
                className="input" type="password" autoComplete="off" autoFocus maxLength={100} enterKeyHint="go" value={passcode}
                aria-invalid={state === 'wrongPasscode'} data-testid="link-passcode"
                onChange={(event) => setPasscode(event.target.value)}
              />
            </label>
            <Button kind="primary" type="submit" disabled={passcode === '' || isBusy} data-testid="link-open">{text.open}</Button>
          </form>
        )}
        {(state === 'unreachable' || state === 'failed' || (state === 'tooMany' && !asks)) && (
          <Button kind="primary" icon="retry" disabled={isBusy} data-testid="link-retry" onClick={() => void open(null)}>
            {words.common.retry}
          </Button>
        )}
      </main>
    </div>
  );
}
