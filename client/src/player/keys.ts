// The key bindings of the app; keyTables.ts lists them for the help.

/** The actions of keys while practising. */
export type PracticeAction =
  | 'toggle' | 'seekBack' | 'seekForward' | 'markA' | 'markB' | 'loop'
  | 'slower' | 'faster' | 'previousPart' | 'nextPart' | 'addMove' | 'stage' | 'runThrough' | 'escape';

/** The relevant properties of a keyboard event. */
export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Returns the action of a key press on the routine page, if any. */
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
    case 'r':
      return 'runThrough';
    case 's':
      return 'stage';
    default:
      return null;
  }
}

/** The actions of keys in a session; a pedal that turns pages sends the arrows or the page keys. */
export type SessionKey = 'next' | 'again' | 'longer' | 'toggle' | 'end';

/** Returns the action of a key, if any. */
export function sessionKey({ key, ctrlKey, metaKey, altKey }: KeyPress): SessionKey | null {
  if (ctrlKey || metaKey || altKey) return null;
  switch (key) {
    case 'ArrowRight': case 'ArrowDown': case 'PageDown': return 'next';
    case 'ArrowLeft': case 'ArrowUp': case 'PageUp': return 'again';
    case '+': case '=': return 'longer';
    case ' ': return 'toggle';
    case 'Escape': return 'end';
    default: return null;
  }
}

/** The actions of keys in the clipper. */
export type ClipperAction =
  | 'toggle' | 'seekBack' | 'seekForward' | 'cut' | 'start' | 'end' | 'loop' | 'clip' | 'remove'
  | 'name' | 'zoomIn' | 'zoomOut' | 'zoomAll' | 'escape';

const clipperActions: { readonly [key: string]: ClipperAction } = {
  ' ': 'toggle', arrowleft: 'seekBack', arrowright: 'seekForward', c: 'cut', n: 'name', i: 'start', '[': 'start',
  o: 'end', ']': 'end', l: 'loop', enter: 'clip', delete: 'remove', '+': 'zoomIn', '-': 'zoomOut',
  0: 'zoomAll', escape: 'escape',
};

/** Returns the action of a key press in the clipper, if any. */
export function clipperAction(press: KeyPress): ClipperAction | null {
  if (press.ctrlKey || press.metaKey || (press.altKey && /^[a-z ]$/i.test(press.key))) return null;
  const key = press.key.toLowerCase();
  return Object.hasOwn(clipperActions, key) ? clipperActions[key] ?? null : null;
}
