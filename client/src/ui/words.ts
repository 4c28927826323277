// Text as people see it: characters counted by grapheme, comparison without case and accents.

const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

function characters(text: string): string[] {
  return segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text);
}

/** Counts what a reader would call characters: an emoji family is one. */
export function characterCount(text: string): number {
  return characters(text).length;
}

/** Cuts a text after `limit` characters, never inside one. */
export function cutTo(text: string, limit: number): string {
  return text.length <= limit ? text : characters(text).slice(0, limit).join('');
}

/** Folds case and accents away, so that "Été" is found by "ete". */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{Mn}+/gu, '').toLowerCase();
}

/** Names a part after its file: no folder, no ending, spaces for underscores. */
export function titleFromFileName(fileName: string): string {
  const bare = fileName.replace(/^.*[/\\]/, '').replace(/(.)\.[^.]{1,5}$/, '$1');
  const title = bare.replace(/[_\s]+/g, ' ').trim();
  return cutTo(title === '' ? 'Untitled' : title, 120).trim();
}
