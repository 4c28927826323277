// The words of notifications, which the service worker shows without the rest of the app.

import type { Language } from './language';

/** The words of one language. */
export interface NoticeWords {
  /** Who commented; an empty name is somebody without one. */
  readonly commented: (who: string) => string;
  /** Who mentioned the reader. */
  readonly mentioned: (who: string) => string;
}

/** The words by language. */
export const noticeWords: { readonly [language in Language]: NoticeWords } = {
  en: {
    commented: (who) => (who === '' ? 'New comment' : `${who} commented`),
    mentioned: (who) => (who === '' ? 'You were mentioned' : `${who} mentioned you`),
  },
  es: {
    commented: (who) => (who === '' ? 'Comentario nuevo' : `${who} ha comentado`),
    mentioned: (who) => (who === '' ? 'Te han mencionado' : `${who} te ha mencionado`),
  },
};
