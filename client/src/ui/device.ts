// What this device alone remembers: small conveniences that need no sync and may be lost.

/** Whether the page can be left without asking: what is on its way goes on at the next visit. */
export const leaving = { isSafe: false };

const prefix = 'segmance.';

/** Says whether the app was started from the home screen, or from the system's list of apps. */
export function isStandalone(): boolean {
  return matchMedia('(display-mode: standalone)').matches
    || (navigator as { standalone?: boolean }).standalone === true;
}

/** Reads a remembered text, or null when there is none or the browser keeps nothing. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    // Private browsing may refuse storage altogether; a convenience is then simply absent.
    return null;
  }
}

/** Remembers a text for the next visit. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // As above: without storage there is nothing to remember.
  }
}
