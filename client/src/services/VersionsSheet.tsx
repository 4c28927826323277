// The sheet with the earlier texts of a record, fetched from the server, and restored by a press.

import { useEffect, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { ask } from '../sync/ask';
import type { RecordType } from '../sync/records';
import { reasonOf, ServerError } from '../sync/requests';
import { Button } from '../ui/Button';
import './earlierVersions.css';
import { Sheet } from '../ui/Sheet';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

interface Version {
  readonly field: string;
  readonly value: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The texts to fetch, and a callback that restores one. */
export interface EarlierVersionsProps {
  readonly type: RecordType;
  readonly id: string;
  /** The fields to show, with their labels. */
  readonly labels: Readonly<Record<string, string>>;
  /** Restores a text. */
  readonly onUse: (field: string, value: string) => void;
}

/** The sheet. */
export function VersionsSheet({
  type, id, labels, onUse, onClose,
}: EarlierVersionsProps & { onClose: () => void }): JSX.Element {
  const [versions, setVersions] = useState<readonly Version[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    ask('GET', apiAddress.history(type, id), { signal: gone.signal })
      .then(({ value }) => setVersions((value as { versions: Version[] }).versions))
      .catch((failure) => {
        if (gone.signal.aborted) return;
        // The server has no earlier versions of a record that it has not received yet.
        if (failure instanceof ServerError && failure.status === 404) setVersions([]);
        else setProblem(reasonOf(failure));
      });
    return () => gone.abort();
  }, [type, id]);

  const shown = versions?.filter((version) => version.field in labels);
  return (
    <Sheet title={words.services.earlierVersions} onClose={onClose} testId="earlier-sheet">
      <div role="status">
        {problem !== null && <p>{`${problem} ${lateWords.services.onTheServer}`}</p>}
        {problem === null && !shown && <p>{lateWords.services.loading}</p>}
        {shown?.length === 0 && <p data-testid="earlier-none">{lateWords.services.noVersions}</p>}
      </div>
      <ol className="earlier">
        {shown?.map((version) => (
          <li key={`${version.field} ${version.at}`} data-testid="earlier-version">
            <p className="earlier-when">
              {`${labels[version.field] ?? ''} · ${dateText(version.at, true)}`}
            </p>
            <p className="earlier-text" dir="auto">{version.value}</p>
            <Button
              data-testid="earlier-use"
              onClick={() => {
                onClose();
                onUse(version.field, version.value);
              }}
            >
              {lateWords.services.useVersion}
            </Button>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
