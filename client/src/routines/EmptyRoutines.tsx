// The first screen of a new library: an introduction, and two ways to begin.

import { useState } from 'react';
import { useServices } from '../services/services';
import { apiAddress } from '../apiAddress';
import { ask, fieldsOf } from '../sync/ask';
import type { LocalLibrary } from '../sync/library';
import { reasonOf } from '../sync/requests';
import { Button } from '../ui/Button';
import { Mark } from '../ui/Icon';
import { finePointer, useMedia } from '../ui/useMedia';
import { words } from '../words/words';
import './empty.css';

/** The names of the two markers, in every language. */
const [markerA, markerB] = ['A', 'B'];

/** The server renders and encodes the music within this time, also on a slow machine. */
const composingMilliseconds = 300_000;

/** Settles when the library holds a routine. */
function hasArrived(library: LocalLibrary, routineId: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      if (library.get('routine', routineId) === undefined) return false;
      resolve();
      return true;
    };
    if (look()) return;
    const stop = library.subscribe(() => {
      if (look()) stop();
    });
  });
}

/** The empty state. */
export function EmptyRoutines({ onCreate }: { onCreate: () => void }): JSX.Element {
  const hasPointer = useMedia(finePointer);
  return (
    <div className="empty" data-testid="routines-empty">
      <div className="empty-stage" aria-hidden="true"><Mark size={112} /></div>
      <h2>{words.routines.welcome}</h2>
      <p>
        {words.routines.welcomeBefore}<b className="word-a">{markerA}</b>
        {words.routines.welcomeBetween}<b className="word-b">{markerB}</b>{words.routines.welcomeAfter}
      </p>
      <Button kind="primary" icon="plus" data-testid="create-first" onClick={onCreate}>
        {words.routines.createFirst}
      </Button>
      <SampleButton />
      {hasPointer && <p className="empty-hint">{words.routines.dropHint}</p>}
    </div>
  );
}

/** Requests the sample routine and opens it once it is here. */
function SampleButton(): JSX.Element {
  const { navigation, library } = useServices();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const compose = async (): Promise<void> => {
    setAsking(true);
    setProblem(null);
    try {
      const { value } = await ask('POST', apiAddress.sample, { milliseconds: composingMilliseconds });
      const routine = String(fieldsOf(value)['routine']);
      void library.refresh();
      await hasArrived(library, routine);
      // Its arrival has replaced this screen by the list; a user who went elsewhere stays there.
      if (navigation.place.route.page === 'routines') navigation.go({ page: 'routine', routineId: routine, partId: null });
    } catch (error) {
      setProblem(words.routines.noSample(reasonOf(error)));
      setAsking(false);
    }
  };

  return (
    <>
      <Button icon="spark" data-testid="try-sample" aria-busy={isAsking} disabled={isAsking} onClick={() => void compose()}>
        {isAsking ? words.routines.composing : words.routines.trySample}
      </Button>
      <p role="alert" className="problem empty-problem">{problem}</p>
    </>
  );
}
