// Where a led session stands, and what its buttons do. Pure.

/** A place in a session. */
export interface SessionState {
  /** The index of the step; the number of steps once all are over. */
  readonly at: number;
  /** Counts the starts of steps: each is a new one. */
  readonly attempt: number;
  /** The passes that were asked for beyond those of the step. */
  readonly extraPasses: number;
}

/** What moves a session on. `again` goes to the step before while the current one has not begun. */
export type SessionAction =
  | { readonly kind: 'next' }
  | { readonly kind: 'again'; readonly hasBegun: boolean }
  | { readonly kind: 'longer' };

/** How many passes `longer` adds. */
export const longerPasses = 2;

export const sessionStart: SessionState = { at: 0, attempt: 0, extraPasses: 0 };

/** Returns the place after an action. */
export function sessionAfter(state: SessionState, action: SessionAction, steps: number): SessionState {
  const { at, attempt, extraPasses } = state;
  switch (action.kind) {
    case 'next':
      return at >= steps ? state : { at: at + 1, attempt: attempt + 1, extraPasses: 0 };
    case 'again':
      return { at: Math.max(0, action.hasBegun ? Math.min(at, steps - 1) : at - 1), attempt: attempt + 1, extraPasses: 0 };
    case 'longer':
      return at >= steps ? state : { ...state, extraPasses: extraPasses + longerPasses };
  }
}
