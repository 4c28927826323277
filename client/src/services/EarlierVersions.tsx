// The button that opens earlier texts of a record, where there are any.

import { useEffect, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { ask } from '../sync/ask';
import { Button } from '../ui/Button';
import { words } from '../words/words';
import { versionsSheet } from './lazy';
import { useLibraryStatus } from './services';
import type { EarlierVersionsProps } from './VersionsSheet';

/** A button that opens the earlier texts of the last 30 days; nothing if there is none. */
export function EarlierVersions(props: EarlierVersionsProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (!useHasVersions(props)) return null;
  return (
    <>
      <Button
        kind="quiet" icon="history" className="earlier-button" data-testid="earlier-versions"
        onClick={() => setOpen(true)}
      >
        {words.services.earlierVersions}
      </Button>
      {isOpen && <versionsSheet.Page {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Asks the server, and again when it has received a change, until there is an earlier text. */
function useHasVersions({ type, id, labels }: EarlierVersionsProps): boolean {
  const { online, waiting } = useLibraryStatus();
  const [found, setFound] = useState(false);
  const mayAsk = online && waiting === 0 && !found;
  useEffect(() => {
    if (!mayAsk) return undefined;
    const gone = new AbortController();
    ask('GET', apiAddress.history(type, id), { signal: gone.signal }).then(
      ({ value }) => setFound((value as { versions: { field: string }[] }).versions.some(({ field }) => field in labels)),
      // The server does not have this record yet, or can't be reached: there is nothing to open.
      () => undefined,
    );
    return () => gone.abort();
  }, [type, id, mayAsk]);
  return found;
}
