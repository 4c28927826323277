// What went wrong in a run-through. All arithmetic is done by Sources/Practice; here texts are passed on.

import type { PracticeExports } from '../generated/practice';
import { withPractice, type PracticeMemory } from './memory';
import { addParts, type PracticePart } from './parts';

/** A stretch of a part that was heard, in frames of its track. */
export interface Covered {
  readonly partId: string;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** One thing that went wrong, at a frame of the part's track; `moveId` is null where no move lies. */
export interface Miss {
  readonly partId: string;
  readonly frame: number;
  readonly moveId: string | null;
}

/** The frame of a part that is heard. */
export interface Heard {
  readonly partId: string;
  readonly frame: number;
}

/** Returns the lines of the field `covered`. */
export function printCovered(covered: readonly Covered[]): string {
  return covered.map(({ partId, startFrame, endFrame }) => `${partId} ${startFrame} ${endFrame}`).join('\n');
}

/** Returns the lines of the field `misses`. */
export function printMisses(misses: readonly Miss[]): string {
  return misses.map(({ partId, frame, moveId }) => `${partId} ${frame} ${moveId ?? '-'}`).join('\n');
}

/** Reads the field `covered`; what is no stretch is left out. */
export function parseCovered(exports: PracticeExports, text: string): Covered[] {
  return withPractice(exports, (memory) => {
    setCovered(memory, text);
    exports.practice_covered_text(memory.handle);
    return lines(memory.answer()).map(([partId = '', start, end]) => (
      { partId, startFrame: Number(start), endFrame: Number(end) }
    ));
  });
}

/** Reads the field `misses`; what is no miss is left out. */
export function parseMisses(exports: PracticeExports, text: string): Miss[] {
  return withPractice(exports, (memory) => {
    setMisses(memory, text);
    exports.practice_misses_text(memory.handle);
    return missesIn(memory.answer());
  });
}

/**
 * Returns what a tap means that is pressed while a frame is heard: the move one reaction time earlier.
 * Null if that frame is not covered. While a run lasts, the last stretch ends at the frame that is heard, or later.
 */
export function missedMove(
  exports: PracticeExports, parts: readonly PracticePart[],
  run: { readonly covered: readonly Covered[]; readonly percent: number }, heard: Heard,
): Miss | null {
  return withPractice(exports, (memory) => {
    addParts(memory, parts);
    setCovered(memory, printCovered(run.covered));
    const id = memory.id(heard.partId);
    if (id === null || exports.practice_missed(memory.handle, id, heard.frame, run.percent) === 0) return null;
    return missesIn(memory.answer())[0] ?? null;
  });
}

/** Returns the misses with another one, in the order of what was covered. A move is missed once. */
export function withMiss(
  exports: PracticeExports, covered: readonly Covered[], misses: readonly Miss[], miss: Miss,
): Miss[] {
  return changed(exports, covered, misses, miss, 1);
}

/** Returns the misses without those that mean the same as `miss`. */
export function withoutMiss(exports: PracticeExports, misses: readonly Miss[], miss: Miss): Miss[] {
  return changed(exports, [], misses, miss, 0);
}

function changed(
  exports: PracticeExports, covered: readonly Covered[], misses: readonly Miss[], miss: Miss, adds: number,
): Miss[] {
  return withPractice(exports, (memory) => {
    setCovered(memory, printCovered(covered));
    setMisses(memory, printMisses(misses));
    const { address, bytes } = memory.text(printMisses([miss]));
    exports.practice_change_miss(memory.handle, address, bytes, adds);
    return missesIn(memory.answer());
  });
}

function setCovered(memory: PracticeMemory, text: string): void {
  const { address, bytes } = memory.text(text);
  memory.exports.practice_set_covered(memory.handle, address, bytes);
}

function setMisses(memory: PracticeMemory, text: string): void {
  const { address, bytes } = memory.text(text);
  memory.exports.practice_set_misses(memory.handle, address, bytes);
}

/** The words of the lines that the module has written. */
function lines(text: string): string[][] {
  return text === '' ? [] : text.split('\n').map((line) => line.split(' '));
}

function missesIn(text: string): Miss[] {
  return lines(text).map(([partId = '', frame, moveId]) => (
    { partId, frame: Number(frame), moveId: moveId === undefined || moveId === '-' ? null : moveId }
  ));
}
