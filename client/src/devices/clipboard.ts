// Copies a pairing address to use it elsewhere on the same device.

import { toasts } from '../ui/toasts';

/** Copies an address, and reports the result. */
export function copyAddress(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toasts.say('The address is copied.'),
    () => toasts.say('The browser does not let it be copied. Select it by hand.', { kind: 'problem' }),
  );
}
