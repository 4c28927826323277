// The list of players that can be controlled from here.

import { useCallback, useEffect, useState } from 'react';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import type { RemotePlayer, RemoteState } from './protocol';
import type { RemoteSession } from './session';

interface PlayersSheetProps {
  readonly session: RemoteSession;
  readonly onChoose: (player: RemotePlayer) => void;
  readonly onClose: () => void;
}

/** The sheet; the list updates itself. */
export function PlayersSheet({ session, onChoose, onClose }: PlayersSheetProps): JSX.Element {
  const [hasFailed, setFailed] = useState(false);
  const look = useCallback(() => {
    setFailed(false);
    session.look().catch(() => setFailed(true));
  }, [session]);
  useEffect(look, [look]);
  const { players, standing } = session;
  return (
    <Sheet title="Play on another device" onClose={onClose} testId="players-sheet">
      <p className="remote-lead">
        The sound comes from there; the buttons are here. A device is on the list while it has a
        routine open.
      </p>
      {hasFailed && (
        <div role="alert" className="remote-nobody">
          <p>The list could not be fetched: the server does not answer.</p>
          <Button icon="retry" onClick={look}>Try again</Button>
        </div>
      )}
      {!hasFailed && players !== null && players.length === 0 && (
        <p className="remote-nobody" role="status" data-testid="no-players">
          No other device shows a routine. Open one there, and it appears here.
        </p>
      )}
      {!hasFailed && (
        <ul className="rows" data-testid="player-rows">
          {(players ?? []).map((player) => (
            <li key={player.id}>
              <button type="button" className="row" data-testid="player-row" onClick={() => onChoose(player)}>
                <Icon name="remote" />
                <span className="row-text">
                  <b dir="auto">{player.name}</b>
                  <small dir="auto">{says(standing.get(player.id))}</small>
                </span>
                <Icon name="next" size={20} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function says(state: RemoteState | undefined): string {
  if (!state) return 'A routine is open';
  return `${state.routineTitle} · ${state.index + 1}. ${state.title}${state.wantsToPlay ? ' · playing' : ''}`;
}
