// The picture: two players of one file, of which one is visible. It plays by itself, or follows the
// music.

import { Listeners } from '../sync/listeners';
import { lateWords } from '../words/lateWords';
import type { Heard, Material } from './follow';
import { Follower } from './follow';
import type { VideoElementState, Order } from './steering';

/** What the controls show; the object is replaced, never changed. */
export interface VideoPlayerState {
  readonly isPlaying: boolean;
  /** Seconds of the video. */
  readonly time: number;
  readonly duration: number;
  readonly isMuted: boolean;
  readonly isLooping: boolean;
  readonly speed: number;
  readonly isFollowing: boolean;
  readonly material: Material;
  /** Whether the picture waits for data. */
  readonly isLoading: boolean;
  readonly problem: string | null;
}

/** The music to follow. */
export interface Music {
  /** What is playing; null if it does not belong to this video. */
  readonly heard: () => Heard | null;
  /** Calls back when the music's playback changes; returns a function that stops it. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** What a picture is made of. */
export interface VideoPlayerOptions {
  readonly address: string;
  readonly poster: string;
  readonly frameSeconds: number;
  readonly music: Music;
  readonly isMuted: boolean;
  /** Called when the video starts to sound by itself: video and music must never sound at once. */
  readonly onSound: () => void;
}

/** The speeds offered while it plays by itself. */
export const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2] as const;

const watched = ['play', 'pause', 'seeked', 'loadedmetadata', 'durationchange', 'waiting', 'playing', 'volumechange', 'ended'] as const;

/** How often it reloads automatically after an error. */
const mostTries = 3;
/** After an error the second player is reloaded at most once in this many seconds. */
const spareSeconds = 5;

