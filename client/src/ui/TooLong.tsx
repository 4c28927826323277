// Shows at a field that its text is too long to be saved.

import { excess } from '../sync/validation';

/** Nothing for a text that fits; a field limits the number of characters, but not their bytes. */
export function TooLong({ text, limit }: { text: string; limit: number }): JSX.Element | null {
  const reason = excess(text, limit);
  if (reason === null) return null;
  return <small className="problem" role="alert" data-testid="too-long">{reason}</small>;
}
