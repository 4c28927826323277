// Requests to the server, with a time limit, and refusals as sentences.

import { words } from '../words/words';
import type { Environment } from './environment';

/** The server refused. The message is a sentence for the user. */
export class ServerError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Whether Segmance itself refused, with problem details, and not a proxy. */
    readonly isFromSegmance = false,
    /** Which refusal it is, where one status has several. */
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

/** There was no answer, or none from Segmance. */
export class NetworkError extends Error {
  constructor(
    message: string,
    readonly reason: unknown = null,
  ) {
    super(message);
  }
}

const longestMilliseconds = 30_000;

/** Sends a request with a time limit; throws `NetworkError` without an answer. */
export async function send(
  environment: Pick<Environment, 'fetch' | 'timer'>,
  url: string,
  request: RequestInit,
  signal: AbortSignal,
  milliseconds: number = longestMilliseconds,
): Promise<{ readonly response: Response; readonly text: string }> {
  const limit = new AbortController();
  const stop = environment.timer(milliseconds, () => limit.abort());
  const pass = () => limit.abort();
  signal.addEventListener('abort', pass);
  try {
    if (signal.aborted) limit.abort();
    const response = await environment.fetch(url, { ...request, signal: limit.signal });
    return { response, text: await response.text() };
  } catch (failure) {
    throw new NetworkError('The server cannot be reached.', failure);
  } finally {
    stop();
    signal.removeEventListener('abort', pass);
  }
}

/** Returns the error of an unsuccessful response, with the sentence of its problem details. */
export function refusal(response: Response, text: string): ServerError {
  const problem = parsed(text) as { detail?: unknown; title?: unknown; code?: unknown } | null;
  const said = [problem?.detail, problem?.title].find((part) => typeof part === 'string' && part !== '');
  // Its sentences are English. In another language the status says enough, or the English one is shown.
  const sentence = words.sync.statuses[response.status] ?? said ?? words.sync.refused(response.status);
  const isFromSegmance = (response.headers.get('Content-Type') ?? '').startsWith('application/problem+json');
  return new ServerError(response.status, String(sentence), isFromSegmance, typeof problem?.code === 'string' ? problem.code : null);
}

/** Returns why a request failed: the server's reason, or that there was no answer. */
export function reasonOf(failure: unknown): string {
  return failure instanceof ServerError ? failure.message : words.sync.unreachable;
}

/** Parses JSON; null if it is invalid. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Posts JSON and returns the JSON of the answer; throws `ServerError` on a refusal. */
export async function post(
  environment: Pick<Environment, 'fetch' | 'timer'>,
  url: string,
  body: string,
  signal: AbortSignal,
  keepalive: boolean,
): Promise<unknown> {
  const request: RequestInit = {
    method: 'POST', body, keepalive, headers: { 'Content-Type': 'application/json' },
  };
  const { response, text } = await send(environment, url, request, signal);
  if (!response.ok) throw refusal(response, text);
  return parsed(text);
}
