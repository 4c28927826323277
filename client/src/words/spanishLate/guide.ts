// Spanish: the later words of `guide`.

import type { LateWords } from '../englishLate';
import { number } from '../format';

/** The section `guide`. */
export const guide: LateWords['guide'] = {
  welcome: 'Te damos la bienvenida a Segmance',
  skip: 'Omitir',
  next: 'Siguiente',
  start: 'Empezar',
  page: (at, count) => `Página ${number(at)} de ${number(count)}`,
  welcomeParts: 'Un espectáculo, parte por parte',
  welcomePartsText: 'Añade las canciones de un espectáculo. Cada una será una parte de tu rutina; desliza para pasar de una a otra.',
  welcomeMoves: 'Cada paso en su lugar',
  welcomeMovesText: 'Anota los pasos de cada parte, con su tipo y tus notas. Arrástralos para ordenarlos; la vista general los muestra de un vistazo.',
  welcomePractice: 'Practica hasta que te salga',
  welcomePracticeText: 'Repite una parte, o de A a B, sin cortes. Una cuenta atrás te da tiempo para colocarte.',
  chapters: [
    {
      title: 'Crear una rutina con canciones',
      lines: [
        'Suelta archivos de audio en cualquier lugar de la primera pestaña, o pulsa “Nueva rutina” y elígelos. Cada archivo será una parte.',
        'Cambia el nombre de las partes, arrástralas para ordenarlas y pulsa “Crear”. Si se interrumpe una subida, continúa donde se quedó.',
        'Más tarde, pulsa el lápiz en la página de la rutina para añadir, renombrar, reordenar o quitar partes, o para reemplazar su audio.',
        'Allí también se pone la fecha de la actuación. La lista muestra cuántos días faltan, y las exportaciones dan la fecha.',
        'Si las canciones vienen de grabaciones distintas, “Oír igual de fuerte todas las canciones”, también allí, les da el mismo volumen.',
        '“Compartir con un enlace”, en el menú de una rutina, crea una dirección que otros abren sin cuenta, para practicar con ella. Termina cuando tú eliges.',
      ],
    },
    {
      title: 'Ir de parte en parte',
      lines: [
        'Desliza hacia los lados, toca la tira de arriba o pulsa Re Pág y Av Pág.',
        'Toca el título para ir a cualquier parte. Una rutina se abre de nuevo donde la dejaste.',
      ],
    },
    {
      title: 'Anotar los pasos',
      lines: [
        'El botón “+” añade pasos, uno tras otro. Toca un título para cambiarlo; abre una tarjeta para ver sus notas. Todo se guarda mientras escribes.',
        'Mantén pulsada una tarjeta y arrástrala a su lugar; con el teclado, muévela con Alt y las flechas.',
        'En una canción con tiempos, “Marcar los pasos tocando”, debajo de los pasos, los coloca todos: reproduce y toca cuando empiece cada uno. “Tiempos” en el menú de un paso cambia uno.',
        'Toca la tarjeta de un paso para reproducir desde él. Su menú repite el paso, este y el siguiente, o su ocho.',
        'Mantén pulsado el número de un paso para eliminarlo. Puedes deshacerlo durante diez segundos.',
        'La vista general muestra el número, el título y el color de cada paso de un vistazo, para aprenderlos de memoria.',
        'Toca la abreviatura de un tipo para ver su nombre completo. Los tipos y sus colores se crean en Ajustes.',
      ],
    },
    {
      title: 'Practicar',
      lines: [
        'Pulsa reproducir. Toca el reproductor para agrandarlo; arrástralo hacia abajo para reducirlo.',
        'Un altavoz inalámbrico suena tarde. En Ajustes, “Retardo del sonido” lo mide en diez segundos; así los tiempos, los movimientos y los vídeos se muestran cuando los oyes.',
        'Toca la onda o arrastra sobre ella para moverte por la canción. Atrás y adelante saltan lo que elijas en Ajustes: segundos, o de ocho en ocho. Atrás va primero al 1 de este ocho y, justo después de él, al ocho anterior.',
        'El bucle repite la parte. A–B repite una sección: púlsalo al principio y otra vez al final, o arrastra los marcadores. Si la canción tiene cuenta, A y B pueden ajustarse a los tiempos. Mantenlo pulsado para borrarla.',
        'Una cuenta atrás te da tiempo para colocarte, antes de cada repetición o solo antes de la primera.',
        'Si se conocen los tiempos de la canción, puede contar la entrada, “5, 6, 7, 8”, y marcar cada tiempo con un clic. Ambos pueden ser números hablados, en cinco idiomas.',
        'Cuando los pasos tienen tiempos, una voz guía dice el nombre de cada uno antes de que llegue, y la música baja: el bocadillo del reproductor grande. «Grabar su nombre», en el menú de un paso, le da tu propia voz.',
        'El bucle, los marcadores y la cuenta atrás se recuerdan en cada parte.',
        'Junto a la velocidad se pone la velocidad objetivo de una parte: la de la actuación.',
        '“Progreso” en el menú de una rutina muestra qué partes aún no están a tempo, cómo creció su velocidad y los minutos practicados cada semana. Desliza las semanas para ver las anteriores.',
      ],
    },
    {
      title: 'Déjate guiar por una sesión',
      lines: [
        '“Practicar” propone qué hacer en los minutos que tienes, según lo que practicaste y fallaste, y dice por qué. Pulsa “Empezar”: cada paso se anuncia, se cuenta y suena, y luego viene el siguiente.',
        'Un toque pausa. “Otra vez”, “Más” y “Saltar” son también la flecha izquierda, + y la flecha derecha, un pedal que pasa páginas, y anterior y siguiente en unos auriculares.',
        '“Cambiar los pasos” hace un plan tuyo; “Guardar como plan” lo conserva con la rutina.',
      ],
    },
    {
      title: 'Aléjate de la pantalla',
      lines: [
        'El botón del escenario junto al de video, o la tecla S, llena la pantalla con el paso, el siguiente y el tiempo, tan grandes que se leen a cuatro metros, y la mantiene encendida. Un toque en cualquier lugar pausa y reanuda.',
        'Los títulos largos se ven más grandes con el teléfono de lado. El borde lleva el color del tipo del paso; la barra es lo que queda de la parte, o de la rutina entera.',
        'El espejo invierte la vista para una ventana, un espejo o un proyector. Un video que sigue la música aparece junto a las palabras.',
        'Mientras nada suena, una sola pulsación repite este paso, este y el siguiente, o este ocho: en la vista de escenario y en la tarjeta iluminada.',
      ],
    },
    {
      title: 'Hacer una pasada',
      lines: [
        '«Pasada» en el menú de la página de una rutina, o la tecla R, hace sonar toda la rutina sin parar, o desde esta parte.',
        'Cuando algo falle, toca donde sea. Las flechas, Re Pág y Av Pág, la barra espaciadora, un pedal que pasa páginas, «siguiente» en los auriculares y el botón de un control remoto hacen lo mismo. Se anota el paso de ese momento, descontando lo que se tarda en reaccionar; se puede quitar enseguida.',
        'Después ves los fallos en una tira de la rutina, y encima los de la vez anterior. Quita uno, toca la tira para añadir otro, escribe una nota. «Pasada» los muestra todos.',
        'Lo que falló brilla en las tarjetas, en la fila de partes y en la vista de escenario: de uno a tres puntos, cuanto más flojo, más. Se apaga con cada pasada que sale bien.',
      ],
    },
    {
      title: 'Añadir un video',
      lines: [
        'El botón de la película añade un video a una parte: de tus fotos, de tus archivos o uno que ya subiste. Después lo muestra y lo oculta; mantenlo pulsado para reemplazarlo o quitarlo.',
        'Arrastra el video a donde quieras, arrastra su esquina para cambiar el tamaño o ponlo en pantalla completa. Refléjalo para verlo como en el espejo del estudio.',
        'Graba un pase con la música sonando en la sala: Segmance encuentra la música en el sonido del video, y la imagen sigue al reproductor en bucles, cuentas atrás y a cualquier velocidad.',
        'Si la música no se encuentra con certeza, reproduce y mueve la imagen hasta que coincida. Un video puede servir para varias partes y sigue la música de cada una.',
      ],
    },
    {
      title: 'Cortar una canción en partes',
      lines: [
        'Abre una canción en la pestaña Cortar, pulsa reproducir y pulsa “Cortar aquí” o C donde termine cada parte. Para ponerle nombre mientras suena, toca el nombre o pulsa N; Intro pasa al siguiente.',
        'Arrastra un borde para moverlo; los dos fragmentos lo siguen. Con el ajuste activado, los bordes caen en los tiempos, en ataques, en silencios o donde nada chasquea.',
        'Para un solo tramo, marca su inicio y su final, o mantén pulsado y arrastra sobre la onda, y crea el fragmento.',
        'Los cortes sugeridos marcan dónde puede cambiar la música. Son suposiciones: escucha y toca los que acierten.',
        'Crea una rutina con los fragmentos, añádelos a una o descárgalos. Para mover después los bordes de una parte, abre su menú al editar la rutina.',
      ],
    },
    {
      title: 'Practicar sin conexión',
      lines: [
        'Pon Segmance en la pantalla de inicio: Ajustes → Almacenamiento explica cómo en este dispositivo. Así también se abre sin conexión.',
        'Guarda una rutina en este dispositivo desde su menú, con canciones y videos; su tarjeta muestra cuándo está todo aquí. Las partes que practicaste hace poco se guardan automáticamente.',
        'Puedes editar todo sin conexión. Una línea arriba muestra lo que está en espera; se envía cuando hay conexión con el servidor. Las canciones que añades también esperan.',
        'Ajustes → Almacenamiento muestra lo que hay guardado aquí y libera espacio.',
        'Cuando hay una versión nueva, una línea arriba te ofrece recargar. No pierdes nada si esperas ni si recargas.',
      ],
    },
    {
      title: 'Usar varios dispositivos',
      lines: [
        'Todo se guarda en este navegador y en tu servidor. Sin conexión puedes seguir trabajando; tus cambios se envían después.',
        'Dos dispositivos pueden editar a la vez. Si ambos cambian el mismo texto, queda el último; el otro está en “Versiones anteriores” durante 30 días.',
        '“Qué ha cambiado”, en el menú de la página de una rutina, dice qué es distinto desde que la practicaste por última vez, o desde una fecha, y recupera lo que quieras, durante 30 días.',
      ],
    },
    {
      title: 'Teléfonos y control remoto',
      lines: [
        'En el equipo donde funciona Segmance, abre Ajustes → Dispositivos, permite los dispositivos de esta red y pulsa “Añadir un dispositivo”. Escanea el código con el teléfono.',
        'Allí puedes renombrar un dispositivo o revocarlo. Un dispositivo revocado pierde el acceso al instante y conserva lo que tiene guardado.',
        'Abre una rutina en dos dispositivos. En el reproductor grande de uno, pulsa “Reproducir en otro dispositivo” y elige el otro: los botones y las teclas de aquí controlan el sonido de allí. Ambos muestran la misma parte.',
        'Un navegador no reproduce sonido hasta que se toca su página una vez; ambos dispositivos avisan cuando hace falta.',
      ],
    },
    {
      title: 'Personas y grupos',
      lines: [
        'En el equipo donde funciona Segmance, o en un dispositivo de quien lo dirige, Ajustes → Personas añade a una persona con un código que escanea con su teléfono. Desde entonces el teléfono es suyo: tiene sus propias rutinas, su registro de práctica y sus ajustes.',
        'Un grupo, como una clase o una compañía, tiene sus propias rutinas. En él, quien enseña edita, y quien interpreta ve y practica. En Ajustes → Grupos se crean los grupos y se eligen sus miembros.',
        '“Compartir con personas”, en el menú de una rutina, dice quién la ve: solo tú, un grupo o una persona.',
        'Velocidades, repeticiones, marcadores, cuentas atrás, etiquetas, fijados, planes, pasadas y el registro de práctica son de cada persona. Nadie más los ve, tampoco quien enseña.',
        'Para entrar desde un navegador que nadie puede vincular con un código, pon una contraseña o añade una llave de acceso: Ajustes → Dispositivos, “Iniciar sesión en otros navegadores”. Si no eliges mantener la sesión, ese navegador te olvida al cabo de doce horas.',
        'Comenta un movimiento desde su menú o junto a su título, o en el reproductor grande el momento o el ocho que oyes. Con “@” nombras a alguien. La tarjeta de la rutina y su página dicen qué hay de nuevo; “Comentarios”, en el menú de la página, los muestra todos. Editas y eliminas los tuyos; quien enseña puede eliminar los de otras personas.',
        'Quien sale de un grupo, o a quien se saca, pierde sus rutinas en sus dispositivos en el próximo contacto.',
      ],
    },
    {
      title: 'Juntos en una sala',
      lines: [
        'Quien enseña en un grupo pulsa «Dirigir» en el menú de una rutina o en el reproductor grande. Todo el grupo lee entonces quién dirige, esté en la página que esté, y pulsa «Unirse».',
        'Quien sigue tiene en su pantalla la parte, los tiempos, la velocidad, el bucle, la entrada y las pausas de quien dirige. «Sonido en este dispositivo» es para auriculares o un segundo altavoz; el retardo del sonido hace que se oiga a la vez.',
        'Lo que quien dirige escribe en la barra aparece en letras grandes en todas las pantallas. Al vaciarla, desaparece.',
        'Tus velocidades y bucles quedan como estaban. Si pulsas un control o pasas la página, dejas de seguir; con «Seguir otra vez» vuelves.',
        'Una rutina tuya se puede dirigir para tus otros dispositivos: ábrela en ambos.',
      ],
    },
    {
      title: 'Exportar y limpiar',
      lines: [
        'Exporta una rutina desde su menú: un guion de escena o una hoja de ochos para imprimir en A4 o Carta, una página web, Markdown, JSON o etiquetas para Audacity, de las partes o de cada tiempo. En Ajustes se exportan todas a la vez.',
        'Al eliminar una rutina, sus canciones y videos quedan en Ajustes → Biblioteca multimedia; elimina allí lo que ya no uses.',
      ],
    },
  ],
};
