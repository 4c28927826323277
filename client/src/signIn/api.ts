// The requests about passwords and passkeys.

import { apiAddress } from '../apiAddress';
import { ask, fieldsOf, notSegmance } from '../sync/ask';
import type { Assertion, Creation } from './passkeys';

/** How anybody can sign in at this address. */
export interface Ways {
  readonly password: boolean;
  readonly passkey: boolean;
}

/** A browser that signs in. */
export interface SigningBrowser {
  /** Its name in the list of devices. */
  readonly name: string;
  /** Whether it stays until it is removed; else it is let in for twelve hours. */
  readonly stays: boolean;
}

/** A passkey of a person. Times are Unix milliseconds. */
export interface PasskeyInfo {
  readonly id: string;
  readonly name: string;
  /** The host name where browsers offer it. */
  readonly site: string;
  readonly createdAt: number;
  /** Null if it was never used. */
  readonly lastUsedAt: number | null;
}

/** How a person can sign in. */
export interface Credentials {
  /** The name to sign in with; null without a password. */
  readonly login: string | null;
  readonly passkeys: readonly PasskeyInfo[];
}

/** What a passkey has to sign. */
export interface Challenge {
  readonly challenge: string;
  /** The host name that the passkeys belong to. */
  readonly site: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const post = async (address: string, value?: unknown): Promise<{ readonly [name: string]: unknown }> => (
  fieldsOf((await ask('POST', address, { value })).value)
);

/** Asks how anybody can sign in here. */
export async function fetchWays(): Promise<Ways> {
  const answer = fieldsOf((await ask('GET', apiAddress.signIn)).value);
  return { password: answer['password'] === true, passkey: answer['passkey'] === true };
}

/** Signs in by a password. Returns when the access ends; null if it doesn't. */
export async function signInByPassword(login: string, password: string, browser: SigningBrowser): Promise<number | null> {
  return number((await post(apiAddress.signInByPassword, { login, password, ...browser }))['endsAt']);
}

/** Asks for what a passkey has to sign to sign in. */
export async function fetchChallenge(): Promise<Challenge> {
  return asChallenge(await post(apiAddress.signInChallenge));
}

/** Signs in by a passkey. Returns when the access ends; null if it doesn't. */
export async function signInByPasskey(passkey: Assertion, browser: SigningBrowser): Promise<number | null> {
  return number((await post(apiAddress.signInByPasskey, { passkey, ...browser }))['endsAt']);
}

/** Asks how a person can sign in. */
export async function fetchCredentials(person: string): Promise<Credentials> {
  const { login, passkeys } = fieldsOf((await ask('GET', apiAddress.credentials(person))).value);
  if (!Array.isArray(passkeys)) throw notSegmance();
  return { login: text(login) || null, passkeys: passkeys.map(asPasskey) };
}

/** Sets this person's own name and password to sign in with. */
export async function setPassword(person: string, value: {
  readonly login: string;
  readonly password: string;
  readonly current?: string;
  readonly signOutOthers: boolean;
}): Promise<void> {
  await ask('PUT', apiAddress.password(person), { value });
}

/** Removes a person's password. */
export async function removePassword(person: string): Promise<void> {
  await ask('DELETE', apiAddress.password(person));
}

/** Asks for what a new passkey needs. `known` are the ids of those that the person has. */
export async function fetchAddition(person: string): Promise<Challenge & { readonly known: readonly string[] }> {
  const answer = await post(`${apiAddress.passkeys(person)}/challenge`);
  const { known } = answer;
  return { ...asChallenge(answer), known: Array.isArray(known) ? known.map(text) : [] };
}

/** Adds a passkey that the browser has made. */
export async function addPasskey(person: string, value: {
  readonly passkey: Creation;
  readonly challenge: string;
  readonly name: string;
}): Promise<void> {
  await post(apiAddress.passkeys(person), value);
}

/** Removes a passkey. */
export async function removePasskey(person: string, id: string): Promise<void> {
  await ask('DELETE', `${apiAddress.passkeys(person)}/${encodeURIComponent(id)}`);
}

function asChallenge(answer: { readonly [name: string]: unknown }): Challenge {
  const { challenge, site } = answer;
  if (typeof challenge !== 'string' || typeof site !== 'string') throw notSegmance();
  return { challenge, site };
}

function asPasskey(value: unknown): PasskeyInfo {
  const answer = fieldsOf(value);
  return {
    id: text(answer['id']), name: text(answer['name']), site: text(answer['site']),
    createdAt: number(answer['createdAt']) ?? 0, lastUsedAt: number(answer['lastUsedAt']),
  };
}
