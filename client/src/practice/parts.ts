// What the arithmetic of practice is told of a routine's parts.

import type { PracticeMemory } from './memory';

/** A move; `startFrame` is null if it does not lie on counts. */
export interface PracticeMove {
  readonly id: string;
  readonly startFrame: number | null;
}

/** A part. Frames are those of its track; a `targetRate` of 1 is the original speed. */
export interface PracticePart {
  readonly id: string;
  readonly startFrame: number;
  readonly endFrame: number;
  readonly targetRate: number;
  readonly hasAudio: boolean;
  readonly moves: readonly PracticeMove[];
}

/** Passes parts to the module; returns those that it took, in order. */
export function addParts(memory: PracticeMemory, parts: readonly PracticePart[]): PracticePart[] {
  const { exports, handle } = memory;
  return parts.filter((part) => {
    const id = memory.id(part.id);
    if (id === null) return false;
    const endFrame = part.hasAudio ? part.endFrame : part.startFrame;
    if (exports.practice_add_part(handle, id, part.startFrame, endFrame, Math.round(part.targetRate * 100)) === 0) {
      return false;
    }
    for (const move of part.moves) {
      const moveId = memory.id(move.id);
      if (moveId !== null) exports.practice_add_move(handle, moveId, move.startFrame ?? NaN);
    }
    return true;
  });
}
