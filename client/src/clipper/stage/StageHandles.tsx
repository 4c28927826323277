// The ends of the selection and the borders of clips, to drag, or to move by keys. All of them are
// sliders; a drag takes the nearest line, so that two close ones can both be reached, and a press
// without a drag seeks, as on the rest of the wave.

import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { flushSync } from 'react-dom';
import { framesOf } from '../../ui/time';
import { lateWords } from '../../words/lateWords';
import { mouseSlopPixels, touchSlopPixels } from './gesture';
import { spokenExactTime } from './ruler';
import { mostReach, reachesOf } from './reach';
import { pixels, placeOf, useFrame, useStage } from './StageLayer';
import { clamp } from '../model/pieces';
import type { StageProps } from './types';
import { frameAt, pixelAt, reveal } from './viewport';

/** One slider. */
interface Handle {
  readonly key: string;
  readonly kind: 'start' | 'end' | 'border';
  readonly frame: number;
  readonly label: string;
  readonly minFrame: number;
  readonly maxFrame: number;
  /** How far its touch area extends to each side of a border, in pixels. */
  readonly reach: number;
  readonly onMove: (frame: number, isFree: boolean) => void;
  readonly onMoveEnd: () => void;
}

type StageHandlesProps = Pick<
  StageProps,
  'lengthFrames' | 'borders' | 'selection' | 'stepBy' | 'onSelect' | 'onSelectEnd' | 'onBorder' | 'onBorderEnd' | 'onSeek'
>;

/** All handles of the stage. */
export function StageHandles(props: StageHandlesProps): JSX.Element {
  const { lengthFrames, borders, selection, onSelect, onSelectEnd, onBorder, onBorderEnd } = props;
  const stage = useStage();
  const { framesPerPixel } = useFrame();
  const said = lateWords.clipper;
  const hint = (freely: boolean): { freely: boolean; framesPerPixel: number } => (
    { freely, framesPerPixel: stage.view.framesPerPixel }
  );
  const whole = { minFrame: 0, maxFrame: lengthFrames, reach: mostReach };
  const reaches = reachesOf(borders.map(({ frame }) => frame / framesPerPixel));
  const handles: Handle[] = borders.map((border, index) => ({
    ...border, key: border.id, kind: 'border', reach: reaches[index] ?? mostReach,
    onMove: (frame, isFree) => onBorder(border.id, frame, hint(isFree)), onMoveEnd: () => onBorderEnd(border.id),
  }));
  if (selection) {
    const { startFrame, endFrame } = selection;
    handles.push({
      ...whole, key: 'start', kind: 'start', frame: startFrame, label: said.startOfSelection,
      onMove: (frame, isFree) => onSelect('start', frame, endFrame, hint(isFree)), onMoveEnd: onSelectEnd,
    }, {
      ...whole, key: 'end', kind: 'end', frame: endFrame, label: said.endOfSelection,
      onMove: (frame, isFree) => onSelect('end', frame, startFrame, hint(isFree)), onMoveEnd: onSelectEnd,
    });
  }
  const latest = useRef(handles);
  latest.current = handles;
  return (
    <>
      {handles.map((handle) => (
        <HandleView
          key={`${handle.kind} ${handle.key}`} handle={handle} stepBy={props.stepBy}
          current={(kind, key) => latest.current.find((one) => one.kind === kind && one.key === key)}
          nearest={(pixel) => nearestOf(latest.current.filter((one) => isBeside(one, handle)), stage.view, pixel)}
          onSeek={(pixel) => props.onSeek(Math.round(clamp(frameAt(stage.view, pixel), 0, lengthFrames - 1)))}
        />
      ))}
    </>
  );
}

/** Whether two handles may share a row, so that one can cover the other. */
const isBeside = (one: Handle, other: Handle): boolean => (one.kind === 'border') === (other.kind === 'border');

function nearestOf(handles: readonly Handle[], view: Parameters<typeof pixelAt>[0], pixel: number): Handle | undefined {
  const distance = (handle: Handle): number => Math.abs(pixelAt(view, handle.frame) - pixel);
  return [...handles].sort((one, other) => distance(one) - distance(other))[0];
}

interface HandleViewProps {
  readonly handle: Handle;
  readonly stepBy: StageProps['stepBy'];
  /** The current handle: during a drag the page gives it new frames. */
  readonly current: (kind: Handle['kind'], key: string) => Handle | undefined;
  readonly nearest: (pixel: number) => Handle | undefined;
  /** It was pressed at a pixel of the wave, and not dragged. */
  readonly onSeek: (pixel: number) => void;
}

/** A handle that is held, from the press on. */
interface Held {
  readonly kind: Handle['kind'];
  readonly key: string;
  readonly offset: number;
  readonly left: number;
  /** How far the pointer moves before the press is a drag. */
  readonly slop: number;
  isFree: boolean;
  isDragged: boolean;
}

