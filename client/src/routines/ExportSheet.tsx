// Exports of one routine or of all, as links for download; the cue sheet can also be printed.

import { useEffect, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { useLibraryStatus, useServices } from '../services/services';
import type { Routine } from '../sync/records';
import { Choices, type Choice } from '../ui/Choices';
import { remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import './export.css';
import { usualPaper, type Paper } from './paper';

interface Format {
  readonly format: string;
  readonly name: string;
  readonly use: string;
  /** Times of several songs in one file would overlap. */
  readonly isForOne?: boolean;
}

const formats: readonly Format[] = [
  { format: 'html', name: 'Web page', use: 'With waveforms and times, to read, send or print' },
  { format: 'markdown', name: 'Markdown', use: 'Plain text for notes apps' },
  { format: 'json', name: 'JSON', use: 'Everything but the audio; Segmance can read it back' },
  { format: 'labels', name: 'Audacity labels', use: 'Starts and ends of the parts', isForOne: true },
];

const papers: readonly Choice<Paper>[] = [{ value: 'a4', label: 'A4' }, { value: 'letter', label: 'Letter' }];

/** The sheet with the formats; of all routines where none is given. */
export function ExportSheet({ routine, onClose }: { routine?: Routine; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const { online, waiting } = useLibraryStatus();
  const address = apiAddress.routineExport(routine?.id ?? null);
  // The server writes the file, so it should have the latest edits.
  useEffect(() => {
    void library.refresh();
  }, [library]);
  return (
    <Sheet title={routine ? `Export “${routine.title}”` : 'Export all routines'} onClose={onClose} testId="export-sheet">
      <p role="status" className="export-note">
        {online
          ? waiting > 0 && 'The latest edits are still on their way to the server.'
          : 'The server does not answer. Exports are made there: try again when it does.'}
      </p>
      <CueSheet address={address} />
      <ul className="rows">
        {formats.filter(({ isForOne }) => routine || !isForOne).map(({ format, name, use }) => (
          <li key={format}>
            <a className="row" href={`${address}?format=${format}`} download="" data-testid={`export-${format}`}>
              <span className="row-text"><b>{name}</b><small>{use}</small></span>
              <Icon name="download" />
            </a>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function CueSheet({ address }: { address: string }): JSX.Element {
  const [paper, setPaper] = useState<Paper>(() => {
    const earlier = papers.find(({ value }) => value === remembered('paper'));
    return earlier?.value ?? usualPaper(navigator.language);
  });
  const file = `${address}?format=cuesheet&paper=${paper}`;
  return (
    <section className="cue-sheet" aria-label="Cue sheet">
      <p className="row-text"><b>Cue sheet</b><small>Large type for the wall or the wings</small></p>
      <Choices
        legend="Paper" value={paper} choices={papers} testId="paper"
        onChoose={(value) => {
          remember('paper', value);
          setPaper(value);
        }}
      />
      <div className="cue-sheet-actions">
        <a
          className="button button-primary" href={`${file}&print=true`} target="_blank" rel="noopener"
          data-testid="print-cuesheet"
        >
          <Icon name="print" size={20} />Print
        </a>
        <a className="button button-plain" href={file} download="" data-testid="export-cuesheet">
          <Icon name="download" size={20} />Download
        </a>
      </div>
    </section>
  );
}
