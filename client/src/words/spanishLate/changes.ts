// Spanish: the later words of `changes`.

import type { LateWords } from '../englishLate';
import { counted, number } from '../format';

/** The section `changes`. */
export const changes: LateWords['changes'] = {
  since: 'Desde',
  lastPractice: 'La última práctica',
  yesterday: 'Ayer',
  days: (count: number) => counted(count, 'día', 'días'),
  date: 'Una fecha',
  loading: 'Cargando…',
  nothing: (when: string) => `Nada ha cambiado desde el ${when}.`,
  found: (count: number, when: string) => `${counted(count, 'cambio', 'cambios')} desde el ${when}.`,
  notKnownBefore: 'Ya no se sabe cómo era antes.',
  more: (count: number) => `Se muestran los primeros ${number(count)}.`,
  needsServer: 'Lo que era antes está guardado en el servidor, y no hay conexión con él.',
  onTheServer: 'Lo que era antes está guardado en el servidor.',
  routine: 'La rutina',
  bringBack: 'Recuperar',
  removeAgain: 'Volver a quitar',
  bringAllBack: 'Recuperar todo',
  broughtBack: (title: string) => `“${title}” está como antes.`,
  allBroughtBack: 'Todo está como antes.',
  before: 'Antes',
  now: 'Ahora',
  partAdded: (title: string, moves: number) => (
    moves === 0 ? `“${title}” es nueva.` : `“${title}” es nueva, con ${counted(moves, 'movimiento', 'movimientos')}.`
  ),
  moveAdded: (title: string) => `“${title}” es nuevo.`,
  partRemoved: (title: string, moves: number) => (
    moves === 0 ? `“${title}” se quitó.` : `“${title}” se quitó, con ${counted(moves, 'movimiento', 'movimientos')}.`
  ),
  moveRemoved: (title: string) => `“${title}” se eliminó.`,
  renamed: (was: string, now: string) => `“${was}” se llama ahora “${now}”.`,
  subtitle: (was: string | null, now: string | null) => (
    was === null ? `El subtítulo “${now}” es nuevo.`
      : now === null ? `El subtítulo “${was}” se quitó.` : `El subtítulo “${was}” es ahora “${now}”.`
  ),
  moved: (title: string, was: number, now: number) => `“${title}” era el número ${number(was)}, y ahora es el ${number(now)}.`,
  otherPart: (title: string, was: string) => `“${title}” vino aquí desde “${was}”.`,
  counts: (count: number) => `${number(count, 3)} ${count === 1 ? 'tiempo' : 'tiempos'}`,
  untilNext: 'lo que queda hasta el siguiente movimiento',
  length: (title: string, was: string, now: string) => `“${title}” duraba ${was}, y ahora dura ${now}.`,
  laid: (title: string) => `“${title}” está ahora sobre tiempos.`,
  takenOff: (title: string) => `“${title}” ya no está sobre tiempos.`,
  andMore: (title: string, others: number) => (
    others === 0 ? `“${title}”` : `“${title}” y ${number(others)} más`
  ),
  later: (which: string, moves: number, counts: number) => (
    `${which} ${moves === 1 ? 'empieza' : 'empiezan'} ${number(counts, 3)} ${counts === 1 ? 'tiempo' : 'tiempos'} después.`
  ),
  earlier: (which: string, moves: number, counts: number) => (
    `${which} ${moves === 1 ? 'empieza' : 'empiezan'} ${number(counts, 3)} ${counts === 1 ? 'tiempo' : 'tiempos'} antes.`
  ),
  type: (title: string, was: string | null, now: string | null) => (
    `El tipo de “${title}” era ${was === null ? 'ninguno' : `“${was}”`}, y ahora es ${now === null ? 'ninguno' : `“${now}”`}.`
  ),
  notesAdded: (title: string) => `“${title}” tiene ahora notas.`,
  notesChanged: (title: string) => `“${title}” tiene otras notas.`,
  notesRemoved: (title: string) => `“${title}” ya no tiene notas.`,
  noStretch: 'toda la canción',
  cut: (title: string, was: string, now: string) => `“${title}” era ${was}, y ahora es ${now}.`,
  song: (title: string, was: string | null, now: string | null) => (
    `La canción de “${title}” era ${was === null ? 'ninguna' : `“${was}”`}, y ahora es ${now === null ? 'ninguna' : `“${now}”`}.`
  ),
  video: (title: string, was: string | null, now: string | null) => (
    `El vídeo de “${title}” era ${was === null ? 'ninguno' : `“${was}”`}, y ahora es ${now === null ? 'ninguno' : `“${now}”`}.`
  ),
  videoOffset: (title: string) => `El vídeo de “${title}” se desplazó respecto a la música.`,
  missing: {
    part: 'No puede volver solo: la parte en la que estaba se quitó. Recupera antes esa parte.',
    track: 'No puede volver: esa canción ya no está en la biblioteca.',
    video: 'No puede volver: ese vídeo ya no está en la biblioteca.',
    moveType: 'No puede volver: ese tipo de movimiento se eliminó.',
  },
};
