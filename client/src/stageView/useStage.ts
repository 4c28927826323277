// Follows what is heard for the stage view: it renders when a number or a move changes, and draws the rest.

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { placeInRun } from '../audio/run';
import { isLaid, lastIndex } from '../moves/laying';
import { partAudio } from '../parts/partAudio';
import { countdownSecond, fractionOf } from '../parts/progress';
import type { Run } from '../parts/useRun';
import { usePlayhead } from '../parts/usePlayhead';
import { useFromCounts, useLibrary, useServices, type Services } from '../services/services';
import type { Move, Part } from '../sync/records';
import { clock } from '../ui/time';
import { stageContent, wholeLoop, type CountLoop, type StageContent } from './shownMoves';

/** What the routine page plays. */
export interface StageSource {
  readonly parts: readonly Part[];
  /** The part that the page shows. */
  readonly index: number;
  readonly run: Run | null;
}

/** What is shown, with the number of the count or of a countdown, or the time left of a part without counts. */
export interface StageNow extends StageContent<Move> {
  readonly number: string;
}

/** How far playback is: what is left of all that is played, and of the part, from 1 to 0. */
export interface StageLeft {
  readonly all: number;
  readonly part: number;
}

/** Returns what is shown; `draw` is called with every frame of the screen. */
export function useStage(source: StageSource, draw: (left: StageLeft) => void): StageNow {
  const services = useServices();
  // Another title, another order, other counts: drawn at once, also while nothing plays.
  useLibrary();
  useFromCounts(({ version }) => version);
  const [now, setNow] = useState(() => read(services, source, services.player.position()).now);
  const shown = useRef(now);
  usePlayhead((frame) => {
    const { now: next, left } = read(services, source, frame);
    draw(left);
    const keys = Object.keys(next) as (keyof StageNow)[];
    if (keys.every((key) => next[key] === shown.current[key])) return;
    shown.current = next;
    // In this frame of the screen, together with what is drawn.
    flushSync(() => setNow(next));
  });
  return now;
}

function read(
  { player, counts, library }: Services, { parts, index, run }: StageSource, frame: number,
): { readonly now: StageNow; readonly left: StageLeft } {
  const { state, countInNumber, countdownFramesLeft, restFramesLeft, percent } = player.snapshot;
  const { bounds } = player;
  const place = run && placeInRun(run.stretches, frame);
  const heard = place ? run.indices[place.index] ?? index : index;
  const part = parts[heard];
  const stretch = place ? run.stretches[place.index] ?? null : stretchOf(library, part);
  const known = stretch && counts.of(stretch.trackId, stretch);
  const movesOf = (at: number): readonly Move[] => library.moves(parts[at]?.id ?? '');
  const isCounting = state === 'countdown' || state === 'resting';

  const countOf = (): number => {
    const moves = movesOf(heard);
    const reached = (move: Move): boolean => isLaid(move) && frame >= (counts.frameOf(move.startCount, frame) ?? Infinity);
    // Where the song has no counts, the last move goes on.
    return counts.count(frame) ?? moves[lastIndex(moves, reached)]?.startCount ?? -Infinity;
  };
  const loop = (): CountLoop | null => {
    if (!bounds.repeats) return null;
    if (stretch && bounds.startFrame <= stretch.startFrame && bounds.endFrame >= stretch.endFrame) return wholeLoop;
    return { start: counts.count(bounds.startFrame) ?? -Infinity, end: counts.count(bounds.endFrame) ?? Infinity };
  };
  const partFrame = place?.frame ?? frame;
  const partBounds = place && stretch ? stretch : bounds;
  const number = (): string => {
    if (state === 'countdown') return String(countInNumber || countdownSecond(countdownFramesLeft));
    if (state === 'resting') return String(countdownSecond(restFramesLeft));
    if (known) return String(counts.place(frame)?.count ?? '');
    return clock(Math.ceil(((partBounds.endFrame - partFrame) * 100) / percent));
  };
  return {
    now: {
      ...stageContent({
        index: heard, following: place ? run.indices[place.index + 1] ?? null : null, movesOf,
        count: known ? countOf() : null, loop: loop(), isCounting,
      }),
      number: number(),
    },
    left: { all: 1 - fractionOf(frame, bounds), part: 1 - fractionOf(partFrame, partBounds) },
  };
}

function stretchOf(library: Services['library'], part: Part | undefined) {
  const audio = part && partAudio(part, part.track ? library.get('track', part.track) : undefined);
  return audio?.kind === 'ready' ? audio.playable : null;
}
