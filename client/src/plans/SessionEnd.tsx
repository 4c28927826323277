// The end of a session.

import { useEffect, useRef } from 'react';
import { Button } from '../ui/Button';
import { words } from '../words/words';
import { lateWords } from '../words/lateWords';

/** Says that all steps are over. */
export function SessionEnd({ steps, onAgain, onClose }: {
  readonly steps: number; readonly onAgain: () => void; readonly onClose: () => void;
}): JSX.Element {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const said = lateWords.plans;
  return (
    <div className="session-end" data-testid="session-end">
      <h2 ref={title} tabIndex={-1}>{said.over}</h2>
      <p>{said.overWhy(steps)}</p>
      <div className="session-end-buttons">
        <Button kind="primary" icon="check" onClick={onClose} data-testid="session-done">{words.common.done}</Button>
        <Button icon="retry" onClick={onAgain}>{said.lastAgain}</Button>
      </div>
    </div>
  );
}
