// Spanish: the later words of `links`.

import type { LateWords } from '../englishLate';
import { number } from '../format';

/** The section `links`. */
export const links: LateWords['links'] = {
  share: (name) => `Compartir “${name}”`,
  about: 'Con un enlace se practica sin cuenta: se ven los movimientos y se oye la música, y no se cambia nada.',
  links: 'Enlaces',
  what: 'Qué',
  scopes: { routine: 'Toda la rutina', part: 'Una parte', eight: 'Un ocho' },
  part: 'Parte',
  eightField: 'Ocho',
  lasts: 'Por cuánto tiempo',
  life: (days) => (days === 1 ? '1 día' : `${number(days)} días`),
  eight: (eight) => (eight < 1 ? 'Antes del primer ocho' : `Ocho ${number(eight)}`),
  eightOf: (part) => `${part}, un ocho`,
  passcodeOptional: 'Código (opcional)',
  passcodeShort: (least) => `Un código tiene al menos ${number(least)} caracteres.`,
  make: 'Crear un enlace',
  notMade: (why) => `No se creó el enlace. ${why}`,
  until: (date) => `Hasta el ${date}`,
  over: (date) => `Terminó el ${date}`,
  openings: (count) => (count === 0 ? 'Aún sin abrir' : count === 1 ? 'Abierto una vez' : `Abierto ${number(count)} veces`),
  withPasscode: 'Con código',
  copy: 'Copiar',
  code: 'QR',
  codeOf: (name) => `Código QR que abre ${name}`,
  unreachable: 'Otros dispositivos aún no pueden llegar a este Segmance.',
  toNetwork: 'Permitir dispositivos en esta red',
  end: (name) => `Terminar el enlace a ${name}`,
  endQuestion: '¿Terminar este enlace?',
  endIt: 'Terminar el enlace',
  endExplained: 'Ya no abre nada. Los dispositivos que lo abrieron borran lo que tienen de él en el próximo contacto.',
  ended: 'El enlace ha terminado.',
  door: 'Rutina compartida',
  passcode: 'Código',
  open: 'Abrir',
  doors: {
    opening: 'Abriendo…', passcode: 'Este enlace tiene un código', wrongPasscode: 'Este enlace tiene un código', ended: 'Este enlace ha terminado',
    unknown: 'Este enlace no abre nada', tooMany: 'Demasiados intentos', unreachable: 'No se puede llegar al servidor',
    withoutCookies: 'Este navegador no guarda cookies', failed: 'No se pudo abrir el enlace',
  },
  doorReasons: {
    opening: '', passcode: 'Pide el código a quien te lo envió.', wrongPasscode: 'Ese no era el código. Inténtalo de nuevo.',
    ended: 'Pide uno nuevo. Lo que este dispositivo tenía de él se borró.',
    unknown: 'Quizá la dirección no está completa, o el enlace ha terminado. Pídelo de nuevo.',
    tooMany: 'Espera un minuto e inténtalo de nuevo.', unreachable: 'Un enlace necesita la red la primera vez que se abre.',
    withoutCookies: 'Permite las cookies para esta página y abre el enlace de nuevo.', failed: 'Inténtalo de nuevo en un rato.',
  },
};
