// Which devices were paired by another device's code. Pure.

import type { Device } from './api';

/** Returns the devices that were paired by a device's codes, recursively. */
export function guestsOf(device: Device, devices: readonly Device[]): readonly Device[] {
  const found = [device];
  // The list grows during the iteration.
  for (const each of found) {
    found.push(...devices.filter((other) => other.invitedBy === each.id && !found.includes(other)));
  }
  return found.slice(1);
}
