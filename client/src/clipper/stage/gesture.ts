// Interprets pointer events on the wave, so that a tap, a pan, a pinch, a selection and scrolling
// are never confused. Pure: events in, actions out.

/** How long a finger is held before it selects. */
export const longPressMilliseconds = 400;
/** How far a finger may move during a tap or a hold; a mouse, before it selects. */
export const touchSlopPixels = 8;
export const mouseSlopPixels = 3;

/** A pointer's position, in pixels from the wave's left and top. */
export interface GesturePoint {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/** The resulting actions. Selections and pinches begin where the pointer went down. */
export interface GestureActions {
  onTap(x: number): void;
  /** Moves the wave by this many pixels to the right. */
  onPan(pixels: number): void;
  onPanEnd(): void;
  /** Two fingers are down. */
  onPinchStart(oneX: number, otherX: number): void;
  onPinch(oneX: number, otherX: number): void;
  /** A finger was held, and a drag would now select. */
  onHold(x: number): void;
  onSelectStart(x: number): void;
  onSelect(x: number): void;
  onSelectEnd(): void;
  /** A hold ended without a selection. */
  onHoldEnd(): void;
}

type Meaning = 'nothing' | 'undecided' | 'pan' | 'hold' | 'select' | 'pinch' | 'over';

/** Follows the pointers on the wave. A pen counts as a mouse, since it is precise. */
export class WaveGesture {
  private meaning: Meaning = 'nothing';
  private isTouch = false;
  private readonly points = new Map<number, { x: number; y: number }>();
  private begin = { x: 0, y: 0 };
  private lastX = 0;

  constructor(private readonly actions: GestureActions) {}

  /** Whether the page must not scroll while the fingers move. */
  get holdsPage(): boolean {
    return this.meaning === 'pan' || this.meaning === 'hold' || this.meaning === 'select' || this.meaning === 'pinch';
  }

  /** A pointer comes down. */
  down({ id, x, y }: GesturePoint, isTouch: boolean): void {
    if (this.points.size >= 2 || this.points.has(id)) return;
    this.points.set(id, { x, y });
    if (this.points.size === 1) {
      this.isTouch = isTouch;
      this.meaning = 'undecided';
      this.begin = { x, y };
      this.lastX = x;
      return;
    }
    this.finish();
    this.meaning = 'pinch';
    this.pinch((one, other) => this.actions.onPinchStart(one, other));
  }

  /** The time of a long press has passed. */
  held(): void {
    if (this.meaning !== 'undecided' || !this.isTouch) return;
    this.meaning = 'hold';
    this.actions.onHold(this.begin.x);
  }

  /** A pointer moves. */
  move({ id, x, y }: GesturePoint): void {
    if (!this.points.has(id)) return;
    this.points.set(id, { x, y });
    if (this.meaning === 'undecided') this.decide(x, y);
    if (this.meaning === 'hold' && Math.abs(x - this.begin.x) > mouseSlopPixels) this.startSelecting();
    if (this.meaning === 'pan') {
      this.actions.onPan(x - this.lastX);
      this.lastX = x;
    } else if (this.meaning === 'select') {
      this.actions.onSelect(x);
    } else if (this.meaning === 'pinch') {
      this.pinch((one, other) => this.actions.onPinch(one, other));
    }
  }

  /** A pointer is lifted. */
  up(id: number): void {
    const point = this.points.get(id);
    if (!point) return;
    this.points.delete(id);
    if (this.meaning === 'undecided') this.actions.onTap(point.x);
    this.settle();
  }

  /** The browser cancels a pointer, for instance to scroll the page. */
  cancel(id: number): void {
    if (!this.points.delete(id)) return;
    this.settle();
  }

  /** Ends the current gesture; after a pinch the remaining finger pans. */
  private settle(): void {
    this.finish();
    const [left] = this.points.values();
    this.meaning = left ? 'pan' : 'nothing';
    if (left) this.lastX = left.x;
  }

  private finish(): void {
    if (this.meaning === 'pan' || this.meaning === 'pinch') this.actions.onPanEnd();
    if (this.meaning === 'hold') this.actions.onHoldEnd();
    if (this.meaning === 'select') this.actions.onSelectEnd();
  }

  private decide(x: number, y: number): void {
    const across = Math.abs(x - this.begin.x);
    const down = Math.abs(y - this.begin.y);
    if (!this.isTouch) {
      if (across > mouseSlopPixels) this.startSelecting();
    } else if (Math.max(across, down) > touchSlopPixels) {
      // A finger that moves vertically scrolls the page, even if the browser does not cancel it.
      this.meaning = across >= down ? 'pan' : 'over';
      this.lastX = x;
    }
  }

  private startSelecting(): void {
    this.meaning = 'select';
    this.actions.onSelectStart(this.begin.x);
  }

  private pinch(tell: (oneX: number, otherX: number) => void): void {
    const [one, other] = this.points.values();
    if (one && other) tell(one.x, other.x);
  }
}
