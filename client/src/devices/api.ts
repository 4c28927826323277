// What the server knows of devices, pairing and the network, asked for over HTTP.

import { browserEnvironment } from '../sync/environment';
import { parsed, refusal, send, Unreached } from '../sync/requests';

/** Who this browser is to the server. */
export interface Session {
  readonly role: 'owner' | 'device' | 'stranger';
  /** Itself, where it is paired. */
  readonly device: { readonly id: string; readonly name: string } | null;
}

/** A paired device. Times are Unix milliseconds. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
  readonly isThis: boolean;
  /** The device whose code let it in, which may be gone; null: the owner's did. */
  readonly invitedBy: string | null;
}

/** How the server is reached from the network. */
export interface Network {
  readonly isOn: boolean;
  /** Addresses to type, the best first. */
  readonly addresses: readonly string[];
  /** The certificate authority made for this installation; null with a certificate of one's own. */
  readonly authority: { readonly fingerprint: string } | null;
  readonly problem: string | null;
}

/** A code to pair one device with. */
export interface Pairing {
  readonly expiresAt: number;
  readonly address: string;
  readonly code: QRDrawing | null;
  /** Where a phone learns to trust this Segmance; null where every phone does already. */
  readonly installAddress: string | null;
  readonly installCode: QRDrawing | null;
}

/** A QR code: how many units its side has, and the outline of what is dark. */
export interface QRDrawing {
  readonly side: number;
  readonly path: string;
}

const environment = browserEnvironment();

async function ask(method: string, path: string, value?: unknown): Promise<unknown> {
  const request: RequestInit = {
    method, cache: 'no-store',
    ...(value !== undefined && {
      body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' },
    }),
  };
  const { response, text } = await send(environment, path, request, new AbortController().signal, 15_000);
  if (!response.ok) throw refusal(response, text);
  return parsed(text);
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } => (
  typeof value === 'object' && value !== null
);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number | null => (
  typeof value === 'number' && Number.isFinite(value) ? value : null
);

/** Takes an answer only from Segmance: a guest network's login page answers 200 too. */
function object(value: unknown): { readonly [name: string]: unknown } {
  if (!isObject(value)) throw new Unreached('The answer did not come from Segmance.');
  return value;
}

/** Asks who this browser is. */
export async function fetchSession(): Promise<Session> {
  const answer = object(await ask('GET', '/api/session'));
  const { role, device } = answer;
  return {
    role: role === 'owner' || role === 'device' ? role : 'stranger',
    device: isObject(device) && typeof device['id'] === 'string'
      ? { id: device['id'], name: text(device['name']) } : null,
  };
}

/** Lists the paired devices. */
export async function fetchDevices(): Promise<readonly Device[]> {
  const answer = await ask('GET', '/api/devices');
  const list = Array.isArray(answer) ? answer : object(answer)['devices'];
  if (!Array.isArray(list)) throw new Unreached('The answer did not come from Segmance.');
  return list.filter(isObject).map((each) => ({
    id: text(each['id']), name: text(each['name']), createdAt: number(each['createdAt']) ?? 0,
    lastSeenAt: number(each['lastSeenAt']), isThis: each['isThis'] === true,
    invitedBy: text(each['invitedBy']) || null,
  }));
}

/** Gives a device another name. */
export async function renameDevice(id: string, name: string): Promise<void> {
  await ask('PATCH', `/api/devices/${encodeURIComponent(id)}`, { name });
}

/** Lets a device in no more, nor those that came in by it, if asked to. */
export async function revokeDevice(id: string, withGuests: boolean): Promise<void> {
  await ask('DELETE', `/api/devices/${encodeURIComponent(id)}${withGuests ? '?guests=1' : ''}`);
}

/** Ends this device's own pairing. */
export async function leave(): Promise<void> {
  await ask('DELETE', '/api/session');
}

/** Asks how the network stands. */
export async function fetchNetwork(): Promise<Network> {
  return asNetwork(await ask('GET', '/api/network'));
}

/** Lets other machines on the network in, or not. */
export async function switchNetwork(isOn: boolean): Promise<Network> {
  return asNetwork(await ask('PUT', '/api/network', { isOn }));
}

function asNetwork(value: unknown): Network {
  const answer = object(value);
  const { addresses, authority } = answer;
  return {
    isOn: answer['isOn'] === true,
    addresses: Array.isArray(addresses) ? addresses.filter((each) => typeof each === 'string') as string[] : [],
    authority: isObject(authority) ? { fingerprint: text(authority['fingerprint']) } : null,
    problem: text(answer['problem']) || null,
  };
}

/** Makes a code for one device, good for five minutes. */
export async function makePairing(): Promise<Pairing> {
  const answer = object(await ask('POST', '/api/pairings', {}));
  return {
    expiresAt: number(answer['expiresAt']) ?? 0,
    address: text(answer['address']),
    code: drawingOf(answer['qr']),
    installAddress: text(answer['installAddress']) || null,
    installCode: drawingOf(answer['installQr']),
  };
}

/** Uses a code up: this browser becomes a device with a name. */
export async function claimPairing(token: string, name: string): Promise<void> {
  await ask('POST', `/api/pairings/${encodeURIComponent(token)}/claim`, { name });
}

/** Takes of the server's picture only its size and its outline, so that nothing else gets into the page. */
export function drawingOf(picture: unknown): QRDrawing | null {
  const side = /viewBox="0 0 (\d{1,4}) \d{1,4}"/.exec(text(picture))?.[1];
  const path = /\bd="([MmHhVvLlZz\d .,-]+)"/.exec(text(picture))?.[1];
  return side === undefined || path === undefined ? null : { side: Number(side), path };
}

/** The sentence of a failure. */
export function sentenceOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
