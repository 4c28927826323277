// The step of back and forward: seconds, or from eight to eight where the song has counts.

import type { Direction } from '../counts/grid';
import type { Services } from '../services/services';
import { framesOf } from '../ui/time';

/** A step, as its buttons show it. */
export interface SeekStep {
  readonly seconds: number;
  /** Whether it leads to where an eight begins instead. */
  readonly isEight: boolean;
}

/** Reads the step of what is played. */
export function seekStepOf({ library, counts }: Pick<Services, 'library' | 'counts'>): SeekStep {
  return {
    seconds: library.setting('seekStepSeconds'), isEight: library.setting('seekUnit') === 'eight' && counts.hasCounts,
  };
}

/** Moves by a step, inside the part or the section that loops; where nothing is counted, by the seconds. */
export function seekByStep(services: Pick<Services, 'player' | 'library' | 'counts'>, direction: Direction): void {
  const { player, counts } = services;
  const { seconds, isEight } = seekStepOf(services);
  const frame = isEight ? counts.step(player.position(), direction, player.bounds) : null;
  if (frame === null) player.skip(framesOf(direction * seconds));
  else player.seek(frame);
}
