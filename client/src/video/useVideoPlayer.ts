// Keeps a video's picture while its player is on the page.

import { useEffect, useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Video } from '../sync/records';
import { mediaAddress } from '../apiAddress';
import { remember, remembered } from '../ui/device';
import { frameSecondsOf } from './actions';
import type { PartMusic } from './playerClock';
import { VideoPlayer, type VideoPlayerState } from './videoPlayer';

const nothing = (): (() => void) => () => undefined;

/**
 * Creates the picture in `home`; it follows the music with `offset`, or plays by itself if that is
 * null.
 */
export function useVideoPlayer(
  video: Video | null, home: RefObject<HTMLElement>, music: PartMusic, offset: number | null,
): [picture: VideoPlayer | null, state: VideoPlayerState | null] {
  const { player } = useServices();
  const isOnline = useFromLibrary((library) => library.status.online);
  const [picture, setPicture] = useState<VideoPlayer | null>(null);
  const id = video?.id ?? null;
  const frameSeconds = video ? frameSecondsOf(video) : 1 / 30;

  useLayoutEffect(() => {
    if (id === null || !home.current) return undefined;
    const made = new VideoPlayer(home.current, {
      address: mediaAddress.video(id), poster: mediaAddress.poster(id), frameSeconds, music,
      isMuted: remembered('videoMuted') === 'yes', onSound: () => player.pause(),
    });
    setPicture(made);
    return () => {
      made.dispose();
      setPicture(null);
    };
  }, [id, frameSeconds, music, player, home]);
  useLayoutEffect(() => picture?.follow(offset), [picture, offset]);

  useEffect(() => {
    // Video and music must never sound at once.
    if (!picture || offset !== null) return undefined;
    return player.subscribe(() => {
      if (player.snapshot.wantsToPlay && !picture.snapshot.isMuted) picture.pause();
    });
  }, [picture, offset, player]);
  useEffect(() => {
    if (isOnline && picture && picture.snapshot.problem !== null) picture.reload();
  }, [isOnline, picture]);
  useEffect(() => {
    if (!picture) return undefined;
    return picture.subscribe(() => {
      const { isFollowing, isMuted } = picture.snapshot;
      if (!isFollowing) remember('videoMuted', isMuted ? 'yes' : 'no');
    });
  }, [picture]);

  const state = useSyncExternalStore(picture?.subscribe ?? nothing, () => picture?.snapshot ?? null);
  return [picture, state];
}
