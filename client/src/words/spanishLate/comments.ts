// Spanish: the later words of `comments`.

import type { LateWords } from '../englishLate';
import { counted, number } from '../format';

/** The section `comments`. */
export const comments: LateWords['comments'] = {
  comment: 'Comentario',
  comments: 'Comentarios',
  write: 'Comentar',
  writeOn: (move) => `Comentar “${move}”`,
  writeHere: 'Comentar en este momento',
  edit: 'Editar el comentario',
  hint: '¿Qué quieres decir? Con @ nombras a alguien.',
  people: 'Personas que puedes nombrar',
  where: 'Dónde',
  moment: (time) => `Este momento, ${time}`,
  eight: (eight) => (eight < 1 ? 'antes del primer ocho' : `ocho ${number(eight)}`),
  thisEight: (eight) => (eight < 1 ? 'Antes del primer ocho' : `Ocho ${number(eight)}`),
  onMove: (part, move, title) => `Parte ${number(part)}, movimiento ${number(move)}: ${title}`,
  inPart: (part, time) => `Parte ${number(part)}, ${time}`,
  onPart: (part, title) => `Parte ${number(part)}: ${title}`,
  commentsOn: (count, move) => `${counted(count, 'comentario', 'comentarios')} en “${move}”`,
  newOnes: (count) => counted(count, 'comentario nuevo', 'comentarios nuevos'),
  newSince: 'Nuevo desde tu última visita',
  seen: 'Ya visto',
  isNew: 'Nuevo',
  forYou: 'Para ti',
  none: 'Nadie ha dicho nada aquí todavía. Comenta un movimiento, o en el reproductor el momento que oyes.',
  left: 'alguien que se fue',
  more: (author) => (author === '' ? 'Más para este comentario' : `Más para el comentario de ${author}`),
  deleted: 'Se eliminó el comentario.',
};
