// The buttons on the picture. On a small picture some of them are in its menu.

import { useFromPlayer, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { Menu, type MenuItem } from '../ui/Menu';
import { percentText } from '../words/format';
import { clock, framesOf, spokenTime } from '../ui/time';
import { toasts } from '../ui/toasts';
import type { Alignment } from './alignment';
import { mirrorVideo } from './actions';
import { VideoButton } from './icons';
import { speeds, type VideoPlayer, type VideoPlayerState } from './videoPlayer';
import type { FullScreen } from './useFullScreen';

interface ControlsProps {
  readonly part: Part;
  readonly picture: VideoPlayer | null;
  readonly state: VideoPlayerState | null;
  readonly isFollowing: boolean;
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
  const isFull = full.state !== null;
  const isUsable = picture !== null && state !== null && state.problem === null;
  return (
    <div className="video-controls">
      <div className="video-row">
        <div className="menu-holder">
          <VideoButton
            icon="more" label="More for the video" aria-haspopup="menu" aria-expanded={isMenuOpen}
            data-testid="video-menu" onClick={() => props.onMenu(true)}
          />
          {isMenuOpen && <Menu label="Video" items={menuItems(props)} onClose={() => props.onMenu(false)} />}
        </div>
        <span className="video-gap" />
        {document.pictureInPictureEnabled && isUsable && !isSmall && (
          <VideoButton icon="window" label="Picture in picture" data-testid="video-pip" onClick={() => enterPip(picture)} />
        )}
        <VideoButton
          icon={isFull ? 'small' : 'large'} label={isFull ? 'Leave the full screen' : 'Full screen'}
          data-testid="video-full" onClick={full.toggle}
        />
        <VideoButton
          icon="close" label="Hide the video" data-testid="video-close"
          onClick={() => {
            if (isFull) full.leave();
            props.onClose();
          }}
        />
      </div>
      {isUsable && (
        <div className="video-foot">
          {!props.hasOffset && props.canFollow && <Search {...props} />}
          {!isFollowing && <Scrubber picture={picture} state={state} />}
          <div className="video-row">
            <PlayToggle state={state} isFollowing={isFollowing} onToggle={props.onToggle} />
            {!isFollowing && !isSmall && (
              <>
                <VideoButton icon="frameBack" label="One frame back" data-testid="video-back" onClick={() => picture.step(-1)} />
                <VideoButton icon="frameOn" label="One frame on" data-testid="video-on" onClick={() => picture.step(1)} />
              </>
            )}
            <span className="video-gap" />
            {props.canFollow && (
              <VideoButton
                icon="follow" label="Follow the music" aria-pressed={isFollowing} data-testid="video-follow"
                onClick={() => (props.hasOffset ? props.onFollow(!isFollowing) : props.onSetOffset())}
              />
            )}
            <VideoButton
              icon="mirror" label="Mirror" aria-pressed={part.videoMirrored === 1} data-testid="video-mirror"
              onClick={() => mirrorVideo(library, part)}
            />
            <VideoButton
              icon={state.isMuted ? 'silent' : 'sound'} label="Sound of the video" aria-pressed={!state.isMuted}
              data-testid="video-sound" onClick={() => picture.setMuted(!state.isMuted)}
            />
            {!isFollowing && !isSmall && (
              <>
                <VideoButton
                  icon="loop" label="Repeat the video" aria-pressed={state.isLooping} data-testid="video-loop"
                  onClick={() => picture.setLooping(!state.isLooping)}
                />
                <select
                  className="video-speed" aria-label="Speed of the video" value={state.speed} data-testid="video-speed"
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
      icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? 'Pause the video' : 'Play the video'}
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
        aria-label="Position in the video" aria-valuetext={`${spokenTime(at)} of ${spokenTime(length)}`}
        data-testid="video-scrubber" onChange={(event) => picture.seek(Number(event.target.value))}
      />
      <span className="video-time time" data-testid="video-time">{`${clock(at)} / ${clock(length)}`}</span>
    </div>
  );
}

/** The state of the search for the offset, while there is none. */
function Search({ alignment, isSmall, onSetOffset }: ControlsProps): JSX.Element {
  if (alignment?.state === 'waiting') {
    return <p className="video-note" role="status">{`${isSmall ? 'Finding the music' : 'Looking for the music in it'}, ${percentText(100 * alignment.progress)}`}</p>;
  }
  return (
    <button type="button" className="video-note" data-testid="video-needs-offset" onClick={onSetOffset}>
      {isSmall ? 'Set the offset' : 'Set the offset to follow the music'}
    </button>
  );
}

function menuItems(props: ControlsProps): readonly MenuItem[] {
  const { picture, state, isFollowing, isSmall, full, items } = props;
  const isUsable = picture !== null && state !== null && state.problem === null;
  const isOwn = isUsable && isSmall && !isFollowing;
  const next = state ? speeds[(speeds.findIndex((speed) => speed === state.speed) + 1) % speeds.length] ?? 1 : 1;
  return [
    ...(isOwn ? [
      { label: 'One frame back', icon: 'back', run: () => picture.step(-1) },
      { label: 'One frame on', icon: 'next', run: () => picture.step(1) },
      {
        label: state.isLooping ? 'Stop repeating' : 'Repeat', icon: 'loop',
        run: () => picture.setLooping(!state.isLooping),
      },
      { label: `Speed ${next}×`, icon: 'speed', run: () => picture.setSpeed(next) },
    ] as const : []),
    ...(document.pictureInPictureEnabled && isUsable && isSmall
      ? [{ label: 'Picture in picture', icon: 'copy', run: () => enterPip(picture) }] as const : []),
    ...(full.state === null ? [
      { label: 'Larger', icon: 'plus', testId: 'video-larger', run: () => props.onResize(true) },
      { label: 'Smaller', icon: 'minus', testId: 'video-smaller', run: () => props.onResize(false) },
    ] as const : []),
    ...items,
  ];
}

function enterPip(picture: VideoPlayer): void {
  picture.element.requestPictureInPicture().catch(() => {
    toasts.say('The browser does not open its little window now.', { kind: 'problem' });
  });
}

/** Whether playback runs: that of the music while the video follows it. */
function useFollowedPlaying(isFollowing: boolean, isPlaying: boolean): boolean {
  const wants = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  return isFollowing ? wants : isPlaying;
}
