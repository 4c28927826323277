// JSON calls of the API: one way to send, to wait, and to read a refusal.

import { apiAddress } from '../apiAddress';
import { browserEnvironment, type Environment } from './environment';
import { asJob } from './events';
import { parsed, refusal, send, NetworkError } from './requests';
import type { Job } from './wire';

/** Options of a call. */
export interface AskOptions {
  /** Sent as JSON. */
  readonly value?: unknown;
  readonly signal?: AbortSignal;
  /** The time limit; the default is 30 s. */
  readonly milliseconds?: number;
  /** The default is the browser's own. */
  readonly environment?: Pick<Environment, 'fetch' | 'timer'>;
}

/** A success: its status, and its JSON; null without a body. */
export interface Answer {
  readonly status: number;
  readonly value: unknown;
}

const browser = browserEnvironment();

/** Sends a request. Throws `ServerError` on a refusal, and `NetworkError` without an answer. */
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

/**
 * Returns the fields of an answer; throws if it is not Segmance's: the login page of a guest
 * network answers 200 too.
 */
export function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) throw notSegmance();
  return value as { readonly [name: string]: unknown };
}

/** Fetches the state of a job. */
export async function fetchJob(id: string): Promise<Job> {
  const job = asJob((await ask('GET', apiAddress.job(id))).value);
  if (!job) throw notSegmance();
  return job;
}

/** Asks the server to cancel a job. */
export async function cancelJob(id: string): Promise<void> {
  await ask('DELETE', apiAddress.job(id));
}

/** The error for an answer that does not come from Segmance. */
export function notSegmance(): NetworkError {
  return new NetworkError('The answer did not come from Segmance.');
}
