// Spanish: the later words of `practiceLog`.

import type { LateWords } from '../englishLate';
import { counted } from '../format';

/** The section `practiceLog`. */
export const practiceLog: LateWords['practiceLog'] = {
  title: 'Registro de práctica',
  write: 'Escribir el registro de práctica',
  writeHint: 'Lo que reproduces en la página de una rutina: qué parte, cuántas veces y a qué velocidad. Desactivado, no se escribe nada.',
  whose: 'El registro es tuyo. Está en este servidor y en sus copias de seguridad, y en ningún otro lugar.',
  unread: 'No se pudo leer el registro.',
  empty: 'El registro está vacío. Se llena solo mientras practicas.',
  csv: 'CSV',
  json: 'JSON',
  saveAs: (form) => `Guardar como ${form}`,
  deleteAll: 'Eliminar todo',
  deleteAllTitle: '¿Eliminar todo el registro?',
  entries: (count) => counted(count, 'entrada', 'entradas'),
  goes: (entries) => `Se eliminará en todos los dispositivos: ${entries}.`,
  deleteDay: (day) => `Eliminar ${day}`,
  deleteDayTitle: (day) => `¿Eliminar ${day} del registro?`,
  deleteEntry: (what, time) => `Eliminar ${what}, ${time}`,
  entriesDeleted: (entries) => `Se eliminó del registro: ${entries}.`,
  deletedRoutine: 'Rutina eliminada',
  deletedPart: 'Parte eliminada',
  passes: (count) => counted(count, 'pasada', 'pasadas'),
  withoutMusic: 'sin música',
  runThrough: 'Pase completo',
  misses: (count) => (count === 0 ? 'sin fallos' : counted(count, 'fallo', 'fallos')),
};
