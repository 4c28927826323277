// The list of players that can be controlled from here.

import { useCallback, useEffect, useState } from 'react';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
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
  const texts = lateWords.remote;
  return (
    <Sheet title={texts.playElsewhere} onClose={onClose} testId="players-sheet">
      <p className="remote-lead">{texts.playElsewhereHow}</p>
      {hasFailed && (
        <div role="alert" className="remote-nobody">
          <p>{texts.listFailed}</p>
          <Button icon="retry" onClick={look}>{words.common.retry}</Button>
        </div>
      )}
      {!hasFailed && players !== null && players.length === 0 && (
        <p className="remote-nobody" role="status" data-testid="no-players">
          {texts.nobody}
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
                  <small><Playing state={standing.get(player.id)} /></small>
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

/** What is open on a device, and whether it plays. */
function Playing({ state }: { state: RemoteState | undefined }): JSX.Element {
  const { remote } = lateWords;
  if (!state) return <>{remote.routineOpen}</>;
  const playing = state.wantsToPlay ? ` · ${remote.playing}` : '';
  return <><bdi>{state.routineTitle}</bdi>{` · ${state.index + 1}. `}<bdi>{state.title}</bdi>{playing}</>;
}
