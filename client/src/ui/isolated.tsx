// Names in sentences, each isolated, so that its text direction does not turn the rest of the sentence.

import type { ReactNode } from 'react';

/** Returns a sentence whose quoted names (“…”) are isolated. */
export function isolated(sentence: string): ReactNode {
  return sentence.split(/(“.*?”)/).map((piece, at) => (at % 2 === 1 ? <bdi key={at}>{piece}</bdi> : piece));
}
