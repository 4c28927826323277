// A part's video without controls, which follows the music: beside the words of the stage view.

import { useMemo, useRef } from 'react';
import type { Run } from '../parts/useRun';
import { useFromLibrary, useServices } from '../services/services';
import type { Part, Video } from '../sync/records';
import { lateWords } from '../words/lateWords';
import { PartMusic } from './playerClock';
import { questionOf, useVideoStatus } from './videoServices';
import { useVideoPlayer } from './useVideoPlayer';

/** Returns the video of a part if it can follow the music. */
export function useFollowingVideo(part: Part): Video | null {
  const standing = useVideoStatus(part);
  const track = useFromLibrary((library) => (part.track ? library.get('track', part.track) : undefined));
  const video = standing.kind === 'ready' ? standing.video : null;
  return part.videoOffset != null && questionOf(part, video, track) !== null ? video : null;
}

interface PartPictureProps {
  readonly part: Part;
  /** Its place in the routine. */
  readonly index: number;
  readonly run: Run | null;
  readonly video: Video;
}

/** The picture. */
export function PartPicture({ part, index, run, video }: PartPictureProps): JSX.Element {
  const { player } = useServices();
  const home = useRef<HTMLDivElement>(null);
  const music = useMemo(() => new PartMusic(player), [player]);
  music.run = run;
  music.index = index;
  const [, state] = useVideoPlayer(video, home, music, part.videoOffset ?? 0);
  const isEmpty = state !== null && (state.material !== 'here' || state.problem !== null);
  return (
    <div className={part.videoMirrored === 1 ? 'part-picture is-mirrored' : 'part-picture'} data-testid="part-picture">
      <div className={isEmpty ? 'video-picture is-dim' : 'video-picture'} ref={home} data-testid="video-picture" />
      {isEmpty && <p className="video-word">{state.problem ?? lateWords.video.material[state.material]}</p>}
    </div>
  );
}
