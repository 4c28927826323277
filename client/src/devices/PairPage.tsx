// Pairing with a code: a name, one press, and on to the routines. The token came after the # of the
// address, and was removed from it before anything else happened.

import { useEffect, useState } from 'react';
import { useServices } from '../services/services';
import { Link } from '../services/Link';
import { pairingWords } from '../install/installing';
import { LimitedField } from '../ui/LimitedField';
import { excess } from '../sync/validation';
import { ServerError } from '../sync/requests';
import { Button } from '../ui/Button';
import { copyAddress } from '../ui/clipboard';
import { isStandalone, remember } from '../ui/device';
import { Mark } from '../ui/Icon';
import { Named } from '../ui/Named';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { claimPairing, fetchPairing, fetchSession, sentenceOf, type Session } from './api';
import { longestName } from './EditableName';
import { isHandheld, proposedName } from '../ui/platform';
import { tokenIn } from './token';
import { findTrust, type Trust } from './trust';

/** The current step. */
type Stage =
  | { readonly kind: 'asking' | 'joining' | 'form' }
  | { readonly kind: 'failed'; readonly sentence: string; readonly canRetry: boolean };

/** The page. */
export function PairPage({ token }: { token: string }): JSX.Element {
  const { library, navigation } = useServices();
  const [session, setSession] = useState<Session | null>(null);
  const [stage, setStage] = useState<Stage>({ kind: 'asking' });
  const [name, setName] = useState(() => proposedName(navigator));
  const [trust, setTrust] = useState<Trust>('unknown');
  const [person, setPerson] = useState<{ readonly name: string; readonly colour: string } | null>(null);
  const texts = lateWords.devices;
  const isPhone = isHandheld(navigator);
  useEffect(() => {
    document.title = `${lateWords.devices.pair} · Segmance`;
  }, []);
  useEffect(() => {
    let isHere = true;
    void findTrust().then((found) => isHere && setTrust(found));
    fetchSession().then(
      (found) => {
        if (!isHere) return;
        setSession(found);
        if (tokenIn(token) === null) setStage({ kind: 'failed', sentence: lateWords.devices.notACode, canRetry: false });
        else if (found.role === 'stranger') {
          fetchPairing(token).then(
            (owner) => {
              if (!isHere) return;
              setPerson(owner);
              setStage({ kind: 'form' });
            },
            (failure: unknown) => {
              if (!isHere) return;
              const reason = reasonOf(failure);
              // What may be over when the name is typed is said then.
              setStage(reason.canRetry ? { kind: 'form' } : { kind: 'failed', ...reason });
            },
          );
        }
      },
      (failure: unknown) => isHere && setStage({ kind: 'failed', sentence: sentenceOf(failure), canRetry: true }),
    );
    return () => {
      isHere = false;
    };
  }, [token]);

  const toRoutines = (): void => navigation.go({ page: 'routines' }, { replace: true });
  const join = async (): Promise<void> => {
    setStage({ kind: 'joining' });
    try {
      await claimPairing(token, name.trim() === '' ? proposedName(navigator) : name.trim());
    } catch (failure) {
      setStage({ kind: 'failed', ...reasonOf(failure) });
      return;
    }
    remember('endsAt', '');
    library.reconnect();
    await library.refresh();
    toRoutines();
    const isTrusted = trust !== 'untrusted';
    toasts.say(isTrusted ? texts.pairedInstall : texts.pairedTrust, {
      action: {
        label: texts.showHow,
        run: () => navigation.go(isTrusted ? { page: 'settings', room: 'storage' } : { page: 'install' }),
      },
    });
  };

  if (session !== null && session.role !== 'stranger') {
    return (
      <main data-testid="pair-already">
        <Mark size={72} />
        <h1>{session.role === 'owner' ? texts.ownerNoPairing : isPhone ? texts.phoneAlready : texts.computerAlready}</h1>
        <p>
          {session.role === 'owner'
            ? texts.ownerScan
            : <Named message={texts.knownAs} name={session.device?.name ?? ''} isBold />}
        </p>
        <Button kind="primary" data-testid="pair-on" onClick={toRoutines}>{texts.toRoutines}</Button>
      </main>
    );
  }
  const isSecure = globalThis.isSecureContext;
  const { beforeJoining } = pairingWords({ browser: navigator, isStandalone: isStandalone() });
  return (
    <main data-testid="pair" aria-busy={stage.kind === 'asking' || stage.kind === 'joining'}>
      <Mark size={72} />
      <h1>{isPhone ? texts.pairPhone : texts.pairComputer}</h1>
      {person && (
        <p className="door-person" data-testid="pair-person">
          <i className="person-dot" style={{ backgroundColor: person.colour }} />
          <span><Named message={isPhone ? texts.phoneOf : texts.computerOf} name={person.name} isBold /></span>
        </p>
      )}
      {(!isSecure || trust === 'untrusted') && <NotTrusted isSecure={isSecure} />}
      {stage.kind === 'failed'
        ? (
          <div className="door-failed" role="alert" data-testid="pair-failed">
            <p>{stage.sentence}</p>
            {stage.canRetry
              ? <Button kind="primary" icon="retry" data-testid="pair-retry" onClick={() => void join()}>{words.common.retry}</Button>
              : (
                <Button data-testid="pair-other" onClick={() => navigation.go({ page: 'pair', token: '' }, { replace: true })}>
                  {texts.whatToDo}
                </Button>
              )}
          </div>
        )
        : isSecure && (
          <form
            className="door-form"
            onSubmit={(event) => {
              event.preventDefault();
              void join();
            }}
          >
            <LimitedField label={isPhone ? texts.phoneName : texts.computerName} value={name} limit={longestName} testId="pair-name" onChange={setName} />
            <Button kind="primary" type="submit" data-testid="pair-join" disabled={stage.kind !== 'form' || excess(name, longestName) !== null}>
              {stage.kind === 'joining' ? texts.pairing : texts.pair}
            </Button>
          </form>
        )}
      {isSecure && stage.kind !== 'failed' && beforeJoining !== null && (
        <div className="door-note" data-testid="pair-home-screen">
          <p>{beforeJoining}</p>
          <Button icon="copy" onClick={() => copyAddress(`${location.origin}/pair#${token}`)}>{texts.copyPairing}</Button>
        </div>
      )}
    </main>
  );
}

function NotTrusted({ isSecure }: { isSecure: boolean }): JSX.Element {
  const texts = lateWords.devices;
  return (
    <p className="door-note" data-testid="pair-untrusted">
      {`${isSecure ? texts.untrusted : texts.insecure} `}
      <Link route={{ page: 'install' }}>{texts.howToTrust}</Link>
    </p>
  );
}

/** Returns why a code failed, and whether a retry with the same code may help. */
function reasonOf(failure: unknown): { sentence: string; canRetry: boolean } {
  const { devices } = lateWords;
  switch (failure instanceof ServerError ? failure.status : 0) {
    case 404:
      return { sentence: devices.codeUnknown, canRetry: false };
    case 410:
      return { sentence: devices.codeGone, canRetry: false };
    case 429:
      return { sentence: devices.tooManyTries, canRetry: true };
    default:
      return { sentence: sentenceOf(failure), canRetry: true };
  }
}
