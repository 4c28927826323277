// The list of clips, or of a routine's parts on this song, and what can be made of all of them.

import { useMemo, useRef, useState } from 'react';
import { useFromLibrary, useOverlay, useServices } from '../services/services';
import type { Track } from '../sync/records';
import { Button } from '../ui/Button';
import { MenuButton } from '../ui/MenuButton';
import '../ui/songs.css';
import { useMedia, wideScreen } from '../ui/useMedia';
import { useSortable } from '../ui/useSortable';
import { lateWords } from '../words/lateWords';
import { AddToRoutine } from './AddToRoutine';
import { routineOfClips } from './actions';
import { ClipRow, type RowActions } from './ClipRow';
import { DownloadSheet } from './DownloadSheet';
import { MakeRoutine } from './MakeRoutine';
import { neighbourOf, type Piece } from './model/pieces';
import { lengthInCounts, type TrackCounts } from './useTrackCounts';

interface ClipListProps {
  readonly track: Track;
  readonly pieces: readonly Piece[];
  readonly counts: TrackCounts | null;
  readonly type: 'clip' | 'part';
  /** The piece that is playing or being adjusted. */
  readonly currentId: string | null;
  readonly playingId: string | null;
  readonly onAdjust: (id: string) => void;
  readonly onPlay: (piece: Piece) => void;
}

/** The list, and above it the actions for all of it. */
export function ClipList({
  track, pieces, counts, type, currentId, playingId, onAdjust, onPlay,
}: ClipListProps): JSX.Element {
  const { library } = useServices();
  const [download, setDownload] = useState<readonly Piece[] | null>(null);
  const latest = useRef({ onAdjust, onPlay });
  latest.current = { onAdjust, onPlay };
  // A constant object, so that only the affected rows render while a border is dragged.
  const actions = useMemo<RowActions>(() => ({
    adjust: (id) => latest.current.onAdjust(id),
    play: (piece) => latest.current.onPlay(piece),
    download: (piece) => setDownload([piece]),
  }), []);
  const list = useRef<HTMLOListElement>(null);
  const isEmpty = pieces.length === 0;
  const said = lateWords.clipper;
  const sortable = type === 'part' ? [] : pieces.map(({ id }) => id);
  useSortable(list, sortable, (id, to) => library.reorder(type, id, to));
  return (
    <section className="clips" aria-label={type === 'clip' ? said.clips : said.parts}>
      <div className="list-head clips-head">
        <h2>{isEmpty ? said.noClips : said.counted[type](pieces.length)}</h2>
        {type === 'clip' && <UseClips track={track} isEmpty={isEmpty} onDownload={() => setDownload(pieces)} />}
      </div>
      {isEmpty
        ? (
          <p className="note" id="clips-why">{said.howToCut}</p>
        )
        : (
          <ol className="songs" ref={list} data-testid="clips">
            {pieces.map((piece, index) => (
              <ClipRow
                key={piece.id} trackId={track.id} type={type} piece={piece} index={index} count={pieces.length}
                inCounts={lengthInCounts(counts, piece)}
                hasNext={neighbourOf(pieces, piece.id) !== null} isCurrent={piece.id === currentId}
                isPlaying={piece.id === playingId} actions={actions}
              />
            ))}
          </ol>
        )}
      {download && <DownloadSheet track={track} pieces={download} all={pieces} onClose={() => setDownload(null)} />}
    </section>
  );
}

interface UseClipsProps {
  readonly track: Track;
  readonly isEmpty: boolean;
  readonly onDownload: () => void;
}

/** On a phone only the routine has a button; the rest is in a menu. */
function UseClips({ track, isEmpty, onDownload }: UseClipsProps): JSX.Element {
  const { navigation } = useServices();
  const made = useFromLibrary((library) => routineOfClips(library, track.id));
  const [isMaking, openMake, closeMake] = useOverlay('makeRoutine');
  const [isAdding, openAdd, closeAdd] = useOverlay('addToRoutine');
  const isWide = useMedia(wideScreen);
  const said = lateWords.clipper;
  const state = { disabled: isEmpty, 'aria-describedby': isEmpty ? 'clips-why' : undefined };
  return (
    <div className="clips-use">
      {made === null
        ? (
          <Button {...state} isSmall kind="primary" icon="routines" data-testid="make-routine" onClick={openMake}>
            {said.makeRoutine}
          </Button>
        )
        : (
          <Button
            isSmall kind="primary" icon="routines" data-testid="open-routine"
            onClick={() => navigation.go({ page: 'routine', routineId: made, partId: null })}
          >
            {said.openRoutine}
          </Button>
        )}
      {isWide
        ? (
          <>
            <Button {...state} isSmall icon="plus" data-testid="add-to-routine" onClick={openAdd}>
              {said.addToRoutine}
            </Button>
            <Button {...state} isSmall icon="download" data-testid="download-clips" onClick={onDownload}>
              {said.downloadClips}
            </Button>
          </>
        )
        : !isEmpty && (
          <MenuButton
            label={said.moreForClips} menuLabel={said.clips} testId="clips-menu"
            items={() => [
              { label: said.addToRoutine, icon: 'plus', testId: 'add-to-routine', run: openAdd },
              { label: said.downloadClips, icon: 'download', testId: 'download-clips', run: onDownload },
            ]}
          />
        )}
      {isMaking && !isEmpty && <MakeRoutine track={track} onClose={closeMake} />}
      {isAdding && <AddToRoutine track={track} onClose={closeAdd} />}
    </div>
  );
}
