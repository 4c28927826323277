// How routines and moves are laid out: below each other, or in columns at a glance.

import { readSetting, type Settings } from '../sync/settings';

/** A layout, which is the name of its icon, too. */
export type Layout = Settings['routinesLayout'];

/** Reads a layout that was stored; one that only another version knows is a list. */
export const layoutOf: (stored: string | null) => Layout = readSetting.routinesLayout;

/** Gives the layout that the button shows next. */
export function nextLayout(layout: Layout): Layout {
  return layout === 'list' ? 'two' : layout === 'two' ? 'three' : 'list';
}

/** Names a layout. */
export function layoutName(layout: Layout): string {
  return layout === 'list' ? layout : `${layout} columns`;
}
