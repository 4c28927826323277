// What stands in place of a list that the server has not sent yet.

import type { Asked } from '../devices/useAsked';
import { Button } from '../ui/Button';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** A skeleton, or why there is no list and a way to ask again; nothing once it is here. */
export function Asking({ asked: { value, problem, again } }: { asked: Asked<unknown> }): JSX.Element | null {
  if (value !== null) return null;
  if (problem === null) return <div className="skeleton devices-skeleton" aria-busy="true" />;
  return (
    <div className="nothing-yet" role="alert">
      <p>{`${problem} ${lateWords.people.unreachable}`}</p>
      <Button icon="retry" onClick={() => void again()}>{words.common.retry}</Button>
    </div>
  );
}
