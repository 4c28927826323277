// English: the later words of `practiceLog`.

import { counted } from '../format';

/** The section `practiceLog`. */
export const practiceLog = {
  title: 'Practice log',
  write: 'Write the practice log',
  writeHint: 'What you play on a routine’s page: which part, how often and how fast. Nothing is written while this is off.',
  whose: 'The log is yours. It lies on this server and in its backups, and nowhere else.',
  unread: 'The log could not be read.',
  empty: 'The log is empty. It fills by itself while you practise.',
  csv: 'CSV',
  json: 'JSON',
  saveAs: (form: string) => `Save as ${form}`,
  deleteAll: 'Delete all',
  deleteAllTitle: 'Delete the whole log?',
  entries: (count: number) => counted(count, 'entry', 'entries'),
  goes: (entries: string) => `${entries} will be deleted, on every device.`,
  deleteDay: (day: string) => `Delete ${day}`,
  deleteDayTitle: (day: string) => `Delete ${day} from the log?`,
  deleteEntry: (what: string, time: string) => `Delete ${what}, ${time}`,
  entriesDeleted: (entries: string) => `Deleted from the log: ${entries}.`,
  deletedRoutine: 'Deleted routine',
  deletedPart: 'Deleted part',
  passes: (count: number) => counted(count, 'pass', 'passes'),
  withoutMusic: 'without music',
  runThrough: 'Run-through',
  misses: (count: number) => (count === 0 ? 'no misses' : counted(count, 'miss', 'misses')),
};
