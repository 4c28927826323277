// The whole screen for somebody who stands four metres away: the move, the next one and the count. A tap anywhere
// pauses and resumes.

import { useEffect, useMemo, useRef, useState } from 'react';
import { keepAwake } from '../audio/media';
import { useMoveCounts } from '../moves/useMoveCounts';
import { useFromLibrary, useFromPlayer, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { remember, remembered } from '../ui/device';
import { words } from '../words/words';
import { PartPicture, useFollowingVideo } from '../video/PartPicture';
import { useAutoHide } from '../video/useAutoHide';
import type { VideoSwitch } from '../video/VideoAction';
import { StageControls, StageFlash, StageFoot } from './StageControls';
import './stageView.css';
import { StageWords } from './StageWords';
import type { StageNow, StageSource } from './useStage';
import { useStageTheme } from './useStageTheme';
import { useWholeScreen } from './useWholeScreen';

interface StageViewProps extends StageSource {
  readonly part: Part;
  readonly video: VideoSwitch;
  readonly onClose: () => void;
}

/** The view, above the routine's page. */
export function StageView({ part: shownPart, parts, index, run, video, onClose }: StageViewProps): JSX.Element {
  const { player } = useServices();
  const source = useMemo<StageSource>(() => ({ parts, index, run }), [parts, index, run]);
  const [now, setNow] = useState<StageNow | null>(null);
  const part = parts[now?.index ?? index] ?? shownPart;
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const isLoading = useFromPlayer(({ state, wantsToPlay: wants }) => wants && state === 'loading');
  const counts = useMoveCounts(part);
  const moveType = now?.current?.moveType ?? null;
  const colour = useFromLibrary((library) => (moveType === null ? null : library.get('moveType', moveType)?.colour ?? null));
  const following = useFollowingVideo(part);
  const hasPicture = following !== null && video.isShown;
  const [isMirrored, setMirrored] = useState(() => remembered('stageMirror') === 'on');
  const [isDark, setDark] = useStageTheme();
  const tap = useRef<HTMLButtonElement>(null);
  const controls = useRef<HTMLDivElement>(null);
  const buttons = useAutoHide(controls, { isPlaying: wantsToPlay, isMenuOpen: false, isFull: true, isReady: true });
  const [sleeps, setSleeps] = useState(false);
  useWholeScreen(onClose);
  // Also while nothing plays: nobody is there to touch the screen.
  useEffect(() => keepAwake({ wants: () => true, subscribe: () => () => undefined }, setSleeps), []);
  useEffect(() => {
    const before = document.activeElement;
    tap.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);

  const looped = now?.current ?? (now?.nextIndex === null ? now.next : null);
  return (
    <div
      className="stageview" role="dialog" aria-modal="true" aria-label={words.routinePage.stageView} data-testid="stage-view"
      data-theme={isDark ? 'dark' : 'light'} data-controls={buttons.areShown ? 'shown' : 'hidden'} data-mirrored={isMirrored}
      data-playing={wantsToPlay}
      onPointerMove={(event) => {
        if (event.pointerType === 'mouse') buttons.wake();
      }}
    >
      <button
        type="button" className="stageview-tap" ref={tap} data-testid="stage-tap"
        aria-label={wantsToPlay ? words.player.pause : words.player.play} onClick={() => player.toggle()}
      />
      <div className="stageview-edge" style={colour === null ? undefined : { borderColor: colour }} data-testid="stage-edge" />
      <div className="stageview-content" data-testid="stage-content">
        {hasPicture && (
          <PartPicture
            key={part.id} part={part} index={now?.index ?? index} run={run} video={following}
          />
        )}
        <StageWords source={source} rest={isLoading ? 'loading' : wantsToPlay ? null : 'paused'} onNow={setNow} />
        <StageFlash isPlaying={wantsToPlay} />
      </div>
      <div className="stageview-over" onFocus={buttons.wake} onBlur={buttons.wake}>
        <StageControls
          controls={controls} isMirrored={isMirrored} isDark={isDark} onDark={setDark}
          onMirror={(next) => {
            remember('stageMirror', next ? 'on' : 'off');
            setMirrored(next);
          }}
          isVideoShown={following === null ? null : video.isShown} onVideo={video.show} onClose={onClose}
        />
        {!wantsToPlay && <StageFoot move={run ? null : looped} counts={counts} sleeps={sleeps} />}
      </div>
    </div>
  );
}
