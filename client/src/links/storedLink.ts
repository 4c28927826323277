// What this browser knows of a link that it opened: the secret of its address, and what it shows.

import { mediaCacheOfLink } from '../serviceWorker/cacheLayout';
import type { OpenLink } from '../services/openLink';

/** What is stored. */
export interface StoredLink {
  /** The text after the # of the address. */
  readonly secret: string;
  readonly link: OpenLink;
}

const key = (id: string): string => `segmance.link.${id}`;

/** The names of a link's two databases: its library, and what is kept for it. */
export const libraryOfLink = (id: string): string => `segmance-link-${id}`;
export const offlineOfLink = (id: string): string => `segmance-offline-link-${id}`;

/** Reads what is stored of a link; null if it was never opened here. */
export function storedLink(id: string): StoredLink | null {
  try {
    const stored = JSON.parse(localStorage.getItem(key(id)) ?? 'null') as StoredLink | null;
    return typeof stored?.secret === 'string' ? stored : null;
  } catch {
    // Without storage each visit opens the link anew.
    return null;
  }
}

/** Stores what is known of a link. */
export function storeLink(id: string, stored: StoredLink): void {
  try {
    localStorage.setItem(key(id), JSON.stringify(stored));
  } catch {
    // As above.
  }
}

/** Deletes everything that a link left in this browser. */
export async function forgetLink(id: string): Promise<void> {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // As above.
  }
  for (const name of [libraryOfLink(id), offlineOfLink(id)]) indexedDB.deleteDatabase(name);
  if (typeof caches !== 'undefined') await caches.delete(mediaCacheOfLink(id));
}
