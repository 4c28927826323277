// What has changed in a routine, as the server tells it, in the performer's words. Pure.

import type { FieldValues } from '../sync/wire';
import { clockWithTenths } from '../ui/time';
import { lateWords } from '../words/lateWords';

/** What to set on a record to bring something back. */
export interface BringBack {
  readonly type: 'routine' | 'part' | 'move';
  readonly record: string;
  readonly fields: FieldValues;
  /** Whether the record is to be deleted. */
  readonly removes: boolean;
}

/** What can be different. */
export type ChangeKind =
  | 'added' | 'removed' | 'renamed' | 'subtitle' | 'moved' | 'otherPart' | 'length' | 'counts' | 'shifted' | 'type' | 'notes'
  | 'cut' | 'song' | 'video' | 'videoOffset';

/** A difference between then and now. */
export interface RoutineChange {
  readonly kind: ChangeKind;
  readonly type: 'routine' | 'part' | 'move';
  readonly record: string;
  readonly title: string;
  readonly part?: string;
  readonly partTitle?: string;
  readonly was: FieldValues;
  readonly now: FieldValues;
  /** Unix milliseconds. */
  readonly at: number;
  /** Empty if something is missing. */
  readonly back: readonly BringBack[];
  readonly missing?: 'part' | 'track' | 'video' | 'moveType';
}

/** The answer of the server. */
export interface RoutineChanges {
  /** Since when they are, in Unix milliseconds; later than asked where less is known. */
  readonly since: number;
  readonly changes: readonly RoutineChange[];
  /** How many more there are. */
  readonly more: number;
  /** Brings everything back that can be. */
  readonly back: readonly BringBack[];
}

/** Puts the changes of each part together, in their order; those of the routine itself come first. */
export function byPart(changes: readonly RoutineChange[]): { readonly part: string | null; readonly changes: RoutineChange[] }[] {
  const groups: { part: string | null; changes: RoutineChange[] }[] = [];
  for (const change of changes) {
    const part = change.part ?? null;
    const last = groups[groups.length - 1];
    if (last && last.part === part) last.changes.push(change);
    else groups.push({ part, changes: [change] });
  }
  return groups;
}

/** Says what has changed, in one or two sentences. */
export function changeText({ kind, type, title, was, now }: RoutineChange): string {
  const text = lateWords.changes;
  switch (kind) {
    case 'added': return type === 'part' ? text.partAdded(title, numberOf(now, 'moves') ?? 0) : text.moveAdded(title);
    case 'removed': return type === 'part' ? text.partRemoved(title, numberOf(was, 'moves') ?? 0) : text.moveRemoved(title);
    case 'renamed': return text.renamed(textOf(was, 'title') ?? '', textOf(now, 'title') ?? '');
    case 'subtitle': return text.subtitle(textOf(was, 'subtitle') || null, textOf(now, 'subtitle') || null);
    case 'moved': return text.moved(title, numberOf(was, 'place') ?? 0, numberOf(now, 'place') ?? 0);
    case 'otherPart': return text.otherPart(title, textOf(was, 'part') ?? '');
    case 'length': return text.length(title, lengthOf(was), lengthOf(now));
    case 'counts': {
      const [before, after] = [numberOf(was, 'startCount'), numberOf(now, 'startCount')];
      if (before === null) return text.laid(title);
      return after === null ? text.takenOff(title) : shiftText([title], after - before);
    }
    case 'shifted': return shiftText([title, (numberOf(now, 'moves') ?? 1) - 1], numberOf(now, 'startCount') ?? 0);
    case 'type': return text.type(title, textOf(was, 'type'), textOf(now, 'type'));
    case 'notes': {
      if (!textOf(was, 'notes')) return text.notesAdded(title);
      return textOf(now, 'notes') ? text.notesChanged(title) : text.notesRemoved(title);
    }
    case 'cut': return text.cut(title, stretchOf(was), stretchOf(now));
    case 'song': return text.song(title, textOf(was, 'track'), textOf(now, 'track'));
    case 'video': return text.video(title, textOf(was, 'video'), textOf(now, 'video'));
    case 'videoOffset': return text.videoOffset(title);
  }
}

function shiftText([title, others = 0]: [string, number?], counts: number): string {
  const text = lateWords.changes;
  const which = text.andMore(title, others);
  return counts > 0 ? text.later(which, others + 1, counts) : text.earlier(which, others + 1, -counts);
}

const textOf = (values: FieldValues, field: string): string | null => {
  const value = values[field];
  return typeof value === 'string' ? value : null;
};

const numberOf = (values: FieldValues, field: string): number | null => {
  const value = values[field];
  return typeof value === 'number' ? value : null;
};

function lengthOf(values: FieldValues): string {
  const counts = numberOf(values, 'countLength');
  return counts === null ? lateWords.changes.untilNext : lateWords.changes.counts(counts);
}

function stretchOf(values: FieldValues): string {
  const [start, end] = [numberOf(values, 'startFrame'), numberOf(values, 'endFrame')];
  if (end === null) return lateWords.changes.noStretch;
  return `${clockWithTenths(start ?? 0)}–${clockWithTenths(end)}`;
}

/** The texts to show below the sentence: those of notes, before and now. */
export function textsOf({ kind, was, now }: RoutineChange): { readonly was: string | null; readonly now: string | null } {
  return kind === 'notes' ? { was: textOf(was, 'notes') || null, now: textOf(now, 'notes') || null } : { was: null, now: null };
}
