// SortableJS as a separate file: a page needs it only once it has a sortable list.

export { default } from 'sortablejs';
