// Byte ranges (RFC 9110, 14.2) of stored media. Pure.

/** The requested bytes; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header of one range. Null means all bytes: there is no range, there are several,
 * or it is invalid. 'none' means that it begins after the end.
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

/** A range within one of the stored pieces. */
export interface PieceStretch extends Range {
  readonly piece: number;
}

/**
 * Returns the range of the piece that contains a byte, up to the end of the piece or of the
 * request.
 */
export function stretchAt(byte: number, range: Range, pieceBytes: number): PieceStretch {
  const piece = Math.floor(byte / pieceBytes);
  const first = piece * pieceBytes;
  return { piece, start: byte - first, end: Math.min(range.end - first, pieceBytes) };
}
