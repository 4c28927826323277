// What an uploaded file is for, and whose it becomes.

import type { LocalLibrary } from '../sync/library';

/** The destination of an uploaded file; stored with it in the browser. */
export type Purpose =
  | { readonly kind: 'track' }
  | { readonly kind: 'part'; readonly routine: string; readonly title: string; readonly position: string | null }
  /**
   * `instead` is the track or video that the part had when the file was picked; earlier versions
   * stored none.
   */
  | { readonly kind: 'replacement'; readonly part: string; readonly instead?: string | null }
  | { readonly kind: 'video'; readonly part: string; readonly instead?: string | null }
  /** The name of a move in the performer's own voice; `at` is when it was recorded, in Unix milliseconds. */
  | { readonly kind: 'recording'; readonly move: string; readonly at: number }
  /** A song of a new routine, perhaps in a group. */
  | { readonly kind: 'draft'; readonly space?: string };

/** The kinds of files that are for one part: one file per part and kind at a time. */
export type PartKind = Extract<Purpose, { readonly part: string }>['kind'];

/** Returns the group that gets an uploaded file: that of the routine it is for. */
export function spaceOf(library: Pick<LocalLibrary, 'get'>, purpose: Purpose): string | undefined {
  if (purpose.kind === 'track') return undefined;
  if (purpose.kind === 'draft') return purpose.space;
  if (purpose.kind === 'part') return library.get('routine', purpose.routine)?.space;
  const partId = 'part' in purpose ? purpose.part : library.get('move', purpose.move)?.part;
  const part = partId === undefined ? undefined : library.get('part', partId);
  return part && library.get('routine', part.routine)?.space;
}
