// The button that opens earlier texts of a record.

import { useState } from 'react';
import { Button } from '../ui/Button';
import { words } from '../words/words';
import { versionsSheet } from './lazy';
import type { EarlierVersionsProps } from './VersionsSheet';

/** A button that opens the earlier texts of the last 30 days. */
export function EarlierVersions(props: EarlierVersionsProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
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
