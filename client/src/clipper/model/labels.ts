// Audacity's label files: parsed with a message for every invalid line, and written. Pure.

import type { Beat } from '../../counts/grid';
import { framesPerSecond, type Stretch } from '../../timeline';
import { oneLine } from '../../ui/text';
import { lateWords } from '../../words/lateWords';
import { readTime } from './times';

/** One label: a range, or a point whose start and end are equal. In frames. */
export interface Label extends Stretch {
  readonly title: string;
}

/** The labels, and a sentence for each invalid line. */
export interface ReadLabels {
  readonly labels: readonly Label[];
  readonly problems: readonly string[];
}

const mostCharacters = 1_000_000;
const mostLabels = 5_000;

/**
 * Parses `start⇥end⇥text`, line by line; lines that begin with a backslash are skipped. The times are seconds, times with
 * colons, or `frames:N`, as the command line reads them.
 */
export function readLabels(text: string): ReadLabels {
  if (text.length > mostCharacters) {
    return { labels: [], problems: [lateWords.clipper.labelFileTooLarge] };
  }
  const labels: Label[] = [];
  const problems: string[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('\\')) continue;
    if (labels.length === mostLabels) {
      problems.push(lateWords.clipper.labelsLimit(mostLabels));
      break;
    }
    const [start = '', end = '', ...rest] = line.split('\t');
    const startFrame = readSeconds(start);
    const endFrame = readSeconds(end);
    if (startFrame === null || endFrame === null) {
      problems.push(lateWords.clipper.lineWithoutTimes(index + 1));
    } else if (endFrame < startFrame) {
      problems.push(lateWords.clipper.lineBackwards(index + 1));
    } else {
      labels.push({ startFrame, endFrame, title: oneLine(rest.join(' ')).trim() });
    }
  }
  return { labels, problems };
}

function readSeconds(text: string): number | null {
  const number = text.trim().replace(',', '.');
  if (/^\d{1,6}(\.\d*)?$/.test(number)) return Math.round(Number(number) * framesPerSecond);
  const frames = /^frames:(\d{1,10})$/.exec(number)?.[1];
  return frames === undefined ? readTime(number) : Number(frames);
}

/** Writes labels as Audacity does, with six decimals. */
export function writeLabels(labels: readonly Label[]): string {
  return labels.map(({ startFrame, endFrame, title }) => (
    `${seconds(startFrame)}\t${seconds(endFrame)}\t${oneLine(title)}\n`
  )).join('');
}

/** Writes a point for each count, with a mark where an eight begins. */
export function writeCounts(beats: readonly Beat[]): string {
  return writeLabels(beats.map(({ frame, count, eight }) => ({
    startFrame: frame, endFrame: frame, title: count === 1 ? lateWords.clipper.eightLabel(eight) : String(count),
  })));
}

const seconds = (frames: number): string => (frames / framesPerSecond).toFixed(6);
