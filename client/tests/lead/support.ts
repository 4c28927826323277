// Random numbers that are the same in each run, and what a leader may play.

import type { LeadState } from '../../src/lead/leadState';

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A part that is played from its first second on. */
export const plain: LeadState = {
  part: '00000000-0000-4000-8000-000000000001', isRun: false, state: 'playing', frame: 48_000, at: 1_000, framesLeft: 0,
  percent: 100, loopMode: 'off', markerA: null, markerB: null, countIn: 'seconds', countdownSeconds: 0,
  countdownRepeats: 'every', restSeconds: 0,
};
