// What the server knows of devices, pairing and the network, asked for over HTTP.

import { apiAddress } from '../apiAddress';
import { ask, fieldsOf, notSegmance } from '../sync/ask';

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

const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', address: string, value?: unknown) => (
  (await ask(method, address, { value, milliseconds: 15_000 })).value
);

const isObject = (value: unknown): value is { readonly [name: string]: unknown } => (
  typeof value === 'object' && value !== null
);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number | null => (
  typeof value === 'number' && Number.isFinite(value) ? value : null
);

/** Asks who this browser is. */
export async function fetchSession(): Promise<Session> {
  const answer = fieldsOf(await call('GET', apiAddress.session));
  const { role, device } = answer;
  return {
    role: role === 'owner' || role === 'device' ? role : 'stranger',
    device: isObject(device) && typeof device['id'] === 'string'
      ? { id: device['id'], name: text(device['name']) } : null,
  };
}

/** Lists the paired devices. */
export async function fetchDevices(): Promise<readonly Device[]> {
  const answer = await call('GET', apiAddress.devices);
  const list = Array.isArray(answer) ? answer : fieldsOf(answer)['devices'];
  if (!Array.isArray(list)) throw notSegmance();
  return list.filter(isObject).map((each) => ({
    id: text(each['id']), name: text(each['name']), createdAt: number(each['createdAt']) ?? 0,
    lastSeenAt: number(each['lastSeenAt']), isThis: each['isThis'] === true,
    invitedBy: text(each['invitedBy']) || null,
  }));
}

/** Gives a device another name. */
export async function renameDevice(id: string, name: string): Promise<void> {
  await call('PATCH', apiAddress.device(id), { name });
}

/** Lets a device in no more, nor those that came in by it, if asked to. */
export async function revokeDevice(id: string, withGuests: boolean): Promise<void> {
  await call('DELETE', apiAddress.device(id) + (withGuests ? '?guests=1' : ''));
}

/** Ends this device's own pairing. */
export async function leave(): Promise<void> {
  await call('DELETE', apiAddress.session);
}

/** Asks how the network stands. */
export async function fetchNetwork(): Promise<Network> {
  return asNetwork(await call('GET', apiAddress.network));
}

/** Lets other machines on the network in, or not. */
export async function switchNetwork(isOn: boolean): Promise<Network> {
  return asNetwork(await call('PUT', apiAddress.network, { isOn }));
}

function asNetwork(value: unknown): Network {
  const answer = fieldsOf(value);
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
  const answer = fieldsOf(await call('POST', apiAddress.pairings, {}));
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
  await call('POST', apiAddress.claim(token), { name });
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
