// The run-throughs of a routine, and edits of one that can be undone.

import type { PracticeExports } from '../generated/practice';
import { parseMisses, printMisses, withMiss, withoutMiss, parseCovered, type Miss } from '../practice/misses';
import type { LocalLibrary } from '../sync/library';
import type { RunThrough } from '../sync/records';
import { toasts } from '../ui/toasts';
import { words } from '../words/words';
import { lateWords } from '../words/lateWords';

/** Returns the run-throughs of a routine, the latest first. */
export function runsOf(runs: readonly RunThrough[], routineId: string): RunThrough[] {
  return runs.filter(({ routine }) => routine === routineId)
    .sort((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? 1 : -1));
}

/** Returns the run-through before another one. */
export function runBefore(runs: readonly RunThrough[], run: RunThrough): RunThrough | null {
  const own = runsOf(runs, run.routine);
  return own[own.findIndex(({ id }) => id === run.id) + 1] ?? null;
}

/** Adds a miss. */
export function addMiss(library: LocalLibrary, practice: PracticeExports, runId: string, miss: Miss, title: string): void {
  change(library, practice, runId, (misses, covered) => withMiss(practice, covered, misses, miss));
  toasts.say(lateWords.runThrough.added(title), {
    action: {
      label: words.common.undo,
      run: () => change(library, practice, runId, (misses) => withoutMiss(practice, misses, miss)),
    },
  });
}

/** Takes a miss back. */
export function takeBack(library: LocalLibrary, practice: PracticeExports, runId: string, miss: Miss, title: string): void {
  change(library, practice, runId, (misses) => withoutMiss(practice, misses, miss));
  toasts.say(lateWords.runThrough.takenBack(title), {
    action: {
      label: words.common.undo,
      run: () => change(library, practice, runId, (misses, covered) => withMiss(practice, covered, misses, miss)),
    },
  });
}

/** Deletes a run-through. */
export function removeRun(library: LocalLibrary, run: RunThrough): void {
  const restore = library.remove('runThrough', run.id);
  toasts.say(lateWords.runThrough.deleted, { action: { label: words.common.undo, run: restore } });
}

type Covered = ReturnType<typeof parseCovered>;

/** Changes the misses as they are now: another device may have changed them meanwhile. */
function change(
  library: LocalLibrary, practice: PracticeExports, runId: string,
  next: (misses: readonly Miss[], covered: Covered) => readonly Miss[],
): void {
  const run = library.get('runThrough', runId);
  if (!run) return;
  const text = printMisses(next(parseMisses(practice, run.misses ?? ''), parseCovered(practice, run.covered ?? '')));
  library.edit('runThrough', runId, { misses: text === '' ? null : text });
}
