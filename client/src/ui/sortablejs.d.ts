// The part of SortableJS 1.14 that the project uses; Debian's package brings no types.

declare module 'sortablejs' {
  interface SortableEvent {
    readonly item: HTMLElement;
    readonly from: HTMLElement;
    readonly oldIndex?: number;
    readonly newIndex?: number;
  }

  interface SortableOptions {
    handle?: string;
    animation?: number;
    easing?: string;
    forceFallback?: boolean;
    ghostClass?: string;
    dragClass?: string;
    fallbackTolerance?: number;
    onEnd?: (event: SortableEvent) => void;
  }

  export default class Sortable {
    static create(element: HTMLElement, options: SortableOptions): Sortable;
    destroy(): void;
  }
}
