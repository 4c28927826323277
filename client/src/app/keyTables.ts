// The keys as the help lists them; keys.ts has the bindings.

type KeyRows = readonly { readonly keys: readonly string[]; readonly meaning: string }[];

/** The clipper's keys as the help shows them. */
export const clipperKeyTable: KeyRows = [
  { keys: ['C'], meaning: 'Cut here' },
  { keys: ['N'], meaning: 'Type the name of the part that was just cut, or is heard' },
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
  { keys: ['+', '−'], meaning: 'Faster or slower by 5%' },
  { keys: ['Page Up', 'Page Down'], meaning: 'Previous or next part' },
  { keys: ['Shift ←', 'Shift →'], meaning: 'Previous or next part' },
  { keys: ['N'], meaning: 'Add a move' },
  { keys: ['V'], meaning: 'Show or hide the video' },
  { keys: ['Alt ↑', 'Alt ↓'], meaning: 'Move the move up or down' },
  { keys: ['Delete'], meaning: 'Delete the move' },
  { keys: ['Ctrl Z'], meaning: 'Undo what was just removed' },
  { keys: ['Esc'], meaning: 'Close what is open' },
  { keys: ['?'], meaning: 'Show these keys' },
];

/** The keys of the floating video, while it has the focus. */
export const videoKeyTable: KeyRows = [
  { keys: ['Arrows'], meaning: 'Move the video; with Shift further' },
  { keys: ['+', '−'], meaning: 'Larger or smaller' },
  { keys: [',', '.'], meaning: 'One frame back or on' },
  { keys: ['M', 'F'], meaning: 'Mirror, full screen' },
  { keys: ['Shift F10'], meaning: 'Replace, unlink or set the offset; also the menu key' },
];
