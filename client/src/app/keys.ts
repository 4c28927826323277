// The keys of the app, in one table: what the help shows is what the pages obey.

/** What a key does while practising. */
export type PracticeAction =
  | 'toggle' | 'seekBack' | 'seekForward' | 'markA' | 'markB' | 'loop'
  | 'previousPart' | 'nextPart' | 'addMove' | 'escape';

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

/** The keys as the help shows them. */
export const keyTable: readonly { readonly keys: readonly string[]; readonly meaning: string }[] = [
  { keys: ['Space'], meaning: 'Play or pause' },
  { keys: ['←', '→'], meaning: 'Back or forward by the seek step' },
  { keys: ['A'], meaning: 'Set A, the start of the section' },
  { keys: ['B'], meaning: 'Set B, the end of the section' },
  { keys: ['L'], meaning: 'Loop the part, or stop looping' },
  { keys: ['Page Up', 'Page Down'], meaning: 'Previous or next part' },
  { keys: ['Shift ←', 'Shift →'], meaning: 'Previous or next part' },
  { keys: ['N'], meaning: 'Add a move' },
  { keys: ['Alt ↑', 'Alt ↓'], meaning: 'Move the move up or down' },
  { keys: ['Delete'], meaning: 'Delete the move' },
  { keys: ['Ctrl Z'], meaning: 'Undo what was just removed' },
  { keys: ['Esc'], meaning: 'Close what is open' },
  { keys: ['?'], meaning: 'Show these keys' },
];
