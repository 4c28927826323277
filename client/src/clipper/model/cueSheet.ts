// A cue sheet of the pieces, for players and burners. Pure.

import { framesPerSecond } from '../../timeline';
import { oneLine } from '../../ui/text';
import type { Label } from './labels';

/** A disc's frames in a second. */
const discFrames = 75;

/** The maximum number of tracks in a cue sheet. */
export const mostCueTracks = 99;

/** Writes the starts of the pieces, in chronological order, as tracks of one file. */
export function writeCueSheet(title: string, fileName: string, pieces: readonly Label[]): string {
  const kind = { mp3: 'MP3', aif: 'AIFF', aiff: 'AIFF' }[fileName.split('.').pop()?.toLowerCase() ?? ''] ?? 'WAVE';
  const lines = [`TITLE ${quoted(title)}`, `FILE ${quoted(fileName)} ${kind}`];
  const ordered = [...pieces].sort((one, other) => one.startFrame - other.startFrame);
  for (const [index, piece] of ordered.slice(0, mostCueTracks).entries()) {
    lines.push(
      `  TRACK ${twoDigits(index + 1)} AUDIO`,
      `    TITLE ${quoted(piece.title)}`,
      `    INDEX 01 ${discTime(piece.startFrame)}`,
    );
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** A cue sheet has no escape for a quotation mark. */
const quoted = (text: string): string => `"${oneLine(text).replace(/"/g, '’')}"`;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function discTime(frames: number): string {
  const total = Math.round((frames / framesPerSecond) * discFrames);
  const seconds = Math.floor(total / discFrames);
  return `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}:${twoDigits(total % discFrames)}`;
}
