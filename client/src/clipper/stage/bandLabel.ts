// What a band says: its name, shortened if the band is long enough for that, or else its number. Pure.

/** The space at both sides of a name, in pixels, and at both sides of a number. */
const nameSpace = 18;
const numberSpace = 4;
/** The least room, in pixels, in which a shortened name can still be told. */
const leastName = 72;

/**
 * Returns the text of a band that is `width` pixels wide; empty if not even the number has room.
 *
 * @param widthOf Measures a text, in pixels.
 */
export function bandLabel(
  title: string, number: number, width: number, widthOf: (text: string) => number,
): { readonly text: string; readonly isNumber: boolean } {
  if (width - nameSpace >= Math.min(leastName, widthOf(title))) return { text: title, isNumber: false };
  const short = String(number);
  return { text: widthOf(short) <= width - numberSpace ? short : '', isNumber: true };
}
