// The words of the pages that are loaded after the first screen, in the chosen language.

import { english, type LateWords } from './englishLate';
import { language } from './words';

/** The words to show. They are read when they are shown, never while a module is loaded. */
export let lateWords: LateWords = english;

/** Fetches the words of the language that the first screen speaks. */
export async function speakLate(): Promise<void> {
  if (language === 'es') lateWords = (await import('./spanishLate')).spanish;
}
