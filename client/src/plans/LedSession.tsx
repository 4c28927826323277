// A session that leads itself: each step is announced, counted in and played; then it rests and goes on.

import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import { keepAwake } from '../audio/media';
import type { Led, SessionHandle } from '../parts/led';
import { sessionKey } from '../player/keys';
import { callMoves } from '../player/lazy';
import { useFollowRun } from '../parts/useRun';
import type { PlanStep } from '../practice/plan';
import { useFromPlayer, useLibrary, usePlace, useServices, useSetting } from '../services/services';
import { StageWords } from '../stageView/StageWords';
import { useWholeScreen } from '../stageView/useWholeScreen';
import type { Part } from '../sync/records';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { announcementOf } from './announcement';
import { ledStep } from './ledSteps';
import { SessionControls } from './SessionControls';
import { SessionEnd } from './SessionEnd';
import { RestScreen } from './RestScreen';
import { sessionAfter, sessionStart, type SessionAction, type SessionState } from './sessionState';
import { stepTitle } from './stepText';
import { usePlanParts } from './usePlanParts';

interface LedSessionProps {
  readonly parts: readonly Part[];
  readonly index: number;
  readonly steps: readonly PlanStep[];
  readonly led: Led | null;
  /** Sets what the player plays. */
  readonly onLed: (led: Led | null) => void;
  /** Whether a run-through is played, and plays one from a part on. */
  readonly isThrough: boolean;
  readonly onThrough: (index: number) => void;
  /** Gives what media keys and a remote may do; null at the end. */
  readonly onHandle: (handle: SessionHandle | null) => void;
  readonly onShow: (index: number) => void;
  readonly onClose: () => void;
}

/** The session, above the routine's page, from its first step to its end. */
export function LedSession({ parts, index, steps, led, onLed, isThrough, onThrough, onHandle, onShow, onClose }: LedSessionProps): JSX.Element {
  const { player } = useServices();
  const { parts: playable, loader } = usePlanParts(parts);
  const [state, dispatch] = useReducer(
    (before: SessionState, action: SessionAction) => sessionAfter(before, action, steps.length), sessionStart);
  const step = steps[state.at];
  const language = useSetting('callerLanguage');
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const isLoading = useFromPlayer((snapshot) => snapshot.wantsToPlay && snapshot.state === 'loading');
  const [isRestPaused, setRestPaused] = useState(false);
  const hasBegun = useRef(false);
  const next = useCallback(() => dispatch({ kind: 'next' }), []);
  const again = useCallback(() => dispatch({ kind: 'again', hasBegun: hasBegun.current }), []);
  const longer = useCallback(() => dispatch({ kind: 'longer' }), []);
  useLibrary();
  const title = step ? stepTitle(step, parts) : lateWords.plans.over;
  useEffect(() => onHandle({ title, next, again, longer }), [onHandle, title, next, again, longer]);
  useEffect(() => () => onHandle(null), [onHandle]);

  const latest = useRef({ playable, parts, language });
  latest.current = { playable, parts, language };
  // A new attempt plays anew; the counts of the tracks, which may come later, wait for the next step.
  useEffect(() => {
    hasBegun.current = false;
    setRestPaused(false);
    player.pause();
    if (!step || step.kind === 'rest') {
      onLed(null);
      return undefined;
    }
    if (step.kind === 'runThrough') {
      onLed(null);
      const first = latest.current.playable.find(({ id }) => id === step.firstPart) ?? latest.current.playable[0];
      if (first) onThrough(first.index);
      else next();
      return undefined;
    }
    const made = ledStep(step, latest.current.playable, `session-${state.attempt}`);
    if (!made) {
      next();
      return undefined;
    }
    let isCurrent = true;
    const begin = (announcement: string | null): void => {
      if (!isCurrent) return;
      onShow(made.run.indices[0] ?? 0);
      onLed({ ...made, announcement });
    };
    // What says it may not be loaded yet; without it the step begins in silence.
    void Promise.all([
      announcementOf(step, latest.current.parts, latest.current.language), callMoves.load().catch(() => null),
    ]).then(([announcement]) => begin(announcement));
    return () => {
      isCurrent = false;
    };
  }, [step, state.attempt, player, onLed]);

  useRunThrough(step?.kind === 'runThrough', isThrough, next);
  useStepPlayback(led, { onEnded: next, onBegun: () => { hasBegun.current = true; } });
  useEffect(() => {
    if (!led || led.announcement === null) return undefined;
    // Said once: the passes after the first begin without it.
    return player.subscribe(() => {
      if (player.snapshot.state === 'playing') onLed({ ...led, announcement: null });
    });
  }, [led, player, onLed]);
  useEffect(() => {
    const { extraPasses } = state;
    if (!led || !step || extraPasses === 0) return;
    onLed({ ...led, settings: { ...led.settings, repeatLimit: Math.max(1, step.passes) + extraPasses } });
  }, [state.extraPasses]);
  useFollowRun(led?.run ?? null, index, onShow);
  useEffect(() => () => {
    player.pause();
    onLed(null);
  }, [player, onLed]);

  const isResting = step?.kind === 'rest';
  const toggle = (): void => {
    if (isResting) setRestPaused(!isRestPaused);
    else if (led) player.toggle();
  };
  useSessionKeys(!isThrough, {
    next, again, toggle, longer, end: onClose,
  });
  // Leaving the full screen does not end the session.
  useWholeScreen(() => undefined);
  useEffect(() => keepAwake({ wants: () => true, subscribe: () => () => undefined }, () => undefined), []);
  const tap = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    tap.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);

  const source = useMemo(() => ({ parts, index, run: led?.run ?? null }), [parts, index, led?.run]);
  const said = lateWords.plans;
  const isPaused = isResting ? isRestPaused : !wantsToPlay;
  // The run-through has the screen, and then its review.
  if (step?.kind === 'runThrough') return loader;
  return (
    <div
      className="stageview session" role="dialog" aria-modal="true" aria-label={said.session} data-testid="session"
      data-step={state.at} data-controls="shown"
    >
      {loader}
      {!step
        ? <SessionEnd steps={steps.length} onAgain={again} onClose={onClose} />
        : (
          <>
            <button
              type="button" className="stageview-tap" ref={tap} data-testid="session-tap"
              aria-label={isPaused ? words.player.play : words.player.pause} onClick={toggle}
            />
            <SessionControls
              step={step} steps={steps} parts={parts} at={state.at} extraPasses={state.extraPasses} isPaused={isPaused}
              onToggle={toggle} onNext={next} onAgain={again} onLonger={longer} onClose={onClose}
            >
              {isResting
                ? (
                  <RestScreen
                    key={state.attempt} seconds={step.restSeconds} isPaused={isRestPaused} onOver={next}
                    next={steps[state.at + 1] ? stepTitle(steps[state.at + 1] as PlanStep, parts) : null}
                  />
                )
                : led
                  ? <StageWords source={source} rest={isLoading ? 'loading' : wantsToPlay ? null : 'paused'} onNow={ignore} />
                  : <p className="session-wait" aria-live="polite">{title}</p>}
            </SessionControls>
          </>
        )}
    </div>
  );
}

