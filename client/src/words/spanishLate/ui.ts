// Spanish: the later words of `ui`.

import type { LateWords } from '../englishLate';
import { number } from '../format';

/** The section `ui`. */
export const ui: LateWords['ui'] = {
  share: 'Compartir…',
  shareOf: (what) => `Compartir ${what}…`,
  shareAgain: 'El archivo está listo. Pulsa Compartir otra vez.',
  notShared: (reason) => `No se pudo compartir. ${reason}`,
  nowAt: (name, rank, count) => `${name}, ahora ${number(rank)} de ${number(count)}`,
  grip: (name, rank, count) => (
    `Reordenar ${name}, ${number(rank)} de ${number(count)}. Usa las flechas para moverlo.`
  ),
  reorder: (name) => `Reordenar ${name}`,
  addSongs: 'Añadir canciones',
  addMoreSongs: 'Añadir más canciones',
  chooseSeveral: 'Elige varias a la vez',
  chooseOrDrop: 'Elige varias a la vez o suéltalas aquí',
  ownColour: 'Personalizado',
  colours: {
    red: 'Rojo', orange: 'Naranja', amber: 'Ámbar', olive: 'Oliva', green: 'Verde', teal: 'Verde azulado', sky: 'Celeste',
    blue: 'Azul', violet: 'Violeta', purple: 'Morado', pink: 'Rosa', grey: 'Gris',
  },
  devices: {
    androidPhone: 'Teléfono Android', androidTablet: 'Tableta Android', windows: 'Computadora con Windows',
    linux: 'Computadora con Linux',
  },
};
