// Spanish: the later words of `notifications`.

import type { LateWords } from '../englishLate';

/** The section `notifications`. */
export const notifications: LateWords['notifications'] = {
  title: 'Notificaciones',
  notify: 'Avisar a este dispositivo de los comentarios',
  off: 'No',
  mentions: 'Cuando me mencionan',
  all: 'De todos los comentarios',
  about: 'Llegan por el servicio del fabricante de tu navegador, cifradas: sabe cuándo, no qué. Pueden verse con la pantalla bloqueada.',
  isOn: 'Sí',
  isOff: 'No',
  notAllowed: 'No se permitieron las notificaciones, así que este dispositivo no recibe ninguna.',
  serviceFailed: 'No se puede contactar con el servicio de notificaciones de este navegador.',
  offLater: 'Este dispositivo ya no recibe notificaciones. El servidor lo sabrá cuando haya conexión.',
  obstacles: {
    isOff: 'El servidor no envía notificaciones por ahora. Quien lo administra las ha desactivado.',
    ownMachine: 'Este es el navegador de la máquina en la que funciona Segmance. Solo se puede avisar a dispositivos emparejados.',
    needsInstalling: 'En iPhone y iPad, las notificaciones necesitan la aplicación en la pantalla de inicio: añádela y ábrela desde allí.',
    untrusted: 'Este navegador no confía en el certificado del servidor, así que no se le puede avisar. Instala antes el certificado, o usa una dirección que empiece por https y un nombre.',
    unsupported: 'Este navegador no puede mostrar notificaciones.',
    denied: 'Las notificaciones de este sitio están bloqueadas en este navegador. Permítelas en sus ajustes para este sitio y vuelve a abrir esta página.',
  },
};
