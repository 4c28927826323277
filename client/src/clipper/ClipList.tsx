// The list of clips, or of a routine's parts on this song: name, times, play, adjust, order.

import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useFromLibrary, useOverlay, useServices } from '../services/services';
import { SavedName } from '../ui/RowName';
import type { Track } from '../sync/records';
import { limits } from '../sync/validation';
import { Button, IconButton } from '../ui/Button';
import { DragHandle } from '../ui/DragHandle';
import '../ui/songs.css';
import { Menu } from '../ui/Menu';
import { clockWithTenths, plural } from '../ui/time';
import { wideScreen } from '../ui/useMedia';
import { useSortable } from '../ui/useSortable';
import { AddToRoutine } from './AddToRoutine';
import { deleteClip, mergeWithNext, routineOfClips } from './actions';
import { DownloadSheet } from './DownloadSheet';
import { placeName } from './model/names';
import { neighbourOf, type Piece } from './model/pieces';
import { useMakeRoutine } from './useMakeRoutine';

interface ClipListProps {
  readonly track: Track;
  readonly pieces: readonly Piece[];
  readonly type: 'clip' | 'part';
  /** The piece that is playing or being adjusted. */
  readonly currentId: string | null;
  readonly playingId: string | null;
  readonly onAdjust: (id: string) => void;
  readonly onPlay: (piece: Piece) => void;
}

