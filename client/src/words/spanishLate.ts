// Spanish: every sentence of the pages and sheets that are loaded after the first screen.

import type { LateWords } from './englishLate';
import { counted, percentText } from './format';

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
    addMove: 'Añadir un paso',
    add: 'Añadir',
    added: (move) => `Añadido: ${move}`,
    name: 'Nombre',
    type: 'Tipo',
    noType: 'Sin tipo',
    newType: 'Tipo nuevo',
    typeName: 'Nombre del tipo',
    typeShort: 'Abreviatura',
    useType: 'Usar este tipo',
  },
  offline: {
  },
  player: {
    countdown: 'Cuenta atrás',
    whenRepeating: 'Cuando la parte se repite',
    countEveryTime: 'Contar antes de cada repetición',
    countOnce: 'Solo antes de la primera',
    presets: (name) => `${name}: valores habituales`,
    pitch: 'Tono',
    pitchLabel: 'Tono en semitonos',
    originalPitch: 'Tono original',
    semitonesUp: (count) => `${counted(count, 'semitono', 'semitonos')} más alto`,
    semitonesDown: (count) => `${counted(count, 'semitono', 'semitonos')} más bajo`,
    repeats: 'Repeticiones',
    nothingRepeats: 'Todavía no se repite nada: pulsa Bucle, o marca A y B.',
    pauseBetween: 'Pausa entre repeticiones',
    none: 'Ninguna',
    speed: 'Velocidad',
    trainer: 'Entrenador de velocidad',
    trainerHint: 'Acelera mientras el bucle se repite',
    trainerNow: (percent) => `Ahora ${percentText(percent)}`,
    trainerStay: (percent) => `Seguir al ${percentText(percent)}`,
    trainerSteps: 'Cambiar los pasos',
    trainerFrom: 'De',
    trainerTo: 'A',
    trainerStep: 'Incremento',
    trainerEvery: 'Repeticiones a cada velocidad',
    spot: 'Bucle guardado',
    spotName: 'Nombre (opcional)',
    spotDeleted: 'El bucle se eliminó.',
  },
  remote: {
  },
  routines: {
  },
  services: {
  },
  settings: {
    countdownVolume: 'Volumen',
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
