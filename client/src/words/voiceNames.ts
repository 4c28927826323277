// The languages of the voices, each by its own name.

import type { VoiceLanguage } from '../builtAssets';

/** The names to show; the same in every language of the interface. */
export const voiceNames: Readonly<Record<VoiceLanguage, string>> = {
  en: 'English', fr: 'Français', de: 'Deutsch', es: 'Español', ja: '日本語',
};

/** Returns a language's own name for itself. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
