// The requests about devices, pairing and the network.

import { apiAddress } from '../apiAddress';
import { asPerson, type Person } from '../people/api';
import { ask, fieldsOf, notSegmance } from '../sync/ask';
import { serverOwner } from '../sync/replica';
import { drawingOf, type QRDrawing } from '../ui/qrDrawing';

/** This browser as a paired device. */
export interface OwnDeviceInfo {
  readonly id: string;
  readonly name: string;
  /** When its access ends; null if it stays. Unix milliseconds. */
  readonly endsAt: number | null;
}

/** How the server identifies this browser. */
export interface Session {
  /** Another person than the owner has only devices. */
  readonly role: 'owner' | 'device' | 'person' | 'stranger';
  /** The device itself, if it is paired. */
  readonly device: OwnDeviceInfo | null;
  readonly person: Person | null;
}

/** A paired device. Times are Unix milliseconds. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
  readonly isThis: boolean;
  /** The device whose code paired it, which may be deleted; null: the owner's code. */
  readonly invitedBy: string | null;
  /** The id of the person whose it is. */
  readonly person: string;
}

/** How the server can be reached from the network. */
export interface Network {
  readonly isOn: boolean;
  /** Addresses to type, the best first. */
  readonly addresses: readonly string[];
  /** The certificate authority of this installation; null with the owner's own certificate. */
  readonly authority: { readonly fingerprint: string } | null;
  readonly problem: string | null;
}

/** A code to pair one device with. */
export interface Pairing {
  readonly expiresAt: number;
  readonly address: string;
  readonly code: QRDrawing | null;
  /** Where a phone learns to trust this Segmance; null if every phone does already. */
  readonly installAddress: string | null;
  readonly installCode: QRDrawing | null;
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

/** Fetches the identity of this browser. */
export async function fetchSession(): Promise<Session> {
  const answer = fieldsOf(await call('GET', apiAddress.session));
  const { role, device } = answer;
  return {
    role: role === 'owner' || role === 'device' || role === 'person' ? role : 'stranger',
    device: isObject(device) && typeof device['id'] === 'string'
      ? { id: device['id'], name: text(device['name']), endsAt: number(device['endsAt']) } : null,
    person: asPerson(answer['person']),
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
    invitedBy: text(each['invitedBy']) || null, person: text(each['person']) || serverOwner,
  }));
}

/** Renames a device. */
export async function renameDevice(id: string, name: string): Promise<void> {
  await call('PATCH', apiAddress.device(id), { name });
}

/** Revokes a device, and on request the devices that were paired through it. */
export async function revokeDevice(id: string, withGuests: boolean): Promise<void> {
  await call('DELETE', apiAddress.device(id) + (withGuests ? '?guests=1' : ''));
}

/** Ends this device's own pairing. */
export async function leave(): Promise<void> {
  await call('DELETE', apiAddress.session);
}

/** Fetches the state of the network. */
export async function fetchNetwork(): Promise<Network> {
  return asNetwork(await call('GET', apiAddress.network));
}

/** Lets other devices on the network connect, or stops that. */
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

/** Makes a code for one device of a person, by default the caller, valid for five minutes. */
export async function makePairing(person?: string): Promise<Pairing> {
  const answer = fieldsOf(await call('POST', apiAddress.pairings, person === undefined ? {} : { person }));
  return {
    expiresAt: number(answer['expiresAt']) ?? 0,
    address: text(answer['address']),
    code: drawingOf(answer['qr']),
    installAddress: text(answer['installAddress']) || null,
    installCode: drawingOf(answer['installQr']),
  };
}

/** Tells whose device it becomes that uses a code; null: the owner's. The refusals are those of `claimPairing`. */
export async function fetchPairing(token: string): Promise<{ readonly name: string; readonly colour: string } | null> {
  const { person } = fieldsOf(await call('GET', apiAddress.pairing(token)));
  return isObject(person) ? { name: text(person['name']), colour: text(person['colour']) } : null;
}

/** Redeems a code: this browser becomes a device with a name. */
export async function claimPairing(token: string, name: string): Promise<void> {
  await call('POST', apiAddress.claim(token), { name });
}

/** Returns the message of an error. */
export function sentenceOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
