// Spanish: the later words of `app`.

import type { LateWords } from '../englishLate';

/** The section `app`. */
export const app: LateWords['app'] = {
  keys: 'Atajos de teclado',
  onVideo: 'En el video',
  inClipper: 'Al cortar',
  keyNames: {
    space: 'Espacio', enter: 'Intro', delete: 'Supr', escape: 'Esc', pageUp: 'Re Pág', pageDown: 'Av Pág', shift: 'Mayús',
    alt: 'Alt', control: 'Ctrl', arrows: 'Flechas',
  },
  practice: {
    play: 'Reproducir o pausar',
    seek: 'Atrás o adelante, según el paso de búsqueda',
    a: 'Marcar A, el inicio de la sección',
    b: 'Marcar B, el final de la sección',
    loop: 'Repetir la parte o dejar de repetirla',
    speed: 'Un 5 % más rápido o más lento',
    part: 'Parte anterior o siguiente',
    addMove: 'Añadir un paso',
    video: 'Mostrar u ocultar el video',
    stage: 'Abrir o cerrar la vista de escenario',
    runThrough: 'Pasada',
    missed: 'En una pasada: algo ha fallado; también las flechas y Re Pág. Supr lo quita',
    moveMove: 'Moverlo arriba o abajo en la lista de pasos',
    deleteMove: 'Eliminar el paso',
    undo: 'Deshacer lo que acabas de eliminar',
    close: 'Cerrar lo que está abierto',
    keys: 'Mostrar estos atajos',
  },
  video: {
    move: 'Mover el video; con Mayús, más lejos',
    resize: 'Más grande o más pequeño',
    frame: 'Un fotograma atrás o adelante',
    view: 'Espejo, pantalla completa',
    menu: 'Reemplazarlo, quitarlo o sincronizarlo con la música; también la tecla de menú',
  },
  clipper: {
    cut: 'Cortar aquí',
    name: 'Nombrar la parte que acabas de cortar o la que suena',
    enter: 'Recortar la selección; en un nombre: guardarlo y pasar al siguiente sin nombre',
    nameAndCut: 'En un nombre: guardarlo y cortar aquí',
    ends: 'Poner aquí el inicio o el final; también [ y ]',
    loop: 'Repetir la selección o dejar de repetirla',
    zoom: 'Acercar, alejar o mostrar toda la canción',
    byCounts: 'Mover el límite enfocado un tiempo; con Mayús, un ocho',
    noSnapping: 'Mantén pulsada al arrastrar: sin ajuste automático',
    delete: 'Eliminar el fragmento que ajustas',
  },
};
