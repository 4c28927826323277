// English: the later words of `changes`.

import { counted, number } from '../format';

/** The section `changes`. */
export const changes = {
  since: 'Since',
  lastPractice: 'Last practice',
  yesterday: 'Yesterday',
  days: (count: number) => counted(count, 'day', 'days'),
  date: 'A date',
  loading: 'Loading…',
  nothing: (when: string) => `Nothing has changed since ${when}.`,
  found: (count: number, when: string) => `${counted(count, 'change', 'changes')} since ${when}.`,
  notKnownBefore: 'What it was before that is not known any more.',
  more: (count: number) => `The first ${number(count)} are shown.`,
  needsServer: 'What it was is stored on the server, which can’t be reached.',
  onTheServer: 'What it was is stored on the server.',
  routine: 'The routine',
  bringBack: 'Bring back',
  removeAgain: 'Remove again',
  bringAllBack: 'Bring all back',
  broughtBack: (title: string) => `“${title}” is as it was.`,
  allBroughtBack: 'Everything is as it was.',
  before: 'Before',
  now: 'Now',
  partAdded: (title: string, moves: number) => (
    moves === 0 ? `“${title}” is new.` : `“${title}” is new, with ${counted(moves, 'move', 'moves')}.`
  ),
  moveAdded: (title: string) => `“${title}” is new.`,
  partRemoved: (title: string, moves: number) => (
    moves === 0 ? `“${title}” was removed.` : `“${title}” was removed, with ${counted(moves, 'move', 'moves')}.`
  ),
  moveRemoved: (title: string) => `“${title}” was deleted.`,
  renamed: (was: string, now: string) => `“${was}” is called “${now}” now.`,
  subtitle: (was: string | null, now: string | null) => (
    was === null ? `The subtitle “${now}” is new.`
      : now === null ? `The subtitle “${was}” was removed.` : `The subtitle “${was}” is “${now}” now.`
  ),
  moved: (title: string, was: number, now: number) => `“${title}” was number ${number(was)}, and is number ${number(now)} now.`,
  otherPart: (title: string, was: string) => `“${title}” came here from “${was}”.`,
  counts: (count: number) => `${number(count, 3)} ${count === 1 ? 'count' : 'counts'}`,
  untilNext: 'the time until the next move',
  length: (title: string, was: string, now: string) => `“${title}” took ${was}, and takes ${now} now.`,
  laid: (title: string) => `“${title}” lies on counts now.`,
  takenOff: (title: string) => `“${title}” lies on no counts any more.`,
  andMore: (title: string, others: number) => (
    others === 0 ? `“${title}”` : `“${title}” and ${number(others)} more`
  ),
  later: (which: string, moves: number, counts: number) => (
    `${which} ${moves === 1 ? 'begins' : 'begin'} ${number(counts, 3)} ${counts === 1 ? 'count' : 'counts'} later.`
  ),
  earlier: (which: string, moves: number, counts: number) => (
    `${which} ${moves === 1 ? 'begins' : 'begin'} ${number(counts, 3)} ${counts === 1 ? 'count' : 'counts'} earlier.`
  ),
  type: (title: string, was: string | null, now: string | null) => (
    `The type of “${title}” was ${was === null ? 'none' : `“${was}”`}, and is ${now === null ? 'none' : `“${now}”`} now.`
  ),
  notesAdded: (title: string) => `“${title}” has notes now.`,
  notesChanged: (title: string) => `“${title}” has other notes.`,
  notesRemoved: (title: string) => `“${title}” has no notes any more.`,
  noStretch: 'all of the song',
  cut: (title: string, was: string, now: string) => `“${title}” was ${was}, and is ${now} now.`,
  song: (title: string, was: string | null, now: string | null) => (
    `The song of “${title}” was ${was === null ? 'none' : `“${was}”`}, and is ${now === null ? 'none' : `“${now}”`} now.`
  ),
  video: (title: string, was: string | null, now: string | null) => (
    `The video of “${title}” was ${was === null ? 'none' : `“${was}”`}, and is ${now === null ? 'none' : `“${now}”`} now.`
  ),
  videoOffset: (title: string) => `The video of “${title}” was shifted against the music.`,
  missing: {
    part: 'It can’t come back alone: the part where it was is removed. Bring that back first.',
    track: 'It can’t come back: that song is not in the library any more.',
    video: 'It can’t come back: that video is not in the library any more.',
    moveType: 'It can’t come back: that move type is deleted.',
  },
};
