// English: every sentence of the pages and sheets that are loaded after the first screen.

import { counted, percentText } from './format';

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
    addMove: 'Add a move',
    add: 'Add',
    added: (move: string) => `Added: ${move}`,
    name: 'Name',
    type: 'Type',
    noType: 'No type',
    newType: 'New type',
    typeName: 'Name of the type',
    typeShort: 'Short',
    useType: 'Use this type',
  },
  offline: {
  },
  player: {
    countdown: 'Countdown',
    whenRepeating: 'When the part repeats',
    countEveryTime: 'Count before each repeat',
    countOnce: 'Only before the first',
    presets: (name: string) => `${name}: presets`,
    pitch: 'Pitch',
    pitchLabel: 'Pitch in semitones',
    originalPitch: 'Original pitch',
    semitonesUp: (count: number) => `${counted(count, 'semitone', 'semitones')} up`,
    semitonesDown: (count: number) => `${counted(count, 'semitone', 'semitones')} down`,
    repeats: 'Repeats',
    nothingRepeats: 'Nothing repeats yet: press Loop, or set A and B.',
    pauseBetween: 'Pause between repeats',
    none: 'None',
    speed: 'Speed',
    trainer: 'Speed trainer',
    trainerHint: 'Speeds up while the loop repeats',
    trainerNow: (percent: number) => `Now ${percentText(percent)}`,
    trainerStay: (percent: number) => `Stay at ${percentText(percent)}`,
    trainerSteps: 'Change the steps',
    trainerFrom: 'From',
    trainerTo: 'To',
    trainerStep: 'Step',
    trainerEvery: 'Repeats at each speed',
    spot: 'Saved loop',
    spotName: 'Name (optional)',
    spotDeleted: 'The loop is deleted.',
  },
  remote: {
  },
  routines: {
  },
  services: {
  },
  settings: {
    countdownVolume: 'Volume',
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
