// The floating player: dragged, resized and moved by keys within the free area, or in full screen. Its
// buttons hide during playback while the user does not touch them.

import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useServices } from '../services/services';
import { framesPerSecond } from '../timeline';
import { Countdown } from '../player/Countdown';
import type { Part } from '../sync/records';
import { announce } from '../ui/announce';
import { remember, remembered } from '../ui/device';
import type { MenuItem } from '../ui/Menu';
import type { Alignment } from './alignment';
import { Controls } from './Controls';
import { frameSecondsOf, mirrorVideo, videoName } from './actions';
import type { PartMusic } from './playerClock';
import {
  boxOf, draggedCorner, firstPlace, grown, growth, movedByKey, parsePlace, placeOf, placeText, type Box,
} from './floatingBox';
import type { VideoStatus } from './videoServices';
import { useFullScreen } from './useFullScreen';
import { useVideoPlayer } from './useVideoPlayer';
import { useFreeArea } from './useFreeArea';
import { VideoIcon } from './icons';
import { VideoNotice } from './VideoNotice';

interface FloatingVideoProps {
  readonly part: Part;
  readonly standing: Exclude<VideoStatus, { kind: 'none' }>;
  readonly music: PartMusic;
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

const hideMilliseconds = 3_000;
/** A pointer that moved less than this has pressed, not dragged. */
const pressReach = 6;
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
  const { window: screen, room } = useFreeArea(panelHeight);
  const [place, setPlace] = useState(() => parsePlace(remembered('videoPlace')) ?? firstPlace);
  const full = useFullScreen(frame);
  const [isAwake, setAwake] = useState(true);
  const [isMenuOpen, setMenuOpen] = useState(false);
  // An open menu would act on the part that the page has switched to.
  useLayoutEffect(() => () => setMenuOpen(false), [part.id]);

  const aspect = video?.width && video.height ? video.width / video.height : 16 / 9;
  const box = room && boxOf(place, aspect, room, screen);
  const isFull = full.state !== null;
  const isSmall = !isFull && (box?.width ?? 0) < wideEnough;

  const move = (to: Box): void => {
    if (!room) return;
    const next = placeOf(to, aspect, room, screen);
    setPlace(next);
    remember('videoPlace', placeText(next));
  };

  // Hiding the buttons.
  const isMoving = state !== null && (isFollowing ? state.isPlaying : state.isPlaying && state.problem === null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wake = (): void => {
    setAwake(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Keyboard users still need the buttons.
      if (!frame.current?.querySelector(':focus-visible') && !frame.current?.matches(':focus-visible')) setAwake(false);
    }, hideMilliseconds);
  };
  useEffect(() => {
    wake();
    return () => clearTimeout(timer.current);
  }, [isMoving, isMenuOpen, isFull]);
  const areShown = isAwake || !isMoving || isMenuOpen || standing.kind !== 'ready';

  // Dragging.
  const drag = useRef<{ id: number; x: number; y: number; box: Box; isCorner: boolean; hasMoved: boolean } | null>(null);
  const pressed = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0 || !box) return;
    const target = event.target as Element;
    if (target.closest('button, input, select, [role=menu], a')) return;
    const isCorner = target.closest('.video-corner') !== null;
    drag.current = { id: event.pointerId, x: event.clientX, y: event.clientY, box, isCorner, hasMoved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const dragged = (event: PointerEvent<HTMLElement>): void => {
    const { current } = drag;
    if (!current || current.id !== event.pointerId) {
      if (event.pointerType === 'mouse') wake();
      return;
    }
    const [dx, dy] = [event.clientX - current.x, event.clientY - current.y];
    if (!current.hasMoved && Math.hypot(dx, dy) < pressReach) return;
    current.hasMoved = true;
    if (isFull) return;
    move(current.isCorner
      ? draggedCorner(current.box, dx, dy)
      : { ...current.box, left: current.box.left + dx, top: current.box.top + dy });
  };
  const released = (event: PointerEvent<HTMLElement>): void => {
    const { current } = drag;
    if (!current || current.id !== event.pointerId) return;
    drag.current = null;
    if (current.hasMoved || event.pointerType === 'mouse') wake();
    else if (areShown && isMoving) setAwake(false);
    else wake();
  };

  const keyed = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const isFrame = event.target === frame.current;
    if ((event.target as Element).closest('[role=menu]')) return;
    const moved = isFrame && !isFull && box ? movedByKey(box, event.key, event.shiftKey) : null;
    if (moved) {
      move(moved);
    } else if (event.key === 'Escape' && full.state === 'filling') full.leave();
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) setMenuOpen(true);
    else if (event.key === ',' || event.key === '.') {
      const frames = event.key === '.' ? 1 : -1;
      if (isFollowing && video) player.skip(Math.round(frames * frameSecondsOf(video) * framesPerSecond));
      else picture?.step(frames);
    } else if (event.key === ' ' && isFrame) toggle();
    else if (event.key.toLowerCase() === 'm') mirrorVideo(library, part);
    else if (event.key.toLowerCase() === 'f') full.toggle();
    else return;
    wake();
    event.preventDefault();
  };
  const toggle = (): void => {
    if (isFollowing) player.toggle();
    else picture?.toggle();
  };

  // A video that had no room beside the large player comes back when there is room.
  const wasHidden = useRef(false);
  const isHidden = box === null && !isFull;
  useLayoutEffect(() => {
    if (isHidden && !wasHidden.current) announce('The video is hidden while the player is large');
    wasHidden.current = isHidden;
  }, [isHidden]);

  const name = video ? videoName(video) : 'Video';
  const style = !isFull && box
    ? { left: box.left, top: box.top, width: box.width, height: box.height } : undefined;
  const classes = [
    'video-frame', full.state === 'filling' ? 'is-filling' : '', isFull ? 'is-full' : '', isHidden ? 'is-hidden' : '',
    areShown ? '' : 'is-asleep', isSmall ? 'is-small' : '', part.videoMirrored === 1 ? 'is-mirrored' : '',
  ].join(' ');
  const isEmpty = isFollowing && state !== null && state.material !== 'here';
  return (
    <div
      ref={frame} className={classes} style={style} role="region" tabIndex={0} data-testid="video" data-state={standing.kind}
      aria-label={`Video: ${name}`} aria-describedby="video-keys"
      data-following={isFollowing} data-controls={areShown ? 'shown' : 'hidden'}
      onPointerDown={pressed} onPointerMove={dragged} onPointerUp={released}
      onPointerCancel={() => { drag.current = null; }} onKeyDown={keyed}
      onFocus={wake} onBlur={wake}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuOpen(true);
      }}
    >
      <span id="video-keys" className="only-spoken">Arrow keys move it, plus and minus resize it.</span>
      <div className={isEmpty ? 'video-picture is-dim' : 'video-picture'} ref={home} data-testid="video-picture" />
      {isEmpty && state && (
        <p className="video-word" data-testid="video-word">
          {{ before: 'Before the video', after: 'After the video', short: 'Too short to follow', here: '' }[state.material]}
        </p>
      )}
      {isFull && <Countdown />}
      {(standing.kind !== 'ready' || state?.problem) && (
        <VideoNotice
          part={part} standing={standing} problem={state?.problem ?? null}
          onRetry={() => picture?.reload()} onReplace={props.onReplace}
        />
      )}
      <Controls
        part={part} picture={picture} state={state} isFollowing={isFollowing} isSmall={isSmall} full={full}
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
