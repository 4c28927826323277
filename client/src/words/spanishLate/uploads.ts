// Spanish: the later words of `uploads`.

import type { LateWords } from '../englishLate';

/** The section `uploads`. */
export const uploads: LateWords['uploads'] = {
  notInLibrary: 'Esta canción ya no está en la biblioteca.',
  inRoutine: (fileName) => `“${fileName}” ya está en esta rutina, así que se omitió.`,
  sameSong: (fileName, song) => `“${fileName}” es la misma canción que “${song}”, así que se omitió.`,
  notAdded: (song, problem) => `“${song}” no se añadió. ${problem}`.trim(),
  triesAgain: 'Segmance lo intenta de nuevo la próxima vez que lo abras.',
  inLibrary: (fileName) => `“${fileName}” ya está en la biblioteca.`,
  song: 'Canción',
  refusedOften: 'El servidor la rechazó una y otra vez. “Reintentar” continúa donde se detuvo.',
  unreadable: 'Este archivo ya no se puede leer. Elígelo de nuevo.',
  empty: 'Este archivo está vacío.',
  away: 'Sin conexión. Continúa por sí solo cuando la haya.',
  broken: 'Se cortó la conexión. Reintentando…',
  failed: (reason) => `No se pudo subir (${reason}).`,
  notKept: 'El servidor perdió esta subida varias veces. Inténtalo más tarde.',
  cancelled: 'La importación se canceló.',
  notImported: 'No se pudo importar este archivo.',
  deleted: {
    track: 'Esta canción se eliminó mientras tanto.', video: 'Este video se eliminó mientras tanto.',
    recording: 'Esta grabación se eliminó mientras tanto.',
  },
  leftOver: (reason) => `Una parte quedó en el servidor: ${reason}`,
  notReplaced: (part, problem) => `El audio de “${part}” no se reemplazó. ${problem}`.trim(),
};
