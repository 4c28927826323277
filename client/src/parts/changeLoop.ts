// Changes a part's looping: the sound, the record, and what is said about it.

import type { Services } from '../services/services';
import type { Part } from '../sync/records';
import { announce } from '../ui/announce';
import { clockWithTenths } from '../ui/time';
import { words } from '../words/words';
import { toasts } from '../ui/toasts';
import { loopStateOf, shortestPressedFrames, type LoopState } from './section';
import type { Stretch } from '../timeline';

/**
 * Changes a part's looping, and announces the new state if it differs. Markers that disappear, and a section that
 * was pressed too quickly, can be brought back by a message.
 */
export function changeLoop(
  { player, library }: Pick<Services, 'player' | 'library'>, part: Part, bounds: Stretch, next: LoopState,
  say: (sentence: string) => void = announce,
): void {
  const before = loopStateOf(part, bounds);
  player.update(next);
  library.edit('part', part.id, { ...next });
  const isSame = (['loopMode', 'markerA', 'markerB'] as const).every((name) => next[name] === before[name]);
  if (!isSame) say(spoken(next, bounds.startFrame));
  const isCleared = next.markerA === null && next.markerB === null && (before.markerA ?? before.markerB) !== null;
  const message = isCleared ? words.parts.sectionCleared : isShortest(before, next) ? words.parts.shortestSection : null;
  if (message === null) return;
  toasts.say(message, { action: { label: words.common.undo, run: () => library.edit('part', part.id, { ...before }) } });
}

/** Whether the second of two presses came so soon that the section has the least length. */
function isShortest(before: LoopState, { markerA, markerB }: LoopState): boolean {
  return (before.markerA === null) !== (before.markerB === null)
    && markerA !== null && markerB !== null && markerB - markerA <= shortestPressedFrames;
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
