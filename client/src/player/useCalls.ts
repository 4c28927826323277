// Tells the player what to call, as moves, counts and settings change.

import { useEffect } from 'react';
import { callLanguage, nameOfMove, nameOfPart } from '../audio/names';
import type { PlayerPart } from '../audio/player';
import { startInRun } from '../audio/run';
import { callsOf, type CalledPart } from '../parts/calls';
import type { Run } from '../parts/useRun';
import { useFromCounts, useFromLibrary, useServices, useSetting } from '../services/services';
import type { Part } from '../sync/records';

/** Has the moves of a part, or of a run's parts, called while the caller is on. */
export function useCalls(part: Part, parts: readonly Part[], run: Run | null, playable: PlayerPart | null): void {
  const { player, counts, library } = useServices();
  const isOn = useSetting('caller');
  const countsAhead = useSetting('callerCounts');
  const language = callLanguage(useSetting('callerLanguage'));
  const version = useFromCounts((current) => current.version);
  const changes = useFromLibrary((current) => (isOn ? current.version : 0));
  useEffect(() => {
    if (!isOn || !playable) {
      player.setCalls([]);
      return;
    }
    const stretches = playable.run ?? [playable];
    const called = stretches.flatMap((stretch, index): CalledPart[] => {
      const shown = run ? parts[run.indices[index] ?? -1] : part;
      return shown ? [{
        title: shown.title, moves: library.moves(shown.id), stretch,
        grid: counts.of(stretch.trackId, stretch)?.grid ?? null,
        shift: run ? startInRun(stretches, index) - stretch.startFrame : 0,
      }] : [];
    });
    player.setCalls(callsOf(called, countsAhead, {
      move: (move) => nameOfMove(move, language, library),
      part: (title) => nameOfPart(title, language),
    }, run !== null));
  }, [player, counts, library, isOn, countsAhead, language, version, changes, part, parts, run, playable]);
}
