// Binds fingers, mouse and wheel on the wave to the view and to what the page is told.

import { useLayoutEffect, useRef, type RefObject } from 'react';
import { longPressMilliseconds, WaveGesture, type GesturePoint } from './gesture';
import type { StageView } from './stageView';
import type { StageProps } from './types';
import { frameAt, panBy, zoomAbout, zoomTo } from './viewport';

/** How far one notch of a wheel zooms: 120 pixels make about a third. */
const wheelZoom = 0.0024;
const pixelsPerLine = 16;
const pixelsPerPage = 240;

/** A drag to make a selection, as far as it has come. */
interface Selecting {
  readonly anchorFrame: number;
  isFree: boolean;
}

/** Listens on `wave`; `anchor` is shown where a finger has rested. */
export function useWaveGestures(
  stage: StageView, wave: RefObject<HTMLElement>, anchor: RefObject<HTMLElement>, props: StageProps,
): void {
  const latest = useRef(props);
  latest.current = props;

  // Before the page is painted, as the wave's measures are: a press as it appears is heard.
  useLayoutEffect(() => {
    const element = wave.current;
    if (!element) return undefined;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let selecting: Selecting | null = null;
    let pinched: { one: number; other: number } | null = null;
    let isFree = false;

    const showAnchor = (x: number | null): void => {
      const line = anchor.current;
      if (!line) return;
      line.hidden = x === null;
      if (x !== null) line.style.transform = `translateX(${x}px)`;
    };
    const frameOf = (x: number): number => Math.round(
      Math.max(0, Math.min(frameAt(stage.view, x), latest.current.lengthFrames)),
    );
    const tell = (): void => {
      if (!selecting || !stage.pull) return;
      latest.current.onSelect('new', frameOf(stage.pull.pixel), selecting.anchorFrame, {
        freely: selecting.isFree, framesPerPixel: stage.view.framesPerPixel,
      });
    };
    const gesture = new WaveGesture({
      onTap: (x) => latest.current.onSeek(Math.min(frameOf(x), latest.current.lengthFrames - 1)),
      onPan: (pixels) => {
        stage.setFollowing(false);
        stage.show(panBy(stage.view, -pixels));
      },
      onPanEnd: () => {
        pinched = null;
      },
      onPinchStart: (one, other) => {
        pinched = { one: frameAt(stage.view, one), other: frameAt(stage.view, other) };
      },
      onPinch: (one, other) => {
        if (!pinched) return;
        // The frames under the two fingers stay there; fingers on one spot would show nothing.
        const apart = Math.max(16, Math.abs(other - one));
        const scale = Math.abs(pinched.other - pinched.one) / apart || stage.view.framesPerPixel;
        stage.show(zoomTo(stage.view, (pinched.one + pinched.other) / 2, (one + other) / 2, scale));
        stage.keepFollowing(latest.current.position());
      },
      onHold: (x) => {
        navigator.vibrate?.(12);
        showAnchor(x);
      },
      onSelectStart: (x) => {
        showAnchor(null);
        selecting = { anchorFrame: frameOf(x), isFree };
        stage.pull = { begin: x, pixel: x, onMoved: tell };
      },
      onSelect: (x) => {
        if (!selecting || !stage.pull) return;
        selecting.isFree = isFree;
        stage.pull.pixel = x;
        tell();
      },
      onSelectEnd: () => {
        selecting = null;
        stage.pull = null;
        latest.current.onSelectEnd();
      },
      onHoldEnd: () => showAnchor(null),
    });

    const pointOf = (event: PointerEvent): GesturePoint => {
      const rect = element.getBoundingClientRect();
      return { id: event.pointerId, x: event.clientX - rect.left, y: event.clientY - rect.top };
    };
    const stopTimer = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
    const onDown = (event: PointerEvent): void => {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      // Handles, marks and buttons have presses of their own.
      if (event.target instanceof Element && event.target.closest('[role=slider], button')) return;
      isFree = event.altKey;
      element.setPointerCapture(event.pointerId);
      gesture.down(pointOf(event), event.pointerType === 'touch');
      stopTimer();
      timer = setTimeout(() => gesture.held(), longPressMilliseconds);
    };
    const onMove = (event: PointerEvent): void => {
      isFree = event.altKey;
      gesture.move(pointOf(event));
    };
    const onUp = (event: PointerEvent): void => {
      stopTimer();
      gesture.up(event.pointerId);
    };
    const onCancel = (event: PointerEvent): void => {
      stopTimer();
      gesture.cancel(event.pointerId);
    };
    // The page scrolls by a finger that goes up or down, but not in the middle of a gesture.
    const onTouchMove = (event: TouchEvent): void => {
      if ((gesture.holdsPage || event.touches.length > 1) && event.cancelable) event.preventDefault();
    };
    // A finger that rests would open the browser's own menu.
    const onMenu = (event: Event): void => event.preventDefault();
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const unit = [1, pixelsPerLine, pixelsPerPage][event.deltaMode] ?? 1;
      const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (isAcross && !event.ctrlKey) {
        stage.setFollowing(false);
        stage.show(panBy(stage.view, (event.deltaX || event.deltaY) * unit));
        return;
      }
      // A trackpad's pinch comes as a wheel with Ctrl and small steps.
      const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? 4 : 1) * wheelZoom);
      const x = event.clientX - element.getBoundingClientRect().left;
      stage.show(zoomAbout(stage.view, x, factor));
      stage.keepFollowing(latest.current.position());
    };

    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerup', onUp);
    element.addEventListener('pointercancel', onCancel);
    element.addEventListener('touchmove', onTouchMove, { passive: false });
    element.addEventListener('contextmenu', onMenu);
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      stopTimer();
      stage.pull = null;
      element.removeEventListener('pointerdown', onDown);
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('pointerup', onUp);
      element.removeEventListener('pointercancel', onCancel);
      element.removeEventListener('touchmove', onTouchMove);
      element.removeEventListener('contextmenu', onMenu);
      element.removeEventListener('wheel', onWheel);
    };
  }, [stage, wave, anchor]);
}
