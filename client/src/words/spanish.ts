// Spanish: every sentence that the first screens show.

import type { Words } from './english';

/** The words of the first screens, in Spanish. */
export const spanish: Words = {
  common: {
    back: 'Atrás',
    cancel: 'Cancelar',
    close: 'Cerrar',
    delete: 'Eliminar',
    done: 'Listo',
    edit: 'Editar',
    remove: 'Quitar',
    rename: 'Cambiar nombre',
    retry: 'Reintentar',
    save: 'Guardar',
    undo: 'Deshacer',
    settings: 'Ajustes',
    clipper: 'Cortar',
    routines: 'Rutinas',
  },
  app: {
    mainPages: 'Principal',
    couldNotStart: 'Segmance no pudo iniciarse. Recarga la página para intentarlo de nuevo.',
    pageFailed: 'No se puede mostrar esta página',
    pageFailedWhy: 'Algo salió mal en ella. Lo que hiciste está guardado.',
  },
  audio: {
  },
  guide: {
  },
  moves: {
  },
  offline: {
  },
  parts: {
  },
  player: {
  },
  remote: {
  },
  routinePage: {
  },
  routines: {
  },
  services: {
  },
  status: {
  },
  sync: {
  },
  ui: {
  },
  uploads: {
  },
  video: {
  },
};
