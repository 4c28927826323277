// Spanish: the later words of `recording`.

import type { LateWords } from '../englishLate';
import { number } from '../format';

/** The section `recording`. */
export const recording: LateWords['recording'] = {
  nameOf: (title) => `Nombre de “${title}”`,
  how: 'Mantén pulsado el botón, di el nombre y suelta. O pulsa una vez para empezar y otra para parar.',
  hold: 'Mantén para grabar',
  opening: 'Abriendo el micrófono…',
  speak: 'Habla ahora',
  stopHint: 'Suelta, o pulsa otra vez, para parar.',
  sending: 'Guardando…',
  preparing: 'El servidor la está preparando.',
  waits: 'Guardada en este dispositivo. Se envía cuando se alcance el servidor.',
  latest: 'Nombre grabado',
  recorded: (seconds) => `Grabado: ${number(seconds, 1)} s`,
  listen: 'Escuchar',
  stop: 'Parar',
  discard: 'Descartar',
  deleted: (title) => `El nombre grabado de “${title}” se ha eliminado.`,
  notPlayed: 'La grabación no se puede reproducir ahora.',
  problems: {
    insecure: 'El micrófono necesita una conexión segura. Abre Segmance por https o en el equipo donde funciona.',
    denied: 'El micrófono no está permitido. Permítelo para esta página en los ajustes del navegador e inténtalo de nuevo.',
    missing: 'No hay ningún micrófono.',
    busy: 'No se puede abrir el micrófono. Puede que lo use otra aplicación.',
    unsupported: 'Este navegador no puede grabar aquí.',
    again: 'El micrófono está listo. Ahora mantén pulsado el botón y habla.',
    short: 'Demasiado corto. Mantén pulsado el botón mientras dices el nombre.',
    silent: 'No se ha oído nada. Habla más alto o más cerca del micrófono.',
  },
};
