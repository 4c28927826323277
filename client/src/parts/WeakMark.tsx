// The glow of what is weak, with a dot to three. It takes no room: the element around it is its frame.

import type { CSSProperties } from 'react';
import { useWeakness } from './useWeakness';
import './weakMark.css';

/** Nothing while the part or the move is not weak. A name that has its text already makes it silent. */
export function WeakMark({ id, isSilent }: { id: string; isSilent?: boolean }): JSX.Element | null {
  const weakness = useWeakness(id);
  return weakness && (
    <span
      className="weak" data-testid="weak" data-level={weakness.level} style={{ '--weakness': weakness.strength } as CSSProperties}
    >
      {!isSilent && <span className="only-spoken">{weakness.text}</span>}
    </span>
  );
}
