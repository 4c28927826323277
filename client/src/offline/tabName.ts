// The names of tabs. Stored files and drafts carry the name of their tab: another one continues them
// only once that tab is closed.
//
// Each tab holds a Web Lock of its name while it is open. In contrast to the keeper's lock, none of
// these can be taken from a suspended tab: it would upload its files as well when it wakes.

const nameKey = 'segmance.tab';
const lockPrefix = 'segmance-tab-';

interface LastName {
  readonly tab: string;
  /** Whether this page holds it. */
  isHeld: boolean;
  readonly request: AbortController;
}

/** The name of this tab before its reload. */
let last: LastName | null = null;

/**
 * Asks for the name that this tab had before its reload. Called first of all, because other tabs take over the files
 * of a name that nobody holds.
 */
export function reclaimTabName(): void {
  try {
    const tab = sessionStorage.getItem(nameKey);
    if (tab === null) return;
    const mine: LastName = { tab, isHeld: !('locks' in navigator), request: new AbortController() };
    last = mine;
    hold(tab, mine.request.signal, () => {
      mine.isHeld = true;
    });
  } catch {
    // Without storage a reload is a new tab.
  }
}

/** Returns the name of this tab before its reload; a duplicated tab has none. */
export function lastTabName(): string | null {
  if (last?.isHeld) return last.tab;
  // The tab that it was made from holds the name.
  last?.request.abort();
  return null;
}

/** Holds a new name until the tab is closed, also over a reload. */
export function holdTabName(tab: string): void {
  try {
    sessionStorage.setItem(nameKey, tab);
  } catch {
    // Without storage a reload is a new tab.
  }
  hold(tab);
}

function hold(tab: string, signal?: AbortSignal, onHeld?: () => void): void {
  const keep = (): Promise<void> => {
    onHeld?.();
    return new Promise(() => undefined);
  };
  // It fails if it was given up, or the page is closed.
  navigator.locks?.request(lockPrefix + tab, signal ? { signal } : {}, keep).catch(() => undefined);
}

/** Returns the names of the open tabs; without Web Locks there seem to be none. */
export async function openTabs(): Promise<ReadonlySet<string>> {
  const held = (await navigator.locks?.query())?.held ?? [];
  return new Set(held.flatMap(({ name }) => (name?.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [])));
}

/** Runs work that no other tab may do at the same time: taking over files. */
export async function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request('segmance-adopt', work);
  else await work();
}
