// Spanish: the later words of `install`.

import type { LateWords } from '../englishLate';

/** The section `install`. */
export const install: LateWords['install'] = {
  hintTitle: 'En la pantalla de inicio',
  hint: 'Pon Segmance en tu pantalla de inicio: se abre como una aplicación, funciona sin conexión y el navegador conserva tus datos.',
  install: 'Instalar Segmance',
  ios: 'Toca el símbolo de compartir del navegador y luego “Añadir a pantalla de inicio”. Ábrelo y vincúlalo allí también: en la pantalla de inicio tiene su propio almacenamiento.',
  androidFirefox: 'Abre el menú de Firefox (⋮) y toca “Instalar” o “Añadir a pantalla de inicio”.',
  android: 'Abre el menú del navegador (⋮) y toca “Instalar aplicación” o “Añadir a pantalla de inicio”.',
  desktop: 'Pulsa el símbolo de instalación al final de la barra de direcciones, o “Instalar Segmance” en el menú del navegador.',
  safari: 'En el menú “Archivo” de Safari, elige “Añadir al Dock”.',
  scanInApp: 'Escanea el código con la cámara: se abre en el navegador. Pulsa allí “Copiar la dirección de vinculación” y vuelve.',
  scanWithPhone: 'Escanea el código con la cámara de este teléfono.',
  scanWithComputer: 'Escanea el código con la cámara de este equipo.',
  pasteInApp: 'Pega la dirección de vinculación, o escribe la que está debajo del código',
  paste: '¿No tienes cámara? Pega o escribe la dirección que está debajo del código',
  beforePairing: 'Si quieres Segmance en la pantalla de inicio, no lo vincules aquí: toca el símbolo de compartir y luego “Añadir a pantalla de inicio”, abre Segmance allí y pega esta dirección de vinculación. Allí tiene su propio almacenamiento.',
};
