// English: every sentence that the first screens show. A section for each folder of client/src, and
// `common` for what many share. A message with a gap is a function. Sentences of the pages that are
// loaded later are in englishLate.ts.

/** The words of the first screens, in English. */
export const english = {
  common: {
    back: 'Back',
    cancel: 'Cancel',
    close: 'Close',
    delete: 'Delete',
    done: 'Done',
    edit: 'Edit',
    remove: 'Remove',
    rename: 'Rename',
    retry: 'Try again',
    save: 'Save',
    undo: 'Undo',
    settings: 'Settings',
    clipper: 'Clipper',
    routines: 'Routines',
  },
  app: {
    mainPages: 'Main',
    couldNotStart: 'Segmance could not start. Reload the page to try again.',
    pageFailed: 'This page can’t be shown',
    pageFailedWhy: 'Something in it went wrong. What you did is kept.',
  },
  audio: {
  },
  guide: {
  },
  moves: {
  },
  offline: {
  },
  parts: {
  },
  player: {
  },
  remote: {
  },
  routinePage: {
  },
  routines: {
  },
  services: {
  },
  status: {
  },
  sync: {
  },
  ui: {
  },
  uploads: {
  },
  video: {
  },
};

/** What every language has to say. */
export type Words = typeof english;
