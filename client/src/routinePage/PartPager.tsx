// The parts side by side: swiped on a phone, or changed by keys and the strip.

import { useEffect, useLayoutEffect, useRef } from 'react';
import { useMayEdit } from '../services/services';
import type { Part } from '../sync/records';
import type { MovesLayout } from '../ui/layout';
import { prefersReducedMotion } from '../ui/useMedia';
import { PartPage } from './PartPage';
import { pageAt } from '../parts/progress';

interface PartPagerProps {
  readonly parts: readonly Part[];
  readonly index: number;
  readonly overview: MovesLayout;
  readonly onShow: (index: number) => void;
}

/** Pages this close to the shown one have their content rendered, so that a swipe shows it. */
const reach = 2;

/** What scrolls the pager: a hand, or the pager itself on its way to a page. */
type Mover = 'hand' | 'pager';

/** How long the pager must not move to count as stopped. */
const restMilliseconds = 150;

/** The pages of a routine. */
export function PartPager({ parts, index, overview, onShow }: PartPagerProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const mayEdit = useMayEdit(parts[0]?.routine);
  /** The page that the pager shows, or scrolls to without a finger. */
  const target = useRef(index);
  const isPlaced = useRef(false);
  const mover = useRef<Mover | null>(null);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element || (isPlaced.current && target.current === index)) return;
    const isNear = isPlaced.current && Math.abs(target.current - index) === 1;
    const behavior = isNear && !prefersReducedMotion() ? 'smooth' : 'auto';
    target.current = index;
    isPlaced.current = true;
    mover.current = behavior === 'smooth' ? 'pager' : null;
    element.scrollTo({ left: index * element.clientWidth, behavior });
  }, [index]);

  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    let width = element.clientWidth;
    const touched = (): void => {
      mover.current = 'hand';
    };
    const scrolled = (): void => {
      if (element.clientWidth !== width) return;
      const page = pageAt(element.scrollLeft, width, parts.length);
      if (page === target.current) return;
      // While it scrolls by itself the pager passes other pages; only a hand's scroll chooses a
      // part.
      if (mover.current !== 'hand') return;
      target.current = page;
      onShow(page);
    };
    const settled = (): void => {
      if (mover.current === 'pager') {
        // It has arrived, or was delayed by a busy phone: neither is a choice of a part.
        element.scrollTo({ left: target.current * width });
      } else {
        // Some scrolls begin without a touch (assistive technology): their end position counts.
        mover.current = 'hand';
        scrolled();
      }
      mover.current = null;
    };
    let rest: ReturnType<typeof setTimeout> | undefined;
    const moved = (): void => {
      scrolled();
      clearTimeout(rest);
      rest = setTimeout(settled, restMilliseconds);
    };
    const resized = new ResizeObserver(() => {
      width = element.clientWidth;
      element.scrollTo({ left: target.current * width });
    });
    resized.observe(element);
    const touches = ['touchstart', 'wheel', 'pointerdown'] as const;
    for (const type of touches) element.addEventListener(type, touched, { passive: true });
    element.addEventListener('scroll', moved, { passive: true });
    return () => {
      resized.disconnect();
      clearTimeout(rest);
      for (const type of touches) element.removeEventListener(type, touched);
      element.removeEventListener('scroll', moved);
    };
  }, [parts.length, onShow]);

  return (
    <div ref={root} className="pager" data-testid="pager">
      {parts.map((part, at) => (
        <section
          key={part.id} className="part-page" data-testid="part-page" data-part={part.id}
          aria-label={`${at + 1}. ${part.title}`}
          // Without controls in it the page itself must take the keys that scroll.
          tabIndex={overview === 'list' && mayEdit ? undefined : 0}
          // React 18 does not know this attribute yet, and passes it on unchanged.
          {...{ inert: at === index ? undefined : '' }}
        >
          {Math.abs(at - index) <= reach && (
            <PartPage part={part} isFirst={at === 0} isShown={at === index} overview={overview} />
          )}
        </section>
      ))}
    </div>
  );
}
