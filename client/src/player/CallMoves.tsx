// Tells the player what to call, as moves, counts and settings change. It shows nothing.

import { useEffect } from 'react';
import { callLanguage, nameOfMove, nameOfPart } from '../audio/callNames';
import { NameFeed, type NameHost } from '../audio/names';
import type { PlayerPart } from '../audio/player';
import { startInRun } from '../audio/run';
import { announced, callsOf, type CalledPart } from '../parts/calls';
import type { Run } from '../parts/useRun';
import { useFromCounts, useFromLibrary, useServices, useSetting } from '../services/services';
import type { Part } from '../sync/records';

const makeNames = (host: NameHost): NameFeed => new NameFeed(host);

interface CallMovesProps {
  readonly part: Part;
  /** All parts of the routine, in order. */
  readonly parts: readonly Part[];
  readonly run: Run | null;
  /** What the player has loaded. */
  readonly playable: PlayerPart;
  /** Whether the moves are called, and not the announcement alone. */
  readonly callsMoves: boolean;
  /** The address of what is said before the start; null for nothing. */
  readonly announcement: string | null;
}

/** Has the moves of a part, or of a run's parts, called while it is mounted. */
export function CallMoves({ part, parts, run, playable, callsMoves, announcement }: CallMovesProps): null {
  const { player, counts, library } = useServices();
  const countsAhead = useSetting('callerCounts');
  const language = callLanguage(useSetting('callerLanguage'));
  const version = useFromCounts((current) => current.version);
  const changes = useFromLibrary((current) => current.version);
  useEffect(() => {
    const stretches = playable.run ?? [playable];
    const called = stretches.flatMap((stretch, index): CalledPart[] => {
      const shown = run ? parts[run.indices[index] ?? -1] : part;
      return shown ? [{
        title: shown.title, moves: library.moves(shown.id), stretch,
        grid: counts.of(stretch.trackId, stretch)?.grid ?? null,
        shift: run ? startInRun(stretches, index) - stretch.startFrame : 0,
      }] : [];
    });
    const calls = callsMoves ? callsOf(called, countsAhead, {
      move: (move) => nameOfMove(move, language, library),
      part: (title) => nameOfPart(title, language),
    }, stretches.length > 1) : [];
    player.setCalls(announcement === null ? calls : announced(announcement, calls, player.bounds.startFrame), makeNames);
  }, [player, counts, library, countsAhead, language, version, changes, part, parts, run, playable, callsMoves, announcement]);
  useEffect(() => () => player.setCalls([], makeNames), [player]);
  return null;
}
