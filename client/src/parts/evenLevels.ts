// Which songs of a routine are played equally loud, and where in a run their gains begin. Pure.

import type { PlayedLevel, PlayerPart } from '../audio/types';
import { startInRun } from '../audio/run';
import type { LocalLibrary } from '../sync/library';
import type { Part, Routine } from '../sync/records';
import type { Stretch } from '../timeline';
import { partAudio } from './partAudio';

/** The gain of each song, by its track; of others it is 1. */
export type Gains = ReadonlyMap<string, number>;

/** Whether the songs of a routine are played equally loud. */
export function isLevelled({ evenLoudness }: Pick<Routine, 'evenLoudness'>): boolean {
  return evenLoudness === 1;
}

/** Whether that may make a difference: among parts of one song there is none. */
export function mayBeLevelled(routine: Pick<Routine, 'evenLoudness'>, parts: readonly Part[]): boolean {
  return isLevelled(routine) || new Set(parts.flatMap(({ track }) => track ?? [])).size > 1;
}

/** Returns what a routine plays of each song, in the order of the parts. */
export function stretchesByTrack(
  library: Pick<LocalLibrary, 'get' | 'parts'>, routineId: string,
): readonly (readonly [trackId: string, stretches: readonly Stretch[]])[] {
  const found = new Map<string, Stretch[]>();
  for (const part of library.parts(routineId)) {
    const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
    if (audio.kind !== 'ready') continue;
    const { trackId } = audio.playable;
    found.set(trackId, [...found.get(trackId) ?? [], audio.bounds]);
  }
  return [...found];
}

/** Returns the levels of a part or a run. */
export function playedLevels(playable: PlayerPart, gains: Gains): readonly PlayedLevel[] {
  if (gains.size === 0) return [];
  const gainOf = (trackId: string): number => gains.get(trackId) ?? 1;
  const { run } = playable;
  if (!run) return [{ frame: 0, gain: gainOf(playable.trackId) }];
  return run.map(({ trackId }, index) => ({ frame: startInRun(run, index), gain: gainOf(trackId) }));
}
