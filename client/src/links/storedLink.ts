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

/**
 * Whether this tab has opened the link anew, and the server has not let it in since: a browser without cookies is
 * refused again. It stores nothing either, so that it counts as having done so.
 */
export function wasReopened(id: string): boolean {
  try {
    return sessionStorage.getItem(key(id)) !== null;
  } catch {
    return true;
  }
}

/** Notes whether the link was opened anew in this tab. */
export function noteReopened(id: string, is: boolean): void {
  try {
    if (is) sessionStorage.setItem(key(id), '');
    else sessionStorage.removeItem(key(id));
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
  try {
    for (const name of [libraryOfLink(id), offlineOfLink(id)]) indexedDB.deleteDatabase(name);
  } catch {
    // Where the browser forbids databases there is none.
  }
  if (typeof caches !== 'undefined') await caches.delete(mediaCacheOfLink(id));
}
