// Which stretch of a track is seen, and how zooming, panning and following move it. Pure.

/** The visible stretch. Pixels are CSS pixels from the left edge of the wave. */
export interface Viewport {
  readonly lengthFrames: number;
  readonly width: number;
  /** Where the left edge stands; not always a whole frame. */
  readonly startFrame: number;
  readonly framesPerPixel: number;
}

/** As near as one can go: sixteen pixels for one frame. */
export const finestFramesPerPixel = 1 / 16;

/** How much one press of a zoom button or key changes the scale. */
export const zoomStep = 2;

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/** Shows the whole track. */
export function wholeView(lengthFrames: number, width: number): Viewport {
  const length = Math.max(1, lengthFrames);
  const pixels = Math.max(1, width);
  return { lengthFrames: length, width: pixels, startFrame: 0, framesPerPixel: length / pixels };
}

/** Finds the frame at a pixel, not rounded. */
export function frameAt(view: Viewport, pixel: number): number {
  return view.startFrame + pixel * view.framesPerPixel;
}

/** Finds the pixel of a frame, not rounded. */
export function pixelAt(view: Viewport, frame: number): number {
  return (frame - view.startFrame) / view.framesPerPixel;
}

/** Counts the frames that are seen. */
export function shownFrames(view: Viewport): number {
  return view.width * view.framesPerPixel;
}

/** The frame at the right edge; never behind the track's end. */
export function endFrame(view: Viewport): number {
  return Math.min(view.lengthFrames, view.startFrame + shownFrames(view));
}

/** Says whether the whole track is seen. */
export function isWhole(view: Viewport): boolean {
  return view.framesPerPixel >= coarsestFor(view);
}

/** Says whether one can't come nearer. */
export function isFinest(view: Viewport): boolean {
  return view.framesPerPixel <= finestFor(view);
}

const coarsestFor = ({ lengthFrames, width }: Viewport): number => lengthFrames / width;
const finestFor = (view: Viewport): number => Math.min(finestFramesPerPixel, coarsestFor(view));

/** Puts scale and start back into what the track allows. */
function inside(view: Viewport, startFrame: number, framesPerPixel = view.framesPerPixel): Viewport {
  const scale = clamp(framesPerPixel, finestFor(view), coarsestFor(view));
  const latest = Math.max(0, view.lengthFrames - scale * view.width);
  return { ...view, framesPerPixel: scale, startFrame: clamp(startFrame, 0, latest) };
}

/**
 * Zooms by a factor, in above 1 and out below; the frame at `pixel` stays there, as far as the ends
 * of the track allow.
 */
export function zoomAbout(view: Viewport, pixel: number, factor: number): Viewport {
  return zoomTo(view, frameAt(view, pixel), pixel, view.framesPerPixel / factor);
}

/** Takes a scale, and puts a frame at a pixel; two fingers do this. */
export function zoomTo(view: Viewport, frame: number, pixel: number, framesPerPixel: number): Viewport {
  const scale = clamp(framesPerPixel, finestFor(view), coarsestFor(view));
  return inside(view, frame - pixel * scale, scale);
}

/** Moves the view to the right by so many pixels; below zero to the left. */
export function panBy(view: Viewport, pixels: number): Viewport {
  return inside(view, view.startFrame + pixels * view.framesPerPixel);
}

/** Moves the view so that its left edge stands at a frame. */
export function panTo(view: Viewport, startFrame: number): Viewport {
  return inside(view, startFrame);
}

/** Moves the view so that a frame is in the middle. */
export function centreOn(view: Viewport, frame: number): Viewport {
  return inside(view, frame - shownFrames(view) / 2);
}

/** Shows a stretch, with a twentieth of the width free on both sides. */
export function showRange(view: Viewport, startFrame: number, endFrame: number): Viewport {
  const scale = (Math.max(1, endFrame - startFrame) / view.width) * (10 / 9);
  const fitted = inside(view, startFrame, scale);
  return centreOn(fitted, (startFrame + endFrame) / 2);
}

/** Pans, if need be, until a frame stands at least 24 pixels from both edges. */
export function reveal(view: Viewport, frame: number): Viewport {
  const margin = Math.min(24, view.width / 4);
  const pixel = pixelAt(view, frame);
  if (pixel >= margin && pixel <= view.width - margin) return view;
  const isFar = pixel < -view.width || pixel > 2 * view.width;
  if (isFar) return centreOn(view, frame);
  return panBy(view, pixel < margin ? pixel - margin : pixel - view.width + margin);
}

/** Moves one edge of the visible stretch to a frame, as in the overview; the other edge stays. */
export function moveEdge(view: Viewport, edge: 'left' | 'right', frame: number): Viewport {
  const left = view.startFrame;
  const right = view.startFrame + shownFrames(view);
  const to = clamp(frame, 0, view.lengthFrames);
  const least = finestFor(view) * view.width;
  if (edge === 'right') return inside(view, left, Math.max(least, to - left) / view.width);
  const span = Math.max(least, right - to);
  return inside(view, right - span, span / view.width);
}

/** Takes a new width and keeps the visible stretch. */
export function resized(view: Viewport, width: number): Viewport {
  const pixels = Math.max(1, width);
  return inside({ ...view, width: pixels }, view.startFrame, shownFrames(view) / pixels);
}

/** How much of the way to the middle the view glides with one picture. */
const glide = 0.1;

/**
 * Follows the needle, which has come from `lastFrame`. Smoothly: once it has passed the middle it is
 * held and the wave moves, gliding when it came from further right. Otherwise page by page, for those
 * who want no motion.
 */
export function follow(view: Viewport, frame: number, lastFrame: number, isSmooth: boolean): Viewport {
  const pixel = pixelAt(view, frame);
  if (!isSmooth) {
    const isSeen = pixel >= 0 && pixel <= view.width * 0.95;
    return isSeen ? view : panBy(view, pixel - view.width * 0.05);
  }
  if (pixel < 0 || pixel > view.width) return panBy(view, pixel - view.width * 0.25);
  const rest = pixel - view.width / 2;
  if (rest <= 0) return view;
  const advance = Math.max(0, frame - lastFrame) / view.framesPerPixel;
  return panBy(view, Math.min(rest, advance + rest * glide));
}
