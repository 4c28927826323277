// Takes a pairing address to another place of the same device.

import { toasts } from '../ui/toasts';

/** Copies an address, and says how that went. */
export function copyAddress(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toasts.say('The address is copied.'),
    () => toasts.say('The browser does not let it be copied. Select it by hand.', { kind: 'problem' }),
  );
}
