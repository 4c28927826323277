// The parts as numbers in a row, or as a list at the side of a wide screen.

import { useEffect, useRef, type ReactNode } from 'react';
import type { Part } from '../sync/records';
import { prefersReducedMotion } from '../ui/useMedia';
import { words } from '../words/words';
import { PartLength } from '../parts/PartLength';
import { useWeakness } from '../parts/useWeakness';
import { WeakMark } from '../parts/WeakMark';
import './partStrip.css';

interface PartStripProps {
  readonly parts: readonly Part[];
  readonly index: number;
  readonly onShow: (index: number) => void;
  /** Parts that can't be played now. */
  readonly absent: ReadonlySet<string>;
  readonly isSidebar?: boolean;
}

const named = (part: Part, at: number): string => `${at + 1}. ${part.title}`;

/** Shows the current part, and switches to others. */
export function PartStrip({ parts, index, onShow, absent, isSidebar = false }: PartStripProps): JSX.Element {
  const strip = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const list = strip.current;
    const current = list?.children[index];
    if (!list || !(current instanceof HTMLElement)) return;
    // Only the strip scrolls; scrollIntoView would move the page as well.
    list.scrollTo({
      left: current.offsetLeft - (list.clientWidth - current.clientWidth) / 2,
      top: current.offsetTop - (list.clientHeight - current.clientHeight) / 2,
      behavior: prefersReducedMotion() ? 'auto' : 'smooth',
    });
  }, [index, parts.length]);
  useEffect(() => {
    const list = strip.current;
    if (!list || isSidebar) return undefined;
    // As many numbers as fit stand in the row, and none is cut at its end.
    const size = new ResizeObserver(() => {
      const touch = 2.75 * parseFloat(getComputedStyle(document.documentElement).fontSize);
      const fitting = Math.max(1, Math.floor(list.clientWidth / touch));
      list.style.setProperty('--fitting', String(Math.min(fitting, Math.max(8, parts.length))));
    });
    size.observe(list);
    return () => size.disconnect();
  }, [parts.length, isSidebar]);
  return (
    <nav className={isSidebar ? 'part-list' : 'part-strip'} aria-label={words.routinePage.parts}>
      <ol ref={strip} data-testid="part-strip">
        {parts.map((part, at) => (
          <li key={part.id}>
            <PartButton
              id={part.id} isCurrent={at === index} onClick={() => onShow(at)} isAbsent={absent.has(part.id)}
              name={absent.has(part.id) ? words.routinePage.absentPart(named(part, at)) : named(part, at)}
            >
              <span className="part-number time">{at + 1}<WeakMark id={part.id} isSilent /></span>
              {isSidebar && (
                <>
                  <span className="part-name" dir="auto">{part.title}</span>
                  <span className="part-length time">
                    {absent.has(part.id) ? words.routinePage.absent : <PartLength part={part} />}
                  </span>
                </>
              )}
            </PartButton>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The button of a part; its name tells that it is weak. */
function PartButton({ id, name, isCurrent, isAbsent, onClick, children }: {
  id: string; name: string; isCurrent: boolean; isAbsent: boolean; onClick: () => void; children: ReactNode;
}): JSX.Element {
  const weakness = useWeakness(id);
  return (
    <button
      type="button" data-testid="part-number" aria-current={isCurrent ? 'step' : undefined}
      aria-label={weakness ? `${name}, ${weakness.text}` : name} data-absent={isAbsent || undefined} onClick={onClick}
    >
      {children}
    </button>
  );
}
