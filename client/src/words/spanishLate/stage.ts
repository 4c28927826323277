// Spanish: the later words of `stage`.

import type { LateWords } from '../englishLate';

/** The section `stage`. */
export const stage: LateWords['stage'] = {
  now: 'Ahora: ',
  next: 'Después: ',
  tapToPlay: 'Toca en cualquier lugar para reproducir o pausar',
  mirror: 'Ver en espejo',
  light: 'Claro',
  dark: 'Oscuro',
};
