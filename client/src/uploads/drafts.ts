// Keeps the routine in the making, and warns before a page with running uploads is closed.

import { Listeners } from '../sync/listeners';
import type { LocalLibrary } from '../sync/library';
import { Upload } from './upload';
import { leaving } from '../ui/device';
import { toasts } from '../ui/toasts';
import { RoutineDraft } from './draft';

/** The routine being made, if any. It outlives the sheet that shows it, so that Back loses nothing. */
export interface Drafts {
  readonly current: RoutineDraft | null;
  /** Every list of songs that may still have some on their way. */
  readonly all: Iterable<RoutineDraft>;
  subscribe(listener: () => void): () => void;
  /** Gives the routine being made, or begins one. */
  open(): RoutineDraft;
  /** Gives a list of uploads that become parts of a routine that exists. */
  forRoutine(routineId: string): RoutineDraft;
  /** Forgets the routine being made; its uploads are its own affair. */
  finish(): void;
}

/** Makes the store of drafts of one page. `onParts` hears of the parts that are made of songs. */
export function makeDrafts(library: LocalLibrary, onParts?: (parts: readonly string[]) => void): Drafts {
  let current: RoutineDraft | null = null;
  const all = new Set<RoutineDraft>();
  const listeners = new Listeners();

  const make = (routineId?: string): RoutineDraft => {
    const draft = new RoutineDraft({
      library,
      makeUpload: (file) => new Upload(file, { library }),
      onLateProblem: (sentence) => toasts.say(sentence, { kind: 'problem' }),
      ...(onParts && { onParts }),
      ...(routineId === undefined ? {} : { routineId }),
    });
    for (const old of all) if (old.rows.length === 0 && old !== current) all.delete(old);
    all.add(draft);
    // Its sheet may still be open when it is dropped for being empty, and songs picked there later.
    draft.subscribe(() => {
      if (draft.rows.length === 0 || all.has(draft)) return;
      all.add(draft);
      changed();
    });
    // Not at once: a component may be making it while it renders.
    queueMicrotask(() => changed());
    return draft;
  };
  const changed = (): void => listeners.tell();

  window.addEventListener('beforeunload', (event) => {
    if (!leaving.isSafe && [...all].some((draft) => draft.unfinished > 0)) event.preventDefault();
  });

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
        changed();
      }
      return current;
    },
    forRoutine(routineId) {
      // Songs on their way when the sheet was closed are there when it opens again.
      const underWay = [...all].find((draft) => draft.routineId === routineId && draft.rows.length > 0);
      return underWay ?? make(routineId);
    },
    finish() {
      current = null;
      changed();
    },
  };
}
