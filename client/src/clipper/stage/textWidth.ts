// Measures text, to decide whether a name has room.

let context: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();
const mostWidths = 2_000;

/** Returns the width of a text in a CSS font, in pixels; the same text is measured once. */
export function textWidth(text: string, font: string): number {
  const key = `${font} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = font;
  const { width } = context.measureText(text);
  if (widths.size >= mostWidths) widths.clear();
  widths.set(key, width);
  return width;
}
