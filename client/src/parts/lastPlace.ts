// Where practice of a routine stopped on this device, to go on there with one press.

import type { Player, PlayerPart } from '../audio/player';
import { Listeners } from '../sync/listeners';
import { remember, remembered } from '../ui/device';

/** A part, and a frame of its track. */
export interface Place {
  readonly partId: string;
  readonly frame: number;
}

const listeners = new Listeners();

/** Calls back after a place was stored; returns a function that stops it. */
export const subscribeToPlaces = listeners.add;

/** The routine whose page should play at once from its last place. */
let awaited: string | null = null;

/** Stores where playback of a part stands; one that has ended begins anew. A run has no place. */
export function notePlace(player: Pick<Player, 'position' | 'snapshot'>, routineId: string, part: PlayerPart): void {
  const frame = player.position();
  // Of a part that was only looked at there is nothing to note.
  if (part.run || frame <= part.startFrame) return;
  const stands = player.snapshot.state === 'ended' || frame >= part.endFrame ? part.startFrame : frame;
  remember(`place.${routineId}`, `${part.id} ${Math.round(stands)}`);
  listeners.tell();
}

/** Returns where playback stopped, as it is stored, or null. */
export const storedPlace = (routineId: string): string | null => remembered(`place.${routineId}`);

/** Reads a stored place; null if there is none. */
export function placeOf(stored: string | null): Place | null {
  const [partId = '', frame = ''] = (stored ?? '').split(' ');
  return partId !== '' && /^\d+$/.test(frame) ? { partId, frame: Number(frame) } : null;
}

/** Makes the routine's page, which is opened next, play from its last place. */
export function playNext(routineId: string): void {
  awaited = routineId;
}

/** Whether this routine's page should play now; only once. */
export function takesPlay(routineId: string): boolean {
  const isAwaited = awaited === routineId;
  awaited = null;
  return isAwaited;
}
