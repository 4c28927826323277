// The rectangle of the floating video, which this device remembers, and its change by dragging.

import { useRef, useState, type PointerEvent } from 'react';
import { remember, remembered } from '../ui/device';
import { boxOf, draggedCorner, firstPlace, parsePlace, placeOf, placeText, topPlace, type Box } from './floatingBox';
import type { AutoHide } from './useAutoHide';
import { useFreeArea } from './useFreeArea';

/** The rectangle, and the function that changes it. */
export interface Floating {
  /** Null if there is no room. */
  readonly box: Box | null;
  readonly move: (to: Box) => void;
}

/** A pointer that moved less than this has pressed, not dragged. */
const pressReach = 6;

/** Keeps the rectangle of a video with an aspect (width by height) in the free area. */
export function useFloating(aspect: number, panelHeight: number): Floating {
  const { window: screen, room, isAbovePlayer } = useFreeArea(panelHeight);
  const [place, setPlace] = useState(() => parsePlace(remembered('videoPlace')) ?? firstPlace);
  return {
    box: room && boxOf(isAbovePlayer ? topPlace : place, aspect, room, screen),
    move(to) {
      if (!room || isAbovePlayer) return;
      const next = placeOf(to, aspect, room, screen);
      setPlace(next);
      remember('videoPlace', placeText(next));
    },
  };
}

interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: () => void;
}

/** Returns the handlers that move the rectangle, or resize it by its corner; a press is passed on. */
export function useDrag({ box, move }: Floating, isFull: boolean, buttons: AutoHide): DragHandlers {
  const drag = useRef<{ id: number; x: number; y: number; box: Box; isCorner: boolean; hasMoved: boolean } | null>(null);
  return {
    onPointerDown(event) {
      if (event.button !== 0 || !box) return;
      const target = event.target as Element;
      if (target.closest('button, input, select, [role=menu], a')) return;
      const isCorner = target.closest('.video-corner') !== null;
      drag.current = { id: event.pointerId, x: event.clientX, y: event.clientY, box, isCorner, hasMoved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event) {
      const { current } = drag;
      if (!current || current.id !== event.pointerId) {
        if (event.pointerType === 'mouse') buttons.wake();
        return;
      }
      const [dx, dy] = [event.clientX - current.x, event.clientY - current.y];
      if (!current.hasMoved && Math.hypot(dx, dy) < pressReach) return;
      current.hasMoved = true;
      if (isFull) return;
      move(current.isCorner
        ? draggedCorner(current.box, dx, dy)
        : { ...current.box, left: current.box.left + dx, top: current.box.top + dy });
    },
    onPointerUp(event) {
      const { current } = drag;
      if (!current || current.id !== event.pointerId) return;
      drag.current = null;
      if (current.hasMoved || event.pointerType === 'mouse') buttons.wake();
      else buttons.tap();
    },
    onPointerCancel() {
      drag.current = null;
    },
  };
}
