// A large pad that acts when it is touched, not when it is let go.

import type { ReactNode } from 'react';

interface CountPadProps {
  readonly onPress: () => void;
  readonly isPrimary?: boolean;
  readonly isDisabled?: boolean;
  readonly testId: string;
  readonly children: ReactNode;
}

/** The pad; a finger, a mouse, a key and a screen reader press it, each once. */
export function CountPad({ onPress, isPrimary = false, isDisabled = false, testId, children }: CountPadProps): JSX.Element {
  return (
    <button
      type="button" className={isPrimary ? 'count-pad is-primary' : 'count-pad'} disabled={isDisabled} data-testid={testId}
      onPointerDown={(event) => {
        if (event.button === 0) onPress();
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        event.preventDefault();
        if (!event.repeat) onPress();
      }}
      onKeyUp={(event) => {
        // Some browsers click when the space bar is let go.
        if (event.key === ' ') event.preventDefault();
      }}
      onClick={(event) => {
        // Of a screen reader; the clicks of a finger or a mouse are counted.
        if (event.detail === 0) onPress();
      }}
    >
      {children}
    </button>
  );
}
