// Copies a pairing address to use it elsewhere on the same device.

import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';

/** Copies an address, and reports the result. */
export function copyAddress(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toasts.say(lateWords.devices.addressCopied),
    () => toasts.say(lateWords.devices.notCopied, { kind: 'problem' }),
  );
}
