// Decides what a press on a move's card means, so that drag, delete, scrolling and text selection
// are never confused. Pure.

/** Where on a card a press began. */
export type Zone = 'number' | 'field' | 'control' | 'body';

/** What a press turned out to be. */
export type Meaning = 'undecided' | 'press' | 'drag' | 'delete' | 'scroll' | 'text' | 'nothing';

/** The state of a press. */
export interface Press {
  readonly zone: Zone;
  readonly isTouch: boolean;
  readonly meaning: Meaning;
}

/** An event of a press. A pen counts as a mouse: it hovers, and does not scroll. */
export interface PressEvent {
  readonly kind: 'moved' | 'held' | 'scrolled' | 'released';
  readonly heldMilliseconds: number;
  /** The distance from the start. */
  readonly movedPixels: number;
}

/** How long a finger is held on a card before it lifts it. */
export const dragDelayMilliseconds = 300;
/**
 * How long the number is held before the move is deleted; the animated fill takes the same time.
 */
export const deleteDelayMilliseconds = 900;
/**
 * A shorter hold of the number opens the menu; a longer one that is released early does nothing.
 */
export const pressLimitMilliseconds = 450;
/** How far a finger, or a mouse on the number, may move during a hold. */
export const touchSlopPixels = 8;
/** How far a mouse moves before it drags a card. */
export const mouseSlopPixels = 4;

/** Finds the zone of a card that an element belongs to. */
export function zoneOf(target: { closest(selectors: string): unknown }): Zone {
  if (target.closest('textarea, input')) return 'field';
  if (target.closest('.move-number')) return 'number';
  if (target.closest('.move-title')) return 'body';
  return target.closest('button, a, [role=menu], dialog') ? 'control' : 'body';
}

/** Decides what a press means after one more event. A decision is final. */
export function decide(press: Press, event: PressEvent): Meaning {
  const { zone, isTouch, meaning } = press;
  if (meaning !== 'undecided') return meaning;
  if (zone === 'field') return 'text';
  if (zone === 'control') return 'press';
  // With a mouse the page may scroll by itself, for instance to follow the focus: only the hold is
  // cancelled.
  if (event.kind === 'scrolled') return isTouch ? 'scroll' : zone === 'number' ? 'press' : meaning;
  if (event.kind === 'held') {
    if (zone === 'number') return event.heldMilliseconds >= deleteDelayMilliseconds ? 'delete' : meaning;
    return isTouch && event.heldMilliseconds >= dragDelayMilliseconds ? 'drag' : meaning;
  }
  if (event.movedPixels > (isTouch || zone === 'number' ? touchSlopPixels : mouseSlopPixels)) {
    if (isTouch) return 'scroll';
    return zone === 'number' ? 'nothing' : 'drag';
  }
  if (event.kind === 'moved') return meaning;
  return zone === 'number' && event.heldMilliseconds >= pressLimitMilliseconds ? 'nothing' : 'press';
}
