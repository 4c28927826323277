// Spanish: the later words of `moves`.

import type { LateWords } from '../englishLate';
import { number } from '../format';

/** The section `moves`. */
export const moves: LateWords['moves'] = {
  addMove: 'Añadir un paso',
  add: 'Añadir',
  added: (move) => `Añadido: ${move}`,
  name: 'Nombre',
  type: 'Tipo',
  noType: 'Sin tipo',
  newType: 'Nuevo tipo',
  typeName: 'Nombre del tipo',
  typeShort: 'Abreviatura',
  useType: 'Usar este tipo',
  countsOf: (title) => `Tiempos de “${title}”`,
  noMoveCounts: 'Este paso aún no tiene tiempos. Puede ir después del paso anterior, durante cuatro tiempos; luego cámbialo como quieras.',
  layHere: 'Ponerlo ahí',
  unlay: 'Quitar los tiempos',
  outside: 'Fuera de la canción',
  typed: 'Tiempos en este ocho',
  wrongCounts: 'Escribe tiempos como 1–4, 5–8, 3 o 3&.',
  begins: 'Empieza',
  lasts: (counts) => `Dura ${counts === 1 ? '1 tiempo' : `${number(counts)} tiempos`}`,
  step: (by) => `${by < 0 ? '−' : '+'}${Math.abs(by) === 0.5 ? '½' : number(Math.abs(by))}`,
  stepped: (what, by) => `${what}: ${number(Math.abs(by))} ${by < 0 ? 'menos' : 'más'}`,
  isLaid: (title) => `“${title}” tiene otros tiempos.`,
  unlaidMoves: 'Pasos sin tiempos',
  addAt: (place) => `Añadir un paso: ${place}`,
  push: 'Mover lo que sigue',
  pushHint: 'Los pasos siguientes mantienen su distancia',
  tapMoves: 'Marcar los pasos',
  tapFirst: 'Reproduce y toca cuando empiece cada paso.',
  tapped: (done, all) => `${number(done)} de ${number(all)} marcados`,
  tapBack: 'Quitar el último',
  now: 'Ahora',
  allTapped: 'Todos los pasos están marcados.',
  tapHint: 'Cada toque va al tiempo que querías, aunque todos lleguen algo tarde. Vuelve atrás y toca de nuevo para cambiarlos.',
  laid: (count) => `${count === 1 ? '1 paso está' : `${number(count)} pasos están`} en los tiempos.`,
};
