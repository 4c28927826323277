// Spanish: every sentence of the pages and sheets that are loaded after the first screen.

import type { LateWords } from './englishLate';

/** The words of the later pages, in Spanish. */
export const spanish: LateWords = {
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
    language: 'Idioma',
    languageOfSystem: 'Automático',
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
