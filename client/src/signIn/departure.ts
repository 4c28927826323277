// To the page of a provider and back, and what follows every sign-in.

import type { Navigation } from '../services/navigation';
import type { LocalLibrary } from '../sync/library';
import { reasonOf, ServerError } from '../sync/requests';
import { leaving, remember, remembered } from '../ui/device';
import { lateWords } from '../words/lateWords';
import type { Arrival } from './api';

/** Why somebody is at the provider: to sign in, and whether to stay signed in, or to add an account of a person. */
export type Purpose = { readonly stays: boolean } | { readonly person: string };

/** Goes to the provider's page. */
export function depart(address: string, purpose: Purpose): void {
  remember('departure', JSON.stringify(purpose));
  // Nothing is lost: the page comes back.
  leaving.isSafe = true;
  location.assign(address);
}

/** Returns why this browser was at the provider, and forgets it. Who doesn't know signs in, and doesn't stay. */
export function purposeOfDeparture(): Purpose {
  const stored = remembered('departure') ?? '';
  remember('departure', '');
  return parsedPurpose(stored);
}

/** Reads a stored purpose. Pure. */
export function parsedPurpose(stored: string): Purpose {
  let value: unknown = null;
  try {
    value = JSON.parse(stored);
  } catch {
    // Another tab has taken it, or the browser stores nothing.
  }
  const { person, stays } = (value ?? {}) as { readonly [name: string]: unknown };
  return typeof person === 'string' ? { person } : { stays: stays === true };
}

/** What the provider sent, from the query of the page that it sent the browser to; a text says why there is none. Pure. */
export function arrivalIn(query: string): Arrival | string {
  const fields = new URLSearchParams(query);
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => fields.get(name));
  if (code === null || code === undefined || state === null || state === undefined) {
    // It is shown, and anybody can make such an address: only the names of the standard (RFC 6749, section 4.1.2.1).
    const error = fields.get('error') ?? '';
    return /^[a-z_]{1,40}$/.test(error) ? error : '';
  }
  return { code, state, ...(typeof iss === 'string' && { iss }) };
}

/** Says why somebody was not let in by an account, or could not add it. */
export function reasonOfArrival(failure: unknown): string {
  const { accountUnknown, arrivalRefused, providerAway } = lateWords.signIn;
  if (!(failure instanceof ServerError)) return reasonOf(failure);
  if (failure.code === 'account') return accountUnknown;
  if (failure.code === 'credentials') return arrivalRefused;
  return failure.status === 502 ? providerAway : reasonOf(failure);
}

/** How often what the server has no room for is tried. */
const mostAttempts = 8;

/** Tries again what the server has no room for at the moment: a whole class may come back at once. Pauses between the attempts. */
export async function patiently<T>(work: () => Promise<T>, pause: () => Promise<void>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (failure) {
      if (!(failure instanceof ServerError) || failure.status !== 503 || attempt === mostAttempts) throw failure;
    }
    await pause();
  }
}

/** Shows the library to somebody who was let in until `endsAt`; null: they stay. */
export async function enter(
  { library, navigation }: { readonly library: Pick<LocalLibrary, 'reconnect' | 'refresh'>; readonly navigation: Navigation },
  endsAt: number | null,
): Promise<void> {
  // Not the new end either, while this browser does not know yet that it has access.
  remember('endsAt', '');
  library.reconnect();
  await library.refresh();
  if (endsAt !== null) remember('endsAt', String(endsAt));
  navigation.go({ page: 'routines' }, { replace: true });
}
