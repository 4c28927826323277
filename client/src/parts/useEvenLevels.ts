// The gains that make the songs of a routine equally loud: derived from the analyses of all of them.

import { useEffect, useMemo, useState } from 'react';
import { mediaAddress } from '../apiAddress';
import type { PlayedLevel, PlayerPart } from '../audio/types';
import { evenGains, levelOf, type LevelSteps } from '../practice/levels';
import { loadPractice } from '../practice/practiceModule';
import { useFromLibrary, useServices } from '../services/services';
import type { Routine } from '../sync/records';
import type { Stretch } from '../timeline';
import { isLevelled, playedLevels, stretchesByTrack, type Gains } from './evenLevels';

/** What the analyses say, by track: null where that is not known, for example without a network. */
type KnownSteps = ReadonlyMap<string, LevelSteps | null>;

const noGains: Gains = new Map();
const noLevels: readonly PlayedLevel[] = [];

/**
 * Returns the levels of what is played, `key` telling one from another. There are none until all songs of the
 * routine are known, so that the gains do not change with each that comes.
 */
export function useEvenLevels(
  routine: Routine, playable: PlayerPart | null, key: string | null,
): readonly PlayedLevel[] {
  const stretches = useFromLibrary((library) => (
    isLevelled(routine) ? JSON.stringify(stretchesByTrack(library, routine.id)) : '[]'
  ));
  const gains = useGains(stretches);
  return useMemo(() => (playable ? playedLevels(playable, gains) : noLevels), [key, gains]);
}

function useGains(stretches: string): Gains {
  const parsed = useMemo(() => JSON.parse(stretches) as [string, Stretch[]][], [stretches]);
  const steps = useSteps(parsed.map(([trackId]) => trackId).join(' '));
  const [gains, setGains] = useState(noGains);
  useEffect(() => {
    if (parsed.length < 2) {
      setGains(noGains);
      return undefined;
    }
    const songs = parsed.map(([trackId, played]) => ({ trackId, played, known: steps.get(trackId) }));
    if (songs.some(({ known }) => known === undefined)) return undefined;
    let isWanted = true;
    loadPractice()
      .then((module) => {
        const measured = songs.flatMap(({ trackId, played, known }) => (
          known ? [{ trackId, level: levelOf(module, known, played) }] : []
        ));
        const factors = evenGains(module, measured.map(({ level }) => level));
        if (isWanted) setGains(new Map(measured.map(({ trackId }, index) => [trackId, factors[index] ?? 1])));
      })
      .catch((failure: unknown) => {
        if (!(failure instanceof TypeError)) reportError(failure);
      });
    return () => {
      isWanted = false;
    };
  }, [parsed, steps]);
  return gains;
}

/** Returns what is known of tracks, named with spaces between them. */
function useSteps(trackIds: string): KnownSteps {
  const { library } = useServices();
  const [steps, setSteps] = useState<KnownSteps>(new Map());
  useEffect(() => {
    const wanted = trackIds.split(' ').filter((id) => id !== '');
    if (wanted.length < 2) return undefined;
    const controller = new AbortController();
    // What was known before stays.
    const take = (trackId: string, known: LevelSteps | null): void => {
      if (controller.signal.aborted) return;
      setSteps((before) => new Map(before).set(trackId, known ?? before.get(trackId) ?? null));
    };
    const ask = async (trackId: string): Promise<void> => {
      const response = await fetch(mediaAddress.analysis(trackId), { signal: controller.signal });
      // While the server computes it, the answer is 202; the end of its job asks again.
      if (response.status === 202) return;
      // An analysis of an earlier version has no levels; a newer one is being made.
      const found = response.ok ? await response.json() as { levels?: LevelSteps | null } : {};
      take(trackId, found.levels ?? null);
    };
    const tryToAsk = (trackId: string): void => void ask(trackId).catch((failure: unknown) => {
      if (controller.signal.aborted) return;
      take(trackId, null);
      if (!(failure instanceof TypeError)) reportError(failure);
    });
    wanted.forEach(tryToAsk);
    const stop = library.onJob(({ track, state }) => {
      if (track && state === 'done' && wanted.includes(track)) tryToAsk(track);
    });
    return () => {
      controller.abort();
      stop();
    };
  }, [trackIds, library]);
  return steps;
}
