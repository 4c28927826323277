// The addresses of files that the app loads later. The build gives each file an address that
// changes with its content, so that a page never loads a file of another version.

declare const BUILT_ADDRESSES: Partial<typeof plain>;

/** The languages that have a voice, by their codes in BCP 47. Sources/CountVoices makes them. */
export const voiceLanguages = ['en', 'fr', 'de', 'es', 'ja'] as const;
export type VoiceLanguage = (typeof voiceLanguages)[number];

const plain = {
  engine: '/engine.wasm', counts: '/counts.wasm', practice: '/practice.wasm',
  worklet: '/worklet.js', sortable: '/sortable.js', listener: '/listener.js',
  'voice-en': '/voice-en.wav', 'voice-fr': '/voice-fr.wav', 'voice-de': '/voice-de.wav',
  'voice-es': '/voice-es.wav', 'voice-ja': '/voice-ja.wav',
};

/** The addresses; plain file names in an unbuilt page. */
export const addresses = typeof BUILT_ADDRESSES === 'undefined' ? plain : { ...plain, ...BUILT_ADDRESSES };
