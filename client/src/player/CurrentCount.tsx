// The count that is heard, large in the player; a press opens its corrections.

import { useRef } from 'react';
import { useServices } from '../services/services';
import { words } from '../words/words';
import { CountText } from './CountText';
import { useTrackGrid } from './useTrackGrid';

/** The current count; hidden where the track has none. */
export function CurrentCount({ trackId }: { trackId: string }): JSX.Element {
  const { navigation } = useServices();
  const grid = useTrackGrid(trackId);
  const box = useRef<HTMLButtonElement>(null);
  const show = (isShown: boolean): void => {
    if (box.current && box.current.hidden === isShown) box.current.hidden = !isShown;
  };
  return (
    <button
      type="button" className="current-count" hidden ref={box} aria-haspopup="dialog" title={words.player.counts}
      data-testid="current-count" onClick={() => navigation.open('counts')}
    >
      <span className="only-spoken">{words.player.counts}</span>
      <CountText grid={grid} testId="count" onShown={show} />
    </button>
  );
}