const ignore = (): void => undefined;

/** Starts a step once its announcement is here, and tells when it sounds and when it is over. */
function useStepPlayback(led: Led | null, told: { readonly onEnded: () => void; readonly onBegun: () => void }): void {
  const { player } = useServices();
  const latest = useRef(told);
  latest.current = told;
  const id = led?.playable.id ?? null;
  useEffect(() => {
    if (id === null) return undefined;
    let isStarted = false;
    let isOver = false;
    const start = (): void => {
      if (isStarted) return;
      isStarted = true;
      clearTimeout(timer);
      player.play();
    };
    // Without its announcement rather than not at all.
    const timer = setTimeout(start, longestWait);
    const follow = (): void => {
      const { state, isFetchingNames } = player.snapshot;
      if (!isStarted) {
        if (!isFetchingNames) start();
        return;
      }
      if (state === 'playing') latest.current.onBegun();
      // Once: what is loaded next may still be on its way.
      if (state !== 'ended' || isOver) return;
      isOver = true;
      latest.current.onEnded();
    };
    const stop = player.subscribe(follow);
    follow();
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [id, player]);
}

/** The longest wait for an announcement, in milliseconds. */
const longestWait = 2_000;

/** Goes on once a run-through and its review are over. */
function useRunThrough(isStep: boolean, isThrough: boolean, onOver: () => void): void {
  const { navigation } = useServices();
  const { overlays } = usePlace();
  const hasBegun = useRef(false);
  const isReviewed = overlays.some((name) => name.startsWith('review:'));
  // Before the page is painted: below the review lies the sheet that starts run-throughs.
  useLayoutEffect(() => {
    if (!isStep) hasBegun.current = false;
    else if (isThrough) hasBegun.current = true;
    else if (hasBegun.current && !isReviewed) {
      hasBegun.current = false;
      navigation.close('runThrough');
      onOver();
    }
  }, [isStep, isThrough, isReviewed]);
}

function useSessionKeys(isActive: boolean, actions: { readonly [K in NonNullable<ReturnType<typeof sessionKey>>]: () => void }): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    if (!isActive) return undefined;
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest('input, textarea, select, dialog, [role=menu]')) return;
      const action = sessionKey(event);
      if (action === null || event.repeat) return;
      // The space bar presses a button that has keyboard focus.
      if (action === 'toggle' && target?.matches('button:focus-visible')) return;
      latest.current[action]();
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [isActive]);
}
