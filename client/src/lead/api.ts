// The requests of leading and following.

import { apiAddress } from '../apiAddress';
import { ask, fieldsOf } from '../sync/ask';
import { ServerError } from '../sync/requests';
import type { Delivery, LeadMessage } from './leader';

const milliseconds = 4_000;

/** Asks for the server's time in milliseconds. */
export async function fetchTime(): Promise<number> {
  const { now } = fieldsOf((await ask('GET', apiAddress.clock, { milliseconds })).value);
  return Number(now);
}

/** Tells the server what this page's player does. */
export async function sendLead(routine: string, message: LeadMessage): Promise<Delivery> {
  try {
    await ask('PUT', apiAddress.lead(routine), { value: message, milliseconds });
    return 'taken';
  } catch (failure) {
    // Another leads, or this person may not any more. All else may get better.
    const isOver = failure instanceof ServerError && failure.isFromSegmance && [401, 403, 404, 409].includes(failure.status);
    return isOver ? 'over' : 'lost';
  }
}

/** Ends leading; also while the page closes. */
export function endLead(routine: string, client: string): void {
  leave(`${apiAddress.lead(routine)}?client=${client}`);
}

/** Tells the server that this page follows. */
export async function sendFollow(routine: string, client: string): Promise<void> {
  await ask('PUT', apiAddress.leadFollowers(routine), { value: { client }, milliseconds });
}

/** Ends following; also while the page closes. */
export function endFollow(routine: string, client: string): void {
  leave(`${apiAddress.leadFollowers(routine)}?client=${client}`);
}

function leave(address: string): void {
  // Without an answer the server notices by itself.
  void fetch(address, { method: 'DELETE', keepalive: true }).catch(() => undefined);
}
