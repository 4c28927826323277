// Spanish: the later words of `runThrough`.

import type { LateWords } from '../englishLate';
import { counted, number } from '../format';

/** The section `runThrough`. */
export const runThrough: LateWords['runThrough'] = {
  title: 'Pasada',
  explain: 'La rutina suena sin parar. Cuando algo falle, toca donde sea, o pulsa una tecla o un pedal: el paso queda anotado.',
  past: 'Anteriores',
  none: 'Aquí estarán tus pasadas.',
  part: (number) => `Parte ${number}`,
  parts: (first, last) => `Partes ${first}–${last}`,
  misses: (count) => (count === 0 ? 'Ningún fallo' : counted(count, 'fallo', 'fallos')),
  missed: 'Fallo',
  missedMove: (name) => `Fallo: ${name}`,
  takeBack: 'Quitar',
  takeBackOf: (name) => `Quitar: ${name}`,
  hint: 'Toca donde sea cuando algo falle',
  goOn: 'Seguir',
  end: 'Terminar la pasada',
  finish: 'Terminar',
  reviewOf: (date) => `Pasada, ${date}`,
  isGone: 'Esta pasada se ha eliminado.',
  gone: 'Una parte eliminada',
  place: 'Lugar en la rutina',
  chooseHint: 'Toca la tira para añadir un fallo en ese lugar.',
  add: 'Añadir',
  isMissed: 'Fallo',
  added: (name) => `«${name}» queda anotado.`,
  takenBack: (name) => `«${name}» ya no está anotado.`,
  before: (date, count) => `La vez anterior, ${date}: ${count === 0 ? 'ningún fallo' : counted(count, 'fallo', 'fallos')}`,
  note: 'Nota',
  noteHint: 'Qué recordar la próxima vez',
  practise: 'Practicar lo fallado',
  remove: 'Eliminar esta pasada',
  deleted: 'La pasada se ha eliminado.',
  weak: (missed, of) => `flojo: ${number(missed)} fallos en las últimas ${number(of)}`,
  weakAlone: 'flojo',
};
