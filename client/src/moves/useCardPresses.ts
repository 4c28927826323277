// Follows the presses on a list of cards, and distinguishes the one that deletes.

import { useEffect, useRef, type HTMLAttributes, type MouseEvent, type PointerEvent } from 'react';
import {
  decide, deleteDelayMilliseconds, dragDelayMilliseconds, zoneOf, type Meaning, type Press,
  type PressEvent,
} from './gesture';

interface FollowedPress {
  meaning: Meaning;
  tell(kind: PressEvent['kind'], event?: globalThis.PointerEvent): void;
  stop(): void;
}

/**
 * Returns the event handlers of the list. SortableJS drags with the same delay and the same zones.
 */
export function useCardPresses(onDelete: (card: HTMLElement) => void): HTMLAttributes<HTMLElement> {
  const current = useRef<FollowedPress | null>(null);
  const latest = useRef(onDelete);
  latest.current = onDelete;
  useEffect(() => () => current.current?.stop(), []);

  return {
    onPointerDownCapture: (event: PointerEvent) => {
      const target = event.target as Element;
      const card = target.closest<HTMLElement>('.move');
      if (event.button !== 0 || !card || target.closest('dialog')) return;
      // A second finger cancels drag and delete.
      current.current?.tell('scrolled');
      current.current?.stop();
      if (event.isPrimary) current.current = follow(event, card, () => latest.current(card));
    },
    onClickCapture: (event: MouseEvent) => {
      const meaning = current.current?.meaning ?? 'press';
      // The click that ends a drag or a hold is ignored; one from the keyboard never is.
      if (event.detail === 0 || meaning === 'press' || meaning === 'text') return;
      event.stopPropagation();
      event.preventDefault();
    },
  };
}

function follow(began: PointerEvent, card: HTMLElement, onDelete: () => void): FollowedPress {
  const press: Omit<Press, 'meaning'> = {
    zone: zoneOf(began.target as Element), isTouch: began.pointerType === 'touch',
  };
  const number = press.zone === 'number' ? card.querySelector('.move-number') : null;
  const { timeStamp, clientX, clientY, pointerId } = began;

  const tell: FollowedPress['tell'] = (kind, event) => {
    const before = followed.meaning;
    followed.meaning = decide({ ...press, meaning: before }, {
      kind,
      heldMilliseconds: (event?.timeStamp ?? performance.now()) - timeStamp,
      movedPixels: event ? Math.hypot(event.clientX - clientX, event.clientY - clientY) : 0,
    });
    if (followed.meaning === 'undecided') return;
    number?.classList.remove('is-holding');
    if (before === 'undecided' && followed.meaning === 'delete') onDelete();
  };
  const pointed = (event: globalThis.PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    tell(event.type === 'pointermove' ? 'moved' : event.type === 'pointerup' ? 'released' : 'scrolled', event);
    if (event.type !== 'pointermove') followed.stop();
  };
  const scrolled = (): void => tell('scrolled');
  // One frame more, so that a release that a busy page has not processed yet comes first.
  const timers = [dragDelayMilliseconds, deleteDelayMilliseconds].map((delay) => setTimeout(() => {
    requestAnimationFrame(() => {
      if (!isStopped) tell('held');
    });
  }, delay));
  const types = ['pointermove', 'pointerup', 'pointercancel'] as const;
  let isStopped = false;
  const followed: FollowedPress = {
    meaning: 'undecided',
    tell,
    stop: () => {
      isStopped = true;
      number?.classList.remove('is-holding');
      timers.forEach(clearTimeout);
      for (const type of types) window.removeEventListener(type, pointed, true);
      window.removeEventListener('scroll', scrolled, true);
    },
  };
  for (const type of types) window.addEventListener(type, pointed, true);
  window.addEventListener('scroll', scrolled, true);
  number?.classList.add('is-holding');
  return followed;
}
