// The sheet that lays a move on counts: typed, or stepped by a count or an &.

import { useEffect, useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Move, Part } from '../sync/records';
import { Button } from '../ui/Button';
import { remember } from '../ui/device';
import { Sheet } from '../ui/Sheet';
import { Switch } from '../ui/Switch';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { isPushing, layMoves } from './actions';
import { countsText, endOf, finest, isLaid, laid, lastIndex, readCounts, usualLength, type Lay } from './laying';
import './moveCounts.css';
import { moveTimeText } from './MoveTime';
import { useMoveCounts } from './useMoveCounts';

interface MoveCountsProps {
  readonly move: Move;
  readonly onClose: () => void;
}

/** The sheet; each press is applied at once. */
export function MoveCounts({ move, onClose }: MoveCountsProps): JSX.Element | null {
  const part = useFromLibrary((library) => library.get('part', move.part));
  return part ? <Editor part={part} move={move} onClose={onClose} /> : null;
}

function Editor({ part, move, onClose }: MoveCountsProps & { readonly part: Part }): JSX.Element {
  const { library } = useServices();
  const counts = useMoveCounts(part);
  const moves = useFromLibrary((current) => current.moves(part.id));
  const [isPush, setPush] = useState(isPushing());
  const text = lateWords.moves;
  const at = moves.findIndex(({ id }) => id === move.id);
  const end = endOf(moves, at);
  const place = moveTimeText({ move, end, counts });
  const lay = (next: Lay): void => void layMoves(library, part.id, laid(moves, move.id, next, isPush));
  /** The length that is shown: a move without one goes on until the next. */
  const length = move.countLength ?? (end === null ? usualLength : end - (move.startCount ?? 0));
  const canLie = (start: number): boolean => counts?.grid.positionAt(start, counts.stretch) != null;
  if (!isLaid(move)) {
    const before = lastIndex(moves.slice(0, at), isLaid);
    const start = before < 0 ? 0 : endOf(moves, before) ?? (moves[before]?.startCount ?? 0) + usualLength;
    return (
      <Sheet
        title={text.countsOf(move.title)} onClose={onClose} testId="move-counts"
        footer={(
          <Button
            kind="primary" data-testid="lay-move" disabled={!canLie(start)}
            onClick={() => lay({ startCount: start, countLength: usualLength })}
          >
            {text.layHere}
          </Button>
        )}
      >
        <p>{text.noMoveCounts}</p>
      </Sheet>
    );
  }
  const { startCount } = move;
  const step = (by: number): Lay => ({ startCount: startCount + by, countLength: move.countLength ?? null });
  const stretch = (by: number): Lay => ({ startCount, countLength: length + by });
  return (
    <Sheet
      title={text.countsOf(move.title)} onClose={onClose} testId="move-counts"
      footer={(
        <>
          <Button
            kind="quiet" data-testid="unlay-move"
            onClick={() => lay({ startCount: null, countLength: null })}
          >
            {text.unlay}
          </Button>
          <Button kind="primary" data-testid="move-counts-done" onClick={onClose}>{words.common.done}</Button>
        </>
      )}
    >
      <div className="stack">
        <p className="move-place time" role="status" data-testid="move-place">{place ?? text.outside}</p>
        <Typed
          key={move.id} move={move} counts={counts} length={length} end={end} onLay={lay}
        />
        <Steps
          label={text.begins} testId="move-start"
          steps={([-8, -1, -finest, finest, 1, 8] as const).map((by) => ({ by, isDisabled: !canLie(startCount + by) }))}
          onStep={(by) => lay(step(by))}
        />
        <Steps
          label={text.lasts(length)} testId="move-length"
          steps={([-1, -finest, finest, 1] as const).map((by) => ({ by, isDisabled: length + by < finest }))}
          onStep={(by) => lay(stretch(by))}
        />
        <Switch
          label={text.push} hint={text.pushHint} isOn={isPush} testId="move-push"
          onChange={() => {
            remember('pushMoves', isPush ? 'off' : 'on');
            setPush(!isPush);
          }}
        />
      </div>
    </Sheet>
  );
}

interface TypedProps {
  readonly move: Move & { readonly startCount: number };
  readonly counts: ReturnType<typeof useMoveCounts>;
  readonly length: number;
  readonly end: number | null;
  readonly onLay: (next: Lay) => void;
}

/** The counts as text, in the eight where the move begins. */
function Typed({ move, counts, length, end, onLay }: TypedProps): JSX.Element {
  const first = counts?.grid.positionAt(move.startCount, counts.stretch) ?? null;
  const last = counts?.grid.positionAt(Math.max(move.startCount, (end ?? move.startCount + length) - finest), counts.stretch) ?? null;
  const shown = first ? countsText(first, last) : '';
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => setTyped(null), [shown]);
  const text = lateWords.moves;
  const take = (): void => {
    if (typed === null || typed.trim() === shown) {
      setTyped(null);
      setWrong(false);
      return;
    }
    const read = readCounts(typed);
    const start = read && first && counts ? counts.grid.countOf(
      { eight: first.eight, count: read.first, fraction: read.isBetween ? finest : 0 }, counts.stretch) : null;
    const end = read && read.last !== null && first && counts
      // "7–2" ends in the next eight.
      ? counts.grid.countOf({ eight: first.eight + (read.last < read.first ? 1 : 0), count: read.last, fraction: 0 }, counts.stretch)
      : null;
    if (start === null || (read?.last != null && end === null)) {
      setWrong(true);
      return;
    }
    setWrong(false);
    setTyped(null);
    onLay({ startCount: start, countLength: end === null ? move.countLength ?? null : end + 1 - start });
  };
  return (
    <label className="field">
      <span>{text.typed}</span>
      <input
        className="input time" value={typed ?? shown} maxLength={12} autoComplete="off" enterKeyHint="done"
        aria-invalid={isWrong} data-testid="move-counts-typed"
        onChange={(event) => setTyped(event.target.value)} onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
        }}
      />
      {isWrong && <small className="problem" role="alert">{text.wrongCounts}</small>}
    </label>
  );
}

interface StepsProps {
  readonly label: string;
  readonly testId: string;
  readonly steps: readonly { readonly by: number; readonly isDisabled: boolean }[];
  readonly onStep: (by: number) => void;
}

function Steps({ label, testId, steps, onStep }: StepsProps): JSX.Element {
  return (
    <div className="move-steps" role="group" aria-label={label}>
      <span aria-hidden="true" data-testid={`${testId}-label`}>{label}</span>
      <div>
        {steps.map(({ by, isDisabled }) => (
          <Button
            key={by} isSmall disabled={isDisabled} data-testid={`${testId}-${by < 0 ? 'less' : 'more'}-${Math.abs(by)}`}
            aria-label={lateWords.moves.stepped(label, by)} onClick={() => onStep(by)}
          >
            {lateWords.moves.step(by)}
          </Button>
        ))}
      </div>
    </div>
  );
}
