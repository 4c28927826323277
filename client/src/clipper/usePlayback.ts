// Playback in the clipper: the song, a range of it from its first frame to its last, the loop.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { bindMediaSession, keepAwakeWhilePlaying } from '../audio/media';
import { withoutCounts } from '../audio/player';
import { useFromPlayer, useServices, useSetting } from '../services/services';
import type { PracticeSettings } from '../parts/practiceSettings';
import type { Track } from '../sync/records';
import type { Stretch } from '../timeline';
import { trackTitle } from '../ui/trackTitle';
import { words } from '../words/words';
import type { Piece } from './model/pieces';
import type { Selection } from './model/selection';

/** A range that is played on its own. */
interface PlayedStretch extends Stretch {
  readonly id: string;
}

/** The playback of the clipper's page. */
export interface Playback {
  /** The range that is playing on its own: a piece's id, or `selection`. */
  readonly stretchId: string | null;
  readonly isLooping: boolean;
  /** Seeks to a frame of the song; playback continues from there. */
  seek(frame: number): void;
  /** Plays exactly a range, or pauses if it is playing. */
  playStretch(stretch: PlayedStretch): void;
  toggleLoop(): void;
}

/** How long a range must be unchanged before it is applied to the playback. */
const settleMilliseconds = 200;

/** Loads the song into the player; playback stops when the page is left. */
export function usePlayback(
  track: Track, selection: Selection | null, pieces: readonly Piece[], practice: PracticeSettings,
): Playback {
  const { player } = useServices();
  const [stretch, setStretch] = useState<PlayedStretch | null>(null);
  const [isLooping, setLooping] = useState(false);
  const tickSound = useSetting('countdownSound');
  const tickVolume = useSetting('countdownVolume');
  const { id: trackId, lengthFrames } = track;
  const endFrame = lengthFrames ?? 0;
  const markers = isLooping && stretch === null ? selection : null;
  const markerA = markers?.startFrame ?? null;
  const markerB = markers?.endFrame ?? null;
  const loopMode = !isLooping ? 'off' : markerA === null ? 'whole' : 'section';

  const settings = useMemo(() => ({
    ...practice, ...withoutCounts, loopMode, markerA, markerB, tickSound, tickVolume,
  } as const), [practice, loopMode, markerA, markerB, tickSound, tickVolume]);
  const latest = useRef(settings);
  latest.current = settings;
  const song = useMemo(() => (
    { id: trackId, trackId, trackLengthFrames: endFrame, startFrame: 0, endFrame }
  ), [trackId, endFrame]);

  // Before the page is painted, so that a press at that moment finds the song.
  useLayoutEffect(() => {
    player.load(song, latest.current);
    return () => player.load(null, latest.current);
  }, [player, song]);
  // Also when playback changes from a range to the song, which is loaded without its loop.
  useEffect(() => player.update(settings), [player, settings, stretch]);
  useEffect(() => keepAwakeWhilePlaying(player), [player]);
  const title = trackTitle(track);
  useEffect(() => bindMediaSession(player, {
    title, artist: words.common.clipper, startFrame: 0, endFrame, onPrevious: () => undefined, onNext: () => undefined,
  }), [player, title, endFrame]);

  const toSong = (frame: number): void => {
    setStretch(null);
    player.load(song, { ...latest.current, loopMode: 'off', markerA: null, markerB: null });
    player.seek(frame);
  };
  // After a range was paused or has ended, the playhead covers the whole song again.
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  useEffect(() => {
    const { state } = player.snapshot;
    if (wantsToPlay || stretch === null || state === 'problem') return;
    toSong(state === 'ended' ? stretch.startFrame : player.position());
    // Only these two are dependencies; `toSong` reads the latest values.
  }, [wantsToPlay, stretch]);

  const play = (next: PlayedStretch, from: number | null): void => {
    const { id, startFrame: first, endFrame: last } = next;
    player.load(
      { ...song, id: `${trackId} ${id}`, startFrame: first, endFrame: last },
      { ...latest.current, loopMode: isLooping ? 'whole' : 'off', markerA: null, markerB: null },
    );
    if (from !== null && from >= first && from < last) player.seek(from);
    setStretch(next);
    player.play();
  };
  // A range that is changed during its playback continues with its new borders.
  const shown = stretch?.id === 'selection' ? selection : pieces.find(({ id }) => id === stretch?.id);
  const { startFrame: shownStart, endFrame: shownEnd } = shown ?? { startFrame: 0, endFrame: 0 };
  useEffect(() => {
    if (stretch === null || (stretch.startFrame === shownStart && stretch.endFrame === shownEnd)) return undefined;
    const timer = setTimeout(() => {
      if (shownEnd === 0) player.pause();
      else play({ id: stretch.id, startFrame: shownStart, endFrame: shownEnd }, player.position());
    }, settleMilliseconds);
    return () => clearTimeout(timer);
  }, [stretch, shownStart, shownEnd]);

  return {
    stretchId: stretch?.id ?? null,
    isLooping,
    seek(frame) {
      const isPlaying = player.snapshot.wantsToPlay;
      if (stretch !== null && (frame < stretch.startFrame || frame >= stretch.endFrame)) {
        toSong(frame);
        if (isPlaying) player.play();
      } else {
        player.seek(frame);
      }
    },
    playStretch(next) {
      if (stretch?.id === next.id && player.snapshot.wantsToPlay) {
        player.pause();
        return;
      }
      play(next, null);
    },
    toggleLoop: () => setLooping(!isLooping),
  };
}
