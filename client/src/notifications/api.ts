// The requests about this device's notifications.

import { apiAddress } from '../apiAddress';
import { ask, fieldsOf } from '../sync/ask';
import type { PushLevel, PushStatus } from './agreement';

/** What the server needs to send to this browser. */
export interface PushAddress {
  readonly endpoint: string;
  readonly publicKey: string;
  readonly authentication: string;
}

const asLevel = (value: unknown): PushLevel => (value === 'all' ? 'all' : 'mentions');

function asStatus(value: unknown): PushStatus {
  const { publicKey, subscription, isDevice } = fieldsOf(value);
  const { endpoint, level, language } = fieldsOf(subscription ?? {});
  return {
    publicKey: typeof publicKey === 'string' ? publicKey : null,
    subscription: typeof endpoint === 'string' ? { endpoint, level: asLevel(level), language: String(language) } : null,
    isDevice: isDevice === true,
  };
}

/** Asks whether this device is notified, and how it can be. */
export async function fetchPush(): Promise<PushStatus> {
  return asStatus((await ask('GET', apiAddress.push)).value);
}

/** Lets the server notify this device. */
export async function tellPush(address: PushAddress, level: PushLevel, language: string): Promise<PushStatus> {
  return asStatus((await ask('PUT', apiAddress.push, { value: { ...address, level, language } })).value);
}

/** Lets the server forget this device's subscription. */
export async function forgetPush(): Promise<void> {
  await ask('DELETE', apiAddress.push);
}
