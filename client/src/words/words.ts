// The words of the first screens in the chosen language.

import { english, type Words } from './english';
import { setLocale } from './format';
import type { Language } from './language';

/** The words to show. They are read when they are shown, never while a module is loaded. */
export let words: Words = english;

/** The language of `words`. */
export let language: Language = 'en';

/** Speaks a language. A language whose file can't be fetched is replaced by English. */
export async function speak(chosen: { readonly language: Language; readonly locale: string }): Promise<void> {
  if (chosen.language === 'es') words = (await import('./spanish')).spanish;
  ({ language } = chosen);
  setLocale(chosen.locale);
}
