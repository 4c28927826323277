// The drawing of a QR code in an answer of the server.

/** A QR code: its side length in modules, and the outline of the dark ones. */
export interface QRDrawing {
  readonly side: number;
  readonly path: string;
}

/**
 * Takes only the size and the outline from the server's drawing, so that no other markup gets into
 * the page.
 */
export function drawingOf(picture: unknown): QRDrawing | null {
  const svg = typeof picture === 'string' ? picture : '';
  const side = /viewBox="0 0 (\d{1,4}) \d{1,4}"/.exec(svg)?.[1];
  const path = /\bd="([MmHhVvLlZz\d .,-]+)"/.exec(svg)?.[1];
  return side === undefined || path === undefined ? null : { side: Number(side), path };
}
