// English: the later words of `uploads`.

/** The section `uploads`. */
export const uploads = {
  notInLibrary: 'This song is no longer in the library.',
  inRoutine: (fileName: string) => `“${fileName}” is already in this routine, so it was skipped.`,
  sameSong: (fileName: string, song: string) => `“${fileName}” is the same song as “${song}”, so it was skipped.`,
  notAdded: (song: string, problem: string) => `“${song}” was not added. ${problem}`.trim(),
  triesAgain: 'Segmance tries again when you next open it.',
  inLibrary: (fileName: string) => `“${fileName}” is already in the library.`,
  song: 'Song',
  refusedOften: 'The server refused it again and again. “Try again” continues where it stopped.',
  unreadable: 'This file can no longer be read. Choose it again.',
  empty: 'This file is empty.',
  away: 'No connection. It continues by itself once there is one.',
  broken: 'The connection broke. Trying again…',
  failed: (reason: string) => `This could not be uploaded (${reason}).`,
  notKept: 'The server lost this upload several times. Try again later.',
  cancelled: 'The import was cancelled.',
  notImported: 'This file could not be imported.',
  deleted: {
    track: 'This song was deleted in the meantime.', video: 'This video was deleted in the meantime.',
    recording: 'This recording was deleted in the meantime.',
  },
  leftOver: (reason: string) => `Part of it stayed on the server: ${reason}`,
  notReplaced: (part: string, problem: string) => `The audio of “${part}” was not replaced. ${problem}`.trim(),
};
