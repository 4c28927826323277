// The moves of a part on its eights: a row for each eight, a block for each move. A block is dragged after a hold, its
// end at once; both snap to counts.

import { useEffect, useMemo, useRef, useState, type CSSProperties } from 'react';
import { usePlayhead } from '../parts/usePlayhead';
import { useFromLibrary, useMayEdit, useServices } from '../services/services';
import { orderedByCounts } from '../sync/moveOrder';
import type { Move } from '../sync/records';
import { Icon } from '../ui/Icon';
import { Switch } from '../ui/Switch';
import { remember } from '../ui/device';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { isPushing, layMoves, seekToMove } from './actions';
import { CurrentMove } from './CurrentMove';
import {
  draggedLength, draggedStart, freeCount, isFreeAt, rowsOf, segmentsOf, type EightRow, type Segment,
} from './eights';
import { dragDelayMilliseconds, touchSlopPixels } from './gesture';
import { endOf, isLaid, laid, usualLength, type Lay } from './laying';
import './moveEights.css';
import type { MoveListProps } from './MoveList';
import { moveTimeText, placeText } from './MoveTime';
import { useMoveCounts } from './useMoveCounts';

/** A move that is being dragged, with its counts under the finger. */
interface Drag {
  readonly id: string;
  readonly next: Lay;
}

