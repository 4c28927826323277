// Copies an address to use it elsewhere.

import { toasts } from './toasts';
import { lateWords } from '../words/lateWords';

/** Copies an address, and reports the result. */
export function copyAddress(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toasts.say(lateWords.devices.addressCopied),
    () => toasts.say(lateWords.devices.notCopied, { kind: 'problem' }),
  );
}
