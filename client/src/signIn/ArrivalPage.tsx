// Back from the provider: this browser is let in, or an account of its person is added.

import { useEffect, useState } from 'react';
import { useServices } from '../services/services';
import { Button } from '../ui/Button';
import { Mark } from '../ui/Icon';
import { proposedName } from '../ui/platform';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { addAccount, signInByAccount } from './api';
import { arrivalIn, enter, patiently, purposeOfDeparture, reasonOfArrival, type Purpose } from './departure';

/** From one to three seconds, so that not all of a class come again at the same moment. */
const pause = (): Promise<void> => new Promise((resolve) => {
  setTimeout(resolve, 1_000 + Math.random() * 2_000);
});

/** The page; `query` is what the provider added to its address. */
export function ArrivalPage({ query }: { query: string }): JSX.Element {
  const services = useServices();
  const { navigation } = services;
  const [problem, setProblem] = useState<string | null>(null);
  const [purpose] = useState<Purpose>(purposeOfDeparture);
  const text = lateWords.signIn;
  useEffect(() => {
    document.title = `${lateWords.signIn.signIn} · Segmance`;
  }, []);
  const back = (): void => navigation.go('person' in purpose ? { page: 'settings', room: 'devices' } : { page: 'pair', token: '' }, { replace: true });
  useEffect(() => {
    const arrival = arrivalIn(query);
    if (typeof arrival === 'string') {
      setProblem(arrival === 'access_denied' ? text.providerDenied : text.providerFailed(arrival));
      return;
    }
    const arrive = async (): Promise<void> => {
      if ('person' in purpose) {
        await patiently(() => addAccount(purpose.person, arrival), pause);
        toasts.say(text.accountAdded);
        navigation.go({ page: 'settings', room: 'devices' }, { replace: true });
      } else {
        const browser = { name: proposedName(navigator), stays: purpose.stays };
        await enter(services, await patiently(() => signInByAccount(arrival, browser), pause));
      }
    };
    arrive().catch((failure: unknown) => setProblem(reasonOfArrival(failure)));
    // Once for what the provider has sent: it can be used once.
  }, [query]);
  return (
    <main data-testid="arrival">
      <Mark size={72} />
      {problem === null
        ? <h1>{text.arriving}</h1>
        : (
          <>
            <h1>{text.notSignedIn}</h1>
            <p className="problem" role="alert" data-testid="arrival-problem">{problem}</p>
            <Button kind="primary" data-testid="arrival-back" onClick={back}>{text.goBack}</Button>
          </>
        )}
    </main>
  );
}
