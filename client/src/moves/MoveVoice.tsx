// The sign of a recorded name on a card.

import { useSyncExternalStore } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Move } from '../sync/records';
import { Icon } from '../ui/Icon';
import { words } from '../words/words';

/** A microphone if the move has a recorded name or one is on its way; a button if that has failed. */
export function MoveVoice({ move }: { move: Move }): JSX.Element | null {
  const { navigation, uploads } = useServices();
  const upload = useSyncExternalStore(uploads.subscribe, () => uploads.ofMove(move.id)?.upload.state ?? null);
  const isThere = useFromLibrary((library) => !!move.recording && library.get('recording', move.recording) !== undefined);
  if (upload === 'failed') {
    return (
      <button
        type="button" className="move-voice is-failed" data-testid="move-voice" data-state="failed"
        onClick={() => navigation.open(`recordName:${move.id}`)}
      >
        <Icon name="warning" size={18} />
        <span>{words.moves.voiceFailed}</span>
      </button>
    );
  }
  if (upload === null && !isThere) return null;
  const label = upload === null ? words.moves.voice : words.moves.voiceWaits;
  return (
    <span
      className="move-voice" role="img" aria-label={label} title={label} data-testid="move-voice"
      data-state={upload === null ? 'here' : 'waiting'}
    >
      <Icon name="microphone" size={18} />
    </span>
  );
}
