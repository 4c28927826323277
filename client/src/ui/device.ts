// Values stored on this device only: small conveniences that need no sync and may be lost.

/**
 * Whether the page can be left without a warning, because running uploads continue at the next
 * visit.
 */
export const leaving = { isSafe: false };

/** The stored values; the key in the browser's storage has a prefix. */
export type MemoryName =
  | 'theme' | 'language' | 'routinesOrder' | 'player' | 'playerDock' | 'partChange' | 'overview' | 'moveType' | 'pushMoves' | 'paper' | 'exportFormat' | 'selectionOpen' | 'planMinutes'
  | 'progress' | 'video' | 'videoMuted' | 'videoFollow' | 'videoPlace' | 'stageMirror' | 'stageTheme' | 'recentBytes' | 'latency' | 'followSound' | 'installHint' | 'lastVisit' | 'person' | 'troupe' | 'endsAt' | 'departure' | 'tip'
  | `part.${string}` | `place.${string}` | `selection.${string}` | `withheld.${string}`;

const prefix = 'segmance.';

/** Whether the app was started from the home screen, or from the system's list of apps. */
export function isStandalone(): boolean {
  return matchMedia('(display-mode: standalone)').matches
    || (navigator as { standalone?: boolean }).standalone === true;
}

/** Reads a stored text, or null if there is none or the browser stores nothing. */
export function remembered(name: MemoryName): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    // Private browsing may refuse storage; the convenience is missing then.
    return null;
  }
}

/** Stores a text for the next visit. */
export function remember(name: MemoryName, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // As above: without storage nothing is stored.
  }
}

/** Calls back when another tab has stored a text. */
export function listenForStorage(name: MemoryName, listener: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === prefix + name) listener();
  });
}
