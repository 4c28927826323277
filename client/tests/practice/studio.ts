// The real arithmetic of practice, and parts and ids for its tests.

import { readFileSync } from 'node:fs';
import { instantiatePractice } from '../../src/practice/practiceModule';
import type { PracticePart } from '../../src/practice/parts';

/** Frames of a second. */
export const second = 48_000;

/** The module that `make wasm` has built; tests run in the repository's root. */
export const practice = await instantiatePractice(readFileSync('dist/client/practice.wasm').buffer);

/** Returns an id by a number. */
export function id(number: number): string {
  return `0193a5b0-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** Returns a part of 20 seconds, with moves of 4 seconds each from frame 480,000 on. */
export function part(number: number, changes: Partial<PracticePart> = {}): PracticePart {
  return {
    id: id(number), startFrame: 10 * second, endFrame: 30 * second, targetRate: 1, hasAudio: true,
    moves: [0, 1, 2, 3, 4].map((move) => ({ id: id(100 * number + move), startFrame: (10 + 4 * move) * second })),
    ...changes,
  };
}
