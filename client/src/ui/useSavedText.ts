// A line of text that is saved on every input, and follows other devices' edits.

import { useState } from 'react';
import { shownText, typedAfterwards, typedText, type Typed } from './savedText';

/** Where a text is saved, and its limits. */
export interface SavedTextOptions {
  readonly id: string;
  /** The text in the library. */
  readonly value: string;
  /** The maximum number of characters. */
  readonly limit: number;
  /** Never saved empty: the last text stays until a new one is typed. */
  readonly isRequired?: boolean | undefined;
  readonly save: (text: string) => void;
}

/** The values for a field. */
export interface SavedText {
  readonly text: string;
  readonly onText: (raw: string) => void;
  readonly onBlur: () => void;
}

/** A line of text that is saved on every input. */
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
