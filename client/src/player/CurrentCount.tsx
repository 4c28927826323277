// The count that is heard, large, and its place in the song.

import { useRef } from 'react';
import { words } from '../words/words';
import './currentCount.css';
import { usePlayhead } from './usePlayhead';
import { useTrackGrid } from './useTrackGrid';

/** The current count; hidden where the track has none. */
export function CurrentCount({ trackId }: { trackId: string }): JSX.Element {
  const grid = useTrackGrid(trackId);
  const box = useRef<HTMLParagraphElement>(null);
  const count = useRef<HTMLSpanElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  usePlayhead((frame) => {
    const position = grid?.position(frame) ?? null;
    if (!box.current || !count.current || !place.current) return;
    if (box.current.hidden !== (position === null)) box.current.hidden = position === null;
    if (position === null) return;
    write(count.current, `${position.count}`);
    write(place.current, position.eight > 0
      ? words.player.countPlace(position.eight, position.count)
      : words.player.pickUpPlace(position.count));
  });
  return (
    <p className="current-count" hidden ref={box} data-testid="current-count">
      <span className="current-count-now" aria-hidden="true" ref={count} data-testid="count-now" />
      <span className="current-count-place" ref={place} data-testid="count-place" />
    </p>
  );
}

/** Sets a text unless it is there: it is asked for with every frame of the screen. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
