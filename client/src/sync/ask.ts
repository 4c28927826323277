// Calls of the API with JSON: one way to send, to wait, and to read a refusal.

import { apiAddress } from '../apiAddress';
import { browserEnvironment, type Environment } from './environment';
import { asJob } from './events';
import { parsed, refusal, send, NetworkError } from './requests';
import type { Job } from './wire';

/** What a call may bring along. */
export interface AskOptions {
  /** Is sent as JSON. */
  readonly value?: unknown;
  readonly signal?: AbortSignal;
  /** Gives up after this time; 30 s without it. */
  readonly milliseconds?: number;
  /** The browser's own without it. */
  readonly environment?: Pick<Environment, 'fetch' | 'timer'>;
}

/** A success: its status, and its JSON; null where there is none. */
export interface Answer {
  readonly status: number;
  readonly value: unknown;
}

const browser = browserEnvironment();

/** Asks the server. Throws `Refused` when it says no, and `Unreached` when no answer comes. */
export async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', address: string, options: AskOptions = {},
): Promise<Answer> {
  const { value, signal = new AbortController().signal, milliseconds, environment = browser } = options;
  const request: RequestInit = {
    method, cache: 'no-store',
    ...(value !== undefined && {
      body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' },
    }),
  };
  const { response, text } = await send(environment, address, request, signal, milliseconds);
  if (!response.ok) throw refusal(response, text);
  return { status: response.status, value: parsed(text) };
}

/** Gives the fields of an answer; throws where it is not Segmance's: a guest network's login page answers 200, too. */
export function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) throw notSegmance();
  return value as { readonly [name: string]: unknown };
}

/** Asks how a job stands. */
export async function fetchJob(id: string): Promise<Job> {
  const job = asJob((await ask('GET', apiAddress.job(id))).value);
  if (!job) throw notSegmance();
  return job;
}

/** Asks the server to end a job. */
export async function cancelJob(id: string): Promise<void> {
  await ask('DELETE', apiAddress.job(id));
}

/** The failure of a call whose answer somebody else wrote. */
export function notSegmance(): NetworkError {
  return new NetworkError('The answer did not come from Segmance.');
}
