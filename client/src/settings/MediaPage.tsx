// The media library: every track and video, with length, size and uses.

import { useDeferredValue, useMemo, useState } from 'react';
import { useLibrary, useServices } from '../services/services';
import type { Track } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { searchFor } from '../ui/search';
import { Menu } from '../ui/Menu';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { clock, plural, spokenTime } from '../ui/time';
import { toasts } from '../ui/toasts';
import { useIncrementalList } from '../ui/useIncrementalList';
import { fileSize } from '../ui/text';
import { bytes, deleteTracks, isFresh, isUnused, mediaName, unreached, usesOf } from './media';
import { RenameMedia } from './RenameMedia';
import { NothingYet, SettingsSubpage } from './SettingsSubpage';
import { VideoRows } from './VideoRows';

/** The page. */
export function MediaPage(): JSX.Element {
  const { navigation, drafts } = useServices();
  const library = useLibrary();
  const tracks = library.all('track');
  const videos = library.all('video');
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const shown = useMemo(
    () => searchFor(tracks, lookedFor, mediaName, (track) => track.fileName ?? ''), [tracks, lookedFor],
  );
  const [length, end] = useIncrementalList('media');
  // The sheet is independent of the rows, which are sorted and filtered by the name being typed.
  const [renamed, setRenamed] = useState<string | null>(null);
  const media = [...tracks, ...videos].find(({ id }) => id === renamed);
  const findUnused = (): readonly Track[] => {
    // Songs of a new routine are not unused.
    const inDraft = new Set(drafts.current?.rows.map((row) => row.knownTrack ?? row.queued?.upload.trackId));
    return library.all('track').filter((track) => isUnused(library, track) && !inDraft.has(track.id));
  };
  const unused = findUnused();
  const deleteUnused = async (): Promise<void> => {
    // Another device may use them, unknown to this copy.
    if (!await isFresh(library)) {
      toasts.say(`${unreached} Try again when it answers.`, { kind: 'problem' });
      return;
    }
    const still = findUnused();
    if (still.length > 0) deleteTracks(library, still);
  };
  const shownVideos = useMemo(
    () => searchFor(videos, lookedFor, mediaName, (video) => video.fileName ?? ''), [videos, lookedFor],
  );

  if (tracks.length + videos.length === 0) {
    const create = (): void => {
      drafts.open();
      navigation.open('create');
    };
    return (
      <SettingsSubpage title="Media library">
        <NothingYet action={<Button kind="primary" icon="plus" onClick={create}>New routine</Button>}>
          There are no songs here yet. They come with the routines that you make of them.
        </NothingYet>
      </SettingsSubpage>
    );
  }
  return (
    <SettingsSubpage title="Media library">
      <SearchField
        label="Search tracks and videos" value={search} found={counted(shown.length, shownVideos.length)}
        testId="media-search" onChange={setSearch}
      />
      <div className="list-head">
        <p data-testid="media-total">
          {`${counted(tracks.length, videos.length)}, ${fileSize(bytes([...tracks, ...videos]))}`}
        </p>
        {unused.length > 0 && (
          <Button icon="trash" data-testid="delete-unused" onClick={() => void deleteUnused()}>
            {`Delete ${unused.length} unused, ${fileSize(bytes(unused))}`}
          </Button>
        )}
      </div>
      {shown.length + shownVideos.length === 0 && (
        <NoResults what="Nothing" search={lookedFor} onClear={() => setSearch('')} />
      )}
      <VideoRows videos={shownVideos} onRename={setRenamed} />
      {shownVideos.length > 0 && shown.length > 0 && <h2 className="rows-title">Tracks</h2>}
      <ul className="rows" hidden={shown.length === 0} data-testid="track-rows">
        {shown.slice(0, length).map((track) => <TrackRow key={track.id} track={track} onRename={setRenamed} />)}
      </ul>
      {shown.length > length && <div key={length} ref={end} className="list-end" />}
      {media && <RenameMedia media={media} onClose={() => setRenamed(null)} />}
    </SettingsSubpage>
  );
}

function counted(tracks: number, videos: number): string {
  const words = [plural(tracks, 'track'), plural(videos, 'video')];
  return words.filter((_, at) => at === 0 || videos > 0).join(', ');
}

const states = { importing: 'Being prepared', failed: 'Can’t be played', ready: '' } as const;

function TrackRow({ track, onRename }: { track: Track; onRename: (id: string) => void }): JSX.Element {
  const { library } = useServices();
  const [open, setOpen] = useState<'menu' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const uses = usesOf(library, track.id);
  const clips = library.clips(track.id).length;
  const name = mediaName(track);
  const frames = track.lengthFrames ?? 0;
  return (
    <li className="row-holder" data-testid="track-row">
      <div className="row is-still">
        <span className="row-text">
          <b dir="auto">{name}</b>
          <small className="time">
            {track.state === 'ready'
              ? <span><span aria-hidden="true">{clock(frames)}</span><span className="only-spoken">{spokenTime(frames)}</span></span>
              : states[track.state ?? 'importing']}
            {track.size ? ` · ${fileSize(track.size)}` : ''}
          </small>
          {uses.slice(0, 3).map((use) => <small key={use.id} dir="auto">{use.name}</small>)}
          {uses.length > 3 && <small>{`and ${plural(uses.length - 3, 'more part')}`}</small>}
          {clips > 0 && <small>{plural(clips, 'clip')}</small>}
          {uses.length + clips === 0 && <small>Not used</small>}
        </span>
      </div>
      <div className="menu-holder">
        <IconButton
          icon="more" label={`More for ${name}`} aria-haspopup="menu" aria-expanded={open === 'menu'}
          data-testid="track-menu" onClick={() => setOpen('menu')}
        />
        {open === 'menu' && (
          <Menu
            label={name} onClose={close}
            items={[
              { label: 'Rename', icon: 'edit', testId: 'track-rename', run: () => onRename(track.id) },
              {
                label: 'Delete', icon: 'trash', isDangerous: true, testId: 'track-delete',
                run: () => void isFresh(library).then((isKnown) => {
                  if (isKnown && usesOf(library, track.id).length + library.clips(track.id).length === 0) {
                    deleteTracks(library, [track]);
                  } else {
                    setOpen('delete');
                  }
                }),
              },
            ]}
          />
        )}
      </div>
      {open === 'delete' && (
        <Confirm
          title={`Delete “${name}”?`} action="Delete" onClose={close}
          onConfirm={() => deleteTracks(library, [track])}
        >
          {uses.length > 0 && (
            <>
              {`${plural(uses.length, 'part')} will be silent; ${uses.length === 1 ? 'its' : 'their'} moves stay:`}
              {uses.map((use) => <span key={use.id} className="confirm-line" dir="auto">{use.name}</span>)}
            </>
          )}
          {clips > 0 && <span className="confirm-line">{`${plural(clips, 'clip')} will go with it.`}</span>}
          {uses.length + clips === 0 && unreached}
        </Confirm>
      )}
    </li>
  );
}
