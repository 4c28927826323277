// The layout of routines and moves: a list, or an overview in columns.

import { readSetting, type Settings } from '../sync/settings';
import { words } from '../words/words';

/** A layout, which is also the name of its icon. */
export type Layout = Settings['routinesLayout'];

/** Reads a stored layout; an unknown one is a list. */
export const layoutOf: (stored: string | null) => Layout = readSetting.routinesLayout;

/** A layout of moves; `eights` is a row for each eight. */
export type MovesLayout = Layout | 'eights';

/** Reads a stored layout of moves; an unknown one is a list. */
export function movesLayoutOf(stored: string | null): MovesLayout {
  return stored === 'eights' ? stored : layoutOf(stored);
}

/** Returns the next layout of the button. */
export function nextLayout(layout: Layout): Layout {
  return layout === 'list' ? 'two' : layout === 'two' ? 'three' : 'list';
}

/** Names a layout. */
export function layoutName(layout: Layout): string {
  return words.ui.layouts[layout];
}
