// Byte ranges (RFC 9110, 14.2) of what is kept whole. Pure.

/** The bytes that are wanted: `end` is the one behind the last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a Range header of one range. Null: send all, as for no range, several, or one that can't be
 * read; 'none': it lies behind the end.
 */
export function rangeOf(header: string | null, bytes: number): Range | 'none' | null {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.replace(/\s/g, '') ?? '');
  const [, first = '', last = ''] = parts ?? [];
  if (!parts || (first === '' && last === '')) return null;
  if (first === '') {
    const count = Math.min(Number(last), bytes);
    return count === 0 ? 'none' : { start: bytes - count, end: bytes };
  }
  const start = Number(first);
  const end = last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  if (last !== '' && Number(last) < start) return null;
  return start >= bytes ? 'none' : { start, end };
}

/** A stretch of one of the pieces in which something is kept. */
export interface PieceStretch extends Range {
  readonly piece: number;
}

/** Gives the stretch of a piece that holds a byte, up to the end of the piece or of the range. */
export function stretchAt(byte: number, range: Range, pieceBytes: number): PieceStretch {
  const piece = Math.floor(byte / pieceBytes);
  const first = piece * pieceBytes;
  return { piece, start: byte - first, end: Math.min(range.end - first, pieceBytes) };
}
