// What a video needs to follow the practice player: the frame of its own part, the loop, the
// countdown.

import type { Player } from '../audio/player';
import { placeInRun } from '../audio/run';
import type { Run } from '../parts/useRun';
import type { Heard } from './follow';

/** Reads the practice player for the video of one part. */
export class PartMusic {
  /** The whole routine, while it is played in one go. */
  run: Run | null = null;
  /** The part's index in its routine. */
  index = 0;

  constructor(private readonly player: Player) {}

  subscribe = (listener: () => void): (() => void) => this.player.subscribe(listener);

  /** Returns what is playing; null while nothing is loaded, or a run is in another part. */
  heard = (): Heard | null => {
    const { player, run } = this;
    const { snapshot, startsIn } = player;
    if (snapshot.state === 'empty') return null;
    const moving = { percent: snapshot.percent, isMoving: startsIn === 0, startsIn };
    const position = player.position();
    if (!run) {
      const { startFrame, endFrame } = player.bounds;
      return { ...moving, frame: position, startFrame, endFrame, wraps: player.turnsWithoutGap };
    }
    const { index, frame } = placeInRun(run.stretches, position);
    const stretch = run.stretches[index];
    if (!stretch || run.indices[index] !== this.index) return null;
    return { ...moving, frame, startFrame: stretch.startFrame, endFrame: stretch.endFrame, wraps: false };
  };
}
