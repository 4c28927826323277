// Lays all moves of a part in one pass: it plays, and each move's beginning is tapped once.

import { useState } from 'react';
import { useFromLibrary, useFromPlayer, useServices } from '../services/services';
import { useOpenedPart } from '../parts/useOpenedPart';
import { CountPad } from '../player/CountPad';
import { TransportButtons, useOwnTransport } from '../player/Transport';
import type { Part } from '../sync/records';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { layMoves } from './actions';
import { isLaid, type Lay } from './laying';
import './moveCounts.css';
import { useMoveCounts } from './useMoveCounts';

/** The sheet; taps are written when it is finished, and can be undone. */
export function TapMoves({ part: shown, onClose }: { part: Part; onClose: () => void }): JSX.Element {
  const { library, player } = useServices();
  const part = useOpenedPart(shown, onClose);
  const counts = useMoveCounts(part);
  const moves = useFromLibrary((current) => current.moves(part.id));
  const isPlaying = useFromPlayer((snapshot) => snapshot.state === 'playing');
  const transport = useOwnTransport('tap-moves-');
  /** The frames that were heard at the taps, rising. */
  const [taps, setTaps] = useState<readonly number[]>([]);
  const text = lateWords.moves;
  const next = moves[taps.length];

  const tap = (): void => {
    const frame = Math.round(player.position());
    // Going back and tapping again replaces what was tapped from there on.
    setTaps((before) => [...before.filter((each) => each < frame), frame].slice(0, moves.length));
  };
  const finish = (): void => {
    const meant = counts?.grid.countsOfTaps(taps, counts.stretch) ?? null;
    if (meant !== null && meant.length > 0) {
      const last = meant[meant.length - 1] ?? 0;
      const changes = new Map<string, Lay>();
      moves.forEach((move, at) => {
        const start = meant[at];
        // A move that was not tapped can't lie before one that was.
        if (start !== undefined) changes.set(move.id, { startCount: start, countLength: null });
        else if (isLaid(move) && move.startCount <= last) changes.set(move.id, { startCount: null, countLength: null });
      });
      const undo = layMoves(library, part.id, changes);
      toasts.say(text.laid(meant.length), { action: { label: words.common.undo, run: undo } });
    }
    onClose();
  };
  return (
    <Sheet
      title={text.tapMoves} onClose={finish} testId="tap-moves"
      footer={(
        <div className="count-pads">
          <div className="counts-said">
            <p className="note" role="status" data-testid="tap-said">
              {isPlaying || taps.length > 0 ? text.tapped(taps.length, moves.length) : text.tapFirst}
            </p>
            {taps.length > 0 && (
              <>
                <Button kind="quiet" isSmall data-testid="tap-back" onClick={() => setTaps(taps.slice(0, -1))}>
                  {text.tapBack}
                </Button>
                <Button isSmall data-testid="tap-done" onClick={finish}>{words.common.done}</Button>
              </>
            )}
          </div>
          <div className="tap-pad">
            <CountPad isPrimary isDisabled={counts === null || next === undefined} testId="tap-now" onPress={tap}>
              {text.now}
            </CountPad>
          </div>
        </div>
      )}
    >
      <div className="tap-moves">
        <div className="counts-now"><TransportButtons source={transport} loop={null} isDisabled={false} /></div>
        <p className="tap-next" dir="auto" data-testid="tap-next">
          {next ? `${taps.length + 1}. ${next.title}` : text.allTapped}
          {next && moves[taps.length + 1] && <small>{`${taps.length + 2}. ${moves[taps.length + 1]?.title ?? ''}`}</small>}
        </p>
        <p className="note">{counts === null ? lateWords.player.noCounts : text.tapHint}</p>
      </div>
    </Sheet>
  );
}
