// Spanish: the later words of `routines`.

import type { LateWords } from '../englishLate';
import { counted, listText, number, percentText } from '../format';

/** The section `routines`. */
export const routines: LateWords['routines'] = {
  edit: 'Editar la rutina',
  title: 'Título',
  subtitle: 'Subtítulo',
  subtitleOptional: 'Subtítulo (opcional)',
  parts: 'Partes',
  name: 'Nombre',
  pin: 'Fijar arriba en la lista',
  evenLoudness: 'Oír igual de fuerte todas las canciones',
  evenLoudnessHint: 'Las partes de una canción conservan sus diferencias. No la actives con una mezcla propia.',
  performanceDate: 'Fecha de la actuación',
  performanceHint: 'La lista muestra entonces cuántos días faltan.',
  clearPerformanceDate: 'Borrar la fecha',
  newTag: 'Etiqueta nueva',
  tagHint: 'Temporada, estilo',
  addTag: 'Añadir',
  tagAdded: (tag) => `${tag}: añadida`,
  removeTag: (tag) => `Quitar la etiqueta ${tag}`,
  tagsFull: (most) => `Una rutina puede tener ${number(most)} etiquetas.`,
  suggestedTags: 'Etiquetas de otras rutinas',
  nameOfPart: (rank) => `Nombre de la parte ${rank}`,
  moveBorders: 'Ajustar el inicio y el final',
  replaceAudio: 'Reemplazar el audio',
  removePart: (title) => `¿Quitar “${title}”?`,
  songStays: 'La canción se queda en la biblioteca.',
  replacing: (title) => `Reemplazando el audio de ${title}`,
  replacingNow: (percent) => `Reemplazando el audio: ${percentText(percent)}`,
  keepAudio: 'Conservar el audio anterior',
  unusable: 'Esta canción no se puede usar.',
  newRoutine: 'Nueva rutina',
  leftOut: (fileName, problem) => `“${fileName}” quedó fuera. ${problem}`.trim(),
  onTheWay: (songs) => (
    songs === 1
      ? 'Una canción aún se está subiendo. Se añade a la rutina cuando está lista.'
      : `${number(songs)} canciones aún se están subiendo. Se añaden a la rutina cuando están listas.`
  ),
  leave: '¿Descartar esta rutina?',
  leaveSongs: (songs) => `Se perderán su título y ${counted(songs, 'canción', 'canciones')}.`,
  leaveText: 'Se perderá lo que escribiste.',
  willBeLeftOut: (files) => (
    `${listText(files.map((name) => `“${name}”`))} no se ${files.length === 1 ? 'puede usar y quedará' : 'pueden usar y quedarán'} fuera.`
  ),
  canCreate: 'Ya puedes crearla. Las canciones que aún se suben se añaden automáticamente.',
  needsSong: 'Añade al menos una canción. Cada una es una parte.',
  needsTitle: 'Ponle un título a la rutina.',
  tooLong: 'Uno de los textos es demasiado largo para guardarse.',
  needsReadySong: 'Primero tiene que estar lista una canción.',
  noUsableSong: 'Ninguna de estas canciones se puede usar.',
  songs: 'Canciones de esta rutina',
  states: {
    waiting: 'En espera', uploading: 'Subiendo', importing: 'Preparando', ready: 'Lista', failed: 'No se puede usar',
  },
  stateOf: (state, song) => `${state}: ${song}`,
  tryAgain: (song) => `Reintentar ${song}`,
  cancelSong: (song) => `Cancelar ${song}`,
  removeSong: (song) => `Quitar ${song}`,
  export: (title) => `Exportar “${title}”`,
  exportAll: 'Exportar todas las rutinas',
  notYetSent: 'Los últimos cambios aún se están enviando al servidor.',
  needsServer: 'No se puede contactar con el servidor. Él hace las exportaciones, así que inténtalo más tarde.',
  formats: { html: 'Página web', markdown: 'Markdown', json: 'JSON', labels: 'Etiquetas de Audacity', counts: 'Tiempos como etiquetas de Audacity', 'countsheet-csv': 'Hoja de ochos como tabla' },
  uses: {
    html: 'Con formas de onda y tiempos, para leer, enviar o imprimir',
    markdown: 'Texto sin formato para apps de notas',
    json: 'Todo menos el audio. Segmance puede importarlo',
    labels: 'Inicios y finales de las partes',
    counts: 'Cada tiempo de la canción, con sus ochos',
    'countsheet-csv': 'Una línea por ocho, para hojas de cálculo (CSV)',
  },
  sheets: { cuesheet: 'Guion de escena', countsheet: 'Hoja de ochos' },
  sheetUses: {
    cuesheet: 'Letra grande para la pared o entre bastidores',
    countsheet: 'Una fila por ocho, una casilla por tiempo y sitio para escribir',
  },
  emptySheets: 'Vacía, para rellenar a mano; de seises para valses',
  ofEight: 'De ochos',
  ofSix: 'De seises',
  paper: 'Papel',
  papers: { a4: 'A4', letter: 'Carta' },
  print: 'Imprimir',
  download: 'Descargar',
};
