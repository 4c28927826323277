// SortableJS as a separate file: no drag begins before the first screen is shown.

export { default } from 'sortablejs';
