// The language of the interface: the choice of this device, or the first that its system asks for.

/** A language that the interface speaks. */
export type Language = 'en' | 'es';

/** The languages, each by its own name. */
export const languages: readonly { readonly value: Language; readonly name: string }[] = [
  { value: 'en', name: 'English' },
  { value: 'es', name: 'Español' },
];

const isLanguage = (tag: string | null): tag is Language => languages.some(({ value }) => value === tag);
const languageOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

/**
 * Chooses the language and the locale of its numbers and dates.
 *
 * @param chosen The language chosen on this device; null follows the system.
 * @param preferred The BCP 47 tags of the system, most wanted first.
 */
export function languageFor(chosen: string | null, preferred: readonly string[]): { language: Language; locale: string } {
  const language = isLanguage(chosen) ? chosen : preferred.map(languageOf).find(isLanguage) ?? 'en';
  return { language, locale: preferred.find((tag) => languageOf(tag) === language) ?? language };
}
