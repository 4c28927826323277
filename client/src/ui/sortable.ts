// SortableJS as a file of its own: a page needs it only once there is a list to put in order.

export { default } from 'sortablejs';
