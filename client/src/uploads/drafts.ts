// Keeps the draft of a new routine, and the lists of songs that are added to existing ones.

import { Listeners } from '../sync/listeners';
import type { LocalLibrary } from '../sync/library';
import { toasts } from '../ui/toasts';
import type { DraftOptions, RoutineDraft } from './draft';
import type { UploadQueue } from './queue';

/**
 * The draft of a new routine, if any. It outlives the sheet that shows it, so that Back loses
 * nothing.
 */
export interface Drafts {
  readonly current: RoutineDraft | null;
  /** Every list of songs that may still have unfinished ones. */
  readonly all: Iterable<RoutineDraft>;
  subscribe(listener: () => void): () => void;
  /** Returns the current draft, or starts one. */
  open(): RoutineDraft;
  /** Returns a list of uploads that become parts of an existing routine. */
  forRoutine(routineId: string): RoutineDraft;
  /** Drops the draft; its uploads continue. */
  finish(): void;
}

/**
 * Makes the store of drafts of one page. `makeDraft` is called when the first is wanted, `onParts` with the parts made
 * of songs.
 */
export function makeDrafts(
  makeDraft: (options: DraftOptions) => RoutineDraft, library: LocalLibrary, uploads: UploadQueue,
  onParts?: (parts: readonly string[]) => void,
): Drafts {
  let current: RoutineDraft | null = null;
  const all = new Set<RoutineDraft>();
  const listeners = new Listeners();

  const make = (routineId?: string): RoutineDraft => {
    const draft = makeDraft({
      library,
      uploads,
      onLateProblem: (sentence) => toasts.say(sentence, { kind: 'problem' }),
      ...(onParts && { onParts }),
      ...(routineId === undefined ? {} : { routineId }),
    });
    for (const old of all) if (old.rows.length === 0 && old !== current) all.delete(old);
    all.add(draft);
    // An empty draft is dropped, but its sheet may still be open, and songs may be added there
    // later.
    draft.subscribe(() => {
      if (draft.rows.length === 0 || all.has(draft)) return;
      all.add(draft);
      listeners.tell();
    });
    // Deferred: a component may create it during a render.
    queueMicrotask(() => listeners.tell());
    return draft;
  };
  return {
    get current() {
      return current;
    },
    get all() {
      return all;
    },
    subscribe: listeners.add,
    open() {
      if (current === null) {
        current = make();
        listeners.tell();
      }
      return current;
    },
    forRoutine(routineId) {
      // Songs that were uploading when the sheet was closed are there when it opens again.
      const underWay = [...all].find((draft) => draft.routineId === routineId && draft.rows.length > 0);
      return underWay ?? make(routineId);
    },
    finish() {
      current = null;
      listeners.tell();
    },
  };
}
