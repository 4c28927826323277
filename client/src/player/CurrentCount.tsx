// The count that is heard, large in the player; a press opens its corrections.

import { useRef } from 'react';
import { useFromCounts, useServices } from '../services/services';
import { words } from '../words/words';
import { CountText } from './CountText';

/** The current count; hidden where there is none. In a run, which has several songs, it corrects nothing. */
export function CurrentCount({ isRun, mayCorrect }: { isRun: boolean; mayCorrect: boolean }): JSX.Element {
  const { navigation, counts } = useServices();
  // Other counts are drawn at once, also while nothing plays.
  useFromCounts(({ version }) => version);
  const box = useRef<HTMLElement | null>(null);
  const shared = {
    className: 'current-count', hidden: true, 'data-testid': 'current-count',
    ref: (element: HTMLElement | null) => {
      box.current = element;
    },
  };
  const text = (
    <CountText
      placeOf={(frame) => counts.place(frame)} testId="count"
      onShown={(isShown) => {
        if (box.current && box.current.hidden === isShown) box.current.hidden = !isShown;
      }}
    />
  );
  if (isRun || !mayCorrect) return <p {...shared}>{text}</p>;
  return (
    <button type="button" {...shared} aria-haspopup="dialog" title={words.player.counts} onClick={() => navigation.open('counts')}>
      <span className="only-spoken">{words.player.counts}</span>
      {text}
    </button>
  );
}