/** One video on the page. */
export class VideoPlayer {
  private current: VideoPlayerState;
  private readonly listeners = new Listeners();
  private readonly follower: Follower;
  private shown: HTMLVideoElement;
  /** Alternates with the visible one; it loads nothing before it is needed. */
  private spare: HTMLVideoElement;
  private offset: number | null = null;
  private isFollowing = false;
  private isMuted: boolean;
  /** Whether the video may sound together with the music. */
  private isHeardToo = false;
  private isLooping = false;
  private speed = 1;
  private material: Material = 'here';
  private problem: string | null = null;
  private triesLeft = mostTries;
  /** The time from which the second player may be loaded, in seconds. */
  private spareDue = 0;
  private request = 0;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly home: HTMLElement, private readonly options: VideoPlayerOptions) {
    this.follower = new Follower(options.frameSeconds);
    this.isMuted = options.isMuted;
    this.shown = this.makePlayer();
    this.spare = this.makePlayer();
    this.shown.poster = options.poster;
    this.shown.src = options.address;
    this.current = this.state();
    this.place();
    this.stops.push(options.music.subscribe(this.musicChanged));
    this.request = requestAnimationFrame(this.draw);
  }

  /** The current state; the same object until something changes. */
  get snapshot(): VideoPlayerState {
    return this.current;
  }

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** The visible player, for picture-in-picture. */
  get element(): HTMLVideoElement {
    return this.shown;
  }

  /** Follows the music with an offset, or plays by itself if it is null. */
  follow(offset: number | null): void {
    this.offset = offset;
    const isFollowing = offset !== null;
    if (isFollowing !== this.isFollowing) {
      this.isFollowing = isFollowing;
      for (const player of [this.shown, this.spare]) player.pause();
      this.shown.playbackRate = this.speed;
      this.material = 'here';
    }
    this.tick();
  }

  play(): void {
    if (this.isFollowing) return;
    if (!this.isSilent) this.options.onSound();
    this.shown.play().catch((failure: unknown) => {
      // Without a user gesture the browser only allows muted playback.
      if (!(failure instanceof DOMException) || failure.name !== 'NotAllowedError') return;
      this.setMuted(true);
      this.shown.play().catch(() => undefined);
    });
  }

  pause(): void {
    if (!this.isFollowing) this.shown.pause();
  }

  toggle(): void {
    if (this.shown.paused) this.play();
    else this.pause();
  }

  seek(time: number): void {
    if (!this.isFollowing) this.shown.currentTime = Math.min(this.shown.duration || 0, Math.max(0, time));
    this.tell();
  }

  /** Moves by whole frames of the video. */
  step(frames: number): void {
    if (this.isFollowing) return;
    this.shown.pause();
    const { frameSeconds } = this.options;
    // The middle of a frame: its edges may be rounded into the neighbouring frame.
    this.seek((Math.floor(this.shown.currentTime / frameSeconds + 0.01) + frames + 0.5) * frameSeconds);
  }

  setMuted(isMuted: boolean): void {
    if (this.isFollowing) this.isHeardToo = !isMuted;
    else this.isMuted = isMuted;
    if (!isMuted && !this.isFollowing && !this.shown.paused) this.options.onSound();
    this.tell();
  }

  setLooping(isLooping: boolean): void {
    this.isLooping = isLooping;
    this.tell();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (!this.isFollowing) this.shown.playbackRate = speed;
    this.tell();
  }

  /** Reloads it at the same position. */
  reload(): void {
    this.triesLeft = mostTries;
    this.loadAnew();
  }

  /** Reports an error in a sentence. */
  fail(sentence: string): void {
    this.problem = sentence;
    this.tell();
  }

  /** Releases everything. */
  dispose(): void {
    cancelAnimationFrame(this.request);
    for (const stop of this.stops) stop();
    this.listeners.clear();
    for (const player of [this.shown, this.spare]) {
      player.pause();
      // A player continues to load as long as it has a source.
      player.removeAttribute('src');
      player.load();
      player.remove();
    }
  }

  private loadAnew(): void {
    const { currentTime } = this.shown;
    this.problem = null;
    for (const player of [this.shown, this.spare]) {
      if (player !== this.shown && !player.src) continue;
      player.src = this.options.address;
      player.load();
    }
    this.shown.currentTime = currentTime;
    this.tell();
  }

  private makePlayer(): HTMLVideoElement {
    const player = document.createElement('video');
    player.playsInline = true;
    player.preload = 'auto';
    player.muted = true;
    player.tabIndex = -1;
    player.setAttribute('aria-hidden', 'true');
    player.setAttribute('disableremoteplayback', '');
    const changed = (): void => this.tell();
    const failed = (): void => {
      if (player === this.shown && player.error) void this.explain();
    };
    for (const type of watched) player.addEventListener(type, changed);
    player.addEventListener('error', failed);
    this.stops.push(() => {
      for (const type of watched) player.removeEventListener(type, changed);
      player.removeEventListener('error', failed);
    });
    this.home.append(player);
    return player;
  }

  /**
   * Finds out why the picture does not appear; an element does not distinguish a lost network from
   * a bad file. If the file can be fetched, it is reloaded before the browser is blamed.
   */
  private async explain(): Promise<void> {
    const { unreached, notPlayable, fileMissing } = lateWords.video;
    const isBroken = this.shown.error?.code === MediaError.MEDIA_ERR_NETWORK;
    let isHere = false;
    const sentence = await fetch(this.options.address, { headers: { Range: 'bytes=0-0' } }).then(
      async (response) => {
        isHere = response.ok;
        if (isHere) return isBroken ? unreached : notPlayable;
        if (response.status === 404) return fileMissing;
        const told = await response.json().catch(() => null) as { detail?: unknown } | null;
        return typeof told?.detail === 'string' ? told.detail : unreached;
      }, () => unreached);
    if (!this.shown.error) return;
    if (!isHere || this.triesLeft === 0) this.fail(sentence);
    else {
      const { paused } = this.shown;
      this.triesLeft -= 1;
      this.loadAnew();
      if (!paused) this.play();
    }
  }

  private get isSilent(): boolean {
    return this.isFollowing ? !this.isHeardToo : this.isMuted;
  }

  private readonly draw = (): void => {
    this.request = requestAnimationFrame(this.draw);
    this.tick();
  };

  /** A hidden page draws nothing, but picture-in-picture continues. */
  private readonly musicChanged = (): void => {
    if (document.hidden) this.tick();
  };

  private tick(): void {
    if (!this.isFollowing || this.offset === null) {
      if (!this.shown.paused) this.tell();
      return;
    }
    const heard = this.options.music.heard();
    if (this.problem !== null || !heard) {
      for (const player of [this.shown, this.spare]) if (!player.paused) player.pause();
      this.tell();
      return;
    }
    // Picture-in-picture shows only one element.
    const isAlone = document.pictureInPictureElement === this.shown;
    const now = performance.now() / 1_000;
    const needsSpare = heard.wraps && !isAlone && (!this.spare.src || this.spare.error);
    if (needsSpare && now >= this.spareDue) {
      this.spareDue = now + spareSeconds;
      this.spare.src = this.options.address;
    }
    const hasSpare = this.spare.src !== '' && !isAlone;
    if (!(this.shown.duration > 0)) return;
    const decision = this.follower.decide(
      now, heard, this.offset, deckOf(this.shown), hasSpare ? deckOf(this.spare) : null);
    if (decision.swaps) {
      [this.shown, this.spare] = [this.spare, this.shown];
      this.place();
    }
    apply(this.shown, decision.shown);
    if (decision.spare) apply(this.spare, decision.spare);
    else if (!this.spare.paused) this.spare.pause();
    this.material = decision.material;
    // The frame it follows, for tests.
    this.home.dataset['heard'] = String(Math.round(heard.frame));
    this.home.dataset['offset'] = String(this.offset);
    this.tell();
  }

  /** The visible player is on top. */
  private place(): void {
    this.shown.dataset['role'] = 'shown';
    this.spare.dataset['role'] = 'spare';
  }

  private state(): VideoPlayerState {
    const { shown } = this;
    return {
      isPlaying: !shown.paused && !shown.ended,
      // Ten updates a second are enough for reading.
      time: shown.paused ? shown.currentTime : Math.floor(shown.currentTime * 10) / 10,
      duration: Number.isFinite(shown.duration) ? shown.duration : 0,
      isMuted: this.isSilent,
      isLooping: this.isLooping,
      speed: this.speed,
      isFollowing: this.isFollowing,
      material: this.material,
      isLoading: shown.readyState < 2 && this.problem === null,
      problem: this.problem,
    };
  }

  private tell(): void {
    const { shown, spare, isSilent } = this;
    if (shown.muted !== isSilent) shown.muted = isSilent;
    if (!spare.muted) spare.muted = true;
    // Inaudible players need no pitch correction, which costs CPU time.
    for (const player of [shown, spare]) if (player.preservesPitch === player.muted) player.preservesPitch = !player.muted;
    const loops = this.isLooping && !this.isFollowing;
    if (shown.loop !== loops) shown.loop = loops;
    if (spare.loop) spare.loop = false;
    const next = this.state();
    const keys = Object.keys(next) as (keyof VideoPlayerState)[];
    if (keys.every((key) => next[key] === this.current[key])) return;
    this.current = next;
    this.listeners.tell();
  }
}

function deckOf(player: HTMLVideoElement): VideoElementState {
  return {
    time: player.currentTime,
    duration: player.duration > 0 ? player.duration : 0,
    // At its end a player needs no more data.
    isBusy: player.seeking || (player.readyState < 3 && !player.ended),
    isPaused: player.paused,
  };
}

function apply(player: HTMLVideoElement, order: Order): void {
  if (order.seekTo !== null) player.currentTime = order.seekTo;
  const rate = Math.min(4, Math.max(0.0625, order.rate));
  if (Math.abs(player.playbackRate - rate) > 0.0001) player.playbackRate = rate;
  if (order.shouldPlay && player.paused) {
    // Interrupted by the next pause, or blocked: the next update tries again.
    player.play().catch(() => undefined);
  } else if (!order.shouldPlay && !player.paused) player.pause();
}
