// The music's buttons on a video that fills the screen: A–B, back, play, forward, and the speed.

import { useMemo } from 'react';
import { partAudio } from '../parts/partAudio';
import { percentNow, takenOver } from '../parts/practiceSettings';
import { OwnSectionButton, PlayButton, SeekButton } from '../player/Transport';
import { usePartLoop, type PlayablePart } from '../player/usePartLoop';
import { useFromLibrary, useFromPlayer, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { VideoButton } from './icons';

/** One press changes the speed by so many percent. */
const speedStep = 5;

interface FullScreenTransportProps {
  readonly part: Part;
  /** In a run through the routine nothing loops, and the speed is the run's. */
  readonly isRun: boolean;
}

/** The row, shown while the video follows the music. */
export function FullScreenTransport({ part, isRun }: FullScreenTransportProps): JSX.Element {
  const track = useFromLibrary((library) => (part.track ? library.get('track', part.track) : undefined));
  const playable = useMemo<PlayablePart | null>(() => {
    const audio = partAudio(part, track);
    return audio.kind === 'ready' ? { partId: part.id, trackId: audio.playable.trackId, ...audio.bounds } : null;
  }, [part, track]);
  const loop = usePartLoop(part, playable);
  const isDisabled = playable === null;
  return (
    <div className="video-transport" role="group" aria-label={words.player.playback} data-testid="video-transport">
      {!isRun && <OwnSectionButton loop={loop} isDisabled={isDisabled} />}
      <SeekButton forward={false} isDisabled={isDisabled} />
      <PlayButton isDisabled={isDisabled} size={36} />
      <SeekButton forward isDisabled={isDisabled} />
      {!isRun && <Speed part={part} />}
    </div>
  );
}

function Speed({ part }: { part: Part }): JSX.Element {
  const { library } = useServices();
  const percent = percentNow(part, useFromPlayer((snapshot) => snapshot.percent));
  const change = (by: number): void => library.edit('part', part.id, takenOver(part, percent + by));
  return (
    <div className="video-music-speed" role="group" aria-label={lateWords.video.musicSpeed(percentText(percent))}>
      <VideoButton
        icon="minus" label={lateWords.video.musicSlower} data-testid="video-slower" onClick={() => change(-speedStep)}
      />
      <span className="time" role="status" data-testid="video-music-speed">{percentText(percent)}</span>
      <VideoButton
        icon="plus" label={lateWords.video.musicFaster} data-testid="video-faster" onClick={() => change(speedStep)}
      />
    </div>
  );
}
