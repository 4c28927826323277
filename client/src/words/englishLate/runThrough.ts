// English: the later words of `runThrough`.

import { counted, number } from '../format';

/** The section `runThrough`. */
export const runThrough = {
  title: 'Run-through',
  explain: 'The routine plays without stopping. Where something goes wrong, tap anywhere, or press a key or a pedal: the move is noted.',
  past: 'Before',
  none: 'Your run-throughs will be here.',
  part: (number: number) => `Part ${number}`,
  parts: (first: number, last: number) => `Parts ${first}–${last}`,
  misses: (count: number) => (count === 0 ? 'Nothing missed' : counted(count, 'miss', 'misses')),
  missed: 'Missed',
  missedMove: (name: string) => `Missed: ${name}`,
  takeBack: 'Take back',
  takeBackOf: (name: string) => `Take back: ${name}`,
  hint: 'Tap anywhere when something goes wrong',
  goOn: 'Go on',
  end: 'End the run-through',
  finish: 'End',
  reviewOf: (date: string) => `Run-through, ${date}`,
  isGone: 'This run-through was deleted.',
  gone: 'A part that was deleted',
  place: 'Place in the routine',
  chooseHint: 'Tap the strip to add something that was missed there.',
  add: 'Add',
  isMissed: 'Missed',
  added: (name: string) => `“${name}” is noted as missed.`,
  takenBack: (name: string) => `“${name}” is taken back.`,
  before: (date: string, count: number) => `The time before, ${date}: ${count === 0 ? 'nothing missed' : counted(count, 'miss', 'misses')}`,
  note: 'Note',
  noteHint: 'What to think of next time',
  practise: 'Practise what was missed',
  remove: 'Delete this run-through',
  deleted: 'The run-through is deleted.',
  weak: (missed: number, of: number) => `weak: missed ${number(missed)} of the last ${number(of)}`,
  weakAlone: 'weak',
};
