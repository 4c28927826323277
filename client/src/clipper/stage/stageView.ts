// The stage's moving view: the visible range, following the playhead, and its listeners. No DOM.

import { Listeners } from '../../sync/listeners';
import { follow, isWhole, panBy, pixelAt, resized, shownFrames, wholeView, type Viewport } from './viewport';

/**
 * The reference for positions over the wave. It changes only with the zoom, or after the view has
 * moved far; in between whole layers are moved.
 */
export interface Frame {
  readonly originFrame: number;
  readonly framesPerPixel: number;
  readonly width: number;
  /** The range for which elements are positioned. */
  readonly startFrame: number;
  readonly endFrame: number;
}

/** A drag over the wave that may scroll the view at its edges. */
export interface Pull {
  /** Its start and current position, in pixels of the view. */
  readonly begin: number;
  pixel: number;
  /** Called when the view has moved below it. */
  readonly onMoved: () => void;
}

/**
 * The distance from the edge at which a drag starts to scroll, and the maximum speed in pixels per
 * animation frame.
 */
const edgePixels = 16;
const mostPullPixels = 24;

/** Holds the view, and notifies listeners when it must be drawn. */
export class StageView {
  private shown: Viewport;
  private placed: Frame;
  private following = true;
  private lastNeedle = 0;
  /** The current drag; during a drag the playhead is not followed. */
  pull: Pull | null = null;
  private readonly paintListeners = new Listeners();
  private readonly frameListeners = new Listeners();
  private isStale = true;

  constructor(lengthFrames: number) {
    this.shown = wholeView(lengthFrames, 1);
    this.placed = frameFor(this.shown);
  }

  get view(): Viewport {
    return this.shown;
  }

  /** The reference for positions. */
  get frame(): Frame {
    return this.placed;
  }

  /** Whether the view follows the playhead during playback. */
  get isFollowing(): boolean {
    return this.following;
  }

  /** Shows another range; drawn with the next animation frame. */
  show(view: Viewport): void {
    const { startFrame, framesPerPixel, width } = this.shown;
    const isSame = view.startFrame === startFrame && view.framesPerPixel === framesPerPixel
      && view.width === width;
    if (isSame) return;
    this.shown = view;
    this.repaint();
  }

  /** Sets the width. */
  resize(width: number): void {
    this.show(resized(this.shown, width));
  }

  /** Starts or stops following the playhead. */
  setFollowing(isFollowing: boolean): void {
    if (isFollowing === this.following) return;
    this.following = isFollowing;
    this.frameListeners.tell();
  }

  /** Moves the view with the playhead, if it follows. */
  followNeedle(needleFrame: number, isSmooth: boolean): void {
    const last = this.lastNeedle;
    this.lastNeedle = needleFrame;
    if (!this.following || this.pull || isWhole(this.shown)) return;
    this.show(follow(this.shown, needleFrame, last, isSmooth));
  }

  /** Moves the view if a drag is at one of its edges; called once per animation frame. */
  pullAtEdge(): void {
    const { pull, shown } = this;
    if (!pull) return;
    const beyondLeft = pull.pixel < pull.begin ? edgePixels - pull.pixel : 0;
    const beyondRight = pull.pixel > pull.begin ? pull.pixel - shown.width + edgePixels : 0;
    const pixels = Math.min(mostPullPixels, Math.max(0, beyondRight)) - Math.min(mostPullPixels, Math.max(0, beyondLeft));
    if (pixels === 0) return;
    this.show(panBy(shown, pixels));
    if (this.shown !== shown) pull.onMoved();
  }

  /** After a zoom: continues to follow only if the playhead is still visible. */
  keepFollowing(needleFrame: number): void {
    const pixel = pixelAt(this.shown, needleFrame);
    if (pixel < 0 || pixel > this.shown.width) this.setFollowing(false);
  }

  /** Redraws everything with the next animation frame. */
  repaint = (): void => {
    this.isStale = true;
  };

  /** Draws the changes; called once per animation frame. */
  paint(): void {
    if (!this.isStale) return;
    this.isStale = false;
    this.place();
    this.paintListeners.tell();
  }

  /** Calls `listener` when the view must be drawn; returns a function that stops it. */
  readonly onPaint = this.paintListeners.add;

  /**
   * Calls `listener` when `frame` or `isFollowing` has changed; returns a function that stops it.
   */
  readonly subscribe = this.frameListeners.add;

  private place(): void {
    const { shown, placed } = this;
    const isPlaced = shown.framesPerPixel === placed.framesPerPixel && shown.width === placed.width
      && shown.startFrame >= placed.startFrame && shown.startFrame + shownFrames(shown) <= placed.endFrame;
    if (isPlaced) return;
    this.placed = frameFor(shown);
    this.frameListeners.tell();
  }
}

/** Positions elements for one and a half widths on both sides of the view. */
function frameFor(view: Viewport): Frame {
  const room = 1.5 * shownFrames(view);
  return {
    originFrame: Math.round(view.startFrame),
    framesPerPixel: view.framesPerPixel,
    width: view.width,
    startFrame: view.startFrame - room,
    endFrame: view.startFrame + shownFrames(view) + room,
  };
}
