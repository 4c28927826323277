// The second tab: the songs of the library, the newest first, for cutting; new ones are uploaded
// here.

import { useMemo } from 'react';
import { Link } from '../services/Link';
import { useFromLibrary, useLibraryStatus, useServices } from '../services/services';
import { useUploads } from '../services/useUploads';
import '../ui/songs.css';
import { SongPicker } from '../ui/SongPicker';
import type { Track } from '../sync/records';
import { IconButton } from '../ui/Button';
import { ProgressBar } from '../ui/ProgressBar';
import { percentText } from '../words/format';
import { clock, plural, spokenTime } from '../ui/time';
import { useIncrementalList } from '../ui/useIncrementalList';
import { Waveform } from '../ui/Waveform';
import './clipper.css';
import { trackTitle } from './trackTitle';
import type { QueuedFile } from '../uploads/queue';
import { addTrack } from '../uploads/tracks';

/** The list of songs. */
export function ClipperPage(): JSX.Element {
  const uploads = useUploads('track');
  const version = uploads.versions.track;
  const rows = useMemo(() => uploads.all('track'), [uploads, version]);
  const tracks = useFromLibrary((library) => library.all('track'));
  const { loaded } = useLibraryStatus();
  const newestFirst = useMemo(() => {
    // A song being uploaded already has its own row.
    const onTheirWay = new Set(rows.map(({ upload }) => upload.trackId));
    return tracks.filter(({ id }) => !onTheirWay.has(id)).sort((one, other) => other.createdAt - one.createdAt);
  }, [tracks, rows]);
  const [length, end] = useIncrementalList('clipper');
  const isEmpty = tracks.length === 0 && rows.length === 0;

  return (
    <>
      <header className="page-head"><h1>Clipper</h1></header>
      {loaded && isEmpty && (
        <p className="clipper-empty" data-testid="clipper-empty">
          Upload a song, cut it into parts while it plays, and make a routine of them.
        </p>
      )}
      <div className="clipper-upload">
        <SongPicker onFiles={(files) => files.forEach((file) => addTrack(uploads, file))} isSmall={!isEmpty} />
      </div>
      {rows.length > 0 && (
        <ul className="songs clipper-uploads" aria-label="Songs on their way">
          {[...rows].reverse().map((row) => <UploadRow key={row.key} row={row} />)}
        </ul>
      )}
      <ul className="tracks" data-testid="tracks">
        {newestFirst.slice(0, length).map((track) => <TrackRow key={track.id} track={track} />)}
      </ul>
      {newestFirst.length > length && <div key={length} ref={end} className="list-end" />}
    </>
  );
}

const words = { waiting: 'Waiting', uploading: 'Uploading', importing: 'Preparing', done: 'Ready', failed: '', cancelled: '' };

function UploadRow({ row }: { row: QueuedFile }): JSX.Element {
  const { uploads } = useServices();
  const { upload, file: { name = 'Song' } } = row;
  const percent = Math.round(upload.progress * 100);
  const hasFailed = upload.state === 'failed';
  return (
    <li className={`song is-${upload.state}`} data-testid="clipper-upload" data-state={upload.state}>
      <div className="song-middle">
        <b dir="auto" className="clipper-upload-name">{name}</b>
        {!hasFailed && <ProgressBar percent={percent} label={`${words[upload.state]} ${name}`} />}
        <p className={hasFailed ? 'song-state problem' : 'song-state'} aria-live="polite">
          {hasFailed ? upload.problem ?? 'This song can’t be used.' : words[upload.state]}
          {!hasFailed && <span className="time" aria-hidden="true">{` ${percentText(percent)}`}</span>}
          {!hasFailed && upload.problem !== null && ` · ${upload.problem}`}
        </p>
      </div>
      {hasFailed && <IconButton icon="retry" label={`Try ${name} again`} onClick={() => upload.retry()} />}
      <IconButton
        icon="close" label={hasFailed ? `Remove ${name}` : `Cancel ${name}`} data-testid="clipper-upload-cancel"
        onClick={() => uploads.cancel(row)}
      />
    </li>
  );
}

function TrackRow({ track }: { track: Track }): JSX.Element {
  const { navigation, drafts } = useServices();
  const uses = useFromLibrary((library) => library.partsUsing(track.id)).length;
  const clips = useFromLibrary((library) => library.clips(track.id)).length;
  const length = track.lengthFrames ?? 0;
  const stretches = useMemo(() => [{ trackId: track.id, startFrame: 0, endFrame: length }], [track.id, length]);
  const isReady = track.state === 'ready' && length > 0;
  const title = trackTitle(track);
  const says = [
    ...(clips > 0 ? [plural(clips, 'clip')] : []), uses > 0 ? `in ${plural(uses, 'part')}` : 'not in a routine',
  ].join(' · ');
  return (
    <li className="track" data-testid="track">
      <div className="track-text">
        <h2 dir="auto">
          {isReady
            ? (
              <Link className="track-link" route={{ page: 'clipper', trackId: track.id }} data-testid="track-cut">
                {title}
              </Link>
            )
            : title}
        </h2>
        <p className="time">
          {isReady && <><span aria-label={spokenTime(length)}>{clock(length)}</span>{` · ${says}`}</>}
          {track.state === 'importing' && 'Being prepared'}
          {track.state === 'failed' && <span className="problem">{track.problem ?? 'This song can’t be played.'}</span>}
        </p>
      </div>
      <IconButton
        icon="plus" label={`Make a routine from the whole of ${title}`} disabled={!isReady}
        data-testid="track-make-routine"
        onClick={() => {
          drafts.open().addTrack(track);
          navigation.open('create');
        }}
      />
      {isReady && <div className="track-wave"><Waveform stretches={stretches} /></div>}
    </li>
  );
}
