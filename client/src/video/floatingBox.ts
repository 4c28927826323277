// The position of the floating video: stored as fractions, always inside the area that the window
// and the audio player leave. Pure.

/** A rectangle in CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The stored form: fits every window. */
export interface FloatingPlacement {
  /** The share of the free space that is on its left, and above it. */
  readonly x: number;
  readonly y: number;
  /** Width plus height, as a share of the window's. */
  readonly size: number;
}

/** The initial position: at the right, below the head of the page. */
export const firstPlace: FloatingPlacement = { x: 1, y: 0.3, size: 0.36 };

/** Above the large player of an upright phone: as wide as there is room. */
export const topPlace: FloatingPlacement = { x: 0.5, y: 0, size: 2 };

/** A narrower video has no room for the essential buttons. */
export const leastWidth = 200;
export const leastHeight = 132;

/** Parses a stored position; null if it is invalid. */
export function parsePlace(text: string | null): FloatingPlacement | null {
  const [x, y, size, more] = (text ?? '').split(' ').map(Number);
  if (more !== undefined || ![x, y, size].every((each) => each !== undefined && Number.isFinite(each))) return null;
  return { x: within(x ?? 0, 0, 1), y: within(y ?? 0, 0, 1), size: within(size ?? 0, 0.05, 2) };
}

/** Formats a position for storage. */
export function placeText({ x, y, size }: FloatingPlacement): string {
  return [x, y, size].map((share) => share.toFixed(4)).join(' ');
}

/**
 * Returns the rectangle of a video with an aspect (width by height) in the available area. The size
 * depends on the window, so that it stays the same when the audio player grows.
 */
export function boxOf(place: FloatingPlacement, aspect: number, room: Box, window: { width: number; height: number }): Box {
  const { width, height } = fitted((place.size * (window.width + window.height)) / (1 + 1 / aspect), aspect, room);
  return {
    left: room.left + within(place.x, 0, 1) * (room.width - width),
    top: room.top + within(place.y, 0, 1) * (room.height - height),
    width, height,
  };
}

/** Returns the stored form of a rectangle that was moved or resized, moved back into the area. */
export function placeOf(
  box: Box, aspect: number, room: Box, window: { width: number; height: number },
): FloatingPlacement {
  const { width, height } = fitted(box.width, aspect, room);
  const share = (at: number, free: number): number => (free <= 0 ? 0 : within(at / free, 0, 1));
  return {
    x: share(box.left - room.left, room.width - width),
    y: share(box.top - room.top, room.height - height),
    size: (width + height) / (window.width + window.height),
  };
}

/** Returns a size near the wanted width: large enough for its buttons, not larger than the area. */
function fitted(wantedWidth: number, aspect: number, room: Box): { width: number; height: number } {
  const least = Math.max(leastWidth, leastHeight * aspect);
  const most = Math.min(room.width, room.height * aspect);
  const width = Math.max(0, Math.min(most, Math.max(least, wantedWidth)));
  return { width, height: width / aspect };
}

/**
 * Returns the area for the video: the window without its edges (the phone's safe areas, the head of the
 * page) and without the elements at its bottom (the audio player, a panel). Null if too little is left.
 */
export function roomAbove(
  window: { width: number; height: number }, edges: { top: number; left: number; right: number }, bottom: number,
): Box | null {
  const gap = 8;
  const room = {
    left: edges.left + gap, top: edges.top + gap,
    width: window.width - edges.left - edges.right - 2 * gap,
    height: window.height - edges.top - bottom - 2 * gap,
  };
  return room.height < 72 || room.width < 72 ? null : room;
}

/** How far an arrow key moves, in pixels. */
export const keyStep = 16;
const largeKeyStep = 96;
/** How much larger or smaller one press makes it. */
export const growth = 1.15;

/** Returns the rectangle after a key press, or null for an unused key. */
export function movedByKey(box: Box, key: string, isLarge: boolean): Box | null {
  const step = isLarge ? largeKeyStep : keyStep;
  switch (key) {
    case 'ArrowLeft': return { ...box, left: box.left - step };
    case 'ArrowRight': return { ...box, left: box.left + step };
    case 'ArrowUp': return { ...box, top: box.top - step };
    case 'ArrowDown': return { ...box, top: box.top + step };
    case '+': case '=': return grown(box, growth);
    case '-': case '−': return grown(box, 1 / growth);
    default: return null;
  }
}

/** Scales a rectangle around its centre. */
export function grown(box: Box, factor: number): Box {
  const width = box.width * factor;
  const height = box.height * factor;
  return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height };
}

/** Returns the rectangle after its lower right corner was dragged; the aspect stays. */
export function draggedCorner(box: Box, dx: number, dy: number): Box {
  const aspect = box.width / box.height;
  // The larger of both movements counts, so that dragging along one edge resizes too.
  const wider = Math.abs(dx) >= Math.abs(dy * aspect) ? dx : dy * aspect;
  const width = Math.max(1, box.width + wider);
  return { ...box, width, height: width / aspect };
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
