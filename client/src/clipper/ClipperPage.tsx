// The second tab: the songs of the library, the newest first, for cutting; new ones are uploaded
// here.

import { useMemo } from 'react';
import { useLibraryStatus, useServices } from '../services/services';
import { useEditable } from '../services/useEditable';
import { useUploads } from '../services/useUploads';
import '../ui/songs.css';
import { SongPicker } from '../ui/SongPicker';
import { IconButton } from '../ui/Button';
import { ProgressBar } from '../ui/ProgressBar';
import { percentText } from '../words/format';
import { useIncrementalList } from '../ui/useIncrementalList';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import './clipper.css';
import { SongCard } from './SongCard';
import { useSongPreview } from './useSongPreview';
import type { QueuedFile } from '../uploads/queue';
import { addTrack } from '../uploads/tracks';

/** The list of songs. */
export function ClipperPage(): JSX.Element {
  const uploads = useUploads('track');
  const version = uploads.versions.track;
  const rows = useMemo(() => uploads.all('track'), [uploads, version]);
  const tracks = useEditable('track');
  const { loaded } = useLibraryStatus();
  const newestFirst = useMemo(() => {
    // A song being uploaded already has its own row.
    const onTheirWay = new Set(rows.map(({ upload }) => upload.trackId));
    return tracks.filter(({ id }) => !onTheirWay.has(id)).sort((one, other) => other.createdAt - one.createdAt);
  }, [tracks, rows]);
  const [length, end] = useIncrementalList('clipper');
  const preview = useSongPreview();
  const said = lateWords.clipper;
  const isEmpty = tracks.length === 0 && rows.length === 0;

  return (
    <>
      <header className="page-head"><h1>{words.common.clipper}</h1></header>
      {loaded && isEmpty && (
        <p className="clipper-empty" data-testid="clipper-empty">{said.empty}</p>
      )}
      <div className="clipper-upload">
        <SongPicker onFiles={(files) => files.forEach((file) => addTrack(uploads, file))} isSmall={!isEmpty} />
      </div>
      {rows.length > 0 && (
        <ul className="songs clipper-uploads" aria-label={said.uploads}>
          {[...rows].reverse().map((row) => <UploadRow key={row.key} row={row} />)}
        </ul>
      )}
      <ul className="tracks" data-testid="tracks">
        {newestFirst.slice(0, length).map((track) => <SongCard key={track.id} track={track} preview={preview} />)}
      </ul>
      {newestFirst.length > length && <div key={length} ref={end} className="list-end" />}
    </>
  );
}

function UploadRow({ row }: { row: QueuedFile }): JSX.Element {
  const { uploads } = useServices();
  const { upload, file: { name = lateWords.clipper.song } } = row;
  const said = lateWords.clipper;
  const percent = Math.round(upload.progress * 100);
  const hasFailed = upload.state === 'failed';
  return (
    <li className={`song is-${upload.state}`} data-testid="clipper-upload" data-state={upload.state}>
      <div className="song-middle">
        <b dir="auto" className="clipper-upload-name">{name}</b>
        {!hasFailed && <ProgressBar percent={percent} label={`${said.upload[upload.state]} ${name}`} />}
        <p className={hasFailed ? 'song-state problem' : 'song-state'} aria-live="polite">
          {hasFailed ? upload.problem ?? said.unusable : said.upload[upload.state]}
          {!hasFailed && <span className="time" aria-hidden="true">{` ${percentText(percent)}`}</span>}
          {!hasFailed && upload.problem !== null && ` · ${upload.problem}`}
        </p>
      </div>
      {hasFailed && <IconButton icon="retry" label={said.retry(name)} onClick={() => upload.retry()} />}
      <IconButton
        icon="close" label={hasFailed ? said.remove(name) : said.cancel(name)} data-testid="clipper-upload-cancel"
        onClick={() => uploads.cancel(row)}
      />
    </li>
  );
}
