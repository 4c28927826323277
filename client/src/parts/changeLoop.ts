// Changes a part's looping: the sound, the record, and the announcement to a screen reader.

import type { Services } from '../services/services';
import type { Part } from '../sync/records';
import { announce } from '../ui/announce';
import { clockWithTenths } from '../ui/time';
import { words } from '../words/words';
import { loopStateOf, type LoopState } from './section';
import type { Stretch } from '../timeline';

/** Changes a part's looping, and announces the new state if it differs. */
export function changeLoop(
  { player, library }: Pick<Services, 'player' | 'library'>, part: Part, bounds: Stretch, next: LoopState,
  say: (sentence: string) => void = announce,
): void {
  const before = loopStateOf(part, bounds);
  player.update(next);
  library.edit('part', part.id, { ...next });
  const isSame = (['loopMode', 'markerA', 'markerB'] as const).every((name) => next[name] === before[name]);
  if (!isSame) say(spoken(next, bounds.startFrame));
}

function spoken(state: LoopState, startFrame: number): string {
  const at = (frame: number): string => clockWithTenths(frame - startFrame);
  if (state.loopMode === 'section' && state.markerA !== null && state.markerB !== null) {
    return words.parts.loopingSection(at(state.markerA), at(state.markerB));
  }
  if (state.markerA !== null && state.markerB === null) return words.parts.markedA(at(state.markerA));
  if (state.markerB !== null && state.markerA === null) return words.parts.markedB(at(state.markerB));
  return state.loopMode === 'whole' ? words.parts.loopingPart : words.parts.loopOff;
}