/** The list, and above it the actions for all of it. */
export function ClipList({
  track, pieces, type, currentId, playingId, onAdjust, onPlay,
}: ClipListProps): JSX.Element {
  const { library } = useServices();
  const [download, setDownload] = useState<readonly Piece[] | null>(null);
  const latest = useRef({ onAdjust, onPlay });
  latest.current = { onAdjust, onPlay };
  // A constant object, so that only the affected rows render while a border is dragged.
  const deeds = useMemo<RowActions>(() => ({
    adjust: (id) => latest.current.onAdjust(id),
    play: (piece) => latest.current.onPlay(piece),
    download: (piece) => setDownload([piece]),
  }), []);
  const list = useRef<HTMLOListElement>(null);
  const isEmpty = pieces.length === 0;
  const sortable = type === 'part' ? [] : pieces.map(({ id }) => id);
  useSortable(list, sortable, (id, to) => library.reorder(type, id, to));
  return (
    <section className="clips" aria-label={type === 'clip' ? 'Clips' : 'Parts'}>
      <div className="list-head clips-head">
        <h2>{isEmpty ? 'No clips yet' : plural(pieces.length, type)}</h2>
        {type === 'clip' && <UseClips track={track} isEmpty={isEmpty} onDownload={() => setDownload(pieces)} />}
      </div>
      {isEmpty
        ? (
          <p className="note" id="clips-why">
            Press “Cut here” while the song plays, wherever a part ends: the song becomes parts in one pass.
          </p>
        )
        : (
          <ol className="songs" ref={list} data-testid="clips">
            {pieces.map((piece, index) => (
              <ClipRow
                key={piece.id} trackId={track.id} type={type} piece={piece} index={index} count={pieces.length}
                hasNext={neighbourOf(pieces, piece.id) !== null} isCurrent={piece.id === currentId}
                isPlaying={piece.id === playingId} deeds={deeds}
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

function UseClips({ track, isEmpty, onDownload }: UseClipsProps): JSX.Element {
  const openNew = useMakeRoutine(track);
  const { navigation } = useServices();
  const made = useFromLibrary((library) => routineOfClips(library, track.id));
  const [isAdding, openAdd, closeAdd] = useOverlay('addToRoutine');
  const state = { disabled: isEmpty, 'aria-describedby': isEmpty ? 'clips-why' : undefined };
  return (
    <div className="clips-use">
      {made === null
        ? (
          <Button {...state} isSmall kind="primary" icon="routines" data-testid="make-routine" onClick={openNew}>
            Make a routine
          </Button>
        )
        : (
          <Button
            isSmall kind="primary" icon="routines" data-testid="open-routine"
            onClick={() => navigation.go({ page: 'routine', routineId: made, partId: null })}
          >
            Open the routine
          </Button>
        )}
      <Button {...state} isSmall icon="plus" data-testid="add-to-routine" onClick={openAdd}>Add to a routine…</Button>
      <Button {...state} isSmall icon="download" data-testid="download-clips" onClick={onDownload}>Download…</Button>
      {isAdding && <AddToRoutine track={track} onClose={closeAdd} />}
    </div>
  );
}

interface RowActions {
  readonly adjust: (id: string) => void;
  readonly play: (piece: Piece) => void;
  readonly download: (piece: Piece) => void;
}

interface ClipRowProps {
  readonly trackId: string;
  readonly type: 'clip' | 'part';
  readonly piece: Piece;
  readonly index: number;
  readonly count: number;
  /** Whether another piece begins at the end of this one. */
  readonly hasNext: boolean;
  readonly isCurrent: boolean;
  readonly isPlaying: boolean;
  readonly deeds: RowActions;
}

const ClipRow = memo(({
  trackId, type, piece, index, count, hasNext, isCurrent, isPlaying, deeds,
}: ClipRowProps): JSX.Element => {
  const { library, player } = useServices();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const name = piece.title.trim() === '' ? placeName(index) : piece.title;
  useEffect(() => {
    // A list that scrolls by itself keeps the playing row visible, unless the user is working in
    // it.
    const isBusy = row.current?.closest('.clips')?.contains(document.activeElement);
    if (!isCurrent || isBusy || !player.snapshot.wantsToPlay || !matchMedia(wideScreen).matches) return;
    row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent, player]);
  return (
    <li
      ref={row} className={isCurrent ? 'song clip is-current' : 'song clip'} data-testid="clip-row"
      data-id={piece.id} data-start={piece.startFrame} data-end={piece.endFrame}
    >
      {type === 'clip' && (
        <DragHandle
          name={name} index={index} count={count}
          onMove={(to) => library.reorder(type, piece.id, to)}
        />
      )}
      <span className="clip-number time">{index + 1}</span>
      <div className="song-middle">
        <SavedName
          id={piece.id} value={piece.title} limit={limits.clip.title} isRequired={type === 'part'}
          placeholder={placeName(index)} aria-label={`Name of part ${index + 1}`} data-testid="clip-title"
          save={(title) => library.edit(type, piece.id, { title })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
            event.currentTarget.blur();
            event.preventDefault();
          }}
        />
        <p className="song-state time">
          {`${clockWithTenths(piece.startFrame)} – ${clockWithTenths(piece.endFrame)}`}
          {` · ${clockWithTenths(piece.endFrame - piece.startFrame)}`}
        </p>
      </div>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'} label={`${isPlaying ? 'Pause' : 'Play'} ${name}`} data-testid="clip-play"
        onClick={() => deeds.play(piece)}
      />
      <div className="menu-holder">
        <IconButton
          icon="more" label={`More for ${name}`} aria-haspopup="menu" aria-expanded={isMenuOpen} data-testid="clip-menu"
          onClick={() => setMenuOpen(true)}
        />
        {isMenuOpen && (
          <Menu
            label={name} onClose={() => setMenuOpen(false)}
            items={[
              { label: 'Adjust', icon: 'edit', testId: 'clip-adjust', run: () => deeds.adjust(piece.id) },
              ...(type === 'part' ? [] : [
                {
                  label: 'Merge with next', icon: 'sort' as const, testId: 'clip-merge', isDisabled: !hasNext,
                  run: () => mergeWithNext(library, trackId, piece.id),
                },
                { label: 'Download', icon: 'download' as const, testId: 'clip-download', run: () => deeds.download(piece) },
                {
                  label: 'Delete', icon: 'trash' as const, isDangerous: true, testId: 'clip-delete',
                  run: () => deleteClip(library, trackId, piece.id),
                },
              ]),
            ]}
          />
        )}
      </div>
    </li>
  );
});
ClipRow.displayName = 'ClipRow';
