// The welcome: three pages about Segmance, once for a library, or on request.

import { useState } from 'react';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import './welcome.css';

/** The heights of a waveform's bars, cut into three parts. */
const bars = [[4, 9, 14, 8], [12, 20, 16, 22, 11, 17], [7, 15, 10, 5]];

function Parts(): JSX.Element {
  return (
    <div className="welcome-parts">
      {bars.map((part, index) => (
        <span key={index}>{part.map((height, at) => <i key={at} style={{ height: `${height * 4}%` }} />)}</span>
      ))}
    </div>
  );
}

function Moves(): JSX.Element {
  return (
    <div className="welcome-moves">
      {[62, 44, 70].map((width, index) => <span key={width}><b>{index + 1}</b><i style={{ width: `${width}%` }} /></span>)}
    </div>
  );
}

function Loop(): JSX.Element {
  return (
    <div className="welcome-loop">
      <b className="word-a">A</b>
      <Icon name="loop" size={64} />
      <b className="word-b">B</b>
    </div>
  );
}

const pages = [
  {
    title: 'A performance, part by part', Picture: Parts,
    text: 'Drop the songs of a performance here. Each becomes a part of your routine, a page to swipe to.',
  },
  {
    title: 'Every move in its place', Picture: Moves,
    text: 'Write the moves into each part, with a type and notes. Drag them into order; the overview shows them at a glance.',
  },
  {
    title: 'Practise until it sticks', Picture: Loop,
    text: 'Loop a part, or from A to B, without a gap. A countdown gives you the time to get into place.',
  },
] as const;

/** The three pages. */
export function Welcome({ onClose }: { onClose: () => void }): JSX.Element {
  const [index, setIndex] = useState(0);
  const page = pages[index] ?? pages[0];
  const isLast = index === pages.length - 1;
  return (
    <Sheet
      title="Welcome to Segmance" size="tall" onClose={onClose} testId="welcome"
      footer={(
        <>
          {index === 0
            ? <Button kind="quiet" data-testid="welcome-skip" onClick={onClose}>Skip</Button>
            : <Button kind="quiet" data-testid="welcome-back" onClick={() => setIndex(index - 1)}>Back</Button>}
          <Button
            kind="primary" data-first="" data-testid="welcome-next"
            onClick={() => (isLast ? onClose() : setIndex(index + 1))}
          >
            {isLast ? 'Start' : 'Next'}
          </Button>
        </>
      )}
    >
      <div className="welcome">
        <div className="welcome-picture" aria-hidden="true"><page.Picture /></div>
        <div className="welcome-text" aria-live="polite">
          <h3>{page.title}</h3>
          <p>{page.text}</p>
          <p className="only-spoken">{`Page ${index + 1} of ${pages.length}`}</p>
        </div>
        <div className="welcome-dots" aria-hidden="true">
          {pages.map(({ title }, at) => <i key={title} className={at === index ? 'is-here' : undefined} />)}
        </div>
      </div>
    </Sheet>
  );
}
