// The keys of the app, in one table: what the help shows is what the pages obey.

/** What a key does while practising. */
export type PracticeAction =
  | 'toggle' | 'seekBack' | 'seekForward' | 'markA' | 'markB' | 'loop'
  | 'slower' | 'faster' | 'previousPart' | 'nextPart' | 'addMove' | 'escape';

/** The part of a keyboard event that decides. */
export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Finds what a key press means on the routine page, if anything. */
export function practiceAction(press: KeyPress): PracticeAction | null {
  if (press.altKey || press.ctrlKey || press.metaKey) return null;
  switch (press.key) {
    case ' ':
      return 'toggle';
    case 'ArrowLeft':
      return press.shiftKey ? 'previousPart' : 'seekBack';
    case 'ArrowRight':
      return press.shiftKey ? 'nextPart' : 'seekForward';
    case 'PageUp':
      return 'previousPart';
    case 'PageDown':
      return 'nextPart';
    case '+':
    case '=':
      return 'faster';
    case '-':
    case '−':
      return 'slower';
    case 'Escape':
      return 'escape';
    default:
      break;
  }
  switch (press.key.toLowerCase()) {
    case 'a':
      return 'markA';
    case 'b':
      return 'markB';
    case 'l':
      return 'loop';
    case 'n':
      return 'addMove';
    default:
      return null;
  }
}

/** What a key does in the clipper. */
export type ClipperAction =
  | 'toggle' | 'seekBack' | 'seekForward' | 'cut' | 'start' | 'end' | 'loop' | 'clip' | 'remove'
  | 'zoomIn' | 'zoomOut' | 'zoomAll' | 'escape';

const clipperActions: { readonly [key: string]: ClipperAction } = {
  ' ': 'toggle', arrowleft: 'seekBack', arrowright: 'seekForward', c: 'cut', i: 'start', '[': 'start',
  o: 'end', ']': 'end', l: 'loop', enter: 'clip', delete: 'remove', '+': 'zoomIn', '-': 'zoomOut',
  0: 'zoomAll', escape: 'escape',
};

/** Finds what a key press means in the clipper, if anything. */
export function clipperAction(press: KeyPress): ClipperAction | null {
  if (press.ctrlKey || press.metaKey || (press.altKey && /^[a-z ]$/i.test(press.key))) return null;
  const key = press.key.toLowerCase();
  return Object.hasOwn(clipperActions, key) ? clipperActions[key] ?? null : null;
}

type KeyRows = readonly { readonly keys: readonly string[]; readonly meaning: string }[];

/** The clipper's keys as the help shows them. */
export const clipperKeyTable: KeyRows = [
  { keys: ['C'], meaning: 'Cut here' },
  { keys: ['Enter'], meaning: 'Clip the selection; in a name: save it, and on to the next without one' },
  { keys: ['Shift Enter'], meaning: 'In a name: save it and cut here' },
  { keys: ['I', 'O'], meaning: 'Set the start or the end here; also [ and ]' },
  { keys: ['L'], meaning: 'Loop the selection, or stop looping' },
  { keys: ['+', '−', '0'], meaning: 'Zoom in, out, or show the whole song' },
  { keys: ['Alt'], meaning: 'Held while dragging: no snapping' },
  { keys: ['Delete'], meaning: 'Delete the clip that is adjusted' },
];

/** The keys as the help shows them. */
export const keyTable: KeyRows = [
  { keys: ['Space'], meaning: 'Play or pause' },
  { keys: ['←', '→'], meaning: 'Back or forward by the seek step' },
  { keys: ['A'], meaning: 'Set A, the start of the section' },
  { keys: ['B'], meaning: 'Set B, the end of the section' },
  { keys: ['L'], meaning: 'Loop the part, or stop looping' },
  { keys: ['+', '−'], meaning: 'Faster or slower by 5 %' },
  { keys: ['Page Up', 'Page Down'], meaning: 'Previous or next part' },
  { keys: ['Shift ←', 'Shift →'], meaning: 'Previous or next part' },
  { keys: ['N'], meaning: 'Add a move' },
  { keys: ['Alt ↑', 'Alt ↓'], meaning: 'Move the move up or down' },
  { keys: ['Delete'], meaning: 'Delete the move' },
  { keys: ['Ctrl Z'], meaning: 'Undo what was just removed' },
  { keys: ['Esc'], meaning: 'Close what is open' },
  { keys: ['?'], meaning: 'Show these keys' },
];
