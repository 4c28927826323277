// How far the touch areas of borders extend: a finger's width, or less where borders are close. Pure.

/** The usual reach to each side, in pixels. */
export const mostReach = 22;
const leastReach = 12;

/**
 * Returns the reach of each border, given their places in pixels, in order. Between two close ones a
 * third of the room stays with the wave.
 */
export function reachesOf(places: readonly number[]): readonly number[] {
  return places.map((place, index) => {
    const [before = -Infinity, after = Infinity] = [places[index - 1], places[index + 1]];
    return Math.max(leastReach, Math.min(mostReach, (place - before) / 3, (after - place) / 3));
  });
}
