// A run-through on the whole screen: what is danced now, and a tap anywhere that says it was missed.

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { keepAwake } from '../audio/media';
import type { Miss } from '../practice/misses';
import type { Run } from '../parts/useRun';
import { useFromPlayer, useServices } from '../services/services';
import { StageWords } from '../stageView/StageWords';
import type { StageSource } from '../stageView/useStage';
import { useStageTheme } from '../stageView/useStageTheme';
import { useWholeScreen } from '../stageView/useWholeScreen';
import type { Part, Routine } from '../sync/records';
import { announce } from '../ui/announce';
import { Button, IconButton } from '../ui/Button';
import { remembered } from '../ui/device';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { missText } from './missText';
import './runStage.css';
import { useMissInputs } from './useMissInputs';
import { useSession } from './useSession';

interface RunStageProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly index: number;
  readonly run: Run;
  /** Called once it is over, with the id of its record, if it has one. */
  readonly onEnd: (recordId: string | null) => void;
}

/** How long the latest miss is shown. */
const shownMilliseconds = 8_000;

/** The view, above the routine's page. */
export function RunStage({ routine, parts, index, run, onEnd }: RunStageProps): JSX.Element {
  const { player } = useServices();
  const source = useMemo<StageSource>(() => ({ parts, index, run }), [parts, index, run]);
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const isLoading = useFromPlayer(({ state, wantsToPlay: wants }) => wants && state === 'loading');
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  const isOver = useFromPlayer(({ state }) => state === 'ended');
  const { session, end } = useSession(routine.id, parts, run, onEnd);
  const missed = useSyncExternalStore(session.subscribe, () => session.misses.length);
  const last = useSyncExternalStore(session.subscribe, () => session.last);
  const [hasBegun, setBegun] = useState(false);
  const isPaused = hasBegun && !wantsToPlay && !isOver;
  const tap = useRef<HTMLButtonElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const [isDark] = useStageTheme();
  useWholeScreen(end);
  useEffect(() => keepAwake({ wants: () => true, subscribe: () => () => undefined }), []);
  useEffect(() => {
    if (wantsToPlay) setBegun(true);
  }, [wantsToPlay]);
  useEffect(() => {
    if (hasBegun && isOver) end();
  }, [hasBegun, isOver]);
  useEffect(() => {
    // A pedal or a key must never press a button by accident.
    if (isPaused) foot.current?.querySelector('button')?.focus({ preventScroll: true });
    else tap.current?.focus({ preventScroll: true });
  }, [isPaused]);
  const press = useMissInputs({ session, isPaused, onEnd: end });

  const said = lateWords.runThrough;
  return (
    <div
      className="stageview runstage" role="dialog" aria-modal="true" aria-label={said.title} data-testid="run-through"
      data-theme={isDark ? 'dark' : 'light'} data-controls="shown" data-mirrored={remembered('stageMirror') === 'on'} data-playing={wantsToPlay} data-misses={missed}
    >
      <button
        type="button" className="stageview-tap" ref={tap} data-testid="run-tap" aria-label={said.missed} disabled={isPaused}
        {...press}
      />
      <div key={missed} className={last ? 'stageview-edge is-missed' : 'stageview-edge'} />
      <div className="stageview-content">
        <StageWords source={source} rest={isLoading ? 'loading' : isPaused ? 'paused' : null} onNow={nothing} />
      </div>
      <div className="stageview-controls runstage-controls">
        {!isPaused && (
          <IconButton icon="pause" label={words.player.pause} data-testid="run-pause" onClick={() => player.pause()} />
        )}
        <IconButton icon="close" label={said.end} data-testid="run-end" onClick={end} />
      </div>
      <div className="runstage-foot" ref={foot} data-testid="run-foot">
        {problem !== null && <p className="problem" role="alert">{problem}</p>}
        {isPaused && (
          <div className="runstage-paused">
            <Button kind="primary" icon="play" data-testid="run-go-on" onClick={() => player.play()}>{said.goOn}</Button>
            <Button icon="check" data-testid="run-finish" onClick={end}>{said.finish}</Button>
          </div>
        )}
        {!isPaused && (
          <LastMiss parts={parts} miss={last} missed={missed} onTakeBack={() => session.takeBack()} />
        )}
      </div>
    </div>
  );
}

const nothing = (): void => undefined;

interface LastMissProps {
  readonly parts: readonly Part[];
  readonly miss: Miss | null;
  readonly missed: number;
  readonly onTakeBack: () => void;
}

/** What was missed last, for some seconds, or else what to do. */
function LastMiss({ parts, miss, missed, onTakeBack }: LastMissProps): JSX.Element {
  const { library, counts } = useServices();
  const [shown, setShown] = useState<Miss | null>(null);
  const text = miss && missText(library, counts, parts, miss);
  useEffect(() => {
    setShown(miss);
    if (!miss) return undefined;
    const timer = setTimeout(() => setShown(null), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [miss]);
  const said = lateWords.runThrough;
  useEffect(() => {
    if (text) announce(said.missedMove(text.title));
  }, [miss]);
  return (
    <>
      {shown && text
        ? (
          <>
            <p className="runstage-miss" dir="auto" data-testid="run-missed">{said.missedMove(text.title)}</p>
            <Button isSmall icon="history" data-testid="run-take-back" onClick={onTakeBack}>{said.takeBack}</Button>
          </>
        )
        : (
          <>
            <p className="stageview-hint">{said.hint}</p>
            {missed > 0 && <span className="runstage-count time" data-testid="run-count">{said.misses(missed)}</span>}
          </>
        )}
    </>
  );
}
