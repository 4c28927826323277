// Exports of one routine or of all, as links for download; the cue sheet can also be printed.

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

type Format = typeof formatsOfOne[number] | 'counts';

/** What the formats are, for the share sheet; browsers refuse some. */
const kinds = {
  html: { name: 'routine.html', type: 'text/html' },
  markdown: { name: 'routine.md', type: 'text/markdown' },
  json: { name: 'routine.json', type: 'application/json' },
  labels: { name: 'labels.txt', type: 'text/plain' },
  counts: { name: 'counts.txt', type: 'text/plain' },
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
      <CueSheet address={address} />
      <ul className="rows">
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

function CueSheet({ address }: { address: string }): JSX.Element {
  const [paper, setPaper] = useState<Paper>(() => {
    const earlier = papers.find((value) => value === remembered('paper'));
    return earlier ?? usualPaper(navigator.language);
  });
  const file = `${address}?format=cuesheet&paper=${paper}`;
  return (
    <section className="cue-sheet" aria-label={lateWords.routines.cueSheet}>
      <p className="row-text"><b>{lateWords.routines.cueSheet}</b><small>{lateWords.routines.cueSheetUse}</small></p>
      <Choices
        legend={lateWords.routines.paper} value={paper} testId="paper"
        choices={papers.map((value) => ({ value, label: lateWords.routines.papers[value] }))}
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
          <Icon name="print" size={20} />{lateWords.routines.print}
        </a>
        <a className="button button-plain" href={file} download="" data-testid="export-cuesheet">
          <Icon name="download" size={20} />{lateWords.routines.download}
        </a>
        <ShareButton address={file} file={kinds.html} testId="share-cuesheet" />
      </div>
    </section>
  );
}
