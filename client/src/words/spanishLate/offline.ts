// Spanish: the later words of `offline`.

import type { LateWords } from '../englishLate';

/** The section `offline`. */
export const offline: LateWords['offline'] = {
  needsRoom: (needed, free) => `Esto necesita unos ${needed} y solo hay ${free} libres. Libera espacio en Ajustes, “Almacenamiento”.`,
  noRoom: 'No queda espacio para esto en este dispositivo.',
  continues: 'Continúa cuando se pueda contactar con el servidor.',
  kept: (routine) => `“${routine}” ya está en este dispositivo y se reproduce sin red.`,
  notOnServer: 'Una parte no está en el servidor.',
  tooLarge: (file, size) => `“${file}” (${size}) es demasiado grande para guardarse aquí. Solo se sube mientras esta página siga abierta.`,
  keepsNothing: 'Este navegador no guarda nada aquí. Abre Segmance por https y no en una ventana privada.',
  versionWaits: 'La nueva versión empieza en cuanto el navegador termine lo que pidió la anterior. Puedes seguir.',
  wouldBeLost: 'Los últimos cambios no se pueden guardar en este navegador, así que recargar los perdería. Libera espacio primero o espera a que se envíen.',
  waitForFile: (file) => `“${file}” aún se está subiendo y es demasiado grande para guardarse aquí. Cambia a la versión nueva cuando haya llegado.`,
};
