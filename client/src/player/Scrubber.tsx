// The waveform of a part as its scrubber: tap or drag to seek; A and B move by drag or by keys.

import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useServices } from '../services/services';
import { clockWithTenths, framesOf, spokenTime } from '../ui/time';
import { Waveform } from '../ui/Waveform';
import { words } from '../words/words';
import { fractionOf, frameAt } from '../parts/progress';
import './scrubber.css';
import { dragMarker, markerStepFrames, stepMarker, type LoopState } from '../parts/section';
import { seekByStep } from '../parts/seekStep';
import { stopsOf } from '../parts/stops';
import type { PartLoop, PlayablePart } from './usePartLoop';
import { usePlayhead } from '../parts/usePlayhead';

interface ScrubberProps {
  readonly playable: PlayablePart;
  /** Without it there are no markers: a whole track is played. */
  readonly loop: PartLoop | null;
  /** Drawn over the waveform. */
  readonly children?: ReactNode;
}

/** Waveform, needle and markers. */
export function Scrubber({ playable, loop, children }: ScrubberProps): JSX.Element {
  const services = useServices();
  const { player } = services;
  const box = useRef<HTMLDivElement>(null);
  const needle = useRef<HTMLDivElement>(null);
  const played = useRef<HTMLCanvasElement>(null);
  const isSeeking = useRef(false);
  const [dragged, setDragged] = useState<LoopState | null>(null);
  const { partId, trackId, startFrame, endFrame } = playable;
  const stretches = useMemo(
    () => playable.stretches ?? [{ trackId, startFrame, endFrame }],
    [playable.stretches, trackId, startFrame, endFrame]);
  // The page may switch while a marker is dragged: the drag ends with its part.
  useEffect(() => () => setDragged(null), [partId]);
  const state = dragged ?? loop?.state ?? null;

  const frameOf = (event: { clientX: number }): number => {
    const rect = box.current?.getBoundingClientRect();
    return frameAt(event.clientX, rect?.left ?? 0, rect?.width ?? 0, playable);
  };
  usePlayhead((frame) => {
    const percent = fractionOf(frame, playable) * 100;
    if (needle.current) needle.current.style.transform = `translateX(${percent}%)`;
    if (played.current) played.current.style.clipPath = `inset(0 ${100 - percent}% 0 0)`;
    const second = String(Math.floor((frame - startFrame) / framesOf(1)));
    const slider = box.current;
    if (slider && slider.getAttribute('aria-valuenow') !== second) {
      slider.setAttribute('aria-valuenow', second);
      slider.setAttribute('aria-valuetext', spokenTime(frame - startFrame));
    }
  });

  return (
    <div className="scrubber">
      <div
        ref={box} className="scrubber-wave" role="slider" tabIndex={0} aria-label={words.player.position}
        aria-valuemin={0} aria-valuemax={Math.floor((endFrame - startFrame) / framesOf(1))}
        aria-valuenow={0} data-testid="scrubber"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          isSeeking.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          player.seek(frameOf(event));
        }}
        onPointerMove={(event) => {
          if (isSeeking.current) player.seek(frameOf(event));
        }}
        onPointerUp={() => {
          isSeeking.current = false;
        }}
        onPointerCancel={() => {
          isSeeking.current = false;
        }}
        onKeyDown={(event) => {
          const back = event.key === 'ArrowLeft' || event.key === 'ArrowDown';
          if (!event.shiftKey && (back || event.key === 'ArrowRight' || event.key === 'ArrowUp')) seekByStep(services, back ? -1 : 1);
          else if (event.key === 'Home') player.seek(startFrame);
          else if (event.key === 'End') player.seek(endFrame);
          else return;
          event.preventDefault();
        }}
      >
        <Waveform stretches={stretches} double playedRef={played} />
        {children}
        {state && <SectionTint state={state} playable={playable} />}
        <div ref={needle} className="scrubber-needle"><i /></div>
      </div>
      {loop && state && (['a', 'b'] as const).map((which) => (
        <Marker
          key={`${partId} ${which}`} which={which} state={state} playable={playable} frameOf={frameOf}
          onDrag={setDragged}
          onSet={(next) => {
            setDragged(null);
            loop.set(next);
          }}
          onClear={loop.clear}
        />
      ))}
    </div>
  );
}

