// How routines and moves are laid out: below each other, or in columns at a glance.

const layouts = ['list', 'two', 'three'] as const;

/** A layout, which is the name of its icon, too. */
export type Layout = (typeof layouts)[number];

/** Reads a layout that was stored; one that only another version knows is a list. */
export function layoutOf(stored: string | null): Layout {
  return layouts.find((layout) => layout === stored) ?? 'list';
}

/** Gives the layout that the button shows next. */
export function nextLayout(layout: Layout): Layout {
  return layout === 'list' ? 'two' : layout === 'two' ? 'three' : 'list';
}

/** Names a layout. */
export function layoutName(layout: Layout): string {
  return layout === 'list' ? layout : `${layout} columns`;
}
