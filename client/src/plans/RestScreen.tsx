// A rest between two steps: the seconds that are left, and what comes next.

import { useEffect, useRef, useState } from 'react';
import { Fitted } from '../stageView/Fitted';
import { lateWords } from '../words/lateWords';

interface RestScreenProps {
  readonly seconds: number;
  readonly isPaused: boolean;
  /** The name of the next step; null if there is none. */
  readonly next: string | null;
  readonly onOver: () => void;
}

/** Counts down, except while it is paused. */
export function RestScreen({ seconds, isPaused, next, onOver }: RestScreenProps): JSX.Element {
  const [left, setLeft] = useState(seconds * 1_000);
  const over = useRef(onOver);
  over.current = onOver;
  const remaining = useRef(left);
  useEffect(() => {
    if (isPaused) return undefined;
    const end = performance.now() + remaining.current;
    const show = (): void => {
      remaining.current = Math.max(0, end - performance.now());
      setLeft(remaining.current);
      if (remaining.current > 0) return;
      clearInterval(timer);
      over.current();
    };
    const timer = setInterval(show, 200);
    show();
    return () => clearInterval(timer);
  }, [isPaused]);
  const shown = String(Math.ceil(left / 1_000));
  return (
    <div className="stageview-words session-rest" data-kind="waiting" data-layout="above" data-testid="session-rest">
      <div className="stageview-number">
        <Fitted className="time" fitKey={shown.replace(/\d/g, '8')}>
          <span aria-hidden="true">{shown}</span>
        </Fitted>
      </div>
      {next !== null && (
        <div className="stageview-next">
          <i className="stageview-colour" />
          <Fitted className="stageview-next-words" fitKey={next}>
            <bdi className="only-spoken">{lateWords.stage.next}</bdi>
            {next}
          </Fitted>
        </div>
      )}
    </div>
  );
}
