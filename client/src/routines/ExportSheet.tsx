// Exports of one routine or of all, as links for download; the cue sheet and the eight-count sheet can also be printed.

import { useEffect, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { useTrackGrid } from '../parts/useTrackGrid';
import { useFromLibrary, useLibraryStatus, useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import { Choices } from '../ui/Choices';
import { remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { ShareButton } from '../ui/ShareButton';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import './export.css';
import { usualPaper, type Paper } from './paper';

const formats = ['html', 'markdown', 'json'] as const;
/** Times of several songs in one file would overlap, so the labels are of one routine alone. */
const formatsOfOne = [...formats, 'labels'] as const;

type Format = typeof formatsOfOne[number] | 'counts' | 'countsheet-csv';

/** What is printed. */
type Printed = 'cuesheet' | 'countsheet';

/** What the formats are, for the share sheet; browsers refuse some. */
const kinds = {
  html: { name: 'routine.html', type: 'text/html' },
  markdown: { name: 'routine.md', type: 'text/markdown' },
  json: { name: 'routine.json', type: 'application/json' },
  labels: { name: 'labels.txt', type: 'text/plain' },
  counts: { name: 'counts.txt', type: 'text/plain' },
  'countsheet-csv': { name: 'sheet.csv', type: 'text/csv' },
} as const;

const papers: readonly Paper[] = ['a4', 'letter'];

/** The sheet with the formats; of all routines where none is given. */
export function ExportSheet({ routine, onClose }: { routine?: Routine; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const { online, waiting } = useLibraryStatus();
  const onlyTrack = useFromLibrary(() => (routine ? onlyTrackOf(library.parts(routine.id)) : null));
  const address = apiAddress.routineExport(routine?.id ?? null);
  // The server writes the file, so it should have the latest edits.
  useEffect(() => {
    void library.refresh();
  }, [library]);
  return (
    <Sheet title={routine ? lateWords.routines.export(routine.title) : lateWords.routines.exportAll} onClose={onClose} testId="export-sheet">
      <p role="status" className="export-note">
        {online
          ? waiting > 0 && lateWords.routines.notYetSent
          : lateWords.routines.needsServer}
      </p>
      <Printouts address={address} />
      <ul className="rows">
        <FormatRow address={address} format="countsheet-csv" />
        {(routine ? formatsOfOne : formats).map((format) => (
          <FormatRow key={format} address={address} format={format} />
        ))}
        {onlyTrack !== null && <CountsRow address={address} trackId={onlyTrack} />}
      </ul>
    </Sheet>
  );
}

function FormatRow({ address, format }: { address: string; format: Format }): JSX.Element {
  return (
    <li className="row-holder">
      <a className="row" href={`${address}?format=${format}`} download="" data-testid={`export-${format}`}>
        <span className="row-text"><b>{lateWords.routines.formats[format]}</b><small>{lateWords.routines.uses[format]}</small></span>
        <Icon name="download" />
      </a>
      <ShareButton
        address={`${address}?format=${format}`} file={kinds[format]} what={lateWords.routines.formats[format]}
        testId={`share-${format}`}
      />
    </li>
  );
}

/** The row of the counts, if the track has some. */
function CountsRow({ address, trackId }: { address: string; trackId: string }): JSX.Element | null {
  const grid = useTrackGrid(trackId);
  return grid && grid.beatCount > 0 ? <FormatRow address={address} format="counts" /> : null;
}

/** The track of all parts that have one; null for several. */
function onlyTrackOf(parts: readonly Part[]): string | null {
  const tracks = new Set(parts.flatMap(({ track }) => track ?? []));
  const [first] = tracks;
  return tracks.size === 1 && first !== undefined ? first : null;
}

/** The sheets to print, on the paper that is chosen for all. */
function Printouts({ address }: { address: string }): JSX.Element {
  const [paper, setPaper] = useState<Paper>(() => {
    const earlier = papers.find((value) => value === remembered('paper'));
    return earlier ?? usualPaper(navigator.language);
  });
  const text = lateWords.routines;
  const empty = (counts: number): string => `${apiAddress.emptyCountSheet}?counts=${counts}&paper=${paper}&print=true`;
  return (
    <div className="printouts">
      <Choices
        legend={text.paper} value={paper} testId="paper"
        choices={papers.map((value) => ({ value, label: text.papers[value] }))}
        onChoose={(value) => {
          remember('paper', value);
          setPaper(value);
        }}
      />
      <Printout address={address} format="cuesheet" paper={paper} />
      <Printout address={address} format="countsheet" paper={paper}>
        <div className="printout-actions">
          <small className="printout-empty">{text.emptySheets}</small>
          <a className="button button-plain" href={empty(8)} target="_blank" rel="noopener" data-testid="empty-countsheet-8">
            <Icon name="print" size={20} />{text.ofEight}
          </a>
          <a className="button button-plain" href={empty(6)} target="_blank" rel="noopener" data-testid="empty-countsheet-6">
            <Icon name="print" size={20} />{text.ofSix}
          </a>
        </div>
      </Printout>
    </div>
  );
}

interface PrintoutProps {
  readonly address: string;
  readonly format: Printed;
  readonly paper: Paper;
  readonly children?: React.ReactNode;
}

function Printout({ address, format, paper, children }: PrintoutProps): JSX.Element {
  const text = lateWords.routines;
  const file = `${address}?format=${format}&paper=${paper}`;
  return (
    <section className="printout" aria-label={text.sheets[format]}>
      <p className="row-text"><b>{text.sheets[format]}</b><small>{text.sheetUses[format]}</small></p>
      <div className="printout-actions">
        <a
          className="button button-primary" href={`${file}&print=true`} target="_blank" rel="noopener"
          data-testid={`print-${format}`}
        >
          <Icon name="print" size={20} />{text.print}
        </a>
        <a className="button button-plain" href={file} download="" data-testid={`export-${format}`}>
          <Icon name="download" size={20} />{text.download}
        </a>
        <ShareButton address={file} file={kinds.html} testId={`share-${format}`} />
      </div>
      {children}
    </section>
  );
}
