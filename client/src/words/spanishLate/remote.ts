// Spanish: the later words of `remote`.

import type { LateWords } from '../englishLate';

/** The section `remote`. */
export const remote: LateWords['remote'] = {
  playElsewhere: 'Reproducir en otro dispositivo',
  playElsewhereHow: 'El sonido sale de allí; tú lo controlas aquí. Un dispositivo aparece en la lista mientras tiene una rutina abierta.',
  listFailed: 'No se pudo cargar la lista: no hay conexión con el servidor.',
  nobody: 'Ningún otro dispositivo tiene una rutina abierta. Abre una allí y aparecerá aquí.',
  routineOpen: 'Tiene una rutina abierta',
  playing: 'reproduciendo',
  device: 'Un dispositivo',
  controlledFrom: (names) => `Controlado desde ${names}`,
  tapToStart: 'Toca una vez para iniciar el sonido',
  playerOn: (name) => `Reproductor en ${name}`,
  controlling: (name) => `Controlas ${name}`,
  stop: 'Dejar de controlar',
  choose: 'Elegir un dispositivo',
  connecting: (name) => `Conectando con ${name}…`,
  lost: 'Se perdió la conexión. Vuelve sola cuando haya red.',
  gone: (name) => `${name} cerró su rutina.`,
  needsTap: (name) => `Toca una vez la pantalla de ${name} para que pueda sonar.`,
  previous: 'Parte anterior',
  next: 'Parte siguiente',
  speed: 'Velocidad',
  slower: (percent) => `${percent} más lento`,
  faster: (percent) => `${percent} más rápido`,
  position: 'Posición',
  clear: 'Borrar A y B',
};
