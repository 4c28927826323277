// Which tip may appear: none before the first play, and one in some hours. Pure.

import { seenTips, type TipName } from './seenTips';

/** For this long after a tip appeared, no other one does. */
const pauseMilliseconds = 4 * 60 * 60 * 1000;

/** The tip that appeared last on this device, and when. */
export interface LastTip {
  readonly name: string;
  readonly at: number;
}

/** Reads the stored form, `<Unix milliseconds> <name>`; null for anything else. */
export function parseLastTip(stored: string | null): LastTip | null {
  const [at, name] = (stored ?? '').split(' ');
  return name !== undefined && Number.isFinite(Number(at)) ? { name, at: Number(at) } : null;
}

/** Formats it for storage. */
export function lastTipText({ name, at }: LastTip): string {
  return `${at} ${name}`;
}

/** Whether a tip may appear now; one that has appeared stays until it is closed. */
export function mayAppear(
  name: TipName, now: number,
  { seen, last, hasPlayed }: { readonly seen: string; readonly last: LastTip | null; readonly hasPlayed: boolean },
): boolean {
  if (!hasPlayed || seenTips(seen).includes(name)) return false;
  // A clock that was set back ends the pause.
  return last === null || last.name === name || now < last.at || now - last.at >= pauseMilliseconds;
}
