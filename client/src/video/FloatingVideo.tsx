// The floating player: dragged, resized and moved by keys within the free area, or in full screen. Its
// buttons hide during playback while the user does not touch them.

import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { PictureComments } from '../comments/PictureComments';
import type { PlayheadSource } from '../parts/usePlayhead';
import { useServices } from '../services/services';
import { framesPerSecond } from '../timeline';
import { Countdown } from '../player/Countdown';
import type { Part } from '../sync/records';
import { announce } from '../ui/announce';
import { remember, remembered } from '../ui/device';
import type { MenuItem } from '../ui/Menu';
import { lateWords } from '../words/lateWords';
import type { Alignment } from './alignment';
import { Controls } from './Controls';
import { frameSecondsOf, mirrorVideo, videoName } from './actions';
import type { PartMusic } from './playerClock';
import { grown, growth } from './floatingBox';
import type { VideoStatus } from './videoServices';
import { useFullScreen } from './useFullScreen';
import { useVideoPlayer } from './useVideoPlayer';
import { useAutoHide } from './useAutoHide';
import { useDrag, useFloating } from './useFloating';
import { VideoIcon } from './icons';
import { pressVideoKey } from './videoKeys';
import { VideoNotice } from './VideoNotice';

interface FloatingVideoProps {
  readonly part: Part;
  readonly standing: Exclude<VideoStatus, { kind: 'none' }>;
  readonly music: PartMusic;
  /** Whether the routine is played in one go. */
  readonly isRun: boolean;
  /** The part's offset, or the one that is being set. */
  readonly offset: number | null;
  readonly isSetting: boolean;
  /** Whether there is music to follow. */
  readonly canFollow: boolean;
  readonly alignment: Alignment | null;
  readonly items: readonly MenuItem[];
  /** The height of the offset panel in the window. */
  readonly panelHeight: number;
  readonly onSetOffset: () => void;
  readonly onReplace: () => void;
  readonly onClose: () => void;
}

/** In a narrower player the less important buttons are in the menu. */
const wideEnough = 460;

/** The player. */
export function FloatingVideo(props: FloatingVideoProps): JSX.Element | null {
  const { part, standing, music, offset, isSetting, canFollow, items, panelHeight, onClose } = props;
  const { library, player } = useServices();
  const frame = useRef<HTMLDivElement>(null);
  const home = useRef<HTMLDivElement>(null);
  const video = standing.kind === 'ready' ? standing.video : null;
  const [wantsToFollow, setWantsToFollow] = useState(() => remembered('videoFollow') !== 'off');
  const isFollowing = isSetting || (wantsToFollow && offset !== null && canFollow);
  const [picture, state] = useVideoPlayer(video, home, music, isFollowing ? offset : null);
  const seen = useMemo((): PlayheadSource | null => {
    if (isFollowing) {
      return {
        subscribe: music.subscribe, position: () => music.heard()?.frame ?? -1,
        get isMoving() { return player.snapshot.state === 'playing'; },
      };
    }
    if (offset === null || picture === null) return null;
    return {
      subscribe: picture.subscribe, position: () => Math.round(picture.snapshot.time * framesPerSecond) + offset,
      get isMoving() { return picture.snapshot.isPlaying; },
    };
  }, [isFollowing, offset, picture, music, player]);
  const floating = useFloating(video?.width && video.height ? video.width / video.height : 16 / 9, panelHeight);
  const { box, move } = floating;
  const full = useFullScreen(frame);
  const isFull = full.state !== null;
  const [isMenuOpen, setMenuOpen] = useState(false);
  // An open menu would act on the part that the page has switched to.
  useLayoutEffect(() => () => setMenuOpen(false), [part.id]);
  const buttons = useAutoHide(frame, {
    isPlaying: state !== null && state.isPlaying && (isFollowing || state.problem === null),
    isMenuOpen, isFull, isReady: standing.kind === 'ready',
  });
  const dragHandlers = useDrag(floating, isFull, buttons);

  const toggle = (): void => {
    if (isFollowing) player.toggle();
    else picture?.toggle();
  };
  const keyed = (event: KeyboardEvent<HTMLElement>): void => {
    const isUsed = pressVideoKey(event, {
      floating, full, toggle,
      step: (frames) => {
        if (isFollowing && video) player.skip(Math.round(frames * frameSecondsOf(video) * framesPerSecond));
        else picture?.step(frames);
      },
      mirror: () => mirrorVideo(library, part),
      openMenu: () => setMenuOpen(true),
    });
    if (!isUsed) return;
    buttons.wake();
    event.preventDefault();
  };

  // A video that had no room beside the large player comes back when there is room.
  const wasHidden = useRef(false);
  const isHidden = box === null && !isFull;
  useLayoutEffect(() => {
    if (isHidden && !wasHidden.current) announce(lateWords.video.isHidden);
    wasHidden.current = isHidden;
  }, [isHidden]);

  const isSmall = !isFull && (box?.width ?? 0) < wideEnough;
  const said = lateWords.video;
  const name = video ? videoName(video) : said.video;
  const style = !isFull && box
    ? { left: box.left, top: box.top, width: box.width, height: box.height } : undefined;
  const classes = [
    'video-frame', full.state === 'filling' ? 'is-filling' : '', isFull ? 'is-full' : '', isHidden ? 'is-hidden' : '',
    buttons.areShown ? '' : 'is-asleep', isSmall ? 'is-small' : '', part.videoMirrored === 1 ? 'is-mirrored' : '',
  ].join(' ');
  const isEmpty = isFollowing && state !== null && state.material !== 'here';
  return (
    <div
      ref={frame} className={classes} style={style} role="region" tabIndex={0} data-testid="video" data-state={standing.kind}
      aria-label={said.videoNamed(name)} aria-describedby="video-keys"
      data-following={isFollowing} data-controls={buttons.areShown ? 'shown' : 'hidden'}
      {...dragHandlers} onKeyDown={keyed} onFocus={buttons.wake} onBlur={buttons.wake}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuOpen(true);
      }}
    >
      <span id="video-keys" className="only-spoken">{said.keys}</span>
      <div className={isEmpty ? 'video-picture is-dim' : 'video-picture'} ref={home} data-testid="video-picture" />
      {isEmpty && state && (
        <p className="video-word" data-testid="video-word">
          {said.material[state.material]}
        </p>
      )}
      {video && seen && <PictureComments part={part} source={seen} />}
      {isFull && <Countdown />}
      {(standing.kind !== 'ready' || state?.problem) && (
        <VideoNotice
          part={part} standing={standing} problem={state?.problem ?? null}
          onRetry={() => picture?.reload()} onReplace={props.onReplace}
        />
      )}
      <Controls
        part={part} picture={picture} state={state} isFollowing={isFollowing} isRun={props.isRun}
        isSmall={isSmall} full={full}
        canFollow={canFollow} hasOffset={offset !== null} alignment={props.alignment} items={items}
        isMenuOpen={isMenuOpen} onMenu={setMenuOpen} onToggle={toggle} onClose={onClose}
        onSetOffset={props.onSetOffset}
        onFollow={(follows) => {
          remember('videoFollow', follows ? 'on' : 'off');
          setWantsToFollow(follows);
        }}
        onResize={(isLarger) => box && move(grown(box, isLarger ? growth : 1 / growth))}
      />
      {!isFull && <span className="video-corner" data-testid="video-corner" aria-hidden="true"><VideoIcon name="corner" /></span>}
    </div>
  );
}
