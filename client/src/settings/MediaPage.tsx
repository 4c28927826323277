// The media library: every track and video, with length, size and uses.

import { useDeferredValue, useMemo, useState } from 'react';
import { useLibrary, useServices } from '../services/services';
import { useEditable } from '../services/useEditable';
import type { Track, Video } from '../sync/records';
import { Button } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { searchFor } from '../ui/search';
import { MenuButton } from '../ui/MenuButton';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { Named } from '../ui/Named';
import { clock, spokenTime } from '../ui/time';
import { toasts } from '../ui/toasts';
import { useIncrementalList } from '../ui/useIncrementalList';
import { fileSize } from '../ui/text';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { bytes, deleteMedia, isFresh, isUnused, mediaCount, mediaName, usesOf } from './media';
import { MediaUse } from './MediaUse';
import { RenameMedia } from './RenameMedia';
import { NothingYet, SettingsSubpage } from './SettingsSubpage';
import { VideoRows } from './VideoRows';

/** The page. */
export function MediaPage(): JSX.Element {
  const { navigation, drafts } = useServices();
  const library = useLibrary();
  const tracks = useEditable('track');
  const videos = useEditable('video');
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const shown = useMemo(
    () => searchFor(tracks, lookedFor, mediaName, (track) => track.fileName ?? ''), [tracks, lookedFor],
  );
  const [length, end] = useIncrementalList('media');
  // The sheet is independent of the rows, which are sorted and filtered by the name being typed.
  const [renamed, setRenamed] = useState<string | null>(null);
  const media = [...tracks, ...videos].find(({ id }) => id === renamed);
  const { settings } = lateWords;
  const findUnused = (): readonly (Track | Video)[] => {
    // Songs of a new routine are not unused.
    const inDraft = new Set(drafts.current?.rows.map((row) => row.knownTrack ?? row.queued?.upload.trackId));
    return [...library.all('track'), ...library.all('video')]
      .filter((each) => library.mayEditIn(each.space) && isUnused(library, each) && !inDraft.has(each.id));
  };
  const unused = findUnused();
  const deleteUnused = async (): Promise<void> => {
    // Another device may use them, unknown to this copy.
    if (!await isFresh(library)) {
      toasts.say(settings.unreachedRetry, { kind: 'problem' });
      return;
    }
    const still = findUnused();
    if (still.length > 0) deleteMedia(library, still);
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
      <SettingsSubpage title={settings.mediaLibrary}>
        <NothingYet action={<Button kind="primary" icon="plus" onClick={create}>{settings.newRoutine}</Button>}>
          {settings.noMediaYet}
        </NothingYet>
      </SettingsSubpage>
    );
  }
  return (
    <SettingsSubpage title={settings.mediaLibrary}>
      <SearchField
        label={settings.searchMedia} value={search} found={mediaCount(shown.length, shownVideos.length)}
        testId="media-search" onChange={setSearch}
      />
      <div className="list-head">
        <p data-testid="media-total">
          {`${mediaCount(tracks.length, videos.length)}, ${fileSize(bytes([...tracks, ...videos]))}`}
        </p>
        {unused.length > 0 && (
          <Button icon="trash" data-testid="delete-unused" onClick={() => void deleteUnused()}>
            {settings.deleteUnused(unused.length, fileSize(bytes(unused)))}
          </Button>
        )}
      </div>
      {shown.length + shownVideos.length === 0 && (
        <NoResults what={settings.nothing} search={lookedFor} onClear={() => setSearch('')} />
      )}
      <VideoRows videos={shownVideos} onRename={setRenamed} />
      {shownVideos.length > 0 && shown.length > 0 && <h2 className="rows-title">{settings.tracks}</h2>}
      <ul className="rows" hidden={shown.length === 0} data-testid="track-rows">
        {shown.slice(0, length).map((track) => <TrackRow key={track.id} track={track} onRename={setRenamed} />)}
      </ul>
      {shown.length > length && <div key={length} ref={end} className="list-end" />}
      {media && <RenameMedia media={media} onClose={() => setRenamed(null)} />}
    </SettingsSubpage>
  );
}

function TrackRow({ track, onRename }: { track: Track; onRename: (id: string) => void }): JSX.Element {
  const { library } = useServices();
  const { settings } = lateWords;
  const [isDeleting, setDeleting] = useState(false);
  const close = (): void => setDeleting(false);
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
              : track.state === 'failed' ? settings.unplayable : settings.beingPrepared}
            {track.size ? ` · ${fileSize(track.size)}` : ''}
          </small>
          <MediaUse uses={uses} />
          {clips > 0 && <small>{settings.clipCount(clips)}</small>}
          {uses.length + clips === 0 && <small>{settings.notUsed}</small>}
        </span>
      </div>
      <MenuButton
        label={settings.moreFor(name)} menuLabel={name} testId="track-menu"
        items={() => [
          { label: words.common.rename, icon: 'edit', testId: 'track-rename', run: () => onRename(track.id) },
          {
            label: words.common.delete, icon: 'trash', isDangerous: true, testId: 'track-delete',
            run: () => void isFresh(library).then((isKnown) => {
              if (isKnown && usesOf(library, track.id).length + library.clips(track.id).length === 0) {
                deleteMedia(library, [track]);
              } else {
                setDeleting(true);
              }
            }),
          },
        ]}
      />
      {isDeleting && (
        <Confirm
          title={<Named message={settings.deleteQuestion} name={name} />} action={words.common.delete} onClose={close}
          onConfirm={() => deleteMedia(library, [track])}
        >
          {uses.length > 0 && (
            <>
              {settings.partsGoSilent(uses.length)}
              {uses.map((use) => <span key={use.id} className="confirm-line" dir="auto">{use.name}</span>)}
            </>
          )}
          {clips > 0 && <span className="confirm-line">{settings.clipsGo(clips)}</span>}
          {uses.length + clips === 0 && settings.unreached}
        </Confirm>
      )}
    </li>
  );
}
