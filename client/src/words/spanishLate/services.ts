// Spanish: the later words of `services`.

import type { LateWords } from '../englishLate';

/** The section `services`. */
export const services: LateWords['services'] = {
  onTheServer: 'Las versiones anteriores se guardan en el servidor.',
  loading: 'Cargando…',
  noVersions: 'No se reemplazó nada en los últimos 30 días.',
  useVersion: 'Usar esta',
};