function SectionTint({ state, playable }: { state: LoopState; playable: PlayablePart }): JSX.Element | null {
  if (state.markerA === null || state.markerB === null) return null;
  return (
    <div
      className={state.loopMode === 'section' ? 'section-tint is-active' : 'section-tint'}
      style={{
        left: `${fractionOf(state.markerA, playable) * 100}%`,
        right: `${(1 - fractionOf(state.markerB, playable)) * 100}%`,
      }}
    />
  );
}

interface MarkerProps {
  readonly which: 'a' | 'b';
  readonly state: LoopState;
  readonly playable: PlayablePart;
  readonly frameOf: (event: { clientX: number }) => number;
  /** Shows a state that is not set yet; null shows the stored one. */
  readonly onDrag: (state: LoopState | null) => void;
  readonly onSet: (state: LoopState) => void;
  readonly onClear: () => void;
}

function Marker({
  which, state, playable, frameOf, onDrag, onSet, onClear,
}: MarkerProps): JSX.Element | null {
  /**
   * The current drag: the letter of the dragged marker, where it was grabbed, and the resulting
   * state.
   */
  const drag = useRef<{ which: 'a' | 'b'; offset: number; state: LoopState; hasMoved: boolean } | null>(null);
  const services = useServices();
  const frame = which === 'a' ? state.markerA : state.markerB;
  if (frame === null) return null;
  const letter = which.toUpperCase();
  const move = (to: number): void => onSet(dragMarker(state, which, to, playable, stopsOf(services)).state);
  const step = (direction: 1 | -1): void => {
    const stepped = stepMarker(state, which, direction, playable, stopsOf(services));
    if (stepped) onSet(stepped);
  };

  return (
    <div
      className={`marker marker-${which}`} style={{ left: `${fractionOf(frame, playable) * 100}%` }}
      role="slider" tabIndex={0} aria-label={which === 'a' ? words.player.markA : words.player.markB}
      aria-valuemin={0} aria-valuemax={playable.endFrame - playable.startFrame}
      aria-valuenow={frame - playable.startFrame} aria-valuetext={clockWithTenths(frame - playable.startFrame)}
      data-testid={`marker-${which}`} data-frame={frame}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { which, offset: frame - frameOf(event), state, hasMoved: false };
      }}
      onPointerMove={(event) => {
        if (!drag.current) return;
        const next = dragMarker(
          drag.current.state, drag.current.which, frameOf(event) + drag.current.offset, playable, stopsOf(services),
        );
        drag.current = { ...drag.current, ...next, hasMoved: true };
        onDrag(next.state);
      }}
      onPointerUp={() => {
        if (drag.current?.hasMoved) onSet(drag.current.state);
        drag.current = null;
      }}
      onPointerCancel={() => {
        onDrag(null);
        drag.current = null;
      }}
      onKeyDown={(event) => {
        const arrow = event.key === 'ArrowLeft' || event.key === 'ArrowDown'
          ? -1 : event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : null;
        if (arrow && event.shiftKey) move(frame + arrow * markerStepFrames * 10);
        else if (arrow) step(arrow);
        else if (event.key === 'PageDown') move(frame - markerStepFrames * 50);
        else if (event.key === 'PageUp') move(frame + markerStepFrames * 50);
        else if (event.key === 'Home') move(playable.startFrame);
        else if (event.key === 'End') move(playable.endFrame);
        else if (event.key === 'Delete' || event.key === 'Backspace') onClear();
        else return;
        event.preventDefault();
      }}
    >
      <span className="marker-flag">{letter}</span>
    </div>
  );
}
