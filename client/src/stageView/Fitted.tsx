// Content in the largest type that its box has room for.

import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { fittedType, type FittedType } from './fitting';

interface FittedProps {
  readonly children: ReactNode;
  /** Changes with all that changes the room which the content needs. */
  readonly fitKey: string;
  readonly className: string;
  /** Whether its content has directions of its own; else it is one text. */
  readonly isList?: boolean;
  readonly testId?: string;
  /** The largest and the smallest type, in pixels. */
  readonly most?: number;
  readonly least?: number;
  /** Called with the size of the type. */
  readonly onSize?: (size: number) => void;
}

/** A box, whose size does not depend on its content. */
export function Fitted({
  children, fitKey, className, isList = false, testId, most = Infinity, least, onSize,
}: FittedProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const told = useRef(onSize);
  told.current = onSize;
  useLayoutEffect(() => {
    const [outer, inner] = [box.current, content.current];
    if (!outer || !inner) return undefined;
    const set = ({ size, breaksWords }: FittedType): void => {
      inner.style.fontSize = `${size}px`;
      inner.style.overflowWrap = breaksWords ? 'anywhere' : '';
    };
    const fit = (): void => {
      const { paddingTop, paddingBottom } = getComputedStyle(outer);
      const room = { width: inner.clientWidth, height: outer.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom) };
      const fits = (type: FittedType): boolean => {
        set(type);
        return inner.scrollWidth <= room.width && inner.offsetHeight <= room.height;
      };
      const type = fittedType(fits, room, Math.min(most, room.height), least);
      set(type);
      told.current?.(type.size);
    };
    fit();
    const size = new ResizeObserver(fit);
    size.observe(outer);
    return () => size.disconnect();
  }, [fitKey, most, least]);
  return (
    <div className={`fitted ${className}`} ref={box} data-testid={testId}>
      <div className="fitted-content" ref={content} dir={isList ? undefined : 'auto'}>{children}</div>
    </div>
  );
}
