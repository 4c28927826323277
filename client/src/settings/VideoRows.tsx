// The videos of the media library.

import { useState } from 'react';
import { apiAddress, mediaAddress } from '../apiAddress';
import { useServices } from '../services/services';
import { save } from '../ui/save';
import type { Video } from '../sync/records';
import { Confirm } from '../ui/Confirm';
import { Icon } from '../ui/Icon';
import { MenuButton } from '../ui/MenuButton';
import { Named } from '../ui/Named';
import { clock, spokenTime } from '../ui/time';
import { fileSize } from '../ui/text';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { deleteVideo, isFresh, mediaName, showsOf } from './media';
import { MediaUse } from './MediaUse';

interface VideoRowsProps {
  readonly videos: readonly Video[];
  readonly onRename: (id: string) => void;
}

/** The list, with its title; nothing if there are none. */
export function VideoRows({ videos, onRename }: VideoRowsProps): JSX.Element | null {
  if (videos.length === 0) return null;
  return (
    <>
      <h2 className="rows-title">{lateWords.settings.videos}</h2>
      <ul className="rows" data-testid="video-rows">
        {videos.map((video) => <VideoRow key={video.id} video={video} onRename={onRename} />)}
      </ul>
    </>
  );
}

function VideoRow({ video, onRename }: { video: Video; onRename: (id: string) => void }): JSX.Element {
  const { library } = useServices();
  const { settings } = lateWords;
  const [isDeleting, setDeleting] = useState(false);
  const [hasPoster, setPoster] = useState(true);
  const close = (): void => setDeleting(false);
  const uses = showsOf(library, video.id);
  const name = mediaName(video);
  const frames = video.length ?? 0;
  return (
    <li className="row-holder" data-testid="video-row">
      <div className="row is-still">
        <span className="video-poster">
          {video.state === 'ready' && hasPoster
            ? <img src={mediaAddress.poster(video.id)} alt="" loading="lazy" onError={() => setPoster(false)} />
            : <Icon name="film" />}
        </span>
        <span className="row-text">
          <b dir="auto">{name}</b>
          <small className="time">
            {video.state === 'ready'
              ? <span><span aria-hidden="true">{clock(frames)}</span><span className="only-spoken">{spokenTime(frames)}</span></span>
              : video.state === 'failed' ? video.problem ?? settings.unplayable : settings.beingPrepared}
            {video.size ? ` · ${fileSize(video.size)}` : ''}
          </small>
          {uses.length > 0 ? <MediaUse uses={uses} /> : <small>{settings.notUsed}</small>}
        </span>
      </div>
      <MenuButton
        label={settings.moreFor(name)} menuLabel={name} testId="video-row-menu"
        items={() => [
          { label: words.common.rename, icon: 'edit', testId: 'video-rename', run: () => onRename(video.id) },
          {
            label: settings.downloadOriginal, icon: 'download', testId: 'video-download',
            isDisabled: video.state === 'failed',
            run: () => save(apiAddress.original('video', video.id)),
          },
          {
            label: words.common.delete, icon: 'trash', isDangerous: true, testId: 'video-delete',
            run: () => void isFresh(library).then((isKnown) => {
              if (isKnown && showsOf(library, video.id).length === 0) deleteVideo(library, video);
              else setDeleting(true);
            }),
          },
        ]}
      />
      {isDeleting && (
        <Confirm
          title={<Named message={settings.deleteQuestion} name={name} />} action={words.common.delete} onClose={close}
          onConfirm={() => deleteVideo(library, video)}
        >
          {uses.length > 0 ? settings.unlinkedFrom(settings.partCount(uses.length)) : settings.unreached}
          {uses.map((use) => <span key={use.id} className="confirm-line" dir="auto">{use.name}</span>)}
        </Confirm>
      )}
    </li>
  );
}
