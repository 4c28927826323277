// Keeps a controlled player while this page changes to the routine that is open there: every routine's page has
// a session of its own.

import type { RemotePlayer } from './protocol';

let pending: { readonly player: RemotePlayer; readonly routine: string } | null = null;

/** Leaves the control of a player to the page of a routine. */
export function handOver(player: RemotePlayer, routine: string): void {
  pending = { player, routine };
}

/** Returns the player that the page of this routine has to control; only once. */
export function handedOver(routine: string): RemotePlayer | null {
  const player = pending?.routine === routine ? pending.player : null;
  pending = null;
  return player;
}
