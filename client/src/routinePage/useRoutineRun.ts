// Playing the whole routine, on its page: the switch, and the speed.

import { useEffect, useMemo, useState } from 'react';
import { fastest, slowest } from '../parts/practiceSettings';
import { throughPlayable, useFollowRun, useRun, type Run } from '../parts/useRun';
import type { Part } from '../sync/records';

/** The run of a routine's page. */
export interface RoutineRun {
  /** Null while single parts are practised. */
  readonly run: Run | null;
  readonly isOn: boolean;
  /** Whether any part can be played. */
  readonly canStart: boolean;
  readonly toggle: () => void;
  readonly percent: number;
  readonly setPercent: (percent: number) => void;
  /** Changes the speed by this many percent. */
  readonly changeSpeed: (delta: number) => void;
}

/** Keeps the run; the page follows it, and it follows the page. A run-through begins a run of its own. */
export function useRoutineRun(
  routineId: string, parts: readonly Part[], index: number, show: (index: number) => void,
  isThrough: boolean,
): RoutineRun {
  const wholeRun = useRun(routineId, parts);
  const [isOn, setOn] = useState(false);
  const [percent, setPercent] = useState(100);
  const through = useMemo<Run | null>(() => (
    wholeRun && { ...wholeRun, playable: throughPlayable(wholeRun.playable, routineId) }
  ), [wholeRun, routineId]);
  const run = isThrough ? through : isOn ? wholeRun : null;
  const canRun = wholeRun !== null && parts.length > 1;
  useEffect(() => {
    // Its button disappears, so a run must not resume by itself.
    if (!canRun || isThrough) setOn(false);
  }, [canRun, isThrough]);
  useFollowRun(run, index, show);
  return {
    run, isOn, percent, setPercent,
    canStart: wholeRun !== null,
    toggle: () => setOn(!isOn),
    changeSpeed: (delta) => setPercent((before) => Math.min(fastest, Math.max(slowest, before + delta))),
  };
}
