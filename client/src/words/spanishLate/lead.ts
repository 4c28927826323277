// Spanish: the later words of `lead`.

import type { LateWords } from '../englishLate';
import { sentence } from '../format';

/** The section `lead`. */
export const lead: LateWords['lead'] = {
  together: 'Juntos',
  otherDevice: 'Tu otro dispositivo',
  leads: (who, routine) => sentence(`${who} dirige ${routine}`),
  join: 'Unirse',
  leading: 'Diriges',
  follow: (count) => (count === 0 ? 'nadie te sigue aún' : count === 1 ? '1 te sigue' : `${count} te siguen`),
  stop: 'Dejar de dirigir',
  isOver: 'Ya no diriges: lo hace otra persona, o no puedes editar esta rutina.',
  note: 'Una nota para quienes te siguen',
  noteExample: 'Desde el principio, cuidad los brazos',
  youFollow: (who) => `Sigues a ${who}`,
  sound: 'Sonido en este dispositivo',
  leave: 'Salir',
  youLeft: (who) => `Ya no sigues a ${who}.`,
  rejoin: 'Seguir otra vez',
  ended: (who) => sentence(`${who} ya no dirige.`),
};
