// Plays a song of the list; another one replaces it, and leaving the page stops it.

import { useEffect, useLayoutEffect, useState } from 'react';
import { bindMediaSession, keepAwakeWhilePlaying } from '../audio/media';
import { withoutCounts } from '../audio/player';
import { practiceOf } from '../parts/practiceSettings';
import { useFromPlayer, useServices } from '../services/services';
import type { Track } from '../sync/records';
import { trackTitle } from '../ui/trackTitle';
import { words } from '../words/words';

/** The song that plays, and the button of each. */
export interface SongPreview {
  /** The song whose button pauses. */
  readonly playingId: string | null;
  /** The song that was started last. */
  readonly id: string | null;
  /** Why it does not play. */
  readonly problem: string | null;
  /** Plays a song from its beginning; the same one again is paused, or goes on. */
  toggle(track: Track): void;
}

/** Without a countdown, so that its sound is never heard. */
const settings = {
  ...practiceOf({}, { countdownSeconds: 0, countdownRepeats: 'first' }),
  ...withoutCounts, loopMode: 'off', markerA: null, markerB: null, tickSound: 'wood', tickVolume: 100,
} as const;

/** Keeps it for the list of songs. */
export function useSongPreview(): SongPreview {
  const { player } = useServices();
  const [song, setSong] = useState<Track | null>(null);
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  // Before the next page is painted: a later release would unload that page's song.
  useLayoutEffect(() => () => player.load(null, settings), [player]);
  useEffect(() => (song ? keepAwakeWhilePlaying(player) : undefined), [player, song]);
  useEffect(() => (song
    ? bindMediaSession(player, {
      title: trackTitle(song), artist: words.common.clipper, startFrame: 0, endFrame: song.lengthFrames ?? 0,
      onPrevious: () => undefined, onNext: () => undefined,
    })
    : undefined), [player, song]);
  return {
    id: song?.id ?? null,
    playingId: wantsToPlay ? song?.id ?? null : null,
    problem: song && problem,
    toggle(track) {
      if (song?.id === track.id) {
        player.toggle();
        return;
      }
      const endFrame = track.lengthFrames ?? 0;
      player.load({ id: track.id, trackId: track.id, trackLengthFrames: endFrame, startFrame: 0, endFrame }, settings);
      setSong(track);
      player.play();
    },
  };
}
