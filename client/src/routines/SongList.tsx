// The songs of a new routine: rename, reorder, remove; progress, cancel and retry.

import { useRef } from 'react';
import { limits } from '../sync/validation';
import { IconButton } from '../ui/Button';
import { DragHandle } from '../ui/DragHandle';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { clock } from '../ui/time';
import { ProgressBar } from '../ui/ProgressBar';
import { useSortable } from '../ui/useSortable';
import type { DraftRow, RoutineDraft } from '../uploads/draft';
import { RowName } from '../ui/RowName';

/** The list of songs, and notices about songs that are not in it. */
export function SongList({ draft }: { draft: RoutineDraft }): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const isEmpty = draft.rows.length === 0;
  useSortable(list, draft.rows.map(({ key }) => key), (key, to) => draft.move(key, to));
  return (
    <>
      <div className="song-notices" role="status">
        {draft.notices.map((notice) => (
          <p key={notice.key} className="song-notice" data-testid="song-notice">
            <span dir="auto">{notice.text}</span>
            <IconButton icon="close" label={words.common.dismiss} onClick={() => draft.dismissNotice(notice.key)} />
          </p>
        ))}
      </div>
      {!isEmpty && (
        <ol className="songs" ref={list} aria-label={lateWords.routines.songs}>
          {draft.rows.map((row, index) => (
            <SongRow key={row.key} draft={draft} row={row} index={index} />
          ))}
        </ol>
      )}
    </>
  );
}

function SongRow({ draft, row, index }: { draft: RoutineDraft; row: DraftRow; index: number }): JSX.Element {
  const state = draft.stateOf(row);
  const problem = draft.problemOf(row);
  const length = draft.lengthOf(row);
  const isMoving = state === 'uploading' || state === 'importing' || state === 'waiting';
  const percent = Math.round((row.queued?.upload.progress ?? 0) * 100);
  return (
    <li className={`song is-${state}`} data-testid="song-row" data-id={row.key} data-state={state}>
      <DragHandle
        name={row.title} index={index} count={draft.rows.length}
        onMove={(to) => draft.move(row.key, to)}
      />
      <div className="song-middle">
        <RowName
          value={row.title} limit={limits.part.title} aria-label={lateWords.routines.nameOfPart(index + 1)}
          data-testid="song-title" onText={(title) => draft.rename(row.key, title)}
        />
        {isMoving && <ProgressBar percent={percent} label={lateWords.routines.stateOf(lateWords.routines.states[state], row.title)} />}
        <p className={state === 'failed' ? 'song-state problem' : 'song-state'} aria-live="polite">
          {state === 'failed' ? problem ?? lateWords.routines.unusable : lateWords.routines.states[state]}
          {isMoving && state !== 'waiting' && <span className="time" aria-hidden="true">{` ${percentText(percent)}`}</span>}
          {length !== null && <span className="time">{` · ${clock(length)}`}</span>}
          {isMoving && problem !== null && ` · ${problem}`}
        </p>
      </div>
      {state === 'failed' && row.queued !== null && (
        <IconButton
          icon="retry" label={lateWords.routines.tryAgain(row.title)} data-testid="song-retry"
          onClick={() => draft.retry(row.key)}
        />
      )}
      <IconButton
        icon="close" label={isMoving ? lateWords.routines.cancelSong(row.title) : lateWords.routines.removeSong(row.title)}
        data-testid="song-remove" onClick={() => draft.remove(row.key)}
      />
    </li>
  );
}
