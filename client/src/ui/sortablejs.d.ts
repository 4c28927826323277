// The part of SortableJS 1.14 that the project uses; Debian's package has no types.

declare module 'sortablejs' {
  export interface SortableEvent {
    readonly item: HTMLElement;
    readonly from: HTMLElement;
  }

  export interface SortableOptions {
    handle?: string;
    animation?: number;
    easing?: string;
    forceFallback?: boolean;
    ghostClass?: string;
    dragClass?: string;
    fallbackTolerance?: number;
    chosenClass?: string;
    delay?: number;
    delayOnTouchOnly?: boolean;
    touchStartThreshold?: number;
    filter?: (event: Event) => boolean;
    preventOnFilter?: boolean;
    scroll?: boolean | HTMLElement;
    scrollSensitivity?: number;
    bubbleScroll?: boolean;
    onChange?: (event: SortableEvent) => void;
    onStart?: (event: SortableEvent) => void;
    onEnd?: (event: SortableEvent) => void;
  }

  export default class Sortable {
    static create(element: HTMLElement, options: SortableOptions): Sortable;
    destroy(): void;
  }
}
