// The count that is heard, and its place in the part, drawn with every frame of the screen.

import { useRef } from 'react';
import type { CountPosition } from '../counts/grid';
import { words } from '../words/words';
import './currentCount.css';
import { usePlayhead } from '../parts/usePlayhead';

interface CountTextProps {
  /** Returns the count at a frame; null where there is none. */
  readonly placeOf: (frame: number) => CountPosition | null;
  /** The prefix of the test ids. */
  readonly testId: string;
  /** Called with every frame of the screen: whether there is a count. */
  readonly onShown: (isShown: boolean) => void;
}

/** A large number and its place; the last ones stay where there is no count. */
export function CountText({ placeOf, testId, onShown }: CountTextProps): JSX.Element {
  const count = useRef<HTMLSpanElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  usePlayhead((frame) => {
    const position = placeOf(frame);
    if (!count.current || !place.current) return;
    onShown(position !== null);
    if (position === null) return;
    write(count.current, `${position.count}`);
    write(place.current, position.eight > 0
      ? words.player.countPlace(position.eight, position.count)
      : words.player.pickUpPlace(position.count));
  });
  return (
    <>
      <span className="current-count-now" aria-hidden="true" ref={count} data-testid={`${testId}-now`} />
      <span className="current-count-place" ref={place} data-testid={`${testId}-place`} />
    </>
  );
}

/** Sets a text unless it is there: it is asked for with every frame of the screen. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