const keySteps: Record<string, number> = {
  ArrowLeft: -framesOf(0.01), ArrowDown: -framesOf(0.01), ArrowRight: framesOf(0.01), ArrowUp: framesOf(0.01),
  PageDown: -framesOf(1), PageUp: framesOf(1), Home: -Infinity, End: Infinity,
};

/** The keys of comma and full stop, wherever Shift leads from them. */
const countKeys: Record<string, 1 | -1> = { Comma: -1, Period: 1 };

function HandleView({ handle, stepBy, current, nearest, onSeek }: HandleViewProps): JSX.Element {
  const stage = useStage();
  const frame = useFrame();
  const drag = useRef<Held | null>(null);
  const isAway = handle.frame < frame.startFrame || handle.frame > frame.endFrame;

  const moveTo = (target: Handle, to: number, isFree: boolean): void => {
    const within = Math.round(Math.max(target.minFrame, Math.min(to, target.maxFrame)));
    if (within !== target.frame) target.onMove(within, isFree);
  };
  const drop = (): void => {
    const held = drag.current;
    if (!held) return;
    drag.current = null;
    stage.pull = null;
    if (!held.isDragged) return;
    // The dragged piece may be deleted meanwhile; the page must still get the end of the drag.
    (current(held.kind, held.key) ?? handle).onMoveEnd();
  };
  const latestDrop = useRef(drop);
  latestDrop.current = drop;
  // A removed handle gets no more pointer events, so its drag ends.
  useEffect(() => () => latestDrop.current(), []);
  const dragOn = (): void => {
    const held = drag.current;
    const target = held && current(held.kind, held.key);
    if (target && stage.pull) moveTo(target, frameAt(stage.view, stage.pull.pixel + held.offset), held.isFree);
  };
  const grab = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0 || drag.current) return;
    const left = event.currentTarget.closest('.stage-wave')?.getBoundingClientRect().left ?? 0;
    const pixel = event.clientX - left;
    const target = nearest(pixel) ?? handle;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      kind: target.kind, key: target.key, offset: pixelAt(stage.view, target.frame) - pixel, left,
      slop: event.pointerType === 'touch' ? touchSlopPixels : mouseSlopPixels, isFree: event.altKey, isDragged: false,
    };
    stage.pull = { begin: pixel, pixel, onMoved: dragOn };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = keySteps[event.key];
    const direction = countKeys[event.code];
    let to = handle.frame;
    if (step !== undefined) to += event.shiftKey ? step * 10 : step;
    else if (direction !== undefined && stepBy) {
      const counted = stepBy(handle.kind, handle.frame, { unit: event.shiftKey ? 'eight' : 'count', direction });
      // A border stays rather than stop at its limit, beside the counts.
      if (counted !== null && counted >= handle.minFrame && counted <= handle.maxFrame) to = counted;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    // Rendered at once: the position to show is where the page places the handle.
    flushSync(() => {
      moveTo(handle, to, true);
      handle.onMoveEnd();
    });
    const moved = current(handle.kind, handle.key);
    if (moved) stage.show(reveal(stage.view, moved.frame));
  };

  return (
    <div
      className={`stage-handle stage-handle-${handle.kind}`}
      style={pixels({ '--at': placeOf(frame, handle.frame), '--reach': handle.reach })}
    >
      <i />
      <div
        role="slider" tabIndex={0} aria-label={handle.label} className={isAway ? 'is-away' : undefined}
        aria-valuemin={handle.minFrame} aria-valuemax={handle.maxFrame} aria-valuenow={handle.frame}
        aria-valuetext={spokenExactTime(handle.frame)} data-frame={handle.frame}
        data-testid={handle.kind === 'border' ? `border-${handle.key}` : `handle-${handle.kind}`}
        onPointerDown={grab}
        onPointerMove={(event) => {
          if (!drag.current || !stage.pull) return;
          const pixel = event.clientX - drag.current.left;
          if (pixel === stage.pull.pixel) return;
          if (!drag.current.isDragged && Math.abs(pixel - stage.pull.begin) <= drag.current.slop) return;
          drag.current.isDragged = true;
          drag.current.isFree = event.altKey;
          stage.pull.pixel = pixel;
          dragOn();
        }}
        onPointerUp={(event) => {
          const held = drag.current;
          drop();
          if (held && !held.isDragged) onSeek(event.clientX - held.left);
        }}
        onPointerCancel={drop} onLostPointerCapture={drop}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          // Only for the keyboard: a pointer press is already in view.
          if (event.currentTarget.matches(':focus-visible')) stage.show(reveal(stage.view, handle.frame));
        }}
      >
        <span />
      </div>
    </div>
  );
}
