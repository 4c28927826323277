// What this device alone remembers: small conveniences that need no sync and may be lost.

/** Whether the page can be left without asking: what is on its way goes on at the next visit. */
export const leaving = { isSafe: false };

/** What is remembered; its key in the browser's storage has a prefix. */
export type MemoryName =
  | 'theme' | 'player' | 'overview' | 'moveType' | 'paper' | 'exportFormat' | 'selectionOpen'
  | 'video' | 'videoMuted' | 'videoFollow' | 'videoPlace' | 'recentBytes' | 'installHint' | 'lastVisit'
  | `part.${string}` | `selection.${string}` | `withheld.${string}`;

const prefix = 'segmance.';

/** Says whether the app was started from the home screen, or from the system's list of apps. */
export function isStandalone(): boolean {
  return matchMedia('(display-mode: standalone)').matches
    || (navigator as { standalone?: boolean }).standalone === true;
}

/** Reads a remembered text, or null when there is none or the browser keeps nothing. */
export function remembered(name: MemoryName): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    // Private browsing may refuse storage altogether; a convenience is then simply absent.
    return null;
  }
}

/** Remembers a text for the next visit. */
export function remember(name: MemoryName, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // As above: without storage there is nothing to remember.
  }
}
