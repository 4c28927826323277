// What frames a step of a session: where it stands, what is done, and the buttons.

import type { ReactNode } from 'react';
import type { PlanStep } from '../practice/plan';
import { useFromPlayer } from '../services/services';
import type { Part } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { stepDetail, stepTitle } from './stepText';

interface SessionControlsProps {
  readonly step: PlanStep;
  readonly steps: readonly PlanStep[];
  readonly parts: readonly Part[];
  /** The step's index. */
  readonly at: number;
  readonly extraPasses: number;
  readonly isPaused: boolean;
  readonly onToggle: () => void;
  readonly onNext: () => void;
  readonly onAgain: () => void;
  readonly onLonger: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The head, the step itself, and the row of buttons. */
export function SessionControls({
  step, steps, parts, at, extraPasses, isPaused, onToggle, onNext, onAgain, onLonger, onClose, children,
}: SessionControlsProps): JSX.Element {
  const repeat = useFromPlayer((snapshot) => snapshot.repeat);
  const percent = useFromPlayer((snapshot) => snapshot.percent);
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  const said = lateWords.plans;
  const passes = step.passes + extraPasses;
  const isResting = step.kind === 'rest';
  // The stage's words name the part that sounds.
  const isShownBelow = step.kind === 'part' || step.kind === 'runThrough';
  return (
    <>
      <header className="session-head">
        <div className="session-step">
          <b dir="auto" className={isShownBelow ? 'only-spoken' : ''} data-testid="session-title">{stepTitle(step, parts)}</b>
          <span className="time" data-testid="session-detail">
            {isResting || passes < 2
              ? stepDetail(step, extraPasses)
              : said.pass(Math.min(repeat + 1, passes), passes, percentText(percent))}
          </span>
        </div>
        <span className="session-at time" data-testid="session-at">{said.stepOf(at + 1, steps.length)}</span>
        <IconButton icon="close" label={said.end} data-testid="session-close" onClick={onClose} />
      </header>
      <progress className="session-progress" max={steps.length} value={at} aria-label={said.progress} />
      <div className="stageview-content">{children}</div>
      {problem !== null && <p className="problem session-problem" role="alert">{problem}</p>}
      <footer className="session-foot">
        <Button icon="retry" onClick={onAgain} data-testid="session-again" aria-keyshortcuts="ArrowLeft PageUp">{said.again}</Button>
        <IconButton
          icon={isPaused ? 'play' : 'pause'} label={isPaused ? words.player.play : words.player.pause} className="session-play"
          data-testid="session-play" onClick={onToggle}
        />
        <Button
          icon="plus" onClick={onLonger} disabled={isResting} data-testid="session-longer" aria-keyshortcuts="+"
        >
          {said.longer}
        </Button>
        <Button icon="next" onClick={onNext} data-testid="session-skip" aria-keyshortcuts="ArrowRight PageDown">{said.skip}</Button>
      </footer>
    </>
  );
}
