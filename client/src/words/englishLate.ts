// English: every sentence of the pages and sheets that are loaded after the first screen.

/** The words of the later pages, in English. */
export const english = {
  app: {
  },
  clipper: {
  },
  devices: {
  },
  guide: {
  },
  install: {
  },
  moves: {
  },
  offline: {
  },
  player: {
  },
  remote: {
  },
  routines: {
  },
  services: {
  },
  settings: {
    language: 'Language',
    languageOfSystem: 'Automatic',
  },
  status: {
  },
  ui: {
  },
  uploads: {
  },
  video: {
  },
};

/** What every language has to say on the later pages. */
export type LateWords = typeof english;
