// The stage's view as it moves: what is seen, what follows the needle, and who is told. No DOM.

import { Listeners } from '../../sync/listeners';
import { follow, isWhole, panBy, pixelAt, resized, shownFrames, wholeView, type Viewport } from './viewport';

/**
 * What the things laid over the wave are placed by. It changes only with the zoom, or after the view
 * has moved far; in between the layers they are in are moved as a whole.
 */
export interface Frame {
  readonly originFrame: number;
  readonly framesPerPixel: number;
  readonly width: number;
  /** The stretch for which things are placed. */
  readonly startFrame: number;
  readonly endFrame: number;
}

/** A drag over the wave that may pull the view along at its edges. */
export interface Pull {
  /** Where it began and where it is now, in pixels of the view. */
  readonly begin: number;
  pixel: number;
  /** Called when the view has moved below it. */
  readonly onMoved: () => void;
}

/** How near the edge a drag begins to pull, and how fast it pulls at most, in pixels a picture. */
const edgePixels = 16;
const mostPullPixels = 24;

/** Holds the view, and tells of its changes once they are to be drawn. */
export class StageView {
  private shown: Viewport;
  private placed: Frame;
  private following = true;
  private lastNeedle = 0;
  /** The drag that is under way; while there is one the needle is not followed. */
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

  /** What overlaid things are placed by. */
  get frame(): Frame {
    return this.placed;
  }

  /** Whether the view keeps to the needle while the sound runs. */
  get isFollowing(): boolean {
    return this.following;
  }

  /** Shows another stretch; drawn with the screen's next picture. */
  show(view: Viewport): void {
    const { startFrame, framesPerPixel, width } = this.shown;
    const isSame = view.startFrame === startFrame && view.framesPerPixel === framesPerPixel
      && view.width === width;
    if (isSame) return;
    this.shown = view;
    this.repaint();
  }

  /** Takes another width. */
  resize(width: number): void {
    this.show(resized(this.shown, width));
  }

  /** Follows the needle from now on, or no more. */
  setFollowing(isFollowing: boolean): void {
    if (isFollowing === this.following) return;
    this.following = isFollowing;
    this.frameListeners.tell();
  }

  /** Moves on with the needle, when that is wanted. */
  followNeedle(needleFrame: number, isSmooth: boolean): void {
    const last = this.lastNeedle;
    this.lastNeedle = needleFrame;
    if (!this.following || this.pull || isWhole(this.shown)) return;
    this.show(follow(this.shown, needleFrame, last, isSmooth));
  }

  /** Moves the view when a drag has come to one of its edges; asked once for each picture. */
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

  /** After a zoom: goes on following only while the needle is still in sight. */
  keepFollowing(needleFrame: number): void {
    const pixel = pixelAt(this.shown, needleFrame);
    if (pixel < 0 || pixel > this.shown.width) this.setFollowing(false);
  }

  /** Asks for everything to be drawn with the next picture. */
  repaint = (): void => {
    this.isStale = true;
  };

  /** Draws what has changed; the stage asks once for each picture of the screen. */
  paint(): void {
    if (!this.isStale) return;
    this.isStale = false;
    this.place();
    this.paintListeners.tell();
  }

  /** Calls `listener` when the view is to be drawn; returns what stops it. */
  readonly onPaint = this.paintListeners.add;

  /** Calls `listener` when `frame` or `isFollowing` has changed; returns what stops it. */
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

/** Places things for one and a half widths on both sides of the view. */
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
