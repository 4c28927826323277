// The buttons on the picture. On a small picture some of them are in its menu.

import { mayEditRoutine, useFromLibrary, useFromPlayer, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { Menu, type MenuItem } from '../ui/Menu';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { clock, framesOf, spokenTime } from '../ui/time';
import { toasts } from '../ui/toasts';
import type { Alignment } from './alignment';
import { mirrorVideo } from './actions';
import { FullScreenTransport } from './FullScreenTransport';
import { VideoButton } from './icons';
import { speeds, type VideoPlayer, type VideoPlayerState } from './videoPlayer';
import type { FullScreen } from './useFullScreen';

interface ControlsProps {
  readonly part: Part;
  readonly picture: VideoPlayer | null;
  readonly state: VideoPlayerState | null;
  readonly isFollowing: boolean;
  /** Whether the routine is played in one go. */
  readonly isRun: boolean;
  readonly isSmall: boolean;
  readonly full: FullScreen;
  readonly canFollow: boolean;
  readonly hasOffset: boolean;
  readonly alignment: Alignment | null;
  /** The menu items for the video as a whole: replace, unlink, offset. */
  readonly items: readonly MenuItem[];
  readonly isMenuOpen: boolean;
  readonly onMenu: (isOpen: boolean) => void;
  readonly onToggle: () => void;
  readonly onClose: () => void;
  readonly onSetOffset: () => void;
  readonly onFollow: (follows: boolean) => void;
  readonly onResize: (isLarger: boolean) => void;
}

/** All controls. */
export function Controls(props: ControlsProps): JSX.Element {
  const { part, picture, state, isFollowing, isSmall, full, isMenuOpen } = props;
  const { library } = useServices();
  const mayEdit = useFromLibrary((current) => mayEditRoutine(current, part.routine));
  const said = lateWords.video;
  const isFull = full.state !== null;
  const isUsable = picture !== null && state !== null && state.problem === null;
  return (
    <div className="video-controls">
      <div className="video-row">
        <div className="menu-holder">
          <VideoButton
            icon="more" label={said.more} aria-haspopup="menu" aria-expanded={isMenuOpen}
            data-testid="video-menu" onClick={() => props.onMenu(true)}
          />
          {isMenuOpen && <Menu label={said.video} items={menuItems(props)} onClose={() => props.onMenu(false)} />}
        </div>
        <span className="video-gap" />
        {document.pictureInPictureEnabled && isUsable && !isSmall && (
          <VideoButton icon="window" label={said.pip} data-testid="video-pip" onClick={() => enterPip(picture)} />
        )}
        <VideoButton
          icon={isFull ? 'small' : 'large'} label={isFull ? said.leaveFull : said.full}
          data-testid="video-full" onClick={full.toggle}
        />
        <VideoButton
          icon="close" label={said.hide} data-testid="video-close"
          onClick={() => {
            if (isFull) full.leave();
            props.onClose();
          }}
        />
      </div>
      {isUsable && (
        <div className="video-foot">
          {!props.hasOffset && props.canFollow && mayEdit && <Search {...props} />}
          {!isFollowing && <Scrubber picture={picture} state={state} />}
          {isFollowing && isFull && <FullScreenTransport part={part} isRun={props.isRun} />}
          <div className="video-row">
            {!(isFollowing && isFull) && (
              <PlayToggle state={state} isFollowing={isFollowing} onToggle={props.onToggle} />
            )}
            {!isFollowing && !isSmall && (
              <>
                <VideoButton icon="frameBack" label={said.frameBack} data-testid="video-back" onClick={() => picture.step(-1)} />
                <VideoButton icon="frameOn" label={said.frameOn} data-testid="video-on" onClick={() => picture.step(1)} />
              </>
            )}
            <span className="video-gap" />
            {props.canFollow && (mayEdit || props.hasOffset) && (
              <VideoButton
                icon="follow" label={said.follow} aria-pressed={isFollowing} data-testid="video-follow"
                onClick={() => (props.hasOffset ? props.onFollow(!isFollowing) : props.onSetOffset())}
              />
            )}
            {mayEdit && (
              <VideoButton
                icon="mirror" label={said.mirror} aria-pressed={part.videoMirrored === 1} data-testid="video-mirror"
                onClick={() => mirrorVideo(library, part)}
              />
            )}
            <VideoButton
              icon={state.isMuted ? 'silent' : 'sound'} label={said.sound} aria-pressed={!state.isMuted}
              data-testid="video-sound" onClick={() => picture.setMuted(!state.isMuted)}
            />
            {!isFollowing && !isSmall && (
              <>
                <VideoButton
                  icon="loop" label={said.repeatVideo} aria-pressed={state.isLooping} data-testid="video-loop"
                  onClick={() => picture.setLooping(!state.isLooping)}
                />
                <select
                  className="video-speed" aria-label={said.speed} value={state.speed} data-testid="video-speed"
                  onChange={(event) => picture.setSpeed(Number(event.target.value))}
                >
                  {speeds.map((speed) => <option key={speed} value={speed}>{`${speed}×`}</option>)}
                </select>
              </>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

function PlayToggle({ state, isFollowing, onToggle }: {
  state: VideoPlayerState; isFollowing: boolean; onToggle: () => void;
}): JSX.Element {
  const isPlaying = useFollowedPlaying(isFollowing, state.isPlaying);
  return (
    <VideoButton
      icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? lateWords.video.pause : lateWords.video.play}
      data-testid="video-play" data-playing={isPlaying} onClick={onToggle}
    />
  );
}

function Scrubber({ picture, state }: { picture: VideoPlayer; state: VideoPlayerState }): JSX.Element {
  const at = framesOf(state.time);
  const length = framesOf(state.duration);
  return (
    <div className="video-row">
      <input
        className="slider video-scrubber" type="range" min={0} max={state.duration} step="any" value={Math.min(state.time, state.duration)}
        aria-label={lateWords.video.position} aria-valuetext={lateWords.video.timeOf(spokenTime(at), spokenTime(length))}
        data-testid="video-scrubber" onChange={(event) => picture.seek(Number(event.target.value))}
      />
      <span className="video-time time" data-testid="video-time">{`${clock(at)} / ${clock(length)}`}</span>
    </div>
  );
}

/** The state of the search for the offset, while there is none. */
function Search({ alignment, onSetOffset }: ControlsProps): JSX.Element {
  if (alignment?.state === 'waiting') {
    return <p className="video-note" role="status">{lateWords.video.finding(percentText(100 * alignment.progress))}</p>;
  }
  return (
    <button type="button" className="video-note" data-testid="video-needs-offset" onClick={onSetOffset}>
      {lateWords.video.setOffset}
    </button>
  );
}

function menuItems(props: ControlsProps): readonly MenuItem[] {
  const { picture, state, isFollowing, isSmall, full, items } = props;
  const isUsable = picture !== null && state !== null && state.problem === null;
  const said = lateWords.video;
  const isOwn = isUsable && isSmall && !isFollowing;
  const next = state ? speeds[(speeds.findIndex((speed) => speed === state.speed) + 1) % speeds.length] ?? 1 : 1;
  return [
    ...(isOwn ? [
      { label: said.frameBack, icon: 'back', run: () => picture.step(-1) },
      { label: said.frameOn, icon: 'next', run: () => picture.step(1) },
      {
        label: state.isLooping ? said.stopRepeating : said.repeat, icon: 'loop',
        run: () => picture.setLooping(!state.isLooping),
      },
      { label: said.speedOf(next), icon: 'speed', run: () => picture.setSpeed(next) },
    ] as const : []),
    ...(document.pictureInPictureEnabled && isUsable && isSmall
      ? [{ label: said.pip, icon: 'copy', run: () => enterPip(picture) }] as const : []),
    ...(full.state === null ? [
      { label: said.larger, icon: 'plus', testId: 'video-larger', run: () => props.onResize(true) },
      { label: said.smaller, icon: 'minus', testId: 'video-smaller', run: () => props.onResize(false) },
    ] as const : []),
    ...items,
  ];
}

function enterPip(picture: VideoPlayer): void {
  picture.element.requestPictureInPicture().catch(() => {
    toasts.say(lateWords.video.noPip, { kind: 'problem' });
  });
}

/** Whether playback runs: that of the music while the video follows it. */
function useFollowedPlaying(isFollowing: boolean, isPlaying: boolean): boolean {
  const wants = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  return isFollowing ? wants : isPlaying;
}
