// The size of type that fills a box, and the layout of the words on the screen. Pure: the caller measures.

/** A box in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** A size of type in whole pixels, and whether words are broken to reach it. */
export interface FittedType {
  readonly size: number;
  readonly breaksWords: boolean;
}

/** The smallest type. */
export const smallestType = 12;

/** Words are broken only if their type would be smaller than this share of the width: longer than some twenty letters. */
const wholeShare = 1 / 13;
/** Broken words are not larger than this share of the width. */
const brokenShare = 1 / 8;

/** Returns the largest whole size up to `most` that fits; `least` if none does. What is larger must not fit if something smaller does not. */
export function largestSize(fits: (size: number) => boolean, least: number, most: number): number {
  let low = least;
  let high = Math.max(least, Math.floor(most));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the largest type in which a text fits its box; it wraps between words, and within them only if they are very long. */
export function fittedType(
  fits: (type: FittedType) => boolean, { width }: Room, most: number, least = smallestType,
): FittedType {
  const whole = largestSize((size) => fits({ size, breaksWords: false }), least, most);
  if (whole >= Math.min(most, width * wholeShare)) return { size: whole, breaksWords: false };
  const broken = largestSize((size) => fits({ size, breaksWords: true }), least, Math.min(most, width * brokenShare));
  return broken > whole ? { size: broken, breaksWords: true } : { size: whole, breaksWords: false };
}

/** Whether the number stands beside the moves, in a room that is wide, or above them. */
export function isBeside({ width, height }: Room): boolean {
  return width >= height * 1.2;
}
