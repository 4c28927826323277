// Run-throughs on the page of a routine: the sheet that starts them, the view while one is played, and its review.

import { useEffect, useRef } from 'react';
import type { Run } from '../parts/useRun';
import { useOverlay, usePlace, useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import { Glow } from './Glow';
import { Review } from './Review';
import { RunStage } from './RunStage';
import { RunThroughSheet } from './RunThroughSheet';

interface RunThroughOnPageProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly index: number;
  /** The whole routine, while it is played in one go. */
  readonly run: Run | null;
  readonly percent: number;
  /** Whether a run-through is played. */
  readonly isOn: boolean;
  readonly onPercent: (percent: number) => void;
  readonly onShow: (index: number) => void;
  readonly onSwitch: (isOn: boolean) => void;
}

const reviewed = 'review:';

/** All of run-throughs that the page shows. */
export function RunThroughOnPage({
  routine, parts, index, run, percent, isOn, onPercent, onShow, onSwitch,
}: RunThroughOnPageProps): JSX.Element | null {
  const { navigation } = useServices();
  const [isOpen, , close] = useOverlay('runThrough');
  const { overlays } = usePlace();
  const review = overlays.find((name) => name.startsWith(reviewed))?.slice(reviewed.length);
  const ended = useRef<(recordId: string | null) => void>(() => undefined);
  ended.current = (recordId) => {
    onSwitch(false);
    if (recordId !== null) navigation.open(`${reviewed}${recordId}`);
    else close();
  };
  const isPlayed = isOn && isOpen;
  useEffect(() => {
    // Back was pressed, or another page closed all sheets.
    if (isOn && !isOpen) onSwitch(false);
  }, [isOn, isOpen]);
  const shown = (): JSX.Element | null => {
    if (isPlayed) {
      return run && <RunStage routine={routine} parts={parts} index={index} run={run} onEnd={(recordId) => ended.current(recordId)} />;
    }
    if (review !== undefined) {
      return (
        <Review
          key={review} runId={review} routine={routine} parts={parts}
          onClose={() => navigation.close(`${reviewed}${review}`)}
        />
      );
    }
    return isOpen ? (
      <RunThroughSheet
        routine={routine} parts={parts} index={index} percent={percent} onPercent={onPercent} onClose={close}
        onStart={(first) => {
          onShow(first);
          onSwitch(true);
        }}
      />
    ) : null;
  };
  return (
    <>
      <Glow key={routine.id} routineId={routine.id} parts={parts} />
      {shown()}
    </>
  );
}
