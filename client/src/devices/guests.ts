// Who came in by whose code. Pure.

import type { Device } from './api';

/** Finds the devices that came in by codes of a device, and by theirs. */
export function guestsOf(device: Device, devices: readonly Device[]): readonly Device[] {
  const found = [device];
  // It grows while it is gone through.
  for (const each of found) {
    found.push(...devices.filter((other) => other.invitedBy === each.id && !found.includes(other)));
  }
  return found.slice(1);
}
