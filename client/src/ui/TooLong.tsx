// Shows at a field that its text is too long to be saved, and what of it is too much.

import { characters, excess } from '../sync/validation';
import { words } from '../words/words';

/** Nothing for a text that fits. */
export function TooLong({ text, limit }: { text: string; limit: number }): JSX.Element | null {
  const reason = excess(text, limit);
  if (reason === null) return null;
  const rest = characters(text).slice(limit).join('');
  return (
    <small className="problem" role="alert" data-testid="too-long">
      {reason}
      {rest !== '' && (
        <span className="too-much">
          {words.ui.tooMuch}
          <mark dir="auto" data-testid="too-much">{rest}</mark>
        </span>
      )}
    </small>
  );
}
