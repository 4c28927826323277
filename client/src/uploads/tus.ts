// The requests of tus 1.0 (tus.io, core protocol with creation and termination).

import { apiAddress } from '../apiAddress';
import type { Environment } from '../sync/environment';
import { refusal, ServerError, send, NetworkError } from '../sync/requests';

/** The parts of the environment that uploads need. */
export type TusEnvironment = Pick<Environment, 'fetch' | 'timer'>;

const version = { 'Tus-Resumable': '1.0.0' };
/** A piece that takes longer has most likely lost its network. */
const pieceMilliseconds = 90_000;

/** Announces a file and returns the address of its upload. */
export async function createUpload(
  environment: TusEnvironment, server: string, size: number, fileName: string, signal: AbortSignal,
): Promise<string> {
  const headers = {
    ...version, 'Upload-Length': String(size), 'Upload-Metadata': ['filename', base64(fileName)].join(' '),
  };
  const { response, text } = await send(
    environment, server + apiAddress.uploads, { method: 'POST', headers }, signal,
  );
  if (!response.ok) throw refusal(response, text);
  const location = response.headers.get('Location');
  if (!location) throw new NetworkError('The answer did not come from Segmance.');
  return location.startsWith('/') ? server + location : location;
}

/** Fetches the number of bytes that have arrived. */
export async function uploadedBytes(
  environment: TusEnvironment, address: string, signal: AbortSignal,
): Promise<number> {
  const request = { method: 'HEAD', headers: version };
  const { response, text } = await send(environment, address, request, signal);
  if (!response.ok) throw refusal(response, text);
  return offset(response);
}

/** Sends the bytes from `from` on, and returns the total number that has arrived. */
export async function appendPiece(
  environment: TusEnvironment, address: string, from: number, piece: Blob, signal: AbortSignal,
): Promise<number> {
  const headers = {
    ...version, 'Upload-Offset': String(from), 'Content-Type': 'application/offset+octet-stream',
  };
  const request = { method: 'PATCH', headers, body: piece };
  const { response, text } = await send(environment, address, request, signal, pieceMilliseconds);
  if (!response.ok) throw refusal(response, text);
  return offset(response);
}

/** Sends a DELETE; ignores uploads that no longer exist, or are in use. */
export async function removeFromServer(
  environment: TusEnvironment, address: string, signal: AbortSignal,
): Promise<void> {
  const request = { method: 'DELETE', headers: version };
  const { response, text } = await send(environment, address, request, signal);
  if (!response.ok && ![404, 409, 410].includes(response.status)) throw refusal(response, text);
}

/** Whether a retry would get the same refusal. */
export function isFinal(failure: unknown): failure is ServerError {
  if (!(failure instanceof ServerError)) return false;
  const { status } = failure;
  return status === 507 || (status >= 400 && status < 500 && ![401, 408, 409, 423, 425, 429].includes(status));
}

/** Whether Segmance refused the file itself: it is too large, or unusable. */
export function isOfFile(failure: unknown): boolean {
  return failure instanceof ServerError && failure.isFromSegmance && [413, 422].includes(failure.status);
}

/** Whether the server does not have the upload (any more). */
export function isGone(failure: unknown): boolean {
  return failure instanceof ServerError && (failure.status === 404 || failure.status === 410);
}

function offset(response: Response): number {
  const header = response.headers.get('Upload-Offset') ?? '';
  const value = /^\d+$/.test(header) ? Number(header) : NaN;
  if (!Number.isSafeInteger(value)) throw new NetworkError('The answer did not come from Segmance.');
  return value;
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
