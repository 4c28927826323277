// The player's integration with the system: media keys, the lock screen, and the screen wake lock.
import type { Direction } from '../counts/grid';
import { framesPerSecond } from '../timeline';
import type { Player } from './player';
import { Silence } from './silence';

const secondsToSkip = 10;
/** A larger difference in the displayed position is corrected. */
const secondsOff = 0.5;

export interface MediaInfo {
  title: string;
  artist: string;
  /** The range of the lock screen's progress; without it none is shown. */
  startFrame?: number;
  endFrame?: number;
  /** Moves back or forward in its own way; false if the seconds that the system names are right. */
  onSeek?: (direction: Direction) => boolean;
  onPrevious?: () => void;
  onNext?: () => void;
}

/**
 * One for each player: on a phone only a gesture starts a media element, but a run switches parts
 * without one.
 */
const silences = new WeakMap<Player, Silence>();

/**
 * Binds media keys and the lock screen to the player. Returns a function that undoes it; while the
 * player continues, as between the parts of a run, everything stays until the next binding.
 */
export function bindMediaSession(player: Player, info: MediaInfo): () => void {
  if (!hasMediaKeys()) return () => undefined;
  const session = navigator.mediaSession;
  if (typeof MediaMetadata === 'function') {
    session.metadata = new MediaMetadata({
      title: info.title,
      artist: info.artist,
      artwork: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
    });
  }
  const skip = (direction: Direction) => (details: MediaSessionActionDetails): void => {
    if (info.onSeek?.(direction)) return;
    player.skip(direction * (details.seekOffset ?? secondsToSkip) * framesPerSecond);
  };
  const actions: [MediaSessionAction, MediaSessionActionHandler | null][] = [
    ['play', () => player.play()],
    ['pause', () => player.pause()],
    ['stop', () => player.pause()],
    ['seekbackward', skip(-1)],
    ['seekforward', skip(1)],
    ['seekto', (details) => {
      if (details.seekTime === undefined || details.seekTime === null) return;
      player.seek((info.startFrame ?? 0) + details.seekTime * framesPerSecond);
    }],
    ['previoustrack', info.onPrevious ?? null],
    ['nexttrack', info.onNext ?? null],
  ];
  for (const [action, handler] of actions) setHandler(session, action, handler);

  const show = (): void => {
    const { wantsToPlay, state } = player.snapshot;
    session.playbackState = state === 'empty' ? 'none' : wantsToPlay ? 'playing' : 'paused';
  };
  const silence = silences.get(player) ?? new Silence();
  silences.set(player, silence);
  let isPlaying = false;
  const follow = (): void => {
    const { wantsToPlay } = player.snapshot;
    if (wantsToPlay === isPlaying) return;
    isPlaying = wantsToPlay;
    if (wantsToPlay) silence.play();
    else silence.pause();
  };
  let shown = '';
  let told = { seconds: 0, at: 0 };
  const tell = (): void => {
    const { wantsToPlay, state, repeat, percent } = player.snapshot;
    const seconds = secondsHeard(player, info);
    const now = performance.now();
    const counted = wantsToPlay ? ((now - told.at) / 1_000) * (percent / 100) : 0;
    const isRight = Math.abs(told.seconds + counted - seconds) < secondsOff;
    // The system advances the position by itself. It is updated when playback starts or stops, or
    // when the position is wrong, as after a seek and in a countdown.
    if (isRight && `${state} ${repeat} ${percent}` === shown) return;
    shown = `${state} ${repeat} ${percent}`;
    told = { seconds, at: now };
    showPosition(session, seconds, percent, info);
  };
  const unsubscribe = player.subscribe(() => {
    follow();
    show();
    tell();
  });
  follow();
  show();
  tell();

  return () => {
    unsubscribe();
    if (player.snapshot.wantsToPlay) return;
    silence.close();
    for (const [action] of actions) setHandler(session, action, null);
    session.metadata = null;
    session.playbackState = 'none';
  };
}

function setHandler(
  session: MediaSession, action: MediaSessionAction, handler: MediaSessionActionHandler | null,
): void {
  try {
    session.setActionHandler(action, handler);
  } catch {
    // Browsers refuse unknown actions; the others work without them.
  }
}

function secondsHeard(player: Player, { startFrame = 0, endFrame = 0 }: MediaInfo): number {
  const heard = Math.min(Math.max(player.position(), startFrame), endFrame);
  return (heard - startFrame) / framesPerSecond;
}

function showPosition(
  session: MediaSession, position: number, percent: number, { startFrame = 0, endFrame = 0 }: MediaInfo,
): void {
  if (endFrame <= startFrame || typeof session.setPositionState !== 'function') return;
  session.setPositionState({
    duration: (endFrame - startFrame) / framesPerSecond, position, playbackRate: percent / 100,
  });
}

interface WakeLockSentinelLike {
  release(): Promise<void>;
  addEventListener(type: 'release', listener: () => void): void;
}
interface WakeLockLike { request(type: 'screen'): Promise<WakeLockSentinelLike> }

/** Whether this browser supports media keys and the lock screen. */
export const hasMediaKeys = (): boolean => 'mediaSession' in navigator;

/**
 * Keeps the screen awake while the player plays, and reports whether the browser refuses that.
 * Returns a function that undoes it.
 */
export function keepAwakeWhilePlaying(player: Player, onWithheld?: (isWithheld: boolean) => void): () => void {
  return keepAwake({ wants: () => player.snapshot.wantsToPlay, subscribe: player.subscribe }, onWithheld);
}

/** What the screen is kept awake for; `subscribe` calls back when that may have changed. */
export interface Wakeful {
  readonly wants: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Keeps the screen awake while it is wanted, as above. */
export function keepAwake(
  wakeful: Wakeful, onWithheld: (isWithheld: boolean) => void = () => undefined,
): () => void {
  const { wakeLock } = navigator as { wakeLock?: WakeLockLike };
  if (!wakeLock) {
    onWithheld(true);
    return () => undefined;
  }
  let lock: WakeLockSentinelLike | null = null;
  let isAsking = false;
  let isOver = false;

  const wants = (): boolean =>
    !isOver && wakeful.wants() && document.visibilityState === 'visible';
  const drop = (): void => {
    const dropped = lock;
    // Cleared first: browsers report the release before `release` returns.
    lock = null;
    // Releasing fails if the system has already released the lock; nothing is left to do.
    dropped?.release().catch(() => undefined);
  };
  const settle = (): void => {
    if (!wants()) {
      drop();
      return;
    }
    if (lock || isAsking) return;
    isAsking = true;
    wakeLock.request('screen').then(
      (granted) => {
        isAsking = false;
        lock = granted;
        // The system may release it at any time, for instance on a low battery.
        granted.addEventListener('release', () => {
          if (lock !== granted) return;
          lock = null;
          settle();
        });
        onWithheld(false);
        if (!wants()) drop();
      },
      // Refused, for instance to save the battery. The next change tries again.
      () => {
        isAsking = false;
        // A page that was hidden meanwhile is refused too, but needs no lock.
        if (wants()) onWithheld(true);
      });
  };
  // The system releases the lock of a hidden page; it must be requested again.
  const onVisibility = (): void => {
    drop();
    settle();
  };

  let wanted = false;
  const unsubscribe = wakeful.subscribe(() => {
    if (wakeful.wants() === wanted) return;
    wanted = wakeful.wants();
    settle();
  });
  document.addEventListener('visibilitychange', onVisibility);
  wanted = wakeful.wants();
  settle();
  return () => {
    isOver = true;
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
    drop();
  };
}
