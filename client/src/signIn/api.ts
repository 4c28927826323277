// The requests about passwords, passkeys and accounts at a provider.

import { apiAddress } from '../apiAddress';
import { ask, fieldsOf, notSegmance } from '../sync/ask';
import type { Assertion, Creation } from './passkeys';

/** How anybody can sign in at this address. */
export interface Ways {
  readonly password: boolean;
  readonly passkey: boolean;
  /** What the provider is called where people can sign in; null without one. */
  readonly provider: string | null;
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

/** An account of a person at a provider. Times are Unix milliseconds. */
export interface AccountInfo {
  readonly id: string;
  /** What the person signs in with there; empty if it is not known. */
  readonly name: string;
  /** The host of the provider. */
  readonly host: string;
  readonly createdAt: number;
  /** Null if it was never used. */
  readonly lastUsedAt: number | null;
}

/** What a browser brings back from the provider. */
export interface Arrival {
  readonly code: string;
  readonly state: string;
  readonly iss?: string;
}

/** How a person can sign in. */
export interface Credentials {
  /** The name to sign in with; null without a password. */
  readonly login: string | null;
  readonly passkeys: readonly PasskeyInfo[];
  readonly accounts: readonly AccountInfo[];
  /** What the provider is called where accounts can be added; null without one. */
  readonly provider: string | null;
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
  return { password: answer['password'] === true, passkey: answer['passkey'] === true, provider: text(answer['provider']) || null };
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

/** Begins to sign in at the provider. Returns its page. */
export async function departToSignIn(): Promise<string> {
  return asAddress(await post(`${apiAddress.signInByAccount}/departure`));
}

/** Signs in by what the provider has sent. Returns when the access ends; null if it doesn't. */
export async function signInByAccount(arrival: Arrival, browser: SigningBrowser): Promise<number | null> {
  return number((await post(apiAddress.signInByAccount, { ...arrival, ...browser }))['endsAt']);
}

/** Asks how a person can sign in. */
export async function fetchCredentials(person: string): Promise<Credentials> {
  const { login, passkeys, accounts, provider } = fieldsOf((await ask('GET', apiAddress.credentials(person))).value);
  if (!Array.isArray(passkeys) || !Array.isArray(accounts)) throw notSegmance();
  return {
    login: text(login) || null, passkeys: passkeys.map(asPasskey), accounts: accounts.map(asAccount), provider: text(provider) || null,
  };
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

/** Begins to add an account at the provider. Returns its page. */
export async function departToAdd(person: string): Promise<string> {
  return asAddress(await post(`${apiAddress.accounts(person)}/departure`));
}

/** Adds the account at which somebody has signed in. */
export async function addAccount(person: string, arrival: Arrival): Promise<void> {
  await post(apiAddress.accounts(person), arrival);
}

/** Removes an account. */
export async function removeAccount(person: string, id: string): Promise<void> {
  await ask('DELETE', `${apiAddress.accounts(person)}/${encodeURIComponent(id)}`);
}

/** The page of the provider in an answer; only those of the web. */
function asAddress({ address }: { readonly [name: string]: unknown }): string {
  if (typeof address !== 'string' || !/^https?:/.test(address)) throw notSegmance();
  return address;
}

function asAccount(value: unknown): AccountInfo {
  const answer = fieldsOf(value);
  return {
    id: text(answer['id']), name: text(answer['name']), host: text(answer['issuer']).replace(/^https?:\/\//, ''),
    createdAt: number(answer['createdAt']) ?? 0, lastUsedAt: number(answer['lastUsedAt']),
  };
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
