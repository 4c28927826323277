// The card of a song in the clipper: play, open for cutting, and a menu.

import { useMemo, useState } from 'react';
import { Link } from '../services/Link';
import { useFromLibrary, useServices } from '../services/services';
import type { Track } from '../sync/records';
import { limits } from '../sync/validation';
import { IconButton } from '../ui/Button';
import { MenuButton } from '../ui/MenuButton';
import { RenameSheet } from '../ui/RenameSheet';
import { clock, spokenTime } from '../ui/time';
import { trackTitle } from '../ui/trackTitle';
import { Waveform } from '../ui/Waveform';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import type { SongPreview } from './useSongPreview';

/** The card; all of it but its buttons opens the song. */
export function SongCard({ track, preview }: { track: Track; preview: SongPreview }): JSX.Element {
  const { library, navigation, drafts } = useServices();
  const [isRenaming, setRenaming] = useState(false);
  const uses = useFromLibrary((current) => current.partsUsing(track.id)).length;
  const clips = useFromLibrary((current) => current.clips(track.id)).length;
  const length = track.lengthFrames ?? 0;
  const stretches = useMemo(() => [{ trackId: track.id, startFrame: 0, endFrame: length }], [track.id, length]);
  const isReady = track.state === 'ready' && length > 0;
  const isPlaying = preview.playingId === track.id;
  const title = trackTitle(track);
  const said = lateWords.clipper;
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
          {isReady && (
            <>
              <span aria-label={spokenTime(length)}>{clock(length)}</span>
              {clips > 0 && ` · ${said.counted.clip(clips)}`}
              {` · ${uses > 0 ? said.inParts(uses) : said.notInRoutine}`}
            </>
          )}
          {track.state === 'importing' && said.preparing}
          {track.state === 'failed' && <span className="problem">{track.problem ?? said.unplayable}</span>}
        </p>
        {preview.id === track.id && preview.problem !== null && (
          <p className="problem" role="alert">{preview.problem}</p>
        )}
      </div>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? said.pause(title) : said.play(title)} disabled={!isReady}
        className="track-play" data-testid="song-play" onClick={() => preview.toggle(track)}
      />
      <MenuButton
        label={said.moreFor(title)} menuLabel={title} testId="song-menu"
        items={() => [
          {
            label: said.wholeSongRoutine, icon: 'routines', isDisabled: !isReady, testId: 'track-make-routine',
            run: () => {
              drafts.open().addTrack(track);
              navigation.open('create');
            },
          },
          { label: words.common.rename, icon: 'edit', testId: 'song-rename', run: () => setRenaming(true) },
        ]}
      />
      {isReady && <div className="track-wave"><Waveform stretches={stretches} /></div>}
      {isRenaming && (
        <RenameSheet
          title={lateWords.clipper.renameSong} label={lateWords.clipper.songTitle} id={track.id} name={title}
          limit={limits.track.title} testId="rename-song" onClose={() => setRenaming(false)}
          save={(name) => library.edit('track', track.id, { title: name })}
        />
      )}
    </li>
  );
}
