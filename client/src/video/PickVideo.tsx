// Chooses a part's video: from the device, or an already uploaded one.

import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { mediaAddress } from '../apiAddress';
import { DropZone } from '../ui/DropZone';
import { useLibrary } from '../services/services';
import { useOpenedPart } from '../parts/useOpenedPart';
import type { Part, Video } from '../sync/records';
import { searchFor } from '../ui/search';
import { Icon } from '../ui/Icon';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { Sheet } from '../ui/Sheet';
import { clock, spokenTime } from '../ui/time';
import { lateWords } from '../words/lateWords';
import { videoName } from './actions';
import { useShared } from './videoServices';

/**
 * The file types that the picker offers; a phone opens its photo library. The server checks the
 * content.
 */
const videoFiles = 'video/*,.mkv,.mov,.avi,.m4v,.webm,.mts,.m2ts';
/** A shorter list needs no search. */
const manyVideos = 6;

interface PickVideoProps {
  readonly part: Part;
  readonly onFile: (file: File, part: string) => void;
  readonly onChosen: () => void;
  readonly onClose: () => void;
}

/** The sheet. */
export function PickVideo({ part: shownPart, onFile, onChosen, onClose }: PickVideoProps): JSX.Element {
  const library = useLibrary();
  const said = lateWords.video;
  const { links } = useShared();
  const part = useOpenedPart(shownPart, onClose);
  const input = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const all = library.all('video');
  const space = library.get('routine', part.routine)?.space;
  // What is not where the routine is, the others of a group would not see.
  const videos = useMemo(() => all.filter((video) => video.space === space), [all, space]);
  const shown = useMemo(() => (
    searchFor(videos.filter(({ state }) => state !== 'failed'), lookedFor, videoName, (video) => video.fileName ?? '')
  ), [videos, lookedFor]);
  const take = ([file]: readonly File[]): void => {
    if (!file) return;
    onClose();
    onFile(file, part.id);
  };
  return (
    <Sheet title={part.video ? said.replaceVideo : said.addVideo} onClose={onClose} testId="pick-video">
      <div className="stack">
        <button type="button" className="video-picker" data-first="" data-testid="video-from-device" onClick={() => input.current?.click()}>
          <Icon name="upload" size={28} />
          <span>{said.fromDevice}</span>
          <small>{said.converted}</small>
        </button>
        <input
          ref={input} type="file" accept={videoFiles} hidden tabIndex={-1} data-testid="video-file"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = '';
            take(files);
          }}
        />
        <DropZone isAllowed label={said.drop} onFiles={take} />
        {videos.length > manyVideos && (
          <SearchField
            label={said.search} value={search} found={said.count(shown.length)} testId="video-search"
            onChange={setSearch}
          />
        )}
        {shown.length > 0 && (
          <ul className="video-list" data-testid="video-list" aria-label={said.uploaded}>
            {shown.map((video) => (
              <li key={video.id}>
                <button
                  type="button" className="video-choice" data-testid="video-choice"
                  aria-current={video.id === part.video ? 'true' : undefined}
                  onClick={() => {
                    onClose();
                    links.choose(part.id, video.id);
                    onChosen();
                  }}
                >
                  <Poster video={video} />
                  <span className="row-text">
                    <b dir="auto">{videoName(video)}</b>
                    <small className="time">
                      {video.state === 'ready'
                        ? <span><span aria-hidden="true">{clock(video.length ?? 0)}</span><span className="only-spoken">{spokenTime(video.length ?? 0)}</span></span>
                        : said.beingPrepared}
                    </small>
                    <Uses titles={library.partsShowing(video.id).map(({ title }) => title)} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {lookedFor.trim() !== '' && shown.length === 0 && (
          <NoResults what={said.noVideo} search={lookedFor} onClear={() => setSearch('')} />
        )}
      </div>
    </Sheet>
  );
}

function Poster({ video }: { video: Video }): JSX.Element {
  const [isThere, setThere] = useState(video.state === 'ready');
  return (
    <span className="video-poster">
      {isThere
        ? <img src={mediaAddress.poster(video.id)} alt="" loading="lazy" onError={() => setThere(false)} />
        : <Icon name="film" />}
    </span>
  );
}

function Uses({ titles }: { titles: readonly string[] }): JSX.Element {
  const [first, ...others] = titles;
  if (first === undefined) return <small>{lateWords.video.unused}</small>;
  return <small dir="auto">{others.length > 0 ? lateWords.video.andMore(first, others.length) : first}</small>;
}
