// Pairing with a code: a name, one press, and on to the routines. The token came after the # of the
// address, and was removed from it before anything else happened.

import { useEffect, useState } from 'react';
import { useServices } from '../services/services';
import { Link } from '../services/Link';
import { pairingWords } from '../install/installing';
import { LimitedField } from '../ui/LimitedField';
import { ServerError } from '../sync/requests';
import { Button } from '../ui/Button';
import { isStandalone } from '../ui/device';
import { Mark } from '../ui/Icon';
import { toasts } from '../ui/toasts';
import { copyAddress } from './clipboard';
import { claimPairing, fetchSession, sentenceOf, type Session } from './api';
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
  const device = isHandheld(navigator) ? 'phone' : 'computer';
  useEffect(() => {
    document.title = 'Join · Segmance';
  }, []);
  useEffect(() => {
    let isHere = true;
    void findTrust().then((found) => isHere && setTrust(found));
    fetchSession().then(
      (found) => {
        if (!isHere) return;
        setSession(found);
        setStage(tokenIn(token) === null
          ? { kind: 'failed', sentence: 'This is no pairing code. Scan the code anew, the whole of it.', canRetry: false }
          : { kind: 'form' });
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
    library.reconnect();
    await library.refresh();
    toRoutines();
    toasts.say('Paired. Put Segmance on the home screen?', {
      action: { label: 'Show how', run: () => navigation.go({ page: 'settings', room: 'storage' }) },
    });
  };

  if (session !== null && session.role !== 'stranger') {
    return (
      <main data-testid="pair-already">
        <Mark size={72} />
        <h1>{session.role === 'owner' ? 'This computer needs no pairing' : `This ${device} is paired already`}</h1>
        <p>
          {session.role === 'owner'
            ? 'Segmance runs here. Scan the code with the phone that you want to add.'
            : <>It is known as <b><bdi>{session.device?.name}</bdi></b>. The code is not used up.</>}
        </p>
        <Button kind="primary" data-testid="pair-on" onClick={toRoutines}>To the routines</Button>
      </main>
    );
  }
  const isSecure = globalThis.isSecureContext;
  const { beforeJoining } = pairingWords({ browser: navigator, isStandalone: isStandalone() });
  return (
    <main data-testid="pair" aria-busy={stage.kind === 'asking' || stage.kind === 'joining'}>
      <Mark size={72} />
      <h1>{`Join with this ${device}`}</h1>
      {(!isSecure || trust === 'untrusted') && <NotTrusted isSecure={isSecure} device={device} />}
      {stage.kind === 'failed'
        ? (
          <div className="door-failed" role="alert" data-testid="pair-failed">
            <p>{stage.sentence}</p>
            {stage.canRetry
              ? <Button kind="primary" icon="retry" data-testid="pair-retry" onClick={() => void join()}>Try again</Button>
              : (
                <Button data-testid="pair-other" onClick={() => navigation.go({ page: 'pair', token: '' }, { replace: true })}>
                  What to do
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
            <LimitedField label={`What is this ${device} called?`} value={name} limit={longestName} testId="pair-name" onChange={setName} />
            <Button kind="primary" type="submit" data-testid="pair-join" disabled={stage.kind !== 'form'}>
              {stage.kind === 'joining' ? 'Joining …' : 'Join'}
            </Button>
          </form>
        )}
      {isSecure && stage.kind !== 'failed' && beforeJoining !== null && (
        <div className="door-note" data-testid="pair-home-screen">
          <p>{beforeJoining}</p>
          <Button icon="copy" onClick={() => copyAddress(`${location.origin}/pair#${token}`)}>Copy the pairing address</Button>
        </div>
      )}
    </main>
  );
}

function NotTrusted({ isSecure, device }: { isSecure: boolean; device: string }): JSX.Element {
  return (
    <p className="door-note" data-testid="pair-untrusted">
      {isSecure
        ? `This ${device} does not trust this Segmance yet: nothing could be kept for practice without a network. `
        : 'This connection is not secure: sound and pairing need https. '}
      <Link route={{ page: 'install' }}>How to trust it</Link>
    </p>
  );
}

/** Returns why a code failed, and whether a retry with the same code may help. */
function reasonOf(failure: unknown): { sentence: string; canRetry: boolean } {
  const status = failure instanceof ServerError ? failure.status : 0;
  if (status === 404 || status === 410) {
    return { sentence: `${sentenceOf(failure)} On the other screen, press “Show a new code”.`, canRetry: false };
  }
  return { sentence: sentenceOf(failure), canRetry: true };
}
