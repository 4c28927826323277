// A line of text that is saved letter by letter, and follows what other devices make of it.

import { useState } from 'react';
import { shownText, typedAfterwards, typedText, type Typed } from './savedText';

/** Where a text is saved, and what it may be. */
export interface SavedTextOptions {
  readonly id: string;
  /** The text in the library. */
  readonly value: string;
  /** The greatest number of characters. */
  readonly limit: number;
  /** Never saved empty: the last text stays until there is another. */
  readonly isRequired?: boolean | undefined;
  readonly save: (text: string) => void;
}

/** What a field needs. */
export interface SavedText {
  readonly text: string;
  readonly onText: (raw: string) => void;
  readonly onBlur: () => void;
}

/** A line of text that is saved letter by letter. */
export function useSavedText({ id, value, limit, isRequired, save }: SavedTextOptions): SavedText {
  const [typed, setTyped] = useState<Typed | null>(null);
  return {
    text: shownText(typed, id, value),
    onText: (raw) => {
      const next = typedText(id, raw, { limit, isRequired });
      setTyped(next);
      if (next.isSaved) save(next.text.trim());
    },
    onBlur: () => setTyped((last) => typedAfterwards(last, limit)),
  };
}