/** The timeline, or a sentence in a song without counts. */
export function MoveEights({ part, moves: stored, isShown }: MoveListProps): JSX.Element {
  const services = useServices();
  const { library, navigation } = services;
  const counts = useMoveCounts(part);
  const mayEdit = useMayEdit(part.routine);
  const list = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  /** The empty count that was pressed: a move can be added there. */
  const [gap, setGap] = useState<number | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const isDragging = useRef(false);
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    // Here all the time: a browser asks before the first move of a finger who may keep it from scrolling.
    const keep = (event: TouchEvent): void => {
      if (isDragging.current) event.preventDefault();
    };
    element.addEventListener('touchmove', keep, { passive: false });
    return () => element.removeEventListener('touchmove', keep);
  }, [counts]);
  const [isPush, setPush] = useState(isPushing());
  const rows = useMemo(() => (counts ? rowsOf(counts) : []), [counts]);
  const changes = drag && laid(stored, drag.id, drag.next, isPush);
  const moves = changes
    ? orderedByCounts(stored.map((move) => ({ ...move, ...changes.get(move.id) }) as Move & Record<string, unknown>)) as Move[]
    : stored;
  const text = lateWords.moves;
  if (!counts || rows.length === 0) return <p className="note" data-testid="no-eights">{lateWords.player.noCounts}</p>;

  const last = rows[rows.length - 1];
  const end = last ? last.start + last.length : 0;
  const width = Math.max(...rows.map(({ indent, length }) => indent + length));
  const lay = (move: Move, next: Lay): void => {
    if (!mayEdit) return;
    const undo = layMoves(library, part.id, laid(library.moves(part.id), move.id, next, isPush));
    toasts.say(text.isLaid(move.title), { action: { label: words.common.undo, run: undo } });
  };
  const begin: BeginDrag = (event, move, layAfter) => {
    if (!mayEdit || event.button !== 0 || !event.isPrimary || !list.current) return;
    stop.current?.();
    stop.current = follow(list.current, rows, width, event.nativeEvent, {
      onDrag: (by) => {
        isDragging.current = by !== null;
        setDrag(by === null ? null : { id: move.id, next: layAfter(by) });
      },
      onDrop: (by) => lay(move, layAfter(by)),
    });
  };
  const unlaid = stored.filter((move) => !isLaid(move));
  return (
    <div className="eights-view">
      {mayEdit && (
        <Switch
          label={text.push} isOn={isPush} testId="eights-push"
          onChange={() => {
            remember('pushMoves', isPush ? 'off' : 'on');
            setPush(!isPush);
          }}
        />
      )}
      {/* Music goes from left to right everywhere. */}
      <div className="eights" dir="ltr" ref={list} data-testid="moves" data-layout="eights">
        <div className="eights-head time" aria-hidden="true" style={columns(width)}>
          {Array.from({ length: width }, (_, at) => <span key={at}>{at + 1}</span>)}
        </div>
        {rows.map((row) => (
          <Row
            key={row.start} row={row} width={width} moves={moves} segments={segmentsOf(moves, row, end)} rows={rows} end={end}
            counts={counts} lifted={drag?.id ?? null} onDrag={begin} onLay={lay} gap={drag || !mayEdit ? null : gap} onGap={setGap}
          />
        ))}
        {isShown && <Now list={list} rows={rows} />}
      </div>
      {isShown && <CurrentMove list={list} moves={moves} />}
      {unlaid.length > 0 && (
        <ul className="eights-rest" aria-label={text.unlaidMoves} data-testid="unlaid-moves">
          {unlaid.map((move) => (
            <li key={move.id}>
              <button
                type="button" className="chip" data-testid="unlaid-move" dir="auto"
                disabled={!mayEdit} onClick={() => navigation.open(`moveCounts:${move.id}`)}
              >
                {move.title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const columns = (width: number): { gridTemplateColumns: string } => ({ gridTemplateColumns: `repeat(${width}, minmax(0, 1fr))` });

interface RowProps {
  readonly row: EightRow;
  readonly width: number;
  readonly moves: readonly Move[];
  readonly segments: readonly Segment[];
  readonly rows: readonly EightRow[];
  readonly end: number;
  readonly counts: NonNullable<ReturnType<typeof useMoveCounts>>;
  /** The id of the move that is dragged. */
  readonly lifted: string | null;
  readonly onDrag: BeginDrag;
  readonly onLay: (move: Move, next: Lay) => void;
  readonly gap: number | null;
  readonly onGap: (count: number | null) => void;
}

function Row({ row, width, moves, segments, end, gap, onGap, ...rest }: RowProps): JSX.Element {
  const { player, counts: played, navigation } = useServices();
  const isFree = gap !== null && isFreeAt(row, segments, gap);
  const place = isFree ? placeText(rest.counts, gap, null) : null;
  return (
    <div className="eights-row" data-testid="eights-row" data-row={row.start}>
      <span className="eights-number time" aria-hidden="true">{row.eight < 1 ? '' : row.eight}</span>
      <div
        className="eights-boxes" style={{ backgroundSize: `${100 / width}% 100%`, '--boxes': width } as CSSProperties}
        onClick={(event) => {
          if (event.target !== event.currentTarget) return;
          const box = event.currentTarget.getBoundingClientRect();
          const at = Math.floor(((event.clientX - box.left) / box.width) * width) - row.indent;
          onGap(freeCount(row, segments, row.start + at));
          const frame = played.frameOf(row.start + Math.min(row.length - 1, Math.max(0, at)), player.position());
          if (frame !== null) player.seek(frame);
        }}
      >
        {segments.map((segment) => {
          const move = moves[segment.at];
          return move && (
            <Block
              key={move.id} move={move} segment={segment} row={row} width={width} end={endOf(moves, segment.at) ?? end}
              {...rest}
            />
          );
        })}
        {isFree && place !== null && (
          <button
            type="button" className="eights-add" data-testid="eights-add" aria-label={lateWords.moves.addAt(place)}
            style={{ left: `${(100 * (Math.floor(gap) - row.start + row.indent + 0.5)) / width}%` }}
            onClick={() => navigation.open(`addMove:${gap}`)}
          >
            <Icon name="plus" size={20} />
          </button>
        )}
      </div>
    </div>
  );
}

type BlockProps = Omit<RowProps, 'moves' | 'segments' | 'gap' | 'onGap'> & { readonly move: Move; readonly segment: Segment };

function Block({ move, segment, row, width, rows, end, counts, lifted, onDrag, onLay }: BlockProps): JSX.Element {
  const services = useServices();
  const type = useFromLibrary((library) => (move.moveType ? library.get('moveType', move.moveType) : undefined));
  const left = (segment.start - row.start + row.indent) / width;
  const start = move.startCount ?? 0;
  const length = move.countLength ?? (end - start || usualLength);
  const moved = (by: number): Lay => ({ startCount: draggedStart(start, by, rows), countLength: move.countLength ?? null });
  const stretched = (by: number): Lay => ({ startCount: start, countLength: draggedLength(length, by) });
  const body = { onPointerDown: (event: React.PointerEvent<HTMLElement>) => onDrag(event, move, moved) };
  const place = moveTimeText({ move, end, counts }) ?? '';
  const step = (key: string, isStretch: boolean): Lay | null => {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return null;
    return isStretch ? stretched(by) : moved(by);
  };
  return (
    <div
      className="eights-block" data-id={move.id} data-testid="eights-block" data-lifted={lifted === move.id ? '' : undefined}
      style={{ left: `${100 * left}%`, width: `${(100 * (segment.end - segment.start)) / width}%`, borderColor: type?.colour ?? undefined }}
    >
      {segment.isFirst
        ? (
          <button
            type="button" className="eights-title" dir="auto" data-testid="eights-title" title={move.title}
            aria-label={words.moves.goTo(move.title, place)} aria-keyshortcuts="ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight"
            {...body}
            onClick={() => seekToMove(services, move)}
            onKeyDown={(event) => {
              const next = step(event.key, event.shiftKey);
              if (!next) return;
              event.preventDefault();
              event.stopPropagation();
              onLay(move, next);
            }}
          >
            {move.title}
          </button>
        )
        : <span className="eights-title" aria-hidden="true" {...body} onClick={() => seekToMove(services, move)} />}
      {segment.isLast && (
        <span
          className="eights-end" aria-hidden="true" data-testid="eights-end"
          onPointerDown={(event) => onDrag(event, move, stretched)}
        />
      )}
    </div>
  );
}

/** Begins to drag a block or its end; `layAfter` tells the move's counts after so many counts of dragging. */
type BeginDrag = (event: React.PointerEvent<HTMLElement>, move: Move, layAfter: (by: number) => Lay) => void;

interface DragActions {
  /** So many counts from where it began; null at the end. */
  readonly onDrag: (by: number | null) => void;
  readonly onDrop: (by: number) => void;
}

/**
 * Follows a pointer over the rows; returns a function that stops it. A finger drags after a hold, and scrolls before;
 * a mouse drags at once, and so does a finger on what does not scroll.
 */
function follow(
  root: HTMLElement, rows: readonly EightRow[], width: number, down: PointerEvent, { onDrag, onDrop }: DragActions,
): () => void {
  const target = down.target as HTMLElement;
  let by: number | null = null;
  let isLifted = false;
  const from = countAt(root, rows, width, down) ?? 0;
  const lift = (): void => {
    isLifted = true;
    // The block may move to another row, and so be another element.
    root.setPointerCapture(down.pointerId);
    onDrag(0);
  };
  const moved = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    const isFar = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > touchSlopPixels;
    if (!isLifted && isFar) {
      if (event.pointerType === 'touch' && getComputedStyle(target).touchAction !== 'none') {
        end();
        return;
      }
      lift();
    }
    if (!isLifted) return;
    const to = countAt(root, rows, width, event);
    if (to === null) return;
    by = to - from;
    onDrag(by);
  };
  const up = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    end();
    if (!isLifted) return;
    onDrag(null);
    if (by === null) return;
    // The click that ends a drag plays nothing.
    const swallow = (click: MouseEvent): void => click.stopPropagation();
    window.addEventListener('click', swallow, true);
    setTimeout(() => window.removeEventListener('click', swallow, true));
    if (event.type === 'pointerup') onDrop(by);
  };
  const scrolls = (event: TouchEvent): void => {
    if (isLifted) event.preventDefault();
  };
  const timer = setTimeout(() => {
    navigator.vibrate?.(15);
    lift();
  }, dragDelayMilliseconds);
  const types = ['pointermove', 'pointerup', 'pointercancel'] as const;
  const pointed = (event: PointerEvent): void => (event.type === 'pointermove' ? moved(event) : up(event));
  for (const type of types) window.addEventListener(type, pointed);
  // On the element itself: the events of a touch go to it even when it is gone from the page.
  target.addEventListener('touchmove', scrolls, { passive: false });
  const end = (): void => {
    clearTimeout(timer);
    for (const type of types) window.removeEventListener(type, pointed);
    target.removeEventListener('touchmove', scrolls);
  };
  return end;
}

/** Returns the count under a pointer, with its fraction; null without rows. */
function countAt(root: HTMLElement, rows: readonly EightRow[], width: number, event: PointerEvent): number | null {
  const boxes = [...root.querySelectorAll<HTMLElement>('.eights-boxes')];
  const at = boxes.findIndex((box) => event.clientY < box.getBoundingClientRect().bottom);
  const index = at < 0 ? boxes.length - 1 : at;
  const [row, box] = [rows[index], boxes[index]?.getBoundingClientRect()];
  if (!row || !box) return null;
  const within = Math.min(width, Math.max(0, ((event.clientX - box.left) / box.width) * width));
  return row.start + within - row.indent;
}

/** The box of the count that is heard, drawn with every frame of the screen. */
function Now({ list, rows }: { list: React.RefObject<HTMLElement>; rows: readonly EightRow[] }): null {
  const { counts } = useServices();
  const lit = useRef<HTMLElement | null>(null);
  usePlayhead((frame) => {
    const count = counts.count(frame);
    const row = count === null ? undefined : rows.find(({ start, length }) => start <= count && count < start + length);
    const boxes = row ? list.current?.querySelector<HTMLElement>(`[data-row="${row.start}"] .eights-boxes`) ?? null : null;
    if (boxes !== lit.current) lit.current?.style.removeProperty('--now');
    lit.current = boxes;
    if (boxes && row && count !== null) boxes.style.setProperty('--now', String(Math.floor(count - row.start) + row.indent));
  });
  return null;
}
