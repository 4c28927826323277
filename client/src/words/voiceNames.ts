// The languages of the voices, each by its own name.

import type { VoiceLanguage } from '../builtAssets';

/** The names to show; the same in every language of the interface. */
export const voiceNames: Readonly<Record<VoiceLanguage, string>> = {
  en: 'English', fr: 'Français', de: 'Deutsch', es: 'Español', ja: '日本語',
};
