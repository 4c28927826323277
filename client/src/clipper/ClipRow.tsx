// A row of the list: number, name, times, play, and a menu.

import { memo, useEffect, useRef } from 'react';
import { useServices } from '../services/services';
import type { Track } from '../sync/records';
import { limits } from '../sync/validation';
import { IconButton } from '../ui/Button';
import { DragHandle } from '../ui/DragHandle';
import { MenuButton } from '../ui/MenuButton';
import { SavedName } from '../ui/RowName';
import { clockWithTenths } from '../ui/time';
import { wideScreen } from '../ui/useMedia';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { deleteClip, mergeWithNext } from './actions';
import { placeName } from './model/names';
import type { Piece } from './model/pieces';

/** What the menu and the buttons of a row do; the object never changes. */
export interface RowActions {
  readonly adjust: (id: string) => void;
  readonly play: (piece: Piece) => void;
  readonly download: (piece: Piece) => void;
}

interface ClipRowProps {
  readonly trackId: Track['id'];
  readonly type: 'clip' | 'part';
  readonly piece: Piece;
  readonly index: number;
  readonly count: number;
  /** Its length in counts; null for a track without. */
  readonly inCounts: string | null;
  /** Whether another piece begins at the end of this one. */
  readonly hasNext: boolean;
  readonly isCurrent: boolean;
  readonly isPlaying: boolean;
  readonly actions: RowActions;
}

/** The row. */
export const ClipRow = memo(({
  trackId, type, piece, index, count, inCounts, hasNext, isCurrent, isPlaying, actions,
}: ClipRowProps): JSX.Element => {
  const { library, player } = useServices();
  const row = useRef<HTMLLIElement>(null);
  const said = lateWords.clipper;
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
          placeholder={placeName(index)} aria-label={said.nameOf(index + 1)} data-testid="clip-title"
          save={(title) => library.edit(type, piece.id, { title })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
            event.currentTarget.blur();
            event.preventDefault();
          }}
        />
        <p className="song-state time">
          {clockWithTenths(piece.startFrame)}
          <span className={inCounts === null ? undefined : 'clip-end'}>{` – ${clockWithTenths(piece.endFrame)}`}</span>
          {inCounts !== null && <span data-testid="clip-counts">{` · ${inCounts}`}</span>}
          <span className="clip-long">{` · ${clockWithTenths(piece.endFrame - piece.startFrame)}`}</span>
        </p>
      </div>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? said.pause(name) : said.play(name)} data-testid="clip-play"
        onClick={() => actions.play(piece)}
      />
      <MenuButton
        label={said.moreFor(name)} menuLabel={name} testId="clip-menu"
        items={() => [
          { label: said.adjust, icon: 'edit', testId: 'clip-adjust', run: () => actions.adjust(piece.id) },
          ...(type === 'part' ? [] : [
            {
              label: said.merge, icon: 'sort' as const, testId: 'clip-merge', isDisabled: !hasNext,
              run: () => mergeWithNext(library, trackId, piece.id),
            },
            { label: said.download, icon: 'download' as const, testId: 'clip-download', run: () => actions.download(piece) },
            {
              label: words.common.delete, icon: 'trash' as const, isDangerous: true, testId: 'clip-delete',
              run: () => deleteClip(library, trackId, piece.id),
            },
          ]),
        ]}
      />
    </li>
  );
});
ClipRow.displayName = 'ClipRow';
