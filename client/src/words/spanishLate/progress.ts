// Spanish: the later words of `progress`.

import type { LateWords } from '../englishLate';

/** The section `progress`. */
export const progress: LateWords['progress'] = {
  back: 'Volver a la rutina',
  noDate: 'Aún sin fecha',
  setDate: 'Poner la fecha',
  changeDate: 'Cambiar la fecha de la actuación',
  failed: 'No se pudo leer el registro de práctica.',
  logIsOff: 'Desactivado: lo que practicas ahora no se anota.',
  nothing: 'Nada practicado todavía',
  nothingHow: 'Reproduce una parte de esta rutina. Cuánto la practicas, y a qué velocidad, se anota solo y se muestra aquí.',
  practise: 'Practicar',
  asTables: 'Como tablas',
  notAtTempo: 'Aún por debajo del tempo',
  atTempo: 'A tempo',
  notPractised: 'Sin practicar todavía',
  noWholePass: 'Aún no reproducida de principio a fin',
  reached: (percent, date, target) => `${percent} desde el ${date}, objetivo ${target}`,
  atTempoSince: (target, date) => `${target} desde el ${date}`,
  lastPractised: (when) => `Última práctica: ${when}`,
  target: (percent) => `Objetivo ${percent}`,
  bests: 'Días con una velocidad mejor que antes',
  day: 'Día',
  speed: 'Velocidad',
  targetSpeed: 'Velocidad objetivo',
  weeks: 'Minutos por semana',
  weeksScroll: 'Minutos por semana, como imagen que se desplaza hacia atrás',
  weeksCaption: 'Minutos practicados, la última semana primero',
  weekOf: 'Semana del',
  minutes: 'Minutos',
};
