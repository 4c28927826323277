// The names of tabs. Stored files and drafts carry the name of their tab: another one continues them
// only once that tab is closed.
//
// Each tab holds a Web Lock of its name while it is open. In contrast to the keeper's lock, none of
// these can be taken from a suspended tab: it would upload its files as well when it wakes.

const nameKey = 'segmance.tab';
const lockOf = (tab: string): string => `segmance-tab-${tab}`;

/** Holds a name until the tab is closed, also over a reload. */
export function holdTabName(tab: string): void {
  try {
    sessionStorage.setItem(nameKey, tab);
  } catch {
    // Without storage a reload is a new tab.
  }
  void navigator.locks?.request(lockOf(tab), () => new Promise(() => undefined));
}

/** Returns the name of this tab before its reload; a duplicated tab has none. */
export async function lastTabName(): Promise<string | null> {
  try {
    const last = sessionStorage.getItem(nameKey);
    return last !== null && (await openTabs())(last) ? null : last;
  } catch {
    return null;
  }
}

/** Returns which tabs are open now; without Web Locks none seems so. */
export async function openTabs(): Promise<(tab: string) => boolean> {
  const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
  return (tab) => held.has(lockOf(tab));
}

/** Runs work that no other tab may do at the same time: taking over files. */
export async function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request('segmance-adopt', work);
  else await work();
}
