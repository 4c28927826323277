// The welcome: three pages about Segmance, once for a library, or on request.

import { useState } from 'react';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
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
      <b className="word-a">{'A'}</b>
      <Icon name="loop" size={64} />
      <b className="word-b">{'B'}</b>
    </div>
  );
}

/** The pages: a picture each, and the keys of its title and its text in the words. */
const pages = [
  { Picture: Parts, title: 'welcomeParts', text: 'welcomePartsText' },
  { Picture: Moves, title: 'welcomeMoves', text: 'welcomeMovesText' },
  { Picture: Loop, title: 'welcomePractice', text: 'welcomePracticeText' },
] as const;

/** The three pages. */
export function Welcome({ onClose }: { onClose: () => void }): JSX.Element {
  const [index, setIndex] = useState(0);
  const page = pages[index] ?? pages[0];
  const { guide } = lateWords;
  const isLast = index === pages.length - 1;
  return (
    <Sheet
      title={guide.welcome} size="tall" onClose={onClose} testId="welcome"
      footer={(
        <>
          {index === 0
            ? <Button kind="quiet" data-testid="welcome-skip" onClick={onClose}>{guide.skip}</Button>
            : <Button kind="quiet" data-testid="welcome-back" onClick={() => setIndex(index - 1)}>{words.common.back}</Button>}
          <Button
            kind="primary" data-first="" data-testid="welcome-next"
            onClick={() => (isLast ? onClose() : setIndex(index + 1))}
          >
            {isLast ? guide.start : guide.next}
          </Button>
        </>
      )}
    >
      <div className="welcome">
        <div className="welcome-picture" aria-hidden="true"><page.Picture /></div>
        <div className="welcome-text" aria-live="polite">
          <h3>{guide[page.title]}</h3>
          <p>{guide[page.text]}</p>
          <p className="only-spoken">{guide.page(index + 1, pages.length)}</p>
        </div>
        <div className="welcome-dots" aria-hidden="true">
          {pages.map(({ title }, at) => <i key={title} className={at === index ? 'is-here' : undefined} />)}
        </div>
      </div>
    </Sheet>
  );
}
